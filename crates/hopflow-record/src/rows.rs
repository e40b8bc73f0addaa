//! The rows of a run: VCs and queues, read a block of VCs at a time, and the summary made from
//! them. Networks of every size take this way, so that nobody needs memory for all rows at once.
//!
//! ```text
//! first reading   what all VCs together say: balance, digest, sending times, integrals of ports
//! second reading  totals, classes, broken properties, and the rows that the summary keeps
//! any other       all rows, block by block, for files and for JSON
//! ```
//! A summary keeps all rows, or of each list the [`WORST`]: the VCs that lost most, then those with
//! the longest delay; the queues with the greatest mean; the VCs that took most of a link. Rows
//! that are kept stay in the order of the file. Checked by: `rows/tests.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hopflow_network::counters::VcCounters;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::{Engine, NetworkSpec, RunCounters, VcSpec};
use hopflow_units::{Picos, SimTime};

use crate::conservation::Balance;
use crate::digest::Digest;
use crate::gather::Gathered;
use crate::names::direction_names;
use crate::properties::{Violation, deadlock_violation, unbalanced};
use crate::sending::{Lines, Sending, Times};
use crate::summary::build::View;
use crate::summary::{LinkShare, QueueSummary, Summary, VcSummary};
use crate::warm_up;

/// The rows that a summary keeps of each list, unless it keeps all.
pub const WORST: usize = 100;

/// VCs read at a time.
pub const BLOCK: usize = 1_024;

/// Which rows of VCs, queues and VCs of links a summary keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    All,
    /// The [`WORST`] of each list.
    Worst,
}

/// Where counters are read.
#[derive(Clone, Copy)]
enum Counted<'a> {
    Engine(&'a dyn Engine),
    Read(&'a RunCounters),
}

/// A run at its end, to be read as often as needed.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    spec: &'a NetworkSpec,
    /// What was counted at the end of the warm-up, if there was one.
    before: Option<&'a RunCounters>,
    counted: Counted<'a>,
    /// VCs read at a time.
    block: usize,
}

impl<'a> Reading<'a> {
    /// Of an engine that has run `spec`. `before`: its counters at the end of the warm-up, where
    /// its statistics were restarted.
    pub fn new(
        spec: &'a NetworkSpec,
        before: Option<&'a RunCounters>,
        engine: &'a dyn Engine,
    ) -> Reading<'a> {
        Reading { spec, before, counted: Counted::Engine(engine), block: BLOCK }
    }

    /// Of counters that were read already. Panics when they are not those of `spec`.
    pub fn of_counters(
        spec: &'a NetworkSpec,
        before: Option<&'a RunCounters>,
        after: &'a RunCounters,
    ) -> Reading<'a> {
        assert_eq!(after.directions.len(), spec.direction_count(), "counters of another network");
        assert_eq!(after.vcs.len(), spec.vcs.len(), "counters of another network");
        Reading { spec, before, counted: Counted::Read(after), block: BLOCK }
    }

    /// The end of the warm-up.
    fn from(&self) -> SimTime {
        self.before.map_or(SimTime::ZERO, |before| before.now)
    }

    /// Reads the counters, a block at a time. Returns those of links and nodes.
    fn each(&self, take: &mut dyn FnMut(&Part<'_>)) -> RunCounters {
        let mut give = |after: &mut RunCounters, range: Range<usize>| {
            let spec = part_of(self.spec, range.clone());
            let Some(before) = self.before else {
                return take(&Part { spec, range, whole: after, measured: after, before: &[] });
            };
            let [whole, measured] = warm_up::of_vcs(before, range.clone(), after);
            let before = &before.vcs[range.clone()];
            take(&Part { spec, range, whole: &whole, measured: &measured, before });
        };
        let counters = match self.counted {
            Counted::Engine(engine) => return engine.counters_by_parts(self.block, &mut give),
            Counted::Read(counters) => counters,
        };
        if self.before.is_none() && counters.vcs.len() <= self.block {
            let range = 0..counters.vcs.len();
            let (spec, whole) = (self.spec.clone(), counters);
            take(&Part { spec, range, whole, measured: whole, before: &[] });
            return bare(counters);
        }
        let mut part = RunCounters { vcs: Vec::new(), ..bare(counters) };
        for first in (0..counters.vcs.len()).step_by(self.block) {
            let range = first..counters.vcs.len().min(first + self.block);
            part.vcs = counters.vcs[range.clone()].to_vec();
            give(&mut part, range);
        }
        part.vcs = Vec::new();
        part
    }
}

/// Counters without those of VCs.
fn bare(counters: &RunCounters) -> RunCounters {
    RunCounters {
        now: counters.now,
        vcs: Vec::new(),
        directions: counters.directions.clone(),
        nodes: counters.nodes.clone(),
    }
}

/// Some VCs and their counters.
struct Part<'a> {
    /// The network with these VCs alone.
    spec: NetworkSpec,
    /// Which VCs they are.
    range: Range<usize>,
    /// Of the whole run.
    whole: &'a RunCounters,
    /// Of what came after the warm-up.
    measured: &'a RunCounters,
    /// At the end of the warm-up; empty without one.
    before: &'a [VcCounters],
}

/// A network with some of its VCs.
fn part_of(spec: &NetworkSpec, range: Range<usize>) -> NetworkSpec {
    if range.len() == spec.vcs.len() {
        return spec.clone();
    }
    NetworkSpec { vcs: spec.vcs[range].to_vec().into(), ..spec.clone() }
}

/// What all VCs of a run say together: enough to read the rows block by block.
#[derive(Debug)]
pub struct Together {
    names: Vec<String>,
    pool_sizes: Vec<u32>,
    times: Times,
    /// At the end of the warm-up, if there was one.
    times_before: Option<Times>,
    /// By link direction, the integral of the queues at its port, in cell x ps.
    areas: Vec<u128>,
    /// By VC, what the endpoint that sends on it has counted.
    endpoints: BTreeMap<usize, EndpointCounters>,
    hindrances: Hindrances,
    digest: u64,
    /// Cells that appeared or vanished, and a circle of buffers that waits for itself.
    unbalanced: Option<Violation>,
    deadlock: Option<Violation>,
    whole: RunCounters,
    measured: RunCounters,
    from: SimTime,
}

/// What the counters of VCs say about promises of schedulers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hindrances {
    /// By link direction: whether its port pushed packets out.
    pub pushed_out: Vec<bool>,
    /// VCs and hops at which a scheduler deleted the VC as a known flow.
    pub deleted: BTreeSet<(usize, usize)>,
}

impl Hindrances {
    /// Before any VC is in.
    fn new(spec: &NetworkSpec) -> Hindrances {
        let pushed_out = vec![false; spec.direction_count()];
        Hindrances { pushed_out, deleted: BTreeSet::new() }
    }

    /// Those of a run whose counters were read.
    pub fn of(spec: &NetworkSpec, counters: &RunCounters) -> Hindrances {
        let mut found = Hindrances::new(spec);
        for (vc, (vc_spec, count)) in spec.vcs.iter().zip(&counters.vcs).enumerate() {
            found.take(vc, vc_spec, count);
        }
        found
    }

    fn take(&mut self, vc: usize, spec: &VcSpec, count: &VcCounters) {
        for (index, (hop, count)) in spec.hops.iter().zip(&count.hops).enumerate() {
            self.pushed_out[hop.direction_id().0] |= count.pushed_out_packets > 0;
            if count.deleted.is_some() {
                self.deleted.insert((vc, index));
            }
        }
    }
}

impl Together {
    /// The first reading.
    pub fn read(reading: &Reading<'_>) -> Together {
        let spec = reading.spec;
        let names = direction_names(spec);
        let mut first = First::new(spec, &names);
        let after = reading.each(&mut |part| first.take(part));
        let [whole, measured] = match reading.before {
            Some(before) => warm_up::of_vcs(before, 0..0, &after),
            None => [after.clone(), after],
        };
        let times_before = reading.before.map(|before| {
            let mut lines = Lines::new(spec);
            lines.take(spec, before);
            lines.close(spec, before)
        });
        let First { balance, broken, lines, digest, areas, standing, endpoints, hindrances } =
            first;
        let broken = broken.or_else(|| balance.close(spec, &whole).err().map(|i| unbalanced(&i)));
        Together {
            pool_sizes: spec.pool_sizes(),
            times: lines.close(spec, &whole),
            times_before,
            areas,
            endpoints,
            hindrances,
            digest: digest.unwrap_or_else(|| Digest::new(&whole)).finish(&whole, &spec.machines),
            unbalanced: broken,
            deadlock: standing.deadlock(spec, &whole, &names),
            whole,
            measured,
            from: reading.from(),
            names,
        }
    }

    /// The digest of the run.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// What was counted in the whole run, VCs left out.
    pub fn whole(&self) -> &RunCounters {
        &self.whole
    }

    /// What was counted after the warm-up, VCs left out.
    pub fn measured(&self) -> &RunCounters {
        &self.measured
    }

    /// What the counters of VCs say about promises of schedulers.
    pub fn hindrances(&self) -> &Hindrances {
        &self.hindrances
    }

    /// What is measured lasts this long.
    fn span(&self) -> Picos {
        warm_up::span(self.from, self.measured.now)
    }

    /// Links, ports and nodes with names and units.
    pub(crate) fn network_view<'a>(&'a self, spec: &'a NetworkSpec) -> View<'a> {
        View {
            spec,
            counters: &self.measured,
            names: &self.names,
            pool_sizes: &[],
            sending: Vec::new(),
            span: self.span(),
        }
    }

    /// All rows, a block of VCs at a time, in order.
    pub fn each(&self, reading: &Reading<'_>, take: &mut dyn FnMut(&Block<'_>)) {
        reading.each(&mut |part| take(&self.block(part)));
    }

    fn block<'a>(&'a self, part: &'a Part<'a>) -> Block<'a> {
        let whole = self.times.of(&part.spec, &part.whole.vcs);
        let mut sending: Vec<Vec<Picos>> =
            whole.iter().map(|hops| hops.iter().map(|hop| hop.time).collect()).collect();
        let earlier = self.times_before.iter().flat_map(|times| times.of(&part.spec, part.before));
        for (hops, earlier) in sending.iter_mut().zip(earlier) {
            for (time, earlier) in hops.iter_mut().zip(earlier) {
                *time = Picos(time.0.saturating_sub(earlier.time.0));
            }
        }
        let view = View {
            spec: &part.spec,
            counters: part.measured,
            names: &self.names,
            pool_sizes: &self.pool_sizes,
            sending,
            span: self.span(),
        };
        Block { first: part.range.start, counted: part.whole, exact: whole, view }
    }

    /// The second reading: the summary. `row` adds to the row of a VC what this crate does not
    /// know; `see` gets every VC, and returns a property of its own that the VC did not keep.
    pub fn summarize(
        &self,
        reading: &Reading<'_>,
        keep: Keep,
        row: &dyn Fn(usize, &mut VcSummary),
        see: &mut dyn FnMut(usize, &Block<'_>) -> Option<Violation>,
    ) -> (Summary, KeptCounters) {
        let mut gathered = Gathered::new(reading.spec, keep);
        let mut kept = KeptCounters::default();
        self.each(reading, &mut |block| {
            gathered.take(block, &self.names, row, see);
            if keep == Keep::All {
                kept.whole.extend_from_slice(&block.counted.vcs);
                kept.measured.extend_from_slice(&block.view.counters.vcs);
            }
        });
        let spec = reading.spec;
        let view = self.network_view(spec);
        let mut summary = view.network(&self.areas, &self.endpoints);
        summary.from_ps = self.from.0;
        let first = self.unbalanced.iter().cloned();
        gathered.finish(&mut summary, &view, first, self.deadlock.clone());
        (summary, kept)
    }
}

/// Counters of all VCs, where they are kept.
#[derive(Debug, Default)]
pub struct KeptCounters {
    /// Of the whole run.
    pub whole: Vec<VcCounters>,
    /// Of what came after the warm-up.
    pub measured: Vec<VcCounters>,
}

/// Some VCs with what was counted of them.
pub struct Block<'a> {
    first: usize,
    pub(crate) counted: &'a RunCounters,
    /// Sending times of the whole run.
    pub(crate) exact: Vec<Vec<Sending>>,
    pub(crate) view: View<'a>,
}

impl Block<'_> {
    /// The VCs of the network that are in it.
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.view.spec.vcs.len()
    }

    /// What the VC `vc`, which is in the range, has counted in the whole run.
    pub fn whole(&self, vc: usize) -> &VcCounters {
        &self.counted.vcs[vc - self.first]
    }

    /// What the VC `vc`, which is in the range, delivered after the warm-up, in bits per second;
    /// the mean over its final hosts.
    pub fn throughput_bps(&self, vc: usize) -> f64 {
        self.view.throughput_bps(&self.view.counters.vcs[vc - self.first])
    }

    /// The row of the VC `vc` of the network, which is in the range.
    pub fn vc(&self, vc: usize) -> VcSummary {
        self.view.vc(vc - self.first)
    }

    /// The rows of the queues of the VC `vc` of the network, which is in the range.
    pub fn queues(&self, vc: usize) -> impl Iterator<Item = QueueSummary> {
        let vc = vc - self.first;
        (0..self.view.spec.vcs[vc].hops.len()).map(move |hop| self.view.queue(vc, hop))
    }

    /// What the VC `vc`, which is in the range, took of each link that it crosses: the link
    /// direction, the time in ps, and the row.
    pub fn shares(&self, vc: usize) -> impl Iterator<Item = (usize, u64, LinkShare)> {
        let vc = vc - self.first;
        let hops = self.view.spec.vcs[vc].hops.iter().enumerate();
        hops.map(move |(index, hop)| {
            let time = self.view.sending[vc][index].0;
            (hop.direction_id().0, time, self.view.link_share(vc, index))
        })
    }
}

/// What the first reading gathers.
struct First<'n> {
    balance: Balance<'n>,
    /// The first law that is broken.
    broken: Option<Violation>,
    lines: Lines,
    digest: Option<Digest>,
    areas: Vec<u128>,
    standing: Standing,
    endpoints: BTreeMap<usize, EndpointCounters>,
    hindrances: Hindrances,
}

impl<'n> First<'n> {
    fn new(spec: &NetworkSpec, names: &'n [String]) -> First<'n> {
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

    fn take(&mut self, part: &Part<'_>) {
        let Part { spec, whole, measured, .. } = part;
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
struct Standing {
    specs: Vec<VcSpec>,
    counts: Vec<VcCounters>,
}

impl Standing {
    fn take(&mut self, spec: &VcSpec, count: &VcCounters) {
        if count.hops.iter().any(|hop| hop.blocked_since.is_some() || hop.fill_packets > 0) {
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
