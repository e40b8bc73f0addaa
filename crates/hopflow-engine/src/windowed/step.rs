//! One node, run alone for a window: merges arrivals with its own completions and timers, and
//! executes the phases of each instant (see docs/models/order.md).
//!
//! ```text
//! inputs (rings) --gather--> arrivals of the window, in order --+
//! completions of its ports, in order                           -+--> instant t: (0), (a) to (d)
//! timers and sources                                           -+
//!
//! complete.rs  (a) completions
//! arrive.rs    (b) arrivals
//! fire.rs      (c) timers, sources
//! start.rs     (d) starts
//! pass.rs      (b) to (d) at once, for a cell that nothing holds
//!
//! admit.rs     packets that wait at an input
//! switch.rs    packets that arrive at a switch
//! record_in.rs records of units that arrive
//! work.rs      what the processor of a host has done
//! hand_over.rs units at their final host
//! endpoint.rs  whole packets, endpoints
//! made.rs      packets that sources create
//! rm.rs        RM cells that arrive
//! call.rs      VCs that ask for their reservation
//!
//! join.rs      packets join queues
//! lane.rs      gates of lanes, frames of PFC and lane credits
//! give_up.rs   branches that hold a multicast VC
//! push_out.rs  packets that are pushed out of queues
//! free.rs      packets leave the node
//! record.rs    records at queues, such as the contents of RM cells
//!
//! carrier.rs   credit cells that VCs share
//! credit.rs    credits that fall due, shared buffers of adaptive credit
//! rate.rs      paced VCs, algorithms at ports
//! room.rs      whether there is room for a packet
//! scheduled.rs ports with a scheduler
//! wake.rs      sources that may go on
//! eligible.rs  queues that may start
//! intake.rs    the buffers behind lanes
//! memory.rs    limits in bytes
//! mark.rs      markers
//! processor.rs what waits for the processor of a host
//! idle.rs      ends of VCs created when first used
//! trace.rs     rows of the trace
//! ```
//! A file calls methods of files further down in this list, and of none further up: what has to
//! follow there is returned. `xtask/src/circles.rs` checks that none call each other in a circle.

mod admit;
mod arrive;
mod call;
mod carrier;
mod complete;
mod credit;
mod eligible;
mod endpoint;
mod fire;
mod free;
mod give_up;
mod hand_over;
mod idle;
mod intake;
mod join;
mod lane;
mod made;
mod mark;
mod memory;
mod pass;
mod processor;
mod push_out;
mod rate;
mod record;
mod record_in;
mod rm;
mod room;
mod scheduled;
mod start;
mod switch;
mod trace;
mod wake;
mod work;

use hopflow_control::admission::PortReservations;
use hopflow_kernel::{InFlight, Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::state::node::{Node, NodeEvent};
use super::state::receiver::Role;
use super::state::sender::VcSender;
use super::state::source::Making;
use super::wire::NEVER;
use super::wire::arrival::Arrival;
use super::wire::places::Places;
use super::wire::unit::{CELL, is_data_or_credit, size_of_last, whole_data};
use hopflow_network::Change;

impl Node {
    /// Copies the units that arrive before `end` from all inputs, in order of time, then of port.
    /// Returns the first known arrival after `end`.
    fn gather(&mut self, end: u64) -> u64 {
        self.arrivals.clear();
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        let (ports, open) = (&mut self.ports, &mut self.open_inputs);
        let before = open.len();
        self.inbox.take(0, ports.len(), |port| {
            if !std::mem::replace(&mut ports[port].input_open, true) {
                open.push(port as u32);
            }
        });
        if before > 0 && open.len() > before {
            open.sort_unstable();
        }
        let next =
            if open.len() <= FEW_OPEN { self.gather_few(end) } else { self.gather_many(end) };
        let first = self.arrivals.first().map_or(NEVER, |arrival| arrival.due);
        assert!(first >= ran_to, "a unit arrives in the past of its node");
        let Node { open_inputs, ports, .. } = self;
        open_inputs.retain(|index| ports[*index as usize].input_open);
        next
    }

    /// The same from few inputs: the units themselves are sorted.
    fn gather_few(&mut self, end: u64) -> u64 {
        let Node { ports, arrivals, open_inputs, .. } = self;
        let (mut next, mut inputs) = (NEVER, 0);
        for input in &*open_inputs {
            let before = arrivals.len();
            let port = &mut ports[*input as usize];
            let rest = port.input.take_until(end, |unit| take_in(arrivals, *input, unit));
            port.input_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
            inputs += u32::from(arrivals.len() > before);
        }
        if inputs > 1 {
            sort(arrivals);
        }
        next
    }

    /// The same from many inputs: the places of units are sorted first. Units of an input whose
    /// ring has grown are taken at once, and all units are sorted then.
    fn gather_many(&mut self, end: u64) -> u64 {
        let Node { ports, arrivals, open_inputs, .. } = self;
        let (mut places, mut next, mut has_grown) = (Places::of_thread(), NEVER, false);
        for input in &*open_inputs {
            let port = &mut ports[*input as usize];
            let rest = if let Ok((_, rest)) = places.note::<false>(*input, &mut port.input, end) {
                rest
            } else {
                has_grown = true;
                port.input.take_until(end, |unit| take_in(arrivals, *input, unit))
            };
            port.input_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
        }
        for place in places.in_order(end) {
            let unit = ports[place.input as usize].input.take_at(place.slot());
            take_in(arrivals, place.input, unit);
        }
        if has_grown {
            sort(arrivals);
        }
        places.give_back();
        next
    }

    /// Notifies the other ends of units sent in this window, and reports when the first one
    /// arrives.
    fn announce(&mut self, sent: &mut Sent) {
        for port in self.wrote.drain(..) {
            self.ports[port as usize].announce(sent);
        }
    }

    fn next_event(&self) -> u64 {
        self.events.get(self.next_event).map_or(NEVER, |event| event.at)
    }

    fn next_own(&self) -> u64 {
        self.completions.next().min(self.timers.next()).min(self.next_event())
    }

    /// Runs all instants before `end`. `TRACED`: trace rows are created. It is a constant, so that
    /// a cell that is not traced costs no check.
    fn run_instants<const TRACED: bool>(&mut self, end: u64) {
        let mut arrived = 0;
        loop {
            let arrival = self.arrivals.get(arrived).map_or(NEVER, |arrival| arrival.due);
            // Looping cells start at the first instant of the run.
            let now = if self.touched.is_empty() { arrival.min(self.next_own()) } else { 0 };
            if now >= end {
                break;
            }
            self.instant::<TRACED>(now, &mut arrived);
        }
        debug_assert_eq!(arrived, self.arrivals.len());
    }

    /// One instant, in its phases.
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[inline(always)]
    fn instant<const TRACED: bool>(&mut self, now: u64, arrived: &mut usize) {
        while self.next_event() == now {
            let event = self.events[self.next_event];
            self.next_event += 1;
            self.change(event);
        }
        while self.completions.next() == now
            && let Some(port) = self.completions.take()
        {
            self.complete::<TRACED>(port, now);
        }
        self.arrive_all::<TRACED>(now, arrived);
        while let Some(timer) = self.timers.take(now) {
            self.fire(timer, now);
        }
        self.start_all::<TRACED>(now);
    }

    /// (b). Cells of one instant may pass if no unit among them precedes data cells; with a trace,
    /// also no credit may be among them: rows contain the count before and after it.
    #[inline]
    fn arrive_all<const TRACED: bool>(&mut self, now: u64, arrived: &mut usize) {
        let first = *arrived;
        let mut may_pass = self.lets_pass;
        while let Some(arrival) = self.arrivals.get(*arrived)
            && arrival.due == now
        {
            may_pass &= if TRACED {
                whole_data(arrival.words).is_some()
            } else {
                is_data_or_credit(arrival.words)
            };
            *arrived += 1;
        }
        may_pass &= *arrived > first && self.timers.next() != now;
        let is_alone = *arrived - first == 1 && self.touched.is_empty();
        for place in first..*arrived {
            let arrival = self.arrivals[place];
            if !may_pass || !self.pass::<TRACED>(&arrival, is_alone) {
                let words = self.found(arrival.words);
                self.arrive::<TRACED>(Arrival { words, ..arrival });
            }
        }
    }

    /// (d): every idle port that was touched starts one unit. A start can touch ports again, by
    /// freeing cells that other branches had given up.
    fn start_all<const TRACED: bool>(&mut self, now: u64) {
        if !TRACED && self.touched.is_empty() {
            return;
        }
        let mut done = 0;
        while done < self.touched.len() {
            let round = done..self.touched.len();
            if round.len() > 1 {
                self.touched[round.clone()].sort_unstable();
            }
            for place in round.clone() {
                let port = self.touched[place];
                self.ports[port as usize].touched = false;
                if TRACED {
                    self.trace_passed(port);
                }
                self.start::<TRACED>(port, now);
            }
            if TRACED {
                self.trace_passed(u32::MAX);
            }
            done = round.end;
        }
        self.touched.clear();
        if TRACED {
            self.trace_passed(u32::MAX);
        }
    }

    /// Resets statistics that cannot be subtracted, see
    /// [`hopflow_network::Engine::restart_statistics`].
    pub(super) fn restart_statistics(&mut self, now: SimTime) {
        self.buffered_max = self.buffered;
        if let Some(memory) = &mut self.memory {
            memory.restart();
        }
        if let Some(calls) = &mut self.calls {
            calls.ports.iter_mut().flatten().for_each(PortReservations::restart);
        }
        if let Some(processor) = &mut self.processor {
            processor.restart();
        }
        for port in &mut self.ports {
            port.queued_max = port.queued;
            if let Some(lengths) = &mut port.lengths {
                lengths.restart(now);
            }
            if let Some(intakes) = port.intakes_mut() {
                intakes.restart_statistics();
            }
            if let Some(shared) = &mut port.shared_buffer {
                shared.machine.restart();
            }
        }
        self.senders.iter_mut().for_each(VcSender::restart);
        for receiver in &mut self.receivers {
            if let Role::Deliver(leaf) = &mut receiver.role {
                leaf.restart();
            }
        }
        for source in &mut self.sources {
            match &mut source.making {
                Making::Endpoint(end) => end.host.restart_statistics(),
                Making::Timed(source) => source.restart_statistics(),
                Making::Greedy { .. } | Making::Fed(_) => {}
            }
        }
    }

    fn change(&mut self, event: NodeEvent) {
        let port = &mut self.ports[event.port as usize];
        match event.change {
            Change::CorruptData(chance) => port.corruption.data = chance,
            Change::CorruptCredits(chance) => port.corruption.credits = chance,
            Change::CorruptNextCredits { count, vc } => {
                port.corruption.next_credits.push((vc.map(|vc| vc as u32), count));
            }
            Change::FalsifyNextCredits { count, error, of } => {
                self.false_credits.add(event.port, of, error, count);
            }
            Change::Blocked(blocked) => {
                port.blocked = blocked;
                self.touch(event.port);
            }
        }
    }
}

/// Up to this number of inputs units are sorted themselves, beyond it their places.
const FEW_OPEN: usize = 3;

/// Sorts by time, then by port. The arrivals of each port are sorted already, so a few are sorted
/// fastest by moving each back to its place.
fn sort(arrivals: &mut [Arrival]) {
    const FEW: usize = 32;
    let key = |arrival: &Arrival| (arrival.due, arrival.port);
    if arrivals.len() > FEW {
        // This algorithm detects sorted runs.
        arrivals.sort_by_key(key);
        return;
    }
    for place in 1..arrivals.len() {
        let mut at = place;
        while at > 0 && key(&arrivals[at - 1]) > key(&arrivals[at]) {
            arrivals.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Adds a unit that arrived by a port, or the size of the one before.
#[inline]
fn take_in(arrivals: &mut Vec<Arrival>, port: u32, unit: InFlight) {
    if let Some(size) = size_of_last(unit.words) {
        arrivals.last_mut().expect("a size follows its packet").bytes = size;
        return;
    }
    let InFlight { due, words } = unit;
    arrivals.push(Arrival { due, port, bytes: CELL, words });
}

impl WindowNode for Node {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        let next_arrival = self.gather(end.0);
        if self.tracer.is_some() {
            self.run_instants::<true>(end.0);
        } else {
            self.run_instants::<false>(end.0);
        }
        self.announce(sent);
        // Looping cells wait for the first instant of the run, should the window end before it.
        let own = if self.touched.is_empty() { next_arrival.min(self.next_own()) } else { 0 };
        Next { own: SimTime(own), units: self.arrivals.len() as u64 }
    }
}
