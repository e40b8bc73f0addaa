//! Block: the rows of some VCs, and of their queues and shares of links.

use std::ops::Range;

use hopflow_network::RunCounters;
use hopflow_network::counters::VcCounters;

use crate::sending::Sending;
use crate::summary::build::View;
use crate::summary::{LinkShare, QueueSummary, VcSummary};

/// Some VCs with their counters.
pub struct Block<'a> {
    pub(super) first: usize,
    pub(crate) counted: &'a RunCounters,
    /// Sending times of the whole run.
    pub(crate) exact: Vec<Vec<Sending>>,
    pub(crate) view: View<'a>,
}

impl Block<'_> {
    /// The VCs of the block, by their index in the network.
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.view.spec.vcs.len()
    }

    /// The counters of the VC `vc`, which is in the range, in the whole run.
    pub fn whole(&self, vc: usize) -> &VcCounters {
        &self.counted.vcs[vc - self.first]
    }

    /// The throughput of the VC `vc`, which is in the range, after the warm-up, in bits per second;
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

    /// The use of each link by the VC `vc`, which is in the range: the link direction, the time in
    /// ps, and the row.
    pub fn shares(&self, vc: usize) -> impl Iterator<Item = (usize, u64, LinkShare)> {
        let vc = vc - self.first;
        let hops = self.view.spec.vcs[vc].hops.iter().enumerate();
        hops.map(move |(index, hop)| {
            let time = self.view.sending[vc][index].0;
            (hop.direction_id().0, time, self.view.link_share(vc, index))
        })
    }
}
