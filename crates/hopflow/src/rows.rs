//! The rows of a run: all VCs and queues, read from the counters of the engine block by block, so
//! that memory for all of them at once is never needed.
//!
//! A summary and files are built from them, and `rows/document.rs` prints them as JSON. Bounds and
//! fair shares are computed once, for all VCs together.

mod document;

use hopflow_network::{Engine, NetworkSpec, RunCounters};
use hopflow_record::{
    BLOCK, Block, FairnessSummary, Keep, LinkShare, QueueSummary, Reading, Summary, Together,
    VcSummary,
};
use hopflow_scenario::Routing;
use hopflow_units::SimTime;

use crate::bounds::Bounds;
use crate::fairness::{Fairness, Jain, stop_together};

pub use document::{AllQueues, AllVcs, RowsSummary};

/// The rows of a run, at its end.
pub struct Rows {
    network: NetworkSpec,
    /// The counters at the end of the warm-up.
    before: Option<RunCounters>,
    engine: Box<dyn Engine>,
    /// The counters at the end, if one block has all VCs: they are read once.
    after: Option<RunCounters>,
    together: Together,
    bounds: Bounds,
    fairness: Option<Fairness>,
}

impl Rows {
    /// The rows of `engine`, which has run `network`. `before`: its counters at the end of the
    /// warm-up. `routing`: the choice of its routes, if it is known.
    pub(crate) fn new(
        network: NetworkSpec,
        routing: Option<&Routing>,
        before: Option<RunCounters>,
        engine: Box<dyn Engine>,
    ) -> Rows {
        let after = (network.vcs.len() <= BLOCK).then(|| engine.counters());
        let together =
            Together::read(&reading(&network, before.as_ref(), engine.as_ref(), after.as_ref()));
        let directions = &together.whole().directions;
        let bounds = Bounds::of(&network, directions, together.hindrances());
        let from = before.as_ref().map_or(SimTime::ZERO, |before| before.now);
        let fairness = Fairness::of(&network, routing, from..together.whole().now);
        Rows { network, before, engine, after, together, bounds, fairness }
    }

    /// The network of the run.
    pub fn network(&self) -> &NetworkSpec {
        &self.network
    }

    /// The digest of the run.
    pub fn digest(&self) -> u64 {
        self.together.digest()
    }

    fn reading(&self) -> Reading<'_> {
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        reading(&self.network, before, self.engine.as_ref(), after)
    }

    /// Adds the bound and the fair share of a VC, which depend on all VCs, to its row.
    fn add(&self, vc: usize, row: &mut VcSummary) {
        self.bounds.add_to(vc, row);
        if let Some(fairness) = &self.fairness {
            fairness.add_to(vc, row);
        }
    }

    /// The summary with the rows to keep, and the counters of the whole run and of the time after
    /// the warm-up: with VCs if all rows are kept.
    pub(crate) fn summarize(&self, keep: Keep) -> (Summary, RunCounters, RunCounters) {
        let mut jain = Jain::default();
        let (mut summary, kept) = self.together.summarize(
            &self.reading(),
            keep,
            &|vc, row| self.add(vc, row),
            &mut |vc, block| {
                if let Some(share) = self.fairness.as_ref().and_then(|fair| fair.share_bps(vc)) {
                    jain.add(block.throughput_bps(vc), share);
                }
                self.bounds.exceeded(&self.network, vc, block.whole(vc))
            },
        );
        let from = self.before.as_ref().map_or(SimTime::ZERO, |before| before.now);
        let together = stop_together(&self.network, from..self.together.whole().now);
        let index = jain.index().filter(|_| together);
        summary.fairness = index.map(|jain_index| FairnessSummary { jain_index, vcs: jain.vcs() });
        summary.admission = self.network.admission();
        let with = |counters: &RunCounters, vcs| RunCounters { vcs, ..counters.clone() };
        let whole = with(self.together.whole(), kept.whole);
        (summary, whole, with(self.together.measured(), kept.measured))
    }

    fn each_block(&self, take: &mut dyn FnMut(&Block<'_>)) {
        self.together.each(&self.reading(), take);
    }

    /// The row of every VC, in order.
    pub fn each_vc(&self, take: &mut dyn FnMut(&VcSummary)) {
        self.each_block(&mut |block| block.range().for_each(|vc| take(&self.row(block, vc))));
    }

    /// The row of every queue, in order.
    pub fn each_queue(&self, take: &mut dyn FnMut(&QueueSummary)) {
        self.each_block(&mut |block| {
            block.range().flat_map(|vc| block.queues(vc)).for_each(|queue| take(&queue));
        });
    }

    /// All rows, some VCs at a time, in order: `take` gets a summary that has only `vcs` and
    /// `queues`.
    pub fn each(&self, take: &mut dyn FnMut(&Summary)) {
        self.each_block(&mut |block| {
            let mut part = Summary::empty(self.together.whole().now);
            part.vcs = block.range().map(|vc| self.row(block, vc)).collect();
            part.queues = block.range().flat_map(|vc| block.queues(vc)).collect();
            take(&part);
        });
    }

    fn row(&self, block: &Block<'_>, vc: usize) -> VcSummary {
        let mut row = block.vc(vc);
        self.add(vc, &mut row);
        row
    }

    /// By link direction, the shares of all its VCs, greatest first.
    pub fn link_shares(&self) -> Vec<Vec<LinkShare>> {
        let mut links: Vec<Vec<(u64, LinkShare)>> = Vec::new();
        links.resize_with(self.network.direction_count(), Vec::new);
        self.each_block(&mut |block| {
            for (link, time, share) in block.range().flat_map(|vc| block.shares(vc)) {
                links[link].push((time, share));
            }
        });
        let sorted = |mut shares: Vec<(u64, LinkShare)>| {
            shares.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
            shares.into_iter().map(|(_, share)| share).collect()
        };
        links.into_iter().map(sorted).collect()
    }
}

fn reading<'a>(
    network: &'a NetworkSpec,
    before: Option<&'a RunCounters>,
    engine: &'a dyn Engine,
    after: Option<&'a RunCounters>,
) -> Reading<'a> {
    match after {
        Some(after) => Reading::of_counters(network, before, after),
        None => Reading::new(network, before, engine),
    }
}

#[cfg(test)]
mod tests;
