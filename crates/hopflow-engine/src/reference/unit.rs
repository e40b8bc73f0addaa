//! Units that cross a link, control cells that wait before all data, and cells held at nodes.

use hopflow_control::credit::CreditValue;
use hopflow_control::rate::RmCell;
use hopflow_units::{Bytes, Picos, SimTime};

use crate::embed::call::Message;
use crate::embed::record::Record;
use hopflow_network::{CellKind, DirectionId};

/// One hop of the forward part or of the ACK part of a VC. Ordered as timers are: by VC, the
/// forward part first, then by hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HopId {
    pub(super) vc: usize,
    pub(super) ack: bool,
    /// In the ACK part, hop h crosses the reverse of the VC's hop h.
    pub(super) hop: usize,
}

/// A data or ACK cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Data: the sequence number. ACK: the next cell expected.
    pub(super) number: u64,
    pub(super) born: SimTime,
    pub(super) size: Bytes,
    /// Whether it is the last of a frame of AAL5.
    pub(super) is_last: bool,
    /// EFCI.
    pub(super) marked: bool,
    /// Congestion experienced.
    pub(super) congested: bool,
    /// What it carries.
    pub(super) record: Option<Record>,
}

impl Cell {
    /// A data packet, or an ACK.
    pub(super) const fn new(number: u64, born: SimTime, size: Bytes) -> Cell {
        Cell { number, born, size, is_last: false, marked: false, congested: false, record: None }
    }

    /// An RM cell.
    pub(super) const fn rm(number: u64, born: SimTime, rm: RmCell) -> Cell {
        Cell { record: Some(Record::Rm(rm)), ..Cell::new(number, born, Bytes::CELL) }
    }

    /// Its contents, if it is an RM cell.
    pub(super) fn rm_cell(&self) -> Option<RmCell> {
        self.record?.rm().copied()
    }
}

/// Where a limit is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Node(usize),
    Port(DirectionId),
    /// A station of the part of a VC that the hop belongs to.
    Station(HopId, usize),
}

/// A cell, and the instant since which it is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) cell: Cell,
    pub(super) since: SimTime,
}

/// The end of a hop.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Station(usize),
    Leaf(usize),
}

/// A unit that crosses a link.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    /// Data or, on a hop of an ACK part, ACK.
    Cell { id: HopId, cell: Cell },
    /// A credit.
    Credit(Credit),
    /// A request to the receiver of the hop `id`, with the cells its sender has started.
    Request { id: HopId, sent_units: u64 },
    /// A message to the sender of the hop `id` that its VC is too fast.
    SlowDown { id: HopId },
    /// A message about the reservation of the hop `id`, which crosses its link, or answers back.
    Message { id: HopId, message: Message },
    /// A frame of a lane of the reverse direction: kind, value and the FCTBS it carries.
    Lane { kind: CellKind, lane: u16, value: u32, fctbs: Option<u32> },
    /// A looping cell.
    Loop { started: SimTime },
    /// Its reply, which has waited for `waited` in the control queue at the far end.
    LoopReply { started: SimTime, waited: Picos },
}

/// A unit in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnWire {
    pub(super) unit: Unit,
    pub(super) corrupted: bool,
    /// Credits in its cell after the first one; the port has them.
    pub(super) further: usize,
}

/// A credit in a credit cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credit {
    /// The hop that it is for.
    pub(super) id: HopId,
    pub(super) value: CreditValue,
    /// The cells that its receiver had freed as it started.
    pub(super) freed_units: u64,
    /// Whether its value is wrong.
    pub(super) is_false: bool,
    /// Whether it is in a cell after a credit of another hop.
    pub(super) is_further: bool,
}

/// An entry of the control queue of a port.
#[derive(Clone, Copy, Debug)]
pub(super) enum Control {
    Credit(HopId),
    /// A credit cell of the hops that share this one.
    SharedCredits(usize),
    Request(HopId),
    SlowDown(HopId),
    Message(HopId, Message),
    /// A frame of this lane of the reverse direction.
    Lane(u16),
    Loop,
    LoopReply {
        started: SimTime,
        arrived: SimTime,
    },
}

/// The kind of a cell of a part.
pub(super) fn kind_of(ack: bool, cell: &Cell) -> CellKind {
    match (ack, cell.rm_cell().is_some()) {
        (false, false) => CellKind::Data,
        (false, true) => CellKind::ForwardRm,
        (true, false) => CellKind::Ack,
        (true, true) => CellKind::BackwardRm,
    }
}

/// The rate of an RM cell, for trace rows: CCR forward, ER backward; `None` of other cells.
pub(super) fn rm_rate(cell: &Cell) -> Option<u32> {
    cell.rm_cell()?;
    cell.record.map(Record::trace_value)
}

/// Kind, VC and value of a unit, for the trace and the order hash.
pub(super) fn label(unit: &Unit) -> (CellKind, u32, u32) {
    match unit {
        Unit::Cell { id, cell } => {
            let kind = kind_of(id.ack, cell);
            (kind, id.vc as u32, CreditValue::from_total(cell.number).bits())
        }
        Unit::Credit(credit) => {
            let Credit { id, value, is_further, .. } = *credit;
            let kind = if is_further { CellKind::FurtherCredit } else { CellKind::Credit };
            (kind, id.vc as u32, value.bits())
        }
        Unit::Request { id, .. } => (CellKind::Request, id.vc as u32, 0),
        Unit::SlowDown { id } => (CellKind::SlowDown, id.vc as u32, 0),
        Unit::Message { id, message } => (message.kind(), id.vc as u32, message.value()),
        Unit::Lane { kind, value, .. } => (*kind, u32::MAX, *value),
        Unit::Loop { .. } => (CellKind::Loop, u32::MAX, 0),
        Unit::LoopReply { .. } => (CellKind::LoopReply, u32::MAX, 0),
    }
}
