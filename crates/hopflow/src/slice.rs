//! Slices: the simulated time of a step of a run.
//!
//! A step should take about a tenth of a second, so that progress is reported and a cancelled run
//! stops soon: the next is the last one scaled, at most doubled, to limit errors of the estimate.
//!
//! If rows of a trace are produced, they are passed on at the end of each slice of the run. Its
//! length depends on the number of rows alone, so it is the same for any speed of the run and any
//! number of threads.

use std::time::Duration;

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::Picos;

/// The desired number of rows of a slice: 4 MiB.
const ROWS: usize = 1 << 17;

/// The greatest multiple of [`ROWS`] of a slice, even if a network fills up suddenly.
const SURGE: u64 = 32;

/// The desired time of a step.
const WALL: Duration = Duration::from_millis(100);

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
}

impl Steps {
    pub(crate) fn new(network: &NetworkSpec) -> Steps {
        Steps { span: shortest(network) }
    }

    /// The length of the next step, above zero.
    pub(crate) fn span(&self) -> Picos {
        self.span
    }

    /// Adapts to the length of the last step, and its time.
    pub(crate) fn adapt(&mut self, went: Picos, wall: Duration) {
        let factor = WALL.as_secs_f64() / wall.as_secs_f64().max(1e-6);
        let next = went.0 as f64 * factor.clamp(0.125, 2.0);
        self.span = Picos(next.clamp(1.0, Picos::MAX.0 as f64 / 4.0) as u64);
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
    use hopflow_testing::NetworkBuilder;

    fn one_link() -> NetworkSpec {
        let mut network = NetworkBuilder::new(100);
        let (a, b) = (network.host("A"), network.host("B"));
        network.link(a, b, 1);
        network.spec
    }

    /// Claim: steps grow at most twofold if they are too short, shrink if they are too long, and
    /// never reach zero. A truncated step counts with its simulated time.
    #[test]
    fn steps_follow_time() {
        let mut steps = Steps::new(&one_link());
        let first = steps.span().0;
        // Two directions, four rows each per cell time; at most 10,000 cell times.
        assert_eq!(first, 10_000 * 1_000_000);
        steps.adapt(Picos(first), Duration::from_millis(1));
        assert_eq!(steps.span().0, 2 * first);
        steps.adapt(Picos(first), Duration::from_millis(200));
        assert_eq!(steps.span().0, first / 2);
        for _ in 0..100 {
            steps.adapt(steps.span(), Duration::from_secs(9));
        }
        assert_eq!(steps.span().0, 1);
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
