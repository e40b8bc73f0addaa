//! Every number of the tables of a run, against the summary that it comes from.

use hopflow::Scenario;
use hopflow::record::{PortSummary, Summary};
use serde_json::{Value, json};

use super::{RunView, run_page};
use crate::report::{Block, Cell, Table};

/// Two senders through a small buffer: TCP over cells, an NFS client, and a reserved VC.
const SCENARIO: &str = r#"
version = 2
duration = "300 ms"
seed = 1
[defaults.link]
rate = "10 Mb/s"
delay = "10 us"
[defaults.switch]
port-buffer = "60 cells"
buffer = "1 MB"
scheduler = { kind = "fifo" }
[[host]]
name = "A{}"
count = 2
[[switch]]
name = "S"
[[host]]
name = "B"
[[link]]
between = ["A{}", "S"]
count = 2
[[link]]
between = ["S", "B"]
[[flow]]
name = "tcp"
from = "A1"
to = "B"
framing = "aal5"
source = { kind = "tcp", variant = "reno", transfer = "100 kB" }
[[flow]]
name = "nfs"
from = "A2"
to = "B"
framing = "aal5"
source = { kind = "nfs", size-median = "6144 B", size-sigma = 1, read-ahead = 2, think = "1.7 ms" }
[[flow]]
name = "plain"
from = "A1"
to = "B"
source = { kind = "constant", rate = "100 kb/s" }
[record]
lengths = ["S->B"]
"#;

/// A column of numbers: its table, its heading, where the number stands in the summary, and what
/// the value there is a multiple of, so that the digits shown tell it from all others.
const COLUMNS: [(&str, &str, &str, f64); 64] = [
    ("VCs", "throughput", "/vcs/0/throughput_bps", 1.0),
    ("VCs", "sent", "/vcs/0/sent_packets", 1.0),
    ("VCs", "received", "/vcs/0/received_packets", 1.0),
    ("VCs", "dropped", "/vcs/0/dropped_packets", 1.0),
    ("VCs", "corrupted", "/vcs/0/corrupted_packets", 1.0),
    ("VCs", "delay min", "/vcs/0/delay_ps/min", 1.0),
    ("VCs", "mean", "/vcs/0/delay_ps/mean", 1.0),
    ("VCs", "p99", "/vcs/0/delay_ps/p99", 1.0),
    ("VCs", "max", "/vcs/0/delay_ps/max", 1.0),
    ("VCs", "bound", "/vcs/0/delay_bound_ps", 1.0),
    ("VCs", "waiting mean", "/vcs/0/waiting_ps/mean", 1.0),
    ("VCs", "deviation", "/vcs/0/waiting_ps/deviation", 1.0),
    ("Greatest delays and their bounds", "delay max", "/vcs/0/delay_ps/max", 1.0),
    ("Greatest delays and their bounds", "bound", "/vcs/0/delay_bound_ps", 1.0),
    ("Throughput and fair share", "throughput", "/vcs/0/throughput_bps", 1.0),
    ("Throughput and fair share", "fair share", "/vcs/0/fair/share_bps", 1.0),
    ("Throughput and fair share", "of it", "/vcs/0/fair/ratio", 1e-4),
    ("Link directions", "rate", "/links/0/rate_bps", 1.0),
    ("Link directions", "busy", "/links/0/busy_share", 1e-4),
    ("Link directions", "data", "/links/0/data_packets", 1.0),
    ("Link directions", "control", "/links/0/control_packets", 1.0),
    ("Memory of nodes", "most held", "/nodes/NODE/max_bytes", 1.0),
    ("Memory of nodes", "buffer", "/nodes/NODE/buffer_bytes", 1.0),
    ("Queues of each VC", "mean", "/queues/0/mean_packets", 1.0),
    ("Queues of each VC", "max", "/queues/0/max_packets", 1.0),
    ("Queues of all VCs at a port", "mean", "/ports/PORT/lengths/time/mean_packets", 1.0),
    ("Queues of all VCs at a port", "deviation", "/ports/PORT/lengths/time/deviation_packets", 1.0),
    ("Queues of all VCs at a port", "50 %", "/ports/PORT/lengths/time/p50_packets", 1.0),
    ("Queues of all VCs at a port", "90 %", "/ports/PORT/lengths/time/p90_packets", 1.0),
    ("Queues of all VCs at a port", "99 %", "/ports/PORT/lengths/time/p99_packets", 1.0),
    (
        "Queues of all VCs at a port",
        "arrivals: mean",
        "/ports/PORT/lengths/arrivals/mean_packets",
        1.0,
    ),
    (
        "Queues of all VCs at a port",
        "arrivals: deviation",
        "/ports/PORT/lengths/arrivals/deviation_packets",
        1.0,
    ),
    (
        "Queues of all VCs at a port",
        "arrivals: 50 %",
        "/ports/PORT/lengths/arrivals/p50_packets",
        1.0,
    ),
    (
        "Queues of all VCs at a port",
        "arrivals: 90 %",
        "/ports/PORT/lengths/arrivals/p90_packets",
        1.0,
    ),
    (
        "Queues of all VCs at a port",
        "arrivals: 99 %",
        "/ports/PORT/lengths/arrivals/p99_packets",
        1.0,
    ),
    ("Queues of all VCs at a port", "most", "/ports/PORT/max_packets", 1.0),
    ("TCP", "goodput", "/connections/0/tcp/goodput_bps", 1e6),
    ("TCP", "segments", "/connections/0/tcp/segments", 1.0),
    ("TCP", "sent again", "/connections/0/tcp/retransmitted_segments", 1.0),
    ("TCP", "time-outs", "/connections/0/tcp/timeouts", 1.0),
    ("TCP", "fast retransmits", "/connections/0/tcp/fast_retransmits", 1.0),
    ("TCP", "came twice", "/connections/0/tcp/duplicate_bytes", 1.0),
    ("TCP", "cwnd max", "/connections/0/tcp/cwnd_bytes/1", 1.0),
    ("TCP", "round trip", "/connections/0/tcp/srtt_ps/0", 1.0),
    ("TCP", "time-out max", "/connections/0/tcp/rto_ps/1", 1.0),
    ("TCP", "finished", "/connections/0/tcp/finished_ps", 1.0),
    ("Requests", "calls", "/connections/1/rpc/calls", 1.0),
    ("Requests", "replies", "/connections/1/rpc/replies", 1.0),
    ("Requests", "sent again", "/connections/1/rpc/retransmissions", 1.0),
    ("Requests", "read", "/connections/1/rpc/read_bps", 1e6),
    ("Requests", "response mean", "/connections/1/rpc/response_ps/mean", 1.0),
    ("Requests", "response p99", "/connections/1/rpc/response_ps/p99", 1.0),
    ("Requests", "response max", "/connections/1/rpc/response_ps/max", 1.0),
    ("Requests", "file mean", "/connections/1/rpc/transfer_ps/mean", 1.0),
    ("Requests", "file p99", "/connections/1/rpc/transfer_ps/p99", 1.0),
    ("Requests", "file max", "/connections/1/rpc/transfer_ps/max", 1.0),
    ("Frames", "sent", "/vcs/0/frames/sent_frames", 1.0),
    ("Frames", "whole", "/vcs/0/frames/whole_frames", 1.0),
    ("Frames", "broken", "/vcs/0/frames/broken_frames", 1.0),
    ("Frames", "wasted", "/vcs/0/frames/wasted_packets", 1.0),
    ("Frames", "throughput", "/vcs/0/frames/throughput_bps", 1e6),
    ("Frames", "delay mean", "/vcs/0/frames/delay_ps/mean", 1.0),
    ("Frames", "delay p99", "/vcs/0/frames/delay_ps/p99", 1.0),
    ("Frames", "delay max", "/vcs/0/frames/delay_ps/max", 1.0),
];

/// All tables, those inside other blocks too.
fn tables<'a>(blocks: &'a [Block], found: &mut Vec<&'a Table>) {
    for block in blocks {
        match block {
            Block::Table(table) => found.push(table),
            Block::Folded(_, inside) | Block::Grid(inside) => tables(inside, found),
            Block::Beside(left, right) => {
                tables(left, found);
                tables(right, found);
            }
            _ => {}
        }
    }
}

/// What a cell says, in ps, bits per second, cells or parts of one.
fn value(cell: &Cell, unit: &str) -> f64 {
    let Cell::Text(text) = cell else { panic!("{cell:?} is not a number") };
    let (number, own) = text.split_once('\u{202f}').unwrap_or((text, unit));
    let factor = match own {
        "%" => 0.01,
        "s" => 1e12,
        "ms" | "Gb/s" => 1e9,
        "\u{b5}s" | "Mb/s" => 1e6,
        "ns" | "kb/s" => 1e3,
        _ => 1.0,
    };
    number.replace(',', "").parse::<f64>().expect("a number") * factor
}

/// Claim: every column of numbers of a run's tables shows its own key of the summary: each key has
/// digits that no other has, and they are found under the right heading. No column is left out but
/// the part of its bound that a delay is, which is their ratio.
#[test]
fn every_number_of_the_tables_is_its_key_of_the_summary() {
    let scenario = Scenario::from_toml(SCENARIO, "all.toml").expect("a valid scenario");
    let result = hopflow::run(&scenario, &hopflow::RunOptions::default()).expect("it runs");
    let seen = |port: &PortSummary| port.lengths.as_ref().is_some_and(|l| l.arrivals.is_some());
    let port = result.summary.ports.iter().position(seen).expect("cells came to a port of S");
    let node = result.summary.nodes.iter().position(|node| node.max_bytes.is_some());
    let node = node.expect("S counts bytes").to_string();
    let place = |key: &str| key.replace("PORT", &port.to_string()).replace("NODE", &node);
    let mut document = serde_json::to_value(&result.summary).expect("it is data");
    // Shares of a network with requests are not worked out.
    document["vcs"][0]["fair"] = json!({ "share_bps": 0, "ratio": 0, "held_by": null });
    for (index, (_, _, key, scale)) in COLUMNS.iter().enumerate() {
        let value = document.pointer_mut(&place(key)).unwrap_or_else(|| panic!("no {key}"));
        let digits = 1_001 + 7 * index as u64;
        *value = match *scale {
            part if part < 1.0 => json!(digits as f64 * part),
            whole => json!(digits * whole as u64),
        };
    }
    let summary: Summary = serde_json::from_value(document.clone()).expect("it is a summary");
    let (network, manifest) = (&scenario.network, &result.manifest);
    let run = RunView { network, manifest, summary: &summary, series: &[], why: &[] };
    let page = run_page(&run);
    let mut found = Vec::new();
    page.sections.iter().for_each(|section| tables(&section.blocks, &mut found));
    let mut compared = 0;
    for table in found {
        for (column, cell) in table.columns.iter().zip(&table.rows[0]).filter(|(c, _)| c.numeric) {
            let (title, head) = (table.title.as_str(), column.title.as_str());
            let shown = value(cell, &column.unit);
            let expected = if head == "share of it" {
                summary.vcs[0].delay_ps.expect("it has delays").max as f64
                    / summary.vcs[0].delay_bound_ps.expect("it has a bound") as f64
            } else {
                let own = COLUMNS.iter().find(|(t, h, ..)| (*t, *h) == (title, head));
                let (_, _, key, _) =
                    own.unwrap_or_else(|| panic!("{title}: {head} is not checked"));
                document.pointer(&place(key)).and_then(Value::as_f64).expect("a number")
            };
            let close = (shown - expected).abs() <= 5e-4 * expected;
            assert!(close, "{title}: {head} shows {shown}, and not {expected}");
            compared += 1;
        }
    }
    assert_eq!(compared, COLUMNS.len() + 1);
}
