//! The assumptions of the engines. The scenario check has already reported every such mistake of a
//! user as an error; a failure here is a bug in the caller.

use hopflow_control::credit::CreditCarrier;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::Bytes;

use super::{
    Change, CreditSpec, DirectionId, Discard, FALSE_MOST, HopControl, HopSpec, NetworkSpec,
    NodeKind, ProtocolSpec, SizeLaw, VcSpec,
};
use crate::transport::live::{Given, Outside};

impl NetworkSpec {
    /// Asserts the assumptions of the engines. The scenario check has already reported every such
    /// mistake of a user as an error; a failure here is a bug in the caller.
    pub fn assert_valid(&self) {
        for link in &self.links {
            assert_ne!(link.ends[0], link.ends[1], "a link joins two different nodes");
        }
        for vc in &self.vcs {
            assert!(!vc.hops.is_empty(), "VC {} crosses at least one link", vc.name);
            assert!(vc.hops[0].parent.is_none(), "hop 0 of VC {} leaves its source", vc.name);
            for (index, hop) in vc.hops.iter().enumerate().skip(1) {
                let parent = hop.parent.expect("only hop 0 has no parent");
                assert!(parent < index, "parents come before children in VC {}", vc.name);
                let joint = self.to_node(vc.hops[parent].direction_id());
                assert_eq!(joint, self.from_node(hop.direction_id()), "hops of {} join", vc.name);
                assert_eq!(self.nodes[joint].kind, NodeKind::Switch, "only switches forward");
            }
            if vc.window.is_some() {
                assert!(vc.hops.iter().skip(1).enumerate().all(|(i, h)| h.parent == Some(i)));
            }
            let is_path = vc.hops.iter().skip(1).enumerate().all(|(i, hop)| hop.parent == Some(i));
            assert!(is_path || !vc.ecn_capable, "VC {} bears marks to one host", vc.name);
            self.assert_traffic_valid(vc);
            let is_plain =
                vc.reservation.is_some() && vc.rate.is_none() && !vc.source.is_endpoint();
            assert!(!vc.signalled || is_path && is_plain, "VC {} can ask", vc.name);
        }
        for direction in (0..self.direction_count()).map(DirectionId) {
            let node = &self.nodes[self.from_node(direction)];
            let scheduled = self.direction(direction).scheduler != SchedulerSpec::RoundRobin;
            assert!(node.discard == Discard::Arriving || scheduled, "{} can choose", node.name);
            let marks = self.direction(direction).marking.is_some();
            let may_mark = node.kind == NodeKind::Switch && node.drain.is_none();
            assert!(may_mark || !marks, "{} is a switch, so it may mark", node.name);
            if let Some(place) = self.direction(direction).scheduler.external() {
                assert_eq!(node.discard, Discard::Arriving, "{} has external machines", node.name);
                let machine = self.machines.get(usize::from(place));
                assert!(machine.is_some(), "the machine of {} is there", node.name);
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let has_threshold = self.dynamic_threshold(index).is_some();
            let is_kept = node.discard == Discard::Arriving && node.drain.is_none();
            let has_room = is_kept && has_threshold && node.kind == NodeKind::Switch;
            let is_plain = node.alpha.is_none() && node.reserve.is_none();
            assert!(is_plain || has_room, "{} has thresholds of its memory in bytes", node.name);
        }
        self.assert_lanes_valid();
        self.assert_shared_buffers_valid();
        self.assert_rates_valid();
        self.assert_work_valid();
        self.assert_connections_valid();
        assert!(self.events.is_sorted_by_key(|e| e.at), "events are sorted by time");
        for event in &self.events {
            if let Change::FalsifyNextCredits { error, .. } = event.change {
                let is_wrong = (1..=FALSE_MOST).contains(&error.unsigned_abs());
                assert!(is_wrong, "a false credit is wrong by 1 to {FALSE_MOST}, not by {error}");
            }
        }
    }

    /// Each has two VCs of its own, one in each direction between the same two hosts.
    fn assert_connections_valid(&self) {
        let mut used = vec![false; self.vcs.len()];
        for spec in &self.connections {
            let name = &spec.name;
            let [there, back] = [spec.forward, spec.backward].map(|vc| {
                assert!(!std::mem::replace(&mut used[vc], true), "VCs of {name} are its own");
                assert_endpoint_valid(&self.vcs[vc]);
                let ids: Vec<DirectionId> =
                    self.vcs[vc].hops.iter().map(HopSpec::direction_id).collect();
                (self.from_node(ids[0]), self.to_node(ids[ids.len() - 1]))
            });
            assert_eq!(there, (back.1, back.0), "VCs of {name} join the same hosts");
            if let ProtocolSpec::Tcp(tcp) = &spec.protocol {
                assert_eq!(tcp.validate(), Ok(()), "TCP of {name}");
            }
            if let ProtocolSpec::Live(live) = &spec.protocol {
                let fits = |given: &Given| (1..=live.mtu).contains(&given.bytes);
                let recorded = live.ends.iter().filter_map(Outside::recorded).flatten();
                assert!(recorded.into_iter().all(fits), "packets of {name} have 1 B to its MTU");
            }
        }
        for (vc, used) in self.vcs.iter().zip(used) {
            let is_endpoint = vc.source.is_endpoint();
            assert_eq!(is_endpoint, used, "an endpoint is one of a connection: VC {}", vc.name);
        }
    }

    fn assert_traffic_valid(&self, vc: &VcSpec) {
        let size = &vc.traffic.size;
        let sizes = Bytes(1)..=SizeLaw::LARGEST;
        assert!(sizes.contains(&size.least()) && sizes.contains(&size.most()), "{}", vc.name);
        assert!(size.least() <= size.most() && vc.weight >= 1, "{}", vc.name);
        for hop in &vc.hops {
            if let HopControl::Credit(credit) = hop.control {
                assert_credit_valid(&vc.name, &credit, size);
            }
        }
        assert!(vc.traffic.packets != Some(0), "VC {} has a packet", vc.name);
        if vc.source.facts().follows_rate {
            let traffic = &vc.traffic;
            assert!(vc.rate.is_some() && vc.framing.is_none(), "VC {} has a rate", vc.name);
            let is_free = traffic.envelope.is_none() && traffic.policing.is_none();
            assert!(is_free && !traffic.obeys, "only its rate holds the coder of VC {}", vc.name);
        }
        let mut children = vec![0; vc.hops.len()];
        vc.hops.iter().filter_map(|hop| hop.parent).for_each(|parent| children[parent] += 1);
        for (index, hop) in vc.hops.iter().enumerate() {
            let node = self.from_node(hop.direction_id());
            let branches = hop.parent.is_some_and(|parent| children[parent] > 1);
            let plain = !branches || self.nodes[node].discard == Discard::Arriving;
            assert!(plain, "packets of multicast VC {} cannot be pushed out", vc.name);
            let held = vc.source.is_greedy() || vc.window.is_some();
            let kept = index > 0 || !held || self.nodes[node].discard == Discard::Arriving;
            assert!(kept, "packets of VC {} cannot be pushed out at its host", vc.name);
        }
    }
}

/// A packet of a VC is never larger than what its credit promises.
fn assert_credit_valid(name: &str, credit: &CreditSpec, size: &SizeLaw) {
    let CreditSpec { per_cell, scheme, n1, .. } = *credit;
    let (facts, units) = (scheme.facts(), credit.packet_units(size.most()));
    let is_alone = per_cell == 1 || !facts.grant.is_passed_on() && units.are_packets();
    let fits = (1..=CreditCarrier::MOST).contains(&per_cell);
    assert!(fits && is_alone, "VC {name} has {per_cell} credits in a cell");
    if units.are_packets() {
        return;
    }
    assert!(scheme.external().is_none(), "{} counts packets of one unit: VC {name}", facts.name);
    let fits = facts.shares_buffer() || units.largest() <= credit.initial_credit();
    assert!(fits, "a packet of VC {name} fits N2 + N3");
    assert!(facts.n1.is_none() || units.largest() <= n1, "a packet of VC {name} fits N1");
}

/// An endpoint decides itself when it sends, to one other endpoint.
fn assert_endpoint_valid(vc: &VcSpec) {
    let name = &vc.name;
    let path = vc.hops.iter().enumerate();
    let is_path = path.skip(1).all(|(index, hop)| hop.parent == Some(index - 1));
    assert!(is_path, "VC {name} of a connection has one final host");
    assert!(vc.window.is_none(), "VC {name} of a connection has no window");
    let traffic = &vc.traffic;
    let is_bare = traffic.envelope.is_none() && traffic.policing.is_none() && !traffic.obeys;
    assert!(traffic.packets.is_none(), "VC {name} ends as its protocol says");
    assert!(is_bare, "nothing holds the endpoint of VC {name}");
}
