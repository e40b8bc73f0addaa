//! The link that flows with equal paths load most on the routes they have.
//!
//! ```text
//! load(l)  =  sum of the rates offered by the VCs on l / rate of l              (1)
//! even(l)  =  the same where VCs with equal paths are split evenly over them     (2)
//! ```
//! A VC offers the greatest rate of its source, at most that of its first link; what goes back to a
//! TCP sender offers nothing. Only links count that a VC could go round. The hottest has the
//! greatest load, then the most VCs, then the lowest number.

use std::collections::BTreeMap;

use hopflow_network::{ConnectionSpec, DirectionId, HopSpec, NetworkSpec, ProtocolSpec, VcSpec};

use super::{Routing, ends};
use crate::offered::source_bps;
use crate::paths::EqualPaths;

/// VCs that share all their equal paths, by the nodes where these begin and end.
type Groups = BTreeMap<(usize, usize), Vec<usize>>;

/// A link, what it carries, and what it would carry.
#[derive(Clone, Debug, PartialEq)]
pub struct HotLink {
    /// Which.
    pub direction: DirectionId,
    /// The VCs on it that offer something, in ascending order, also those that have no other path.
    pub vcs: Vec<usize>,
    /// Eq. (1).
    pub load: f64,
    /// The greatest load of all links that are part of several equal paths, if split evenly:
    /// Eq. (2).
    pub even_load: f64,
}

impl Routing {
    /// The hottest link. `None`: no path has an equal one, or it takes too much work to find.
    pub(crate) fn find_hottest(&self, network: &NetworkSpec) -> Option<HotLink> {
        if self.equal.is_empty() {
            return None;
        }
        let offered = offered(network);
        let (mut loads, mut even) = (Loads::of(network), Loads::of(network));
        let mut is_equal = vec![false; network.vcs.len()];
        self.equal.iter().for_each(|vc| is_equal[*vc] = true);
        for (vc, spec) in network.vcs.iter().enumerate() {
            for id in spec.hops.iter().map(HopSpec::direction_id) {
                loads.add(id, offered[vc]);
                if !is_equal[vc] {
                    even.add(id, offered[vc]);
                }
            }
        }
        let avoidable = self.split_evenly(network, &offered, &mut even)?;
        let counts = counts(network, &offered);
        let links = (0..avoidable.len()).filter(|id| avoidable[*id]);
        let hotter = |a: &usize, b: &usize| {
            let by_load = loads.of[*a].total_cmp(&loads.of[*b]);
            by_load.then(counts[*a].cmp(&counts[*b])).then(b.cmp(a))
        };
        let hottest = links.clone().filter(|id| counts[*id] > 0).max_by(hotter)?;
        let direction = DirectionId(hottest);
        let on_it = |vc: &usize| {
            let mut hops = network.vcs[*vc].hops.iter();
            offered[*vc] > 0.0 && hops.any(|hop| hop.direction_id() == direction)
        };
        Some(HotLink {
            direction,
            vcs: (0..network.vcs.len()).filter(on_it).collect(),
            load: loads.of[hottest],
            even_load: links.map(|id| even.of[id]).fold(0.0, f64::max),
        })
    }

    /// Adds what VCs with equal paths load if split evenly. By direction: whether one of them could
    /// go round it.
    fn split_evenly(
        &self,
        network: &NetworkSpec,
        offered: &[f64],
        even: &mut Loads<'_>,
    ) -> Option<Vec<bool>> {
        let mut paths = EqualPaths::of(network);
        let mut groups = Groups::new();
        for &vc in self.equal.iter().filter(|vc| offered[**vc] > 0.0) {
            let (from, to) = ends(network, vc);
            groups.entry((paths.root(from), paths.root(to))).or_default().push(vc);
        }
        let mut avoidable = vec![false; network.direction_count()];
        for vcs in groups.values() {
            let (from, to) = ends(network, vcs[0]);
            let parts = paths.between(from, to).ok()??.split();
            let sum: f64 = vcs.iter().map(|vc| offered[*vc]).sum();
            let mut partly = BTreeMap::new();
            for (id, part) in parts.into_iter().filter(|(_, part)| *part < 1.0 - 1e-9) {
                avoidable[id.0] = true;
                partly.insert(id, part);
                even.add(id, part * sum);
            }
            for &vc in vcs {
                let hops = network.vcs[vc].hops.iter().map(HopSpec::direction_id);
                hops.filter(|id| !partly.contains_key(id)).for_each(|id| even.add(id, offered[vc]));
            }
        }
        Some(avoidable)
    }
}

/// By direction: a sum of rates as a part of its own.
struct Loads<'n> {
    network: &'n NetworkSpec,
    of: Vec<f64>,
}

impl Loads<'_> {
    fn of(network: &NetworkSpec) -> Loads<'_> {
        Loads { network, of: vec![0.0; network.direction_count()] }
    }

    fn add(&mut self, id: DirectionId, bps: f64) {
        self.of[id.0] += bps / self.network.direction(id).rate.bps() as f64;
    }
}

/// By VC: what it offers at most, in bits per second.
fn offered(network: &NetworkSpec) -> Vec<f64> {
    let of = |vc: &VcSpec| {
        let first = network.direction(vc.hops[0].direction_id()).rate.bps();
        source_bps(vc, network).map_or(first, |bps| bps.min(first)) as f64
    };
    let mut offered: Vec<f64> = network.vcs.iter().map(of).collect();
    let is_tcp = |one: &&ConnectionSpec| matches!(one.protocol, ProtocolSpec::Tcp(_));
    network.connections.iter().filter(is_tcp).for_each(|one| offered[one.backward] = 0.0);
    offered
}

/// By direction: the VCs on it that offer something.
fn counts(network: &NetworkSpec, offered: &[f64]) -> Vec<u32> {
    let mut counts = vec![0; network.direction_count()];
    let sending = network.vcs.iter().zip(offered).filter(|(_, bps)| **bps > 0.0);
    for hop in sending.flat_map(|(vc, _)| &vc.hops) {
        counts[hop.direction_id().0] += 1;
    }
    counts
}
