//! Packets that sources create: they join the queue of hop 0, whole packets as units one after the
//! other, or are lost at the policer or in a host that has no room.

use hopflow_units::{Bytes, SimTime};

use super::ReferenceEngine;
use super::job::Job;
use super::unit::{Cell, HopId};
use crate::embed::processor::Task;
use hopflow_network::TraceEvent;
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::transport::aal5::Frame;
use hopflow_network::transport::frames::Framing;
use hopflow_network::transport::{Packet, Payload};

impl ReferenceEngine {
    /// A source has created a packet, which waits for the processor, joins the queue of hop 0, or
    /// is lost at the policer or in a host that has no room.
    pub(super) fn make_timed(&mut self, first: HopId, made: Made) {
        let host = self.part(first).stations[0].node;
        if made.fate == Fate::Sent && self.works_on(host, Task::Send) {
            return self.ask_for_work(host, Task::Send, Job::Made(first, made));
        }
        self.make_now(first, made);
    }

    /// The same, once the host has worked on it.
    pub(super) fn make_now(&mut self, first: HopId, made: Made) {
        if self.vcs[first.vc].packets.is_some() {
            return self.make_born(first, made);
        }
        if made.fate == Fate::LeftOut {
            return;
        }
        let size = Bytes(u64::from(made.bytes));
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        let policed = made.fate == Fate::Discarded;
        vc.policed_packets += u64::from(policed);
        let direction = self.hop(first).direction;
        if policed || self.has_no_room(first, 0, size) {
            self.touch(first);
            self.hop_mut(first).counters.given_up_packets += u64::from(!policed);
            let held = self.held(first, 0);
            let cell = Cell::new(number, made.birth, size);
            self.cell_row(TraceEvent::Dropped, direction, first, &cell, held, 0);
        } else {
            let cell = Cell::new(number, made.birth, size);
            self.enter(first, 0, cell, TraceEvent::Born, direction);
        }
    }

    /// A greedy packet is created when it starts, and is never dropped.
    pub(super) fn make_greedy(&mut self, first: HopId) {
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        if Some(vc.created_packets) == self.spec.vcs[first.vc].traffic.packets {
            vc.is_on = false;
        }
        let cell = Cell::new(number, self.now, vc.greedy_size);
        let direction = self.hop(first).direction;
        self.enter(first, 0, cell, TraceEvent::Born, direction);
    }

    /// A source has created a packet of a VC of whole packets.
    fn make_born(&mut self, first: HopId, made: Made) {
        let packet = Packet::new(made.bytes, Payload::Plain);
        match made.fate {
            Fate::LeftOut => {}
            Fate::Sent => self.make_packet(first, packet, made.birth),
            Fate::Discarded => {
                let units = u64::from(self.packets(first.vc).framing.units(made.bytes).0);
                self.vcs[first.vc].created_packets += units;
                self.vcs[first.vc].policed_packets += units;
                self.drop_made(first);
            }
        }
    }

    fn drop_made(&mut self, first: HopId) {
        let number = self.number_of_next(first);
        self.touch(first);
        let held = self.held(first, 0);
        let direction = self.hop(first).direction;
        let cell = Cell::new(number, self.now, Bytes::CELL);
        self.cell_row(TraceEvent::Dropped, direction, first, &cell, held, 0);
    }

    /// A packet is cut into units; if not all of them find room, the packet is lost.
    pub(super) fn make_packet(&mut self, first: HopId, packet: Packet, birth: SimTime) {
        let (units, bytes) = self.packets(first.vc).framing.units(packet.bytes);
        self.vcs[first.vc].created_packets += u64::from(units);
        let size = Bytes(u64::from(bytes));
        if self.lacks_room(first, 0, size, units) {
            self.hop_mut(first).counters.given_up_packets += u64::from(units);
            return self.drop_made(first);
        }
        let number = self.number_of_next(first);
        let packets = self.packets(first.vc);
        packets.sent += 1;
        let is_framed = packets.framing != Framing::Whole;
        let frame = Frame { first: number, cells: units, birth, packet };
        packets.sinks.iter().for_each(|sink| sink.frames.push(frame));
        let direction = self.hop(first).direction;
        let last = number + u64::from(units) - 1;
        for number in number..=last {
            let is_last = is_framed && number == last;
            let cell = Cell { is_last, ..Cell::new(number, birth, size) };
            self.enter(first, 0, cell, TraceEvent::Born, direction);
        }
    }

    /// A packet of a greedy source joins the queue of its host, which always has room for it.
    pub(super) fn take_fed(&mut self, first: HopId, size: Bytes, birth: SimTime) {
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        vc.fed.as_mut().expect("a greedy source at a host that works").at_processor -= 1;
        let direction = self.hop(first).direction;
        self.enter(first, 0, Cell::new(number, birth, size), TraceEvent::Born, direction);
    }
}
