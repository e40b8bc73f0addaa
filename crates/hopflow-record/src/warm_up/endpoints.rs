//! The same for whole packets and endpoints of connections.
//!
//! Greatest values of TCP (windows, round trips) are those since the beginning in both.

use hopflow_network::DelayHistogram;
use hopflow_network::counters::FrameCounters;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::rpc::RpcCounters;
use hopflow_network::transport::tcp::{ReceiverCounters, SenderCounters};

use super::Part;

pub(super) fn packets(before: &FrameCounters, after: &FrameCounters, part: &Part) -> FrameCounters {
    let count = |of: fn(&FrameCounters) -> u64| (part.count)(of(before), of(after));
    FrameCounters {
        whole_frames: count(|p| p.whole_frames),
        whole_bytes: count(|p| p.whole_bytes),
        broken_frames: count(|p| p.broken_frames),
        wasted_packets: count(|p| p.wasted_packets),
        delay: (part.delay)(&before.delay, &after.delay),
    }
}

pub(super) fn endpoint(
    before: &EndpointCounters,
    after: &EndpointCounters,
    part: &Part,
) -> EndpointCounters {
    use EndpointCounters::{Live, RpcClient, RpcServer, TcpReceiver, TcpSender};
    match (before, after) {
        (TcpSender(b), TcpSender(a)) => TcpSender(sender(b, a, part)),
        (TcpReceiver(b), TcpReceiver(a)) => TcpReceiver(receiver(b, a, part)),
        (RpcClient(b), RpcClient(a)) => RpcClient(rpc(b, a, part)),
        (RpcServer(b), RpcServer(a)) => RpcServer(rpc(b, a, part)),
        (Live, Live) => Live,
        _ => panic!("counters of another network"),
    }
}

fn sender(before: &SenderCounters, after: &SenderCounters, part: &Part) -> SenderCounters {
    let count = |of: fn(&SenderCounters) -> u64| (part.count)(of(before), of(after));
    SenderCounters {
        segments: count(|s| s.segments),
        retransmitted_segments: count(|s| s.retransmitted_segments),
        retransmitted_bytes: count(|s| s.retransmitted_bytes),
        timeouts: count(|s| s.timeouts),
        fast_retransmits: count(|s| s.fast_retransmits),
        acked_bytes: count(|s| s.acked_bytes),
        acks: count(|s| s.acks),
        duplicate_acks: count(|s| s.duplicate_acks),
        samples: count(|s| s.samples),
        ..*after
    }
}

fn receiver(before: &ReceiverCounters, after: &ReceiverCounters, part: &Part) -> ReceiverCounters {
    let count = |of: fn(&ReceiverCounters) -> u64| (part.count)(of(before), of(after));
    ReceiverCounters {
        segments: count(|r| r.segments),
        delivered_bytes: count(|r| r.delivered_bytes),
        duplicate_bytes: count(|r| r.duplicate_bytes),
        out_of_order_segments: count(|r| r.out_of_order_segments),
        acks: count(|r| r.acks),
        delayed_acks: count(|r| r.delayed_acks),
    }
}

fn rpc(before: &RpcCounters, after: &RpcCounters, part: &Part) -> RpcCounters {
    let count = |of: fn(&RpcCounters) -> u64| (part.count)(of(before), of(after));
    RpcCounters {
        calls: count(|r| r.calls),
        replies: count(|r| r.replies),
        retransmissions: count(|r| r.retransmissions),
        timeouts: count(|r| r.timeouts),
        duplicates: count(|r| r.duplicates),
        read_bytes: count(|r| r.read_bytes),
        written_bytes: count(|r| r.written_bytes),
        response: (part.delay)(&before.response, &after.response),
        transfer: (part.delay)(&before.transfer, &after.transfer),
    }
}

/// Both together.
pub(super) fn merged(before: &DelayHistogram, after: &DelayHistogram) -> DelayHistogram {
    let mut both = before.clone();
    both.merge(after);
    both
}
