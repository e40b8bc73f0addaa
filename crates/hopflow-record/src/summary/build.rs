//! Makes a summary: pairs the counters of a run with the names of its network.

use hopflow_network::counters::{HopCounters, LeafCounters};
use hopflow_network::{
    CreditScheme, DelayHistogram, DirectionId, HopControl, HopSpec, NetworkSpec, NodeKind,
    RunCounters, SizeLaw,
};
use hopflow_units::{Picos, SimTime};

use super::connections::{connections, packets};
use super::lengths::lengths_summary;
use super::links::lanes;
use super::waiting::{delay_summary, waiting_summary};
use super::{
    CountUnit, HopSummary, LeafSummary, LinkShare, LinkSummary, NodeSummary, PortSummary,
    QueueSummary, RateSummary, Summary, VcSummary,
};
use crate::names::direction_names;
use crate::properties::violations_named;
use crate::sending::{hops_by_direction, sending_times};
use crate::warm_up;

/// `whole`: of the whole run. `counters`: of what was measured after the warm-up, at whose end
/// the counters were `before`.
pub(super) fn summary(
    spec: &NetworkSpec,
    whole: &RunCounters,
    counters: &RunCounters,
    before: Option<&RunCounters>,
) -> Summary {
    assert_eq!(counters.directions.len(), spec.direction_count(), "counters of another network");
    assert_eq!(counters.vcs.len(), spec.vcs.len(), "counters of another network");
    let from = before.map_or(SimTime::ZERO, |before| before.now);
    let (names, pool_sizes) = (direction_names(spec), spec.pool_sizes());
    let view = View {
        spec,
        counters,
        names: &names,
        pool_sizes: &pool_sizes,
        sending: sending(spec, whole, before),
        span: warm_up::span(from, counters.now),
    };
    let per_direction = hops_by_direction(spec);
    let area = |&(vc, hop): &(usize, usize)| counters.vcs[vc].hops[hop].fill_area;
    let areas = per_direction.iter().map(|hops| hops.iter().map(area).sum());
    let areas: Vec<u128> = areas.collect();
    Summary {
        totals: None,
        end_ps: counters.now.0,
        from_ps: from.0,
        counted_in: counted_in(spec),
        vcs: (0..spec.vcs.len()).map(|vc| view.vc(vc)).collect(),
        fairness: None,
        connections: connections(spec, counters, |bits| view.per_second(bits)),
        links: view.links(|index| view.link_shares(&per_direction[index])),
        queues: view.queues(),
        ports: view.ports(&areas),
        nodes: view.nodes(),
        violations: violations_named(spec, whole, &names),
    }
}

/// What is told of VCs alone: those of `spec` and `counters`. `names` are those of link directions,
/// `pool_sizes` tell how many VCs of the whole network share their pools.
pub(crate) fn vcs_alone(
    spec: &NetworkSpec,
    counters: &RunCounters,
    (names, pool_sizes): (&[String], &[u32]),
    sending: Vec<Vec<Picos>>,
) -> Summary {
    let span = warm_up::span(SimTime::ZERO, counters.now);
    let view = View { spec, counters, names, pool_sizes, sending, span };
    let vcs = (0..spec.vcs.len()).map(|vc| view.vc(vc)).collect();
    Summary { vcs, queues: view.queues(), ..empty(spec, counters) }
}

/// What is told of links, ports and nodes alone. `areas`: by link direction, the integral of the
/// queues at its port, in cell x ps.
pub(crate) fn network_alone(
    spec: &NetworkSpec,
    counters: &RunCounters,
    names: &[String],
    areas: &[u128],
) -> Summary {
    let span = warm_up::span(SimTime::ZERO, counters.now);
    let (pool_sizes, sending) = (&[][..], Vec::new());
    let view = View { spec, counters, names, pool_sizes, sending, span };
    Summary {
        links: view.links(|_| Vec::new()),
        ports: view.ports(areas),
        nodes: view.nodes(),
        ..empty(spec, counters)
    }
}

fn empty(spec: &NetworkSpec, counters: &RunCounters) -> Summary {
    Summary {
        end_ps: counters.now.0,
        from_ps: 0,
        counted_in: counted_in(spec),
        totals: None,
        vcs: Vec::new(),
        fairness: None,
        connections: Vec::new(),
        links: Vec::new(),
        queues: Vec::new(),
        ports: Vec::new(),
        nodes: Vec::new(),
        violations: Vec::new(),
    }
}

fn counted_in(spec: &NetworkSpec) -> CountUnit {
    let cells = spec.vcs.iter().all(|vc| vc.traffic.size == SizeLaw::CELL);
    if cells { CountUnit::Cells } else { CountUnit::Packets }
}

/// Per VC and hop, for how long its cells were in transmission after the warm-up.
fn sending(
    spec: &NetworkSpec,
    whole: &RunCounters,
    before: Option<&RunCounters>,
) -> Vec<Vec<Picos>> {
    let mut times: Vec<Vec<Picos>> = sending_times(spec, whole)
        .into_iter()
        .map(|hops| hops.into_iter().map(|sending| sending.time).collect())
        .collect();
    let earlier = before.map(|before| sending_times(spec, before)).into_iter().flatten();
    for (hops, earlier) in times.iter_mut().zip(earlier) {
        for (time, earlier) in hops.iter_mut().zip(earlier) {
            *time = Picos(time.0.saturating_sub(earlier.time.0));
        }
    }
    times
}

/// What was measured, with the names of its link directions.
struct View<'a> {
    spec: &'a NetworkSpec,
    counters: &'a RunCounters,
    names: &'a [String],
    /// By link direction, how many VCs share its pool.
    pool_sizes: &'a [u32],
    /// Per VC and hop, the time for which its cells were in transmission.
    sending: Vec<Vec<Picos>>,
    /// What is measured lasts so long.
    span: Picos,
}

impl View<'_> {
    fn end(&self) -> u64 {
        self.span.0
    }

    fn node_name(&self, node: usize) -> String {
        self.spec.nodes[node].name.clone()
    }

    fn vc(&self, vc: usize) -> VcSummary {
        let count = &self.counters.vcs[vc];
        let hops = &count.hops;
        let mut delay = DelayHistogram::default();
        count.leaves.iter().for_each(|leaf| delay.merge(&leaf.delay));
        let sum = |of: fn(&LeafCounters) -> u64| -> u64 { count.leaves.iter().map(of).sum() };
        let lost = |h: &HopCounters| h.dropped_cells + h.given_up_cells + h.pushed_out_cells;
        let (received, bytes) = (sum(|leaf| leaf.delivered_cells), sum(|l| l.delivered_bytes));
        let leaves = count.leaves.len().max(1) as f64;
        let places = self.spec.leaves(vc);
        assert_eq!(places.len(), count.leaves.len(), "counters of another network");
        let pairs = places.iter().zip(&count.leaves);
        let parts = pairs.filter_map(|(hop, leaf)| self.waiting_part(vc, *hop, leaf));
        VcSummary {
            name: self.spec.vcs[vc].name.clone(),
            created_cells: count.created_cells,
            sent_cells: hops[0].sent_cells,
            received_cells: received,
            dropped_cells: hops.iter().map(lost).sum(),
            pushed_out_cells: hops.iter().map(|h| h.pushed_out_cells).sum(),
            policed_cells: count.policed_cells,
            slow_down_messages: hops.iter().map(|h| h.slow_down_messages).sum(),
            corrupted_cells: hops.iter().map(|h| h.corrupted_cells).sum(),
            delivered_bytes: bytes,
            throughput_bps: self.per_second(8 * u128::from(bytes)) / leaves,
            throughput_cells_per_second: self.per_second(u128::from(received)) / leaves,
            delay_ps: delay_summary(&delay),
            waiting_ps: waiting_summary(&parts.collect::<Vec<_>>()),
            delay_bound_ps: None,
            delay_bound: String::new(),
            fair: None,
            first_delivery_ps: count.leaves.iter().filter_map(|l| l.first).min().map(|t| t.0),
            last_delivery_ps: count.leaves.iter().filter_map(|l| l.last).max().map(|t| t.0),
            ack_cells: count.ack_cells,
            acked_cells: count.acked_cells,
            packets: packets(count, |bits| self.per_second(bits)),
            hops: (0..hops.len()).map(|hop| self.hop(vc, hop)).collect(),
            leaves: self.leaves(vc, &places),
        }
    }

    fn leaves(&self, vc: usize, places: &[usize]) -> Vec<LeafSummary> {
        let pairs = places.iter().zip(&self.counters.vcs[vc].leaves);
        pairs
            .map(|(hop, count)| LeafSummary {
                node: self
                    .node_name(self.spec.to_node(self.spec.vcs[vc].hops[*hop].direction_id())),
                received_cells: count.delivered_cells,
                delivered_bytes: count.delivered_bytes,
                throughput_bps: self.per_second(8 * u128::from(count.delivered_bytes)),
                throughput_cells_per_second: self.per_second(u128::from(count.delivered_cells)),
                delay_ps: delay_summary(&count.delay),
                waiting_ps: self
                    .waiting_part(vc, *hop, count)
                    .and_then(|part| waiting_summary(&[part])),
                first_delivery_ps: count.first.map(|t| t.0),
                last_delivery_ps: count.last.map(|t| t.0),
            })
            .collect()
    }

    /// What tells the waiting at the final host behind `hop`, and what is to be taken away from
    /// it, in ps.
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
            initial_credit_cells: initial,
            round_trip_ps: self.spec.round_trip(spec.link).0,
            no_cell_ps: count.no_cell.0,
            no_credit_ps: count.no_credit.0,
            waiting_ps: waiting,
            sending_ps: sending,
            no_cell_share: self.share(count.no_cell.0),
            no_credit_share: self.share(count.no_credit.0),
            waiting_share: self.share(waiting),
            sending_share: self.share(sending),
            no_credit_count: count.no_credit_count,
            sent_cells: count.sent_cells,
            received_cells: count.received_cells,
            corrupted_cells: count.corrupted_cells,
            dropped_cells: count.dropped_cells,
            given_up_cells: count.given_up_cells,
            pushed_out_cells: count.pushed_out_cells,
            slow_down_messages: count.slow_down_messages,
            deleted_ps: count.deleted.map(|t| t.0),
            overrun_cells: count.overrun_cells,
            credits_sent: count.credits_sent,
            credits_taken: count.credits_taken,
            credits_corrupted: count.credits_corrupted,
            credits_left_out: count.credits_left_out,
            request_cells: count.request_cells,
            rate: RateSummary::of(self.spec, [vc, hop], &count.rate, fair),
        }
    }

    fn control(&self, vc: usize, hop: usize, spec: &HopSpec) -> (&'static str, Option<u64>) {
        let window = self.spec.vcs[vc].window.filter(|_| hop == 0);
        match (spec.control, window) {
            (HopControl::Credit(credit), _) => {
                let first =
                    self.spec.first_credit(spec, self.pool_sizes).map(|cells| u64::from(cells.0));
                (scheme_name(credit.scheme), first)
            }
            (HopControl::None, Some(window)) => ("window", Some(u64::from(window.cells.0))),
            (HopControl::None, None) if self.spec.is_paced(vc, hop) => ("abr", None),
            (HopControl::None, None) => ("none", None),
        }
    }

    /// `shares` tells the VCs of a link direction.
    fn links(&self, shares: impl Fn(usize) -> Vec<LinkShare>) -> Vec<LinkSummary> {
        let directions = self.counters.directions.iter().enumerate();
        directions
            .map(|(index, count)| {
                let id = DirectionId(index);
                let spec = self.spec.direction(id);
                LinkSummary {
                    from: self.node_name(self.spec.from_node(id)),
                    to: self.node_name(self.spec.to_node(id)),
                    name: self.names[index].clone(),
                    rate_bps: spec.rate.bps(),
                    busy_share: self.share(count.busy.0),
                    utilization: None,
                    data_cells: count.data_cells,
                    control_cells: count.control_cells,
                    vcs: shares(index),
                    lanes: lanes(spec.lanes, &count.lanes, |span| self.share(span)),
                }
            })
            .collect()
    }

    fn link_shares(&self, hops: &[(usize, usize)]) -> Vec<LinkShare> {
        let mut shares: Vec<(u64, LinkShare)> = hops
            .iter()
            .map(|&(vc, hop)| {
                let sending = self.sending[vc][hop].0;
                let share = LinkShare {
                    vc: self.spec.vcs[vc].name.clone(),
                    cells: self.counters.vcs[vc].hops[hop].sent_cells,
                    share: self.share(sending),
                };
                (sending, share)
            })
            .collect();
        shares.sort_by_key(|(sending, _)| std::cmp::Reverse(*sending));
        shares.into_iter().map(|(_, share)| share).collect()
    }

    fn queues(&self) -> Vec<QueueSummary> {
        let mut queues = Vec::new();
        for (vc, vc_spec) in self.spec.vcs.iter().enumerate() {
            for (hop, hop_spec) in vc_spec.hops.iter().enumerate() {
                let id = hop_spec.direction_id();
                let count = &self.counters.vcs[vc].hops[hop];
                queues.push(QueueSummary {
                    node: self.node_name(self.spec.from_node(id)),
                    port: self.names[id.0].clone(),
                    vc: vc_spec.name.clone(),
                    mean_cells: self.mean(count.fill_area),
                    max_cells: count.fill_max_cells,
                });
            }
        }
        queues
    }

    /// `areas`: the integral of the queues at each.
    fn ports(&self, areas: &[u128]) -> Vec<PortSummary> {
        let directions = self.counters.directions.iter().enumerate();
        directions
            .map(|(index, count)| {
                let id = DirectionId(index);
                PortSummary {
                    node: self.node_name(self.spec.from_node(id)),
                    port: self.names[index].clone(),
                    mean_cells: self.mean(areas[index]),
                    max_cells: count.queue_max_cells,
                    lengths: count.lengths.as_ref().map(lengths_summary),
                }
            })
            .collect()
    }

    fn nodes(&self) -> Vec<NodeSummary> {
        let pairs = self.spec.nodes.iter().zip(&self.counters.nodes);
        pairs
            .map(|(node, count)| NodeSummary {
                node: node.name.clone(),
                kind: match node.kind {
                    NodeKind::Host => "host".to_string(),
                    NodeKind::Switch => "switch".to_string(),
                },
                mean_cells: self.mean(count.buffered_area),
                max_cells: count.buffered_max_cells,
            })
            .collect()
    }

    /// So many things per second of what is measured; 0 for an empty run.
    fn per_second(&self, things: u128) -> f64 {
        if self.end() == 0 {
            return 0.0;
        }
        (things * u128::from(Picos::PER_SECOND)) as f64 / self.end() as f64
    }

    /// A span as a share of the run; 0 for an empty run.
    fn share(&self, span_ps: u64) -> f64 {
        if self.end() == 0 { 0.0 } else { span_ps as f64 / self.end() as f64 }
    }

    /// The time average of what has this integral, in cells; 0 for an empty run.
    fn mean(&self, area: u128) -> f64 {
        if self.end() == 0 { 0.0 } else { area as f64 / self.end() as f64 }
    }
}

/// The name of a credit scheme, as scenario files write it.
pub fn scheme_name(scheme: CreditScheme) -> &'static str {
    match scheme {
        CreditScheme::N23 => "n23",
        CreditScheme::N23Continuous => "n23-continuous",
        CreditScheme::N123 { .. } => "n123",
        CreditScheme::N123Plus { .. } => "n123-plus",
        CreditScheme::Cup => "cup",
        CreditScheme::Additive => "additive",
        CreditScheme::Adaptive => "adaptive",
    }
}
