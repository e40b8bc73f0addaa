//! `hopflow run --seeds N`: one scenario, several seeds, means with confidence intervals.

use std::num::NonZeroUsize;
use std::path::Path;

use hopflow::record::Quantities;
use hopflow::{RunOptions, Scenario, SeedsResult, run_seeds};
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use crate::args::{Format, OutputArgs, RunArgs, threads_or_all};
use crate::commands::place::Runs;
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, in_unit, maybe, word};
use crate::{Outcome, memory, output};

pub(super) fn run(
    args: &RunArgs,
    file: &ScenarioFile,
    scenario: &Scenario,
    count: NonZeroUsize,
) -> Outcome {
    let OutputArgs { threads, quiet, .. } = args.output;
    let at_once = threads_or_all(threads).min(count).get();
    memory::fits(file.name(), scenario, at_once, args.scenario.yes, quiet)?;
    let mut runs = Runs::begin(&args.output, format!("{}-seeds{count}", file.stem()), file.text())?;
    let progress = runs.line.for_many();
    // Only the files of single runs describe them.
    let options = RunOptions { describe: runs.is_kept(), ..runs.options.clone() };
    let result = run_seeds(scenario, &options, count, runs.threads, Some(progress));
    let result = result.map_err(Fail::input)?;
    runs.line.end();
    let (done, digest) = (result.runs.len(), &result.manifest.digest);
    let kept = runs.keep(done, digest, &result)?;
    print(args, &result)?;
    closing_words(args, &result, kept.as_deref(), &runs);
    let fine = result.runs.iter().all(|run| run.violations().is_empty());
    Fail::unless(result.complete, fine)
}

/// As data: numbers in the unit that the name of the quantity ends in.
fn print(args: &RunArgs, result: &SeedsResult) -> Outcome {
    if args.output.format == Format::Csv {
        let head =
            "of name quantity runs=count mean deviation half_width from=interval/0 to=interval/1";
        return output::print_csv(&Table::of_keys(head, &result.estimates));
    }
    let columns: Columns<Quantities> = &[
        ("of", |row| word(&row.of)),
        ("name", |row| row.name.clone()),
        ("quantity", |row| row.quantity.clone()),
        ("#runs", |row| cell(row.estimate.count)),
        ("#mean", |row| shown(row, Some(row.estimate.mean))),
        ("#deviation", |row| shown(row, row.estimate.deviation)),
        ("#95 % half width", |row| shown(row, row.estimate.half_width)),
        ("#from", |row| shown(row, row.interval.map(|interval| interval[0]))),
        ("#to", |row| shown(row, row.interval.map(|interval| interval[1]))),
    ];
    let table = Table::of(columns, &result.estimates);
    output::print(args.output.format, &[("", table)], &result.document())
}

fn shown(row: &Quantities, value: Option<f64>) -> String {
    maybe(value.map(|value| in_unit(&row.quantity, value, 3)))
}

fn closing_words(args: &RunArgs, result: &SeedsResult, kept: Option<&Path>, runs: &Runs<'_>) {
    for run in &result.runs {
        for violation in run.violations() {
            eprintln!("property failed with seed {}: {}", run.manifest.seed, violation.text);
        }
    }
    if args.output.quiet {
        return;
    }
    if result.certain {
        eprintln!(
            "Nothing is random: two seeds gave the same run, which is that of every seed, without \
             an interval."
        );
    }
    let (done, duration) = (result.runs.len(), Picos(result.manifest.duration_ps));
    let what = format!("{done} runs of {duration}");
    runs.tell(&what, &result.manifest.digest, done, result.complete, kept);
}
