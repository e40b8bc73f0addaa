//! Frames and connections.

use hopflow::Summary;

use crate::output::{Table, rate, span};

/// Frames, by VC.
pub(super) fn frames(summary: &Summary) -> Table {
    let mut table = Table::new(&[
        "VC",
        "#sent",
        "#whole",
        "#broken",
        "#packets wasted",
        "#throughput",
        "#delay mean",
        "#99 %",
        "#max",
    ]);
    for vc in &summary.vcs {
        let Some(frames) = &vc.frames else { continue };
        let counts =
            [frames.sent_frames, frames.whole_frames, frames.broken_frames, frames.wasted_packets];
        let mut row = vec![vc.name.clone()];
        row.extend(counts.map(|count| count.to_string()));
        row.push(rate(frames.throughput_bps));
        match &frames.delay_ps {
            Some(delay) => {
                row.extend([delay.mean, delay.p99 as f64, delay.max as f64].map(span));
            }
            None => row.extend(std::iter::repeat_n(String::new(), 3)),
        }
        table.row(row);
    }
    table
}

/// TCP connections.
pub(super) fn tcp(summary: &Summary) -> Table {
    let mut table = Table::new(&[
        "connection",
        "TCP",
        "#goodput",
        "#segments",
        "#sent again",
        "#time-outs",
        "#fast retransmits",
        "#cwnd max",
        "#round trip",
        "#finished",
    ]);
    for connection in &summary.connections {
        let Some(tcp) = &connection.tcp else { continue };
        let mut row = vec![connection.name.clone(), connection.protocol.clone()];
        row.push(rate(tcp.goodput_bps));
        let counts = [tcp.segments, tcp.retransmitted_segments, tcp.timeouts, tcp.fast_retransmits];
        row.extend(counts.map(|count| count.to_string()));
        row.push(format!("{} B", tcp.cwnd_bytes[1]));
        row.push(span(tcp.srtt_ps[0] as f64));
        row.push(tcp.finished_ps.map(|at| span(at as f64)).unwrap_or_default());
        table.row(row);
    }
    table
}

/// Clients that call.
pub(super) fn requests(summary: &Summary) -> Table {
    let mut table = Table::new(&[
        "connection",
        "#calls",
        "#replies",
        "#sent again",
        "#read",
        "#response mean",
        "#99 %",
        "#max",
        "#file mean",
    ]);
    for connection in &summary.connections {
        let Some(rpc) = &connection.rpc else { continue };
        let mut row = vec![connection.name.clone()];
        row.extend([rpc.calls, rpc.replies, rpc.retransmissions].map(|count| count.to_string()));
        row.push(rate(rpc.read_bps));
        match &rpc.response_ps {
            Some(times) => row.extend([times.mean, times.p99 as f64, times.max as f64].map(span)),
            None => row.extend(std::iter::repeat_n(String::new(), 3)),
        }
        row.push(rpc.transfer_ps.map(|times| span(times.mean)).unwrap_or_default());
        table.row(row);
    }
    table
}
