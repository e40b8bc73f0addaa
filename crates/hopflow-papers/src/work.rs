//! The work of an experiment: its runs and comparisons, one piece each, done by any thread.

use std::num::NonZeroUsize;

use hopflow::compare::{Comparison, Contender, compare};
use hopflow::{RunError, RunOptions, RunResult, run_network};
use hopflow_scenario::{Diagnostics, Scenario, ScenarioFile};

use crate::plan::{Planned, compared_name, weight};
use crate::{Experiment, ReproduceError, Run, Runs, ScenarioText};

/// One piece of work: it is done by one thread.
#[derive(Debug)]
pub(crate) enum Piece {
    /// A scenario with a seed.
    Run(ScenarioText, u64),
    /// A scenario under all its controls, with a seed.
    Comparison(ScenarioText, u64),
    /// Nothing: the experiment evaluates a formula.
    Formula,
}

/// The outcome of a piece.
#[derive(Debug)]
pub(crate) enum Done {
    Run(Box<Run>),
    Comparison(Box<Comparison>),
    Formula,
}

/// All that an experiment needs, with what each piece weighs.
pub(crate) fn pieces(experiment: &Experiment, plan: &[Planned]) -> Vec<(u64, Piece)> {
    let mut pieces = Vec::new();
    for scenario in experiment.scenarios() {
        let weight = weight(plan, experiment, &scenario.file);
        let seeds = 1..=u64::from(scenario.seeds);
        pieces.extend(seeds.map(|seed| (weight, Piece::Run(scenario.clone(), seed))));
    }
    for scenario in experiment.comparisons() {
        let one = weight(plan, experiment, &compared_name(&scenario.file));
        let all = one * scenario.controls().len() as u64;
        let seeds = 1..=u64::from(scenario.seeds);
        pieces.extend(seeds.map(|seed| (all, Piece::Comparison(scenario.clone(), seed))));
    }
    if pieces.is_empty() {
        pieces.push((0, Piece::Formula));
    }
    pieces
}

/// What the wider bands of an experiment need. No plan has them: every run weighs 1.
pub(crate) fn band_pieces(experiment: &Experiment) -> Vec<(u64, Piece)> {
    let all = experiment.bands().map_or_else(Vec::new, |bands| (bands.scenarios)());
    let runs = all.into_iter().flat_map(|scenario| {
        let seeds = 1..=u64::from(scenario.seeds);
        seeds.map(move |seed| (1, Piece::Run(scenario.clone(), seed)))
    });
    runs.collect()
}

/// Puts what was done together, in the order of the pieces.
pub(crate) fn gathered(pieces: &[(u64, Piece)], done: Vec<Done>) -> Runs {
    let mut runs = Runs::default();
    for ((_, piece), done) in pieces.iter().zip(done) {
        match (piece, done) {
            (Piece::Run(scenario, _), Done::Run(run)) => runs.add(&scenario.file, *run),
            (Piece::Comparison(scenario, _), Done::Comparison(comparison)) => {
                runs.compare(&scenario.file, *comparison);
            }
            (piece, done) => {
                assert!(matches!((piece, done), (Piece::Formula, Done::Formula)), "another piece");
            }
        }
    }
    runs
}

impl Done {
    /// Cells of all kinds that were started on all links.
    pub(crate) fn started_packets(&self) -> u64 {
        match self {
            Done::Run(run) => run
                .counters
                .directions
                .iter()
                .map(|one| one.data_packets + one.control_packets)
                .sum(),
            Done::Comparison(comparison) => {
                let links = comparison.runs.iter().flat_map(|run| &run.summary.links);
                links.map(|link| link.data_packets + link.control_packets).sum()
            }
            Done::Formula => 0,
        }
    }
}

impl Piece {
    /// The scenario as the plan names it; empty where a formula is evaluated.
    pub(crate) fn scenario(&self) -> String {
        match self {
            Piece::Run(scenario, _) => scenario.file.clone(),
            Piece::Comparison(scenario, _) => compared_name(&scenario.file),
            Piece::Formula => String::new(),
        }
    }

    /// Does it on this thread. `options` give progress and cancelling.
    pub(crate) fn done(&self, options: &RunOptions) -> Result<Done, ReproduceError> {
        Ok(match self {
            Piece::Run(scenario, seed) => {
                Done::Run(Box::new(run_scenario(scenario, *seed, options)?))
            }
            Piece::Comparison(scenario, seed) => {
                Done::Comparison(Box::new(run_comparison(scenario, *seed, options)?))
            }
            Piece::Formula => Done::Formula,
        })
    }
}

/// Runs one scenario with one seed and keeps its trace. `options` gives threads, progress and
/// cancelling; its seed and duration are not used.
pub fn run_scenario(
    text: &ScenarioText,
    seed: u64,
    options: &RunOptions,
) -> Result<Run, ReproduceError> {
    let file = || text.file.clone();
    // Not the seed of the options: phases of sources and calls are drawn with the scenario.
    let scenario = Scenario::from_toml(&text.text, &text.file)
        .and_then(|scenario| scenario.with_seed(seed))
        .map_err(|wrong| ReproduceError::Scenario { file: file(), messages: messages(&wrong) })?;
    let options = RunOptions {
        seed: None,
        duration: None,
        warm_up: Some(text.summed_from.unwrap_or(scenario.warm_up)),
        keep_trace: true,
        ..options.clone()
    };
    let result = run_network(&scenario.network, &scenario.record, &options, &mut |_| {})
        .map_err(|source: RunError| ReproduceError::Run { file: file(), source })?;
    if !result.complete {
        return Err(ReproduceError::Cancelled);
    }
    let network = scenario.network;
    let RunResult { digest, counters, summary, trace: rows, series, .. } = result;
    Ok(Run { seed, digest, network, counters, summary, rows, series })
}

/// Runs a scenario under each of its variants, and as it stands, with one seed.
fn run_comparison(
    text: &ScenarioText,
    seed: u64,
    options: &RunOptions,
) -> Result<Comparison, ReproduceError> {
    let file = ScenarioFile::new(&text.text, &text.file);
    let title = |name: &str| {
        let own = file.variants().into_iter().find(|variant| variant.name == name);
        own.map_or_else(|| Some("none: drop tail".to_owned()), |variant| variant.title)
    };
    let contender = |name: String| {
        let scenario = file.under(&name).map_err(|wrong| ReproduceError::Scenario {
            file: format!("{} under {name}", text.file),
            messages: wrong.to_string(),
        })?;
        Ok(Contender { title: title(&name), name, scenario })
    };
    let contenders: Vec<Contender> =
        text.controls().into_iter().map(contender).collect::<Result<_, ReproduceError>>()?;
    let options = RunOptions { seed: Some(seed), ..options.clone() };
    let compared = compare(contenders, &options, NonZeroUsize::MIN, None)?;
    if compared.complete { Ok(compared) } else { Err(ReproduceError::Cancelled) }
}

/// The messages of the mistakes of a scenario, one a line.
pub(crate) fn messages(wrong: &Diagnostics) -> String {
    wrong.items.iter().map(|item| item.message.as_str()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a run with seed 2 is that of `hopflow run --seed 2`, calls included, and another than
    /// with seed 1.
    #[test]
    fn each_seed_has_calls_of_its_own() {
        let text = ScenarioText::new("calls.toml", include_str!("../../../examples/calls.toml"));
        let scenario = Scenario::from_toml(&text.text, &text.file).expect("the example is fine");
        let [one, two] = [1, 2].map(|seed| {
            let found = run_scenario(&text, seed, &RunOptions::default()).expect("it runs");
            let options = RunOptions { seed: Some(seed), ..RunOptions::default() };
            let alone = hopflow::run(&scenario, &options).expect("it runs");
            assert_eq!((found.seed, found.digest), (seed, alone.digest));
            assert_eq!(found.network.seed, seed);
            found
        });
        let begins = |run: &Run| run.network.vcs.iter().map(|vc| vc.phase).collect::<Vec<_>>();
        assert!(one.digest != two.digest && begins(&one) != begins(&two));
    }
}
