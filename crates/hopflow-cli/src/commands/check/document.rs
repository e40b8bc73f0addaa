//! What `check --format json` prints; the keys are in `docs/results.md`.

use std::path::{Path, PathBuf};

use hopflow::CONTRACT_VERSION;
use hopflow::network::Limit;
use hopflow::record::direction_names;
use hopflow::record::wire::{integer, optional_integer};
use hopflow::{Grade, SlowHost, memory_estimate, slow_hosts};
use hopflow_scenario::{
    AS_IS, ControlError, Diagnostic, Diagnostics, Scenario, ScenarioFile, Severity, line_column,
};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::grader::Grader;
use crate::args::SetArgs;
use crate::diagnose;
use crate::fail::Fail;

/// All files that were checked.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "CheckDocument")]
pub(crate) struct Document {
    /// The version of this contract.
    version: u32,
    /// Whether all files are fine.
    pub(super) fine: bool,
    files: Vec<FileDocument>,
}

/// One file.
#[derive(Debug, Default, Serialize, Shaped)]
#[shape(name = "CheckedFile")]
struct FileDocument {
    file: String,
    fine: bool,
    nodes: Option<usize>,
    links: Option<usize>,
    vcs: Option<usize>,
    #[serde(with = "optional_integer")]
    memory_bytes: Option<u64>,
    routing: Option<Routes>,
    /// VCs whose sources begin at random within a packet gap after their start.
    vcs_with_phases: Option<usize>,
    slow_hosts: Vec<Slow>,
    variants: Vec<String>,
    /// Its grade as an answer to an exercise, with `--answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Grade>,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    /// The number of findings that are in neither list, because there are too many.
    #[serde(with = "integer")]
    left_out: u64,
}

/// How routes were chosen where several paths are equal.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "CheckedRoutes")]
struct Routes {
    kind: &'static str,
    /// Of the choice under `ecmp`, as a string of decimal digits.
    seed: String,
    /// Whether `route-seed` holds the routes.
    pinned: bool,
    vcs_with_equal_paths: usize,
    hottest: Option<Hottest>,
}

/// The link that flows with equal paths load most.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "HottestLink")]
struct Hottest {
    link: String,
    vcs: Vec<String>,
    /// The load that they offer, as a part of its rate.
    load: f64,
    /// The greatest such part of any link if all flows split evenly over equal paths.
    even_load: f64,
}

impl Routes {
    fn of(scenario: &Scenario) -> Routes {
        let (network, routing) = (&scenario.network, &scenario.routing);
        let hottest = routing.hottest.as_ref().map(|hottest| Hottest {
            link: direction_names(network)[hottest.direction.0].clone(),
            vcs: hottest.vcs.iter().map(|vc| network.vcs[*vc].name.clone()).collect(),
            load: hottest.load,
            even_load: hottest.even_load,
        });
        Routes {
            kind: routing.kind.word(),
            seed: routing.seed.to_string(),
            pinned: routing.pinned,
            vcs_with_equal_paths: routing.equal.len(),
            hottest,
        }
    }
}

/// A host that takes less than its link brings, or stops.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "SlowHost")]
struct Slow {
    host: String,
    #[serde(with = "integer")]
    drain_bps: u64,
    #[serde(with = "integer")]
    link_bps: u64,
    /// `null`: no limit.
    receive_buffer_packets: Option<u32>,
    /// The limit, if it is in bytes.
    #[serde(with = "optional_integer", skip_serializing_if = "Option::is_none")]
    receive_buffer_bytes: Option<u64>,
    stalls: usize,
    /// All stops together.
    #[serde(with = "integer")]
    stalled_ps: u64,
}

impl Slow {
    fn of(host: SlowHost) -> Slow {
        Slow {
            host: host.name,
            drain_bps: host.drain.bps(),
            link_bps: host.link.bps(),
            receive_buffer_packets: host.buffer.and_then(Limit::packets).map(|room| room.0),
            receive_buffer_bytes: host.buffer.and_then(Limit::bytes).map(|room| room.0),
            stalls: host.stalls,
            stalled_ps: host.stalled.0,
        }
    }
}

/// One error or warning.
#[derive(Debug, PartialEq, Serialize, Shaped)]
struct Finding {
    code: String,
    message: String,
    hint: Option<String>,
    /// The variant under which it is found.
    control: Option<String>,
    /// The `--set` that the places are in, if it is not the file.
    setting: Option<String>,
    /// The number of other findings of the same mistake, which are not listed.
    #[serde(with = "integer")]
    more: u64,
    /// Whether `more` is the least number of them.
    more_at_least: bool,
    places: Vec<Place>,
}

/// A place in the text of the file; lines and columns from 1, columns in characters.
#[derive(Debug, PartialEq, Serialize, Shaped)]
#[shape(name = "FindingPlace")]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: String,
}

/// Checks all files, and grades them if there is a grader.
pub(super) fn of(
    files: &[PathBuf],
    settings: &SetArgs,
    grader: Option<&Grader>,
) -> Result<Document, Fail> {
    let files = files.iter().map(|path| FileDocument::of(path, settings, grader));
    let files: Vec<FileDocument> = files.collect::<Result<_, _>>()?;
    Ok(Document { version: CONTRACT_VERSION, fine: files.iter().all(|file| file.fine), files })
}

impl Document {
    /// Whether all answers that were graded are right.
    pub(super) fn is_right(&self) -> bool {
        self.files.iter().flat_map(|file| &file.answer).all(|grade| grade.right)
    }
}

impl FileDocument {
    fn of(path: &Path, settings: &SetArgs, grader: Option<&Grader>) -> Result<FileDocument, Fail> {
        let name = path.display().to_string();
        let mut document = FileDocument { file: name, fine: true, ..FileDocument::default() };
        match diagnose::read_file(path, settings) {
            Ok(file) => document.check(&file, grader)?,
            Err(wrong) => document.refuse(&wrong, AS_IS),
        }
        Ok(document)
    }

    /// Checks the file as it stands and under its variants.
    fn check(&mut self, file: &ScenarioFile, grader: Option<&Grader>) -> Result<(), Fail> {
        let Some(scenario) = self.under(file, AS_IS) else { return Ok(()) };
        for variant in &scenario.variants {
            self.under(file, &variant.name);
            self.variants.push(variant.name.clone());
        }
        if self.fine {
            let network = &scenario.network;
            self.nodes = Some(network.nodes.len());
            self.links = Some(network.links.len());
            self.vcs = Some(network.vcs.len());
            self.routing = Some(Routes::of(&scenario));
            self.vcs_with_phases = Some(scenario.phased.len());
            self.slow_hosts = slow_hosts(network).into_iter().map(Slow::of).collect();
            self.memory_bytes = Some(memory_estimate(&scenario, false));
        }
        let Some(grader) = grader.filter(|_| self.fine) else { return Ok(()) };
        match grader.grade(file, &scenario)? {
            Ok(grade) => self.answer = Some(grade),
            Err(wrong) => self.refuse(&wrong, AS_IS),
        }
        Ok(())
    }

    fn under(&mut self, file: &ScenarioFile, control: &str) -> Option<Scenario> {
        match file.under(control) {
            Ok(scenario) => {
                let text = file.text_under(control);
                self.note(&scenario.warnings, &text, control);
                Some(scenario)
            }
            Err(ControlError::Wrong(wrong)) => {
                self.refuse(&wrong, control);
                None
            }
            Err(ControlError::Unknown { .. } | ControlError::NotModelled(_)) => {
                unreachable!("a file knows its own variants")
            }
        }
    }

    fn refuse(&mut self, wrong: &Diagnostics, control: &str) {
        self.fine = false;
        self.left_out += wrong.left_out;
        self.note(&wrong.items, &wrong.source, control);
    }

    /// Adds findings. A finding that a variant shares with the file as it stands is listed once.
    fn note(&mut self, items: &[Diagnostic], text: &str, control: &str) {
        for item in items {
            let list = match item.severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
            };
            let mut finding = Finding::of(item, text);
            if control != AS_IS && !list.contains(&finding) {
                finding.control = Some(control.to_owned());
            }
            if !list.contains(&finding) {
                list.push(finding);
            }
        }
    }
}

impl Finding {
    fn of(item: &Diagnostic, text: &str) -> Finding {
        let text = item.setting.as_deref().unwrap_or(text);
        let place = |label: &hopflow_scenario::Label| {
            let (line, column) = line_column(text, label.span.start);
            let (end_line, end_column) = line_column(text, label.span.end);
            Place { line, column, end_line, end_column, text: label.text.clone() }
        };
        // A file that cannot be read has no text to point into.
        let labels = item.labels.iter().filter(|_| !text.is_empty());
        Finding {
            code: item.code.to_string(),
            message: item.message.clone(),
            hint: item.hint.clone(),
            control: None,
            setting: item.setting.clone(),
            more: item.more,
            more_at_least: item.more_at_least,
            places: labels.map(place).collect(),
        }
    }
}
