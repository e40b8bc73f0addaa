//! The summary of a large run: of so many VCs that all that is told of each does not fit in
//! memory. VCs are read some at a time, twice: for what all of them together say of links and
//! nodes, then for what is told of each. What is told is handed on and forgotten; the summary that
//! is left tells links, ports, nodes, and the VCs together.
//!
//! It leaves out, of what [`Summary::new`] tells: the VCs of each link. Digest and properties are
//! the same, bit for bit. Checked by: `large/tests.rs`.

use std::ops::Range;

use hopflow_network::counters::VcCounters;
use hopflow_network::{Engine, NetworkSpec, RunCounters, VcSpec};
use hopflow_units::Picos;

use crate::conservation::{Balance, Imbalance};
use crate::digest::Digest;
use crate::names::direction_names;
use crate::properties::{Violation, deadlock_violation, unbalanced, vc_violations};
use crate::sending::{Lines, Sending};
use crate::summary::build::{network_alone, vcs_alone};
use crate::summary::{Summary, Totals};

/// From so many hops of VCs on a run is large.
pub const LARGE_HOPS: usize = 100_000;

/// VCs read at a time.
const PART: usize = 4_096;

/// The most broken properties that are told of a large run.
const MOST_VIOLATIONS: usize = 1_000;

/// Whether a network has so many VCs that they are told some at a time. One with connections
/// never is.
pub fn is_large(spec: &NetworkSpec) -> bool {
    let hops: usize = spec.vcs.iter().map(|vc| vc.hops.len()).sum();
    hops >= LARGE_HOPS && spec.connections.is_empty()
}

/// What a large run leaves.
#[derive(Debug)]
pub struct LargeRun {
    /// Links, ports, nodes, totals, and at most 1,000 broken properties.
    pub summary: Summary,
    /// The digest of the run.
    pub digest: u64,
    /// What was counted, VCs apart.
    pub counters: RunCounters,
}

/// Reads a run of `spec` where it is now. `take` gets what is told of some VCs at a time, in
/// order: a summary with `vcs` and `queues` and nothing else.
pub fn summarize_large(
    spec: &NetworkSpec,
    engine: &dyn Engine,
    take: &mut dyn FnMut(&Summary),
) -> LargeRun {
    summarize_by(PART, spec, engine, take)
}

/// As [`summarize_large`], so many VCs at a time.
fn summarize_by(
    most: usize,
    spec: &NetworkSpec,
    engine: &dyn Engine,
    take: &mut dyn FnMut(&Summary),
) -> LargeRun {
    let names = direction_names(spec);
    let mut all = Together::new(spec, &names);
    let counters = engine.counters_by_parts(most, &mut |part, range| {
        all.take(&part_of(spec, range), part);
    });
    let pool_sizes = spec.pool_sizes();
    let (mut totals, mut broken) = (Totals::new(), Vec::new());
    engine.counters_by_parts(most, &mut |part, range| {
        let spec = part_of(spec, range);
        let sending = all.lines.times(&spec, part);
        broken.extend(vc_violations(&spec, part, &names, &sending));
        broken.truncate(MOST_VIOLATIONS);
        let told = vcs_alone(&spec, part, (&names, &pool_sizes), spans(sending));
        totals.take(part, &told.vcs);
        take(&told);
    });
    let mut summary = network_alone(spec, &counters, &names, &all.areas);
    summary.totals = Some(totals.finish());
    let balance = match all.broken {
        Some(imbalance) => Err(imbalance),
        None => all.balance.close(spec, &counters),
    };
    summary.violations.extend(balance.err().map(|imbalance| unbalanced(&imbalance)));
    summary.violations.append(&mut broken);
    summary.violations.extend(all.standing.deadlock(spec, &counters, &names));
    let digest = all.digest.unwrap_or_else(|| Digest::new(&counters)).finish(&counters);
    LargeRun { summary, digest, counters }
}

/// A network with some of its VCs.
fn part_of(spec: &NetworkSpec, range: Range<usize>) -> NetworkSpec {
    NetworkSpec { vcs: spec.vcs[range].to_vec().into(), ..spec.clone() }
}

fn spans(sending: Vec<Vec<Sending>>) -> Vec<Vec<Picos>> {
    sending.into_iter().map(|hops| hops.into_iter().map(|hop| hop.time).collect()).collect()
}

/// What all VCs together say.
struct Together<'n> {
    balance: Balance<'n>,
    /// The first law that is broken.
    broken: Option<Imbalance>,
    lines: Lines,
    digest: Option<Digest>,
    /// By link direction, the integral of the queues at its port, in cell x ps.
    areas: Vec<u128>,
    standing: Standing,
}

impl<'n> Together<'n> {
    fn new(spec: &NetworkSpec, names: &'n [String]) -> Together<'n> {
        Together {
            balance: Balance::new(spec, names),
            broken: None,
            lines: Lines::new(spec),
            digest: None,
            areas: vec![0; spec.direction_count()],
            standing: Standing::default(),
        }
    }

    fn take(&mut self, spec: &NetworkSpec, counters: &RunCounters) {
        if self.broken.is_none() {
            self.broken = self.balance.take(spec, counters).err();
        }
        self.lines.take(spec, counters);
        self.digest.get_or_insert_with(|| Digest::new(counters)).take(&counters.vcs);
        for (vc, count) in spec.vcs.iter().zip(&counters.vcs) {
            for (hop, count) in vc.hops.iter().zip(&count.hops) {
                self.areas[hop.direction_id().0] += count.fill_area;
            }
            self.standing.take(vc, count);
        }
    }
}

/// VCs with cells in the network: only these can be part of a deadlock.
#[derive(Default)]
struct Standing {
    specs: Vec<VcSpec>,
    counts: Vec<VcCounters>,
}

impl Standing {
    fn take(&mut self, spec: &VcSpec, count: &VcCounters) {
        if count.hops.iter().any(|hop| hop.blocked_since.is_some() || hop.fill_cells > 0) {
            self.specs.push(spec.clone());
            self.counts.push(count.clone());
        }
    }

    fn deadlock(
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

#[cfg(test)]
mod tests;
