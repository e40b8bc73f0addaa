//! Frames, TCP connections and clients in the report of a run.

use hopflow::record::{
    ConnectionSummary, FrameSummary, RpcSummary, Summary, TcpSummary, VcSummary,
};

use super::parts::{ROWS, count, max, mean, p99, whole_time};
use super::{Block, Cell, Column, Part, Table};
use crate::chart::plain_number;

/// Tables of all that there is; nothing where there is none.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let tables = [tcp(summary), requests(summary), frames(summary)];
    let filled = tables.into_iter().filter(|table| !table.rows.is_empty());
    filled.map(Block::Table).collect()
}

fn tcp(summary: &Summary) -> Table {
    let rows = summary.connections.iter().filter_map(|one| Some((one, one.tcp.as_ref()?)));
    let parts: &[Part<(&ConnectionSummary, &TcpSummary)>] = &[
        (Column::text("connection"), |(one, _)| Cell::Code(one.name.clone())),
        (Column::text("TCP"), |(one, _)| Cell::Text(one.protocol.clone())),
        (Column::number("goodput", "Mb/s"), |(_, tcp)| mega(tcp.goodput_bps)),
        (Column::number("segments", ""), |(_, tcp)| count(tcp.segments)),
        (Column::number("sent again", ""), |(_, tcp)| count(tcp.retransmitted_segments)),
        (Column::number("time-outs", ""), |(_, tcp)| count(tcp.timeouts)),
        (Column::number("fast retransmits", ""), |(_, tcp)| count(tcp.fast_retransmits)),
        (Column::number("came twice", "B"), |(_, tcp)| count(tcp.duplicate_bytes)),
        (Column::number("cwnd max", "B"), |(_, tcp)| count(u64::from(tcp.cwnd_bytes[1]))),
        (Column::number("round trip", ""), |(_, tcp)| whole_time(Some(tcp.srtt_ps[0]))),
        (Column::number("time-out max", ""), |(_, tcp)| whole_time(Some(tcp.rto_ps[1]))),
        (Column::number("finished", ""), |(_, tcp)| whole_time(tcp.finished_ps)),
    ];
    Table { title: "TCP".to_owned(), ..Table::of(rows.take(ROWS), parts) }
}

fn requests(summary: &Summary) -> Table {
    let rows = summary.connections.iter().filter_map(|one| Some((one, one.rpc.as_ref()?)));
    let parts: &[Part<(&ConnectionSummary, &RpcSummary)>] = &[
        (Column::text("connection"), |(one, _)| Cell::Code(one.name.clone())),
        (Column::number("calls", ""), |(_, rpc)| count(rpc.calls)),
        (Column::number("replies", ""), |(_, rpc)| count(rpc.replies)),
        (Column::number("sent again", ""), |(_, rpc)| count(rpc.retransmissions)),
        (Column::number("read", "Mb/s"), |(_, rpc)| mega(rpc.read_bps)),
        (Column::number("response mean", ""), |(_, rpc)| mean(rpc.response_ps)),
        (Column::number("response p99", ""), |(_, rpc)| p99(rpc.response_ps)),
        (Column::number("response max", ""), |(_, rpc)| max(rpc.response_ps)),
        (Column::number("file mean", ""), |(_, rpc)| mean(rpc.transfer_ps)),
        (Column::number("file p99", ""), |(_, rpc)| p99(rpc.transfer_ps)),
        (Column::number("file max", ""), |(_, rpc)| max(rpc.transfer_ps)),
    ];
    Table { title: "Requests".to_owned(), ..Table::of(rows.take(ROWS), parts) }
}

fn frames(summary: &Summary) -> Table {
    let rows = summary.vcs.iter().filter_map(|vc| Some((vc, vc.frames.as_ref()?)));
    let parts: &[Part<(&VcSummary, &FrameSummary)>] = &[
        (Column::text("VC"), |(vc, _)| Cell::Code(vc.name.clone())),
        (Column::number("sent", "frames"), |(_, frames)| count(frames.sent_frames)),
        (Column::number("whole", "frames"), |(_, frames)| count(frames.whole_frames)),
        (Column::number("broken", "frames"), |(_, frames)| count(frames.broken_frames)),
        (Column::number("wasted", "packets"), |(_, frames)| count(frames.wasted_packets)),
        (Column::number("throughput", "Mb/s"), |(_, frames)| mega(frames.throughput_bps)),
        (Column::number("delay mean", ""), |(_, frames)| mean(frames.delay_ps)),
        (Column::number("delay p99", ""), |(_, frames)| p99(frames.delay_ps)),
        (Column::number("delay max", ""), |(_, frames)| max(frames.delay_ps)),
    ];
    Table {
        title: "Frames".to_owned(),
        note: "A frame with a packet missing is lost whole; its other packets came for nothing. \
               Bytes count from the IP header on."
            .to_owned(),
        ..Table::of(rows.take(ROWS), parts)
    }
}

fn mega(bps: f64) -> Cell {
    Cell::Text(plain_number(bps / 1e6, 3))
}
