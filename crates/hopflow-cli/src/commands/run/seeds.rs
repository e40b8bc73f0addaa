//! `hopflow run --seeds N`: one scenario, several seeds, means with confidence intervals.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use hopflow::record::Quantities;
use hopflow::{RunOptions, Scenario, SeedsResult, run_seeds};
use hopflow_export::write_seeds;
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use crate::args::{Format, RunArgs, threads_or_all};
use crate::commands::place;
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, data, in_unit, maybe, word};
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, memory, output};

pub(super) fn run(
    args: &RunArgs,
    file: &ScenarioFile,
    scenario: &Scenario,
    count: NonZeroUsize,
) -> Outcome {
    let name = format!("{}-seeds{count}", file.stem());
    let at_once = threads_or_all(args.threads).min(count).get();
    memory::fits(file.name(), scenario, at_once, [args.yes, args.quiet])?;
    let begin = || place::begin(args.out.as_deref(), args.force, &name, file.text());
    let directory = if args.no_directory { None } else { Some(begin()?) };
    let line = Line::new(args.quiet, 1000);
    let cancel = cancel_on_interrupt();
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let threads = threads_or_all(args.threads);
    let result = run_seeds(scenario, &options, count, threads, Some(line.for_many()));
    let result = result.map_err(Fail::input)?;
    line.end();
    let directory = directory.filter(|_| !result.runs.is_empty());
    let named = [name.as_str(), result.manifest.digest8()];
    let kept = place::keep(directory, args.out.as_deref(), named, |directory, target| {
        write_seeds(directory, target, &result)
    })?;
    print(args, &result)?;
    closing_words(args, &result, kept.as_deref(), &line);
    let fine = result.runs.iter().all(|run| run.violations().is_empty());
    Fail::unless(result.complete, fine)
}

fn print(args: &RunArgs, result: &SeedsResult) -> Outcome {
    if args.format == Format::Csv {
        return output::print_csv(&estimates(result));
    }
    let mut table = Table::new(&[
        "of",
        "name",
        "quantity",
        "#runs",
        "#mean",
        "#deviation",
        "#95 % half width",
        "#from",
        "#to",
    ]);
    for row in &result.estimates {
        table.row(estimate_row(row));
    }
    output::print(args.format, &[("", table)], &result.document())
}

/// As data: numbers in the unit that the name of the quantity ends in.
fn estimates(result: &SeedsResult) -> Table {
    let columns: Columns<Quantities> = &[
        ("of", |row| word(&row.of)),
        ("name", |row| row.name.clone()),
        ("quantity", |row| row.quantity.clone()),
        ("runs", |row| cell(row.estimate.count)),
        ("mean", |row| cell(row.estimate.mean)),
        ("deviation", |row| maybe(row.estimate.deviation)),
        ("half_width", |row| maybe(row.estimate.half_width)),
        ("from", |row| maybe(row.interval.map(|interval| interval[0]))),
        ("to", |row| maybe(row.interval.map(|interval| interval[1]))),
    ];
    data(columns, result.estimates.iter())
}

fn estimate_row(row: &Quantities) -> Vec<String> {
    let text = |value: Option<f64>| {
        value.map_or_else(String::new, |value| in_unit(&row.quantity, value, 3))
    };
    vec![
        word(&row.of),
        row.name.clone(),
        row.quantity.clone(),
        row.estimate.count.to_string(),
        text(Some(row.estimate.mean)),
        text(row.estimate.deviation),
        text(row.estimate.half_width),
        text(row.interval.map(|interval| interval[0])),
        text(row.interval.map(|interval| interval[1])),
    ]
}

fn closing_words(args: &RunArgs, result: &SeedsResult, kept: Option<&Path>, line: &Line) {
    for run in &result.runs {
        for violation in run.violations() {
            eprintln!("property failed with seed {}: {}", run.manifest.seed, violation.text);
        }
    }
    if args.quiet {
        return;
    }
    if !result.runs.is_empty() {
        eprintln!(
            "{} runs of {} in {:.2} s, digest {}",
            result.runs.len(),
            Picos(result.manifest.duration_ps),
            line.elapsed().as_secs_f64(),
            result.manifest.digest
        );
    }
    place::tell(kept, result.complete, result.runs.len());
}
