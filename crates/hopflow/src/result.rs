//! Result of a run: its counters, its recording and its manifest.

use hopflow_network::{RunCounters, TraceRow};
use hopflow_record::{Series, Summary, Violation};
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::CONTRACT_VERSION;
use crate::manifest::Manifest;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The results after the warm-up, with names and units.
    pub summary: Summary,
    /// The series that the scenario's `[record]` names.
    pub series: Vec<Series>,
    /// The rows of the trace that the scenario's `[record]` names, in order; empty unless
    /// [`RunOptions::keep_trace`](crate::RunOptions::keep_trace).
    pub trace: Vec<TraceRow>,
    /// The counters of the whole run; VCs only with
    /// [`RunOptions::keep_vcs`](crate::RunOptions::keep_vcs).
    pub counters: RunCounters,
    /// The counters after the warm-up: counts, spans and integrals of `[from, end)`; VCs only with
    /// [`RunOptions::keep_vcs`](crate::RunOptions::keep_vcs).
    pub measured: RunCounters,
    /// The end of the warm-up; 0 if an interrupted run did not reach it.
    pub from: SimTime,
    /// One number for the whole run.
    pub digest: u64,
    /// Whether the run reached its duration; else the results cover the part up to `end`.
    pub complete: bool,
    /// The run covers `[0, end)`.
    pub end: SimTime,
    /// The description of the run.
    pub manifest: Manifest,
}

impl RunResult {
    /// Violations of properties that hold in every correct run. Should be empty.
    pub fn violations(&self) -> &[Violation] {
        &self.summary.violations
    }

    /// Version, manifest and summary: the output of `run --format json`, if the summary has all
    /// rows ([`Rows::of_summary`](crate::Rows::of_summary) adds them).
    pub fn document(&self) -> ResultDocument<'_> {
        ResultDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            summary: &self.summary,
        }
    }
}

/// The results of a run as one JSON object, see `docs/results.md`. `S` is a [`Summary`].
#[derive(Clone, Copy, Debug, Serialize, Shaped)]
#[shape(name = "RunDocument")]
pub struct ResultDocument<'a, S = Summary> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// The description of the run.
    pub manifest: &'a Manifest,
    /// The results; their keys are on the level of the other two.
    #[serde(flatten)]
    pub summary: &'a S,
}
