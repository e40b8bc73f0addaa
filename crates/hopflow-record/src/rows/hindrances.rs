//! Events of a run by which a scheduler could not keep its promises, from counters of VCs.

use std::collections::BTreeSet;

use hopflow_network::counters::VcCounters;
use hopflow_network::{NetworkSpec, VcSpec};

/// Events by which schedulers could not keep their promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hindrances {
    /// By link direction: whether its port pushed packets out.
    pub pushed_out: Vec<bool>,
    /// VCs and hops at which a scheduler deleted the VC as a known flow.
    pub deleted: BTreeSet<(usize, usize)>,
}

impl Hindrances {
    /// No events, before any VC.
    pub(super) fn new(spec: &NetworkSpec) -> Hindrances {
        let pushed_out = vec![false; spec.direction_count()];
        Hindrances { pushed_out, deleted: BTreeSet::new() }
    }

    pub(super) fn take(&mut self, vc: usize, spec: &VcSpec, count: &VcCounters) {
        for (index, (hop, count)) in spec.hops.iter().zip(&count.hops).enumerate() {
            self.pushed_out[hop.direction_id().0] |= count.pushed_out_packets > 0;
            if count.deleted.is_some() {
                self.deleted.insert((vc, index));
            }
        }
    }
}
