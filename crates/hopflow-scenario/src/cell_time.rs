//! What follows from the rate and the delay of a link: its cell time, its true loop, and the cells
//! in flight on it.

use hopflow_network::DirectionSpec;
use hopflow_units::{Bytes, Picos, Rate, Wire};

/// The cell time of a rate.
pub(crate) fn cell_time(rate: Rate) -> Picos {
    rate.transmit_time(Bytes::CELL).expect("a cell of 424 bits at 1 b/s or more fits 2^64 ps")
}

/// The cell time of a direction.
pub(crate) fn cell_time_of(direction: &DirectionSpec) -> Picos {
    direction.wire().transmit_time(Bytes::CELL)
}

/// Both latencies of a link: a cell out, a credit back. The longest representable span if the sum
/// overflows.
pub(crate) fn true_loop(directions: &[DirectionSpec; 2]) -> Picos {
    let spans = directions.iter().flat_map(|d| [cell_time_of(d), d.delay, d.processing]);
    Picos(spans.fold(0, |sum, span| span.0.saturating_add(sum)))
}

/// [`cells_in_flight`] on a link: no more cells than it carries in a round trip with its overhead.
/// `None` past 2^64 - 1.
pub fn cells_in_loop(round_trip: Picos, bandwidth: Rate, link: Wire) -> Option<u64> {
    let bit_picos = u128::from(round_trip.0) * u128::from(link.rate.bps());
    let cell = u128::from(Bytes::CELL.bits() + link.overhead.bits());
    let most = bit_picos.div_ceil(cell * u128::from(Picos::PER_SECOND));
    let cells = cells_in_flight(round_trip, bandwidth);
    let most = u64::try_from(most).ok();
    cells.into_iter().chain(most).min()
}

/// N3 = R x B_VC / cell size, rounded up: the cells that cover one round trip at a bandwidth.
/// [KMCL94] Eq. (3). `None` past 2^64 - 1.
pub fn cells_in_flight(round_trip: Picos, bandwidth: Rate) -> Option<u64> {
    let bit_picos = u128::from(round_trip.0) * u128::from(bandwidth.bps());
    let cell = u128::from(Bytes::CELL.bits()) * u128::from(Picos::PER_SECOND);
    u64::try_from(bit_picos.div_ceil(cell)).ok()
}
