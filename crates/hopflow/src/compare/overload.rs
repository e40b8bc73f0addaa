//! The flow beside an overload, and what each control did to it, in numbers and a sentence.
//!
//! ```text
//! overload  =  from the first start to the last stop of VCs that are not on all the time;
//!              without such VCs the measured time                                        (1)
//! share     =  max-min fair rate within the overload                                     (2)
//! ```
//! A VC is *beside* the overload if it is on all the time, its share is what its source offers, and
//! it shares a link with a VC whose share a link holds. A fair network gives it all that it offers.
//! Of several, the one whose parts of the share differ most between the controls is watched. Its
//! rate is the mean from the start of the overload to the last delivery of the VCs that a link
//! holds.
//!
//! Not modelled: traffic without shares, such as TCP with a given amount of data.
//! Checked by: `overload/tests.rs`.

use std::collections::BTreeSet;
use std::ops::Range;

use hopflow_network::{HopSpec, NetworkSpec};
use hopflow_record::{LinkSummary, VcSummary};
use hopflow_units::SimTime;

use super::ControlRun;
use crate::fairness::{HeldBy, Part, carriers, fair_shares, on};

/// From this part of its fair rate on a flow keeps it: the rest is the edge of a window.
const KEPT: f64 = 0.98;

/// A VC beside an overload.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Its index among VCs.
    pub vc: usize,
    /// Its name.
    pub name: String,
    /// Its max-min fair rate during the overload, in bits per second. Eq. (2).
    pub fair_bps: f64,
    /// The overload. Eq. (1).
    pub span: Range<SimTime>,
    /// By VC: whether a link holds its share.
    others: Vec<bool>,
}

/// Why the VC did not get all that it offers.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Packets were dropped.
    Dropped,
    /// Pauses of a priority of this link, for this part of the run.
    Paused(String, f64),
    /// Credit of each VC: the VC and the link that waited longest, and the parts of the run in
    /// which the watched VC and it waited there.
    Held(String, String, [f64; 2]),
    /// Nothing was lost or held.
    None,
}

/// What a control did to the VC.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its rate while the overload lasts, in bits per second.
    pub rate_bps: f64,
    /// What it has of its fair rate.
    pub fair_share: f64,
    /// The part of its packets that is lost because a buffer was full.
    pub lost_share: f64,
    /// The same of the VCs that a link holds.
    pub others_lost_share: f64,
    /// Its longest delay, in ps.
    pub delay_max_ps: u64,
    /// When the overload starts.
    pub from: SimTime,
    /// When the last packet of the VCs that a link holds is delivered.
    pub to: SimTime,
    /// What held it.
    pub cause: Cause,
}

/// Every VC beside an overload of a network.
pub fn beside(network: &NetworkSpec) -> Vec<Beside> {
    let end = SimTime(network.duration.0);
    let on = |vc: usize| on(network, vc, SimTime(0)..end);
    let part_time: Vec<usize> =
        carriers(network).filter(|vc| on(*vc) != (SimTime(0)..end)).collect();
    let from = part_time.iter().map(|vc| on(*vc).start).min().unwrap_or_default();
    let stop = part_time.iter().map(|vc| on(*vc).end).max().unwrap_or(end);
    let Ok(shares) = fair_shares(network, from..stop, Part::ALL) else { return Vec::new() };
    let held = |vc: usize| shares.vcs[vc].and_then(|share| share.held_by);
    let others: Vec<bool> =
        (0..network.vcs.len()).map(|vc| matches!(held(vc), Some(HeldBy::Link(_)))).collect();
    let directions = |vc: usize| network.vcs[vc].hops.iter().map(HopSpec::direction_id);
    let loaded: BTreeSet<usize> = (0..network.vcs.len())
        .filter(|vc| others[*vc])
        .flat_map(|vc| directions(vc).map(|id| id.0))
        .collect();
    let meets = |vc: &usize| directions(*vc).any(|id| loaded.contains(&id.0));
    let full_time =
        carriers(network).filter(|vc| part_time.binary_search(vc).is_err() && meets(vc));
    let of = |vc: usize| {
        let fair_bps = shares.vcs[vc].filter(|share| share.held_by == Some(HeldBy::Source))?.bps;
        let (name, others) = (network.vcs[vc].name.clone(), others.clone());
        (fair_bps > 0.0).then_some(Beside { vc, name, fair_bps, span: from..stop, others })
    };
    full_time.filter_map(of).collect()
}

/// The VC that is watched: that whose parts of its share differ most between the runs.
pub fn watched(network: &NetworkSpec, runs: &[ControlRun]) -> Option<Beside> {
    let spread = |one: &Beside| {
        let shares = runs.iter().map(|run| one.rate(run).0 / one.fair_bps);
        let (low, high) = shares
            .fold((f64::MAX, f64::MIN), |(low, high), share| (low.min(share), high.max(share)));
        high - low
    };
    let all = beside(network).into_iter().rev();
    all.max_by(|a, b| spread(a).total_cmp(&spread(b)))
}

impl Beside {
    /// What the control of a run did to it.
    pub fn effect(&self, run: &ControlRun) -> Effect {
        let vcs = &run.summary.vcs;
        let own = &vcs[self.vc];
        let others: Vec<&VcSummary> = self.others(run).collect();
        let (rate_bps, to) = self.rate(run);
        let (lost, others_lost) = (lost_share(&[own]), lost_share(&others));
        let cause = if lost > 0.0 || others_lost > 0.0 {
            Cause::Dropped
        } else {
            let paused = most_paused(&shared(&run.summary.links, own));
            paused.or_else(|| most_held(own, &others)).unwrap_or(Cause::None)
        };
        Effect {
            rate_bps,
            fair_share: rate_bps / self.fair_bps,
            lost_share: lost,
            others_lost_share: others_lost,
            delay_max_ps: own.delay_ps.map_or(0, |delay| delay.max),
            from: self.span.start,
            to,
            cause,
        }
    }

    fn others<'r>(&self, run: &'r ControlRun) -> impl Iterator<Item = &'r VcSummary> {
        let all = run.summary.vcs.iter().zip(self.others.clone());
        all.filter(|(_, is_other)| *is_other).map(|(vc, _)| vc)
    }

    /// Its rate while the overload lasts, and the end of that time.
    fn rate(&self, run: &ControlRun) -> (f64, SimTime) {
        let last = self.others(run).filter_map(|vc| vc.last_delivery_ps).max();
        let to = last.map_or(self.span.end, SimTime);
        let curve = run.rates.iter().find(|curve| curve.name == self.name);
        let mean =
            curve.map(|curve| mean_within(&curve.values, curve.part.0, [self.span.start.0, to.0]));
        (mean.unwrap_or(0.0), to)
    }
}

impl Effect {
    /// What happened, in a sentence; `own` is what the VC is called in it, and `others` those that
    /// a link holds. `percent` writes a part.
    pub fn sentence(&self, own: &str, others: &str, percent: fn(f64) -> String) -> String {
        let share = percent(self.fair_share);
        let keeps = if self.fair_share >= KEPT { "keeps" } else { "gets only" };
        match &self.cause {
            Cause::Dropped => format!(
                "Full buffers drop {} of {others} and {} of {own}, which {keeps} {share} of its \
                 fair rate.",
                percent(self.others_lost_share),
                percent(self.lost_share),
            ),
            Cause::Paused(link, shut) => format!(
                "Nothing is lost. Pauses stop all flows on {link} for {} of the run: {own} {keeps} \
                 {share} of its fair rate.",
                percent(*shut),
            ),
            Cause::Held(name, link, [own_share, other]) => format!(
                "Nothing is lost. On {link}, {name} waits for credit for {} of the run and {own} \
                 for {}: {own} {keeps} {share} of its fair rate.",
                percent(*other),
                percent(*own_share),
            ),
            Cause::None => {
                format!("Nothing is lost, and {own} {keeps} {share} of its fair rate.")
            }
        }
    }
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

/// The links that the VC shares with others.
fn shared<'a>(links: &'a [LinkSummary], own: &VcSummary) -> Vec<&'a LinkSummary> {
    let crossed = |link: &&LinkSummary| own.hops.iter().any(|hop| hop.link == link.name);
    links.iter().filter(crossed).filter(|link| link.vcs.len() > 1).collect()
}

/// The link whose lanes were paused longest, and for what part of the run.
fn most_paused(links: &[&LinkSummary]) -> Option<Cause> {
    let lanes = links.iter().flat_map(|link| link.lanes.iter().map(|lane| (*link, lane)));
    let paused = lanes.filter(|(_, lane)| lane.is_paused() && lane.shut_count > 0);
    let most = paused.max_by(|(_, a), (_, b)| a.shut_share.total_cmp(&b.shut_share));
    most.map(|(link, lane)| Cause::Paused(link.name.clone(), lane.shut_share))
}

/// The flow that waited longest for credit on a link of the VC: its name, the link, and the parts
/// of the run in which the VC and it waited there.
fn most_held(own: &VcSummary, others: &[&VcSummary]) -> Option<Cause> {
    let hops = others.iter().flat_map(|vc| vc.hops.iter().map(|hop| (vc.name.as_str(), hop)));
    let beside = hops.filter_map(|(name, hop)| {
        let mine = own.hops.iter().find(|mine| mine.link == hop.link)?;
        Some((name, hop.link.as_str(), [mine.no_credit_share, hop.no_credit_share]))
    });
    let held = beside.filter(|(_, _, [_, other])| *other > 0.0);
    let most = held.max_by(|(_, _, [_, a]), (_, _, [_, b])| a.total_cmp(b));
    most.map(|(name, link, shares)| Cause::Held(name.to_owned(), link.to_owned(), shares))
}

#[cfg(test)]
mod tests;
