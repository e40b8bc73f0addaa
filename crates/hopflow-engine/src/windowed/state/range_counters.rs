//! Counters of a range of VCs, collected node by node.

use std::ops::Range;

use hopflow_units::SimTime;

use hopflow_network::DelayHistogram;
use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::{NetworkSpec, VcSpec};

/// Counters of a range of VCs.
pub(crate) struct RangeCounters {
    /// The instant of the reading.
    pub(crate) now: SimTime,
    /// The number of the first VC.
    first: usize,
    pub(crate) vcs: Vec<VcCounters>,
}

impl RangeCounters {
    /// Zero counters of the VCs in `range`.
    pub(crate) fn blank(spec: &NetworkSpec, now: SimTime, range: Range<usize>) -> RangeCounters {
        let blank = |vc: usize| VcCounters {
            hops: vec![HopCounters::default(); spec.vcs[vc].hops.len()],
            leaves: vec![blank_leaf(&spec.vcs[vc]); spec.vcs[vc].leaf_count()],
            ..VcCounters::default()
        };
        RangeCounters { now, first: range.start, vcs: range.map(blank).collect() }
    }

    /// The counters of a VC. Panics outside the range.
    pub(crate) fn of(&mut self, vc: u32) -> &mut VcCounters {
        &mut self.vcs[vc as usize - self.first]
    }

    /// Whether a VC belongs to the range.
    pub(crate) fn contains(&self, vc: u32) -> bool {
        (self.first..self.first + self.vcs.len()).contains(&(vc as usize))
    }

    /// The entries of `all`, which are in the order of their VCs, that belong to the range, from
    /// `place` on. `place` advances past them.
    pub(crate) fn mine<'a, T>(
        &self,
        all: &'a [T],
        place: &mut usize,
        vc: impl Fn(&T) -> u32,
    ) -> &'a [T] {
        let end = (self.first + self.vcs.len()) as u32;
        let begin = *place;
        *place += all[begin..].iter().take_while(|one| vc(one) < end).count();
        &all[begin..*place]
    }
}

/// The counters of a final host before its first arrival.
fn blank_leaf(vc: &VcSpec) -> LeafCounters {
    let differs = vc.traffic.size.fixed().is_none();
    LeafCounters { waiting: differs.then(DelayHistogram::default), ..LeafCounters::default() }
}

/// The progress of the reading at a node: senders, receivers, sources.
pub(crate) type Places = [usize; 3];
