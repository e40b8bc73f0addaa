//! Hosts that receive whole packets, and the endpoints of connections, which answer.

use std::collections::BTreeSet;

use hopflow_units::{Bytes, SimTime};

use super::job::Job;
use super::unit::{Cell, HopId, Place};
use super::{Event, ReferenceEngine};
use crate::embed::processor::Task;
use hopflow_network::transport::aal5::Frame;
use hopflow_network::transport::host::Intent;

impl ReferenceEngine {
    /// Counts why an endpoint has had no packet in its queue, before it is called.
    fn settle_endpoint(&mut self, vc: usize) {
        let (now, first) = (self.now, HopId { vc, ack: false, hop: 0 });
        let empty = self.hop(first).counted(now, self.fill(first)).no_cell;
        self.packets(vc).host.as_mut().expect("an endpoint").settle(now, empty);
    }

    /// Runs endpoints whose timer expires, then those that may have something to send, by VC.
    pub(super) fn run_endpoints(&mut self, node: usize) {
        loop {
            let here: Vec<usize> = self.endpoints_at(node);
            let now = self.now;
            let due = |vc: &&usize| self.timer_of(**vc).is_some_and(|at| at <= now);
            if let Some(&vc) = here.iter().find(due) {
                self.settle_endpoint(vc);
                let host = self.packets(vc).host.as_mut().expect("an endpoint");
                host.expire(now);
                self.woken.insert(vc);
                self.arm_endpoint(vc);
                continue;
            }
            let woken: BTreeSet<usize> = here.into_iter().collect();
            let Some(vc) = self.woken.iter().copied().find(|vc| woken.contains(vc)) else { break };
            self.woken.remove(&vc);
            self.transmit(vc);
        }
    }

    fn endpoints_at(&self, node: usize) -> Vec<usize> {
        let is_here = |vc: &usize| {
            let vc = &self.vcs[*vc];
            vc.forward.stations[0].node == node
                && vc.packets.as_ref().is_some_and(|packets| packets.host.is_some())
        };
        (0..self.vcs.len()).filter(is_here).collect()
    }

    fn timer_of(&self, vc: usize) -> Option<SimTime> {
        self.vcs[vc].packets.as_ref()?.host.as_ref()?.timer()
    }

    fn arm_endpoint(&mut self, vc: usize) {
        if let Some(at) = self.timer_of(vc).filter(|at| *at > self.now) {
            self.events.push(at, Event::Endpoint(vc));
        }
    }

    fn transmit(&mut self, vc: usize) {
        let (now, first) = (self.now, HopId { vc, ack: false, hop: 0 });
        let node = self.vcs[vc].forward.stations[0].node;
        let limit = self.spec.nodes[node].vc_buffer;
        self.packets(vc).waits = false;
        self.settle_endpoint(vc);
        loop {
            let packets = self.packets(vc);
            let host = packets.host.as_mut().expect("an endpoint");
            match host.intent(now) {
                Intent::Nothing => break,
                Intent::At(at) => {
                    self.events.push(at, Event::Endpoint(vc));
                    break;
                }
                Intent::Send(bytes) => {
                    let (units, each) = packets.framing.units(bytes);
                    let one = self.spec.nodes[node].load_of(Bytes(each.into()));
                    let more = one.times(units.into());
                    if self.lacks(Place::Station(first, 0), limit, more) {
                        self.packets(vc).waits = true;
                        break;
                    }
                    let host = self.packets(vc).host.as_mut().expect("an endpoint");
                    let packet = host.send(now);
                    if self.works_on(node, Task::Send) {
                        self.ask_for_work(node, Task::Send, Job::Packet(first, packet, now));
                        let end = self.works_until(node);
                        let host = self.packets(vc).host.as_mut().expect("an endpoint");
                        host.hold_until(end);
                    } else {
                        self.make_packet(first, packet, now);
                    }
                }
            }
        }
        self.arm_endpoint(vc);
    }

    /// A unit has arrived at a final host, and may complete a packet.
    pub(super) fn take_unit(&mut self, vc: usize, leaf: usize, cell: &Cell) {
        let Some(packets) = &mut self.vcs[vc].packets else { return };
        let sink = &mut packets.sinks[leaf];
        let reassembly = &mut sink.reassembly;
        let Some(frame) =
            sink.frames.with(|frames| reassembly.on_cell(cell.number, cell.congested, frames))
        else {
            return;
        };
        let last = self.spec.leaves(vc)[leaf];
        let host = self.spec.to_node(self.spec.vcs[vc].hops[last].direction_id());
        if self.spec.vcs[vc].framing.is_some() && self.works_on(host, Task::Whole) {
            self.ask_for_work(host, Task::Whole, Job::Whole(vc, leaf, frame));
        } else {
            self.take_packet(vc, leaf, &frame);
        }
    }

    /// A packet is whole at a final host.
    pub(super) fn take_packet(&mut self, vc: usize, leaf: usize, frame: &Frame) {
        let now = self.now;
        let packets = self.packets(vc);
        packets.sinks[leaf].counters.record(frame, now);
        let answers_on = packets.answers_on;
        if let Some(other) = answers_on {
            self.settle_endpoint(other);
            let host = self.packets(other).host.as_mut().expect("an endpoint");
            host.arrive(frame.packet, now);
            self.woken.insert(other);
            self.arm_endpoint(other);
        }
    }
}
