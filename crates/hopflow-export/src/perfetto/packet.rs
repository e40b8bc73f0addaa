//! The messages of a Perfetto trace that are written: tracks, and events on them.
//!
//! Field numbers are those of `trace_packet.proto`, `track_descriptor.proto`,
//! `counter_descriptor.proto`, `track_event.proto` and `debug_annotation.proto` of Perfetto.

use super::message::Message;

/// What happens on a track; the numbers are those of `TrackEvent.Type`.
#[derive(Clone, Copy)]
pub(super) enum Event<'a> {
    /// A slice begins, of this name and with this number.
    Begin { name: &'a str, number: u32 },
    /// The last slice that has begun ends.
    End,
    /// Something without a duration.
    Instant { name: &'a str, number: u32 },
    /// A counter has this value from now on.
    Counter(u32),
}

/// The flow arrow that an event is an end of.
#[derive(Clone, Copy)]
pub(super) enum Arrow {
    None,
    From(u64),
    To(u64),
}

/// A track.
pub(super) struct Track<'a> {
    pub(super) uuid: u64,
    /// 0: none.
    pub(super) parent: u64,
    pub(super) name: &'a str,
    pub(super) is_counter: bool,
}

/// Makes packets; messages are used again.
#[derive(Default)]
pub(super) struct Packets {
    packet: Message,
    inner: Message,
    note: Message,
}

impl Packets {
    const SEQUENCE: u32 = 10;

    /// Adds the description of a track.
    pub(super) fn track(&mut self, track: &Track<'_>, file: &mut Vec<u8>) {
        const PACKETS: u64 = 2;
        self.packet.clear();
        self.inner.clear();
        self.packet.number(Self::SEQUENCE, 1);
        self.inner.number(1, track.uuid);
        self.inner.text(2, track.name);
        if track.parent != 0 {
            self.inner.number(5, track.parent);
        }
        if track.is_counter {
            self.note.clear();
            // UNIT_COUNT.
            self.note.number(3, PACKETS);
            self.inner.message(8, &self.note);
        }
        self.packet.message(60, &self.inner);
        self.packet.append_to(1, file);
    }

    /// Adds an event. `time_ns`: from the start of the run.
    pub(super) fn event(
        &mut self,
        track: u64,
        time_ns: u64,
        event: Event<'_>,
        arrow: Arrow,
        file: &mut Vec<u8>,
    ) {
        self.packet.clear();
        self.inner.clear();
        self.packet.number(8, time_ns);
        self.packet.number(Self::SEQUENCE, 1);
        let kind = match event {
            Event::Begin { .. } => 1,
            Event::End => 2,
            Event::Instant { .. } => 3,
            Event::Counter(_) => 4,
        };
        self.inner.number(9, kind);
        self.inner.number(11, track);
        match event {
            Event::Begin { name, number } | Event::Instant { name, number } => {
                self.inner.text(23, name);
                self.note.clear();
                self.note.text(10, "number");
                self.note.number(3, u64::from(number));
                self.inner.message(4, &self.note);
            }
            Event::Counter(value) => self.inner.number(30, u64::from(value)),
            Event::End => {}
        }
        match arrow {
            Arrow::None => {}
            Arrow::From(id) => self.inner.fixed(47, id),
            Arrow::To(id) => self.inner.fixed(48, id),
        }
        self.packet.message(11, &self.inner);
        self.packet.append_to(1, file);
    }
}
