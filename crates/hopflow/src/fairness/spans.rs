//! The shares in consecutive spans, priority by priority.
//!
//! If all VCs have one priority, state that does not change is kept from one span to the next.

use std::collections::BTreeSet;

use hopflow_network::{DirectionId, HopSpec, NetworkSpec, VcSpec};
use hopflow_units::Rate;

use super::max_min::{Claimant, Overbooked, Share, Solver, max_min};
use super::offered::{Demand, Offer};
use super::phases::Phase;
use super::{NoShares, Part, payload, units};

/// A network whose spans are solved in order.
pub(super) struct Spans<'a> {
    spec: &'a NetworkSpec,
    offers: &'a [Offer],
    target: Part,
    /// By VC.
    classes: Vec<u8>,
    /// By link direction: its capacity for packets.
    rates: Vec<Rate>,
    /// Those of the current span, in units of rate, by VC; `None`: it is off, or has no share.
    shares: Vec<Option<Share>>,
    /// If all VCs have one priority.
    kept: Option<Kept>,
}

/// The state that is kept from span to span.
struct Kept {
    solver: Solver,
    /// Whether all VCs that are on have a reservation, which decides how they share.
    reserved: bool,
    /// By VC, in the previous span; `None`: it was off.
    demands: Vec<Option<Demand>>,
}

impl<'a> Spans<'a> {
    /// As in [`super::fair_shares`], with the rates of [`super::data_rates`].
    pub(super) fn new(
        spec: &'a NetworkSpec,
        rates: Vec<Rate>,
        offers: &'a [Offer],
        target: Part,
    ) -> Spans<'a> {
        Spans {
            spec,
            offers,
            target,
            classes: classes(spec),
            rates,
            shares: vec![None; spec.vcs.len()],
            kept: None,
        }
    }

    /// The shares in one span, by VC; `None`: it is off, or has no share.
    pub(super) fn solve(&mut self, phase: &Phase) -> Result<&[Option<Share>], NoShares> {
        let one_class = self.classes.windows(2).all(|pair| pair[0] == pair[1]);
        if !one_class {
            self.solve_by_class(phase)?;
            return Ok(&self.shares);
        }
        let is_on = |vc: usize| phase.on[vc] && self.offers[vc] != Offer::Follows;
        let mut vcs = self.spec.vcs.iter().enumerate();
        let reserved = vcs.all(|(vc, spec)| !is_on(vc) || spec.reservation.is_some());
        let mut kept = match self.kept.take() {
            Some(kept) if kept.reserved == reserved => kept,
            _ => self.begin(reserved, phase),
        };
        let Kept { solver, demands, .. } = &mut kept;
        for (vc, before) in demands.iter_mut().enumerate() {
            let now = is_on(vc).then_some(phase.demands[vc]);
            if *before != now {
                match now {
                    Some(now) => solver.turn_on(vc, demand(&self.spec.vcs[vc], now)),
                    None => solver.turn_off(vc),
                }
                *before = now;
            }
        }
        let kept = self.kept.insert(kept);
        kept.solver.solve().map_err(|overbooked| no_shares(self.spec, overbooked))
    }

    /// A state in which all VCs are off.
    fn begin(&self, reserved: bool, phase: &Phase) -> Kept {
        let capacities: Vec<u128> = self.rates.iter().map(|rate| self.target.of(*rate)).collect();
        let vcs = self.spec.vcs.iter().zip(&phase.demands);
        let claimants: Vec<Claimant> =
            vcs.map(|(vc, demand)| claimant(vc, *demand, reserved)).collect();
        let solver = Solver::new(&capacities, &claimants);
        Kept { solver, reserved, demands: vec![None; self.spec.vcs.len()] }
    }

    /// Solves a span in which more urgent priorities take precedence.
    fn solve_by_class(&mut self, phase: &Phase) -> Result<(), NoShares> {
        let (spec, classes) = (self.spec, &self.classes);
        self.shares.fill(None);
        let on = |vc: &usize| phase.on[*vc] && self.offers[*vc] != Offer::Follows;
        let on: Vec<usize> = (0..spec.vcs.len()).filter(on).collect();
        let present: BTreeSet<u8> = on.iter().map(|vc| classes[*vc]).collect();
        let mut used = vec![0_u128; self.rates.len()];
        for class in &present {
            let part = if present.last() == Some(class) { self.target } else { Part::ALL };
            let left = self.rates.iter().zip(&used);
            let left: Vec<u128> =
                left.map(|(rate, used)| part.of(*rate).saturating_sub(*used)).collect();
            let vcs: Vec<usize> = on.iter().copied().filter(|vc| classes[*vc] == *class).collect();
            let reserved = vcs.iter().all(|vc| spec.vcs[*vc].reservation.is_some());
            let of = |vc: &usize| claimant(&spec.vcs[*vc], phase.demands[*vc], reserved);
            let claimants: Vec<Claimant> = vcs.iter().map(of).collect();
            let shares = max_min(&left, &claimants);
            let shares = shares.map_err(|overbooked| no_shares(spec, overbooked))?;
            for ((vc, claimant), share) in vcs.iter().zip(&claimants).zip(shares) {
                for &link in &claimant.links {
                    used[link] += share.rate;
                }
                self.shares[*vc] = Some(share);
            }
        }
        Ok(())
    }
}

fn no_shares(spec: &NetworkSpec, Overbooked { link }: Overbooked) -> NoShares {
    NoShares::Overbooked { link: hopflow_record::direction_names(spec)[link].clone() }
}

/// The first link direction that VCs of several priorities share by the weights of their classes.
pub(super) fn shared_by_classes(spec: &NetworkSpec) -> Option<DirectionId> {
    let mut known: Vec<Option<u8>> = vec![None; spec.direction_count()];
    let hops =
        spec.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop.direction_id())));
    let mut weighed = hops.filter(|(_, id)| spec.direction(*id).scheduler.facts().weighs_classes);
    let found = weighed.find(|(vc, id)| *known[id.0].get_or_insert(vc.priority) != vc.priority);
    found.map(|(_, id)| id)
}

/// By VC: its priority, or 0 for all if different priorities meet at a port that ignores them.
pub(super) fn classes(spec: &NetworkSpec) -> Vec<u8> {
    let mut known: Vec<Option<u8>> = vec![None; spec.direction_count()];
    for vc in &spec.vcs {
        for direction in vc.hops.iter().map(HopSpec::direction_id) {
            let first = *known[direction.0].get_or_insert(vc.priority);
            if first != vc.priority && !spec.direction(direction).scheduler.facts().heeds_class {
                return vec![0; spec.vcs.len()];
            }
        }
    }
    spec.vcs.iter().map(|vc| vc.priority).collect()
}

/// `reserved`: whether all VCs that share with it have a reservation.
pub(super) fn claimant(vc: &VcSpec, demand: Demand, reserved: bool) -> Claimant {
    let own = vc.reservation.map(|reservation| reservation.rate);
    let (least, weight) = match own {
        Some(rate) if reserved => (0, rate.bps()),
        _ => (own.map_or(0, |rate| Part::ALL.of(rate)), u64::from(vc.weight)),
    };
    let mcr = vc.rate.as_ref().map_or(0, |abr| units(abr.mcr));
    Claimant {
        links: vc.hops.iter().map(|hop| hop.direction_id().0).collect(),
        demand: self::demand(vc, demand),
        least: least.max(mcr),
        weight,
    }
}

/// The demand of a VC, in units of rate; `None`: no limit.
fn demand(vc: &VcSpec, demand: Demand) -> Option<u128> {
    let pcr = vc.rate.as_ref().map(|abr| units(abr.pcr));
    demand.units(payload(vc)).into_iter().chain(pcr).min()
}
