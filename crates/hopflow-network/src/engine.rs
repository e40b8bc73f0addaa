//! The interface of an engine. There are two: the windowed engine for use, and the reference
//! engine, which is slow and simple, and with which the windowed engine is compared.

use std::ops::Range;

use hopflow_control::external::Fault;
use hopflow_units::{Picos, SimTime};

use crate::{RowOrder, RowRuns, RunCounters, TraceRow};

/// A simulation of one [`crate::NetworkSpec`], from instant 0 on.
pub trait Engine: Send {
    /// Runs everything that happens before `end` (exclusive). `end` never decreases.
    fn run_until(&mut self, end: SimTime);

    /// Moves the trace rows made since the last call to the end of `rows`: ordered by time, then
    /// node, then in order of occurrence at the node.
    fn drain_trace(&mut self, rows: &mut Vec<TraceRow>) {
        let mut runs = RowRuns::default();
        self.collect_trace(&mut runs);
        RowOrder::default().each_block(&runs, &mut |block| rows.extend_from_slice(block));
    }

    /// Moves the trace rows made since the last call to the end of `runs`, node after node:
    /// [`RowOrder`] puts them in order, perhaps on another thread.
    fn collect_trace(&mut self, runs: &mut RowRuns);

    /// Resets, at the last `end`, statistics that cannot be subtracted later: delays, queue
    /// lengths, first and last deliveries; greatest values restart from the present values. Counts,
    /// spans and integrals continue. The simulation itself does not change.
    fn restart_statistics(&mut self);

    /// Cells of all kinds started up to the last `end`, on all links. It reads no VC, so that it is
    /// cheap if there are very many.
    fn started_packets(&self) -> u64 {
        let directions = self.counters().directions;
        directions.iter().map(|d| d.data_packets + d.control_packets).sum()
    }

    /// A measure of the work done up to the last `end`: started units, and fired timers where the
    /// engine counts them. It depends on the network alone, and is as cheap to read as the started
    /// cells.
    fn work(&self) -> u64 {
        self.started_packets()
    }

    /// The time for which a node is run at once, in the mean of all nodes. A call of
    /// [`Engine::run_until`] for less runs every busy node for less.
    fn window(&self) -> Picos {
        Picos(1)
    }

    /// Why the run has no result, after an external machine has failed. The simulation after that
    /// is meaningless.
    fn fault(&self) -> Option<Fault>;

    /// The counters up to the last `end`.
    fn counters(&self) -> RunCounters;

    /// The same, at most `most` VCs at a time: `take` receives all counters with those of some VCs,
    /// in order, and which VCs these are. The returned counters have no VCs. So the counters of all
    /// VCs are never in memory at once.
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
