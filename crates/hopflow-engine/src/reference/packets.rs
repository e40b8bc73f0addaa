//! State of VCs of whole packets: what is cut into units at the source host, and put together again
//! at the final host.

use hopflow_control::external::Fault;
use hopflow_units::{Picos, SimTime};

use hopflow_network::NetworkSpec;
use hopflow_network::counters::FrameCounters;
use hopflow_network::transport::aal5::Reassembly;
use hopflow_network::transport::frames::{Frames, Framing};
use hopflow_network::transport::host::HostEnd;
use hopflow_network::transport::{Endpoint, EndpointCounters, HoldCounters};

/// State of a VC of whole packets.
#[derive(Debug)]
pub(super) struct Packets {
    pub(super) framing: Framing,
    pub(super) sent: u64,
    pub(super) sinks: Vec<Sink>,
    /// The endpoint that sends on this VC, and whether it waits for room.
    pub(super) host: Option<HostEnd>,
    pub(super) waits: bool,
    /// The VC on which the receiving endpoint answers.
    pub(super) answers_on: Option<usize>,
}

/// One final end of a VC.
#[derive(Debug, Default)]
pub(super) struct Sink {
    pub(super) frames: Frames,
    pub(super) reassembly: Reassembly,
    pub(super) counters: FrameCounters,
}

impl Packets {
    /// The state of VC `vc`, with `leaves` final hosts; `None` if it has no whole packets.
    pub(super) fn new(spec: &NetworkSpec, vc: usize, leaves: usize) -> Option<Packets> {
        let flow = &spec.vcs[vc];
        if !flow.carries_packets() {
            return None;
        }
        let sinks = std::iter::repeat_with(Sink::default).take(leaves).collect();
        let (mut host, mut answers_on) = (None, None);
        for connection in &spec.connections {
            let vcs = [connection.forward, connection.backward];
            if let Some(side) = vcs.iter().position(|&member| member == vc) {
                let [first, second] = match side {
                    0 => spec.new_endpoints(connection),
                    _ => Endpoint::pair(connection, &spec.vcs[connection.forward], spec.seed),
                };
                let endpoint = if side == 0 { first } else { second };
                host = Some(HostEnd::new(endpoint, connection.send_limits[side]));
                answers_on = Some(vcs[1 - side]);
            }
        }
        let framing = flow.wire_framing();
        Some(Packets { framing, sent: 0, sinks, host, waits: false, answers_on })
    }

    /// The counters of the packets of a leaf.
    pub(super) fn counted(&self, leaf: usize) -> FrameCounters {
        let sink = &self.sinks[leaf];
        let frames = sink.reassembly.counters;
        let (broken_frames, wasted_packets) = (frames.broken_frames, frames.wasted_packets);
        FrameCounters { broken_frames, wasted_packets, ..sink.counters.clone() }
    }

    /// The counters of its endpoint.
    pub(super) fn counters(&self) -> Option<EndpointCounters> {
        Some(self.host.as_ref()?.endpoint().counters())
    }

    /// Why its endpoint had no packet in its queue up to `now`, whose first hop was empty for so
    /// long.
    pub(super) fn holds(&self, now: SimTime, empty: Picos) -> Option<HoldCounters> {
        Some(self.host.as_ref()?.holds(now, empty))
    }

    /// Why an external machine of its endpoint is not called any more.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.host.as_ref()?.endpoint().fault()
    }

    /// Resets delays.
    pub(super) fn restart(&mut self) {
        for sink in &mut self.sinks {
            sink.counters.delay = hopflow_network::DelayHistogram::default();
        }
        if let Some(host) = &mut self.host {
            host.restart_statistics();
        }
    }
}
