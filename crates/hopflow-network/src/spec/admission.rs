//! Where packets are admitted with jitter: at switches whose full buffer can drop them.
//!
//! Source: [FJ92] for the phase effects that the jitter ends. The jitter itself is Eq. (1) to (3)
//! of `docs/models/jitter.md`.

use std::fmt;

use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::{DirectionId, HopControl, NetworkSpec, NodeKind, VcSpec};

/// A packet waits for its admission at most this number of packet times: the 16 of Eq. (3) of
/// `docs/models/jitter.md`.
pub const MOST_JITTER: u64 = 16;

/// When a packet is admitted to a buffer that can drop it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Jitter {
    /// As it arrives.
    #[default]
    Exact,
    /// Up to the gap of its flow later, while the buffer is at least half full.
    Gap,
}

/// A hop whose packets a full buffer at its far end can drop.
struct Exposed {
    /// The direction by which they arrive.
    by: DirectionId,
    /// The direction by which they leave.
    out: DirectionId,
}

impl VcSpec {
    /// The exposed hops of the forward part, then of the ACK part. Not included: hops to several
    /// branches, and hops whose credit or lane promises room.
    fn exposed<'a>(&'a self, spec: &'a NetworkSpec) -> impl Iterator<Item = Exposed> + 'a {
        let children = self.children();
        let forward = self.hops.iter().zip(children).filter_map(|(hop, children)| {
            let [next] = children[..] else { return None };
            let out = self.hops[next].direction_id();
            let is_free = hop.control == HopControl::None;
            is_free.then_some(Exposed { by: hop.direction_id(), out })
        });
        let back = self.hops.iter().filter(|_| self.has_way_back()).filter_map(|hop| {
            let out = self.hops[hop.parent?].direction_id().reverse();
            Some(Exposed { by: hop.direction_id().reverse(), out })
        });
        let promises = |by| spec.direction(by).lanes.is_some_and(|l| l.covers(self.priority));
        forward.chain(back).filter(move |exposed| !promises(exposed.by))
    }
}

/// How switches admit packets that their full buffers can drop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
pub struct Admission {
    /// The rule.
    pub jitter: Jitter,
    /// The switches, in order.
    pub at: Vec<String>,
}

impl Admission {
    /// The names of the first switches, and the number of the others.
    pub fn places(&self) -> String {
        const NAMED: usize = 4;
        let first = self.at.iter().take(NAMED);
        let names: Vec<String> = first.map(|name| format!("`{name}`")).collect();
        match self.at.len().saturating_sub(NAMED) {
            0 => names.join(", "),
            more => format!("{} and {more} more switches", names.join(", ")),
        }
    }
}

impl fmt::Display for Admission {
    /// One sentence, without a capital and a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.places();
        match self.jitter {
            Jitter::Gap => write!(
                f,
                "where the buffer of {at} is half full, packets are admitted at random up to the \
                 gap of their flow later; `jitter = \"exact\"` turns it off"
            ),
            Jitter::Exact => write!(
                f,
                "at {at} packets are admitted exactly as they arrive, so equal flows can lock each \
                 other out of a full buffer; `jitter = \"gap\"` prevents it"
            ),
        }
    }
}

impl NetworkSpec {
    /// How packets are admitted where flows compete for a full buffer; `None` where none do.
    pub fn admission(&self) -> Option<Admission> {
        let contended = std::iter::zip(&self.nodes, self.drops_of_several());
        let at: Vec<String> =
            contended.filter(|(_, is)| *is).map(|(node, _)| node.name.clone()).collect();
        (!at.is_empty()).then_some(Admission { jitter: self.jitter, at })
    }

    /// For each node, whether it admits packets with jitter.
    pub fn admits_with_jitter(&self) -> Vec<bool> {
        match self.jitter {
            Jitter::Exact => vec![false; self.nodes.len()],
            Jitter::Gap => self.drops_of_several(),
        }
    }

    /// For each node, whether it is a switch where exposed packets arrive by at least two links at
    /// one limit: that of the node, or of an output. Where they arrive by one link, none can take
    /// the room of another.
    fn drops_of_several(&self) -> Vec<bool> {
        let mut several = vec![false; self.nodes.len()];
        let limited = self.limited_switches();
        if limited.iter().all(|is| !is) {
            return several;
        }
        // The first link by which a packet arrives at each limit.
        let mut of_node = vec![None; self.nodes.len()];
        let mut of_port = vec![None; self.direction_count()];
        for vc in &self.vcs {
            for Exposed { by, out } in vc.exposed(self) {
                let node = self.to_node(by);
                if !limited[node] {
                    continue;
                }
                let shared = self.nodes[node].buffer.map(|_| &mut of_node[node]);
                let port = self.port_limit(out).map(|_| &mut of_port[out.0]);
                for first in [shared, port].into_iter().flatten() {
                    several[node] |= first.get_or_insert(by) != &by;
                }
            }
        }
        several
    }

    /// For each node, whether it is a switch, and it or one of its ports has a limit.
    fn limited_switches(&self) -> Vec<bool> {
        let mut limited: Vec<bool> = self.nodes.iter().map(|node| node.buffer.is_some()).collect();
        for id in (0..self.direction_count()).map(DirectionId) {
            limited[self.from_node(id)] |= self.port_limit(id).is_some();
        }
        for (node, limited) in self.nodes.iter().zip(&mut limited) {
            *limited &= node.kind == NodeKind::Switch && node.drain.is_none();
        }
        limited
    }
}
