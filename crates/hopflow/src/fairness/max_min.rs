//! Max-min fair shares: no VC's rate can rise without lowering that of one with as little or less.
//!
//! All levels rise together, from nothing; a VC stops where a link on its way is full, or where it
//! has all that it asks for ("repeated filling"):
//! ```text
//! rate(v)   =  m(v) + w(v) t(v)                                                  (1)
//! t(link)   =  floor((C - frozen rates - m of the others) / w of the others)     (2)
//! k(v)      =  ceil((d(v) - m(v)) / w(v))                                        (3)
//! ```
//! The least of all t(link) and k(v) is taken, a demand before a link. A VC that stops by (3) has
//! d(v); all VCs of all links with that very t stop together, by (1). And again, until all have
//! stopped.
//!
//! | symbol | meaning                                            | unit            |
//! |--------|----------------------------------------------------|-----------------|
//! | C      | capacity of a link direction                       | units of rate   |
//! | m      | MCR, what the VC has in any case, at most d        | units of rate   |
//! | d      | demand, what it asks for at most; perhaps no limit | units of rate   |
//! | w      | weight, at least 1                                 | none            |
//! | t, k   | level: what each unit of weight has beyond m       | units of rate   |
//!
//! **Why integers.** Fractions are exact, but their denominators multiply with every link that
//! fills, past any fixed size. Sums of floats depend on the order of links. Whole units do neither:
//! sums are exact, what happens at one level is taken together, so the answer is the same in any
//! order of links and VCs. Eq. (2) rounds down, and levels never fall: t(link) W <= what is left,
//! so what is left after others stop at t or less is still t(link) of the remaining weights. Hence
//! each VC that a link stopped has the greatest level there, and that link is full but for less
//! than W units, the sum of its weights. By the bottleneck theorem the answer is *exactly* the
//! max-min answer of a network whose links are smaller by less than that.
//!
//! A multicast VC has one rate on all links of its tree.
//!
//! Source: [BG92]; with MCR and weights as the ATM Forum has it for ABR, not read. Not
//! modelled: branches of a tree at different rates. Checked by: `tests/filling.rs`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use thiserror::Error;

/// What a VC asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The links it crosses, each once; not none.
    pub links: Vec<usize>,
    /// d, in units of rate; `None`: no limit.
    pub demand: Option<u128>,
    /// m, in units of rate.
    pub least: u128,
    /// w, at least 1.
    pub weight: u64,
}

/// What stops a VC from having more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It has all that it asks for.
    Demand,
    /// This link is full: the first such on its way.
    Link(usize),
}

/// What a VC has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// In units of rate.
    pub rate: u128,
    /// Why no more.
    pub held: Held,
}

/// The least rates of the VCs of a link are more than it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the least rates of the VCs on link {link} add up to more than it has")]
pub struct Overbooked {
    /// The first such link.
    pub link: usize,
}

/// The shares of all `vcs`, in their order, on links of these capacities in units of rate.
///
/// Panics if a weight is 0, a VC crosses no link, or one that does not exist: a broken caller.
pub fn max_min(capacities: &[u128], vcs: &[Claimant]) -> Result<Vec<Share>, Overbooked> {
    let mut solver = Solver::new(capacities, vcs);
    for (vc, claimant) in vcs.iter().enumerate() {
        solver.turn_on(vc, claimant.demand);
    }
    let share = |share: &Option<Share>| share.expect("a VC crosses a link, and each link fills");
    Ok(solver.solve()?.iter().map(share).collect())
}

/// A network that is solved again and again, while VCs start, stop and ask for more or less.
///
/// Links that no VC crosses take no part: a solution takes time in proportion to what is on.
pub(super) struct Solver {
    vcs: Vec<Vc>,
    links: Vec<Link>,
    /// By VC, if it is on: its share.
    shares: Vec<Option<Share>>,
    filling: Filling,
}

/// A VC, on or off.
struct Vc {
    /// Indices into the links of the solver, in the order of its way.
    links: Vec<u32>,
    /// As in [`Claimant`].
    claim: Claim,
    is_on: bool,
}

/// What a VC asks for, without its way.
#[derive(Clone, Copy)]
struct Claim {
    demand: Option<u128>,
    least: u128,
    weight: u64,
}

/// A link that some VC crosses.
struct Link {
    /// As the caller counts.
    index: usize,
    capacity: u128,
    members: Vec<u32>,
    /// Of the VCs that are on.
    least: u128,
    /// Of the VCs that are on.
    weight: u128,
    /// Eq. (2) before anything is frozen; `None`: all is off, or the link is overbooked.
    level: Option<u128>,
}

impl Solver {
    /// A network in which all VCs are off.
    ///
    /// Panics as [`max_min`] does.
    pub(super) fn new(capacities: &[u128], claimants: &[Claimant]) -> Solver {
        let mut place = vec![u32::MAX; capacities.len()];
        for &link in claimants.iter().flat_map(|claimant| &claimant.links) {
            place[link] = 0;
        }
        let mut links = Vec::new();
        for (index, place) in place.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
            *place = links.len() as u32;
            let (capacity, members) = (capacities[index], Vec::new());
            links.push(Link { index, capacity, members, least: 0, weight: 0, level: None });
        }
        let mut vcs = Vec::with_capacity(claimants.len());
        for (vc, claimant) in claimants.iter().enumerate() {
            assert!(claimant.weight > 0, "a VC without weight");
            assert!(!claimant.links.is_empty(), "a VC without a link");
            let on_its_way: Vec<u32> = claimant.links.iter().map(|link| place[*link]).collect();
            for link in &on_its_way {
                links[*link as usize].members.push(vc as u32);
            }
            let Claimant { demand, least, weight, .. } = *claimant;
            let claim = Claim { demand, least, weight };
            vcs.push(Vc { links: on_its_way, claim, is_on: false });
        }
        let shares = vec![None; vcs.len()];
        Solver { vcs, links, shares, filling: Filling::default() }
    }

    /// From now on a VC asks for `demand`.
    pub(super) fn turn_on(&mut self, vc: usize, demand: Option<u128>) {
        self.turn_off(vc);
        let Vc { links, claim, is_on } = &mut self.vcs[vc];
        (claim.demand, *is_on) = (demand, true);
        for link in links {
            let link = &mut self.links[*link as usize];
            link.least = link.least.saturating_add(link.counted(claim));
            link.weight += u128::from(claim.weight);
            link.find_level();
        }
    }

    /// From now on a VC asks for nothing.
    pub(super) fn turn_off(&mut self, vc: usize) {
        let Vc { links, claim, is_on } = &mut self.vcs[vc];
        if !std::mem::replace(is_on, false) {
            return;
        }
        for link in links {
            let link = &mut self.links[*link as usize];
            link.least = link.least.saturating_sub(link.counted(claim));
            link.weight -= u128::from(claim.weight);
            link.find_level();
        }
    }

    /// The shares, by VC; `None`: it is off.
    pub(super) fn solve(&mut self) -> Result<&[Option<Share>], Overbooked> {
        if let Some(link) = self.links.iter().find(|link| link.least > link.capacity) {
            return Err(Overbooked { link: link.index });
        }
        self.shares.fill(None);
        let (vcs, links) = (&self.vcs, &self.links);
        self.filling.begin(vcs, links);
        while self.filling.left > 0 {
            let Some(Reverse((level, stop))) = self.filling.stops.pop() else { break };
            match stop {
                Stop::Demand(vc) => {
                    let claim = &vcs[vc as usize].claim;
                    if let (None, Some(rate)) = (self.shares[vc as usize], claim.demand) {
                        self.filling.freeze(&vcs[vc as usize], rate);
                        self.shares[vc as usize] = Some(Share { rate, held: Held::Demand });
                    }
                }
                Stop::Link(link) => {
                    if self.filling.is_at(link, level) {
                        self.filling.find_full_with(link, level);
                        self.filling.freeze_all(level, vcs, links, &mut self.shares);
                    }
                }
            }
        }
        Ok(&self.shares)
    }
}

impl Link {
    /// What the least rate of a VC adds: no more than makes the link overbooked, so that the sum
    /// stays in its range and goes down again as VCs stop.
    fn counted(&self, claim: &Claim) -> u128 {
        claim.least().min(self.capacity.saturating_add(1))
    }

    fn find_level(&mut self) {
        let free = self.capacity.checked_sub(self.least);
        self.level = free.and_then(|free| free.checked_div(self.weight));
    }
}

/// What may come next as the levels rise. Demands come before links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    /// A VC has all that it asks for.
    Demand(u32),
    /// A link is full.
    Link(u32),
}

/// Levels on the rise.
#[derive(Default)]
struct Filling {
    /// By link: C less the frozen rates and the least rates of the others.
    free: Vec<u128>,
    /// By link: the weights of those that are not frozen.
    weight: Vec<u128>,
    /// Levels: of demands exact, of links as they once were. Those only rise.
    stops: BinaryHeap<Reverse<(u128, Stop)>>,
    /// VCs that are on and not frozen.
    left: usize,
    /// The links that are full at the level at hand, and the same by link.
    full: Vec<u32>,
    is_full: Vec<bool>,
}

impl Filling {
    fn begin(&mut self, vcs: &[Vc], links: &[Link]) {
        let Filling { free, weight, stops, left, full, is_full } = self;
        free.clear();
        free.extend(links.iter().map(|link| link.capacity - link.least));
        weight.clear();
        weight.extend(links.iter().map(|link| link.weight));
        full.clear();
        is_full.clear();
        is_full.resize(links.len(), false);
        *left = vcs.iter().filter(|vc| vc.is_on).count();
        let mut all = std::mem::take(stops).into_vec();
        all.clear();
        let demands = vcs.iter().zip(0..).filter(|(vc, _)| vc.is_on);
        let demands = demands.filter_map(|(vc, index)| Some((vc.claim.satisfied_at()?, index)));
        all.extend(demands.map(|(level, vc)| Reverse((level, Stop::Demand(vc)))));
        let levels = links.iter().zip(0..).filter_map(|(link, index)| Some((link.level?, index)));
        all.extend(levels.map(|(level, link)| Reverse((level, Stop::Link(link)))));
        *stops = BinaryHeap::from(all);
    }

    /// Eq. (2); `None` when all its VCs are frozen.
    fn level(&self, link: u32) -> Option<u128> {
        self.free[link as usize].checked_div(self.weight[link as usize])
    }

    /// Whether the level of a link is still what it was; else it goes back among the stops.
    fn is_at(&mut self, link: u32, level: u128) -> bool {
        let now = self.level(link);
        assert!(now.is_none_or(|now| now >= level), "the level of a link fell");
        if now == Some(level) {
            return true;
        }
        if let Some(now) = now {
            self.stops.push(Reverse((now, Stop::Link(link))));
        }
        false
    }

    /// Finds all links that are full at this level, the least of all; `first` is one.
    fn find_full_with(&mut self, first: u32, level: u128) {
        self.full.push(first);
        while let Some(&Reverse((next, Stop::Link(link)))) = self.stops.peek()
            && next == level
        {
            self.stops.pop();
            if self.is_at(link, level) {
                self.full.push(link);
            }
        }
        for link in &self.full {
            self.is_full[*link as usize] = true;
        }
    }

    /// Stops all VCs of the links that are full, Eq. (1).
    fn freeze_all(
        &mut self,
        level: u128,
        vcs: &[Vc],
        links: &[Link],
        shares: &mut [Option<Share>],
    ) {
        let full = std::mem::take(&mut self.full);
        for &vc in full.iter().flat_map(|link| &links[*link as usize].members) {
            let (share, vc) = (&mut shares[vc as usize], &vcs[vc as usize]);
            if share.is_some() || !vc.is_on {
                continue;
            }
            let on_its_way = vc.links.iter().find(|link| self.is_full[**link as usize]);
            let link = on_its_way.expect("it is a member of a full link");
            let rate = vc.claim.least() + u128::from(vc.claim.weight) * level;
            self.freeze(vc, rate);
            *share = Some(Share { rate, held: Held::Link(links[*link as usize].index) });
        }
        for link in &full {
            self.is_full[*link as usize] = false;
        }
        self.full = full;
        self.full.clear();
    }

    fn freeze(&mut self, vc: &Vc, rate: u128) {
        self.left -= 1;
        for &link in &vc.links {
            self.free[link as usize] -= rate - vc.claim.least();
            self.weight[link as usize] -= u128::from(vc.claim.weight);
        }
    }
}

impl Claim {
    /// m, which is no more than d.
    fn least(&self) -> u128 {
        self.demand.map_or(self.least, |demand| demand.min(self.least))
    }

    /// Eq. (3).
    fn satisfied_at(&self) -> Option<u128> {
        let demand = self.demand?;
        Some((demand - self.least()).div_ceil(u128::from(self.weight)))
    }
}
