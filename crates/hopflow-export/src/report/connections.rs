//! Frames, TCP connections and clients in the report of a run.

use hopflow::record::{DelaySummary, Summary};
use hopflow_figures::time_text;

use super::parts::{ROWS, count};
use super::{Block, Cell, Column, Table};
use crate::chart::plain_number;

/// Tables of all that there is; nothing where there is none.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let tables = [tcp(summary), requests(summary), frames(summary)];
    let told = tables.into_iter().filter(|table| !table.rows.is_empty());
    told.map(Block::Table).collect()
}

fn tcp(summary: &Summary) -> Table {
    let told = summary.connections.iter().filter_map(|one| Some((one, one.tcp.as_ref()?)));
    let rows = told.take(ROWS).map(|(one, tcp)| {
        vec![
            Cell::Code(one.name.clone()),
            Cell::Text(one.protocol.clone()),
            mega(tcp.goodput_bps),
            count(tcp.segments),
            count(tcp.retransmitted_segments),
            count(tcp.timeouts),
            count(tcp.fast_retransmits),
            count(tcp.duplicate_bytes),
            count(u64::from(tcp.cwnd_bytes[1])),
            Cell::Text(time_text(tcp.srtt_ps[0] as f64)),
            Cell::Text(time_text(tcp.rto_ps[1] as f64)),
            Cell::Text(tcp.finished_ps.map_or_else(dash, |at| time_text(at as f64))),
        ]
    });
    let columns = vec![
        Column::text("connection"),
        Column::text("TCP"),
        Column::number("goodput", "Mb/s"),
        Column::number("segments", ""),
        Column::number("sent again", ""),
        Column::number("time-outs", ""),
        Column::number("fast retransmits", ""),
        Column::number("came twice", "B"),
        Column::number("cwnd max", "B"),
        Column::number("round trip", ""),
        Column::number("time-out max", ""),
        Column::number("finished", ""),
    ];
    Table { title: "TCP".to_owned(), columns, rows: rows.collect(), ..Table::default() }
}

fn requests(summary: &Summary) -> Table {
    let told = summary.connections.iter().filter_map(|one| Some((one, one.rpc.as_ref()?)));
    let rows = told.take(ROWS).map(|(one, rpc)| {
        let mut row = vec![
            Cell::Code(one.name.clone()),
            count(rpc.calls),
            count(rpc.replies),
            count(rpc.retransmissions),
            mega(rpc.read_bps),
        ];
        row.extend(times(rpc.response_ps.as_ref()));
        row.extend(times(rpc.transfer_ps.as_ref()));
        row
    });
    let mut columns = vec![
        Column::text("connection"),
        Column::number("calls", ""),
        Column::number("replies", ""),
        Column::number("sent again", ""),
        Column::number("read", "Mb/s"),
    ];
    for what in ["response", "file"] {
        let heads = ["mean", "p99", "max"];
        columns.extend(heads.map(|head| Column::number(format!("{what} {head}"), "")));
    }
    Table { title: "Requests".to_owned(), columns, rows: rows.collect(), ..Table::default() }
}

fn frames(summary: &Summary) -> Table {
    let told = summary.vcs.iter().filter_map(|vc| Some((vc, vc.frames.as_ref()?)));
    let rows = told.take(ROWS).map(|(vc, frames)| {
        let mut row = vec![
            Cell::Code(vc.name.clone()),
            count(frames.sent_frames),
            count(frames.whole_frames),
            count(frames.broken_frames),
            count(frames.wasted_packets),
            mega(frames.throughput_bps),
        ];
        row.extend(times(frames.delay_ps.as_ref()));
        row
    });
    let mut columns = vec![Column::text("VC")];
    columns.extend(["sent", "whole", "broken"].map(|head| Column::number(head, "frames")));
    columns.push(Column::number("wasted", "packets"));
    columns.push(Column::number("throughput", "Mb/s"));
    columns.extend(["mean", "p99", "max"].map(|head| Column::number(format!("delay {head}"), "")));
    Table {
        title: "Frames".to_owned(),
        columns,
        rows: rows.collect(),
        note: "A frame with a packet missing is lost whole; its other packets came for nothing. \
               Bytes count from the IP header on."
            .to_owned(),
        ..Table::default()
    }
}

fn mega(bps: f64) -> Cell {
    Cell::Text(plain_number(bps / 1e6, 3))
}

fn times(delay: Option<&DelaySummary>) -> Vec<Cell> {
    let Some(delay) = delay else { return vec![Cell::Text(dash()); 3] };
    [delay.mean, delay.p99 as f64, delay.max as f64].map(|ps| Cell::Text(time_text(ps))).to_vec()
}

fn dash() -> String {
    "\u{2013}".to_owned()
}
