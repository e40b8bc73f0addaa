//! Frames and connections.

use hopflow::Summary;
use hopflow::record::{ConnectionSummary, FrameSummary, RpcSummary, TcpSummary};

use super::time;
use crate::output::{Columns, Table, cell, rate, span};

/// Frames, by VC.
pub(super) fn frames(summary: &Summary) -> Table {
    let columns: Columns<(&str, &FrameSummary)> = &[
        ("VC", |(vc, _)| (*vc).to_owned()),
        ("#sent", |(_, frames)| cell(frames.sent_frames)),
        ("#whole", |(_, frames)| cell(frames.whole_frames)),
        ("#broken", |(_, frames)| cell(frames.broken_frames)),
        ("#packets wasted", |(_, frames)| cell(frames.wasted_packets)),
        ("#throughput", |(_, frames)| rate(frames.throughput_bps)),
        ("#delay mean", |(_, frames)| time(frames.delay_ps.map(|delay| delay.mean))),
        ("#p99", |(_, frames)| time(frames.delay_ps.map(|delay| delay.p99 as f64))),
        ("#max", |(_, frames)| time(frames.delay_ps.map(|delay| delay.max as f64))),
    ];
    let vcs = summary.vcs.iter();
    let vcs = vcs.filter_map(|vc| Some((vc.name.as_str(), vc.frames.as_ref()?)));
    let ranks = vcs.clone().map(|(_, frames)| {
        [frames.broken_frames as f64, frames.delay_ps.map_or(0.0, |delay| delay.max as f64)]
    });
    let table = Table::of(columns, vcs).worst("the most broken or the slowest", "frames", ranks);
    table.without(summary.vcs_left_out)
}

/// TCP connections.
pub(super) fn tcp(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &TcpSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("TCP", |(one, _)| one.protocol.clone()),
        ("#goodput", |(_, tcp)| rate(tcp.goodput_bps)),
        ("#segments", |(_, tcp)| cell(tcp.segments)),
        ("#sent again", |(_, tcp)| cell(tcp.retransmitted_segments)),
        ("#time-outs", |(_, tcp)| cell(tcp.timeouts)),
        ("#fast retransmits", |(_, tcp)| cell(tcp.fast_retransmits)),
        ("#cwnd max", |(_, tcp)| format!("{} B", tcp.cwnd_bytes[1])),
        ("#round trip", |(_, tcp)| span(tcp.srtt_ps[0] as f64)),
        ("#finished", |(_, tcp)| time(tcp.finished_ps.map(|at| at as f64))),
    ];
    let all = summary.connections.iter().filter_map(|one| Some((one, one.tcp.as_ref()?)));
    // Those that did not finish first, then the last to finish; of endless ones the slowest.
    let ranks = all
        .clone()
        .map(|(_, tcp)| [tcp.finished_ps.map_or(f64::MAX, |at| at as f64), -tcp.goodput_bps]);
    Table::of(columns, all).worst("the slowest", "tcp", ranks)
}

/// Clients that call.
pub(super) fn requests(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &RpcSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("#calls", |(_, rpc)| cell(rpc.calls)),
        ("#replies", |(_, rpc)| cell(rpc.replies)),
        ("#sent again", |(_, rpc)| cell(rpc.retransmissions)),
        ("#read", |(_, rpc)| rate(rpc.read_bps)),
        ("#response mean", |(_, rpc)| time(rpc.response_ps.map(|times| times.mean))),
        ("#p99", |(_, rpc)| time(rpc.response_ps.map(|times| times.p99 as f64))),
        ("#max", |(_, rpc)| time(rpc.response_ps.map(|times| times.max as f64))),
        ("#file mean", |(_, rpc)| time(rpc.transfer_ps.map(|times| times.mean))),
    ];
    let all = summary.connections.iter().filter_map(|one| Some((one, one.rpc.as_ref()?)));
    let ranks = all.clone().map(|(_, rpc)| {
        [rpc.response_ps.map_or(0.0, |times| times.mean), rpc.retransmissions as f64]
    });
    Table::of(columns, all).worst("the slowest", "requests", ranks)
}
