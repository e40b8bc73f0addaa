//! A network under construction: nodes, links alike in both directions, VCs over given links, all
//! with one kind of control.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{
    CreditScheme, CreditSpec, DirectionId, DirectionSpec, HopControl, HopSpec, LinkSpec,
    NetworkSpec, NodeKind, NodeSpec, RoundTrip, SizeLaw, SourceSpec, VcSpec,
};
use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

/// What every hop has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// N23 with N2 = 10 and N3 = one loop, rounded up; round robin at every port.
    N23,
    /// Nothing: FIFO at every port, no limit of any buffer.
    Fifo,
}

/// A network under construction.
pub(super) struct Plan {
    pub(super) spec: NetworkSpec,
    control: Control,
    /// Of every packet.
    size: Bytes,
}

impl Plan {
    pub(super) fn new(control: Control, size: Bytes) -> Plan {
        let spec = NetworkSpec {
            nodes: Vec::new(),
            links: Vec::new(),
            vcs: Vec::new(),
            connections: Vec::new(),
            events: Vec::new(),
            duration: Picos::ZERO,
            seed: 1,
        };
        Plan { spec, control, size }
    }

    pub(super) fn node(&mut self, kind: NodeKind) -> usize {
        let name = format!("n{}", self.spec.nodes.len());
        self.spec.nodes.push(NodeSpec::new(name, kind));
        self.spec.nodes.len() - 1
    }

    pub(super) fn link(&mut self, ends: [usize; 2], bps: u64, delay: Picos) -> usize {
        let rate = Rate::from_bps(bps).expect("a rate above zero");
        let scheduler = match self.control {
            Control::N23 => SchedulerSpec::RoundRobin,
            Control::Fifo => SchedulerSpec::Fifo,
        };
        let direction = DirectionSpec { scheduler, ..DirectionSpec::new(rate, delay) };
        let directions = [direction; 2];
        self.spec.links.push(LinkSpec { ends, directions, round_trip: RoundTrip::Loop });
        self.spec.links.len() - 1
    }

    /// A VC over these links, each given with the direction it is crossed in.
    pub(super) fn vc(
        &mut self,
        route: &[(usize, usize)],
        source: SourceSpec,
        stop: Option<SimTime>,
    ) {
        let hops = route.iter().enumerate().map(|(index, &(link, direction))| HopSpec {
            link,
            direction,
            parent: index.checked_sub(1),
            control: self.hop_control(link),
        });
        let name = format!("vc{}", self.spec.vcs.len());
        let mut vc = VcSpec { stop, ..VcSpec::new(name, hops.collect(), source) };
        vc.traffic.size = SizeLaw::Fixed(self.size);
        self.spec.vcs.push(vc);
    }

    /// The time of one packet on the first link.
    pub(super) fn packet_time(&self) -> Picos {
        self.spec.transmit_time(DirectionId(0), self.size)
    }

    fn hop_control(&self, link: usize) -> HopControl {
        if self.control == Control::Fifo {
            return HopControl::None;
        }
        let cell = self.spec.cell_time(DirectionId::new(link, 0));
        let n3 = self.spec.loop_time(link).0.div_ceil(cell.0);
        HopControl::Credit(CreditSpec {
            scheme: CreditScheme::N23,
            n2: Cells(10),
            n3: Cells(n3 as u32),
            request_after: None,
            redundant_every: None,
        })
    }
}

/// So many microseconds.
pub(super) fn micros(count: u64) -> Picos {
    Picos::from_micros(count).expect("a short span")
}
