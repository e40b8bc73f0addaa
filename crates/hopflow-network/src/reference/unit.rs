//! What crosses a link, and what waits to do so ahead of all data.

use hopflow_control::credit::CreditValue;
use hopflow_units::{Picos, SimTime};

use super::state::{Cell, HopId};
use crate::CellKind;

/// What crosses a link.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    /// Data or, on a hop of an ACK part, ACK.
    Cell { id: HopId, cell: Cell },
    /// A credit of the hop `id`, with the cells its receiver had freed as it started.
    Credit { id: HopId, value: CreditValue, freed_cells: u64 },
    /// A request to the receiver of the hop `id`, with the cells its sender has started.
    Request { id: HopId, sent_packets: u64 },
    /// A message to the sender of the hop `id` that its VC is too fast.
    SlowDown { id: HopId },
    /// A frame of a lane of the reverse direction: kind, value and the FCTBS it carries.
    Lane { kind: CellKind, value: u32, fctbs: Option<u32> },
    /// A looping cell.
    Loop { started: SimTime },
    /// Its reply, which has waited in line at the far end for so long.
    LoopReply { started: SimTime, waited: Picos },
}

/// What waits in the control line of a port.
#[derive(Clone, Copy, Debug)]
pub(super) enum Control {
    Credit(HopId),
    Request(HopId),
    SlowDown(HopId),
    /// A frame of this lane of the reverse direction.
    Lane(u8),
    Loop,
    LoopReply {
        started: SimTime,
        arrived: SimTime,
    },
}
