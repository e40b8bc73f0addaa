//! `hopflow compare --seeds N`: every control under several seeds, and paired differences.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use hopflow::RunOptions;
use hopflow::compare::{Contender, ControlEstimate, SeedsComparison, Unfit, compare_seeds};
use hopflow_export::write_seeds_comparison;
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use super::{place, table};
use crate::args::{CompareArgs, Format, threads_or_all};
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, data, in_unit, maybe};
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, output};

pub(super) fn compare(
    args: &CompareArgs,
    file: &ScenarioFile,
    (contenders, unfit): (Vec<Contender>, Vec<Unfit>),
    count: NonZeroUsize,
) -> Outcome {
    let name = format!("{}-compare-seeds{count}", file.stem());
    let begin = || place::begin(args.out.as_deref(), args.force, &name, file.text());
    let directory = if args.no_directory { None } else { Some(begin()?) };
    let line = Line::new(args.quiet, 1000);
    let cancel = cancel_on_interrupt();
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let threads = threads_or_all(args.threads);
    let result = compare_seeds(&contenders, &options, count, threads, Some(&line.for_many()));
    let result = result.map_err(Fail::input)?.beside(unfit);
    line.end();
    let directory = directory.filter(|_| !result.seeds.is_empty());
    let named = [name.as_str(), result.manifest.digest8()];
    let kept = place::keep(directory, args.out.as_deref(), named, |directory, target| {
        write_seeds_comparison(directory, target, &result)
    })?;
    if !result.seeds.is_empty() {
        print(args, &result)?;
    }
    closing_words(args, &result, kept.as_deref(), &line);
    let mut runs = result.seeds.iter().flat_map(|seed| &seed.runs);
    let fine = runs.all(|run| run.measures.violations.is_empty());
    Fail::unless(result.complete, fine)
}

fn print(args: &CompareArgs, result: &SeedsComparison) -> Outcome {
    if args.format == Format::Csv {
        return output::print_csv(&estimates_as_data(result));
    }
    let mut tables = vec![("", estimates(result))];
    tables.extend(table::beside(result.sizes(), &result.unfit));
    output::print(args.format, &tables, &result.document())
}

/// Every measure with its interval, and its difference to the first control.
fn estimates(result: &SeedsComparison) -> Table {
    let first = result.manifest.controls.first().map_or("", String::as_str);
    let against = format!("#less {first}");
    let heads = ["quantity", "control", "#seeds", "#mean", "#±", &against, "#±", "differs"];
    let mut table = Table::new(&heads);
    for row in &result.estimates {
        let text = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| value_text(&row.quantity, value))
        };
        let less = row.difference.map(|difference| difference.estimate);
        let differs = |yes| if yes { "yes" } else { "no" };
        table.row(vec![
            row.quantity.clone(),
            row.control.clone(),
            row.estimate.count.to_string(),
            text(Some(row.estimate.mean)),
            text(row.estimate.half_width),
            text(less.map(|less| less.mean)),
            text(less.and_then(|less| less.half_width)),
            row.difference.and_then(|one| one.differs).map_or("-", differs).to_owned(),
        ]);
    }
    table
}

/// As data: numbers in the unit that the name of the quantity ends in.
fn estimates_as_data(result: &SeedsComparison) -> Table {
    let columns: Columns<ControlEstimate> = &[
        ("control", |row| row.control.clone()),
        ("quantity", |row| row.quantity.clone()),
        ("count", |row| cell(row.estimate.count)),
        ("mean", |row| cell(row.estimate.mean)),
        ("deviation", |row| maybe(row.estimate.deviation)),
        ("half_width", |row| maybe(row.estimate.half_width)),
        ("pairs", |row| maybe(row.difference.map(|one| one.estimate.count))),
        ("difference", |row| maybe(row.difference.map(|one| one.estimate.mean))),
        ("difference_half_width", |row| {
            maybe(row.difference.and_then(|one| one.estimate.half_width))
        }),
        ("differs", |row| maybe(row.difference.and_then(|one| one.differs))),
    ];
    data(columns, result.estimates.iter())
}

/// A value in the unit that suits it, by the unit that the name of its quantity ends in.
fn value_text(quantity: &str, value: f64) -> String {
    let text = in_unit(quantity, value, 4);
    // What rounds to nothing but is something is shown by its size.
    let zero = text.trim_start_matches('-').strip_prefix('0');
    match zero.filter(|unit| value != 0.0 && !unit.starts_with('.')) {
        Some(" %") => format!("{:.1e} %", 100.0 * value),
        Some(unit) => format!("{value:.1e}{unit}"),
        None => text,
    }
}

fn closing_words(args: &CompareArgs, result: &SeedsComparison, kept: Option<&Path>, line: &Line) {
    for seed in &result.seeds {
        for one in seed.runs.iter().map(|run| &run.measures) {
            for text in &one.violations {
                let (control, seed) = (&one.control, &seed.manifest.seed);
                eprintln!("property failed under `{control}` with seed {seed}: {text}");
            }
        }
    }
    if args.quiet {
        return;
    }
    for note in &result.notes {
        eprintln!("note: {note}");
    }
    super::tell_bottleneck(result.manifest.bottleneck.as_deref());
    if !result.seeds.is_empty() {
        eprintln!(
            "{} controls under {} seeds, {} of simulated time each, in {:.2} s, digest {}",
            result.manifest.controls.len(),
            result.seeds.len(),
            Picos(result.manifest.duration_ps),
            line.elapsed().as_secs_f64(),
            result.manifest.digest
        );
    }
    place::tell(kept, result.complete, result.seeds.len());
}
