//! A run under one control that records only the data of a comparison.

use hopflow_network::{
    Discard, FrameDiscardSpec, HopSpec, NetworkSpec, NodeKind, NodeSpec, Reserve, TraceFilter,
    VcSpec,
};
use hopflow_record::{
    NodeSummary, Quantity, QueueWatch, RecordSpec, Series, WatchedQueue, direction_names,
};
use hopflow_scenario::Scenario;
use hopflow_units::{Bytes, Picos, SimTime};

use super::travel::Travels;
use super::{CURVE_PARTS, Contender, Curve};
use crate::fairness::carriers;
use crate::{RunError, RunOptions, RunResult, run_with_rows, useful_threads};

/// The data of a run.
pub(super) struct Observed {
    pub(super) result: RunResult,
    /// For each switch, in order.
    pub(super) queues: Vec<WatchedQueue>,
    /// For each VC of [`carriers`], in order.
    pub(super) rates: Vec<Curve>,
    /// Mean of the delay from the first link on, in ps; `None` if it is unknown.
    pub(super) network_ps: Option<f64>,
    /// The network of the run.
    pub(super) network: NetworkSpec,
}

impl Observed {
    /// Whether a switch lost a packet for lack of buffer.
    pub(super) fn loses_at_switches(&self, network: &NetworkSpec) -> bool {
        let lost = |vc: usize, hop: usize, spec: &HopSpec| {
            let counters = &self.result.counters.vcs[vc].hops[hop];
            let is_switch = |node: usize| network.nodes[node].kind == NodeKind::Switch;
            let id = spec.direction_id();
            let sender = counters.given_up_packets + counters.pushed_out_packets;
            counters.dropped_packets > 0 && is_switch(network.to_node(id))
                || sender > 0 && is_switch(network.from_node(id))
        };
        let hops = |(vc, spec): (usize, &VcSpec)| {
            spec.hops.iter().enumerate().any(|(hop, spec)| lost(vc, hop, spec))
        };
        network.vcs.iter().enumerate().any(hops)
    }
}

/// Runs a scenario.
pub(super) fn run(scenario: &Scenario, options: &RunOptions) -> Result<Observed, RunError> {
    let mut scenario = scenario.clone();
    let network = as_run(&scenario, options);
    let part = Picos(network.duration.0.div_ceil(CURVE_PARTS).max(1));
    let from = SimTime(options.warm_up.unwrap_or(scenario.warm_up).0);
    let mut watches = watches(&network, from, part);
    let mut travels = Travels::new(&network, from);
    let last_hops = carriers(&network).flat_map(|vc| last_hops(&network.vcs[vc]));
    scenario.record = RecordSpec {
        window: Some(part),
        throughput: last_hops.map(HopSpec::direction_id).collect(),
        trace: filter(&watches, travels.as_ref()),
        ..RecordSpec::default()
    };
    let options = as_useful(&network, options);
    let mut result = run_with_rows(&scenario, &options, &mut |rows| {
        for watch in &mut watches {
            watch.take(rows);
        }
        if let Some(travels) = &mut travels {
            travels.take(rows);
        }
    })?;
    let end = result.end;
    let queues = watches.into_iter().map(|watch| watch.finish(end)).collect();
    let series = std::mem::take(&mut result.series);
    let rates = rates(&network, &series, part, end);
    let network_ps = travels.and_then(|travels| travels.mean_ps());
    Ok(Observed { result, queues, rates, network_ps, network })
}

/// What a switch held at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) packets: u64,
    /// Bytes of memory, if it counts them.
    pub(super) bytes: Option<u64>,
}

/// What each switch held at most, in order; empty if the run was cancelled.
pub(super) fn greatest_queues(
    scenario: &Scenario,
    options: &RunOptions,
) -> Result<Vec<Held>, RunError> {
    let scenario = Scenario { record: RecordSpec::default(), ..scenario.clone() };
    let options = as_useful(&scenario.network, options);
    let result = run_with_rows(&scenario, &options, &mut |_| ())?;
    if !result.complete {
        return Ok(Vec::new());
    }
    let nodes = result.summary.nodes.iter();
    let switches = nodes.zip(&scenario.network.nodes).filter(|(_, spec)| is_switch(spec));
    let held =
        |node: &NodeSummary| Held { packets: u64::from(node.max_packets), bytes: node.max_bytes };
    Ok(switches.map(|(node, _)| held(node)).collect())
}

/// The same contender with switches of unlimited memory, whose bytes are counted where they were.
pub(super) fn unlimited(one: &Contender) -> Contender {
    let mut one = one.clone();
    let counts = one.scenario.network.counts_bytes();
    for (node, counts) in one.scenario.network.nodes.iter_mut().zip(counts) {
        node.cell = node.cell.or(counts.then_some(Bytes(1)));
    }
    for link in &mut one.scenario.network.links {
        link.directions.iter_mut().for_each(|direction| direction.buffer = None);
    }
    for node in one.scenario.network.nodes.iter_mut().filter(|node| is_switch(node)) {
        (node.buffer, node.vc_buffer, node.port_buffer) = (None, None, None);
        (node.alpha, node.reserve) = (None, Reserve::default());
        (node.discard, node.frame_discard) = (Discard::Arriving, FrameDiscardSpec::None);
    }
    one
}

fn is_switch(node: &NodeSpec) -> bool {
    node.kind == NodeKind::Switch
}

/// The same options with no more threads than the network can use.
fn as_useful(network: &NetworkSpec, options: &RunOptions) -> RunOptions {
    let threads = useful_threads(network, options.threads);
    RunOptions { threads, ..options.clone() }
}

fn as_run(scenario: &Scenario, options: &RunOptions) -> NetworkSpec {
    let mut network = scenario.network.clone();
    crate::options::overridden(&mut network, options);
    network
}

fn watches(network: &NetworkSpec, from: SimTime, part: Picos) -> Vec<QueueWatch> {
    let nodes = network.nodes.iter().enumerate().filter(|(_, node)| is_switch(node));
    nodes.map(|(node, _)| QueueWatch::new(network, node, from, part)).collect()
}

fn filter(watches: &[QueueWatch], travels: Option<&Travels>) -> TraceFilter {
    let mut filter = TraceFilter::none();
    for watch in watches {
        watch.widen(&mut filter);
    }
    if let Some(travels) = travels {
        travels.widen(&mut filter);
    }
    filter
}

/// The hops of a VC that end at final hosts.
fn last_hops(vc: &VcSpec) -> Vec<&HopSpec> {
    let children = vc.children();
    vc.hops.iter().zip(children).filter(|(_, next)| next.is_empty()).map(|(hop, _)| hop).collect()
}

/// The rate of each carrier in bits per second: the mean over its last hops.
fn rates(network: &NetworkSpec, series: &[Series], part: Picos, end: SimTime) -> Vec<Curve> {
    let links = direction_names(network);
    let of_vc = |vc: usize| {
        let spec = &network.vcs[vc];
        let hops = last_hops(spec);
        let ends: Vec<&String> = hops.iter().map(|hop| &links[hop.direction_id().0]).collect();
        let is_its = |one: &&Series| {
            one.quantity == Quantity::VcThroughput
                && one.vc.as_ref() == Some(&spec.name)
                && one.link.as_ref().is_some_and(|link| ends.contains(&link))
        };
        let mut values: Vec<f64> = Vec::new();
        for points in series.iter().filter(is_its).filter_map(Series::in_bps) {
            values.resize(points.len(), 0.0);
            let parts = values.iter_mut().zip(points);
            parts.for_each(|(sum, point)| *sum += point.value / hops.len() as f64);
        }
        Curve { name: spec.name.clone(), part, end, values }
    };
    carriers(network).map(of_vc).collect()
}
