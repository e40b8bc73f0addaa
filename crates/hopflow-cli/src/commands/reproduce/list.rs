//! `reproduce --list`: the experiments, their claims, and how much is run for each.

use hopflow::CONTRACT_VERSION;
use hopflow_papers::{Chosen, Planned, plan, title};
use hopflow_units::Picos;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::args::Format;
use crate::output::{self, Columns, Table};
use crate::{Outcome, commands::reproduce::choose::is_wanted};

/// `--list --format json`.
#[derive(Serialize, Shaped)]
#[shape(name = "ExperimentsDocument")]
pub(crate) struct List {
    version: u32,
    experiments: Vec<Listed>,
}

#[derive(Serialize, Shaped)]
#[shape(name = "Experiment")]
struct Listed {
    id: String,
    paper: String,
    title: String,
    /// The ids of its claims.
    claims: Vec<String>,
    runs: u64,
    /// Simulated time of all runs, as a string of decimal digits.
    simulated_ps: String,
    /// Cells started on all links in all runs.
    cells: u64,
    scenarios: Vec<ListedScenario>,
}

#[derive(Serialize, Shaped)]
#[shape(name = "ExperimentScenario")]
struct ListedScenario {
    scenario: String,
    runs: u64,
    duration_ps: String,
    cells: u64,
}

pub(super) fn list(chosen: &[Chosen<'_>], ids: &[String], format: Format) -> Outcome {
    let plan = plan();
    let experiments = chosen.iter().map(|one| listed(one, ids, &plan)).collect();
    let document = List { version: CONTRACT_VERSION, experiments };
    output::print(format, &[("", table(&document.experiments))], &document)
}

fn listed((paper, experiment): &Chosen<'_>, ids: &[String], plan: &[Planned]) -> Listed {
    let claims = paper.claims_of(experiment).into_iter().map(|claim| claim.id.clone());
    let rows: Vec<&Planned> = plan.iter().filter(|one| one.experiment == experiment.id()).collect();
    let simulated: u128 =
        rows.iter().map(|one| u128::from(one.duration_ps) * u128::from(one.runs)).sum();
    let scenario = |one: &&Planned| ListedScenario {
        scenario: one.scenario.clone(),
        runs: one.runs,
        duration_ps: one.duration_ps.to_string(),
        cells: one.cells,
    };
    Listed {
        id: experiment.id().to_owned(),
        paper: paper.key.to_owned(),
        title: title(experiment.prefixes()),
        claims: claims.filter(|claim| is_wanted(claim, ids)).collect(),
        runs: rows.iter().map(|one| one.runs).sum(),
        simulated_ps: simulated.to_string(),
        cells: rows.iter().map(|one| one.cells).sum(),
        scenarios: rows.iter().map(scenario).collect(),
    }
}

/// One line an experiment.
fn table(experiments: &[Listed]) -> Table {
    let columns: Columns<Listed> = &[
        ("experiment", |one| one.id.clone()),
        ("figures and sections", |one| {
            one.title.split_once(": ").map_or("", |(_, places)| places).to_owned()
        }),
        ("#claims", |one| one.claims.len().to_string()),
        ("#runs", |one| one.runs.to_string()),
        ("#simulated (s)", |one| {
            let simulated = one.simulated_ps.parse::<f64>().unwrap_or(f64::NAN);
            output::number(simulated / Picos::PER_SECOND as f64, 2)
        }),
        ("#cells (M)", |one| output::number(one.cells as f64 / 1e6, 2)),
    ];
    Table::of(columns, experiments)
}
