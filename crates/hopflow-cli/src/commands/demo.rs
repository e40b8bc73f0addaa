//! `hopflow demo`: a victim flow beside an incast under drop tail, PFC and credit per VC.
//!
//! The scenario is `examples/victim.toml`; its comments derive the sizes. It is run as `compare`
//! runs it, and every sentence follows from what was measured.

mod row;
mod spark;

use std::path::{Path, PathBuf};

use hopflow::CONTRACT_VERSION;
use hopflow::compare::{Comparison, Contender, compare};
use hopflow_bundle::Demo;
use hopflow_scenario::{AS_IS, ScenarioFile};
use hopflow_units::Picos;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::place::Runs;
use crate::args::{Format, OutputArgs};
use crate::fail::Fail;
use crate::output::{Columns, Table, cell};
use crate::{Outcome, diagnose, output};
use row::Row;

/// The scenario, so that the demo needs no file.
const SCENARIO: &str = include_str!("../../../../examples/victim.toml");
/// Its name in messages.
const NAME: &str = "examples/victim.toml";
/// What is compared: the control, and what the row is called.
const CONTROLS: [(&str, &str); 3] =
    [(AS_IS, "drop tail"), ("pfc", "PFC"), ("credit", "credit per VC")];
/// The demo as bundles know it.
pub(crate) const DEMO: Demo = Demo { scenario: SCENARIO, controls: &CONTROLS };

pub(crate) fn demo(args: &OutputArgs) -> Outcome {
    let file = ScenarioFile::new(SCENARIO, NAME);
    let contenders = contenders(&file)?;
    let mut runs = Runs::begin(args, "demo".to_owned(), SCENARIO)?;
    let progress = runs.line.for_many();
    let result = compare(contenders, &runs.options, runs.threads, Some(&progress));
    let result = result.map_err(Fail::input)?;
    runs.line.end();
    if !result.complete {
        eprintln!("Interrupted.");
        return Err(Fail::Interrupted);
    }
    let (done, digest) = (result.runs.len(), &result.manifest.digest);
    let kept = runs.keep(done, digest, &result)?;
    let rows = result.runs.iter().zip(CONTROLS);
    let (beside, _) = result.beside.as_ref().expect("the scenario has a victim beside an incast");
    let rows: Vec<Row> = rows.map(|(run, (_, label))| Row::of(beside, run, label)).collect();
    print(args, &rows, &result, kept.as_deref())?;
    if !args.quiet {
        closing_words(kept.as_deref(), runs.line.elapsed().as_secs_f64());
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

/// What `demo --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct DemoDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The name of the scenario.
    scenario: &'static str,
    /// The common digest of all runs.
    digest: &'a str,
    /// The page; `null` without a directory.
    report: Option<String>,
    /// One for each control.
    controls: &'a [Row],
}

fn print(args: &OutputArgs, rows: &[Row], result: &Comparison, kept: Option<&Path>) -> Outcome {
    match args.format {
        Format::Table => {
            let duration = result.manifest.duration_ps;
            output::write(&screen(rows, Picos(duration), output::terminal_width()))
        }
        format => {
            let report = kept.map(|kept| kept.join("report.html").display().to_string());
            let document = DemoDocument {
                version: CONTRACT_VERSION,
                scenario: NAME,
                digest: &result.manifest.digest,
                report,
                controls: rows,
            };
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
    let columns: Columns<Row> = &[
        ("control", |row| row.label.to_owned()),
        ("#victim_bps", |row| cell(row.victim_bps)),
        ("#fair_bps", |row| cell(row.fair_bps)),
        ("#fair_share", |row| cell(row.fair_share)),
        ("#victim_lost_share", |row| cell(row.victim_lost_share)),
        ("#incast_lost_share", |row| cell(row.incast_lost_share)),
        ("#victim_delay_max_ps", |row| cell(row.victim_delay_max_ps)),
        ("sentence", |row| row.sentence.clone()),
    ];
    Table::of(columns, rows)
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
