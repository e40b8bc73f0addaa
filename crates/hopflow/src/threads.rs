//! How many threads a run is worth.
//!
//! Threads meet at the end of every window, and a window is as short as the least latency of any
//! link. So they pay only where much happens in a window. What can happen at most:
//! ```text
//! u = sum over directions that VCs cross of  lookahead / least transmit time             (1)
//! threads = u / 100, at least 1                                                          (2)
//! ```
//! Measured (docs/engine.md, two threads against one): a chain with u = 230 gains 1.4, a network
//! with u = 1 and one with u = 30 lose more than half. A link that is idle most of the time counts
//! in full, so hosts with little to send may still get threads that do not pay.

use std::num::NonZeroUsize;

use hopflow_network::NetworkSpec;
use hopflow_units::Picos;

/// Units per window that keep a thread busy.
const PER_THREAD: u64 = 100;

/// The threads that a run of `network` can use, at most `most`. The result of a run does not
/// depend on them.
pub fn useful_threads(network: &NetworkSpec, most: NonZeroUsize) -> NonZeroUsize {
    let lookahead = network.least_latency().unwrap_or(Picos::ZERO).0;
    let mut crossed = vec![false; network.direction_count()];
    for hop in network.vcs.iter().flat_map(|vc| &vc.hops) {
        crossed[hop.direction_id().0] = true;
    }
    let times = network.least_transmit_times().into_iter().zip(crossed);
    let units: u64 = times.filter(|(_, is)| *is).map(|(time, _)| lookahead / time.0.max(1)).sum();
    let threads = usize::try_from(units / PER_THREAD).unwrap_or(usize::MAX);
    NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_network::testing::NetworkBuilder;
    use hopflow_network::{HopControl, SourceSpec};

    /// Claim: links of 1 and 500 cell times of delay. A line of two with 500 each has windows of
    /// 501 cells and 1,002 units; one short link beside them makes windows of 2 cells.
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
        assert_eq!(threads([500, 500]), 10);
        assert_eq!(threads([500, 1]), 1);
        assert_eq!(threads([0, 0]), 1);
    }
}
