//! One port of a node: the sending end of a link direction and the receiving end of the other.
//!
//! `port/send.rs` puts units on the wire.

pub(crate) mod send;

use std::collections::VecDeque;

use hopflow_kernel::{
    Bell, GrowingReader, GrowingWriter, OrderHash, RandomStream, RingReader, RingWriter, Sent,
};
use hopflow_units::{Picos, SimTime};

use super::carrier::Carriers;
use super::corruption::Corruption;
use super::lane::PortLanes;
use super::limits::most_packets;
use super::rated::PortRate;
use super::records::PortRecords;
use super::round_robin::RoundRobin;
use super::scheduled::Scheduled;
use super::sender::VcSender;
use super::shared_buffer::SharedBuffer;
use crate::embed::call::Message;
use crate::embed::lane::{Gates, Intakes};
use crate::embed::marker::PortMarker;
use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::CELL;
use hopflow_network::{DirectionId, NetworkSpec, QueueLengths, RoundTrip, Wire};

/// An entry of the control queue of a port. Indices are of the node that holds the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A credit of this receiver; its value is read as it starts.
    Credit(u32),
    /// A credit cell of this group of receivers, which share it.
    SharedCredits(u8),
    /// A request of this sender.
    Request(u32),
    /// A message to slow down, about the VC of this receiver.
    SlowDown(u32),
    /// A message about a reservation: of this sender, or of this receiver if it goes back.
    Message(Message, u32),
    /// A frame of this lane of the incoming direction.
    Lane(u16),
    /// The looping cell, on its way out.
    Loop,
    /// The looping cell of the other end, on its way back; it arrived at this instant, in ps.
    LoopReply(u64),
}

/// The transmission of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sending {
    Nothing,
    Control,
    /// A data, ACK or RM cell of this queue.
    Cell(u32),
    /// A forward RM cell that this circuit has created.
    Made(u32),
}

/// The looping cell that measures R at start-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopState {
    /// R is known.
    Done,
    /// Waiting to start.
    Due,
    /// On its way since this instant, in ps.
    Out(u64),
}

/// One port.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, read one by one")]
#[derive(Debug)]
pub(crate) struct Port {
    /// The present transmission; its end is in the node's completions.
    pub(crate) sending: Sending,
    pub(crate) touched: bool,
    /// Whether data cells of the port are blocked (`Change::Blocked`).
    pub(crate) blocked: bool,
    /// Whether it has a scheduler or records the lengths of its queue.
    is_watched: bool,
    pub(crate) measuring: LoopState,
    pub(crate) cell_time: u64,
    /// Delay + processing of the outgoing direction, in ps.
    beyond: u64,
    pub(crate) busy_until: u64,
    pub(crate) control: VecDeque<Control>,
    /// Replaces the lists, where the port has a scheduler.
    pub(crate) scheduled: Option<Box<Scheduled>>,
    /// Bit p: the list of priority p is not empty.
    listed: u8,
    lists: [RoundRobin; PRIORITIES],
    pub(crate) output: GrowingWriter,
    pub(crate) hash: OrderHash,
    /// Packets of VCs that need E, oldest first: when the last bit left in ps, circuit, units.
    history: VecDeque<(u64, u32, u32)>,
    pub(crate) round_trip: u64,
    pub(crate) corruption: Corruption,
    pub(crate) input: GrowingReader,
    /// Whether the input may contain unread units: it is among the node's open inputs.
    pub(crate) input_open: bool,
    /// The bell of the port at the other end, rung when a unit was sent.
    bell: Bell,
    /// The node at the other end.
    to: u32,
    /// The outgoing direction; the incoming one is its reverse.
    pub(crate) direction: u32,
    pub(crate) data_packets: u64,
    pub(crate) control_packets: u64,
    pub(crate) busy: Picos,
    pub(crate) queued: u32,
    pub(crate) queued_max: u32,
    /// The most packets it holds, where the node drops an arriving one or pushes one out.
    pub(crate) limit: u32,
    /// Lengths of the queue, where they are recorded.
    pub(crate) lengths: Option<Box<QueueLengths>>,
    pub(crate) marker: Option<Box<PortMarker>>,
    /// The shared buffer of VCs that arrive by this port.
    pub(crate) shared_buffer: Option<Box<SharedBuffer>>,
    /// Credit cells that VCs that arrive by this port share.
    pub(crate) carriers: Option<Box<Carriers>>,
    /// The algorithm of its rate control.
    pub(crate) rates: Option<Box<PortRate>>,
    /// Present where units can carry records over the link.
    pub(crate) records: Option<Box<PortRecords>>,
    wire: Wire,
    /// Two sizes and their transmit times, the last new one first: those of data and of ACKs.
    times: [(u32, u64); 2],
    /// Units read from the input: data and ACK cells, and all others.
    pub(crate) data_read: u64,
    pub(crate) control_read: u64,
    /// Value of the cell in transmission, for the trace.
    pub(crate) value: u32,
    /// Its size, kept where a port of the node has lanes, rate control or a marker, and of packets
    /// that are noted.
    pub(crate) bytes: u32,
    pub(crate) lanes: Option<Box<PortLanes>>,
    /// The due time of the first unit sent since the other end was last notified.
    first_due: u64,
}

/// The number of priorities: 0 (highest) to 7.
pub(crate) const PRIORITIES: usize = 8;

/// What a port has of others: the ends of its link, and what its VCs share.
pub(crate) struct Ends {
    pub(crate) output: GrowingWriter,
    pub(crate) input: GrowingReader,
    /// The bell of the port at the other end.
    pub(crate) bell: Bell,
    pub(crate) scheduled: Option<Box<Scheduled>>,
    pub(crate) shared_buffer: Option<Box<SharedBuffer>>,
    pub(crate) carriers: Option<Box<Carriers>>,
    pub(crate) rates: Option<Box<PortRate>>,
    pub(crate) records: Option<Box<PortRecords>>,
    pub(crate) lanes: Option<Box<PortLanes>>,
    /// Decides which units are corrupted.
    pub(crate) stream: RandomStream,
}

/// The parts from which an output is built.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) direction: u32,
    pub(crate) wire: Wire,
    pub(crate) beyond: u64,
    pub(crate) ring: RingWriter,
    /// The bell of the port at the other end, rung when a unit was sent.
    pub(crate) bell: Bell,
    /// The node at the other end.
    pub(crate) to: u32,
}

impl Port {
    /// The port that sends into `id`.
    pub(crate) fn new(spec: &NetworkSpec, id: DirectionId, ends: Ends) -> Port {
        let settings = spec.direction(id);
        let lengths: Option<Box<QueueLengths>> = settings.count_lengths.then(Box::default);
        let measures = spec.links[id.link()].round_trip == RoundTrip::Measured;
        let cell_time = spec.cell_time(id).0;
        Port {
            sending: Sending::Nothing,
            touched: false,
            blocked: false,
            is_watched: ends.scheduled.is_some() || lengths.is_some(),
            measuring: if measures { LoopState::Due } else { LoopState::Done },
            cell_time,
            beyond: settings.beyond().0,
            busy_until: 0,
            control: measures.then_some(Control::Loop).into_iter().collect(),
            scheduled: ends.scheduled,
            listed: 0,
            lists: [RoundRobin::EMPTY; PRIORITIES],
            output: ends.output,
            hash: OrderHash::default(),
            history: VecDeque::new(),
            round_trip: spec.round_trip(id.link()).0,
            corruption: Corruption {
                data: settings.corrupt_data,
                credits: settings.corrupt_credits,
                next_credits: Vec::new(),
                stream: ends.stream,
            },
            input: ends.input,
            input_open: false,
            bell: ends.bell,
            to: spec.to_node(id) as u32,
            direction: id.0 as u32,
            data_packets: 0,
            control_packets: 0,
            busy: Picos::ZERO,
            queued: 0,
            queued_max: 0,
            limit: most_packets(spec.port_limit(id)),
            lengths,
            marker: PortMarker::new(spec, id),
            shared_buffer: ends.shared_buffer,
            carriers: ends.carriers,
            rates: ends.rates,
            records: ends.records,
            wire: settings.wire(),
            times: [(CELL, cell_time); 2],
            data_read: 0,
            control_read: 0,
            value: 0,
            bytes: CELL,
            lanes: ends.lanes,
            first_due: NEVER,
        }
    }

    /// The parts that a FIFO-only node needs.
    pub(crate) fn into_ends(self) -> (RingReader, Out) {
        let Port { input, output, bell, to, direction, wire, beyond, .. } = self;
        let (input, ring) = (input.fixed(), output.fixed());
        (input, Out { direction, wire, beyond, ring, bell, to })
    }

    /// Whether data and ACK cells may start.
    pub(crate) fn is_open(&self) -> bool {
        !self.blocked && self.measuring == LoopState::Done
    }

    /// Whether it is idle and has nothing that could start, and neither a scheduler nor the lengths
    /// of its queue must be updated for an arriving cell.
    #[inline]
    pub(crate) fn is_still(&self) -> bool {
        self.sending == Sending::Nothing
            && self.listed == 0
            && self.control.is_empty()
            && !self.is_watched
            && self.is_open()
    }

    /// Whether a unit that it already has may start.
    #[inline]
    pub(crate) fn may_have_next(&self) -> bool {
        self.listed != 0 || self.is_watched || !self.control.is_empty()
    }

    /// Appends an eligible queue to the list of its priority, at a port without scheduler.
    #[inline]
    pub(crate) fn list_in_turn(&mut self, senders: &mut [VcSender], index: u32) {
        let priority = senders[index as usize].queue.priority;
        self.lists[priority as usize].append(senders, index);
        self.listed |= 1 << priority;
    }

    /// The queue that is served next, if one is listed.
    #[inline]
    pub(crate) fn first_listed(&self) -> Option<u32> {
        if self.listed == 0 {
            return None;
        }
        Some(self.lists[self.listed.trailing_zeros() as usize].first())
    }

    /// Removes the queue that is served next from its list: the first of the highest priority.
    #[inline]
    pub(crate) fn take_next(&mut self, senders: &mut [VcSender]) -> Option<u32> {
        if self.listed == 0 {
            return None;
        }
        let priority = self.listed.trailing_zeros() as usize;
        let list = &mut self.lists[priority];
        let next = list.take_first(senders);
        if list.is_empty() {
            self.listed &= !(1 << priority);
        }
        next
    }

    /// Notes a packet that starts now, and is on the wire already: its size, and what E needs.
    #[inline(never)]
    pub(crate) fn note_sent(&mut self, senders: &mut [VcSender], now: u64, index: u32, bytes: u32) {
        self.bytes = bytes;
        if !senders[index as usize].circuit.needs_in_flight {
            return;
        }
        if self.history.len() == self.history.capacity() {
            self.forget_starts(senders, now);
        }
        let VcSender { queue, circuit } = &mut senders[index as usize];
        let units = queue.control.units_of(bytes).0;
        circuit.in_flight += units;
        self.history.push_back((self.busy_until, index, units));
    }

    /// Removes from E the packets that started R or more before `now`, where R is that of a packet
    /// of their size: `round_trip` is that of a cell.
    pub(crate) fn forget_starts(&mut self, senders: &mut [VcSender], now: u64) {
        let until = now.saturating_add(self.cell_time);
        while let Some(&(end, index, units)) = self.history.front() {
            if end.saturating_add(self.round_trip) > until {
                break;
            }
            senders[index as usize].circuit.in_flight -= units;
            self.history.pop_front();
        }
    }

    /// Notifies the other end that units were sent, and reports when the first one arrives.
    #[inline]
    pub(crate) fn announce(&mut self, sent: &mut Sent) {
        self.bell.ring();
        sent.to(self.to, SimTime(std::mem::replace(&mut self.first_due, NEVER)));
    }

    /// Whether the other end was notified of all units.
    pub(crate) const fn is_announced(&self) -> bool {
        self.first_due == NEVER
    }

    /// Counts a packet at a port that is still, where others may wait for credit.
    #[inline]
    pub(crate) fn queue_at_still(&mut self) {
        debug_assert!(self.lengths.is_none());
        self.queued += 1;
        self.queued_max = self.queued_max.max(self.queued);
    }

    /// Counts a packet that joins the port.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(crate) fn queue_up(&mut self, now: u64) {
        if self.lengths.is_some() {
            self.note_length(now);
        }
        self.queued += 1;
        self.queued_max = self.queued_max.max(self.queued);
    }

    /// Counts a packet that has left the port, or was lost there.
    #[inline]
    pub(crate) fn queue_down(&mut self, now: u64) {
        if let Some(lengths) = &mut self.lengths {
            lengths.held(self.queued, SimTime(now));
        }
        self.queued -= 1;
    }

    #[inline(never)]
    fn note_length(&mut self, now: u64) {
        if let Some(lengths) = &mut self.lengths {
            lengths.held(self.queued, SimTime(now));
            lengths.arrived(self.queued + 1);
        }
    }

    /// The gates of the lanes of the outgoing direction, if it has some.
    pub(crate) fn gates(&self) -> Option<&Gates> {
        self.lanes.as_ref()?.gates.as_deref()
    }

    /// The intakes of the lanes of the incoming direction, if it has some.
    pub(crate) fn intakes(&self) -> Option<&Intakes> {
        self.lanes.as_ref()?.intakes.as_deref()
    }

    /// The same, mutable.
    pub(crate) fn intakes_mut(&mut self) -> Option<&mut Intakes> {
        self.lanes.as_mut()?.intakes.as_deref_mut()
    }

    /// The algorithm of a port that has flows.
    pub(crate) fn rates_mut(&mut self) -> &mut PortRate {
        self.rates.as_mut().expect("only algorithms have flows")
    }

    /// The records of a link that units with records cross.
    pub(crate) fn records_mut(&mut self) -> &mut PortRecords {
        self.records.as_mut().expect("records cross links that are made for them")
    }
}
