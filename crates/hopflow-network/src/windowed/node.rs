//! One node, run alone for a window: merges what arrives with what it has set itself, and goes
//! through the phases of each instant (see docs/models/order.md).
//!
//! ```text
//! inputs (rings) --gather--> arrivals of the window, in order --+
//! completions of its ports, in order                           -+--> instant t: (0), (a) to (d)
//! timers and sources                                           -+
//! ```

use hopflow_control::rate::RmCell;
use hopflow_kernel::{Bells, InFlight, Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::completions::Completions;
use super::idle::Idle;
use super::limits::Limits;
use super::places::Places;
use super::pool::CellPool;
use super::port::{Port, Sending};
use super::rated::BLANK;
use super::receiver::{Role, VcReceiver};
use super::sender::{NEVER, VcSender};
use super::source::{Making, VcSource};
use super::timers::Timers;
use super::tracer::Tracer;
use super::unit::{CELL, Unit, is_data_or_credit, plain_data, size_of_last};
use crate::Change;

/// A unit that arrives in the present window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) due: u64,
    pub(super) port: u32,
    /// Its size on the wire.
    pub(super) bytes: u32,
    pub(super) words: [u64; 2],
}

impl Arrival {
    /// What arrives. Rare cases unpack it again, so that it stays in registers on the way of a
    /// cell.
    #[inline]
    pub(super) fn unit(&self) -> Unit {
        Unit::unpack(self.words, self.bytes)
    }
}

/// A change on the timeline of one of this node's outgoing directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeEvent {
    pub(super) at: u64,
    pub(super) port: u32,
    pub(super) change: Change,
}

/// A host or a switch, with everything it changes.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) ports: Vec<Port>,
    pub(super) senders: Vec<VcSender>,
    pub(super) receivers: Vec<VcReceiver>,
    pub(super) sources: Vec<VcSource>,
    /// Where ends are made when first used.
    pub(super) idle: Option<Idle>,
    pub(super) pool: CellPool,
    pub(super) timers: Timers,
    pub(super) completions: Completions,
    pub(super) events: Vec<NodeEvent>,
    next_event: usize,
    arrivals: Vec<Arrival>,
    /// Everything before this instant has been run.
    ran_to: u64,
    /// Rung by the other ends of links: ports with something new.
    inbox: Bells,
    /// Ports whose input may hold unread units, in order.
    open_inputs: Vec<u32>,
    /// Ports that sent something in this window.
    pub(super) wrote: Vec<u32>,
    pub(super) touched: Vec<u32>,
    /// Whether cells may pass in one step: nothing but the VC and the port is asked.
    pub(super) lets_pass: bool,
    /// Cells held; a multicast cell counts once.
    pub(super) buffered: u32,
    pub(super) buffered_max: u32,
    pub(super) limits: Limits,
    pub(super) tracer: Option<Box<Tracer>>,
    /// What the RM cell carries that is just coming in or being made.
    pub(super) passing: RmCell,
}

/// What a node is made from.
pub(super) struct NodeParts {
    pub(super) ports: Vec<Port>,
    pub(super) senders: Vec<VcSender>,
    pub(super) receivers: Vec<VcReceiver>,
    pub(super) sources: Vec<VcSource>,
    pub(super) idle: Option<Idle>,
    pub(super) timers: Timers,
    pub(super) events: Vec<NodeEvent>,
    pub(super) limits: Limits,
    pub(super) tracer: Option<Box<Tracer>>,
    pub(super) inbox: Bells,
}

/// Whether cells may pass a node in one step: it asks nobody but the VC and the port about them,
/// and nobody who comes later goes first.
fn lets_pass(parts: &NodeParts) -> bool {
    let priority = parts.senders.first().map_or(0, |sender| sender.priority);
    let one_priority = match &parts.idle {
        None => parts.senders.iter().all(|sender| sender.priority == priority),
        Some(idle) => idle.has_one_priority(),
    };
    parts.limits.are_none() && one_priority
}

impl Node {
    pub(super) fn new(parts: NodeParts) -> Node {
        let lets_pass = lets_pass(&parts);
        let mut node = Node {
            touched: Vec::with_capacity(parts.ports.len()),
            ports: parts.ports,
            senders: parts.senders,
            receivers: parts.receivers,
            sources: parts.sources,
            idle: parts.idle,
            pool: CellPool::new(),
            timers: parts.timers,
            completions: Completions::new(),
            events: parts.events,
            next_event: 0,
            arrivals: Vec::new(),
            ran_to: 0,
            inbox: parts.inbox,
            open_inputs: Vec::new(),
            wrote: Vec::new(),
            lets_pass,
            buffered: 0,
            buffered_max: 0,
            limits: parts.limits,
            tracer: parts.tracer,
            passing: BLANK,
        };
        // Looping cells are in line before the first instant.
        for port in 0..node.ports.len() {
            if !node.ports[port].control.is_empty() {
                node.touch(port as u32);
            }
        }
        node
    }

    /// Marks an idle port that may have something to start in phase (d). A busy one is marked
    /// when it becomes idle.
    #[inline]
    pub(super) fn touch(&mut self, index: u32) {
        let port = &mut self.ports[index as usize];
        if !port.touched && port.sending == Sending::Nothing {
            port.touched = true;
            self.touched.push(index);
        }
    }

    /// Copies what arrives before `end` from all inputs, in order of time, then of port.
    /// Returns when the first unit after `end` that is known arrives.
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

    /// The same from few inputs: what comes is put in order itself.
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

    /// The same from many: where it is, is put in order first.
    fn gather_many(&mut self, end: u64) -> u64 {
        let Node { ports, arrivals, open_inputs, .. } = self;
        let (mut places, mut next) = (Places::of_thread(), NEVER);
        for input in &*open_inputs {
            let port = &mut ports[*input as usize];
            let (_, rest) = places.note(*input, &mut port.input, end);
            port.input_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
        }
        for place in places.in_order(end) {
            let unit = ports[place.input as usize].input.take_at(place.slot);
            take_in(arrivals, place.input, unit);
        }
        places.give_back();
        next
    }

    /// Tells the other ends that something was sent in this window, and when it arrives first.
    fn announce(&mut self, sent: &mut Sent) {
        for port in self.wrote.drain(..) {
            self.ports[port as usize].announce(sent);
        }
    }

    /// Takes note that a port is about to send something in this window.
    #[inline]
    pub(super) fn will_write(&mut self, port: u32) {
        if self.ports[port as usize].is_announced() {
            self.wrote.push(port);
        }
    }

    fn next_event(&self) -> u64 {
        self.events.get(self.next_event).map_or(NEVER, |event| event.at)
    }

    fn next_own(&self) -> u64 {
        self.completions.next().min(self.timers.next()).min(self.next_event())
    }

    /// Runs all instants before `end`. `TRACED`: rows of what happens are made; it is known here,
    /// so that what nobody traces asks for nothing on the way of a cell.
    fn run_instants<const TRACED: bool>(&mut self, end: u64) {
        let mut arrived = 0;
        loop {
            let arrival = self.arrivals.get(arrived).map_or(NEVER, |arrival| arrival.due);
            // Looping cells start at the very first instant.
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

    /// (b). What comes together may pass together if none of it goes before data cells; with a
    /// trace, also no credit: rows tell the count before and after it.
    #[inline]
    fn arrive_all<const TRACED: bool>(&mut self, now: u64, arrived: &mut usize) {
        let first = *arrived;
        let mut may_pass = self.lets_pass;
        while let Some(arrival) = self.arrivals.get(*arrived)
            && arrival.due == now
        {
            may_pass &= if TRACED {
                plain_data(arrival.words).is_some()
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

    /// Forgets what cannot be subtracted, see [`crate::Engine::restart_statistics`].
    pub(super) fn restart_statistics(&mut self, now: SimTime) {
        self.buffered_max = self.buffered;
        for port in &mut self.ports {
            port.queued_max = port.queued;
            if let Some(lengths) = &mut port.lengths {
                lengths.restart(now);
            }
            if let Some(intakes) = port.lanes.as_mut().and_then(|lanes| lanes.intakes.as_mut()) {
                intakes.restart_statistics();
            }
            if let Some(pool) = &mut port.pool {
                pool.restart();
            }
        }
        for sender in &mut self.senders {
            sender.fill_max = sender.fill;
        }
        for receiver in &mut self.receivers {
            if let Role::Deliver(leaf) = &mut receiver.role {
                leaf.restart();
            }
        }
        for source in &mut self.sources {
            if let Making::Endpoint(end) = &mut source.making {
                end.host.restart_statistics();
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
            Change::Blocked(blocked) => {
                port.blocked = blocked;
                self.touch(event.port);
            }
        }
    }
}

/// Units of so many inputs are put in order themselves, of more their instants.
const FEW_OPEN: usize = 3;

/// Sorts by time, then by port. The arrivals of each port are in order already, so a few are
/// sorted fastest by moving each back to its place.
fn sort(arrivals: &mut [Arrival]) {
    const FEW: usize = 32;
    let key = |arrival: &Arrival| (arrival.due, arrival.port);
    if arrivals.len() > FEW {
        // Finds out that it is made of sorted pieces.
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

/// Adds a unit that came in by a port, or the size of the one before.
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
        // Looping cells wait for the very first instant, should the window end before it.
        let own = if self.touched.is_empty() { next_arrival.min(self.next_own()) } else { 0 };
        Next { own: SimTime(own), units: self.arrivals.len() as u64 }
    }
}
