//! What happens in the window of a plain node, noted as it is known.

use std::cell::Cell;

use hopflow_network::TraceEvent;

/// What becomes a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) time: u64,
    /// Phase x 2^32 + port, or in which order it came.
    pub(super) order: u64,
    pub(super) event: TraceEvent,
    pub(super) index: u32,
    pub(super) value: u32,
}

const LEFT: u64 = 0;
const ARRIVED: u64 = 1 << 32;
const MADE: u64 = 2 << 32;
const STARTED: u64 = 3 << 32;

thread_local! {
    pub(super) static NOTES: Cell<Notes> = const { Cell::new(Notes { all: Vec::new(), came: 0 }) };
}

/// Notes of the window of one node. Their room is that of the thread, so that it stays in the
/// nearest cache.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) all: Vec<Note>,
    /// How many packets have come.
    pub(super) came: u64,
}

impl Notes {
    /// A packet arrives, is made, or is made and discarded; `index`: its VC here. Those of an
    /// instant come by input.
    #[inline]
    pub(super) fn came(&mut self, event: TraceEvent, index: u32, time: u64, value: u32) {
        let phase = if event == TraceEvent::Arrived { ARRIVED } else { MADE };
        self.all.push(Note { time, order: phase + self.came, event, index, value });
        self.came += 1;
    }

    /// A packet goes on the link of a port: when it starts, and when it will have left.
    #[inline]
    pub(super) fn put(&mut self, port: u32, hop: u32, [start, leave]: [u64; 2], value: u32) {
        let (port, index) = (u64::from(port), hop);
        let note = |time, phase, event| Note { time, order: phase + port, event, index, value };
        self.all.push(note(start, STARTED, TraceEvent::Started));
        self.all.push(note(leave, LEFT, TraceEvent::Left));
    }
}
