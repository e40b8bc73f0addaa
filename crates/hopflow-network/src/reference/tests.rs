//! The reference engine by hand.

use hopflow_units::SimTime;

use crate::testing::random_network;
use crate::{Engine, ReferenceEngine, TraceFilter};

/// Claim: over random networks no cell is lost from the books, wherever the run is read, and
/// reading changes nothing.
#[test]
fn random_networks_conserve_cells() {
    for seed in 0..300 {
        let spec = random_network(seed);
        let mut whole = ReferenceEngine::new(&spec, TraceFilter::none());
        let mut parts = ReferenceEngine::new(&spec, TraceFilter::none());
        let end = SimTime::ZERO + spec.duration;
        for part in 1..=7 {
            parts.run_until(SimTime(end.0 / 7 * part));
            assert_eq!(parts.counters(), parts.counters());
        }
        parts.run_until(end);
        whole.run_until(end);
        assert_eq!(whole.counters(), parts.counters(), "seed {seed}");
    }
}
