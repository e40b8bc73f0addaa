//! Credit cells that hops share.

use std::collections::VecDeque;

use hopflow_control::credit::CreditCarrier;

use super::unit::{HopId, Unit};

/// The credit cells that hops over one direction share, at the port back.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    pub(super) groups: Vec<Carrier>,
    /// Credits on the wire, in order, but for the first of each cell.
    pub(super) further: VecDeque<Unit>,
}

#[derive(Debug)]
pub(super) struct Carrier {
    pub(super) machine: CreditCarrier,
    pub(super) members: Vec<HopId>,
    pub(super) per_cell: usize,
}
