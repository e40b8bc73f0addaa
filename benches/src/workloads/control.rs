//! One kind of control for a whole network.
//!
//! * N23: on every hop of every VC, N2 = 10, N3 = one loop, rounded up, so that one VC can fill its
//!   links; round robin at every port.
//! * FIFO: no control, unlimited buffers.
//! * buffer: FIFO; ports of switches have room for 24 packets, and mark above 8; packets can be
//!   marked, and are admitted with jitter.
//! * PFC: FIFO, and every link is paused at 15 packets held and resumed at 12, like htsim's
//!   lossless queues; the room is XOFF plus headroom, so nothing may be lost.
//!   queues; the room is XOFF and the headroom, so nothing may be lost.
//! * VirtualClock: no control, unlimited buffers; each VC has reserved an equal share of its
//!   busiest link.
//! * ERICA+: every VC under ABR, the rule at every port of a switch; round robin.
//!
//! Checked by: `packets.rs`, `cells.rs`.

use hopflow_control::lane::{PauseSpec, Watching, headroom};
use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_control::rate::{AbrSpec, EricaPlusSpec, RateRule};
use hopflow_control::scheduler::{Reservation, SchedulerSpec, VirtualClockSpec};
use hopflow_network::{
    CreditScheme, CreditSpec, DirectionId, HopControl, Jitter, LaneRule, LanesSpec, NetworkSpec,
    NodeKind, PausedLanes, RateSpec, Segment,
};
use hopflow_units::{Bytes, CellRate, Cells, Picos, Rate};

/// The control of every hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    N23,
    Fifo,
    Buffer,
    Pfc,
    VirtualClock,
    EricaPlus,
}

impl Control {
    /// Puts this control on a network without control.
    pub(super) fn apply(self, spec: &mut NetworkSpec) {
        match self {
            Control::N23 => credit(spec),
            Control::Fifo => schedule(spec, &SchedulerSpec::Fifo),
            Control::Buffer => {
                schedule(spec, &SchedulerSpec::Fifo);
                limit(spec);
            }
            Control::Pfc => {
                schedule(spec, &SchedulerSpec::Fifo);
                pause(spec);
            }
            Control::VirtualClock => {
                let messages = false;
                let clock = VirtualClockSpec { messages, ..VirtualClockSpec::default() };
                schedule(spec, &SchedulerSpec::VirtualClock(clock));
                reserve(spec);
            }
            Control::EricaPlus => rates(spec),
        }
    }
}

fn schedule(spec: &mut NetworkSpec, scheduler: &SchedulerSpec) {
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    directions.for_each(|direction| direction.scheduler = scheduler.clone());
}

fn limit(spec: &mut NetworkSpec) {
    let (rule, moment) = (MarkingRule::Step(Length::Packets(8)), Moment::Arrival);
    for id in (0..spec.direction_count()).map(DirectionId) {
        if spec.nodes[spec.from_node(id)].kind == NodeKind::Switch {
            let direction = &mut spec.links[id.link()].directions[id.side()];
            direction.marking = Some(MarkingSpec { rule, moment });
            direction.buffer = Some(Cells(24).into());
        }
    }
    spec.vcs.iter_mut().for_each(|vc| vc.ecn_capable = true);
    spec.jitter = Jitter::Gap;
}

fn credit(spec: &mut NetworkSpec) {
    let n3 = |link: usize| {
        let cell = spec.cell_time(DirectionId::new(link, 0));
        Cells(spec.loop_time(link).0.div_ceil(cell.0) as u32)
    };
    let n3: Vec<Cells> = (0..spec.links.len()).map(n3).collect();
    for hop in spec.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
        hop.control = HopControl::Credit(CreditSpec {
            scheme: CreditScheme::N23,
            unit: Bytes::CELL,
            n1: Cells::ZERO,
            n2: Cells(10),
            n3: n3[hop.link],
            request_after: None,
            redundant_every: None,
            per_cell: 1,
            allow_small_buffer: false,
        });
    }
}

fn pause(spec: &mut NetworkSpec) {
    let size = spec.vcs[0].traffic.size.most();
    let (xoff, xon) = (Bytes(15 * size.0), Bytes(12 * size.0));
    let paused = PausedLanes::new(spec);
    let room = |id: usize| {
        let headroom = headroom(&paused.link(DirectionId(id), 0));
        Bytes(xoff.0 + headroom.expect("links of a usual speed").beyond_xoff.0)
    };
    let rooms: Vec<Bytes> = (0..spec.direction_count()).map(room).collect();
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    for (direction, room) in directions.zip(rooms) {
        let (quanta, watchdog, watching) = (u16::MAX, None, Watching::IDEAL);
        let room = Some(room);
        let rule = LaneRule::Pause(PauseSpec { xoff, xon, quanta, room, watchdog, watching });
        direction.lanes = Some(LanesSpec::new(1, rule));
    }
}

fn reserve(spec: &mut NetworkSpec) {
    let flows = flows(spec);
    for vc in 0..spec.vcs.len() {
        let share = |id: DirectionId| spec.direction(id).rate.bps() / flows[id.0];
        let share = spec.vcs[vc].hops.iter().map(|hop| share(hop.direction_id())).min();
        let rate = Rate::from_bps(share.expect("a VC has hops")).expect("flows are few enough");
        let vc = &mut spec.vcs[vc];
        vc.reservation = Some(Reservation {
            rate,
            interval: Picos(Picos::PER_SECOND),
            priority: Picos::ZERO,
            burst: Bytes(2 * vc.traffic.size.most().0),
        });
    }
}

fn rates(spec: &mut NetworkSpec) {
    for link in 0..spec.links.len() {
        for side in 0..2 {
            let from = spec.from_node(DirectionId::new(link, side));
            if spec.nodes[from].kind == NodeKind::Switch {
                let rule = Some(RateRule::EricaPlus(EricaPlusSpec::default()));
                let control = RateSpec { rule, segment: Segment::Through, backward_rm: None };
                spec.links[link].directions[side].rate_control = Some(control);
            }
        }
    }
    let rate = CellRate::from_rate(spec.links[0].directions[0].rate);
    spec.vcs.iter_mut().for_each(|vc| vc.rate = Some(AbrSpec::new(rate).into()));
}

/// For each link direction: the number of VCs that cross it.
pub(super) fn flows(spec: &NetworkSpec) -> Vec<u64> {
    let mut flows = vec![0; spec.direction_count()];
    for hop in spec.vcs.iter().flat_map(|vc| &vc.hops) {
        flows[hop.direction_id().0] += 1;
    }
    flows
}
