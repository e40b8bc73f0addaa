//! Fat trees of three stages, and who sends to whom on them.
//!
//! ```text
//! P pods, each of k edge switches with k hosts and of k aggregation switches; k x k cores
//! edge e of a pod to all its aggregation switches; aggregation switch a of a pod to cores
//! a k .. a k + k - 1
//! ```
//! Routes are static (D-mod-k): the way up is told by the target t, at the edge by t mod k, at the
//! aggregation switch by (t / k) mod k; the way down is the only one. On the way down from a core
//! every link has one target, so with a permutation packets wait on the way up only.
//!
//! *shift*: to the host half of all hosts further. Nobody waits. *random*: Fisher-Yates with
//! splitmix64 from seed 1, from the last host down, j = splitmix64 mod (i + 1); then each fixed
//! point is swapped with its right neighbour.
//!
//! Source: the workloads that other simulators were measured on (`benches/peers/README.md`).
//! Checked by: `workloads/fifo.rs`.

use hopflow_network::{NodeKind, SourceSpec};
use hopflow_units::{Bytes, Picos, SimTime};

use super::plan::{Control, Plan, micros};

/// A fat tree: 64 hosts have 4 pods and k = 4, 1,024 hosts 16 pods and k = 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct FatTree {
    pub(super) pods: usize,
    pub(super) k: usize,
}

/// Who sends to whom.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pattern {
    Shift,
    Random,
}

impl FatTree {
    pub(super) const HOSTS_64: FatTree = FatTree { pods: 4, k: 4 };
    pub(super) const HOSTS_1024: FatTree = FatTree { pods: 16, k: 8 };

    pub(super) const fn hosts(self) -> usize {
        self.pods * self.k * self.k
    }

    /// The whole network on links of `bps` and 1 us: every host sends packets of `size` from
    /// `source` for as long as `each` of them take on its link.
    pub(super) fn network(
        self,
        pattern: Pattern,
        (control, bps, size): (Control, u64, Bytes),
        (source, each): (&SourceSpec, u64),
    ) -> Plan {
        let FatTree { pods, k } = self;
        let mut plan = Plan::new(control, size);
        let hosts: Vec<_> = (0..self.hosts()).map(|_| plan.node(NodeKind::Host)).collect();
        let switches = |plan: &mut Plan, count: usize| -> Vec<usize> {
            (0..count).map(|_| plan.node(NodeKind::Switch)).collect()
        };
        let edges = switches(&mut plan, pods * k);
        let aggregates = switches(&mut plan, pods * k);
        let cores = switches(&mut plan, k * k);
        let mut link = |ends| plan.link(ends, bps, micros(1));
        let host_links: Vec<_> = (0..hosts.len()).map(|h| link([hosts[h], edges[h / k]])).collect();
        let stage = 0..pods * k * k;
        let edge_ends = |i: usize| [edges[i / k], aggregates[i / k / k * k + i % k]];
        let edge_links: Vec<_> = stage.clone().map(|i| link(edge_ends(i))).collect();
        let core_ends = |i: usize| [aggregates[i / k], cores[(i / k) % k * k + i % k]];
        let core_links: Vec<_> = stage.map(|i| link(core_ends(i))).collect();
        let stop = SimTime(each * plan.packet_time().0);
        for (from, to) in pattern.targets(hosts.len()).into_iter().enumerate() {
            let route = self.route(from, to, [&host_links, &edge_links, &core_links]);
            plan.vc(&route, source.clone(), Some(stop));
        }
        plan.spec.duration = Picos(stop.0 * 3);
        plan
    }

    /// Links and directions from one host to another.
    fn route(
        self,
        source: usize,
        target: usize,
        [host_links, edge_links, core_links]: [&[usize]; 3],
    ) -> Vec<(usize, usize)> {
        let k = self.k;
        let (from, to) = (source / k, target / k);
        let (up, core) = (target % k, target / k % k);
        let mut route = vec![(host_links[source], 0)];
        if from != to {
            route.push((edge_links[from * k + up], 0));
            if from / k != to / k {
                route.push((core_links[(from / k * k + up) * k + core], 0));
                route.push((core_links[(to / k * k + up) * k + core], 1));
            }
            route.push((edge_links[to * k + up], 1));
        }
        route.push((host_links[target], 1));
        route
    }
}

impl Pattern {
    /// By host: whom it sends to.
    fn targets(self, hosts: usize) -> Vec<usize> {
        match self {
            Pattern::Shift => (0..hosts).map(|host| (host + hosts / 2) % hosts).collect(),
            Pattern::Random => permutation(hosts),
        }
    }
}

/// A random permutation without fixed points.
fn permutation(count: usize) -> Vec<usize> {
    let mut state = 1_u64;
    let mut target: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        let j = (splitmix64(&mut state) % (i as u64 + 1)) as usize;
        target.swap(i, j);
    }
    for i in 0..count {
        if target[i] == i {
            target.swap(i, (i + 1) % count);
        }
    }
    target
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
