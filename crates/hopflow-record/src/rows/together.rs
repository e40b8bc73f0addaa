//! The sums over all VCs of a run, and the second reading, which needs them.

use std::collections::BTreeMap;

use hopflow_control::credit::Sharers;
use hopflow_network::counters::VcCounters;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::{NetworkSpec, RunCounters};
use hopflow_units::{Picos, SimTime};

use super::Keep;
use super::block::Block;
use super::first::First;
use super::hindrances::Hindrances;
use super::reading::{BlockCounters, Reading};
use crate::digest::Digest;
use crate::gather::Gathered;
use crate::names::direction_names;
use crate::properties::{Violation, lane_violations, unbalanced};
use crate::sending::{Lines, Times};
use crate::summary::build::View;
use crate::summary::{Summary, VcSummary};
use crate::warm_up;

/// The sums over all VCs of a run, with which the rows can be read block by block.
#[derive(Debug)]
pub struct Together {
    names: Vec<String>,
    sharers: Vec<Sharers>,
    times: Times,
    /// Those at the end of the warm-up, if there was one.
    times_before: Option<Times>,
    /// By link direction, the integral of the queues at its port, in cell x ps.
    areas: Vec<u128>,
    /// By VC, the counters of the endpoint that sends on it.
    endpoints: BTreeMap<usize, EndpointCounters>,
    hindrances: Hindrances,
    digest: u64,
    /// Cells that appeared or vanished, overruns of lanes, and a cycle of buffers that waits for
    /// itself.
    unbalanced: Option<Violation>,
    lanes: Vec<Violation>,
    deadlock: Option<Violation>,
    whole: RunCounters,
    measured: RunCounters,
    from: SimTime,
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
            sharers: spec.sharers(),
            times: lines.close(spec, &whole),
            times_before,
            areas,
            endpoints,
            hindrances,
            digest: digest.unwrap_or_else(|| Digest::new(&whole)).finish(&whole, &spec.machines),
            unbalanced: broken,
            lanes: lane_violations(spec, &whole, &names),
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

    /// The counters of the whole run, without VCs.
    pub fn whole(&self) -> &RunCounters {
        &self.whole
    }

    /// The counters after the warm-up, without VCs.
    pub fn measured(&self) -> &RunCounters {
        &self.measured
    }

    /// Events by which schedulers could not keep their promises.
    pub fn hindrances(&self) -> &Hindrances {
        &self.hindrances
    }

    /// The duration of the measured part.
    fn span(&self) -> Picos {
        warm_up::span(self.from, self.measured.now)
    }

    /// Links, ports and nodes with names and units.
    pub(crate) fn network_view<'a>(&'a self, spec: &'a NetworkSpec) -> View<'a> {
        View {
            spec,
            counters: &self.measured,
            names: &self.names,
            sharers: &[],
            sending: Vec::new(),
            span: self.span(),
        }
    }

    /// All rows, a block of VCs at a time, in order.
    pub fn each(&self, reading: &Reading<'_>, take: &mut dyn FnMut(&Block<'_>)) {
        reading.each(&mut |part| take(&self.block(part)));
    }

    fn block<'a>(&'a self, part: &'a BlockCounters<'a>) -> Block<'a> {
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
            sharers: &self.sharers,
            sending,
            span: self.span(),
        };
        Block { first: part.range.start, counted: part.whole, exact: whole, view }
    }

    /// The second reading: the summary. `row` adds results of higher crates to the row of a VC;
    /// `see` is called for every VC, and returns a violation found by a higher crate.
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
        let last = self.lanes.iter().chain(&self.deadlock).cloned();
        gathered.finish(&mut summary, &view, first, last);
        (summary, kept)
    }
}

/// Counters of all VCs, if they are kept.
#[derive(Debug, Default)]
pub struct KeptCounters {
    /// Those of the whole run.
    pub whole: Vec<VcCounters>,
    /// Those of the time after the warm-up.
    pub measured: Vec<VcCounters>,
}
