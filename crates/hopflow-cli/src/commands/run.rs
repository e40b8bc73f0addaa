//! `hopflow run`: a scenario from its file to its directory of results.

mod data;
mod seeds;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use hopflow::CONTRACT_VERSION;
use hopflow::network::TraceRow;
use hopflow::{
    ResultDocument, RowSink, RowSlice, Rows, RunOptions, RunResult, Scenario, run_to_rows,
};
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use super::place::SAME_RESULTS;
use crate::args::{Format, RunArgs, threads_or_all};
use crate::fail::Fail;
use crate::kept::Writer;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, memory, output};
pub(crate) use data::TABLES;

pub(crate) fn run(args: &RunArgs) -> Outcome {
    let (file, scenario) = asked(args)?;
    if let Some(count) = args.seeds {
        return seeds::run(args, &file, &scenario, count);
    }
    run_scenario(args, &file, &scenario)?.outcome
}

/// A run that was kept and printed.
pub(crate) struct Ran {
    pub(crate) digest: u64,
    /// Its directory.
    pub(crate) kept: Option<PathBuf>,
    pub(crate) outcome: Outcome,
}

/// The scenario that the arguments name, with what they set.
pub(crate) fn asked(args: &RunArgs) -> Result<(ScenarioFile, Scenario), Fail> {
    output::table_needs_csv(args.output.format, args.table.as_deref())?;
    let file = diagnose::load_seeded(&args.scenario)?;
    let scenario = args.scenario.put_into(diagnose::under(&file, &args.control)?)?;
    #[cfg(feature = "results")]
    let scenario = args.trace.put_into(scenario)?;
    Ok((file, scenario))
}

/// Runs, keeps and prints a scenario.
pub(crate) fn run_scenario(
    args: &RunArgs,
    file: &ScenarioFile,
    scenario: &Scenario,
) -> Result<Ran, Fail> {
    memory::fits(file.name(), scenario, 1, args.scenario.yes, args.output.quiet)?;
    let writer = Writer::begin(args, file, scenario)?;
    if let (false, Some(admission)) = (args.output.quiet, scenario.network.admission()) {
        eprintln!("admission: {admission}");
    }
    let line = Line::new(args.output.quiet, 1000);
    let useful = || hopflow::useful_threads(&scenario.network, threads_or_all(None));
    let options = RunOptions {
        threads: args.output.threads.unwrap_or_else(useful),
        progress: Some(line.for_run()),
        cancel: Some(cancel_on_interrupt()),
        keep_vcs: false,
        describe: writer.is_some() || args.output.format == Format::Json,
        ..RunOptions::default()
    };
    let (result, rows, writer) = simulate(scenario, &options, writer)?;
    line.end();
    let keep = |writer: Writer| {
        let why = super::why::paragraphs(&result.summary);
        writer.finish(&args.output, &file.stem(), scenario, &result, &rows, &why)
    };
    let kept = writer.map(keep).transpose()?;
    print(args, &result, &rows)?;
    closing_words(
        args,
        &result,
        kept.as_ref().map(|(kept, is_again)| (kept.as_path(), *is_again)),
        &line,
    );
    let outcome = Fail::unless(result.complete, result.violations().is_empty());
    let digest = result.digest;
    // The process ends, and the system reclaims its memory faster than thousands of small pieces
    // can be freed one by one.
    std::mem::forget((result, rows));
    Ok(Ran { digest, kept: kept.map(|(kept, _)| kept), outcome })
}

/// Runs, and passes rows to the writer. A row that cannot be written stops the run.
fn simulate(
    scenario: &Scenario,
    options: &RunOptions,
    mut writer: Option<Writer>,
) -> Result<(RunResult, Rows, Option<Writer>), Fail> {
    let mut taker = RowWriter { writer: writer.as_mut(), options };
    let (result, rows) = run_to_rows(scenario, options, &mut taker).map_err(Fail::input)?;
    Ok((result, rows, writer))
}

/// Passes rows on to the writer.
struct RowWriter<'a> {
    writer: Option<&'a mut Writer>,
    options: &'a RunOptions,
}

impl RowSink for RowWriter<'_> {
    fn rows(&mut self, rows: &[TraceRow]) {
        self.pass(|writer| writer.take(rows));
    }

    fn slice(&mut self, slice: RowSlice) {
        self.pass(|writer| writer.take_slice(slice));
    }

    fn slices(&self) -> usize {
        self.writer.as_ref().map_or(1, |writer| writer.slices())
    }
}

impl RowWriter<'_> {
    /// Hands rows to the writer; if they could not be written, the run stops.
    fn pass(&mut self, take: impl FnOnce(&mut Writer) -> bool) {
        let is_written = self.writer.as_mut().is_none_or(|writer| take(writer));
        if let (false, Some(cancel)) = (is_written, &self.options.cancel) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

fn print(args: &RunArgs, result: &RunResult, rows: &Rows) -> Outcome {
    let summary = &result.summary;
    match args.output.format {
        Format::Csv => data::print(args.table.as_deref(), summary, rows),
        Format::Json => {
            let (manifest, summary) = (&result.manifest, &rows.of_summary(summary));
            output::print_json(&ResultDocument { version: CONTRACT_VERSION, manifest, summary })
        }
        Format::Table | Format::Markdown => {
            output::print(args.output.format, &tables::of(summary), &result.document())
        }
    }
}

fn closing_words(args: &RunArgs, result: &RunResult, kept: Option<(&Path, bool)>, line: &Line) {
    for violation in result.violations() {
        eprintln!("property failed: {}", violation.text);
    }
    if args.output.quiet {
        return;
    }
    for loss in &result.summary.accepted_losses {
        eprintln!("note: {}", loss.text);
    }
    let digest = &result.manifest.digest;
    let cells: u64 = result.summary.links.iter().map(|l| l.data_packets + l.control_packets).sum();
    let seconds = line.elapsed().as_secs_f64();
    eprintln!(
        "{} simulated in {seconds:.2} s ({cells} {}-hops), digest {digest}",
        Picos(result.end.0),
        result.summary.counted_in.one()
    );
    if let Some((kept, is_again)) = kept {
        let what = match (result.complete, is_again) {
            (true, false) => "Results",
            (true, true) => SAME_RESULTS,
            (false, _) => "Interrupted: the results so far",
        };
        eprintln!("{what}: {0}/report.html and {0}/*.parquet", kept.display());
    } else if !result.complete {
        eprintln!("Interrupted.");
    }
}
