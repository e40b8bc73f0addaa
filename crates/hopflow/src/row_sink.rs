//! Row sink: accepts the rows of a run while it is in progress.

use hopflow_network::{RowOrder, TraceRow};

use crate::row_slice::RowSlice;

/// Accepts rows of a run, which may be too many to keep.
pub trait RowSink {
    /// Rows of the trace that the scenario's `[record]` names, in order, slice by slice.
    fn rows(&mut self, rows: &[TraceRow]);

    /// The same rows, not yet sorted, as a slice that may be sent to another thread.
    fn slice(&mut self, slice: RowSlice) {
        RowOrder::default().each_block(&slice, &mut |rows| self.rows(rows));
    }

    /// The number of slices that it can use at once: the run waits until one of them is dropped.
    fn slices(&self) -> usize {
        3
    }
}
