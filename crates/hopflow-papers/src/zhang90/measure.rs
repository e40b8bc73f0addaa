//! What [Zhang90] 3.2.1 measures, read off finished runs, after their warm-up.
//!
//! *Utilization*: busy share of a link in windows of 100 ms. *Queue length*: packets at a port,
//! the one in transmission included. *Queueing delay*: waiting in all queues, own transmission
//! excluded. *Effective throughput*: packets delivered end to end per second. *Loss*: packets.

use hopflow_network::NodeKind;
use hopflow_record::{Estimate, LengthSummary, VcSummary};

use super::network::LINK_12;
use crate::{Measured, Run};

const PS_PER_MS: f64 = 1e9;

/// Waiting of the packets of some flows together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// Over all packets, in ms.
    pub mean_ms: f64,
    /// Standard deviation over all packets, in ms.
    pub deviation_ms: f64,
    /// What 99 of 100 packets of a flow do not exceed, in ms: mean over the flows by packets.
    pub p99_ms: f64,
    /// The greatest of any packet, in ms.
    pub max_ms: f64,
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSeen {
    /// Mean busy share.
    pub busy: f64,
    /// Standard deviation of the busy share over windows of 100 ms.
    pub busy_deviation: f64,
    /// The queue over time.
    pub over_time: LengthSummary,
    /// The queue as arriving packets make it.
    pub at_arrivals: LengthSummary,
}

/// How many links between switches the flow of this index crosses.
pub fn hops(run: &Run, vc: usize) -> usize {
    let is_switch = |node: usize| matches!(run.network.nodes[node].kind, NodeKind::Switch);
    let ends = |index: usize| {
        let id = run.network.vcs[vc].hops[index].direction_id();
        (run.network.from_node(id), run.network.to_node(id))
    };
    let count = run.network.vcs[vc].hops.len();
    (0..count).map(ends).filter(|(from, to)| is_switch(*from) && is_switch(*to)).count()
}

/// The flows that cross this number of links between switches.
pub fn with_hops(run: &Run, wanted: usize) -> Vec<usize> {
    (0..run.network.vcs.len()).filter(|vc| hops(run, *vc) == wanted).collect()
}

fn summaries<'a>(run: &'a Run, vcs: &'a [usize]) -> impl Iterator<Item = &'a VcSummary> {
    vcs.iter().map(|vc| &run.summary.vcs[*vc])
}

/// Waiting of the packets of these flows. Panics when none of them was delivered.
pub fn waiting(run: &Run, vcs: &[usize]) -> Waiting {
    let parts: Vec<_> = summaries(run, vcs)
        .filter_map(|vc| vc.waiting_ps.map(|waiting| (vc.received_packets as f64, waiting)))
        .collect();
    let all: f64 = parts.iter().map(|(count, _)| count).sum();
    assert!(all > 0.0, "no packet of these flows was delivered");
    let mean = parts.iter().map(|(count, part)| count * part.mean).sum::<f64>() / all;
    let square = |(count, part): &(f64, hopflow_record::WaitingSummary)| {
        let deviation = part.deviation.expect("delays of minutes do not pass 2^128");
        count * (deviation * deviation + (part.mean - mean) * (part.mean - mean))
    };
    let variance = parts.iter().map(square).sum::<f64>() / all;
    let p99 = parts.iter().map(|(count, part)| count * part.p99 as f64).sum::<f64>() / all;
    let max = parts.iter().map(|(_, part)| part.max).max().unwrap_or(0);
    Waiting {
        mean_ms: mean / PS_PER_MS,
        deviation_ms: variance.sqrt() / PS_PER_MS,
        p99_ms: p99 / PS_PER_MS,
        max_ms: max as f64 / PS_PER_MS,
    }
}

/// Packets per second that one of these flows delivers, mean over the flows.
pub fn throughput(run: &Run, vcs: &[usize]) -> f64 {
    let sum: f64 = summaries(run, vcs).map(|vc| vc.throughput_packets_per_second).sum();
    sum / vcs.len() as f64
}

/// Packets per second delivered end to end by all flows.
pub fn effective(run: &Run) -> f64 {
    run.summary.vcs.iter().map(|vc| vc.throughput_packets_per_second).sum()
}

/// Packets of these flows lost because a buffer was full.
pub fn lost(run: &Run, vcs: &[usize]) -> f64 {
    summaries(run, vcs).map(|vc| vc.dropped_packets as f64).sum()
}

/// All flows.
pub fn everyone(run: &Run) -> Vec<usize> {
    (0..run.network.vcs.len()).collect()
}

/// A link direction such as `S2->S3`. Panics unless the scenario records its throughput and the
/// lengths of its queue.
pub fn link(run: &Run, name: &str) -> LinkSeen {
    let index = run.direction(name).0;
    let link = &run.summary.links[index];
    let utilization = link.utilization.expect("the scenario records its throughput");
    let port = run.summary.ports.iter().find(|port| port.port == name);
    let lengths = port.and_then(|port| port.lengths.clone());
    let lengths = lengths.expect("the scenario records the lengths of its queue");
    LinkSeen {
        busy: link.busy_share,
        busy_deviation: utilization.deviation,
        over_time: lengths.time.expect("time has passed"),
        at_arrivals: lengths.arrivals.expect("packets have come"),
    }
}

/// The mean of a value over both directions of Link 12.
pub fn link_12(run: &Run, value: impl Fn(&LinkSeen) -> f64) -> f64 {
    LINK_12.map(|name| value(&link(run, name))).iter().sum::<f64>() / 2.0
}

/// The mean of a value over the runs of a scenario, one for each seed, with its interval. Panics
/// when there are none.
pub fn over(runs: &[Run], value: impl Fn(&Run) -> f64) -> Estimate {
    Estimate::of(runs.iter().map(value)).expect("a scenario is run at least once")
}

/// The claims on both directions of Link 12: `switch2.util_mean` and so on.
pub(super) fn link_claims(measured: &mut Measured, runs: &[Run]) {
    for (name, direction) in ["switch2", "switch3"].into_iter().zip(LINK_12) {
        let seen: Vec<LinkSeen> = runs.iter().map(|run| link(run, direction)).collect();
        let mut claim = |id: &str, value: fn(&LinkSeen) -> f64| {
            let of_runs = Estimate::of(seen.iter().map(value)).expect("a scenario is run");
            measured.claim(format!("{name}.{id}"), of_runs);
        };
        claim("util_mean", |link| link.busy);
        claim("util_deviation", |link| link.busy_deviation);
        claim("queue_mean", |link| link.over_time.mean_packets);
        claim("queue_seen_mean", |link| link.at_arrivals.mean_packets);
        claim("queue_deviation", |link| link.over_time.deviation_packets);
        claim("queue_p99", |link| f64::from(link.over_time.p99_packets));
    }
}
