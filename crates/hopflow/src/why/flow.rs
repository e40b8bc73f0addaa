//! The cause of each flow as data, and all flows by cause.
//!
//! ```text
//! held_by     the cause of the note on the limit of the flow (`why/limit.rs`)
//! cause       of its note about a port that is the bottleneck, if it has one; otherwise held_by
//! bottleneck  the link of that note
//! held        the time of its longest span but `sending`, all spans of a congestion window
//!             together; under `link-full` that of `sending`                            (1)
//! group       flows with the same of all three, and closer cause; the largest first     (2)
//! ```
//! The VC back of a connection that only acknowledges is no flow of its own.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_record::wire::Exact;
use hopflow_record::{Summary, VcSummary};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::{BUSY, Note, Span, spans};

/// One flow and its cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow<'s> {
    /// Its VC.
    pub vc: &'s VcSummary,
    /// What limited it: a cause of a note.
    pub cause: &'static str,
    /// What held its packets back, which follows from the cause.
    pub held_by: &'static str,
    /// More closely: what reduced its congestion window.
    pub by: Option<&'static str>,
    /// The link that is its bottleneck, `FROM->TO`.
    pub bottleneck: Option<String>,
    /// Eq. (1), in ps.
    pub held_ps: u64,
}

/// Flows of one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What limited them.
    pub cause: &'static str,
    /// What held their packets back.
    pub held_by: &'static str,
    /// More closely.
    pub by: Option<&'static str>,
    /// Their bottleneck.
    pub bottleneck: Option<String>,
    /// Their number.
    pub flows: u64,
    /// The mean over the flows of Eq. (1), as a share of the measured time.
    pub held_share: f64,
    /// Bits per second that all of them delivered.
    pub throughput_bps: f64,
}

/// Whether a note names a port as the bottleneck.
fn names_bottleneck(note: &Note) -> bool {
    let is_busy = |(name, share): &(&str, f64)| *name == "busy_share" && *share >= BUSY;
    match note.cause {
        "bottleneck" | "link-full" | "gates" | "slow-receiver" => true,
        "losses" => note.numbers.iter().any(is_busy),
        _ => false,
    }
}

/// The flows of a run that created packets, in the order of the VCs. `notes` are those of
/// [`super::why`].
pub fn flows<'s>(summary: &'s Summary, notes: &[Note]) -> Vec<Flow<'s>> {
    let answers = summary.connections.iter().filter(|one| one.tcp.is_some());
    let answers: BTreeSet<&str> = answers.map(|one| one.vcs[1].as_str()).collect();
    let mut by_vc = BTreeMap::<&str, Vec<&Note>>::new();
    for note in notes {
        let vc = note.vc.as_deref().unwrap_or_default();
        by_vc.entry(vc).or_default().push(note);
    }
    let one = |vc: &'s VcSummary| {
        let notes = by_vc.get(vc.name.as_str())?;
        // The first is the outcome, the second the limit.
        let limit = notes.get(1).filter(|_| vc.created_packets > 0)?;
        let bottleneck = notes.iter().find(|note| names_bottleneck(note));
        Some(Flow {
            vc,
            cause: bottleneck.map_or(limit.cause, |note| note.cause),
            held_by: limit.cause,
            by: limit.by,
            bottleneck: bottleneck.and_then(|note| note.link.clone()),
            held_ps: held_ps(vc, limit.cause),
        })
    };
    let is_flow = |vc: &&VcSummary| !answers.contains(vc.name.as_str());
    summary.vcs.iter().filter(is_flow).filter_map(one).collect()
}

/// Eq. (1).
fn held_ps(vc: &VcSummary, cause: &str) -> u64 {
    let all = || spans(vc);
    if cause == "link-full" {
        return all().find(|(span, _)| *span == Span::Sending).map_or(0, |(_, ps)| ps);
    }
    let congestion = all().filter(|(span, _)| span.is_of_congestion()).map(|(_, ps)| ps).sum();
    let others = all().filter(|(span, _)| *span != Span::Sending && !span.is_of_congestion());
    others.map(|(_, ps)| ps).max().unwrap_or(0).max(congestion)
}

/// Eq. (2).
pub fn groups(summary: &Summary, flows: &[Flow<'_>]) -> Vec<Group> {
    let measured = summary.measured().0.max(1) as f64;
    let mut groups = BTreeMap::<_, (u64, u128, f64)>::new();
    for flow in flows {
        let key = (flow.cause, flow.held_by, flow.by, flow.bottleneck.as_deref());
        let (count, held, bps) = groups.entry(key).or_default();
        *count += 1;
        *held += u128::from(flow.held_ps);
        *bps += flow.vc.throughput_bps;
    }
    let group = |((cause, held_by, by, bottleneck), sums): ((_, _, _, Option<&str>), _)| {
        let (flows, held, throughput_bps): (u64, u128, f64) = sums;
        Group {
            cause,
            held_by,
            by,
            bottleneck: bottleneck.map(str::to_owned),
            flows,
            held_share: held as f64 / flows as f64 / measured,
            throughput_bps,
        }
    };
    let mut all: Vec<Group> = groups.into_iter().map(group).collect();
    all.sort_by_key(|group| std::cmp::Reverse(group.flows));
    all
}

/// A flow of `why --format json`.
#[derive(Clone, Debug, Serialize, Shaped)]
#[shape(name = "FlowCause")]
pub struct FlowEntry<'f> {
    /// The VC.
    pub vc: &'f str,
    /// What limited it.
    pub cause: &'static str,
    /// What held its packets back.
    pub held_by: &'static str,
    /// More closely; `null` where there is nothing to add.
    pub by: Option<&'static str>,
    /// The link direction that limits it, or `null`.
    pub bottleneck: Option<&'f str>,
    /// Bits per second that it delivered.
    pub throughput_bps: f64,
    /// Its time at the first hop, in ps; they add up to the measured time.
    pub spans: BTreeMap<String, Exact>,
}

/// Flows of one cause in `why --format json`.
#[derive(Clone, Debug, Serialize, Shaped)]
#[shape(name = "CauseGroup")]
pub struct GroupEntry<'g> {
    /// What limited them.
    pub cause: &'static str,
    /// What held their packets back.
    pub held_by: &'static str,
    /// More closely; `null` where there is nothing to add.
    pub by: Option<&'static str>,
    /// The link direction that limits them, or `null`.
    pub bottleneck: Option<&'g str>,
    /// Their number.
    pub flows: u64,
    /// The mean share of the time in which they did not send for their longest reason.
    pub held_share: f64,
    /// Bits per second that all of them delivered.
    pub throughput_bps: f64,
}

impl Flow<'_> {
    /// The flow as an entry of `flows` in `why --format json`.
    pub fn entry(&self) -> FlowEntry<'_> {
        let spans = spans(self.vc).map(|(span, ps)| (format!("{}_ps", span.key()), Exact(ps)));
        FlowEntry {
            vc: &self.vc.name,
            cause: self.cause,
            held_by: self.held_by,
            by: self.by,
            bottleneck: self.bottleneck.as_deref(),
            throughput_bps: self.vc.throughput_bps,
            spans: spans.collect(),
        }
    }
}

impl Group {
    /// The group as an entry of `causes` in `why --format json`.
    pub fn entry(&self) -> GroupEntry<'_> {
        GroupEntry {
            cause: self.cause,
            held_by: self.held_by,
            by: self.by,
            bottleneck: self.bottleneck.as_deref(),
            flows: self.flows,
            held_share: self.held_share,
            throughput_bps: self.throughput_bps,
        }
    }
}
