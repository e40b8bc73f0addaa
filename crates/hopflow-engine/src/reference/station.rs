//! Stations: where cells of a VC wait at a node.

use std::collections::VecDeque;

use super::unit::Held;

/// The cells of one part that one node holds, in order, shared by all branches.
#[derive(Debug)]
pub(super) struct Station {
    pub(super) node: usize,
    /// The hop that feeds it; `None` where cells are created.
    pub(super) fed_by: Option<usize>,
    /// The hops that leave it, in order.
    pub(super) branches: Vec<usize>,
    pub(super) held: VecDeque<Held>,
    /// Cells freed since the start; the oldest held cell has this index.
    pub(super) freed_cells: u64,
    /// Cells pushed out; they have no index.
    pub(super) pushed_out_packets: u64,
}

impl Station {
    pub(super) fn new(node: usize, fed_by: Option<usize>, branches: Vec<usize>) -> Station {
        Station {
            node,
            fed_by,
            branches,
            held: VecDeque::new(),
            freed_cells: 0,
            pushed_out_packets: 0,
        }
    }

    /// Cells accepted since the start; the next arriving one has this index.
    pub(super) fn entered_packets(&self) -> u64 {
        self.freed_cells + self.held.len() as u64
    }
}
