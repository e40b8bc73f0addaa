//! Hosts that receive whole packets, and the endpoints of connections, which answer.

use hopflow_units::SimTime;

use crate::embed::processor::Task;
use crate::windowed::state::node::Node;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use crate::windowed::state::work::Job;
use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::Unit;
use hopflow_network::transport::Packet;
use hopflow_network::transport::aal5::Frame;
use hopflow_network::transport::host::Intent;

impl Node {
    /// Counts why an endpoint has had no packet in its queue, before it is called.
    fn settle_endpoint(&mut self, source: u32, now: u64) {
        let made = &mut self.sources[source as usize];
        let Making::Endpoint(end) = &mut made.making else { return };
        end.host.settle(SimTime(now), self.senders[made.sender as usize].no_cell(now));
    }

    /// The timer of an endpoint may expire.
    pub(super) fn fire_expire(&mut self, source: u32, now: u64) {
        self.settle_endpoint(source, now);
        let Making::Endpoint(end) = &mut self.sources[source as usize].making else { return };
        end.armed_for = NEVER;
        if end.host.timer().is_some_and(|at| at.0 <= now) {
            end.host.expire(SimTime(now));
            self.wake(source, now);
        }
        self.arm_endpoint(source, now);
    }

    /// An endpoint sends its packets, as far as there is room.
    pub(super) fn fire_transmit(&mut self, source: u32, now: u64) {
        self.settle_endpoint(source, now);
        let index = self.sources[source as usize].sender;
        self.senders[index as usize].circuit.wakes = false;
        loop {
            let made = &mut self.sources[source as usize];
            let Making::Endpoint(end) = &mut made.making else { return };
            match end.host.intent(SimTime(now)) {
                Intent::Nothing => break,
                Intent::At(at) => {
                    if std::mem::replace(&mut end.busy_until, at.0) != at.0 {
                        self.timers.set(at.0, Timer::Transmit(source));
                    }
                    break;
                }
                Intent::Send(bytes) => {
                    let framing = made.packets.as_ref().expect("a VC of whole packets").framing;
                    let fill = self.senders[index as usize].queue.fill();
                    let (units, each) = framing.units(bytes);
                    if u64::from(fill) + u64::from(units) > u64::from(self.limits.vc)
                        || self.lacks_memory_of_vc(index, each, units)
                    {
                        self.senders[index as usize].circuit.wakes = true;
                        break;
                    }
                    let Some(packet) = self.next_packet(source, now) else { return };
                    if self.processor.is_none() || !self.works_on(Task::Send) {
                        self.make_packet(source, packet, SimTime(now), now);
                        continue;
                    }
                    let end = self.ask_for_work(Task::Send, Job::Packet(source, packet, now), now);
                    self.hold_endpoint(source, end);
                }
            }
        }
        self.arm_endpoint(source, now);
    }

    /// The packet that an endpoint sends now.
    fn next_packet(&mut self, source: u32, now: u64) -> Option<Packet> {
        let Making::Endpoint(end) = &mut self.sources[source as usize].making else { return None };
        Some(end.host.send(SimTime(now)))
    }

    /// An endpoint sends no other packet before `end`, when the processor has done its last one.
    fn hold_endpoint(&mut self, source: u32, end: u64) {
        if let Making::Endpoint(endpoint) = &mut self.sources[source as usize].making {
            endpoint.host.hold_until(SimTime(end));
        }
    }

    /// Sets the timer of an endpoint, if it is due earlier than the one that is set.
    fn arm_endpoint(&mut self, source: u32, now: u64) {
        let Making::Endpoint(end) = &mut self.sources[source as usize].making else { return };
        let Some(at) = end.host.timer() else { return };
        let at = at.0.max(now);
        if at < end.armed_for {
            end.armed_for = at;
            self.timers.set(at, Timer::Expire(source));
        }
    }

    /// A unit of a VC of whole packets has arrived at its final host.
    pub(super) fn take_unit(&mut self, unit: &Unit, marked: bool, now: u64) {
        let leaf = self.receivers[unit.to as usize].leaf_mut();
        let sink = leaf.packets.as_mut().expect("a VC of whole packets");
        let Some(frame) = sink.take(unit.value, marked) else { return };
        if self.processor.is_none() || !self.works_on_whole(unit.to, frame, now) {
            self.take_packet(unit.to, frame, now);
        }
    }

    /// A packet is whole at its final host.
    pub(super) fn take_packet(&mut self, receiver: u32, frame: Frame, now: u64) {
        let leaf = self.receivers[receiver as usize].leaf_mut();
        let sink = leaf.packets.as_mut().expect("a VC of whole packets");
        sink.counters.record(&frame, SimTime(now));
        let Some(source) = sink.endpoint else { return };
        self.settle_endpoint(source, now);
        if let Making::Endpoint(end) = &mut self.sources[source as usize].making {
            end.host.arrive(frame.packet, SimTime(now));
        }
        self.wake(source, now);
        self.arm_endpoint(source, now);
    }
}
