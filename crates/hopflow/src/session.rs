//! Session: a run that advances step by step, as far as its holder requests.
//!
//! ```text
//! Session::new --> step(t1) --> step(t2) --> ... --> finish --> RunResult
//!                    |            |
//!                  rows         rows      of the trace, since the step before
//! ```
//! A page that animates a run, a notebook that shows progress, and [`run`](crate::run()) itself
//! hold one. Between two steps the holder may do anything, and may stop: `finish` returns the
//! result of the simulated part. The ends of steps do not affect digest, counters, series and rows.

mod drive;

use hopflow_control::external::Fault;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, RowOrder, RowRuns, RunCounters, TraceFilter, TraceRow};
use hopflow_record::{Keep, RecordSpec, Recorder};
use hopflow_scenario::{Routing, Scenario};
use hopflow_units::{Picos, SimTime};

use crate::manifest::{Manifest, Resolved};
use crate::options::{overridden, routed};
use crate::row_slice::RowSlice;
use crate::rows::Rows;
use crate::slice::{Slices, Steps};
use crate::{EngineKind, Progress, RowSink, RunError, RunOptions, RunResult};

/// A run in progress.
///
/// ```no_run
/// use hopflow::units::Picos;
/// use hopflow::{RunOptions, Session, load};
///
/// let scenario = load("three-vcs.toml".as_ref())?;
/// let mut session = Session::new(&scenario, &RunOptions::default())?;
/// while !session.is_over() {
///     let until = session.now().saturating_add(Picos(1_000_000_000));
///     session.step(until, &mut |rows| println!("{} rows", rows.len()));
/// }
/// let (result, _) = session.finish();
/// println!("{:016x}", result.digest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    network: NetworkSpec,
    routing: Option<Routing>,
    title: Option<String>,
    described: Option<Resolved>,
    keep: Keep,
    forward: Forward,
    intake: Intake,
    slices: Slices,
    steps: Steps,
    runs: RowRuns,
}

/// The use of the threads without engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Rows may be sorted and written while the engine runs: half of the threads are reserved for
    /// this.
    Overlaps,
    /// The holder waits for each step.
    Waits,
}

impl Session {
    /// A run of `scenario` at instant 0. [`RunOptions::progress`] and [`RunOptions::cancel`] are
    /// not used: the holder has [`Session::progress`], and stops by making no further step.
    pub fn new(scenario: &Scenario, options: &RunOptions) -> Result<Session, RunError> {
        Session::begin(scenario, options, Rest::Waits)
    }

    pub(crate) fn begin(
        scenario: &Scenario,
        options: &RunOptions,
        rest: Rest,
    ) -> Result<Session, RunError> {
        Session::recording(scenario, &scenario.record, options, rest)
    }

    /// Like [`Session::begin`], but keeps what `record` names in place of the scenario's own.
    pub(crate) fn recording(
        scenario: &Scenario,
        record: &RecordSpec,
        options: &RunOptions,
        rest: Rest,
    ) -> Result<Session, RunError> {
        let warm_up = Some(options.warm_up.unwrap_or(scenario.warm_up));
        let options = &RunOptions { warm_up, ..options.clone() };
        let scenario = &*routed(scenario, options)?;
        let (network, routing) = (&scenario.network, Some(&scenario.routing));
        let mut session = Session::of_network(network, routing, record, options, rest)?;
        session.title.clone_from(&scenario.title);
        if options.describe {
            let mut scenario = scenario.clone();
            scenario.warm_up = options.warm_up.unwrap_or_default();
            overridden(&mut scenario.network, options);
            session.described = Some(Resolved::new(scenario));
        }
        Ok(session)
    }

    pub(crate) fn of_network(
        network: &NetworkSpec,
        routing: Option<&Routing>,
        record: &RecordSpec,
        options: &RunOptions,
        rest: Rest,
    ) -> Result<Session, RunError> {
        let mut network = network.clone();
        overridden(&mut network, options);
        if network.duration == Picos::ZERO {
            return Err(RunError::NoDuration);
        }
        let warm_up = SimTime(options.warm_up.unwrap_or_default().0);
        let end = SimTime(network.duration.0);
        if warm_up >= end {
            let (warm_up, duration) = (Picos(warm_up.0), network.duration);
            return Err(RunError::OnlyWarmUp { warm_up, duration });
        }
        let intake = Intake::new(&network, record, options.keep_trace);
        let filter = intake.recorder.filter().clone();
        let halves = rest == Rest::Overlaps && intake.makes_rows() && intake.passes_on;
        let engine = new_engine(&network, filter, options, halves);
        Ok(Session {
            routing: routing.cloned(),
            title: None,
            described: None,
            keep: if options.keep_vcs { Keep::All } else { Keep::Worst },
            steps: Steps::new(&network, &*engine),
            forward: Forward { engine, before: None, warm_up, now: SimTime::ZERO, end },
            intake,
            slices: Slices::new(&network),
            runs: RowRuns::default(),
            network,
        })
    }

    /// The network of the run: that of the scenario with the seed and the duration of the options.
    pub fn network(&self) -> &NetworkSpec {
        &self.network
    }

    /// The instant up to which the run is simulated.
    pub fn now(&self) -> SimTime {
        self.forward.now
    }

    /// The end of the run.
    pub fn end(&self) -> SimTime {
        self.forward.end
    }

    /// Whether the whole run is simulated.
    pub fn is_over(&self) -> bool {
        self.now() == self.end()
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        self.forward.progress()
    }

    /// Simulates up to `until`, or to the end of the run if that is earlier. An instant that is not
    /// later than [`Session::now`] has no effect. `rows` gets the rows of the trace that the
    /// scenario's `[record]` names, in order; their slices depend on the rows and the steps alone.
    pub fn step(&mut self, until: SimTime, rows: &mut dyn FnMut(&[TraceRow])) {
        let until = until.min(self.end());
        while self.now() < until {
            let makes_rows = self.intake.makes_rows();
            let span = if makes_rows { self.slices.span() } else { Picos(until.0) };
            let slice = self.now().saturating_add(span).min(until);
            self.forward.run_until(slice);
            self.forward.engine.collect_trace(&mut self.runs);
            self.slices.adapt(self.runs.len());
            self.intake.take(&self.runs, rows);
            self.runs.clear();
        }
    }

    /// The reason why the run has no result, if an external machine has failed: later steps, and
    /// the result of [`Session::finish`], are meaningless.
    pub fn fault(&self) -> Option<Fault> {
        self.forward.engine.fault()
    }

    /// The result, unless an external machine has failed.
    pub(crate) fn finished(self) -> Result<(RunResult, Rows), RunError> {
        match self.fault() {
            Some(fault) => Err(RunError::Machine(Box::new(fault))),
            None => Ok(self.finish()),
        }
    }

    /// Like [`Session::step`], up to an instant that the session chooses: a step takes some tenth
    /// of a second on a machine of 2026, and its length never follows the clock.
    pub fn advance(&mut self, rows: &mut dyn FnMut(&[TraceRow])) {
        let from = self.now();
        self.step(from.saturating_add(self.steps.span()), rows);
        self.steps.adapt(Picos(self.now().0 - from.0), &*self.forward.engine);
    }

    /// Runs to the end, or until it is cancelled, with `sink` for the rows.
    pub(crate) fn drive(&mut self, options: &RunOptions, sink: &mut dyn RowSink) {
        let slices = self.intake.makes_rows().then(|| sink.slices());
        let intake = &mut self.intake;
        let mut take = |slice: RowSlice| {
            if intake.passes_on {
                return sink.slice(slice);
            }
            intake.take(&slice, &mut |rows| sink.rows(rows));
        };
        drive::drive(&self.network, options, &mut self.forward, slices, &mut take);
    }

    /// The result of the simulated part, and all rows of VCs and queues.
    pub fn finish(self) -> (RunResult, Rows) {
        let Forward { engine, before, now, .. } = self.forward;
        let series = self.intake.recorder.finish(now);
        let rows = Rows::new(self.network, self.routing.as_ref(), before, engine);
        let (mut summary, counters, measured) = rows.summarize(self.keep);
        summary.add_utilization(&series);
        let (from, end, digest) = (SimTime(summary.from_ps), counters.now, rows.digest());
        let network = rows.network();
        let complete = end.0 == network.duration.0;
        let mut manifest = Manifest::new(network, digest, from, end, complete);
        manifest.title = self.title;
        manifest.scenario = self.described;
        let trace = self.intake.kept.kept;
        let result = RunResult {
            summary,
            series,
            trace,
            counters,
            measured,
            from,
            digest,
            complete,
            end,
            manifest,
        };
        (result, rows)
    }
}

/// `halves`: other threads sort and write rows at the same time.
fn new_engine(
    network: &NetworkSpec,
    filter: TraceFilter,
    options: &RunOptions,
    halves: bool,
) -> Box<dyn Engine> {
    // A thread runs whole nodes: more threads than nodes would be idle.
    let threads = options.threads.get().min(network.nodes.len().max(1));
    let threads = if halves { (threads / 2).max(1) } else { threads };
    match options.engine {
        EngineKind::Windowed => Box::new(WindowedEngine::new(network, filter, threads)),
        EngineKind::Reference => Box::new(ReferenceEngine::new(network, filter)),
    }
}

/// The engine, and the instants of the run.
struct Forward {
    engine: Box<dyn Engine>,
    /// Its counters at the end of the warm-up, if there is one and the run has reached it.
    before: Option<RunCounters>,
    warm_up: SimTime,
    now: SimTime,
    end: SimTime,
}

impl Forward {
    /// Simulates up to `until`, at most the end. At the end of the warm-up it reads the counters.
    fn run_until(&mut self, until: SimTime) {
        if self.now < self.warm_up && until >= self.warm_up {
            self.engine.run_until(self.warm_up);
            self.before = Some(self.engine.counters());
            self.engine.restart_statistics();
            self.now = self.warm_up;
        }
        if self.now < until {
            self.engine.run_until(until);
            self.now = until;
        }
    }

    fn progress(&self) -> Progress {
        let started_packets = self.engine.started_packets();
        Progress { now: self.now, end: self.end, started_packets }
    }
}

/// The processing of the rows.
struct Intake {
    recorder: Recorder,
    kept: RowFilter,
    order: RowOrder,
    /// Whether rows are only passed on to the sink.
    passes_on: bool,
}

impl Intake {
    fn new(network: &NetworkSpec, record: &RecordSpec, keep_trace: bool) -> Intake {
        let recorder = Recorder::new(network, record);
        let kept = RowFilter::new(record, recorder.filter(), keep_trace);
        let passes_on = recorder.is_idle() && kept.all && !kept.keep;
        Intake { recorder, kept, order: RowOrder::default(), passes_on }
    }

    /// Whether the engine makes any row.
    fn makes_rows(&self) -> bool {
        !self.recorder.filter().is_none()
    }

    fn take(&mut self, runs: &RowRuns, rows_to: &mut dyn FnMut(&[TraceRow])) {
        let Intake { recorder, kept, order, .. } = self;
        order.each_block(runs, &mut |rows| {
            recorder.take(rows);
            kept.take(rows, rows_to);
        });
    }
}

/// Passes on the requested rows, without those produced only for the series.
struct RowFilter {
    filter: TraceFilter,
    /// Whether every produced row is requested.
    all: bool,
    keep: bool,
    kept: Vec<TraceRow>,
    buffer: Vec<TraceRow>,
}

impl RowFilter {
    fn new(record: &RecordSpec, made: &TraceFilter, keep: bool) -> RowFilter {
        let filter = record.trace.clone();
        let same = |a: &[bool], b: &[bool]| {
            (0..b.len()).all(|i| a.get(i).copied().unwrap_or(false) == b[i])
        };
        let all = filter.part == made.part
            && same(&filter.vcs, &made.vcs)
            && same(&filter.directions, &made.directions);
        RowFilter { filter, all, keep, kept: Vec::new(), buffer: Vec::new() }
    }

    fn take(&mut self, made: &[TraceRow], rows: &mut dyn FnMut(&[TraceRow])) {
        let wanted = if self.all {
            made
        } else if self.filter.is_none() {
            return;
        } else {
            self.buffer.clear();
            let wanted = made.iter().filter(|row| self.filter.keeps_row(row));
            self.buffer.extend(wanted);
            &self.buffer
        };
        if wanted.is_empty() {
            return;
        }
        rows(wanted);
        if self.keep {
            self.kept.extend_from_slice(wanted);
        }
    }
}

#[cfg(test)]
mod tests;
