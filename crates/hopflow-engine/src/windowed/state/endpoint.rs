//! State of hosts that send and receive whole packets: endpoints of connections, frames in flight,
//! and units of incomplete packets.

use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::sequence;
use hopflow_network::counters::FrameCounters;
use hopflow_network::transport::aal5::{Frame, Reassembly};
use hopflow_network::transport::frames::{Frames, Framing};
use hopflow_network::transport::host::HostEnd;

/// The endpoint that feeds the source of a VC.
#[derive(Debug)]
pub(crate) struct EndpointSource {
    pub(crate) host: HostEnd,
    /// The earliest instant for which its own timer is set, `NEVER` for none.
    pub(crate) armed_for: u64,
    /// The instant for which it was last asked to send.
    pub(crate) asked_for: u64,
    /// The end of the busy time of its host, when it is asked again.
    pub(crate) busy_until: u64,
}

impl EndpointSource {
    pub(crate) fn new(host: HostEnd) -> EndpointSource {
        EndpointSource { host, armed_for: NEVER, asked_for: NEVER, busy_until: 0 }
    }
}

/// The source of a VC of whole packets.
#[derive(Debug)]
pub(crate) struct PacketSource {
    pub(crate) framing: Framing,
    /// The frames in flight, for each final host.
    pub(crate) frames: Vec<Frames>,
    pub(crate) sent_frames: u64,
}

/// The sink of a VC of whole packets.
#[derive(Debug)]
pub(crate) struct PacketSink {
    pub(crate) frames: Frames,
    pub(super) reassembly: Reassembly,
    /// A lower bound of the numbers of arriving units.
    next: u64,
    pub(crate) counters: FrameCounters,
    /// Whether its packets are cut into cells.
    pub(crate) is_cut: bool,
    /// The source, at this node, of the endpoint that receives the packets, if there is one.
    pub(crate) endpoint: Option<u32>,
}

impl PacketSink {
    /// A sink of the packets that the source records in `frames`. `is_cut`: they come in cells.
    pub(crate) fn new(frames: Frames, is_cut: bool) -> PacketSink {
        let (reassembly, counters) = (Reassembly::default(), FrameCounters::default());
        PacketSink { frames, reassembly, next: 0, counters, is_cut, endpoint: None }
    }

    /// The counters of its packets.
    pub(crate) fn read(&self) -> FrameCounters {
        let frames = self.reassembly.counters;
        let (broken_frames, wasted_packets) = (frames.broken_frames, frames.wasted_packets);
        FrameCounters { broken_frames, wasted_packets, ..self.counters.clone() }
    }

    /// Receives a unit; returns the packet that it completes, if it does.
    pub(crate) fn take(&mut self, value: u32, marked: bool) -> Option<Frame> {
        let number = self.next + u64::from(sequence(u64::from(value).wrapping_sub(self.next)));
        self.next = number + 1;
        self.frames.with(|frames| self.reassembly.on_cell(number, marked, frames))
    }
}
