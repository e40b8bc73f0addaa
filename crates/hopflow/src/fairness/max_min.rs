//! Max-min fair shares: no VC's rate can rise without lowering that of one with as little or less.
//!
//! All levels rise together, from zero; a VC stops when a link on its path is full, or when it has
//! its demand ("progressive filling"):
//! ```text
//! rate(v)   =  m(v) + w(v) t(v)                                                  (1)
//! t(link)   =  floor((C - frozen rates - m of the others) / w of the others)     (2)
//! k(v)      =  ceil((d(v) - m(v)) / w(v))                                        (3)
//! ```
//! The least of all t(link) and k(v) is taken, a demand before a link. A VC that stops by (3) has
//! d(v); all VCs of all links with exactly this t stop together, by (1). This is repeated until all
//! have stopped.
//!
//! | symbol | meaning                                            | unit            |
//! |--------|----------------------------------------------------|-----------------|
//! | C      | capacity of a link direction                       | units of rate   |
//! | m      | MCR, the guaranteed rate of the VC, at most d      | units of rate   |
//! | d      | demand, perhaps without limit                      | units of rate   |
//! | w      | weight, at least 1                                 | none            |
//! | t, k   | level: the rate beyond m per unit of weight        | units of rate   |
//!
//! **Why integers.** Fractions are exact, but their denominators grow with every link that fills,
//! beyond any fixed size. Sums of floats depend on the order of links. Whole units avoid both: sums
//! are exact, and all events at one level are processed together, so the answer is the same in any
//! order of links and VCs. Eq. (2) rounds down, and levels never fall: t(link) W <= the rest of the
//! capacity, so the rest after others stop at t or less is still t(link) of the remaining weights.
//! Hence each VC that a link stopped has the greatest level there, and that link is full except for
//! less than W units, the sum of its weights. By the bottleneck theorem the answer is *exactly* the
//! max-min answer of a network whose links are smaller by less than that.
//!
//! A multicast VC has one rate on all links of its tree.
//!
//! Source: [BG92]; MCR and weights as in the ATM Forum's ABR, not read. Not modelled: branches of a
//! tree at different rates. Checked by: `tests/filling.rs`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use thiserror::Error;

/// The demand of a VC, and its links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The links of its path, each once; at least one.
    pub links: Vec<usize>,
    /// d, in units of rate; `None`: no limit.
    pub demand: Option<u128>,
    /// m, in units of rate.
    pub least: u128,
    /// w, at least 1.
    pub weight: u64,
}

/// The limit of a VC's rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Its demand.
    Demand,
    /// The first full link on its path.
    Link(usize),
}

/// The share of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// In units of rate.
    pub rate: u128,
    /// Its limit.
    pub held: Held,
}

/// The least rates of the VCs of a link exceed its capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the least rates of the VCs on link {link} add up to more than it has")]
pub struct Overbooked {
    /// The first overbooked link.
    pub link: usize,
}

/// The shares of all `vcs`, in their order, on links of these capacities in units of rate.
///
/// Panics if a weight is 0, or if a VC has no link or one that does not exist: bugs in the caller.
pub fn max_min(capacities: &[u128], vcs: &[Claimant]) -> Result<Vec<Share>, Overbooked> {
    let mut solver = Solver::new(capacities, vcs);
    for (vc, claimant) in vcs.iter().enumerate() {
        solver.turn_on(vc, claimant.demand);
    }
    let share = |share: &Option<Share>| share.expect("a VC crosses a link, and each link fills");
    Ok(solver.solve()?.iter().map(share).collect())
}

/// A network that is solved repeatedly, while VCs start, stop and change their demands.
///
/// Links without VCs are ignored: the time of a solution is proportional to the VCs that are on.
pub(super) struct Solver {
    vcs: Vec<Vc>,
    links: Vec<Link>,
    /// By VC, if it is on: its share.
    shares: Vec<Option<Share>>,
    filling: Filling,
}

/// A VC, on or off.
struct Vc {
    /// Indices into the links of the solver, in the order of its path.
    links: Vec<u32>,
    /// As in [`Claimant`].
    claim: Claim,
    is_on: bool,
}

/// The demand of a VC, without its path.
#[derive(Clone, Copy)]
struct Claim {
    demand: Option<u128>,
    least: u128,
    weight: u64,
}

/// A link that some VC crosses.
struct Link {
    /// The caller's index.
    index: usize,
    capacity: u128,
    members: Vec<u32>,
    /// The sum over the VCs that are on.
    least: u128,
    /// The sum over the VCs that are on.
    weight: u128,
    /// Eq. (2) before any VC is frozen; `None`: all are off, or the link is overbooked.
    level: Option<u128>,
}

impl Solver {
    /// A network in which all VCs are off.
    ///
    /// Panics like [`max_min`].
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

    /// Sets the demand of a VC.
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

    /// Removes the demand of a VC.
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
    /// The least rate of a VC, at most the amount that makes the link overbooked, so that the sum
    /// does not overflow and decreases again when VCs stop.
    fn counted(&self, claim: &Claim) -> u128 {
        claim.least().min(self.capacity.saturating_add(1))
    }

    fn find_level(&mut self) {
        let free = self.capacity.checked_sub(self.least);
        self.level = free.and_then(|free| free.checked_div(self.weight));
    }
}

/// An event as the levels rise. Demands precede links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    /// A VC reaches its demand.
    Demand(u32),
    /// A link is full.
    Link(u32),
}

/// The state of the rising levels.
#[derive(Default)]
struct Filling {
    /// By link: C minus the frozen rates and the least rates of the others.
    free: Vec<u128>,
    /// By link: the sum of the weights of VCs that are not frozen.
    weight: Vec<u128>,
    /// Levels: those of demands are exact, those of links may be old, and only rise.
    stops: BinaryHeap<Reverse<(u128, Stop)>>,
    /// VCs that are on and not frozen.
    left: usize,
    /// The links that are full at the current level, and the same by link.
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

    /// Eq. (2); `None` if all its VCs are frozen.
    fn level(&self, link: u32) -> Option<u128> {
        self.free[link as usize].checked_div(self.weight[link as usize])
    }

    /// Whether the level of a link is unchanged; else its new level is added to the stops.
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

    /// Finds all links that are full at this level, the least of all; `first` is one of them.
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

    /// Stops all VCs of full links, Eq. (1).
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
    /// m, which is at most d.
    fn least(&self) -> u128 {
        self.demand.map_or(self.least, |demand| demand.min(self.least))
    }

    /// Eq. (3).
    fn satisfied_at(&self) -> Option<u128> {
        let demand = self.demand?;
        Some((demand - self.least()).div_ceil(u128::from(self.weight)))
    }
}
