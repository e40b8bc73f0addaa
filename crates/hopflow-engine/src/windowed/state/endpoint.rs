//! What hosts keep that make and take whole packets: endpoints of connections, frames on their
//! way, and units that wait to be whole.

use hopflow_units::SimTime;

use crate::windowed::wire::NEVER;
use hopflow_network::counters::FrameCounters;
use hopflow_network::transport::aal5::{Frame, Reassembly};
use hopflow_network::transport::frames::{Frames, Framing};
use hopflow_network::transport::host::HostEnd;

/// An endpoint behind a VC's source.
#[derive(Debug)]
pub(crate) struct EndpointSource {
    pub(crate) host: HostEnd,
    /// The earliest instant for which its own timer is set, `NEVER` for none.
    pub(crate) armed_for: u64,
    /// The instant for which it was last asked to send.
    pub(crate) asked_for: u64,
    /// The instant at which it is asked again because its host is busy until then.
    pub(crate) busy_until: u64,
}

impl EndpointSource {
    pub(crate) fn new(host: HostEnd) -> EndpointSource {
        EndpointSource { host, armed_for: NEVER, asked_for: NEVER, busy_until: 0 }
    }
}

/// The source's end of a VC of whole packets.
#[derive(Debug)]
pub(crate) struct PacketSource {
    pub(crate) framing: Framing,
    /// Notes for each final host.
    pub(crate) frames: Vec<Frames>,
    pub(crate) sent_frames: u64,
}

/// The final end of a VC of whole packets.
#[derive(Debug)]
pub(crate) struct PacketSink {
    pub(crate) frames: Frames,
    pub(super) reassembly: Reassembly,
    /// No unit that comes has a lower number.
    next: u64,
    pub(crate) counters: FrameCounters,
    /// The source, at this node, of the endpoint that takes them, if any does.
    pub(crate) endpoint: Option<u32>,
}

impl PacketSink {
    /// A sink of packets that were noted in `frames`.
    pub(crate) fn new(frames: Frames) -> PacketSink {
        let (reassembly, counters) = (Reassembly::default(), FrameCounters::default());
        PacketSink { frames, reassembly, next: 0, counters, endpoint: None }
    }

    /// What became of its packets.
    pub(crate) fn read(&self) -> FrameCounters {
        let frames = self.reassembly.counters;
        let (broken_frames, wasted_packets) = (frames.broken_frames, frames.wasted_packets);
        FrameCounters { broken_frames, wasted_packets, ..self.counters.clone() }
    }

    /// The packet that is whole with this unit, if one is.
    pub(crate) fn take(&mut self, (value, marked): (u32, bool), now: u64) -> Option<Frame> {
        let number = self.next + u64::from(value.wrapping_sub(self.next as u32) & SEQUENCE_MASK);
        self.next = number + 1;
        let frame = self.frames.with(|frames| self.reassembly.on_cell((number, marked), frames))?;
        self.counters.record(&frame, SimTime(now));
        Some(frame)
    }
}

/// Sequence numbers travel modulo 2^28.
const SEQUENCE_MASK: u32 = (1 << 28) - 1;

pub(crate) const fn sequence(number: u64) -> u32 {
    number as u32 & SEQUENCE_MASK
}
