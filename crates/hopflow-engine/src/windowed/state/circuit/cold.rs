//! The cold part of a circuit: a window, spans after which it requests credit or is given up, rate
//! control, records of units, and counts of rare events. Most VCs have none of it, and use no
//! memory for it.

use std::collections::VecDeque;

use hopflow_control::credit::Sender;

use crate::embed::record::Record;
use crate::windowed::state::rated::AbrState;

/// The cold part of a circuit, which is created when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct ColdCircuit {
    /// The end-to-end window, on the first hop of a VC that has one; else `Free`.
    pub(crate) window: Sender,
    /// Span after which a blocked sender requests credit, and its beginning.
    pub(crate) request_after: Option<u64>,
    pub(crate) request_from: u64,
    /// Branch: span after which it is given up, the instant since which its next cell waits, and
    /// whether it is given up.
    pub(crate) give_up_after: Option<u64>,
    pub(crate) held_since: u64,
    pub(crate) given_up: bool,
    pub(crate) credits_corrupted: u64,
    pub(crate) request_cells: u64,
    pub(crate) given_up_packets: u64,
    pub(crate) pushed_out_packets: u64,
    pub(crate) slow_down_messages: u64,
    /// The instant at which the scheduler deleted the flow, in ps.
    pub(crate) deleted: Option<u64>,
    /// The state of a VC under rate control.
    pub(crate) rated: Option<Box<AbrState>>,
    /// The records of the units in its queue that have one, in order.
    pub(crate) records: VecDeque<Record>,
}
