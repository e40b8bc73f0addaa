//! Options, progress and errors of a run.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow_control::external::Fault;
use hopflow_network::NetworkSpec;
use hopflow_scenario::{Diagnostics, Scenario};
use hopflow_units::{Picos, SimTime};
use thiserror::Error;

/// The engine of a run. Both give the same results, to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// Every node alone for a window, on any number of threads: the engine for use.
    #[default]
    Windowed,
    /// One heap of events on one thread: slow, the reference for the other engine.
    Reference,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The instant up to which the run is simulated.
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

/// Called after steps of a run, at most about ten times a second, and once at its end.
pub type ProgressCallback = Arc<dyn Fn(Progress) + Send + Sync>;

/// The options of a run. Only `seed`, `duration` and `warm_up` affect results.
#[derive(Clone)]
pub struct RunOptions {
    /// The engine.
    pub engine: EngineKind,
    /// Threads of the run. If a sink accepts slices of a trace, half of them, rounded up, are
    /// reserved for it.
    pub threads: NonZeroUsize,
    /// Replaces the scenario's seed.
    pub seed: Option<u64>,
    /// Replaces the scenario's duration. Not zero.
    pub duration: Option<Picos>,
    /// Replaces the scenario's warm-up, which the summary leaves out. Less than the duration.
    pub warm_up: Option<Picos>,
    /// Whether the rows of the trace that the scenario requests are kept in
    /// [`RunResult::trace`](crate::RunResult::trace).
    pub keep_trace: bool,
    /// Whether the rows and counters of every VC are kept in [`RunResult`](crate::RunResult). Else
    /// its summary has at most [`hopflow_record::WORST`] rows of each list, its counters have no
    /// VC, and [`Rows`](crate::Rows) has all rows.
    pub keep_vcs: bool,
    /// Whether the manifest ([`Manifest::scenario`](crate::Manifest::scenario)) contains the
    /// scenario of the run, as in JSON and in directories of results.
    pub describe: bool,
    /// Called with the progress of the run.
    pub progress: Option<ProgressCallback>,
    /// Once true, the run stops after the current step (some tenths of a second at most, in most
    /// networks).
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

/// The reason why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// The duration is zero.
    #[error("a run lasts longer than 0 ps: give a duration above zero")]
    NoDuration,
    /// The warm-up leaves no time to measure.
    #[error(
        "a warm-up of {warm_up} leaves nothing of a run of {duration}: give a shorter warm-up, or \
         a longer duration"
    )]
    OnlyWarmUp {
        /// The warm-up.
        warm_up: Picos,
        /// The whole run.
        duration: Picos,
    },
    /// On the routes of another seed the scenario is wrong, or cannot be read again.
    #[error("on the routes of this seed: {0}")]
    Routes(Box<Diagnostics>),
    /// An external machine failed.
    #[error(transparent)]
    Machine(Box<Fault>),
}

/// The scenario with the routes, phases and calls of the seed of the run.
pub(crate) fn routed<'s>(
    scenario: &'s Scenario,
    options: &RunOptions,
) -> Result<Cow<'s, Scenario>, RunError> {
    let seed = options.seed.unwrap_or(scenario.network.seed);
    let follows = scenario.routing.follows_seed() && scenario.routing.seed != seed;
    let draws = scenario.is_drawn() && scenario.network.seed != seed;
    if !follows && !draws {
        return Ok(Cow::Borrowed(scenario));
    }
    let other = scenario.with_seed(seed).map_err(|wrong| RunError::Routes(Box::new(wrong)))?;
    Ok(Cow::Owned(other))
}

/// Replaces the seed and the duration of the network by those of `options`.
pub(crate) fn overridden(network: &mut NetworkSpec, options: &RunOptions) {
    network.seed = options.seed.unwrap_or(network.seed);
    network.duration = options.duration.unwrap_or(network.duration);
}
