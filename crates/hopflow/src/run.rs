//! Run: from a described network to its results, with progress and a way to stop early.
//!
//! A run is a [`Session`] that is driven to its end. Trace rows go to the recorder and to the
//! taker of rows slice by slice, so they never pile up. How long a slice is follows
//! from the number of rows before (see `slice.rs`). Where nobody but the taker wants the rows it
//! gets them as nodes made them, so that it may put several slices in order at a time.
//!
//! A warm-up is a first part of the run that the summary leaves out. Digest, conservation, trace
//! and series are of the whole run, and are the same with and without a warm-up.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow_control::external::Fault;
use hopflow_network::{NetworkSpec, RowOrder, RunCounters, TraceRow};
use hopflow_record::{RecordSpec, Series, Summary, Violation};
use hopflow_scenario::{Diagnostics, Routing, Scenario};
use hopflow_units::{Picos, SimTime};
use serde::Serialize;
use thiserror::Error;

use crate::CONTRACT_VERSION;
use crate::manifest::Manifest;
use crate::row_slice::RowSlice;
use crate::rows::Rows;
use crate::session::{Rest, Session};

/// Which engine runs. Both give the same results, to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// Every node alone for a window, on any number of threads: the engine for use.
    #[default]
    Windowed,
    /// One heap of events on one thread: slow, and what the other is held against.
    Reference,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Everything before this instant is simulated.
    pub now: SimTime,
    /// The end of the run.
    pub end: SimTime,
    /// Cells of all kinds started so far, on all links.
    pub started_packets: u64,
}

impl Progress {
    /// The part that is done, 0 to 1, in simulated time.
    pub fn share(&self) -> f64 {
        if self.end.0 == 0 { 1.0 } else { self.now.0 as f64 / self.end.0 as f64 }
    }
}

/// Called about ten times a second while a run goes on, and once at its end.
pub type ProgressCallback = Arc<dyn Fn(Progress) + Send + Sync>;

/// How a run is made. Nothing here changes a result but `seed`, `duration` and `warm_up`.
#[derive(Clone)]
pub struct RunOptions {
    /// Which engine.
    pub engine: EngineKind,
    /// Threads inside the run. Where somebody takes slices of a trace, half of them are left to
    /// that, rounded up.
    pub threads: NonZeroUsize,
    /// Instead of the scenario's seed.
    pub seed: Option<u64>,
    /// Instead of the scenario's duration. Not zero.
    pub duration: Option<Picos>,
    /// What the summary leaves out, from instant 0 on, instead of the scenario's warm-up. Less
    /// than the duration.
    pub warm_up: Option<Picos>,
    /// Keep the rows of the trace that the scenario asks for in [`RunResult::trace`].
    pub keep_trace: bool,
    /// Keep the rows and counters of every VC in [`RunResult`]. Else its summary has at most
    /// [`hopflow_record::WORST`] rows of each list, its counters have no VC, and [`Rows`] has all
    /// rows.
    pub keep_vcs: bool,
    /// Put the scenario as it was run into the manifest ([`Manifest::scenario`]), which JSON and
    /// directories of results have.
    pub describe: bool,
    /// Told how far the run is.
    pub progress: Option<ProgressCallback>,
    /// Once true, the run stops after the step at hand (about a tenth of a second).
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            engine: EngineKind::default(),
            threads: NonZeroUsize::MIN,
            seed: None,
            duration: None,
            warm_up: None,
            keep_trace: false,
            keep_vcs: true,
            describe: true,
            progress: None,
            cancel: None,
        }
    }
}

impl fmt::Debug for RunOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("engine", &self.engine)
            .field("threads", &self.threads)
            .field("seed", &self.seed)
            .field("duration", &self.duration)
            .field("warm_up", &self.warm_up)
            .field("keep_trace", &self.keep_trace)
            .field("keep_vcs", &self.keep_vcs)
            .field("describe", &self.describe)
            .finish_non_exhaustive()
    }
}

/// Why a run could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// The duration is zero.
    #[error("a run lasts longer than 0 ps: give a duration above zero")]
    NoDuration,
    /// The warm-up leaves nothing to measure.
    #[error(
        "a warm-up of {warm_up} leaves nothing of a run of {duration}: give a shorter warm-up, or \
         a longer duration"
    )]
    OnlyWarmUp {
        /// What was to be left out.
        warm_up: Picos,
        /// The whole run.
        duration: Picos,
    },
    /// On the routes of another seed the scenario is wrong, or cannot be read anew.
    #[error("on the routes of this seed: {0}")]
    Routes(Box<Diagnostics>),
    /// An external machine failed.
    #[error(transparent)]
    Machine(Box<Fault>),
}

/// All that a run gave.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// What was counted after the warm-up, in names and units.
    pub summary: Summary,
    /// What the scenario's `[record]` names.
    pub series: Vec<Series>,
    /// The rows of the trace that the scenario's `[record]` names, in order; empty unless
    /// [`RunOptions::keep_trace`].
    pub trace: Vec<TraceRow>,
    /// What was counted in the whole run, bare; VCs only with [`RunOptions::keep_vcs`].
    pub counters: RunCounters,
    /// What was counted after the warm-up, bare: counts, spans and integrals of `[from, end)`; VCs
    /// only with [`RunOptions::keep_vcs`].
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
    /// all rows ([`Rows::of_summary`] adds them).
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

/// Runs a scenario.
pub fn run(scenario: &Scenario, options: &RunOptions) -> Result<RunResult, RunError> {
    run_with_rows(scenario, options, &mut |_| ())
}

/// Runs a scenario; `rows` gets the rows of the trace that its `[record]` names, in order, slice
/// by slice.
pub fn run_with_rows(
    scenario: &Scenario,
    options: &RunOptions,
    rows: &mut dyn FnMut(&[TraceRow]),
) -> Result<RunResult, RunError> {
    run_with(scenario, options, &mut OnlyRows(rows))
}

/// Takes in what a run may make too much of to keep.
pub trait Taker {
    /// Rows of the trace that the scenario's `[record]` names, in order, slice by slice.
    fn rows(&mut self, rows: &[TraceRow]);

    /// The same rows, not yet in order, as a slice that may go to another thread.
    fn slice(&mut self, slice: RowSlice) {
        RowOrder::default().each_block(&slice, &mut |rows| self.rows(rows));
    }

    /// How many slices it can use at once: the run waits for one of them to come back.
    fn slices(&self) -> usize {
        3
    }
}

/// Takes rows.
struct OnlyRows<'a>(&'a mut dyn FnMut(&[TraceRow]));

impl Taker for OnlyRows<'_> {
    fn rows(&mut self, rows: &[TraceRow]) {
        (self.0)(rows);
    }
}

/// Runs a scenario, with `taker` for what may be too much to keep.
pub fn run_with(
    scenario: &Scenario,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<RunResult, RunError> {
    Ok(run_to_rows(scenario, options, taker)?.0)
}

/// The same, with all rows of VCs and queues, to be read from where they are counted.
pub fn run_to_rows(
    scenario: &Scenario,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::begin(scenario, options, Rest::Overlaps)?;
    session.drive(options, taker);
    session.finished()
}

/// The scenario with the routes and phases of the seed that it is run with.
pub(crate) fn routed<'s>(
    scenario: &'s Scenario,
    options: &RunOptions,
) -> Result<Cow<'s, Scenario>, RunError> {
    let seed = options.seed.unwrap_or(scenario.network.seed);
    let follows = scenario.routing.follows_seed() && scenario.routing.seed != seed;
    let draws = !scenario.phased.is_empty() && scenario.network.seed != seed;
    if !follows && !draws {
        return Ok(Cow::Borrowed(scenario));
    }
    let other = scenario.with_seed(seed).map_err(|wrong| RunError::Routes(Box::new(wrong)))?;
    Ok(Cow::Owned(other))
}

/// Puts the seed and the duration of `options` in place of the network's own.
pub(crate) fn overridden(network: &mut NetworkSpec, options: &RunOptions) {
    network.seed = options.seed.unwrap_or(network.seed);
    network.duration = options.duration.unwrap_or(network.duration);
}

/// Runs `network` and keeps what `record` names. `rows` gets the rows of the trace that
/// `record` names, in order, slice by slice. Without [`RunOptions::warm_up`] there is none.
pub fn run_network(
    network: &NetworkSpec,
    record: &RecordSpec,
    options: &RunOptions,
    rows: &mut dyn FnMut(&[TraceRow]),
) -> Result<RunResult, RunError> {
    Ok(simulate(network, None, record, options, &mut OnlyRows(rows))?.0)
}

/// As [`run_network`], with all rows.
pub(crate) fn simulate(
    network: &NetworkSpec,
    routing: Option<&Routing>,
    record: &RecordSpec,
    options: &RunOptions,
    taker: &mut dyn Taker,
) -> Result<(RunResult, Rows), RunError> {
    let mut session = Session::of_network(network, routing, record, options, Rest::Overlaps)?;
    session.drive(options, taker);
    session.finished()
}

#[cfg(test)]
mod tests;
