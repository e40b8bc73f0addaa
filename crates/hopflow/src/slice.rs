//! Slices: the simulated time of a step of a run.
//!
//! A step should be short, so that progress is reported and a cancelled run stops soon. Its length
//! follows the work of the step before, in started units and fired timers, and never the clock:
//! ```text
//! next = clamp(span * WORK / work, span / 8, 2 span)      at least the engine's window      (1)
//! ```
//! So a slow or busy machine makes as many steps as a quick one. A step shorter than the window, in
//! which a node runs alone, would run every busy node again and again for nothing.
//!
//! If rows of a trace are produced, they are passed on at the end of each slice of the run. Its
//! length depends on the number of rows alone, so it is the same for any speed of the run and any
//! number of threads. It may be shorter than a window: rows are kept in memory until it ends.

use hopflow_network::{DirectionId, Engine, NetworkSpec};
use hopflow_units::Picos;

/// The desired number of rows of a slice: 4 MiB.
const ROWS: usize = 1 << 17;

/// The greatest multiple of [`ROWS`] of a slice, even if a network fills up suddenly.
const SURGE: u64 = 32;

/// The desired work of a step, in started units and fired timers: 5 to 300 ms on one core in 2026.
const WORK: u64 = 1 << 18;

/// The same where the run calls machines of the user, which may take 10 us a call.
const WORK_WITH_MACHINES: u64 = 1 << 14;

/// The least work of a step for each link direction: the work is read there.
const WORK_PER_DIRECTION: u64 = 8;

/// Approximate rows of one cell time of one link direction: born, started, left, arrived.
const ROWS_PER_CELL: u64 = 4;

/// A time in which even if every link is busy and traced there are about [`ROWS`] rows.
fn shortest(network: &NetworkSpec) -> Picos {
    let directions = (0..network.direction_count()).map(DirectionId);
    let cell_time = directions.map(|id| network.cell_time(id)).min().unwrap_or(Picos(1));
    let rows_per_cell = ROWS_PER_CELL * (network.direction_count() as u64).max(1);
    let cells = (ROWS as u64 / rows_per_cell).clamp(1, 10_000);
    cell_time.checked_mul(cells).unwrap_or(cell_time)
}

/// The length of the next step.
pub(crate) struct Steps {
    span: Picos,
    /// The least length: the window of the engine.
    least: Picos,
    /// The desired work.
    work: u64,
    /// The work of the engine up to the end of the last step.
    done: u64,
}

impl Steps {
    /// The steps of `engine`, which is at instant 0.
    pub(crate) fn new(network: &NetworkSpec, engine: &dyn Engine) -> Steps {
        let least = engine.window().max(Picos(1));
        let desired = if network.machines.is_empty() { WORK } else { WORK_WITH_MACHINES };
        let work = desired.max(WORK_PER_DIRECTION * network.direction_count() as u64);
        Steps { span: shortest(network).max(least), least, work, done: engine.work() }
    }

    /// The length of the next step, above zero.
    pub(crate) fn span(&self) -> Picos {
        self.span
    }

    /// Adapts to the length of the last step, and its work. Eq. (1).
    pub(crate) fn adapt(&mut self, went: Picos, engine: &dyn Engine) {
        let done = engine.work();
        let work = done.saturating_sub(std::mem::replace(&mut self.done, done)).max(1);
        let (went, most) = (u128::from(went.0), u128::from(Picos::MAX.0 / 4));
        let next = went * u128::from(self.work) / u128::from(work);
        let next = next.clamp(went / 8, 2 * went).min(most) as u64;
        self.span = Picos(next).max(self.least);
    }
}

/// The length of the next slice of rows.
pub(crate) struct Slices {
    span: u64,
    most: u64,
}

impl Slices {
    pub(crate) fn new(network: &NetworkSpec) -> Slices {
        let span = shortest(network).0.max(1);
        Slices { span, most: span.saturating_mul(SURGE) }
    }

    /// The length of the next slice, above zero.
    pub(crate) fn span(&self) -> Picos {
        Picos(self.span)
    }

    /// Adapts to the number of rows of the last slice. Integers avoid rounding.
    pub(crate) fn adapt(&mut self, rows: usize) {
        let next = u128::from(self.span) * ROWS as u128 / (rows as u128).max(1);
        let most = self.most.min(self.span.saturating_mul(2));
        self.span = next.clamp(1, u128::from(most)) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_control::external::Fault;
    use hopflow_network::{RowRuns, RunCounters};
    use hopflow_testing::NetworkBuilder;
    use hopflow_units::SimTime;

    fn one_link() -> NetworkSpec {
        let mut network = NetworkBuilder::new(100);
        let (a, b) = (network.host("A"), network.host("B"));
        network.link(a, b, 1);
        network.spec
    }

    /// An engine that has done `work` so far, with windows of 5 us.
    struct Worked {
        work: u64,
    }

    impl Engine for Worked {
        fn run_until(&mut self, _end: SimTime) {}

        fn collect_trace(&mut self, _runs: &mut RowRuns) {}

        fn restart_statistics(&mut self) {}

        fn fault(&self) -> Option<Fault> {
            None
        }

        fn counters(&self) -> RunCounters {
            unreachable!("steps read the work alone")
        }

        fn work(&self) -> u64 {
            self.work
        }

        fn window(&self) -> Picos {
            Picos(5_000_000)
        }
    }

    /// Claim: steps grow at most twofold if they contain little work, and shrink in proportion if
    /// they contain much. A truncated step counts with its simulated time.
    #[test]
    fn steps_follow_work() {
        let mut engine = Worked { work: 17 };
        let mut steps = Steps::new(&one_link(), &engine);
        let first = steps.span().0;
        // Two directions, four rows each per cell time; at most 10,000 cell times.
        assert_eq!(first, 10_000 * 1_000_000);
        steps.adapt(Picos(first), &engine);
        assert_eq!(steps.span().0, 2 * first, "without any work");
        engine.work += WORK / 8;
        steps.adapt(Picos(first), &engine);
        assert_eq!(steps.span().0, 2 * first);
        engine.work += 2 * WORK;
        steps.adapt(Picos(first), &engine);
        assert_eq!(steps.span().0, first / 2);
        engine.work += WORK;
        steps.adapt(Picos(first / 4), &engine);
        assert_eq!(steps.span().0, first / 4);
    }

    /// Claim: a step is never shorter than a window of the engine, however much work a window
    /// contains. A run of 100,000 windows whose every window takes 9 s makes 100,000 steps at most;
    /// when steps followed the clock, down to 1 ps, it did not end.
    #[test]
    fn no_step_is_shorter_than_a_window() {
        let mut engine = Worked { work: 0 };
        let window = engine.window().0;
        let mut steps = Steps::new(&one_link(), &engine);
        let (mut now, mut made) = (0, 0);
        while now < 100_000 * window {
            let span = steps.span().0;
            assert!(span >= window, "{span} ps is less than a window");
            (now, made) = (now + span, made + 1);
            engine.work += 1_000 * WORK * span / window;
            steps.adapt(Picos(span), &engine);
        }
        assert!((90_000..=100_000).contains(&made), "{made} steps");
    }

    /// Claim: slices grow at most twofold, up to 32 times the first, and shrink in proportion to
    /// their rows.
    #[test]
    fn slices_follow_rows() {
        let mut slices = Slices::new(&one_link());
        let first = slices.span().0;
        slices.adapt(10);
        assert_eq!(slices.span().0, 2 * first);
        for _ in 0..9 {
            slices.adapt(0);
        }
        assert_eq!(slices.span().0, 32 * first);
        slices.adapt(64 * ROWS);
        assert_eq!(slices.span().0, first / 2);
        slices.adapt(usize::MAX);
        assert_eq!(slices.span().0, 1);
    }
}
