//! The model of a port for the bounds: its flows, their sizes, and other uses of its time.

use hopflow_control::scheduler::{FlowShare, SchedulerSpec};
use hopflow_network::counters::DirectionCounters;
use hopflow_network::{
    Change, DirectionId, HopControl, HopSpec, NetworkSpec, RoundTrip, SizeLaw, Wire, port_flows,
};
use hopflow_record::{Hindrances, direction_names};
use hopflow_units::{Bytes, Rate};

use super::Reason;
use super::contract::{per_bit, per_bit_exactly};

/// One flow of a port. It is small, because a large network has millions.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    pub(super) vc: u32,
    /// Its hop; `None`: ACKs.
    pub(super) hop: Option<u32>,
    /// 0 is the most urgent.
    pub(super) class: u8,
    pub(super) size: &'a SizeLaw,
    /// The time of its largest packet here, in ps.
    pub(super) longest: f64,
    /// Its previous port; `None`: its source.
    pub(super) feed: Option<u32>,
    /// The control that may hold it back at the port, if any.
    pub(super) held: Option<&'static str>,
    /// Whether the scheduler deleted it as a known flow.
    pub(super) deleted: bool,
}

/// One sending port.
#[derive(Clone, Debug)]
pub(super) struct Port<'a> {
    /// Its link direction.
    pub(super) name: String,
    pub(super) rate: Rate,
    /// The overhead of every packet.
    pub(super) overhead: Bytes,
    pub(super) scheduler: SchedulerSpec,
    pub(super) members: Vec<Member<'a>>,
    /// The flows in the form of its scheduler; empty for round robin without classes.
    pub(super) shares: Vec<FlowShare>,
    /// The time of control cells in the whole run, in ps.
    pub(super) control: f64,
    /// Whether packets were pushed out of its queues.
    pub(super) pushed_out: bool,
    /// Whether flows ask it for their reservations, and release them.
    pub(super) is_asked: bool,
    /// The greatest time per bit of any packet, in ps.
    pub(super) per_bit: f64,
    /// The same without rounding; with rounding if packets have an overhead.
    pub(super) exact: f64,
    /// The reason why the port promises nothing.
    pub(super) shut: Option<Reason>,
}

impl Port<'_> {
    /// The time of the largest packet of all flows that `counts`, and of all but its own flow.
    pub(super) fn longest(&self, counts: impl Fn(&Member<'_>) -> bool) -> Longest {
        let mut longest = Longest { most: 0.0, of: usize::MAX, second: 0.0 };
        for (index, member) in self.members.iter().enumerate().filter(|(_, m)| counts(m)) {
            if member.longest > longest.most {
                longest.second = longest.most;
                (longest.most, longest.of) = (member.longest, index);
            } else {
                longest.second = longest.second.max(member.longest);
            }
        }
        longest
    }

    /// The time of the smallest packet of all flows that `counts`, in ps; infinite without one.
    pub(super) fn shortest(&self, counts: impl Fn(&Member<'_>) -> bool) -> f64 {
        let members = self.members.iter().filter(|member| counts(member));
        let times = members.map(|member| self.wire().transmit_time(member.size.least()).0 as f64);
        times.fold(f64::INFINITY, f64::min)
    }

    /// The rate and the overhead.
    pub(super) const fn wire(&self) -> Wire {
        Wire { rate: self.rate, overhead: self.overhead }
    }

    /// How long the port is busy at most after the last bit of a packet, in ps: 0 without overhead.
    pub(super) fn gap(&self) -> f64 {
        let gap = Bytes(self.overhead.0.min(Wire::GAP.0));
        Wire::from(self.rate).transmit_time(gap).0 as f64
    }

    /// The greatest time per bit of a packet of a flow, in ps.
    pub(super) fn per_bit_of(&self, member: &Member<'_>) -> f64 {
        per_bit(self.wire(), member.size)
    }

    /// The bits of any flow that take as long as a bit of this flow: 1, or less where the overhead
    /// of smaller packets takes more of the port.
    pub(super) fn weight_of(&self, member: &Member<'_>) -> f64 {
        if self.overhead == Bytes(0) { 1.0 } else { self.per_bit_of(member) / self.per_bit }
    }

    /// The bits of a flow's smallest packet, by [`Port::weight_of`].
    pub(super) fn least_of(&self, member: &Member<'_>) -> f64 {
        member.size.least().bits() as f64 * self.weight_of(member)
    }

    /// Whether any flow is held back at the port.
    pub(super) fn is_held(&self) -> bool {
        self.members.iter().any(|member| member.held.is_some())
    }
}

/// The two largest packets of a port, by their times in ps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Longest {
    pub(super) most: f64,
    of: usize,
    second: f64,
}

impl Longest {
    /// The largest of all flows but this one.
    pub(super) fn but(self, index: usize) -> f64 {
        if index == self.of { self.second } else { self.most }
    }
}

/// The ports of a network, by [`DirectionId`].
pub(super) fn ports<'a>(
    spec: &'a NetworkSpec,
    directions: &[DirectionCounters],
    hindrances: &Hindrances,
) -> Vec<Port<'a>> {
    let shares = port_flows(spec);
    let names = direction_names(spec);
    let mut asked = vec![false; spec.direction_count()];
    for hop in spec.vcs.iter().filter(|vc| vc.signalled).flat_map(|vc| &vc.hops) {
        asked[hop.direction_id().0] = true;
    }
    let mut ports: Vec<Port<'_>> = shares
        .into_iter()
        .zip(names)
        .enumerate()
        .map(|(index, (shares, name))| {
            let id = DirectionId(index);
            let direction = spec.direction(id);
            let control = directions[index].control_packets as f64;
            Port {
                name,
                rate: direction.rate,
                overhead: direction.overhead,
                scheduler: direction.scheduler.clone(),
                members: Vec::new(),
                shares,
                control: control * spec.cell_time(id).0 as f64,
                pushed_out: hindrances.pushed_out[index],
                is_asked: asked[index],
                per_bit: 0.0,
                exact: per_bit_exactly(direction.rate),
                shut: None,
            }
        })
        .collect();
    add_members(spec, hindrances, &mut ports);
    add_hindrances(spec, &mut ports);
    for port in &mut ports {
        let all = port.members.iter().map(|member| port.per_bit_of(member));
        port.per_bit = all.fold(port.exact, f64::max);
        if port.overhead > Bytes(0) {
            port.exact = port.per_bit;
        }
    }
    ports
}

/// In the order of [`port_flows`].
fn add_members<'a>(spec: &'a NetworkSpec, hindrances: &Hindrances, ports: &mut [Port<'a>]) {
    reserve_members(spec, ports);
    let small = |index: usize| u32::try_from(index).expect("a network has fewer than 2^32 VCs");
    for (vc, vc_spec) in spec.vcs.iter().enumerate() {
        let class = vc_spec.priority;
        for (index, hop) in vc_spec.hops.iter().enumerate() {
            let id = hop.direction_id();
            let size = &vc_spec.traffic.size;
            let longest = spec.transmit_time(id, size.most()).0 as f64;
            let feed = hop.parent.map(|parent| small(vc_spec.hops[parent].direction_id().0));
            let (hop, held) = (Some(small(index)), holder(spec, vc, index));
            let deleted = hindrances.deleted.contains(&(vc, index));
            let vc = small(vc);
            let member = Member { vc, hop, class, size, longest, feed, held, deleted };
            ports[id.0].members.push(member);
        }
        if vc_spec.has_way_back() {
            for hop in vc_spec.hops.iter().rev() {
                let id = hop.direction_id().reverse();
                let (size, longest) = (&SizeLaw::CELL, spec.cell_time(id).0 as f64);
                let (vc, hop, feed, held, deleted) = (small(vc), None, None, None, false);
                let member = Member { vc, hop, class, size, longest, feed, held, deleted };
                ports[id.0].members.push(member);
            }
        }
    }
}

/// Reserves exactly the memory for the flows of every port.
fn reserve_members(spec: &NetworkSpec, ports: &mut [Port<'_>]) {
    let mut counts = vec![0; ports.len()];
    for vc in &spec.vcs {
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            counts[id.0] += 1;
            counts[id.reverse().0] += usize::from(vc.has_way_back());
        }
    }
    for (port, count) in ports.iter_mut().zip(counts) {
        port.members.reserve_exact(count);
    }
}

/// The control that may hold a VC back on a hop.
fn holder(spec: &NetworkSpec, index: usize, hop: usize) -> Option<&'static str> {
    let vc = &spec.vcs[index];
    let lanes = spec.direction(vc.hops[hop].direction_id()).lanes;
    if lanes.is_some_and(|lanes| lanes.covers(vc.priority)) {
        Some("its lane")
    } else if vc.hops[hop].control != HopControl::None {
        Some("credit")
    } else if hop == 0 && vc.window.is_some() {
        Some("its window")
    } else if spec.is_paced(index, hop) {
        Some("its rate")
    } else {
        vc.multicast.run_ahead.is_some().then_some("its limit on running ahead")
    }
}

fn add_hindrances(spec: &NetworkSpec, ports: &mut [Port<'_>]) {
    for id in (0..spec.direction_count()).map(DirectionId) {
        if spec.direction(id).lanes.is_some() {
            let port = &mut ports[id.reverse().0];
            port.shut = Some(format!("frames of lanes take time of `{}`", port.name).into());
        }
    }
    let mut returns_credit = vec![None; ports.len()];
    for vc in &spec.vcs {
        for hop in vc.hops.iter().filter(|hop| hop.control != HopControl::None) {
            returns_credit[hop.direction_id().reverse().0] = Some(&vc.name);
        }
    }
    for (port, vc) in ports.iter_mut().zip(returns_credit) {
        if let Some(vc) = vc {
            port.shut = Some(format!("credits of `{vc}` take time of `{}`", port.name).into());
        }
    }
    for (link, link_spec) in spec.links.iter().enumerate() {
        for port in &mut ports[2 * link..2 * link + 2] {
            if link_spec.round_trip == RoundTrip::Measured && !port.members.is_empty() {
                let text = format!("`{}` is shut until its round trip is measured", port.name);
                port.shut = Some(text.into());
            }
        }
    }
    for event in &spec.events {
        if event.change == Change::Blocked(true) {
            let port = &mut ports[DirectionId::new(event.link, event.direction).0];
            port.shut = Some(format!("`{}` is shut for a time by an event", port.name).into());
        }
    }
}
