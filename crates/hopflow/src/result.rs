//! Result of a run: what was counted and recorded, of what.

use hopflow_network::{RunCounters, TraceRow};
use hopflow_record::{Series, Summary, Violation};
use hopflow_units::SimTime;
use serde::Serialize;

use crate::CONTRACT_VERSION;
use crate::manifest::Manifest;

/// All that a run gave.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// What was counted after the warm-up, in names and units.
    pub summary: Summary,
    /// What the scenario's `[record]` names.
    pub series: Vec<Series>,
    /// The rows of the trace that the scenario's `[record]` names, in order; empty unless
    /// [`RunOptions::keep_trace`](crate::RunOptions::keep_trace).
    pub trace: Vec<TraceRow>,
    /// What was counted in the whole run, bare; VCs only with
    /// [`RunOptions::keep_vcs`](crate::RunOptions::keep_vcs).
    pub counters: RunCounters,
    /// What was counted after the warm-up, bare: counts, spans and integrals of `[from, end)`; VCs
    /// only with
    /// [`RunOptions::keep_vcs`](crate::RunOptions::keep_vcs).
    pub measured: RunCounters,
    /// The end of the warm-up. An interrupted run that did not get so far has none.
    pub from: SimTime,
    /// One number for the whole run.
    pub digest: u64,
    /// Whether the run reached its duration; else everything up to `end` is here.
    pub complete: bool,
    /// The run covers `[0, end)`.
    pub end: SimTime,
    /// What was run.
    pub manifest: Manifest,
}

impl RunResult {
    /// Properties that every run must keep and this one did not. Empty is good.
    pub fn violations(&self) -> &[Violation] {
        &self.summary.violations
    }

    /// Version, manifest, then the summary: what `run --format json` prints, if the summary has
    /// all rows ([`Rows::of_summary`](crate::Rows::of_summary) adds them).
    pub fn document(&self) -> ResultDocument<'_> {
        ResultDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            summary: &self.summary,
        }
    }

    /// The series of this name, such as `queue of VC1 at S`.
    pub fn series_named(&self, name: &str) -> Option<&Series> {
        self.series.iter().find(|series| series.name == name)
    }
}

/// The results of a run as one JSON object, see `docs/results.md`. `S` is a [`Summary`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ResultDocument<'a, S = Summary> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// What was run.
    pub manifest: &'a Manifest,
    /// What was counted; its keys stand beside the other two.
    #[serde(flatten)]
    pub summary: &'a S,
}
