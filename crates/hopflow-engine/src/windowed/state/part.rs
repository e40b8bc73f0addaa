//! Counters of some VCs, as they are read node by node.

use std::ops::Range;

use hopflow_units::SimTime;

use hopflow_network::DelayHistogram;
use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::{NetworkSpec, VcSpec};

/// Counters of some VCs that follow each other.
pub(crate) struct Part {
    pub(crate) now: SimTime,
    /// The number of the first of them.
    first: usize,
    pub(crate) vcs: Vec<VcCounters>,
}

impl Part {
    /// Those of `range`, with everything at zero.
    pub(crate) fn blank(spec: &NetworkSpec, now: SimTime, range: Range<usize>) -> Part {
        let blank = |vc: usize| VcCounters {
            created_packets: 0,
            policed_packets: 0,
            sent_frames: 0,
            endpoint: None,
            hops: vec![HopCounters::default(); spec.vcs[vc].hops.len()],
            leaves: vec![blank_leaf(&spec.vcs[vc]); spec.vcs[vc].leaf_count()],
            ack_cells: 0,
            acked_cells: 0,
        };
        Part { now, first: range.start, vcs: range.map(blank).collect() }
    }

    /// The instant of the reading.
    pub(crate) const fn now(&self) -> SimTime {
        self.now
    }

    /// The counters of a VC, if it is one of these.
    pub(crate) fn of(&mut self, vc: u32) -> &mut VcCounters {
        &mut self.vcs[vc as usize - self.first]
    }

    /// Those of `all`, which are in order of their VCs, that belong here, from `place` on, which
    /// goes past them.
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

/// A final host to which nothing has come.
fn blank_leaf(vc: &VcSpec) -> LeafCounters {
    let differs = vc.traffic.size.fixed().is_none();
    LeafCounters { waiting: differs.then(DelayHistogram::default), ..LeafCounters::default() }
}

/// How far VCs have been read at a node: senders, receivers, sources.
pub(crate) type Places = [usize; 3];
