//! Events in the window of a FIFO-only node, recorded as soon as they are known.

use std::cell::Cell;

use super::output::Transmission;
use hopflow_network::TraceEvent;

/// An event that becomes a trace row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) time: u64,
    /// Phase x 2^32 + port, or + the number of the arrival or creation.
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
    pub(super) static NOTES: Cell<Notes> = const { Cell::new(Notes { all: Vec::new(), count: 0 }) };
}

/// The events of one node in a window. The thread owns the memory, so that it stays in the nearest
/// cache.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) all: Vec<Note>,
    /// The number of packets that arrived or were created.
    pub(super) count: u64,
}

impl Notes {
    /// A packet arrives, or is dropped on arrival; `index`: its VC at this node. Arrivals of one
    /// instant come in the order of inputs, then admissions.
    #[inline]
    pub(super) fn arrive(&mut self, event: TraceEvent, index: u32, time: u64, value: u32) {
        self.note(ARRIVED, event, index, time, value);
    }

    /// A packet is created, or is created and discarded.
    #[inline]
    pub(super) fn make(&mut self, event: TraceEvent, index: u32, time: u64, value: u32) {
        self.note(MADE, event, index, time, value);
    }

    #[inline]
    fn note(&mut self, phase: u64, event: TraceEvent, index: u32, time: u64, value: u32) {
        self.all.push(Note { time, order: phase + self.count, event, index, value });
        self.count += 1;
    }

    /// A packet is put on the link of a port: its start, and when its last bit leaves.
    #[inline]
    pub(super) fn put(
        &mut self,
        port: u32,
        hop: u32,
        Transmission { start, leave }: Transmission,
        value: u32,
    ) {
        let (port, index) = (u64::from(port), hop);
        let note = |time, phase, event| Note { time, order: phase + port, event, index, value };
        self.all.push(note(start, STARTED, TraceEvent::Started));
        self.all.push(note(leave, LEFT, TraceEvent::Left));
    }
}
