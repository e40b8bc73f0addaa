//! (c) Timers, then sources.

use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use hopflow_network::traffic::Fate;

impl Node {
    /// One timer fires.
    pub(super) fn fire(&mut self, timer: Timer, now: u64) {
        match timer {
            Timer::Admit => self.fire_admit(now),
            Timer::Work => self.fire_work(now),
            Timer::Lane(timer, of) => self.fire_lane(timer, of, now),
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
}
