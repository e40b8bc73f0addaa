//! Fat trees of three stages, and their traffic patterns.
//!
//! ```text
//! P pods, each of k edge switches with k hosts and of k aggregation switches; k x k cores
//! edge e of a pod to all its aggregation switches; aggregation switch a of a pod to cores
//! a k .. a k + k - 1
//! ```
//! Routes are static (D-mod-k): the target t selects the way up, at the edge by t mod k, at the
//! aggregation switch by (t / k) mod k; the way down is the only one. On the way down from a core
//! every link has one target, so with a permutation packets wait on the way up only.
//!
//! *shift*: to the host half of all hosts further. No packet waits. *random*: Fisher-Yates with
//! splitmix64 from seed 1, from the last host down, j = splitmix64 mod (i + 1); then each fixed
//! point is swapped with its right neighbour. *all-to-all*: packet i of host h goes to the host 1 +
//! i mod (H - 1) further; H hosts send to H different ones at any time. *incast*: all others to
//! host 0.
//!
//! Source: the workloads on which other simulators were measured (`benches/peers/README.md`);
//! all-to-all and incast are our own. Checked by: `packets.rs`.

use hopflow_units::Bytes;

use super::plan::{Plan, micros};

/// A fat tree: 64 hosts have 4 pods and k = 4, 1,024 hosts 16 pods and k = 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct FatTree {
    pub(super) pods: usize,
    pub(super) k: usize,
}

/// The traffic pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Shift,
    Random,
    AllToAll,
    Incast,
}

impl FatTree {
    pub(super) const HOSTS_64: FatTree = FatTree { pods: 4, k: 4 };
    pub(super) const HOSTS_1024: FatTree = FatTree { pods: 16, k: 8 };

    pub(super) const fn hosts(self) -> usize {
        self.pods * self.k * self.k
    }

    /// Nodes and links of `bps` and 1 us, for packets of `size`. There are three stages with one
    /// link per host each: hosts to edges, edges to aggregation switches, these to cores.
    pub(super) fn plan(self, bps: u64, size: Bytes) -> Plan {
        let FatTree { pods, k } = self;
        let mut plan = Plan::new(size);
        let hosts: Vec<_> = (1..=self.hosts()).map(|i| plan.host(format!("H{i}"))).collect();
        let mut switches = |stem: &str, count: usize| -> Vec<usize> {
            (1..=count).map(|i| plan.switch(format!("{stem}{i}"))).collect()
        };
        let edges = switches("E", pods * k);
        let aggregates = switches("A", pods * k);
        let cores = switches("C", k * k);
        let mut link = |ends| plan.link(ends, bps, micros(1));
        for host in 0..hosts.len() {
            link([hosts[host], edges[host / k]]);
        }
        for i in 0..hosts.len() {
            link([edges[i / k], aggregates[i / k / k * k + i % k]]);
        }
        for i in 0..hosts.len() {
            link([aggregates[i / k], cores[(i / k) % k * k + i % k]]);
        }
        plan
    }

    /// Links and directions from one host to another.
    pub(super) fn route(self, source: usize, target: usize) -> Vec<(usize, usize)> {
        let k = self.k;
        let [to_aggregate, to_core] = [self.hosts(), 2 * self.hosts()];
        let (from, to) = (source / k, target / k);
        let (up, core) = (target % k, target / k % k);
        let mut route = vec![(source, 0)];
        if from != to {
            route.push((to_aggregate + from * k + up, 0));
            if from / k != to / k {
                route.push((to_core + (from / k * k + up) * k + core, 0));
                route.push((to_core + (to / k * k + up) * k + core, 1));
            }
            route.push((to_aggregate + to * k + up, 1));
        }
        route.push((target, 1));
        route
    }

    /// The flows of a pattern, if every sending host has `each` packets.
    pub(super) fn flows(self, pattern: Pattern, each: u64) -> Vec<Flow> {
        let hosts = self.hosts();
        let whole = |(from, to)| Flow { from, to, first: 0, k: 1 };
        match pattern {
            Pattern::Shift => (0..hosts).map(|h| whole((h, (h + hosts / 2) % hosts))).collect(),
            Pattern::Random => permutation(hosts).into_iter().enumerate().map(whole).collect(),
            Pattern::Incast => (1..hosts).map(|h| whole((h, 0))).collect(),
            Pattern::AllToAll => {
                let others = hosts as u64 - 1;
                let phase = |first: u64| {
                    let to = move |from: usize| (from + 1 + first as usize) % hosts;
                    (0..hosts).map(move |from| Flow { from, to: to(from), first, k: others })
                };
                (0..each.min(others)).flat_map(phase).collect()
            }
        }
    }
}

/// The packets of a host to one other: number `first`, and from there every `k`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) first: u64,
    pub(super) k: u64,
}

/// A random permutation without fixed points: for each host, its target.
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
