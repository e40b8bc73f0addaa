//! Builds a summary: combines the counters of a run with the names of its network.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_control::credit::Sharers;
use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::transport::EndpointCounters;
use hopflow_network::{
    CreditLanes, DelayHistogram, DirectionId, HopControl, HopSpec, Limit, NetworkSpec, NodeKind,
    RunCounters, SizeLaw,
};
use hopflow_units::Picos;

use super::connections::{connections, frames};
use super::lengths::lengths_summary;
use super::links::lanes;
use super::waiting::{delay_summary, waiting_summary};
use super::{
    CountUnit, HoldSummary, HopSummary, LeafSummary, LinkShare, LinkSummary, NodeSummary,
    PortSummary, QueueSummary, RateSummary, Summary, VcSummary, VideoSummary,
};

fn counted_in(spec: &NetworkSpec) -> CountUnit {
    let cells = spec.vcs.iter().all(|vc| vc.traffic.size == SizeLaw::CELL);
    if cells { CountUnit::Cells } else { CountUnit::Packets }
}

/// Measured counters, with the names of link directions.
pub(crate) struct View<'a> {
    pub(crate) spec: &'a NetworkSpec,
    pub(crate) counters: &'a RunCounters,
    pub(crate) names: &'a [String],
    /// By link direction, the number of VCs that share its buffer.
    pub(crate) sharers: &'a [Sharers],
    /// Per VC and hop, the time for which its cells were in transmission.
    pub(crate) sending: Vec<Vec<Picos>>,
    /// The duration of the measured part.
    pub(crate) span: Picos,
}

impl View<'_> {
    fn end(&self) -> u64 {
        self.span.0
    }

    fn node_name(&self, node: usize) -> String {
        self.spec.nodes[node].name.clone()
    }

    /// The summary of links, ports, nodes and connections, without VCs. `areas`: by link direction,
    /// the integral of the queues at its port, in cell x ps. `endpoints`: those of VCs with one.
    pub(crate) fn network(
        &self,
        areas: &[u128],
        endpoints: &BTreeMap<usize, EndpointCounters>,
    ) -> Summary {
        Summary {
            counted_in: counted_in(self.spec),
            connections: connections(self.spec, endpoints, |bits| self.per_second(bits)),
            links: self.links(),
            ports: self.ports(areas),
            nodes: self.nodes(),
            processors: self.processors(),
            ..Summary::empty(self.counters.now)
        }
    }

    /// The row of a VC.
    pub(crate) fn vc(&self, vc: usize) -> VcSummary {
        let count = &self.counters.vcs[vc];
        let mut delay = DelayHistogram::default();
        count.leaves.iter().for_each(|leaf| delay.merge(&leaf.delay));
        let counted = VcSummary::counted(count);
        let received = u128::from(counted.received_packets);
        let leaves = count.leaves.len().max(1) as f64;
        let places = self.spec.leaves(vc);
        assert_eq!(places.len(), count.leaves.len(), "counters of another network");
        let pairs = places.iter().zip(&count.leaves);
        let parts = pairs.filter_map(|(hop, leaf)| self.waiting_part(vc, *hop, leaf));
        VcSummary {
            name: self.spec.vcs[vc].name.clone(),
            throughput_bps: self.throughput_bps(count),
            throughput_packets_per_second: self.per_second(received) / leaves,
            delay_ps: delay_summary(&delay),
            refused_at: count.set_up.refused_hop.map(|hop| {
                let id = self.spec.vcs[vc].hops[hop as usize].direction_id();
                self.names[id.0].clone()
            }),
            waiting_ps: waiting_summary(&parts.collect::<Vec<_>>()),
            first_delivery_ps: count.leaves.iter().filter_map(|l| l.first).min().map(|t| t.0),
            last_delivery_ps: count.leaves.iter().filter_map(|l| l.last).max().map(|t| t.0),
            ack_cells: count.ack_cells,
            acked_cells: count.acked_cells,
            frames: frames(count, |bits| self.per_second(bits)),
            holds: count.holds.as_ref().map(HoldSummary::counted),
            video: count.coded.as_ref().map(VideoSummary::of),
            hops: (0..count.hops.len()).map(|hop| self.hop(vc, hop)).collect(),
            leaves: self.leaves(vc, &places),
            ..counted
        }
    }

    /// The throughput of a VC, in bits per second; the mean over its final hosts.
    pub(crate) fn throughput_bps(&self, count: &VcCounters) -> f64 {
        let bytes: u64 = count.leaves.iter().map(|leaf| leaf.delivered_bytes).sum();
        self.per_second(8 * u128::from(bytes)) / count.leaves.len().max(1) as f64
    }

    fn leaves(&self, vc: usize, places: &[usize]) -> Vec<LeafSummary> {
        let pairs = places.iter().zip(&self.counters.vcs[vc].leaves);
        pairs
            .map(|(hop, count)| {
                let id = self.spec.vcs[vc].hops[*hop].direction_id();
                let waiting = self.waiting_part(vc, *hop, count);
                LeafSummary {
                    node: self.node_name(self.spec.to_node(id)),
                    throughput_bps: self.per_second(8 * u128::from(count.delivered_bytes)),
                    throughput_packets_per_second: self.per_second(count.delivered_packets.into()),
                    delay_ps: delay_summary(&count.delay),
                    waiting_ps: waiting.and_then(|part| waiting_summary(&[part])),
                    first_delivery_ps: count.first.map(|t| t.0),
                    last_delivery_ps: count.last.map(|t| t.0),
                    ..LeafSummary::counted(count)
                }
            })
            .collect()
    }

    /// The delays from which the waiting at the final host after `hop` is computed, and the delay
    /// on an idle path, in ps, to subtract from them.
    fn waiting_part<'c>(
        &self,
        vc: usize,
        hop: usize,
        count: &'c LeafCounters,
    ) -> Option<(&'c DelayHistogram, u64)> {
        if let Some(waiting) = &count.waiting {
            return Some((waiting, 0));
        }
        let size = self.spec.vcs[vc].traffic.size.fixed()?;
        Some((&count.delay, self.spec.unloaded_delay(vc, hop, size).0))
    }

    fn hop(&self, vc: usize, hop: usize) -> HopSummary {
        let spec = &self.spec.vcs[vc].hops[hop];
        let id = spec.direction_id();
        let count: &HopCounters = &self.counters.vcs[vc].hops[hop];
        let sending = self.sending[vc][hop].0;
        let known = sending.saturating_add(count.no_cell.0).saturating_add(count.no_credit.0);
        let waiting = self.end().saturating_sub(known);
        let (control, initial) = self.control(vc, hop, spec);
        let fair = self.counters.directions[id.0].fair_rate;
        HopSummary {
            from: self.node_name(self.spec.from_node(id)),
            to: self.node_name(self.spec.to_node(id)),
            link: self.names[id.0].clone(),
            control: control.to_string(),
            initial_credit_packets: initial,
            round_trip_ps: self.spec.round_trip(spec.link).0,
            no_cell_ps: count.no_cell.0,
            no_credit_ps: count.no_credit.0,
            waiting_ps: waiting,
            sending_ps: sending,
            no_cell_share: self.share(count.no_cell.0),
            no_credit_share: self.share(count.no_credit.0),
            waiting_share: self.share(waiting),
            sending_share: self.share(sending),
            rate: RateSummary::of(self.spec, vc, hop, &count.rate, fair),
            ..HopSummary::counted(count)
        }
    }

    /// The control of a hop, and the most cells that it permits in flight.
    pub(crate) fn control(
        &self,
        vc: usize,
        hop: usize,
        spec: &HopSpec,
    ) -> (&'static str, Option<u64>) {
        let window = self.spec.vcs[vc].window.filter(|_| hop == 0);
        match (spec.control, window) {
            (HopControl::Credit(credit), _) => {
                let first =
                    self.spec.first_credit(vc, spec, self.sharers).map(|cells| u64::from(cells.0));
                (credit.scheme.facts().name, first)
            }
            (HopControl::None, Some(window)) => ("window", Some(u64::from(window.cells.0))),
            (HopControl::None, None) if self.spec.is_paced(vc, hop) => ("abr", None),
            (HopControl::None, None) => ("none", None),
        }
    }

    fn links(&self) -> Vec<LinkSummary> {
        let directions = self.counters.directions.iter().enumerate();
        let sizes = CreditLanes::new(self.spec);
        directions
            .map(|(index, count)| {
                let id = DirectionId(index);
                let spec = self.spec.direction(id);
                LinkSummary {
                    from: self.node_name(self.spec.from_node(id)),
                    to: self.node_name(self.spec.to_node(id)),
                    name: self.names[index].clone(),
                    rate_bps: spec.rate.bps(),
                    scheduler: spec.scheduler.facts().name.to_owned(),
                    busy_share: self.share(count.busy.0),
                    lanes: lanes(&sizes, id, self.spec, &count.lanes, |span| self.share(span)),
                    ..LinkSummary::counted(count)
                }
            })
            .collect()
    }

    /// The first control on the path of a VC, `none` without one.
    pub(crate) fn class(&self, vc: usize) -> &'static str {
        let hops = self.spec.vcs[vc].hops.iter().enumerate();
        let mut controls = hops.map(|(index, hop)| self.control(vc, index, hop).0);
        controls.find(|control| *control != "none").unwrap_or("none")
    }

    /// The share of a VC of the link of a hop.
    pub(crate) fn link_share(&self, vc: usize, hop: usize) -> LinkShare {
        LinkShare {
            vc: self.spec.vcs[vc].name.clone(),
            packets: self.counters.vcs[vc].hops[hop].sent_packets,
            share: self.share(self.sending[vc][hop].0),
        }
    }

    /// The queue of a VC at the sending end of a hop.
    pub(crate) fn queue(&self, vc: usize, hop: usize) -> QueueSummary {
        let vc_spec = &self.spec.vcs[vc];
        let id = vc_spec.hops[hop].direction_id();
        let count = &self.counters.vcs[vc].hops[hop];
        QueueSummary {
            node: self.node_name(self.spec.from_node(id)),
            port: self.names[id.0].clone(),
            vc: vc_spec.name.clone(),
            mean_packets: self.mean(count.fill_area),
            max_packets: count.fill_max_packets,
            end_packets: Some(count.fill_packets),
        }
    }

    /// `areas`: the integral of the queues at each port.
    fn ports(&self, areas: &[u128]) -> Vec<PortSummary> {
        let directions = self.counters.directions.iter().enumerate();
        directions
            .map(|(index, count)| {
                let id = DirectionId(index);
                PortSummary {
                    node: self.node_name(self.spec.from_node(id)),
                    port: self.names[index].clone(),
                    mean_packets: self.mean(areas[index]),
                    max_packets: count.queue_max_packets,
                    end_packets: Some(count.queue_packets),
                    lengths: count.lengths.as_ref().map(lengths_summary),
                }
            })
            .collect()
    }

    fn nodes(&self) -> Vec<NodeSummary> {
        let hosts = 0..self.spec.nodes.len();
        let drains = hosts.filter_map(|node| self.spec.drain(node));
        let applications: BTreeSet<usize> = drains.map(|id| self.spec.to_node(id)).collect();
        let counts = self.spec.counts_bytes();
        let pairs = self.spec.nodes.iter().zip(&self.counters.nodes).enumerate();
        pairs
            .map(|(index, (node, count))| NodeSummary {
                node: node.name.clone(),
                kind: match node.kind {
                    NodeKind::Host if applications.contains(&index) => "application".to_string(),
                    // A slow host forwards to its application, but it is a host.
                    NodeKind::Switch if node.drain.is_none() => "switch".to_string(),
                    NodeKind::Host | NodeKind::Switch => "host".to_string(),
                },
                mean_packets: self.mean(count.buffered_area),
                max_packets: count.buffered_max_packets,
                end_packets: Some(count.buffered_packets),
                max_bytes: counts[index].then_some(count.memory_max_bytes),
                buffer_bytes: node.buffer.and_then(Limit::bytes).map(|limit| limit.0),
                alpha: node.alpha.map(|alpha| alpha.billionths() as f64 / 1e9),
                reserved_bytes: self.reserved_bytes(index),
            })
            .collect()
    }

    /// What the reserves of a node take of its memory, if it has some.
    fn reserved_bytes(&self, index: usize) -> Option<u64> {
        let reserve = self.spec.nodes[index].reserve;
        let outputs = (!reserve.is_none()).then(|| self.spec.outputs(index))?;
        reserve.at_all(outputs).map(|bytes| bytes.0)
    }

    /// `things` per second of the measured part; 0 for an empty run.
    fn per_second(&self, things: u128) -> f64 {
        if self.end() == 0 {
            return 0.0;
        }
        (things * u128::from(Picos::PER_SECOND)) as f64 / self.end() as f64
    }

    /// A span as a share of the run; 0 for an empty run.
    pub(crate) fn share(&self, span_ps: u64) -> f64 {
        if self.end() == 0 { 0.0 } else { span_ps as f64 / self.end() as f64 }
    }

    /// The time average of a quantity with this integral, in cells; 0 for an empty run.
    fn mean(&self, area: u128) -> f64 {
        if self.end() == 0 { 0.0 } else { area as f64 / self.end() as f64 }
    }
}
