//! How a port puts units on the wire: it is busy for the transmit time; the unit is due at the
//! other end after that and `beyond`, and is folded into the hash of the direction as it starts.

use hopflow_units::{Bytes, Picos};

use super::Port;
use crate::windowed::state::arena::Cell;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{
    CELL, MADE, RECORD, SIZE_MASK, TO_PORT, Unit, kind_of, pack_size,
};
use hopflow_network::CellKind;

/// The fields of a unit beside its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) value: u32,
    /// The index of its receiver or sender at the next node.
    pub(crate) to: u32,
    pub(crate) word: u64,
}

impl Port {
    /// The transmit time of a packet of this size.
    fn transmit_time(&mut self, bytes: u32) -> u64 {
        let [last, before] = self.times;
        if last.0 == bytes {
            return last.1;
        }
        if before.0 == bytes {
            return before.1;
        }
        let time = self.wire.transmit_time(Bytes(u64::from(bytes))).0;
        self.times = [(bytes, time), last];
        time
    }

    /// Puts a cell of VC `vc` on the wire at `now`: the port is busy for its transmit time.
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[inline(always)]
    pub(crate) fn send(&mut self, now: u64, vc: u32, kind: CellKind, content: Content) {
        self.put(now, vc, kind, kind, content, self.cell_time);
    }

    /// Puts a packet on the wire whose size is not that of a cell, or is marked.
    #[inline(never)]
    pub(crate) fn send_sized(&mut self, now: u64, vc: u32, kind: CellKind, cell: Cell, to: u32) {
        let time = self.transmit_time(cell.bytes & SIZE_MASK);
        let content = Content { value: cell.value, to, word: cell.birth };
        self.put(now, vc, kind_of(kind, cell.bytes), kind, content, time);
        let due = self.busy_until + self.beyond;
        self.output.push(pack_size(cell.bytes & !MADE, due));
        if cell.bytes & RECORD != 0 {
            self.records_mut().push(due);
        }
    }

    /// Puts a frame of a lane on the wire. Its word is not in the hash.
    pub(crate) fn send_frame(&mut self, now: u64, kind: CellKind, value: u32, word: u64) {
        let content = Content { value, to: TO_PORT, word };
        self.put(now, NONE, kind, kind, content, self.cell_time);
    }

    /// Puts a credit cell on the wire: credits with the VCs that they are for, the first one first.
    /// What follows it takes no time.
    pub(crate) fn send_credits(&mut self, now: u64, credits: &[Content], vcs: &[u32]) {
        let corrupted = self.corruption.strikes_credits(vcs);
        let kind = CellKind::Credit;
        self.put_as(now, vcs[0], kind, kind, credits[0], self.cell_time, corrupted);
        let due = self.busy_until + self.beyond;
        let kind = CellKind::FurtherCredit;
        for (Content { value, to, word }, vc) in credits.iter().zip(vcs).skip(1) {
            let unit = Unit { to: *to, kind, value: *value, bytes: CELL, corrupted, word: *word };
            self.output.push(unit.pack(due));
            self.hash.start(now, *vc, kind as u8, *value);
        }
    }

    /// `kind`: the kind of the unit in the order hash and in rows; `wire_kind`: that on the wire.
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[inline(always)]
    fn put(
        &mut self,
        now: u64,
        vc: u32,
        kind: CellKind,
        wire_kind: CellKind,
        Content { value, to, word }: Content,
        time: u64,
    ) {
        let corrupted = self.corruption.strikes(kind, vc);
        self.put_as(now, vc, kind, wire_kind, Content { value, to, word }, time, corrupted);
    }

    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[expect(clippy::too_many_arguments, reason = "it is `put`, with one decision made")]
    #[inline(always)]
    fn put_as(
        &mut self,
        now: u64,
        vc: u32,
        kind: CellKind,
        wire_kind: CellKind,
        Content { value, to, word }: Content,
        time: u64,
        corrupted: bool,
    ) {
        self.busy_until = now + time;
        self.busy += Picos(time);
        let due = self.busy_until + self.beyond;
        let unit = Unit { to, kind: wire_kind, value, bytes: CELL, corrupted, word };
        self.output.push(unit.pack(due));
        self.first_due = self.first_due.min(due);
        self.hash.start(now, vc, kind as u8, value);
        if kind.is_control() {
            self.control_packets += 1;
        } else {
            self.data_packets += 1;
        }
    }
}
