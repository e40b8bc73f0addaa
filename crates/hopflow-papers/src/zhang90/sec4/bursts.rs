//! Leaky bucket B before one link, with bursty and smooth flows; how packets are interleaved.
//!
//! A *run* is as many packets of one flow as follow each other on the link while packets of
//! another flow wait. Round robin has runs of two as well: a flow with a next packet joins the end
//! of the list as it starts, before a flow whose packet comes a moment later.
//! Source: [Zhang90] 4.2.1 and 2.4, "maximally interleaved".

use hopflow_network::{CellKind, TraceEvent};

use crate::zhang90::measure::waiting;
use crate::{Chart, ChartLine, Measured, Run, Runs, ScenarioText};

const FILE: &str = "sec4-bursts.toml";
const FIFO: &str = "scheduler = \"fifo\"";
const POLICING: &str = "policing = { kind = \"token-bucket\" }\n";
const LINK: &str = "S->T";

/// Orders of service: key in ids and files, name, TOML.
const ORDERS: [(&str, &str, &str); 5] = [
    ("fifo", "FIFO", "\"fifo\""),
    ("virtual-clock", "VirtualClock", "\"virtual-clock\""),
    ("wfq", "WFQ", "\"wfq\""),
    ("scfq", "SCFQ", "\"scfq\""),
    ("round-robin", "round robin", "\"round-robin\""),
];
const OPEN: &str = "sec4-bursts-open.toml";

fn file(key: &str) -> String {
    if key == "fifo" { FILE.to_owned() } else { format!("sec4-bursts-{key}.toml") }
}

pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec4-bursts.toml");
    let order = |(key, _, toml): &(&str, &str, &str)| {
        let scheduler = format!("scheduler = {toml}");
        base.variant(file(key), &[(FIFO, &scheduler)])
    };
    // Without buckets: VirtualClock at the link alone.
    let open = base.variant(OPEN, &[(FIFO, "scheduler = \"virtual-clock\""), (POLICING, "")]);
    ORDERS.iter().map(order).chain([open]).collect()
}

/// The flows whose name begins so.
fn named(run: &Run, start: &str) -> Vec<usize> {
    let vcs = run.network.vcs.iter().enumerate();
    vcs.filter(|(_, vc)| vc.name.starts_with(start)).map(|(index, _)| index).collect()
}

fn waited(run: &Run, flows: &str) -> f64 {
    waiting(run, &named(run, flows)).mean_ms
}

/// How many runs there are of each length, from rows of the link: index 1 is a run of one packet.
fn lengths(run: &Run) -> Vec<u64> {
    let id = run.direction(LINK).0 as u32;
    let mut waiting = vec![0_u64; run.network.vcs.len()];
    let (mut last, mut length) = (None, 0);
    let mut counts: Vec<u64> = Vec::new();
    let mut end = |length: usize| {
        if length > 0 {
            counts.resize(counts.len().max(length + 1), 0);
            counts[length] += 1;
        }
    };
    let into: Vec<Option<u32>> = run.network.vcs.iter().map(|vc| upstream(vc, id)).collect();
    for row in run.rows.iter().filter(|row| row.kind == CellKind::Data) {
        let vc = row.vc as usize;
        match row.event {
            TraceEvent::Arrived if Some(row.direction) == into[vc] => waiting[vc] += 1,
            TraceEvent::Dropped if row.direction == id => waiting[vc] -= 1,
            TraceEvent::Started if row.direction == id => {
                waiting[vc] -= 1;
                let others = waiting.iter().enumerate().any(|(of, count)| of != vc && *count > 0);
                if last != Some(vc) || !others {
                    end(length);
                    length = 0;
                }
                (last, length) = (Some(vc), length + 1);
            }
            _ => {}
        }
    }
    end(length);
    counts
}

/// The link direction by which a VC reaches the sender of `id`.
fn upstream(vc: &hopflow_network::VcSpec, id: u32) -> Option<u32> {
    let hop = vc.hops.iter().find(|hop| hop.direction_id().0 as u32 == id)?;
    hop.parent.map(|parent| vc.hops[parent].direction_id().0 as u32)
}

fn mean_length(counts: &[u64]) -> f64 {
    let runs: u64 = counts.iter().sum();
    let packets: u64 = counts.iter().enumerate().map(|(length, n)| length as u64 * n).sum();
    packets as f64 / runs as f64
}

pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    let of = |key: &str| runs.one(&file(key));
    let (fifo, clock) = (of("fifo"), of("virtual-clock"));
    let ratio = |flows: &str| waited(fifo, flows) / waited(clock, flows);
    measured.claim("bursts.smooth_ratio", ratio("smooth"));
    measured.claim("bursts.bursty_ratio", ratio("bursty"));
    let alone = runs.one(OPEN);
    measured.claim("bursts.open.smooth_ratio", waited(fifo, "smooth") / waited(alone, "smooth"));
    let policed = |run: &Run| {
        let flows = named(run, "bursty");
        let sum = |value: fn(&hopflow_record::VcSummary) -> u64| -> f64 {
            flows.iter().map(|vc| value(&run.summary.vcs[*vc]) as f64).sum()
        };
        sum(|vc| vc.policed_packets + vc.dropped_packets) / sum(|vc| vc.created_packets)
    };
    measured.claim("bursts.policed_share", policed(fifo));
    measured.claim("bursts.open.lost_share", policed(alone));
    let all: Vec<(&str, Vec<u64>)> =
        ORDERS.iter().map(|(key, name, _)| (*name, lengths(of(key)))).collect();
    for ((key, ..), (_, counts)) in ORDERS.iter().zip(&all) {
        measured.claim(format!("runs.{key}.mean"), mean_length(counts));
    }
    measured.claim("runs.fifo.longest", all[0].1.len() as f64 - 1.0);
    measured.claim("runs.virtual-clock.longest", all[1].1.len() as f64 - 1.0);
    measured.charts.push(chart(&all));
}

fn chart(all: &[(&str, Vec<u64>)]) -> Chart {
    let line = |(name, counts): &(&str, Vec<u64>)| {
        let packets: f64 = counts.iter().enumerate().map(|(k, n)| k as f64 * *n as f64).sum();
        // From the longest down: the share of packets in runs of at least this length.
        let mut left = packets;
        let points = counts.iter().enumerate().skip(1).map(|(length, count)| {
            let point = (length as f64, 100.0 * left / packets);
            left -= length as f64 * *count as f64;
            point
        });
        ChartLine::straight(*name, points)
    };
    Chart::new("zhang90-sec4-runs", "Interleaving behind leaky buckets")
        .caption(
            "A run counts packets of one flow that follow each other while another flow waits. \
             Nine smooth and nine bursty flows, 300 s.",
        )
        .axes("length of a run (packets)", "packets in runs at least so long (%)")
        .lines(all.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two runs of 1 and one of 4: 6 packets in 3 runs.
    #[test]
    fn mean_length_is_over_runs() {
        assert!((mean_length(&[0, 2, 0, 0, 1]) - 2.0).abs() < 1e-12);
    }
}
