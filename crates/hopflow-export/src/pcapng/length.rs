//! The lengths of packets, which the rows of a trace do not contain.
//!
//! If all packets of a VC have one size, it is that. Otherwise the time on the wire gives it:
//! ```text
//! size = floor((arrived - started - delay - processing) x rate / 8) - overhead           (1)
//! ```
//! The time was rounded up to a whole picosecond, so (1) is exact up to 8 Tb/s. Packets arrive on a
//! link direction in the order of their starts, so a queue of starts per direction is enough.
//! Checked by: `tests.rs`.

use std::collections::VecDeque;

use hopflow::network::{
    CellKind, DirectionId, NetworkSpec, SizeLaw, TraceEvent, TraceRow, VcSpec, Wire,
};
use hopflow::units::{Bytes, Picos, SimTime};

/// A data packet on its way over a link direction.
struct OnItsWay {
    started: SimTime,
    vc: u32,
    value: u32,
}

/// A link direction.
struct Line {
    wire: Wire,
    /// The time from the last bit on the wire to its effect.
    beyond: Picos,
    on_its_way: VecDeque<OnItsWay>,
}

/// The lengths of packets.
pub(super) struct Lengths {
    /// By VC: the size of all its packets. `None`: sizes differ.
    sizes: Vec<Option<Bytes>>,
    lines: Vec<Line>,
}

/// The size of all packets of a VC. `None`: sizes differ, or may.
pub(crate) fn only_size(vc: &VcSpec) -> Option<Bytes> {
    match vc.traffic.size {
        SizeLaw::Fixed(size) if size == Bytes::CELL => Some(size),
        SizeLaw::Fixed(size) if !vc.source.is_endpoint() => Some(size),
        _ => None,
    }
}

impl Lengths {
    pub(super) fn new(network: &NetworkSpec) -> Lengths {
        let line = |index| {
            let direction = network.direction(DirectionId(index));
            let (wire, beyond) = (direction.wire(), direction.beyond());
            Line { wire, beyond, on_its_way: VecDeque::new() }
        };
        Lengths {
            sizes: network.vcs.iter().map(only_size).collect(),
            lines: (0..network.direction_count()).map(line).collect(),
        }
    }

    /// Takes a row and returns the length of its unit. If sizes differ, only a row that ends a
    /// crossing has a length; `None` for other rows, and if the start is not in the trace.
    pub(super) fn of(&mut self, row: &TraceRow) -> Option<Bytes> {
        if row.kind != CellKind::Data {
            return Some(Bytes::CELL);
        }
        if let Some(size) = self.sizes[row.vc as usize] {
            return Some(size);
        }
        let line = &mut self.lines[row.direction as usize];
        match row.event {
            TraceEvent::Started => {
                let started = OnItsWay { started: row.time, vc: row.vc, value: row.value };
                line.on_its_way.push_back(started);
                None
            }
            TraceEvent::Arrived | TraceEvent::Corrupted | TraceEvent::Dropped
                if row.at_receiver =>
            {
                let is_it = |first: &mut OnItsWay| first.vc == row.vc && first.value == row.value;
                let first = line.on_its_way.pop_front_if(is_it)?;
                line.size(row.time - first.started)
            }
            _ => None,
        }
    }
}

impl Line {
    /// Eq. (1). `None` if no size takes this time.
    fn size(&self, span: Picos) -> Option<Bytes> {
        let on_wire = span.0.checked_sub(self.beyond.0)?;
        let bits = u128::from(on_wire) * u128::from(self.wire.rate.bps());
        let bytes = u64::try_from(bits / u128::from(8 * Picos::PER_SECOND)).ok()?;
        let size = Bytes(bytes.checked_sub(self.wire.overhead.0)?);
        (self.wire.transmit_time(size) == Picos(on_wire)).then_some(size)
    }
}
