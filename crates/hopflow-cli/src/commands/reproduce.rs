//! `hopflow reproduce`: every claim of the papers, measured and judged.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hopflow::RunOptions;
use hopflow_papers::{
    ClaimResult, Exhibit, Experiment, Paper, ReproduceError, Reproduced, Table as Claims, Verdict,
    page, papers, reproduce as reproduce_one,
};
use rayon::prelude::*;

use crate::args::{Format, ReproduceArgs, threads_or_all};
use crate::commands::report::write_page;
use crate::fail::Fail;
use crate::output::Table;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, output};

pub(crate) fn reproduce(args: &ReproduceArgs) -> Outcome {
    let papers = papers();
    let chosen = choose(&papers, args.prefix.as_deref())?;
    if let Some(directory) = &args.write_scenarios {
        return write_scenarios(directory, &chosen);
    }
    // Before the work, not after it: a place that cannot be written.
    if let Some(parent) = args.out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(|cause| {
            Fail::Input(format!("`{}` cannot be made: {cause}", parent.display()))
        })?;
    }
    let runs = |experiment: &dyn Experiment| {
        experiment.scenarios().iter().map(|scenario| u64::from(scenario.seeds)).sum::<u64>()
    };
    let line = Line::new(args.quiet, chosen.iter().map(|(_, one)| runs(*one)).sum());
    let found = run_all(args, &chosen, &line)?;
    line.end();
    let wanted = |claim: &ClaimResult| {
        args.prefix.as_deref().is_none_or(|prefix| is_under(&claim.id, prefix))
    };
    let claims: Vec<ClaimResult> =
        found.iter().flat_map(|f| f.claims.iter().filter(|c| wanted(c)).cloned()).collect();
    write_page(&args.out, &page(&found).html())?;
    let counts = Counts::new(&claims);
    let summary = args.summary.then(|| summary(&found));
    let exhibits: Vec<(&str, Table)> =
        found.iter().flat_map(|f| &f.exhibits).map(|e| (e.title.as_str(), exhibit(e))).collect();
    print(args, claims, summary, &exhibits)?;
    if !args.quiet {
        eprintln!(
            "{} claims in {:.1} s: {} reproduced, {} differ for a derived reason, {} not \
             reproduced",
            counts.reproduced + counts.differs + counts.not_reproduced,
            line.elapsed().as_secs_f64(),
            counts.reproduced,
            counts.differs,
            counts.not_reproduced
        );
        eprintln!("Report: {}", args.out.display());
    }
    if counts.not_reproduced == 0 { Ok(()) } else { Err(Fail::Property) }
}

/// Whether a claim or an experiment lies under a prefix such as `kung94.fig1` or `kung94.fig14`.
fn is_under(id: &str, prefix: &str) -> bool {
    id == prefix || id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
}

type Chosen<'a> = Vec<(&'a Paper, &'a dyn Experiment)>;

fn choose<'a>(papers: &'a [Paper], prefix: Option<&str>) -> Result<Chosen<'a>, Fail> {
    let mut chosen: Chosen<'a> = Vec::new();
    for paper in papers {
        for experiment in &paper.experiments {
            let touches = |prefix: &str| {
                paper.claims_of(*experiment).iter().any(|claim| is_under(&claim.id, prefix))
            };
            if prefix.is_none_or(touches) {
                chosen.push((paper, *experiment));
            }
        }
    }
    if chosen.is_empty() {
        let known: Vec<&str> = papers
            .iter()
            .flat_map(|paper| paper.experiments.iter().flat_map(|e| e.prefixes()).copied())
            .collect();
        return Err(Fail::Input(format!(
            "there is no claim under `{}`: there are {}",
            prefix.unwrap_or_default(),
            known.join(", ")
        )));
    }
    Ok(chosen)
}

fn run_all(
    args: &ReproduceArgs,
    chosen: &Chosen<'_>,
    line: &Line,
) -> Result<Vec<Reproduced>, Fail> {
    let threads = threads_or_all(args.threads).get();
    let cancel = cancel_on_interrupt();
    // There are more runs than threads: each run has one.
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|cause| Fail::Fault(format!("threads cannot be started: {cause}")))?;
    let done = AtomicUsize::new(0);
    let one = |(paper, experiment): &(&Paper, &dyn Experiment)| {
        reproduce_one(paper, *experiment, &options, &|_, _| {
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            line.show(finished as u64, experiment.prefixes().join(", "));
        })
    };
    let results: Vec<Result<Reproduced, ReproduceError>> =
        pool.install(|| chosen.par_iter().with_max_len(1).map(one).collect());
    if cancel.load(Ordering::Relaxed) {
        line.end();
        eprintln!("Interrupted: nothing was written.");
        return Err(Fail::Interrupted);
    }
    results.into_iter().map(|result| result.map_err(|e| Fail::Fault(e.to_string()))).collect()
}

/// One line an experiment.
fn summary(found: &[Reproduced]) -> Table {
    let columns = ["experiment", "#claims", "#reproduced", "#differ, explained", "#not reproduced"];
    let mut table = Table::new(&columns);
    for one in found {
        let counts = Counts::new(&one.claims);
        let mut row = vec![one.title.clone(), one.claims.len().to_string()];
        let verdicts = [counts.reproduced, counts.differs, counts.not_reproduced];
        row.extend(verdicts.map(|count| count.to_string()));
        table.row(row);
    }
    table
}

fn print(
    args: &ReproduceArgs,
    claims: Vec<ClaimResult>,
    summary: Option<Table>,
    exhibits: &[(&str, Table)],
) -> Outcome {
    let every_claim = summary.is_none();
    let table = summary.unwrap_or_else(|| every(&claims));
    let document = Claims { version: 1, claims };
    let mut tables = vec![("", table)];
    if every_claim && args.format != Format::Csv {
        tables.extend(exhibits.iter().cloned());
    }
    output::print(args.format, &tables, &document)?;
    if args.format == Format::Table && every_claim {
        why_different(&document.claims)?;
    }
    Ok(())
}

/// A table of an experiment, with the units in its headings.
fn exhibit(exhibit: &Exhibit) -> Table {
    let heading = |(title, unit): &(&str, &str)| match *unit {
        "" => format!("#{title}"),
        unit => format!("#{title} ({unit})"),
    };
    let heads: Vec<String> = std::iter::once(exhibit.rows_are.to_owned())
        .chain(exhibit.columns.iter().map(heading))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(&heads);
    for (name, values) in &exhibit.rows {
        let values = values.iter().map(|value| Exhibit::shown(*value));
        table.row(std::iter::once(name.clone()).chain(values).collect());
    }
    table
}

/// One line a claim.
fn every(claims: &[ClaimResult]) -> Table {
    let mut table = Table::new(&["claim", "paper says", "#hopflow measured", "unit", "verdict"]);
    for claim in claims {
        table.row(vec![
            claim.id.clone(),
            claim.expected.clone(),
            claim.measured.map_or_else(|| "-".to_owned(), |value| output::number(value, 4)),
            claim.unit.clone(),
            word(claim.verdict).to_owned(),
        ]);
    }
    table
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Differs => "differs",
        Verdict::NotReproduced => "NOT REPRODUCED",
    }
}

/// The reasons of all claims that differ, each reason once.
fn why_different(claims: &[ClaimResult]) -> Outcome {
    let differing: Vec<_> = claims.iter().filter(|c| c.verdict == Verdict::Differs).collect();
    if differing.is_empty() {
        return Ok(());
    }
    let mut text = String::from("\nWhy claims differ:\n");
    for claim in differing {
        let _ = writeln!(text, "  {}: {}", claim.id, claim.note);
    }
    output::write(&text)
}

struct Counts {
    reproduced: usize,
    differs: usize,
    not_reproduced: usize,
}

impl Counts {
    fn new(claims: &[ClaimResult]) -> Counts {
        let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        Counts {
            reproduced: count(Verdict::Reproduced),
            differs: count(Verdict::Differs),
            not_reproduced: count(Verdict::NotReproduced),
        }
    }
}

fn write_scenarios(directory: &Path, chosen: &Chosen<'_>) -> Outcome {
    let failed = |path: &Path, cause| {
        Fail::Input(format!("`{}` cannot be written: {cause}", path.display()))
    };
    fs::create_dir_all(directory).map_err(|cause| failed(directory, cause))?;
    for (paper, experiment) in chosen {
        for scenario in experiment.scenarios() {
            let path = directory.join(format!("{}-{}", paper.key, scenario.file));
            fs::write(&path, &scenario.text).map_err(|cause| failed(&path, cause))?;
            output::write(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}
