//! What every engine can do. There are two: the windowed engine for use, and the reference
//! engine, slow and obviously right, that it is held against.

use std::ops::Range;

use hopflow_control::external::Fault;
use hopflow_units::SimTime;

use crate::{RowOrder, RowRuns, RunCounters, TraceRow};

/// A simulation of one [`crate::NetworkSpec`], from instant 0 on.
pub trait Engine: Send {
    /// Runs everything that happens before `end` (exclusive). `end` never goes back.
    fn run_until(&mut self, end: SimTime);

    /// Moves the trace rows made since the last call to the end of `rows`: ordered by time, then
    /// node, then as they happened at the node.
    fn drain_trace(&mut self, rows: &mut Vec<TraceRow>) {
        let mut runs = RowRuns::default();
        self.collect_trace(&mut runs);
        RowOrder::default().each_block(&runs, &mut |block| rows.extend_from_slice(block));
    }

    /// Moves the trace rows made since the last call to the end of `runs`, node after node:
    /// [`RowOrder`] puts them in order, maybe on another thread.
    fn collect_trace(&mut self, runs: &mut RowRuns);

    /// Forgets, at the last `end`, what cannot be subtracted later: delays, queue lengths, first
    /// and last deliveries; greatest values begin again at what holds now. Counts, spans and
    /// integrals run on. Nothing of what is simulated changes.
    fn restart_statistics(&mut self);

    /// Cells of all kinds started up to the last `end`, on all links. It looks at no VC, so that
    /// it costs little where there are very many.
    fn started_packets(&self) -> u64 {
        let directions = self.counters().directions;
        directions.iter().map(|d| d.data_packets + d.control_packets).sum()
    }

    /// Why the run has no result, once an external machine has failed. What is simulated after it
    /// says nothing.
    fn fault(&self) -> Option<Fault>;

    /// What has been counted up to the last `end`.
    fn counters(&self) -> RunCounters;

    /// The same, at most `most` VCs at a time: `take` gets all counters with those of some VCs, in
    /// order, and which these are. What is returned has no VCs. So nobody needs memory for the
    /// counters of all VCs at once.
    fn counters_by_parts(
        &self,
        most: usize,
        take: &mut dyn FnMut(&mut RunCounters, Range<usize>),
    ) -> RunCounters {
        let mut counters = self.counters();
        let mut vcs = std::mem::take(&mut counters.vcs).into_iter();
        let mut first = 0;
        while vcs.len() > 0 {
            counters.vcs = vcs.by_ref().take(most.max(1)).collect();
            let range = first..first + counters.vcs.len();
            first = range.end;
            take(&mut counters, range);
        }
        counters.vcs = Vec::new();
        counters
    }
}
