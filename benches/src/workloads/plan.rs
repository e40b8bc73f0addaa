//! A network under construction: nodes, links with equal directions, VCs over given links, all with
//! packets of one size; finally one kind of control for all.

use hopflow_network::{
    DirectionId, DirectionSpec, HopControl, HopSpec, Jitter, LinkSpec, NetworkSpec, NodeKind,
    NodeSpec, RoundTrip, SizeLaw, SourceSpec, VcSpec,
};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// The rate of the tandem and of many flows.
pub(super) const OC3: u64 = 155_520_000;

/// A network under construction.
pub(super) struct Plan {
    pub(super) spec: NetworkSpec,
    /// The size of every packet.
    size: Bytes,
}

impl Plan {
    pub(super) fn new(size: Bytes) -> Plan {
        let spec = NetworkSpec {
            nodes: Vec::new().into(),
            links: Vec::new().into(),
            vcs: Vec::new().into(),
            connections: Vec::new().into(),
            events: Vec::new(),
            machines: Vec::new().into(),
            duration: Picos::ZERO,
            seed: 1,
            jitter: Jitter::Exact,
        };
        Plan { spec, size }
    }

    pub(super) fn host(&mut self, name: impl Into<String>) -> usize {
        self.node(name.into(), NodeKind::Host)
    }

    pub(super) fn switch(&mut self, name: impl Into<String>) -> usize {
        self.node(name.into(), NodeKind::Switch)
    }

    fn node(&mut self, name: String, kind: NodeKind) -> usize {
        self.spec.nodes.push(NodeSpec::new(name, kind));
        self.spec.nodes.len() - 1
    }

    pub(super) fn link(&mut self, ends: [usize; 2], bps: u64, delay: Picos) -> usize {
        let rate = Rate::from_bps(bps).expect("a rate above zero");
        let directions = [0; 2].map(|_| DirectionSpec::new(rate, delay));
        self.spec.links.push(LinkSpec { ends, directions, round_trip: RoundTrip::Loop });
        self.spec.links.len() - 1
    }

    /// A VC over these links, each given with the direction in which it is crossed.
    pub(super) fn vc(&mut self, route: &[(usize, usize)], source: SourceSpec) -> &mut VcSpec {
        let hops = route.iter().enumerate().map(|(index, &(link, direction))| HopSpec {
            link,
            direction,
            parent: index.checked_sub(1),
            control: HopControl::None,
        });
        let name = format!("vc{}", self.spec.vcs.len());
        let mut vc = VcSpec::new(name, hops.collect(), source);
        vc.traffic.size = SizeLaw::Fixed(self.size);
        self.spec.vcs.push(vc);
        self.spec.vcs.last_mut().expect("a VC was just added")
    }

    /// The time of this number of packets on the first link.
    pub(super) fn packets(&self, count: u64) -> SimTime {
        SimTime(count * self.spec.transmit_time(DirectionId(0), self.size).0)
    }
}

/// This number of microseconds.
pub(super) fn micros(count: u64) -> Picos {
    Picos::from_micros(count).expect("a short span")
}
