//! The tables of connections: TCP, and calls with their replies.

use hopflow::Summary;
use hopflow::record::{ConnectionSummary, RpcSummary, TcpSummary};

use super::delay;
use crate::output::{Columns, Table, cell, maybe};

pub(super) fn tcp(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &TcpSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("protocol", |(one, _)| one.protocol.clone()),
        ("delivered_bytes", |(_, tcp)| cell(tcp.delivered_bytes)),
        ("goodput_bps", |(_, tcp)| cell(tcp.goodput_bps)),
        ("segments", |(_, tcp)| cell(tcp.segments)),
        ("retransmitted_segments", |(_, tcp)| cell(tcp.retransmitted_segments)),
        ("timeouts", |(_, tcp)| cell(tcp.timeouts)),
        ("fast_retransmits", |(_, tcp)| cell(tcp.fast_retransmits)),
        ("cwnd_end_bytes", |(_, tcp)| cell(tcp.cwnd_bytes[0])),
        ("cwnd_max_bytes", |(_, tcp)| cell(tcp.cwnd_bytes[1])),
        ("srtt_end_ps", |(_, tcp)| cell(tcp.srtt_ps[0])),
        ("srtt_max_ps", |(_, tcp)| cell(tcp.srtt_ps[1])),
        ("finished_ps", |(_, tcp)| maybe(tcp.finished_ps)),
    ];
    let all = summary.connections.iter();
    Table::of(columns, all.filter_map(|one| Some((one, one.tcp.as_ref()?))))
}

pub(super) fn requests(summary: &Summary) -> Table {
    let columns: Columns<(&ConnectionSummary, &RpcSummary)> = &[
        ("connection", |(one, _)| one.name.clone()),
        ("protocol", |(one, _)| one.protocol.clone()),
        ("calls", |(_, rpc)| cell(rpc.calls)),
        ("replies", |(_, rpc)| cell(rpc.replies)),
        ("retransmissions", |(_, rpc)| cell(rpc.retransmissions)),
        ("timeouts", |(_, rpc)| cell(rpc.timeouts)),
        ("read_bytes", |(_, rpc)| cell(rpc.read_bytes)),
        ("read_bps", |(_, rpc)| cell(rpc.read_bps)),
        ("response_mean_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.mean)),
        ("response_p99_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.p99)),
        ("response_max_ps", |(_, rpc)| delay(rpc.response_ps, |ps| ps.max)),
        ("transfer_mean_ps", |(_, rpc)| delay(rpc.transfer_ps, |ps| ps.mean)),
    ];
    let all = summary.connections.iter();
    Table::of(columns, all.filter_map(|one| Some((one, one.rpc.as_ref()?))))
}
