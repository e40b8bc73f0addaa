//! Digest: one 64-bit number for a whole run. Two runs with the same digest started the same
//! units at the same instants and have the same counters.
//!
//! The digest hashes, in this order: [`DIGEST_VERSION`], the instant of the reading, every link
//! direction in file order (its order hash, then its counters), every VC (its counters, its
//! hops, its final hosts), every node, every external machine (role, name, version). It does not
//! depend on the recording (so lengths of queues are not hashed), on a warm-up, on the number of
//! threads or on the engine. The lists of counters (`hopflow-network/src/counters.rs`) specify the
//! position of each.

use hopflow_kernel::{DIGEST_VERSION, OrderHash};
use hopflow_network::counters::{InDigest as _, VcCounters};
use hopflow_network::{Machine, RunCounters};

/// A digest that is computed from the counters of some VCs at a time, in order.
#[derive(Debug)]
pub(crate) struct Digest(OrderHash);

impl Digest {
    /// The beginning of the digest of a run with these counters, without those of VCs.
    pub(crate) fn new(counters: &RunCounters) -> Digest {
        let mut hash = OrderHash::default();
        hash.word(u64::from(DIGEST_VERSION));
        hash.word(counters.now.0);
        counters.directions.digest(&mut hash);
        Digest(hash)
    }

    /// Adds the next VCs.
    pub(crate) fn take(&mut self, vcs: &[VcCounters]) {
        for vc in vcs {
            vc.digest(&mut self.0);
        }
    }

    /// The digest, after all VCs. Without external machines it equals that of versions without
    /// them.
    pub(crate) fn finish(mut self, counters: &RunCounters, machines: &[Machine]) -> u64 {
        counters.nodes.digest(&mut self.0);
        for Machine { name, version, make, source: _ } in machines {
            for text in [make.role(), name] {
                self.0.word(text.len() as u64);
                text.bytes().for_each(|byte| self.0.word(u64::from(byte)));
            }
            self.0.word(*version);
        }
        self.0.value()
    }
}

/// One number for several runs, computed from their digests in order.
pub fn digest_of_all(digests: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = OrderHash::default();
    for digest in digests {
        hash.word(digest);
    }
    hash.value()
}
