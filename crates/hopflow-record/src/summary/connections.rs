//! Frames and connections in a summary.

use std::collections::BTreeMap;

use hopflow_network::counters::{FrameCounters, VcCounters};
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::rpc::RpcCounters;
use hopflow_network::transport::tcp::{ReceiverCounters, SenderCounters};
use hopflow_network::{
    ConnectionSpec, DelayHistogram, NetworkSpec, ProtocolSpec, rpc_counters, tcp_sender_counters,
};
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::DelaySummary;
use super::published::published;
use super::waiting::delay_summary;
use crate::wire::{integer, optional_integer};

published! {
    /// Frames of a VC: those that AAL5 segments into cells, or the segments of a connection.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct FrameSummary {}
    vc: VcCounters {
        every sent_frames "Frames that the source host accepted." = vc.sent_frames;
        every whole_frames "Frames that arrived whole, summed over the final hosts."
            = of_frames(vc, |frames| frames.whole_frames);
        every whole_bytes "Their bytes, from the IP header on."
            = of_frames(vc, |frames| frames.whole_bytes);
        every broken_frames "Frames that are known to have arrived incomplete."
            = of_frames(vc, |frames| frames.broken_frames);
        every wasted_packets "Delivered packets of incomplete frames."
            = of_frames(vc, |frames| frames.wasted_packets);
    }
    {
        /// Bits of whole frames per second.
        pub throughput_bps: f64,
        /// From a frame's birth to the last bit of its last packet; `null` if none arrived.
        pub delay_ps: Option<DelaySummary>,
    }
}

/// One connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct ConnectionSummary {
    /// Its name: that of the flow.
    pub name: String,
    /// The variant of TCP, with its name in scenarios, `rpc` or `live`.
    pub protocol: String,
    /// The forward VC and the backward VC.
    pub vcs: [String; 2],
    /// The results of a TCP connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<TcpSummary>,
    /// The results of a client and its server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rpc: Option<RpcSummary>,
}

tcp_sender_counters! { published
    /// A TCP connection.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct TcpSummary {
        /// Bytes delivered to the application, each once and in order.
        #[serde(with = "integer")]
        pub delivered_bytes: u64,
        /// Bytes of data that arrived for the first time, in bits per second: no more than the data
        /// in the packets that arrived in the same interval.
        pub goodput_bps: f64,
    } {
        /// Bytes that arrived again.
        #[serde(with = "integer")]
        pub duplicate_bytes: u64,
        /// Acknowledgements sent.
        #[serde(with = "integer")]
        pub acks: u64,
        /// The receiver's window at the end, in bytes; 0 in results of older versions.
        #[serde(default)]
        pub window_bytes: u32,
        /// The least window with which its flow is never held by it at its share of the links of
        /// its path, in bytes: the window that `check` proposes. 0 in results of older versions.
        #[serde(default, with = "integer")]
        pub needed_window_bytes: u64,
        /// From the start of a full segment until its acknowledgement has arrived, in ps, with no
        /// queue. 0 in results of older versions.
        #[serde(default, with = "integer")]
        pub loop_ps: u64,
        /// The congestion window at the end, and the greatest since the beginning, in bytes.
        pub cwnd_bytes: [u32; 2],
        /// The smoothed round trip at the end, and the greatest since the beginning, in ps.
        pub srtt_ps: [u64; 2],
        /// The retransmission time-out at the end, and the greatest since the beginning, in ps.
        pub rto_ps: [u64; 2],
        /// The instant at which the last byte of the transfer was acknowledged, in ps.
        #[serde(with = "optional_integer")]
        pub finished_ps: Option<u64>,
    }
}

rpc_counters! { published
    /// A client that calls, and its server.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct RpcSummary {} {
        /// The same in bits per second.
        pub read_bps: f64,
        /// From the decision to call to the last bit of the reply; `null` if none arrived.
        pub response_ps: Option<DelaySummary>,
        /// From the first READ of a file to its last reply; `null` if none was read.
        pub transfer_ps: Option<DelaySummary>,
    }
}

/// Frames of a VC, if it carries any. `per_second` converts bits to a rate.
pub(super) fn frames(count: &VcCounters, per_second: impl Fn(u128) -> f64) -> Option<FrameSummary> {
    let leaves = frames_at_leaves(count).count();
    if leaves == 0 {
        return None;
    }
    let mut delay = DelayHistogram::default();
    frames_at_leaves(count).for_each(|frames| delay.merge(&frames.delay));
    let counted = FrameSummary::counted(count);
    Some(FrameSummary {
        throughput_bps: per_second(8 * u128::from(counted.whole_bytes)) / leaves as f64,
        delay_ps: delay_summary(&delay),
        ..counted
    })
}

fn frames_at_leaves(vc: &VcCounters) -> impl Iterator<Item = &FrameCounters> {
    vc.leaves.iter().filter_map(|leaf| leaf.packets.as_ref())
}

fn of_frames(vc: &VcCounters, count: fn(&FrameCounters) -> u64) -> u64 {
    frames_at_leaves(vc).map(count).sum()
}

/// All connections, in file order. `endpoints`: by VC.
pub(super) fn connections(
    spec: &NetworkSpec,
    endpoints: &BTreeMap<usize, EndpointCounters>,
    per_second: impl Fn(u128) -> f64,
) -> Vec<ConnectionSummary> {
    let flows = (!spec.connections.is_empty()).then(|| spec.endless_flows());
    let one = |connection: &ConnectionSpec| {
        let vcs = [connection.forward, connection.backward];
        let [first, second] = vcs.map(|vc| endpoints.get(&vc));
        let (mut tcp, mut rpc) = (None, None);
        match (first, second) {
            (Some(EndpointCounters::TcpSender(s)), Some(EndpointCounters::TcpReceiver(r))) => {
                let window = spec.tcp_window(connection).zip(flows.as_ref());
                let path = window.map(|(window, flows)| {
                    let path = spec.shared_loop(&window, flows);
                    (path.round_trip.0, window.needed_bytes(&path).unwrap_or(u64::MAX))
                });
                let (loop_ps, needed_window_bytes) = path.unwrap_or_default();
                let counted = tcp_summary(s, r, &per_second);
                tcp = Some(TcpSummary { needed_window_bytes, loop_ps, ..counted });
            }
            (Some(EndpointCounters::RpcClient(client)), _) => {
                rpc = Some(rpc_summary(client, &per_second));
            }
            (Some(EndpointCounters::Live), Some(EndpointCounters::Live)) => {}
            ends => panic!("connection {} has the ends {ends:?}", connection.name),
        }
        ConnectionSummary {
            name: connection.name.clone(),
            protocol: protocol_name(&connection.protocol).to_owned(),
            vcs: vcs.map(|vc| spec.vcs[vc].name.clone()),
            tcp,
            rpc,
        }
    };
    spec.connections.iter().map(one).collect()
}

fn protocol_name(protocol: &ProtocolSpec) -> &'static str {
    match protocol {
        ProtocolSpec::Tcp(tcp) => tcp.variant.facts().name,
        ProtocolSpec::Rpc(_) => "rpc",
        ProtocolSpec::Live(_) => "live",
    }
}

fn tcp_summary(
    sender: &SenderCounters,
    receiver: &ReceiverCounters,
    per_second: impl Fn(u128) -> f64,
) -> TcpSummary {
    TcpSummary {
        delivered_bytes: receiver.delivered_bytes,
        goodput_bps: per_second(8 * u128::from(receiver.new_bytes)),
        duplicate_bytes: receiver.duplicate_bytes,
        acks: receiver.acks,
        window_bytes: sender.window_bytes,
        cwnd_bytes: [sender.cwnd_bytes, sender.cwnd_bytes_max],
        srtt_ps: [sender.srtt.0, sender.srtt_max.0],
        rto_ps: [sender.rto.0, sender.rto_max.0],
        finished_ps: sender.finished.map(|at| at.0),
        ..TcpSummary::counted(sender)
    }
}

fn rpc_summary(client: &RpcCounters, per_second: impl Fn(u128) -> f64) -> RpcSummary {
    RpcSummary {
        read_bps: per_second(8 * u128::from(client.read_bytes)),
        response_ps: delay_summary(&client.response),
        transfer_ps: delay_summary(&client.transfer),
        ..RpcSummary::counted(client)
    }
}
