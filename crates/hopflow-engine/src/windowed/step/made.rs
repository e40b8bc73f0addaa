//! Packets that sources create: they join the queues of their senders, whole packets as units one
//! after the other, or are lost at the policer or in a host that has no room.

use hopflow_units::SimTime;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::source::Making;
use crate::windowed::wire::unit::{LAST, sequence};
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::transport::aal5::Frame;
use hopflow_network::transport::frames::Framing;
use hopflow_network::transport::{Packet, Payload};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// A source has created a packet.
    #[inline]
    pub(super) fn make_timed(&mut self, index: u32, made: Made, now: u64) {
        let source = &mut self.sources[index as usize];
        if source.packets.is_some() {
            return self.make_born(index, made, now);
        }
        source.created_packets += 1;
        let sender = source.sender;
        self.make_cell(index, sender, made, now);
    }

    /// A source has created a packet: it joins the queue, or is lost at the policer or in a host
    /// that has no room.
    fn make_cell(&mut self, source: u32, index: u32, made: Made, now: u64) {
        let full = self.has_no_room(index, made.bytes, now);
        let source = &mut self.sources[source as usize];
        let value = sequence(source.accepted_packets);
        let circuit = &mut self.senders[index as usize].circuit;
        let policed = made.fate == Fate::Discarded;
        if policed || full {
            source.policed_packets += u64::from(policed);
            if !policed {
                circuit.cold.get_or_insert_default().given_up_packets += 1;
            }
            self.trace_of(TraceEvent::Dropped, index, CellKind::Data, value, now);
            return;
        }
        source.accepted_packets += 1;
        let cell = Cell { value, bytes: made.bytes, birth: made.birth.0 };
        self.take_made(index, cell, cell.bytes, now);
    }

    /// A source has created a packet of a VC of whole packets.
    fn make_born(&mut self, source: u32, made: Made, now: u64) {
        let bytes = made.bytes;
        if made.fate == Fate::Discarded {
            return self.discard_packet(source, bytes, now);
        }
        let packet = Packet::new(bytes, Payload::Plain);
        self.make_packet(source, packet, made.birth, now);
    }

    /// The policer discards a packet.
    fn discard_packet(&mut self, source: u32, bytes: u32, now: u64) {
        let made = &mut self.sources[source as usize];
        let packets = made.packets.as_ref().expect("a VC of whole packets");
        let units = u64::from(packets.framing.units(bytes).0);
        made.created_packets += units;
        made.policed_packets += units;
        let (index, value) = (made.sender, sequence(made.accepted_packets));
        self.trace_of(TraceEvent::Dropped, index, CellKind::Data, value, now);
    }

    /// A packet is cut into units, which join the queue of their sender one after the other.
    /// Where there is no room for all of them, the packet is lost.
    pub(super) fn make_packet(&mut self, source: u32, packet: Packet, birth: SimTime, now: u64) {
        let made = &mut self.sources[source as usize];
        let index = made.sender;
        let packets = made.packets.as_mut().expect("a VC of whole packets");
        let (units, bytes) = packets.framing.units(packet.bytes);
        made.created_packets += u64::from(units);
        let first = made.accepted_packets;
        if self.lacks_room(index, units, bytes, now) {
            let cold = self.senders[index as usize].circuit.cold.get_or_insert_default();
            cold.given_up_packets += u64::from(units);
            self.trace_of(TraceEvent::Dropped, index, CellKind::Data, sequence(first), now);
            return;
        }
        let made = &mut self.sources[source as usize];
        made.accepted_packets += u64::from(units);
        let packets = made.packets.as_mut().expect("a VC of whole packets");
        packets.sent_frames += 1;
        let is_framed = packets.framing != Framing::Whole;
        let frame = Frame { first, cells: units, birth, packet };
        packets.frames.iter().for_each(|notes| notes.push(frame));
        let last = first + u64::from(units) - 1;
        for number in first..=last {
            let marked = if number == last && is_framed { bytes | LAST } else { bytes };
            let cell = Cell { value: sequence(number), bytes: marked, birth: birth.0 };
            self.take_made(index, cell, bytes, now);
        }
    }

    /// A packet of a greedy source joins the queue of its host, which always has room for it.
    pub(super) fn take_fed(&mut self, source: u32, bytes: u32, birth: u64, now: u64) {
        let made = &mut self.sources[source as usize];
        if let Making::Fed(fed) = &mut made.making {
            fed.at_processor -= 1;
        }
        let value = sequence(made.accepted_packets);
        made.created_packets += 1;
        made.accepted_packets += 1;
        let sender = made.sender;
        self.take_made(sender, Cell { value, bytes, birth }, bytes, now);
    }
}
