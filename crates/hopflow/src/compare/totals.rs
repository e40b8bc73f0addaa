//! Totals: the measures of all VCs of a run together, for comparisons and sweeps.
//!
//! ```text
//! lost share = packets lost for lack of buffer / packets created                         (1)
//! J          = (sum x)^2 / (n sum x^2), x: throughput of a VC / its fair share           (2)
//! ```
//! Backward VCs of connections count only in packets created and lost. Delays are of all VCs
//! together, each packet counting once. Source: [JCH84] for (2).

use hopflow_network::{DelayHistogram, NetworkSpec, RunCounters};
use hopflow_record::wire::{integer, optional_integer};
use hopflow_record::{Summary, TcpSummary, VcSummary};
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use crate::fairness::{Part, carriers, fair_shares};
use crate::{RunResult, jain_index};

/// The totals of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Totals {
    /// The throughput of all VCs, in bits per second.
    pub throughput_bps: f64,
    /// Packets that sources created.
    pub created_packets: u64,
    /// Packets lost for lack of buffer, anywhere.
    pub lost_packets: u64,
    /// Their share of the created packets; 0 if there are none. Eq. (1).
    pub lost_share: f64,
    /// Mean delay of the packets delivered, in ps; `None` if there are none.
    pub delay_mean_ps: Option<f64>,
    /// 99 of 100 packets took no longer, in ps; at most 1/64 too high.
    pub delay_p99_ps: Option<u64>,
    /// The greatest delay, in ps.
    pub delay_max_ps: Option<u64>,
    /// The Jain index of the throughputs of VCs relative to their fair shares (if these are known);
    /// `None` if no packet was delivered. Eq. (2).
    pub jain: Option<f64>,
    /// The greatest number of packets in any switch; 0 without a switch.
    pub switch_max_packets: u32,
    /// The TCP connections together; `None` if there are none.
    pub tcp: Option<TcpMeasures>,
}

/// All TCP connections under one control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct TcpMeasures {
    /// Their number.
    #[serde(with = "integer")]
    pub connections: u64,
    /// Their goodput: data that arrives for the first time, in bits per second.
    pub goodput_bps: f64,
    /// Connections whose transfer was acknowledged to its last byte.
    #[serde(with = "integer")]
    pub finished: u64,
    /// The instant of the last of these, in ps; `null` while one is unfinished, or has no end.
    #[serde(with = "optional_integer")]
    pub completion_ps: Option<u64>,
    /// Segments of data sent, including retransmitted ones.
    #[serde(with = "integer")]
    pub segments: u64,
    /// Retransmitted segments.
    #[serde(with = "integer")]
    pub retransmitted_segments: u64,
    /// Retransmission time-outs.
    #[serde(with = "integer")]
    pub timeouts: u64,
    /// The smoothed round trip at the end, mean over the connections, in ps.
    pub round_trip_ps: Option<f64>,
    /// The greatest smoothed round trip of any, in ps.
    #[serde(with = "integer")]
    pub round_trip_max_ps: u64,
}

impl TcpMeasures {
    /// The measures of a run; `None` without a TCP connection.
    fn of(summary: &Summary) -> Option<TcpMeasures> {
        let all: Vec<&TcpSummary> =
            summary.connections.iter().filter_map(|one| one.tcp.as_ref()).collect();
        if all.is_empty() {
            return None;
        }
        let sum = |of: fn(&TcpSummary) -> u64| all.iter().map(|one| of(one)).sum::<u64>();
        let ends: Vec<u64> = all.iter().filter_map(|one| one.finished_ps).collect();
        let is_all = ends.len() == all.len();
        // Zero: not yet measured.
        let round_trips = all.iter().map(|one| one.srtt_ps[0] as f64).filter(|ps| *ps > 0.0);
        let measured = round_trips.clone().count();
        Some(TcpMeasures {
            connections: all.len() as u64,
            goodput_bps: all.iter().map(|one| one.goodput_bps).sum(),
            finished: ends.len() as u64,
            completion_ps: ends.into_iter().max().filter(|_| is_all),
            segments: sum(|one| one.segments),
            retransmitted_segments: sum(|one| one.retransmitted_segments),
            timeouts: sum(|one| one.timeouts),
            round_trip_ps: (measured > 0).then(|| round_trips.sum::<f64>() / measured as f64),
            round_trip_max_ps: all.iter().map(|one| one.srtt_ps[1]).max().unwrap_or(0),
        })
    }
}

impl Totals {
    /// The totals of a run of `network` that kept its VCs ([`crate::RunOptions::keep_vcs`]).
    pub fn of(network: &NetworkSpec, result: &RunResult) -> Totals {
        let summary = &result.summary;
        let count = |of: fn(&VcSummary) -> u64| summary.vcs.iter().map(of).sum::<u64>();
        let (created, lost) = (count(|vc| vc.created_packets), count(|vc| vc.dropped_packets));
        let delays = delays(network, &result.measured);
        let rates = carriers(network).map(|vc| summary.vcs[vc].throughput_bps);
        let held = summary.nodes.iter().filter(|node| node.kind == "switch");
        Totals {
            throughput_bps: rates.sum(),
            created_packets: created,
            lost_packets: lost,
            lost_share: if created == 0 { 0.0 } else { lost as f64 / created as f64 },
            delay_mean_ps: delays.mean_ps(),
            delay_p99_ps: delays.quantile_ps(0.99),
            delay_max_ps: delays.max_ps(),
            jain: jain(network, summary),
            switch_max_packets: held.map(|node| node.max_packets).max().unwrap_or(0),
            tcp: TcpMeasures::of(summary),
        }
    }
}

/// Eq. (2); if shares are unknown, all VCs have the same share. The summary has no shares where VCs
/// do not compete: each then has what it offers.
fn jain(network: &NetworkSpec, summary: &Summary) -> Option<f64> {
    let of = |vc: usize| Some(summary.vcs[vc].fair.as_ref()?.share_bps);
    let found: Option<Vec<f64>> = carriers(network).map(of).collect();
    let shares = found.or_else(|| {
        let span = SimTime(summary.from_ps)..SimTime(summary.end_ps);
        let known = fair_shares(network, span, Part::ALL).ok()?.vcs;
        carriers(network).map(|vc| Some(known[vc]?.bps)).collect()
    });
    let rates: Vec<f64> = carriers(network).map(|vc| summary.vcs[vc].throughput_bps).collect();
    let shares = shares.unwrap_or_else(|| vec![1.0; rates.len()]);
    jain_index(rates.into_iter().zip(shares))
}

/// The delays of all packets that sources created and hosts received.
fn delays(network: &NetworkSpec, counters: &RunCounters) -> DelayHistogram {
    let mut all = DelayHistogram::default();
    for vc in carriers(network) {
        counters.vcs[vc].leaves.iter().for_each(|leaf| all.merge(&leaf.delay));
    }
    all
}
