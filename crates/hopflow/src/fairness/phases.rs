//! The spans in which the offered load does not change.
//!
//! They end when a VC starts, stops, or changes between its two rates. If frequent alternations
//! would require too many solutions of the network, each source counts with the mean of its two
//! rates instead.

use std::collections::BTreeSet;
use std::ops::Range;

use hopflow_network::NetworkSpec;
use hopflow_units::SimTime;

use super::NoShares;
use super::offered::{Demand, Offer};

/// The most spans in which alternating rates are distinguished.
const ALTERNATIONS: u64 = 1_000;
/// The most spans x hops for which a network is solved: well below a second.
const WORK: usize = 10_000_000;

/// A span in which the offered load does not change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phase {
    /// Its part of the whole span.
    pub(super) part: f64,
    /// By VC: whether its source is on.
    pub(super) on: Vec<bool>,
    /// By VC: its demand.
    pub(super) demands: Vec<Demand>,
}

/// `span`, not empty, in phases.
pub(super) fn phases<'a>(
    spec: &'a NetworkSpec,
    offers: &'a [Offer],
    span: &Range<SimTime>,
) -> Result<impl Iterator<Item = Phase> + 'a, NoShares> {
    let stop = |vc: usize| spec.vcs[vc].stop.unwrap_or(SimTime::NEVER);
    let on_in = |vc: usize| span.start.max(spec.vcs[vc].start)..span.end.min(stop(vc));
    let mut cuts = BTreeSet::from([span.start]);
    for vc in 0..spec.vcs.len() {
        cuts.extend([spec.vcs[vc].start, stop(vc)].into_iter().filter(|cut| span.contains(cut)));
    }
    let alternating = offers.iter().enumerate().filter_map(|(vc, offer)| match offer {
        Offer::Alternating(_, half_period) => Some((vc, half_period.0.max(1))),
        _ => None,
    });
    let changes = |(vc, half): (usize, u64)| {
        let on = on_in(vc);
        if on.is_empty() { 0 } else { on.end.since(on.start).0 / half + 1 }
    };
    let in_turn = alternating.clone().map(changes).fold(0_u64, u64::saturating_add) <= ALTERNATIONS;
    for (vc, half) in alternating.filter(|_| in_turn) {
        let (start, on) = (spec.vcs[vc].start, on_in(vc));
        if !on.is_empty() {
            let first = on.start.since(start).0 / half;
            let at = |n: u64| SimTime(start.0.saturating_add(n.saturating_mul(half)));
            cuts.extend(
                (first..).map(at).take_while(|at| *at < on.end).filter(|at| on.contains(at)),
            );
        }
    }
    let hops: usize = spec.vcs.iter().map(|vc| vc.hops.len()).sum();
    if cuts.len() > 1 && cuts.len().saturating_mul(hops) > WORK {
        return Err(NoShares::TooManySpans { spans: cuts.len() });
    }
    let whole = span.end.since(span.start).0 as f64;
    let stop = |vc: usize| spec.vcs[vc].stop.unwrap_or(SimTime::NEVER);
    let ends: Vec<SimTime> = cuts.iter().copied().skip(1).chain([span.end]).collect();
    let phase = move |(from, end): (SimTime, SimTime)| Phase {
        part: end.since(from).0 as f64 / whole,
        on: (0..offers.len()).map(|vc| spec.vcs[vc].start <= from && from < stop(vc)).collect(),
        demands: (0..offers.len())
            .map(|vc| demand(&offers[vc], spec.vcs[vc].start, from, in_turn))
            .collect(),
    };
    Ok(cuts.into_iter().zip(ends).map(phase))
}

/// The demand at `now`.
fn demand(offer: &Offer, start: SimTime, now: SimTime, in_turn: bool) -> Demand {
    match offer {
        Offer::Steady(demand) => *demand,
        Offer::Follows => Demand::Bps(0.0),
        Offer::Alternating(demands, half) if in_turn => {
            let half_periods = now.0.saturating_sub(start.0) / half.0.max(1);
            demands[usize::from(half_periods % 2 == 1)]
        }
        Offer::Alternating([low, high], _) => match (low, high) {
            (Demand::Bps(low), Demand::Bps(high)) => Demand::Bps(f64::midpoint(*low, *high)),
            _ => Demand::Unlimited,
        },
    }
}
