//! What the demo measures of one run, and the sentence that follows from it.

use hopflow::compare::ControlRun;
use hopflow::network::{NetworkSpec, VcSpec};
use hopflow::record::wire::integer;
use hopflow::record::{LinkSummary, VcSummary};
use hopflow::{Part, fair_shares};
use hopflow_units::SimTime;
use serde::Serialize;

use crate::output::{number, span};

/// The flow that is watched; all others are the incast.
const VICTIM: &str = "victim";
/// From this part of its fair rate on a flow keeps it: the rest is the edge of a window.
const KEPT: f64 = 0.98;

/// One control in numbers. The keys are those of `docs/results.md`.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// The control, in words.
    #[serde(rename = "control")]
    pub(super) label: &'static str,
    /// The digest of its run.
    pub(super) digest: String,
    /// The victim's rate while the incast lasts: from its start to its last delivery.
    pub(super) victim_bps: f64,
    /// The victim's max-min fair rate while the incast is on.
    pub(super) fair_bps: f64,
    /// What the victim has of it.
    pub(super) fair_share: f64,
    /// The part of the victim's cells that is lost because a buffer was full.
    pub(super) victim_lost_share: f64,
    /// The part of the incast's cells that is lost because a buffer was full.
    pub(super) incast_lost_share: f64,
    /// The longest delay of a cell of the victim.
    #[serde(with = "integer")]
    pub(super) victim_delay_max_ps: u64,
    /// When the incast starts.
    #[serde(with = "integer")]
    pub(super) incast_from_ps: u64,
    /// When the last cell of the incast is delivered.
    #[serde(with = "integer")]
    pub(super) incast_to_ps: u64,
    /// The length of a part of `curve`.
    #[serde(with = "integer")]
    pub(super) curve_part_ps: u64,
    /// The victim's rate over the run, in bits per second.
    #[serde(rename = "curve_bps")]
    pub(super) curve: Vec<f64>,
    /// The rate of the victim's link: a full block.
    #[serde(skip)]
    pub(super) line_bps: f64,
    /// What happened.
    pub(super) sentence: String,
}

impl Row {
    /// Measures a run of the demo's scenario.
    pub(super) fn of(network: &NetworkSpec, run: &ControlRun, label: &'static str) -> Row {
        let summary = &run.summary;
        let is_victim = |vc: &&VcSummary| vc.name == VICTIM;
        let (victim, incast): (Vec<_>, Vec<_>) = summary.vcs.iter().partition(is_victim);
        let [victim] = victim[..] else { panic!("the scenario has one `{VICTIM}`") };
        let (from, stop) = incast_on(network);
        let to = incast.iter().filter_map(|vc| vc.last_delivery_ps).max().unwrap_or(stop.0);
        let curve = run.rates.iter().find(|curve| curve.name == VICTIM);
        let curve = curve.expect("every flow has a curve");
        let victim_bps = mean_within(&curve.values, curve.part.0, [from.0, to]);
        let fair_bps = fair_bps(network, from, stop);
        let mut row = Row {
            label,
            digest: run.manifest.digest.clone(),
            victim_bps,
            fair_bps,
            fair_share: victim_bps / fair_bps,
            victim_lost_share: lost_share(&[victim]),
            incast_lost_share: lost_share(&incast),
            victim_delay_max_ps: victim.delay_ps.map_or(0, |delay| delay.max),
            incast_from_ps: from.0,
            incast_to_ps: to,
            curve_part_ps: curve.part.0,
            curve: curve.values.clone(),
            line_bps: summary.links.iter().map(|link| link.rate_bps as f64).fold(0.0, f64::max),
            sentence: String::new(),
        };
        row.sentence = row.what_happened(victim, &incast, &shared(&summary.links, victim));
        row
    }

    /// The numbers in one line.
    pub(super) fn numbers(&self) -> String {
        format!(
            "victim {} of {} Gb/s for {}; lost {} of its cells, {} of the incast's; \
             slowest cell {}",
            number(self.victim_bps / 1e9, 2),
            number(self.fair_bps / 1e9, 2),
            span_of(self.incast_to_ps - self.incast_from_ps),
            short_percent(self.victim_lost_share),
            short_percent(self.incast_lost_share),
            span_of(self.victim_delay_max_ps),
        )
    }

    fn what_happened(
        &self,
        victim: &VcSummary,
        incast: &[&VcSummary],
        shared: &[&LinkSummary],
    ) -> String {
        let share = short_percent(self.fair_share);
        let keeps = if self.fair_share >= KEPT { "keeps" } else { "gets only" };
        let lossless = self.victim_lost_share == 0.0 && self.incast_lost_share == 0.0;
        if !lossless {
            return format!(
                "Full buffers drop {} of the incast and {} of the victim, which {keeps} {share} of \
                 its fair rate.",
                short_percent(self.incast_lost_share),
                short_percent(self.victim_lost_share),
            );
        }
        if let Some((link, shut)) = most_paused(shared) {
            return format!(
                "Nothing is lost. Pauses stop all flows on {link} for {} of the run: the victim \
                 {keeps} {share} of its fair rate.",
                short_percent(shut),
            );
        }
        if let Some((name, link, [own, other])) = most_held(victim, incast) {
            return format!(
                "Nothing is lost. On {link}, {name} waits for credit for {} of the run and the \
                 victim for {}: the victim {keeps} {share} of its fair rate.",
                short_percent(other),
                short_percent(own),
            );
        }
        format!("Nothing is lost, and the victim {keeps} {share} of its fair rate.")
    }
}

/// From the first start of an incast flow to the last stop.
fn incast_on(network: &NetworkSpec) -> (SimTime, SimTime) {
    let incast = || network.vcs.iter().filter(|vc: &&VcSpec| vc.name != VICTIM);
    let end = SimTime(network.duration.0);
    let from = incast().map(|vc| vc.start).min().unwrap_or(SimTime(0));
    (from, incast().map(|vc| vc.stop.unwrap_or(end)).max().unwrap_or(end))
}

/// The victim's max-min fair rate while the incast is on.
fn fair_bps(network: &NetworkSpec, from: SimTime, to: SimTime) -> f64 {
    let shares = fair_shares(network, from..to, Part::ALL).expect("the sources have known rates");
    let victim = network.vcs.iter().position(|vc| vc.name == VICTIM);
    let share = victim.and_then(|victim| shares.vcs[victim]);
    share.expect("the victim sends all the time").bps
}

/// The mean of the parts of `part` ps that lie within the span.
fn mean_within(values: &[f64], part: u64, [from, to]: [u64; 2]) -> f64 {
    let within = |index: usize| index as u64 * part >= from && (index as u64 + 1) * part <= to;
    let inside = values.iter().enumerate().filter(|(index, _)| within(*index));
    let (sum, count) = inside.fold((0.0, 0), |(sum, count), (_, value)| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn lost_share(vcs: &[&VcSummary]) -> f64 {
    let count = |of: fn(&VcSummary) -> u64| vcs.iter().map(|vc| of(vc)).sum::<u64>();
    let (created, lost) = (count(|vc| vc.created_packets), count(|vc| vc.dropped_packets));
    if created == 0 { 0.0 } else { lost as f64 / created as f64 }
}

/// The links that the victim shares with others.
fn shared<'a>(links: &'a [LinkSummary], victim: &VcSummary) -> Vec<&'a LinkSummary> {
    let crossed = |link: &&LinkSummary| victim.hops.iter().any(|hop| hop.link == link.name);
    links.iter().filter(crossed).filter(|link| link.vcs.len() > 1).collect()
}

/// The link whose lanes were paused longest, and for what part of the run.
fn most_paused<'a>(links: &[&'a LinkSummary]) -> Option<(&'a str, f64)> {
    let lanes = links.iter().flat_map(|link| link.lanes.iter().map(|lane| (*link, lane)));
    let paused = lanes.filter(|(_, lane)| lane.is_paused() && lane.shut_count > 0);
    let most = paused.max_by(|(_, a), (_, b)| a.shut_share.total_cmp(&b.shut_share));
    most.map(|(link, lane)| (link.name.as_str(), lane.shut_share))
}

/// The flow that waited longest for credit on a link of the victim: its name, the link, and the
/// parts of the run in which the victim and it waited there.
fn most_held<'a>(
    victim: &VcSummary,
    incast: &[&'a VcSummary],
) -> Option<(&'a str, &'a str, [f64; 2])> {
    let hops = incast.iter().flat_map(|vc| vc.hops.iter().map(|hop| (vc.name.as_str(), hop)));
    let beside = hops.filter_map(|(name, hop)| {
        let own = victim.hops.iter().find(|own| own.link == hop.link)?;
        Some((name, hop.link.as_str(), [own.no_credit_share, hop.no_credit_share]))
    });
    let held = beside.filter(|(_, _, [_, other])| *other > 0.0);
    held.max_by(|(_, _, [_, a]), (_, _, [_, b])| a.total_cmp(b))
}

/// Three digits are enough to compare by.
fn short_percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 {
        return "less than 0.1 %".to_owned();
    }
    let digits = usize::from(share < 0.1);
    format!("{} %", number(share * 100.0, digits))
}

fn span_of(picos: u64) -> String {
    let text = format!("{:.2e}", picos as f64);
    span(text.parse().expect("it was written as a number"))
}
