//! How many threads a run is worth.
//!
//! Threads meet at the end of every window. The engine plans its windows from the latencies of
//! links: nodes that short links join stay together, and threads pay where the heaviest of these
//! parts leaves something to others and enough can happen in a window
//! (`hopflow_kernel::WindowPlan`, docs/engine.md). What is planned counts every link in full, so
//! hosts with little to send may get threads that do not pay: the engine measures that while it
//! runs, and goes on with one.

use std::num::NonZeroUsize;

use hopflow_engine::WindowedEngine;
use hopflow_network::NetworkSpec;

/// The threads that a run of `network` can use, at most `most`. The result of a run does not
/// depend on them.
pub fn useful_threads(network: &NetworkSpec, most: NonZeroUsize) -> NonZeroUsize {
    let threads = WindowedEngine::useful_threads(network, most.get());
    NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_network::{HopControl, SourceSpec};
    use hopflow_testing::NetworkBuilder;

    /// Claim: a line of three nodes with 500 cell times between two can use three threads; where
    /// one link is short its ends stay together, and two are left; where both are, a window of one
    /// cell time is worth one.
    #[test]
    fn short_windows_get_one_thread() {
        let most = NonZeroUsize::new(64).expect("not zero");
        let threads = |delays: [u64; 2]| {
            let mut network = NetworkBuilder::new(10);
            let [a, b] = ["A", "B"].map(|name| network.host(name));
            let s = network.switch("S");
            network.link(a, s, delays[0]);
            network.link(s, b, delays[1]);
            network.tree("vc", &[(a, s), (s, b)], HopControl::None, SourceSpec::Greedy);
            useful_threads(&network.spec, most).get()
        };
        assert_eq!(threads([500, 500]), 3);
        assert_eq!(threads([500, 1]), 2);
        assert_eq!(threads([0, 0]), 1);
    }
}
