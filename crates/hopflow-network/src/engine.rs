//! What every engine can do. There are two: the windowed engine for use, and the reference
//! engine, slow and obviously right, that it is held against.

use hopflow_units::SimTime;

use crate::{RunCounters, TraceRow};

/// A simulation of one [`crate::NetworkSpec`], from instant 0 on.
pub trait Engine {
    /// Runs everything that happens before `end` (exclusive). `end` never goes back.
    fn run_until(&mut self, end: SimTime);

    /// Moves the trace rows made since the last call to the end of `rows`: ordered by time, then
    /// node, then as they happened at the node.
    fn drain_trace(&mut self, rows: &mut Vec<TraceRow>);

    /// Forgets, at the last `end`, what cannot be subtracted later: delays, queue lengths, first
    /// and last deliveries; greatest values begin again at what holds now. Counts, spans and
    /// integrals run on. Nothing of what is simulated changes.
    fn restart_statistics(&mut self);

    /// Cells of all kinds started up to the last `end`, on all links. It looks at no VC, so that
    /// it costs little where there are very many.
    fn started_cells(&self) -> u64 {
        let directions = self.counters().directions;
        directions.iter().map(|d| d.data_cells + d.control_cells).sum()
    }

    /// What has been counted up to the last `end`.
    fn counters(&self) -> RunCounters;
}
