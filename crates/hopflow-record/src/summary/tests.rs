//! The JSON contract, key by key, of counters computed by hand.

use hopflow_network::CreditScheme;
use serde_json::{Value, json};

use super::{
    FrameSummary, HopSummary, LaneSummary, LeafSummary, LinkSummary, RateSummary, RpcSummary,
    Summary, TcpSummary, VcSummary,
};
use crate::fixture::{digest, line, line_counters, summary_of};

fn summary() -> Value {
    serde_json::to_value(summary_of(&line(), None, &line_counters())).unwrap()
}

/// Claim: the keys, units and values of a VC. 4 cells of 424 bits in 10 us are 169.6 Mb/s; the
/// delays 2, 2, 2 and 4 T have the mean 2.5 T.
#[test]
fn a_vc_is_reported_in_full() {
    let mut vc = summary()["vcs"][0].clone();
    vc["hops"].take();
    // The variance of 2, 2, 2, 4 is 3/4. On an idle path a cell takes 2 T, so it waited 0 or 2 T.
    let deviation = 0.75_f64.sqrt() * 1e6;
    let delay = json!({
        "min": 2_000_000, "mean": 2_500_000.0, "sum": "10000000", "deviation": deviation,
        "p99": 4_000_000, "max": 4_000_000,
    });
    let waiting = json!({
        "mean": 500_000.0, "deviation": deviation, "p99": 2_000_000, "max": 2_000_000,
    });
    let expected = json!({
        "name": "VC1", "created_packets": 8, "sent_packets": 8, "received_packets": 4,
        "dropped_packets": 0, "corrupted_packets": 1, "delivered_bytes": 212,
        "throughput_bps": 169.6e6,
        "throughput_packets_per_second": 4e5, "delay_ps": delay, "waiting_ps": waiting,
        "delay_bound_ps": null, "delay_bound": "",
        "first_delivery_ps": 2_000_000, "last_delivery_ps": 9_000_000,
        "ack_cells": 0, "acked_cells": 0, "hops": null,
        "leaves": [{
            "node": "B", "received_packets": 4, "delivered_bytes": 212, "throughput_bps": 169.6e6,
            "throughput_packets_per_second": 4e5, "delay_ps": delay, "waiting_ps": waiting,
            "first_delivery_ps": 2_000_000, "last_delivery_ps": 9_000_000,
        }],
    });
    assert_eq!(vc, expected);
}

/// Claim: the four spans of a hop add up to the run. Hop 0: 2.5 T without credit, 7.5 T sending
/// (7 cells and half of the eighth). Hop 1: 3.75 T without cell, 5.25 T sending, so 1 T waiting.
#[test]
fn the_time_of_a_hop_adds_up() {
    let summary = summary();
    let hops = &summary["vcs"][0]["hops"];
    let spans = |hop: usize| {
        ["no_cell", "no_credit", "waiting", "sending"].map(|key| {
            let picos = hops[hop][format!("{key}_ps")].as_u64().unwrap();
            let share = hops[hop][format!("{key}_share")].as_f64().unwrap();
            assert!((share - picos as f64 / 1e7).abs() < 1e-12);
            picos
        })
    };
    assert_eq!(spans(0), [0, 2_500_000, 0, 7_500_000]);
    assert_eq!(spans(1), [3_750_000, 0, 1_000_000, 5_250_000]);
    assert_eq!(hops[1]["control"], "n23");
    assert_eq!(hops[1]["initial_credit_packets"], 5);
    assert_eq!(hops[1]["round_trip_ps"], 2_000_000);
    assert_eq!(hops[1]["credits_corrupted"], 1);
    assert_eq!(hops[0]["no_credit_count"], 1);
}

/// Claim: the keys and values of a link direction, a queue, a port and a node.
#[test]
fn links_queues_ports_and_nodes_are_reported() {
    let summary = summary();
    let link = json!({
        "from": "S", "to": "B", "name": "S->B", "rate_bps": 424_000_000, "busy_share": 0.525,
        "data_packets": 6, "control_packets": 0, "scheduler": "round-robin",
        "vcs": [{"vc": "VC1", "packets": 6, "share": 0.525}],
    });
    assert_eq!(summary["links"][2], link);
    assert_eq!(summary["links"][3]["control_packets"], 2);
    let queue = json!({
        "node": "S", "port": "S->B", "vc": "VC1", "mean_packets": 0.625, "max_packets": 2,
        "end_packets": 1,
    });
    assert_eq!(summary["queues"][1], queue);
    let port = json!({
        "node": "S", "port": "S->B", "mean_packets": 0.625, "max_packets": 2, "end_packets": 1,
    });
    assert_eq!(summary["ports"][2], port);
    let node = json!({
        "node": "S", "kind": "switch", "mean_packets": 0.625, "max_packets": 2, "end_packets": 1,
    });
    assert_eq!(summary["nodes"][1], node);
    assert_eq!(summary["end_ps"], 10_000_000);
    assert_eq!(summary["violations"], json!([]));
}

/// Claim: an integer above 2^53 is a string, and a summary that is read back is the same.
#[test]
fn large_integers_are_strings_and_come_back() {
    let mut summary = summary_of(&line(), None, &line_counters());
    summary.vcs[0].ack_cells = (1 << 53) + 1;
    summary.vcs[0].first_delivery_ps = Some(1 << 53);
    summary.vcs[0].last_delivery_ps = Some(u64::MAX);
    summary.vcs[0].delay_ps.as_mut().unwrap().sum = Some(u128::MAX);
    let value = serde_json::to_value(&summary).unwrap();
    assert_eq!(value["vcs"][0]["ack_cells"], "9007199254740993");
    assert_eq!(value["vcs"][0]["first_delivery_ps"], 9_007_199_254_740_992_u64);
    assert_eq!(value["vcs"][0]["last_delivery_ps"], "18446744073709551615");
    assert_eq!(value["vcs"][0]["delay_ps"]["sum"], u128::MAX.to_string());
    assert_eq!(serde_json::from_value::<Summary>(value).unwrap(), summary);
}

/// Claim: before the first instant all values are 0 and none is NaN.
#[test]
fn an_empty_run_has_a_summary() {
    let mut counters = line_counters();
    counters.now = hopflow_units::SimTime::ZERO;
    let summary = summary_of(&line(), None, &counters);
    assert!(summary.vcs[0].throughput_bps == 0.0 && summary.links[0].busy_share == 0.0);
}

/// Claim: the digests of runs that differ in one start or in one final counter differ.
#[test]
fn the_digest_tells_runs_apart() {
    let of = |change: fn(&mut hopflow_network::RunCounters)| {
        let mut counters = line_counters();
        change(&mut counters);
        digest(&line(), &counters)
    };
    let same = of(|_| ());
    assert_eq!(same, digest(&line(), &line_counters()));
    let others = [
        of(|c| c.directions[3].hash += 1),
        of(|c| c.now.0 += 1),
        of(|c| c.vcs[0].hops[1].fill_area += 1 << 64),
        of(|c| c.vcs[0].leaves[0].delay.record(1)),
        of(|c| c.nodes[0].buffered_area += 1),
        of(|c| c.directions.swap(0, 2)),
        of(|c| c.vcs[0].policed_packets += 1),
        of(|c| c.vcs[0].hops[1].pushed_out_packets += 1),
        of(|c| c.vcs[0].hops[1].slow_down_messages += 1),
        of(|c| c.vcs[0].hops[1].deleted = Some(hopflow_units::SimTime(1))),
        of(|c| c.vcs[0].leaves[0].delivered_bytes += 1),
        of(|c| c.vcs[0].leaves[0].waiting = Some(c.vcs[0].leaves[0].delay.clone())),
    ];
    let lengths = of(|c| c.directions[0].lengths = Some(hopflow_network::QueueLengths::default()));
    assert_eq!(lengths, same, "what is recorded is not folded in");
    assert!(others.iter().all(|other| *other != same));
}

/// Claim: `docs/results.md` explains every counter of a VC, a link or a connection that a summary
/// publishes.
#[test]
fn the_documents_list_every_counter() {
    let text = include_str!("../../../../docs/results.md");
    let lists = [
        VcSummary::COUNTERS,
        FrameSummary::COUNTERS,
        TcpSummary::COUNTERS,
        RpcSummary::COUNTERS,
        HopSummary::COUNTERS,
        RateSummary::COUNTERS,
        LinkSummary::COUNTERS,
        LaneSummary::COUNTERS,
        LeafSummary::COUNTERS,
    ];
    for counter in lists.concat() {
        assert!(text.contains(&format!("`{}`", counter.key)), "{}", counter.key);
    }
}

/// Claim: the section of connections in `docs/results.md` explains every key of TCP and of calls,
/// counters and others.
#[test]
fn the_documents_list_every_key_of_a_connection() {
    let text = include_str!("../../../../docs/results.md");
    let mut sections = text.split("\n## ");
    let section = sections.find(|part| part.starts_with("`connections`")).expect("a section");
    let rows = [json!(TcpSummary::default()), json!(RpcSummary::default())];
    let keys = rows.iter().flat_map(|row| row.as_object().unwrap().keys().map(String::as_str));
    // Zero may be left out of JSON.
    let counters = [TcpSummary::COUNTERS, RpcSummary::COUNTERS].concat();
    for key in keys.chain(counters.iter().map(|counter| counter.key)) {
        assert!(section.contains(&format!("`{key}`")), "{key}");
    }
}

/// Claim: `docs/results.md` names every credit scheme that `control` may have.
#[test]
fn the_documents_name_every_credit_scheme() {
    let text = include_str!("../../../../docs/results.md");
    let row = text.lines().find(|line| line.starts_with("| `control` |")).expect("a row");
    for scheme in CreditScheme::ALL {
        let name = scheme.facts().name;
        assert!(row.contains(&format!("`{name}`")), "{name}");
    }
}
