//! The first reading: sums over all VCs.

use std::collections::BTreeMap;

use hopflow_network::counters::VcCounters;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::{NetworkSpec, RunCounters, VcSpec};

use super::hindrances::Hindrances;
use super::reading::BlockCounters;
use crate::conservation::Balance;
use crate::digest::Digest;
use crate::properties::{Violation, deadlock_violation, unbalanced};
use crate::sending::Lines;

/// The results of the first reading.
pub(super) struct First<'n> {
    pub(super) balance: Balance<'n>,
    /// The first violated law of conservation.
    pub(super) broken: Option<Violation>,
    pub(super) lines: Lines,
    pub(super) digest: Option<Digest>,
    pub(super) areas: Vec<u128>,
    pub(super) standing: Standing,
    pub(super) endpoints: BTreeMap<usize, EndpointCounters>,
    pub(super) hindrances: Hindrances,
}

impl<'n> First<'n> {
    pub(super) fn new(spec: &NetworkSpec, names: &'n [String]) -> First<'n> {
        First {
            balance: Balance::new(spec, names),
            broken: None,
            lines: Lines::new(spec),
            digest: None,
            areas: vec![0; spec.direction_count()],
            standing: Standing::default(),
            endpoints: BTreeMap::new(),
            hindrances: Hindrances::new(spec),
        }
    }

    pub(super) fn take(&mut self, part: &BlockCounters<'_>) {
        let BlockCounters { spec, whole, measured, .. } = part;
        if self.broken.is_none() {
            self.broken = self.balance.take(spec, whole).err().map(|broken| unbalanced(&broken));
        }
        self.lines.take(spec, whole);
        self.digest.get_or_insert_with(|| Digest::new(whole)).take(&whole.vcs);
        let all = spec.vcs.iter().zip(&whole.vcs).zip(&measured.vcs);
        for (vc, ((vc_spec, whole), measured)) in part.range.clone().zip(all) {
            for (hop, count) in vc_spec.hops.iter().zip(&measured.hops) {
                self.areas[hop.direction_id().0] += count.fill_area;
            }
            self.standing.take(vc_spec, whole);
            self.hindrances.take(vc, vc_spec, whole);
            if let Some(endpoint) = &measured.endpoint {
                self.endpoints.insert(vc, endpoint.clone());
            }
        }
    }
}

/// VCs with cells in the network: only these can be part of a deadlock.
#[derive(Default)]
pub(super) struct Standing {
    specs: Vec<VcSpec>,
    counts: Vec<VcCounters>,
}

impl Standing {
    pub(super) fn take(&mut self, spec: &VcSpec, count: &VcCounters) {
        if count.hops.iter().any(|hop| hop.blocked_since.is_some() || hop.fill_packets > 0) {
            self.specs.push(spec.clone());
            self.counts.push(count.clone());
        }
    }

    pub(super) fn deadlock(
        self,
        spec: &NetworkSpec,
        counters: &RunCounters,
        names: &[String],
    ) -> Option<Violation> {
        let spec = NetworkSpec { vcs: self.specs.into(), ..spec.clone() };
        let counters = RunCounters { vcs: self.counts, ..counters.clone() };
        deadlock_violation(&spec, &counters, names)
    }
}
