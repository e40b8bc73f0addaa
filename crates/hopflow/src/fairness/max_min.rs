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
/// Panics if a weight is 0, a VC crosses no link, or one that is not there: a broken caller.
pub fn max_min(capacities: &[u128], vcs: &[Claimant]) -> Result<Vec<Share>, Overbooked> {
    let mut filling = Filling::new(capacities, vcs)?;
    while let Some(Reverse((level, stop))) = filling.stops.pop() {
        match stop {
            Stop::Demand(vc) => {
                if let (None, Some(rate)) = (filling.shares[vc], vcs[vc].demand) {
                    filling.freeze(vc, Share { rate, held: Held::Demand });
                }
            }
            Stop::Link(link) => {
                if filling.is_at(link, level) {
                    let full = filling.full_with(link, level);
                    filling.freeze_all(level, &full);
                }
            }
        }
    }
    let share = |share: Option<Share>| share.expect("a VC crosses a link, and each link fills");
    Ok(filling.shares.into_iter().map(share).collect())
}

/// What may come next as the levels rise. Demands come before links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    /// A VC has all that it asks for.
    Demand(usize),
    /// A link is full.
    Link(usize),
}

struct Filling<'a> {
    vcs: &'a [Claimant],
    /// By link: the VCs on it.
    members: Vec<Vec<usize>>,
    /// By link: C less the frozen rates and the least rates of the others.
    free: Vec<u128>,
    /// By link: the weights of those that are not frozen.
    weight: Vec<u128>,
    /// By VC, once it is frozen.
    shares: Vec<Option<Share>>,
    /// Levels: of demands exact, of links as they once were. Those only rise.
    stops: BinaryHeap<Reverse<(u128, Stop)>>,
}

impl<'a> Filling<'a> {
    fn new(capacities: &[u128], vcs: &'a [Claimant]) -> Result<Filling<'a>, Overbooked> {
        let mut members = vec![Vec::new(); capacities.len()];
        let mut free = capacities.to_vec();
        let mut weight = vec![0; capacities.len()];
        let mut overbooked: Option<usize> = None;
        for (vc, claimant) in vcs.iter().enumerate() {
            assert!(claimant.weight > 0, "a VC without weight");
            assert!(!claimant.links.is_empty(), "a VC without a link");
            for &link in &claimant.links {
                members[link].push(vc);
                weight[link] += u128::from(claimant.weight);
                match free[link].checked_sub(claimant.least()) {
                    Some(left) => free[link] = left,
                    None => overbooked = Some(overbooked.map_or(link, |first| first.min(link))),
                }
            }
        }
        if let Some(link) = overbooked {
            return Err(Overbooked { link });
        }
        let shares = vec![None; vcs.len()];
        let mut filling = Filling { vcs, members, free, weight, shares, stops: BinaryHeap::new() };
        for (vc, claimant) in vcs.iter().enumerate() {
            if let Some(level) = claimant.satisfied_at() {
                filling.stops.push(Reverse((level, Stop::Demand(vc))));
            }
        }
        for link in 0..capacities.len() {
            filling.push(link);
        }
        Ok(filling)
    }

    /// Eq. (2); `None` when all its VCs are frozen.
    fn level(&self, link: usize) -> Option<u128> {
        self.free[link].checked_div(self.weight[link])
    }

    fn push(&mut self, link: usize) {
        if let Some(level) = self.level(link) {
            self.stops.push(Reverse((level, Stop::Link(link))));
        }
    }

    /// Whether the level of a link is still what it was; else it goes back among the stops.
    fn is_at(&mut self, link: usize, level: u128) -> bool {
        let now = self.level(link);
        assert!(now.is_none_or(|now| now >= level), "the level of a link fell");
        if now != Some(level) {
            self.push(link);
        }
        now == Some(level)
    }

    /// All links that are full at this level, the least of all; `first` is one.
    fn full_with(&mut self, first: usize, level: u128) -> Vec<usize> {
        let mut full = vec![first];
        while let Some(&Reverse((next, Stop::Link(link)))) = self.stops.peek()
            && next == level
        {
            self.stops.pop();
            if self.is_at(link, level) {
                full.push(link);
            }
        }
        full
    }

    /// Stops all VCs of these links, Eq. (1).
    fn freeze_all(&mut self, level: u128, full: &[usize]) {
        let members = full.iter().flat_map(|link| &self.members[*link]);
        let mut stopped: Vec<usize> = members.copied().collect();
        stopped.sort_unstable();
        stopped.dedup();
        stopped.retain(|vc| self.shares[*vc].is_none());
        for vc in stopped {
            let claimant = &self.vcs[vc];
            let on_its_way = claimant.links.iter().find(|link| full.contains(link));
            let link = *on_its_way.expect("it is a member of a full link");
            let rate = claimant.least() + u128::from(claimant.weight) * level;
            self.freeze(vc, Share { rate, held: Held::Link(link) });
        }
    }

    fn freeze(&mut self, vc: usize, share: Share) {
        let claimant = &self.vcs[vc];
        for &link in &claimant.links {
            self.free[link] -= share.rate - claimant.least();
            self.weight[link] -= u128::from(claimant.weight);
        }
        self.shares[vc] = Some(share);
    }
}

impl Claimant {
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
