//! `hopflow demo`: a victim flow beside an incast under drop tail, PFC and credit per VC.
//!
//! The scenario is `examples/victim.toml`; its comments derive the sizes. It is run as `compare`
//! runs it, and every sentence follows from what was measured.

mod row;
mod spark;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hopflow::CONTRACT_VERSION;
use hopflow::RunOptions;
use hopflow::compare::{Comparison, Contender, compare};
use hopflow_export::write_comparison;
use hopflow_scenario::{AS_IS, ScenarioFile};
use hopflow_units::Picos;
use serde_json::json;

use super::place;
use crate::args::{DemoArgs, Format, threads_or_all};
use crate::fail::Fail;
use crate::output::Table;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, output};
use row::Row;

/// The scenario, so that the demo needs no file.
const SCENARIO: &str = include_str!("../../../../examples/victim.toml");
/// Its name in messages.
const NAME: &str = "examples/victim.toml";
/// What is compared: the control, and what the row is called.
const CONTROLS: [(&str, &str); 3] =
    [(AS_IS, "drop tail"), ("pfc", "PFC"), ("credit", "credit per VC")];

pub(crate) fn demo(args: &DemoArgs) -> Outcome {
    let file = ScenarioFile::new(SCENARIO, NAME);
    let contenders = contenders(&file)?;
    let network = contenders[0].scenario.network.clone();
    let begin = || place::begin(args.out.as_deref(), args.force, "demo", SCENARIO);
    let directory = if args.no_directory { None } else { Some(begin()?) };
    let line = Line::new(args.quiet, 1000);
    let cancel = cancel_on_interrupt();
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let threads = threads_or_all(args.threads);
    let result = compare(contenders, &options, threads, Some(&line.for_many()));
    let result = result.map_err(Fail::input)?;
    line.end();
    if !result.complete {
        eprintln!("Interrupted.");
        return Err(Fail::Interrupted);
    }
    let target = place::settled(args.out.as_deref(), "demo", result.manifest.digest8());
    let kept = directory.map(|directory| write_comparison(directory, &target, &result));
    let kept = kept.transpose().map_err(|error| Fail::Unwritten(error.to_string()))?;
    let rows = result.runs.iter().zip(CONTROLS);
    let rows: Vec<Row> = rows.map(|(run, (_, label))| Row::of(&network, run, label)).collect();
    print(args, &rows, &result, kept.as_deref())?;
    if !args.quiet {
        closing_words(kept.as_deref(), line.elapsed().as_secs_f64());
    }
    Ok(())
}

fn contenders(file: &ScenarioFile) -> Result<Vec<Contender>, Fail> {
    let one = |(control, label): (&str, &str)| {
        let scenario = diagnose::under(file, control)?;
        Ok(Contender { name: control.to_owned(), title: Some(label.to_owned()), scenario })
    };
    CONTROLS.into_iter().map(one).collect()
}

fn print(args: &DemoArgs, rows: &[Row], result: &Comparison, kept: Option<&Path>) -> Outcome {
    match args.format {
        Format::Table => {
            let duration = result.manifest.duration_ps;
            output::write(&screen(rows, Picos(duration), output::terminal_width()))
        }
        format => {
            let report = kept.map(|kept| kept.join("report.html").display().to_string());
            let document = json!({
                "version": CONTRACT_VERSION, "scenario": NAME, "digest": result.manifest.digest,
                "report": report, "controls": rows,
            });
            output::print(format, &[("", table(rows))], &document)
        }
    }
}

/// Three rows for a terminal of `width` columns: a sparkline, numbers and a sentence each.
fn screen(rows: &[Row], duration: Picos, width: usize) -> String {
    let width = width.min(100);
    let label = rows.iter().map(|row| row.label.len()).max().unwrap_or(0) + 2;
    let full = rows.first().map_or(0.0, |row| row.line_bps);
    let head = format!(
        "One victim flow beside an incast, under {} controls: the same traffic, the same memory. \
         Each line shows the victim's rate over {duration}; a full block is {}.",
        rows.len(),
        output::rate(full),
    );
    let mut text = output::wrapped(&head, width, 0);
    text.push('\n');
    for row in rows {
        let line = spark::line(&row.curve, row.line_bps, width - label);
        text.push_str(&[format!("\n{:label$}", row.label), line].concat());
        text.push('\n');
        text.push_str(&output::wrapped(&row.numbers(), width, 2));
        text.push('\n');
        text.push_str(&output::wrapped(&row.sentence, width, 2));
        text.push('\n');
    }
    text
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "control",
        "#victim_bps",
        "#fair_bps",
        "#fair_share",
        "#victim_lost_share",
        "#incast_lost_share",
        "#victim_delay_max_ps",
        "sentence",
    ]);
    for row in rows {
        let shares = [row.fair_share, row.victim_lost_share, row.incast_lost_share];
        let [fair_share, victim_lost, incast_lost] = shares.map(|share| share.to_string());
        table.row(vec![
            row.label.to_owned(),
            row.victim_bps.to_string(),
            row.fair_bps.to_string(),
            fair_share,
            victim_lost,
            incast_lost,
            row.victim_delay_max_ps.to_string(),
            row.sentence.clone(),
        ]);
    }
    table
}

fn closing_words(kept: Option<&Path>, seconds: f64) {
    eprintln!("\nThree runs and a report in {seconds:.1} s.");
    let Some(kept) = kept else {
        eprintln!("Next: hopflow init my.toml");
        return;
    };
    let page: PathBuf = kept.join("report.html");
    eprintln!("Open: {}", page.display());
    let file = kept.join("scenario.toml");
    eprintln!("Next: hopflow why {} --control pfc --vc victim", file.display());
}

#[cfg(test)]
mod tests;
