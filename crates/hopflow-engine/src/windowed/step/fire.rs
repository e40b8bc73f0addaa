//! (c) Timers, then sources.

use hopflow_units::SimTime;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::unit::sequence;
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// One timer fires.
    pub(super) fn fire(&mut self, timer: Timer, now: u64) {
        match timer {
            Timer::Admit => self.fire_admit(now),
            Timer::Work => self.fire_work(now),
            Timer::Lane(timer, index) => self.fire_lane(timer, index, now),
            Timer::SharedBuffer(index) => self.fire_shared_buffer(index, now),
            Timer::Rate(index) => self.fire_rates(index, now),
            Timer::Redundant(index) => self.fire_redundant(index, now),
            Timer::Eligible(index) => self.refresh(index, now),
            Timer::Request(index) => self.fire_request(index, now),
            Timer::GiveUp(index) => self.fire_give_up(index, now),
            Timer::Pace(index) => self.fire_pace(index, now),
            Timer::Expire(index) => self.fire_expire(index, now),
            Timer::Transmit(index) => self.fire_transmit(index, now),
            Timer::Call(index) => self.fire_call(index, now),
            Timer::Source(index) => self.fire_source(index, now),
            Timer::Port(index) => self.touch(index),
        }
    }

    fn fire_redundant(&mut self, index: u32, now: u64) {
        let Some(span) = self.receivers[index as usize].redundant_every() else { return };
        self.ask_for_credit(index, now);
        self.timers.set(now.saturating_add(span), Timer::Redundant(index));
    }

    fn fire_request(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let is_blocked = queue.is_blocked();
        let Some(cold) = &mut circuit.cold else { return };
        let Some(span) = cold.request_after else { return };
        if is_blocked && cold.request_from.saturating_add(span) == now {
            let port = queue.port;
            self.put_in_line(port, Control::Request(index));
            self.count_request_from(index, now);
        }
    }

    fn fire_source(&mut self, number: u32, now: u64) {
        let index = self.source_index(number);
        let source = &mut self.sources[index as usize];
        let sender = source.sender;
        match &mut source.making {
            Making::Greedy { start, stop, .. } => {
                // A source whose stop is not after its start never begins.
                let on = *start <= now && stop.is_none_or(|stop| now < stop);
                self.switch_greedy(sender, on, now);
            }
            Making::Timed(timed) => {
                // A message may have delayed the next packet since the timer was set.
                if timed.due() != Some(SimTime(now)) {
                    return;
                }
                if timed.follows_rate() {
                    timed.on_rate(self.senders[sender as usize].circuit.acr());
                }
                let made = timed.made();
                timed.advance();
                let next = timed.due();
                if let Some(next) = next {
                    self.timers.set(next.0, Timer::Source(number));
                }
                if made.fate == Fate::LeftOut {
                    return;
                }
                if self.processor.is_some() && self.asks_to_send(index, made, now) {
                    return;
                }
                self.make_timed(index, made, now);
            }
            Making::Fed(fed) => {
                fed.is_on = fed.start <= now && fed.stop.is_none_or(|stop| now < stop);
                self.feed(index, now);
            }
            Making::Endpoint(_) => {}
        }
    }

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

    fn switch_greedy(&mut self, index: u32, on: bool, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let was_on = queue.is_greedy();
        queue.set_greedy(circuit, on, now);
        let (port, flow) = (queue.port, circuit.flow);
        if on && !was_on {
            self.offer_greedy(index, now);
        } else if was_on
            && !on
            && let Some(scheduled) = &mut self.ports[port as usize].scheduled
        {
            scheduled.machine.drop_last(flow);
        }
        self.pace(index, now);
        self.refresh(index, now);
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

    /// A created unit of `bytes` bytes joins the queue of its sender.
    #[inline]
    pub(super) fn take_made(&mut self, index: u32, cell: Cell, bytes: u32, now: u64) {
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.arena.push(&mut self.senders[index as usize].queue.cells, cell);
        self.join(index, bytes, now);
        self.trace_of(TraceEvent::Born, index, CellKind::Data, cell.value, now);
        if self.limits.follows {
            self.follow_up(index, cell.bytes, now);
        }
    }
}
