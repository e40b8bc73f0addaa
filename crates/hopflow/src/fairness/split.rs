//! Fair shares of a network in which flows with equal paths are split evenly over them.
//!
//! ```text
//! use(v, l)  =  f(v, l) rate(v),   f: the part of v on link l, from 0 to 1       (1)
//! rate(v)    =  m(v) + w(v) t(v)                                                 (2)
//! t(l)       =  (C(l) - uses of the stopped - sum f m of the others)
//!               / sum f w of the others                                          (3)
//! ```
//! The filling is that of `max_min.rs`: all levels t rise together, and a VC stops when a link on
//! its path is full or when it has its demand. Parts of VCs have no common denominator, so these
//! are floats, summed in the order of VCs; levels within 10^-12 of each other count as one. More
//! urgent priorities take precedence, as in `spans.rs`.
//!
//! | symbol | meaning                              | unit            |
//! |--------|--------------------------------------|-----------------|
//! | C      | capacity of a link direction         | bits per second |
//! | m, w   | least rate, and weight beyond it     | b/s, none       |
//! | t      | level: the rate per unit of weight   | bits per second |
//!
//! Not modelled: least rates that do not fit (no shares), target utilization. Checked by:
//! `split/tests.rs`, and by hand in `tests/routing.rs`.

use std::collections::BTreeSet;
use std::ops::Range;

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::SimTime;

use super::offered::{Offer, offer};
use super::phases::{Phase, phases};
use super::spans::{claimant, classes, shared_by_classes};
use super::{NoShares, UNIT_BITS, payload};

/// The greatest relative difference of levels that count as one.
const NEAR: f64 = 1e-12;
/// The most parts x VCs for which shares are computed: well below a second.
const WORK: usize = 100_000_000;

/// By VC: the link directions that carry a part of it, and this part.
pub(crate) type Parts = Vec<Vec<(DirectionId, f64)>>;

/// A VC with a demand.
struct Claim<'p> {
    vc: usize,
    parts: &'p [(DirectionId, f64)],
    demand: f64,
    least: f64,
    weight: f64,
}

/// The shares of all VCs over `span` in bits per second, with the split in `parts`. `None`: they
/// cannot be computed, or require too much work.
pub(crate) fn split_shares(
    spec: &NetworkSpec,
    parts: &Parts,
    span: Range<SimTime>,
) -> Option<Vec<Option<f64>>> {
    if shared_by_classes(spec).is_some() {
        return None;
    }
    let offers = (0..spec.vcs.len()).map(|vc| offer(spec, vc, &span));
    let offers = offers.collect::<Result<Vec<Offer>, NoShares>>().ok()?;
    let phases: Vec<Phase> = phases(spec, &offers, &span).ok()?.collect();
    let all: usize = parts.iter().map(Vec::len).sum();
    if all.saturating_mul(spec.vcs.len()).saturating_mul(phases.len()) > WORK {
        return None;
    }
    let mut shares: Vec<Option<f64>> =
        offers.iter().map(|offer| (*offer != Offer::Follows).then_some(0.0)).collect();
    for phase in &phases {
        let rates = solve(spec, parts, &offers, phase)?;
        for (vc, rate) in rates {
            if let Some(share) = &mut shares[vc] {
                *share += rate * payload(&spec.vcs[vc]) * phase.part;
            }
        }
    }
    Some(shares)
}

/// The rates of the VCs that are on, priority by priority.
fn solve(
    spec: &NetworkSpec,
    parts: &Parts,
    offers: &[Offer],
    phase: &Phase,
) -> Option<Vec<(usize, f64)>> {
    let classes = classes(spec);
    let is_on = |vc: &usize| phase.on[*vc] && offers[*vc] != Offer::Follows;
    let on: Vec<usize> = (0..spec.vcs.len()).filter(is_on).collect();
    let present: BTreeSet<u8> = on.iter().map(|vc| classes[*vc]).collect();
    let rates = spec.links.iter().flat_map(|link| &link.directions);
    let mut left: Vec<f64> = rates.map(|direction| direction.rate.bps() as f64).collect();
    let mut found = Vec::with_capacity(on.len());
    for class in present {
        let vcs: Vec<usize> = on.iter().copied().filter(|vc| classes[*vc] == class).collect();
        let reserved = vcs.iter().all(|vc| spec.vcs[*vc].reservation.is_some());
        let unit = (1_u64 << UNIT_BITS) as f64;
        let claim = |&vc: &usize| {
            let claimant = claimant(&spec.vcs[vc], phase.demands[vc], reserved);
            let demand = claimant.demand.map_or(f64::INFINITY, |demand| demand as f64 / unit);
            let least = (claimant.least as f64 / unit).min(demand);
            Claim { vc, parts: &parts[vc], demand, least, weight: claimant.weight as f64 }
        };
        found.extend(fill(&mut left, vcs.iter().map(claim).collect())?);
    }
    Some(found)
}

/// Stops VCs until all have stopped, and subtracts their use from `left`. `None`: least rates do
/// not fit.
fn fill(left: &mut [f64], mut rising: Vec<Claim<'_>>) -> Option<Vec<(usize, f64)>> {
    let mut found = Vec::with_capacity(rising.len());
    while !rising.is_empty() {
        let levels = levels(left, &rising)?;
        let of_link = |claim: &Claim<'_>| {
            claim.parts.iter().map(|(id, _)| levels[id.0]).fold(f64::INFINITY, f64::min)
        };
        let of_demand = |claim: &Claim<'_>| (claim.demand - claim.least) / claim.weight;
        let stops = |claim: &Claim<'_>| of_link(claim).min(of_demand(claim));
        let level = rising.iter().map(stops).fold(f64::INFINITY, f64::min);
        let (stopped, others): (Vec<_>, Vec<_>) =
            rising.into_iter().partition(|claim| stops(claim) <= level * (1.0 + NEAR));
        assert!(!stopped.is_empty(), "the VC that stops first stops");
        for claim in stopped {
            let rate = (claim.least + claim.weight * level).min(claim.demand);
            for (id, part) in claim.parts {
                left[id.0] -= part * rate;
            }
            found.push((claim.vc, rate));
        }
        rising = others;
    }
    Some(found)
}

/// Eq. (3), by link; infinite if no VC rises.
fn levels(left: &[f64], rising: &[Claim<'_>]) -> Option<Vec<f64>> {
    let (mut free, mut weight) = (left.to_vec(), vec![0.0; left.len()]);
    for claim in rising {
        for (id, part) in claim.parts {
            free[id.0] -= part * claim.least;
            weight[id.0] += part * claim.weight;
        }
    }
    let fits = free.iter().zip(left).zip(&weight);
    let short = fits.clone().any(|((free, left), w)| *w > 0.0 && *free < -NEAR * left.abs() - 1.0);
    let level = |((free, _), weight): ((&f64, &f64), &f64)| {
        if *weight > 0.0 { free.max(0.0) / weight } else { f64::INFINITY }
    };
    (!short).then(|| fits.map(level).collect())
}

#[cfg(test)]
mod tests;
