//! Taker: who takes in the rows of a run while it goes on.

use hopflow_network::{RowOrder, TraceRow};

use crate::row_slice::RowSlice;

/// Takes in what a run may make too much of to keep.
pub trait Taker {
    /// Rows of the trace that the scenario's `[record]` names, in order, slice by slice.
    fn rows(&mut self, rows: &[TraceRow]);

    /// The same rows, not yet in order, as a slice that may go to another thread.
    fn slice(&mut self, slice: RowSlice) {
        RowOrder::default().each_block(&slice, &mut |rows| self.rows(rows));
    }

    /// How many slices it can use at once: the run waits for one of them to come back.
    fn slices(&self) -> usize {
        3
    }
}
