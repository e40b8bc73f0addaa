//! `hopflow compare --seeds N`: every control under several seeds, and paired differences.

use std::num::NonZeroUsize;
use std::path::Path;

use hopflow::compare::{Contender, ControlEstimate, SeedsComparison, Unfit, compare_seeds};
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use super::{Runs, table};
use crate::args::{CompareArgs, Format};
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, in_unit, or_dash};
use crate::{Outcome, output};

pub(super) fn compare(
    args: &CompareArgs,
    file: &ScenarioFile,
    contenders: &[Contender],
    unfit: Vec<Unfit>,
    count: NonZeroUsize,
) -> Outcome {
    let name = format!("{}-compare-seeds{count}", file.stem());
    let mut runs = Runs::begin(&args.output, name, file.text())?;
    let progress = runs.line.for_many();
    let result = compare_seeds(contenders, &runs.options, count, runs.threads, Some(&progress));
    let result = result.map_err(Fail::input)?.beside(unfit);
    runs.line.end();
    let (done, digest) = (result.seeds.len(), &result.manifest.digest);
    let kept = runs.keep(done, digest, &result)?;
    if done > 0 {
        print(args, &result)?;
    }
    closing_words(args, &result, kept.as_deref(), &runs);
    let mut all = result.seeds.iter().flat_map(|seed| &seed.runs);
    let fine = all.all(|run| run.measures.violations.is_empty());
    Fail::unless(result.complete, fine)
}

fn print(args: &CompareArgs, result: &SeedsComparison) -> Outcome {
    if args.output.format == Format::Csv {
        return output::print_csv(&estimates_as_data(result));
    }
    let mut tables = vec![("", estimates(result))];
    tables.extend(table::beside(result.sizes(), &result.unfit));
    output::print(args.output.format, &tables, &result.document())
}

/// Every measure with its interval, and its difference to the first control.
fn estimates(result: &SeedsComparison) -> Table {
    let first = result.manifest.controls.first().map_or("", String::as_str);
    let against = format!("#less {first}");
    let columns: Columns<ControlEstimate> = &[
        ("quantity", |row| row.quantity.clone()),
        ("control", |row| row.control.clone()),
        ("#seeds", |row| cell(row.estimate.count)),
        ("#mean", |row| shown(row, Some(row.estimate.mean))),
        ("#±", |row| shown(row, row.estimate.half_width)),
        (&against, |row| shown(row, row.difference.map(|less| less.estimate.mean))),
        ("#±", |row| shown(row, row.difference.and_then(|less| less.estimate.half_width))),
        ("differs", |row| {
            let differs = row.difference.and_then(|one| one.differs);
            or_dash(differs, |yes| if yes { "yes" } else { "no" }.to_owned())
        }),
    ];
    Table::of(columns, &result.estimates)
}

fn shown(row: &ControlEstimate, value: Option<f64>) -> String {
    or_dash(value, |value| value_text(&row.quantity, value))
}

/// As data: numbers in the unit that the name of the quantity ends in.
fn estimates_as_data(result: &SeedsComparison) -> Table {
    let head = "control quantity count mean deviation half_width pairs=difference/count \
        difference=difference/mean difference/half_width differs=difference/differs";
    Table::of_keys(head, &result.estimates)
}

/// A value in the unit that suits it, by the unit that the name of its quantity ends in.
fn value_text(quantity: &str, value: f64) -> String {
    let text = in_unit(quantity, value, 4);
    // A value that rounds to zero but is not zero is shown by its order of magnitude.
    let zero = text.trim_start_matches('-').strip_prefix('0');
    match zero.filter(|unit| value != 0.0 && !unit.starts_with('.')) {
        Some(" %") => format!("{:.1e} %", 100.0 * value),
        Some(unit) => format!("{value:.1e}{unit}"),
        None => text,
    }
}

fn closing_words(
    args: &CompareArgs,
    result: &SeedsComparison,
    kept: Option<&Path>,
    runs: &Runs<'_>,
) {
    for seed in &result.seeds {
        for one in seed.runs.iter().map(|run| &run.measures) {
            for text in &one.violations {
                let (control, seed) = (&one.control, &seed.manifest.seed);
                eprintln!("property failed under `{control}` with seed {seed}: {text}");
            }
        }
    }
    if args.output.quiet {
        return;
    }
    for note in &result.notes {
        eprintln!("note: {note}");
    }
    super::tell_bottleneck(result.manifest.bottleneck.as_deref());
    let (controls, done) = (result.manifest.controls.len(), result.seeds.len());
    let duration = Picos(result.manifest.duration_ps);
    let what =
        format!("{controls} controls under {done} seeds, {duration} of simulated time each,");
    runs.tell(&what, &result.manifest.digest, done, result.complete, kept);
}
