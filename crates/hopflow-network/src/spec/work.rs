//! The processor of a host: how long it works on what the host sends and receives.
//!
//! One processor serves everything in the order in which it is asked (`docs/models/host.md`):
//! ```text
//! send S + receive R + credit C <= t          over any time t, equal while it is never idle  (1)
//! ```
//! | symbol    | meaning                                            | unit    |
//! |-----------|----------------------------------------------------|---------|
//! | `send`    | work for a packet that is sent                     | ps      |
//! | `receive` | work for a packet that is received                 | ps      |
//! | `credit`  | work for a credit that is made or taken in         | ps      |
//! | S, R, C   | packets sent, packets received, credits of the time |         |
//!
//! A packet is a unit of its VC, or a whole packet where AAL5 cuts it into cells. ACK cells of
//! windows, RM cells, requests and frames of lanes need no work.
//! Source: [Kung97] for a host whose sending, receiving and credit share a processor.
//! Not modelled: caches, interrupts, the bus; work that depends on the size of a packet.

use hopflow_units::Picos;
use serde::{Deserialize, Serialize};

use super::{HopControl, HopSpec, NetworkSpec, NodeKind, ProtocolSpec, VcSpec};

/// Work of the processor of a host. What needs none passes it at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkSpec {
    /// For each packet that the host sends, before it joins the queue of the host.
    #[serde(rename = "send_ps")]
    pub send: Picos,
    /// For each packet that the host receives, before it is delivered.
    #[serde(rename = "receive_ps")]
    pub receive: Picos,
    /// For each credit that the host makes, before it waits for its start; and for each that it
    /// takes in, which counts at once.
    #[serde(rename = "credit_ps")]
    pub credit: Picos,
}

impl NetworkSpec {
    /// The work for a packet of a VC at its source host.
    pub fn send_work(&self, vc: &VcSpec) -> Picos {
        let source = self.from_node(vc.hops[0].direction_id());
        self.nodes[source].work.map_or(Picos::ZERO, |work| work.send)
    }

    /// The work for a packet of a VC at the end of its hop `leaf`.
    pub fn receive_work(&self, vc: &VcSpec, leaf: usize) -> Picos {
        let host = self.to_node(vc.hops[leaf].direction_id());
        self.nodes[host].work.map_or(Picos::ZERO, |work| work.receive)
    }

    /// Whether the source of a VC is greedy, and asks the processor of its host for each packet.
    pub fn asks_for_work(&self, vc: &VcSpec) -> bool {
        vc.source.is_greedy() && self.send_work(vc) > Picos::ZERO
    }

    /// The work of both hosts for a unit that never waits: a cell of a cut packet is delivered as
    /// it arrives.
    pub fn unit_work(&self, vc: &VcSpec, leaf: usize) -> Picos {
        let is_cut = vc.framing.is_some();
        let at_end = if is_cut { Picos::ZERO } else { self.receive_work(vc, leaf) };
        self.send_work(vc) + at_end
    }

    /// Whether credits of several VCs share a credit cell at a host that works on each credit.
    pub fn shares_software_credit(&self, hop: &HopSpec) -> bool {
        let ends = self.links[hop.link].ends.iter();
        let mut works = ends.filter_map(|node| self.nodes[*node].work);
        let HopControl::Credit(credit) = hop.control else { return false };
        credit.per_cell > 1 && works.any(|work| work.credit > Picos::ZERO)
    }

    /// Asserts that only hosts work, and no real ones.
    pub(super) fn assert_work_valid(&self) {
        for node in self.nodes.iter().filter(|node| node.work.is_some()) {
            assert_eq!(node.kind, NodeKind::Host, "{} is a host, so it may work", node.name);
            assert!(node.drain.is_none(), "{} takes packets at once or works", node.name);
        }
        for vc in &*self.vcs {
            let shared = vc.hops.iter().any(|hop| self.shares_software_credit(hop));
            assert!(!shared, "credits of VC {} are made one by one", vc.name);
        }
        let live = |spec: &&super::ConnectionSpec| matches!(spec.protocol, ProtocolSpec::Live(_));
        for spec in self.connections.iter().filter(live) {
            let ends = [spec.forward, spec.backward].map(|vc| &self.vcs[vc]);
            assert!(ends.iter().all(|vc| !self.works_for(vc)), "{} is of real hosts", spec.name);
        }
    }

    /// Whether the source of a VC has a processor.
    fn works_for(&self, vc: &VcSpec) -> bool {
        let source = vc.hops.first().map(HopSpec::direction_id);
        source.is_some_and(|id| self.nodes[self.from_node(id)].work.is_some())
    }
}
