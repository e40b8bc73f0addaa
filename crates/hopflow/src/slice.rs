//! Slices: how much simulated time a run goes forward before it looks up.
//!
//! A slice should take about a tenth of a second, so that progress moves and a cancelled run
//! stops soon, and make at most about [`ROWS`] trace rows, so that memory stays small however
//! long the run is. The next slice is the last one scaled by what these two allow, at most
//! doubled, so that a surprise stays small.

use std::time::Duration;

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::Picos;

/// Trace rows a slice should make at most: 1 MiB of them, which stay in a core's cache until they
/// are in order.
const ROWS: usize = 1 << 15;

/// How long a slice should take.
const WALL: Duration = Duration::from_millis(100);

/// Rows that one cell time of one link direction can make, about: born, started, left, arrived.
const ROWS_PER_CELL: u64 = 4;

/// The length of the next slice.
pub(crate) struct Slices {
    span: Picos,
}

impl Slices {
    /// A first slice so short that even if every link is busy and traced the rows are few.
    pub(crate) fn new(network: &NetworkSpec) -> Slices {
        let directions = (0..network.direction_count()).map(DirectionId);
        let shortest = directions.map(|id| network.cell_time(id)).min().unwrap_or(Picos(1));
        let rows_per_cell = ROWS_PER_CELL * (network.direction_count() as u64).max(1);
        let cells = (ROWS as u64 / rows_per_cell).clamp(1, 10_000);
        Slices { span: shortest.checked_mul(cells).unwrap_or(shortest) }
    }

    /// The length of the next slice, above zero.
    pub(crate) fn span(&self) -> Picos {
        self.span
    }

    /// Takes in what the last slice took and made.
    pub(crate) fn adapt(&mut self, wall: Duration, rows: usize) {
        let by_wall = WALL.as_secs_f64() / wall.as_secs_f64().max(1e-6);
        let by_rows = ROWS as f64 / rows.max(1) as f64;
        let factor = by_wall.min(by_rows).clamp(0.125, 2.0);
        let next = (self.span.0 as f64 * factor).clamp(1.0, Picos::MAX.0 as f64 / 4.0);
        self.span = Picos(next as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_network::testing::NetworkBuilder;

    /// Claim: slices grow at most twofold while nothing is in the way, shrink when rows pile up
    /// or time runs, and never reach zero.
    #[test]
    fn slices_follow_rows_and_time() {
        let mut network = NetworkBuilder::new(100);
        let (a, b) = (network.host("A"), network.host("B"));
        network.link(a, b, 1);
        let mut slices = Slices::new(&network.spec);
        let first = slices.span().0;
        // Two directions, four rows each per cell time.
        assert_eq!(first, ROWS as u64 / 8 * 1_000_000);
        slices.adapt(Duration::from_millis(1), 10);
        assert_eq!(slices.span().0, 2 * first);
        slices.adapt(Duration::from_millis(1), 4 * ROWS);
        assert_eq!(slices.span().0, first / 2);
        slices.adapt(Duration::from_millis(200), 0);
        assert_eq!(slices.span().0, first / 4);
        for _ in 0..100 {
            slices.adapt(Duration::from_secs(9), 0);
        }
        assert_eq!(slices.span().0, 1);
    }
}
