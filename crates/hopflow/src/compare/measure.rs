//! The compared measures of a run: the same for every control.
//!
//! ```text
//! utilization = time for which data was in transmission / time, on the bottleneck        (1)
//! bottleneck  = the link direction c with the greatest  sum of delivered rates / rate(c) (2)
//! lost        = packets lost for lack of buffer / packets created                        (3)
//! J           = (sum x)^2 / (n sum x^2), x: throughput of a VC / its fair share          (4)
//! needed      = the most in a switch if nothing is lost for lack of buffer               (5)
//! ```
//! The bottleneck (2) is one link for all controls: the one that delivered packets fill most under
//! any of them. A link that is busy with packets that are lost later is not a bottleneck. Delays
//! are of all VCs together, each packet counting once. Fair shares are max-min (`fairness.rs`),
//! over the measured time; if they are unknown, all VCs have the same share.
//!
//! Source: [JCH84] for (4).

use hopflow_network::{DirectionId, NodeKind};
use hopflow_record::wire::{integer, optional_integer};
use hopflow_record::{CountUnit, NodeSummary, VcSummary, WatchedQueue};
use hopflow_scenario::BUILT_IN;
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::observe::{Held, Observed};
use super::promised::promised;
use super::settle::settled_at;
use super::totals::{TcpMeasures, Totals};
use super::{Contender, ControlRun, Curve};
use crate::fairness::{carriers, mean_bytes, stop_together};

/// One control in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct ControlMeasures {
    /// Its name in `--control`.
    pub control: String,
    /// Its description, in a few words.
    pub title: Option<String>,
    /// The digest of its run, 16 hexadecimal digits.
    pub digest: String,
    /// Share of the time for which the bottleneck sent data; `null` if no packet was delivered
    /// under any control. Eq. (1).
    pub utilization: Option<f64>,
    /// The throughput of all VCs, in bits per second, without backward VCs of connections.
    pub throughput_bps: f64,
    /// The unit of counts of packets.
    #[serde(default)]
    pub counted_in: CountUnit,
    /// Packets that sources created.
    #[serde(with = "integer")]
    pub created_packets: u64,
    /// Packets lost for lack of buffer, anywhere.
    #[serde(with = "integer")]
    pub lost_packets: u64,
    /// Their share of the created packets. Eq. (3).
    pub lost_share: f64,
    /// Mean delay of the packets delivered, in ps; `null` if there are none.
    pub delay_mean_ps: Option<f64>,
    /// 99 of 100 packets took no longer, in ps; at most 1/64 too high.
    #[serde(with = "optional_integer")]
    pub delay_p99_ps: Option<u64>,
    /// The greatest delay, in ps.
    #[serde(with = "optional_integer")]
    pub delay_max_ps: Option<u64>,
    /// The part of the mean delay at the sending host, in ps; `null` without packets, or if a VC
    /// has several final hosts. See `travel.rs`.
    pub delay_host_ps: Option<f64>,
    /// The part of the mean delay from the first link on, in ps.
    pub delay_network_ps: Option<f64>,
    /// The Jain index of the throughputs of VCs relative to their fair shares; `null` if no packet
    /// was delivered, or if some sources stop before others: what was held back is delivered after
    /// the load has fallen, and the means hide it. Eq. (4).
    pub jain: Option<f64>,
    /// The greatest memory that a switch needs for zero loss, in packets. Eq. (5).
    #[serde(with = "integer")]
    pub needed_packets: u64,
    /// The same in bytes of memory, over the switches that count them; left out where none does.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub needed_bytes: Option<u64>,
    /// The instant at which all rates have settled, in ps; `null` if they have not.
    #[serde(with = "optional_integer")]
    pub settled_ps: Option<u64>,
    /// The TCP connections together; `null` if there are none.
    pub tcp: Option<TcpMeasures>,
    /// Violations of properties that hold in every correct run.
    pub violations: Vec<String>,
    /// Per switch, in file order.
    pub switches: Vec<SwitchMeasures>,
    /// Per VC that carries traffic of its own source, in file order.
    pub vcs: Vec<VcMeasures>,
}

/// One switch, or one slow host, under one control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct SwitchMeasures {
    /// Its name.
    pub node: String,
    /// `switch`, or `host` for a host that accepts less than its link delivers.
    pub kind: String,
    /// Mean number of packets over time.
    pub mean_packets: f64,
    /// The number of packets that it did not exceed for 99 % of the time.
    pub p99_packets: u32,
    /// The greatest number of packets.
    pub max_packets: u32,
    /// The memory that it needs for zero loss, in packets. Eq. (5).
    #[serde(with = "integer")]
    pub needed_packets: u64,
    /// The memory that credits promise, in packets; `null` without credit.
    #[serde(with = "optional_integer")]
    pub promised_packets: Option<u64>,
    /// The most bytes of its memory; left out where it does not count them.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The memory that it needs for zero loss, in bytes. Eq. (5).
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub needed_bytes: Option<u64>,
    /// The memory that credits promise, in bytes.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub promised_bytes: Option<u64>,
}

impl ControlMeasures {
    /// The name in legends: that of a built-in control, else the title of the variant up to its
    /// first comma or colon.
    pub fn label(&self) -> &str {
        let is_built_in = BUILT_IN.iter().any(|built_in| {
            built_in.name == self.control && self.title.as_deref() == Some(built_in.title)
        });
        let title = self.title.as_deref().filter(|_| !is_built_in);
        let first = title.and_then(|title| title.split([':', ',']).next()).map(str::trim);
        first.filter(|label| !label.is_empty()).unwrap_or(&self.control)
    }
}

impl SwitchMeasures {
    /// Its name in tables, in which hosts are marked.
    pub fn title(&self) -> String {
        if self.kind == "host" { format!("{} (host)", self.node) } else { self.node.clone() }
    }
}

/// One VC under one control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct VcMeasures {
    /// Its name.
    pub name: String,
    /// Its throughput, in bits per second.
    pub throughput_bps: f64,
    /// Its max-min fair share, in bits per second; `null` if shares are unknown.
    pub fair_bps: Option<f64>,
    /// Mean delay, in ps; `null` if no packet was delivered.
    pub delay_mean_ps: Option<f64>,
    /// Its packets lost for lack of buffer.
    #[serde(with = "integer")]
    pub lost_packets: u64,
}

/// The name of the compared link direction; `None` if no packet is delivered. Eq. (2).
pub(super) fn bottleneck(runs: &[&Observed]) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    let links = runs.first().map_or(0, |run| run.result.summary.links.len());
    for index in 0..links {
        let shares = runs.iter().map(|run| delivered_share(run, index));
        let share = shares.fold(0.0, f64::max);
        if share > best.map_or(0.0, |(most, _)| most) {
            best = Some((share, &runs[0].result.summary.links[index].name));
        }
    }
    best.map(|(_, name)| name.to_owned())
}

/// The part of the time of a link that delivered packets take, including their overhead.
fn delivered_share(run: &Observed, direction: usize) -> f64 {
    let (summary, network) = (&run.result.summary, &run.network);
    let link = &summary.links[direction];
    let overhead = network.direction(DirectionId(direction)).overhead.0 as f64;
    let crosses = |(vc, _): &(&VcSummary, _)| vc.hops.iter().any(|hop| hop.link == link.name);
    let rates = summary
        .vcs
        .iter()
        .zip(&network.vcs)
        .filter(crosses)
        .map(|(vc, of)| vc.throughput_bps * (1.0 + overhead / mean_bytes(&of.traffic.size)));
    rates.sum::<f64>() / link.rate_bps as f64
}

impl Observed {
    /// The run in numbers and curves. `needed`: what switches without limits held at most; `None`:
    /// that of this run.
    pub(super) fn measured(
        &self,
        one: &Contender,
        needed: Option<&[Held]>,
        bottleneck: Option<&str>,
    ) -> ControlRun {
        let summary = &self.result.summary;
        let vcs: Vec<&VcSummary> = carriers(&self.network).map(|vc| &summary.vcs[vc]).collect();
        let totals = Totals::of(&self.network, &self.result);
        let switches = self.switches(needed);
        let shares = vcs.iter().map(|vc| Some(vc.fair.as_ref()?.share_bps));
        let shares: Option<Vec<f64>> = shares.collect();
        let used = bottleneck.and_then(|name| summary.link(name));
        // The buffer of a slow host is not memory of a switch.
        let in_network = || switches.iter().filter(|node| node.kind == "switch");
        let measures = ControlMeasures {
            control: one.name.clone(),
            title: one.title.clone(),
            digest: self.result.manifest.digest.clone(),
            counted_in: summary.counted_in,
            utilization: used.map(|link| link.vcs.iter().map(|vc| vc.share).sum()),
            throughput_bps: totals.throughput_bps,
            created_packets: totals.created_packets,
            lost_packets: totals.lost_packets,
            lost_share: totals.lost_share,
            delay_mean_ps: totals.delay_mean_ps,
            delay_p99_ps: totals.delay_p99_ps,
            delay_max_ps: totals.delay_max_ps,
            delay_host_ps: self.network_ps.zip(totals.delay_mean_ps).map(|(of, all)| all - of),
            delay_network_ps: self.network_ps,
            jain: totals.jain.filter(|_| self.stop_together()),
            needed_packets: in_network().map(|node| node.needed_packets).max().unwrap_or(0),
            needed_bytes: in_network().filter_map(|node| node.needed_bytes).max(),
            settled_ps: self.settled(),
            tcp: totals.tcp,
            violations: summary.violations.iter().map(|v| v.text.clone()).collect(),
            switches,
            vcs: (0..vcs.len())
                .map(|vc| vc_measures(vcs[vc], shares.as_ref().map(|shares| shares[vc])))
                .collect(),
        };
        ControlRun {
            measures,
            summary: summary.clone(),
            manifest: self.result.manifest.clone(),
            queues: self.queues.iter().map(|queue| curve_of(queue, self.result.end)).collect(),
            rates: self.rates.clone(),
        }
    }

    /// Whether all sources stop together in the measured time.
    fn stop_together(&self) -> bool {
        let summary = &self.result.summary;
        stop_together(&self.network, SimTime(summary.from_ps)..SimTime(summary.end_ps))
    }

    fn switches(&self, needed: Option<&[Held]>) -> Vec<SwitchMeasures> {
        let counts = self.network.counts_bytes();
        let nodes = self.network.nodes.iter().enumerate();
        let switches = nodes.filter(|(_, node)| node.kind == NodeKind::Switch);
        let measure = |(index, ((node, _), queue)): (usize, ((usize, _), &WatchedQueue))| {
            let NodeSummary { max_packets, max_bytes, .. } = self.result.summary.nodes[node];
            let promised = promised(&self.network, node);
            let needed_bytes = needed.and_then(|needed| needed[index].bytes);
            let lengths = queue.lengths.as_ref();
            SwitchMeasures {
                node: queue.node.clone(),
                kind: if self.network.is_host(node) { "host" } else { "switch" }.to_owned(),
                mean_packets: lengths.map_or(0.0, |lengths| lengths.mean_packets),
                p99_packets: lengths.map_or(0, |lengths| lengths.p99_packets),
                max_packets,
                needed_packets: needed
                    .map_or(u64::from(max_packets), |needed| needed[index].packets),
                promised_packets: promised.map(|promised| promised.packets),
                max_bytes,
                needed_bytes: needed_bytes.or(max_bytes),
                promised_bytes: promised.filter(|_| counts[node]).map(|promised| promised.bytes),
            }
        };
        switches.zip(&self.queues).enumerate().map(measure).collect()
    }

    /// VCs that stop before the end have no final level.
    fn settled(&self) -> Option<u64> {
        let lasts = |vc: usize| {
            let (of, made) = (&self.network.vcs[vc], self.result.summary.vcs[vc].created_packets);
            of.stop.is_none_or(|stop| stop >= self.result.end)
                && of.traffic.packets.is_none_or(|packets| made < packets)
        };
        let rates = carriers(&self.network).zip(&self.rates);
        let lasting = rates.filter(|(vc, _)| lasts(*vc));
        let sized = lasting.map(|(vc, rate)| (rate, self.network.vcs[vc].traffic.size.most()));
        settled_at(&sized.collect::<Vec<_>>()).map(|at| at.0)
    }
}

fn curve_of(queue: &WatchedQueue, end: SimTime) -> Curve {
    let values = queue.values.clone();
    Curve { name: queue.node.clone(), part: queue.part, end, values }
}

fn vc_measures(vc: &VcSummary, fair_bps: Option<f64>) -> VcMeasures {
    VcMeasures {
        name: vc.name.clone(),
        throughput_bps: vc.throughput_bps,
        fair_bps,
        delay_mean_ps: vc.delay_ps.as_ref().map(|delay| delay.mean),
        lost_packets: vc.dropped_packets,
    }
}
