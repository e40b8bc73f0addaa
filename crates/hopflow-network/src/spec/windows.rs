//! The windows of a network and their loops: end-to-end windows of VCs, windows of TCP receivers.
//!
//! ```text
//! R = L(packet, there) + L(update, back)                                            (1)
//! L = sum of (T_h(u) + delay + processing) over the hops + (n - 1) x max T_h(u)     (2)
//! T = max over the hops of n x T_h(u), and packet / limit of the sending host       (3)
//! ```
//! | symbol | meaning                                                             | unit  |
//! |--------|---------------------------------------------------------------------|-------|
//! | R, T   | as in `credit/window/law.rs` of `hopflow-control`, with no queue    | ps    |
//! | n, u   | units of a packet on the wire and the size of each: itself, or the  | bytes |
//! |        | cells of its AAL5 frame                                             |       |
//! | T_h    | transmit time on hop h, with the overhead of the link               | ps    |
//!
//! (2) is exact where no other unit is in the way: the slowest hop passes n equal units n - 1 times
//! T_h apart, and every later hop keeps them so. The update of a VC is an ACK cell, that of TCP an
//! acknowledgement without SACK blocks. A receiver of TCP updates after each segment or after two,
//! by its rule; a delayed acknowledgement may come earlier by its timer, never later.
//!
//! The share of a flow: flows that send as much as they may share each link equally, so that the T
//! of one of n on a link is n times the T of the link; the longest T of the path counts.
//!
//! Not modelled: what congestion control allows, which is less than the window or the same.
//! Checked by: `hopflow/tests/window_law.rs`.

use hopflow_control::credit::{WindowLoop, WindowUpdate};
use hopflow_units::{Bytes, Picos};

use super::{ConnectionSpec, HopSpec, NetworkSpec, ProtocolSpec, VcSpec};
use crate::transport::tcp::{TcpAcks, TcpSpec, Transfer};

/// A window, and what it is for on its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowFacts {
    /// The VC whose sender it holds.
    pub vc: usize,
    /// Its loop; rates are those of packets on the wire.
    pub path: WindowLoop,
    /// n and u: the units of a packet on the wire, and the size of each.
    pub units: (u32, Bytes),
    /// Bytes of the window that a packet takes: the packet, or the data of a full segment.
    pub data: Bytes,
    /// U, in packets.
    pub every: u64,
    /// The window, in packets.
    pub packets: u64,
    /// The window, in bytes.
    pub bytes: Bytes,
    /// Whether it counts bytes: it is that of a TCP receiver.
    pub is_tcp: bool,
}

impl WindowFacts {
    /// The least window, in bytes, with which the sender never waits on this path; `None` beyond
    /// 2^64.
    pub fn needed_bytes(&self, path: &WindowLoop) -> Option<u64> {
        path.needed(WindowUpdate::Every(self.every))?.checked_mul(self.data.0)
    }
}

/// The flows that send as much as they may.
#[derive(Clone, Debug)]
pub struct EndlessFlows {
    /// By VC: whether it does, to the end of the run or of a transfer that is larger than its
    /// window.
    pub vcs: Vec<bool>,
    /// By direction: how many of them it carries.
    carried: Vec<u64>,
}

impl NetworkSpec {
    /// The flows that send as much as they may.
    pub fn endless_flows(&self) -> EndlessFlows {
        let mut vcs: Vec<bool> = self.vcs.iter().map(|vc| vc.source.is_greedy()).collect();
        for connection in &*self.connections {
            let ProtocolSpec::Tcp(tcp) = &connection.protocol else { continue };
            vcs[connection.forward] = match tcp.transfer {
                Transfer::Infinite => true,
                Transfer::Bytes(bytes) => bytes > u64::from(tcp.advertised_window()),
                Transfer::Schedule(_) => false,
            };
        }
        let mut carried = vec![0; self.direction_count()];
        for (vc, _) in self.vcs.iter().zip(&vcs).filter(|(_, endless)| **endless) {
            vc.hops.iter().for_each(|hop| carried[hop.direction_id().0] += 1);
        }
        EndlessFlows { vcs, carried }
    }

    /// The loop of a window at the share of its flow; that of the path for a flow that ends or
    /// pauses by itself.
    pub fn shared_loop(&self, window: &WindowFacts, flows: &EndlessFlows) -> WindowLoop {
        if !flows.vcs[window.vc] {
            return window.path;
        }
        let (count, size) = window.units;
        let share = |(hop, time): (&HopSpec, Picos)| {
            Picos(time.0.saturating_mul(flows.carried[hop.direction_id().0].max(1)))
        };
        let hops = self.vcs[window.vc].hops.iter();
        let shares = hops.zip(self.frame_times(window.vc, count, size)).map(share);
        let gap = shares.fold(window.path.gap, Picos::max);
        WindowLoop { gap, ..window.path }
    }

    /// All windows, in order of their VCs. A VC with packets of several sizes has the loop of the
    /// largest.
    pub fn windows(&self) -> Vec<WindowFacts> {
        let of_vcs = self.vcs.iter().enumerate().filter_map(|(vc, spec)| self.vc_window(vc, spec));
        let of_tcp = self.connections.iter().filter_map(|connection| self.tcp_window(connection));
        let mut all: Vec<WindowFacts> = of_vcs.chain(of_tcp).collect();
        all.sort_by_key(|window| window.vc);
        all
    }

    fn vc_window(&self, vc: usize, spec: &VcSpec) -> Option<WindowFacts> {
        let window = spec.window?;
        let packet = spec.traffic.size.most();
        let back = spec.hops.iter().map(|hop| self.latency(hop.direction_id().reverse()));
        let path = WindowLoop {
            round_trip: back.fold(self.frame_latency(vc, 1, packet), |sum, span| sum + span),
            gap: self.frame_times(vc, 1, packet).max().unwrap_or(Picos(1)),
            packet,
        };
        let (every, packets) = (u64::from(window.ack_every.0), u64::from(window.cells.0));
        let bytes = Bytes(packets * packet.0);
        let units = (1, packet);
        Some(WindowFacts { vc, path, units, data: packet, every, packets, bytes, is_tcp: false })
    }

    /// The window of the receiver of a TCP connection; `None` of another protocol.
    pub fn tcp_window(&self, connection: &ConnectionSpec) -> Option<WindowFacts> {
        let ProtocolSpec::Tcp(tcp) = &connection.protocol else { return None };
        let (vc, back) = (connection.forward, connection.backward);
        let units = |vc: usize, bytes: u32| {
            let (units, size) = self.vcs[vc].wire_framing().units(bytes);
            (units, Bytes(u64::from(size)))
        };
        let (count, unit) = units(vc, tcp.largest_packet());
        let (acks, ack) = units(back, tcp.header.max(1));
        let limit = connection.send_limits[0];
        let limited =
            limit.and_then(|rate| rate.transmit_time(Bytes(u64::from(tcp.largest_packet()))));
        let path = WindowLoop {
            round_trip: self.frame_latency(vc, count, unit) + self.frame_latency(back, acks, ack),
            gap: self.frame_times(vc, count, unit).chain(limited).max().unwrap_or(Picos(1)),
            packet: Bytes(u64::from(count) * unit.0),
        };
        let data = Bytes(u64::from(tcp.mss));
        let bytes = Bytes(u64::from(tcp.advertised_window()));
        let packets = bytes.0 / data.0;
        let every = segments_per_ack(tcp).min(packets);
        let units = (count, unit);
        Some(WindowFacts { vc, path, units, data, every, packets, bytes, is_tcp: true })
    }

    /// By hop: the time that `count` units of a size take.
    pub fn frame_times(
        &self,
        vc: usize,
        count: u32,
        size: Bytes,
    ) -> impl Iterator<Item = Picos> + '_ {
        let time = move |id| Picos(self.transmit_time(id, size).0.saturating_mul(count.into()));
        self.vcs[vc].hops.iter().map(move |hop| time(hop.direction_id()))
    }

    /// From the start of the first of `count` units until the last has arrived. Eq. (2).
    fn frame_latency(&self, vc: usize, count: u32, size: Bytes) -> Picos {
        let hops = self.vcs[vc].hops.iter();
        let first = hops.map(|hop| self.latency_of(hop.direction_id(), size));
        let first = first.fold(Picos::ZERO, |sum, span| sum + span);
        first + self.frame_times(vc, count - 1, size).max().unwrap_or(Picos::ZERO)
    }
}

/// Full segments for each acknowledgement that no timer sends.
fn segments_per_ack(tcp: &TcpSpec) -> u64 {
    match tcp.acks {
        TcpAcks::EverySegment => 1,
        TcpAcks::EverySecond { .. } => 2,
        TcpAcks::WindowMoves { .. } => {
            u64::from(tcp.advertised_window().div_ceil(2).div_ceil(tcp.mss).min(2))
        }
    }
}
