//! What an engine begins with: numbers of flows, carriers of credit, the first events.

use hopflow_units::SimTime;

use super::carrier::Carrier;
use super::unit::HopId;
use super::{Event, Owner, ReferenceEngine, Timer, TimerKind};
use crate::embed::credit::Carried;
use crate::embed::lane::LaneTimer;
use hopflow_network::{DirectionId, RoundTrip};

impl ReferenceEngine {
    /// Flows of a port: by VC, the forward part before the ACK part.
    pub(super) fn number_flows(&mut self) {
        for vc in 0..self.vcs.len() {
            for ack in [false, true] {
                let part =
                    if ack { self.vcs[vc].ack.as_ref() } else { Some(&self.vcs[vc].forward) };
                for hop in 0..part.map_or(0, |part| part.hops.len()) {
                    let id = HopId { vc, ack, hop };
                    let direction = self.hop(id).direction;
                    let flows = &mut self.port(direction).flows;
                    flows.push(id);
                    let flow = flows.len() as u32 - 1;
                    self.hop_mut(id).flow = flow;
                }
            }
        }
    }

    /// The first events, but for those of lanes.
    pub(super) fn schedule_first(&mut self) {
        self.schedule_shared_buffers();
        self.add_carriers();
        self.schedule_rates();
        for id in (0..self.ports.len()).map(DirectionId) {
            if self.spec.links[id.link()].round_trip == RoundTrip::Measured {
                self.events.push(SimTime::ZERO, Event::Measure(id));
            }
        }
        for (number, event) in self.spec.events.iter().enumerate() {
            self.events.push(event.at, Event::Change(number));
        }
        for (number, vc) in self.vcs.iter().enumerate() {
            let times = match &vc.call {
                Some(call) => vec![call.begins, call.stop],
                None if vc.greedy || vc.fed.is_some() => vec![vc.start, vc.stop],
                None => Vec::from_iter(vc.source.due()),
            };
            for time in times {
                self.events.push(time, Event::Source(number));
            }
            if vc.packets.as_ref().is_some_and(|packets| packets.host.is_some()) {
                self.events.push(SimTime::ZERO, Event::Endpoint(number));
            }
            for (hop, made) in vc.forward.hops.iter().enumerate() {
                if let Some(span) = made.control.and_then(|credit| credit.redundant_every) {
                    let id = HopId { vc: number, ack: false, hop };
                    let timer = Timer { owner: Owner::Receiver, id, kind: TimerKind::Redundant };
                    self.events.push(SimTime::ZERO.saturating_add(span), Event::Timer(timer));
                }
            }
        }
    }

    /// Adds the carriers of all directions.
    fn add_carriers(&mut self) {
        for (direction, groups) in Carried::groups(&self.spec) {
            let direction = DirectionId(direction);
            for (group, carried) in groups.iter().enumerate() {
                let hops = carried.members.iter().map(|&(vc, hop)| HopId { vc, ack: false, hop });
                let members: Vec<HopId> = hops.collect();
                for (number, id) in (0..).zip(&members) {
                    self.hop_mut(*id).carried = Some((group, number));
                }
                let (machine, per_cell) = (carried.carrier(), carried.per_cell as usize);
                let carrier = Carrier { machine, members, per_cell };
                self.port(direction.reverse()).carriers.groups.push(carrier);
            }
        }
    }

    /// The first timers of lanes.
    pub(super) fn schedule_lanes(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            let Some(intakes) = &self.ports[id.0].intakes else { continue };
            for (lane, at) in intakes.first_timers() {
                self.events.push(at, Event::Lane(id.reverse(), lane, LaneTimer::Renewal));
            }
        }
    }
}
