//! The number of useful threads of a run.
//!
//! Threads synchronize at the end of every window. The engine plans its windows from the latencies
//! of links: nodes joined by short links stay together, and threads are useful if the heaviest of
//! these parts leaves work to others and windows have enough events (`hopflow_kernel::WindowPlan`,
//! docs/engine.md). The plan assumes that every link is fully used, so hosts with little to send
//! may get useless threads: the engine measures this during the run, and then uses one.

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

    /// Claim: a line of three nodes with 500 cell times between two can use three threads; if one
    /// link is short its ends stay together, and two threads are useful; if both are, one thread is
    /// best for a window of one cell time.
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
