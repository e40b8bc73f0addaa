//! The time-aware shaper of time-sensitive networks: a list of gates that cyclically opens and
//! closes classes at fixed times.
//!
//! ```text
//! gate k is in force from offset + a_k to offset + a_k + d_k, and every T later  (1)
//! a packet may start at t  <=>  the gates of its class are open without a break
//!                               from t to t + (L + p) / C                        (2)
//! serve the most urgent class whose first packet may start;                      (3)
//!     inside it first in, first out
//! ```
//! | symbol | meaning                                          | unit       |
//! |--------|--------------------------------------------------|------------|
//! | d_k    | how long gate k is in force                      | ps         |
//! | a_k    | the sum of the d before it, 0 for the first      | ps         |
//! | T      | the cycle: the sum of all d                      | ps         |
//! | L, C   | the packet with its headers; rate of the port    | bits, b/s  |
//! | p      | the preamble: the overhead of the link but 12 B  | bits       |
//!
//! (2) is the guard band that depends on the length of the packet: no packet is on the link when
//! its gate closes. The gap between packets, the last 12 B of the overhead of a link, need not fit:
//! nothing is sent in it. The port stays busy in the gap, if need be past the end of an opening, so
//! another class may start late by it. Consecutive gates that both open a class are one opening,
//! also from one cycle to the next. A class whose first packet does not fit waits, with all packets
//! behind that one; less urgent classes do not. Before the offset the list runs as if it had always
//! been running.
//!
//! With an opening of length W in each cycle in which no more urgent class is open, a lone packet
//! ends at most T - W + 2 L / C after its arrival: in the worst case it just misses the last start
//! of the opening.
//!
//! When the buffer is full, the youngest packet of the least urgent class is pushed out.
//!
//! Source: [802.1Qbv], as described in public texts; the standard itself was not read. Differs:
//! nothing that is known. Not modelled: the change from one list to another, clocks that differ,
//! credit of a shaper behind a gate, preemption, and lists that end before their cycle. Checked by:
//! `time_aware/tests.rs`.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use hopflow_units::{Bytes, Picos, SimTime, Wire};

use super::Guarantee;
use super::classes::{Beside, Classes};
use super::facts::{Facts, Void};
use super::machine::{Machine, Port};
use super::{Next, Notice};

/// Which classes may send, and for how long. Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The span d. Not zero.
    pub span: Picos,
    /// Bit k: class k may send.
    pub open: u8,
}

/// The gates of a port, in the order of their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateList {
    /// When the first gate takes effect.
    pub offset: Picos,
    /// Not empty.
    pub gates: Arc<[Gate]>,
}

impl GateList {
    /// The longest cycle: sums of three fit 2^64 ps.
    pub const LONGEST: Picos = Picos(1 << 62);

    /// The cycle T. `None` when the sum of the spans is zero or above [`GateList::LONGEST`].
    pub fn cycle(&self) -> Option<Picos> {
        let sum = self.gates.iter().try_fold(0_u64, |sum, gate| sum.checked_add(gate.span.0));
        sum.filter(|sum| (1..=GateList::LONGEST.0).contains(sum)).map(Picos)
    }

    /// The openings of a class in a cycle, see [`GateList::spans`].
    pub fn openings(&self, class: u8) -> Vec<(Picos, Picos)> {
        self.spans(|open| open & 1_u8.checked_shl(class.into()).unwrap_or(0) != 0)
    }

    /// The spans of a cycle in which the open classes meet a condition: begin and end after the
    /// offset, in order. The last may end in the next cycle. A condition that is always met gives
    /// one span of a whole cycle.
    pub fn spans(&self, meets: impl Fn(u8) -> bool) -> Vec<(Picos, Picos)> {
        let mut openings: Vec<(Picos, Picos)> = Vec::new();
        let mut begin = Picos::ZERO;
        for gate in self.gates.iter() {
            let end = Picos(begin.0 + gate.span.0);
            if meets(gate.open) {
                match openings.last_mut().filter(|(_, last)| *last == begin) {
                    Some((_, last)) => *last = end,
                    None => openings.push((begin, end)),
                }
            }
            begin = end;
        }
        if openings.len() > 1 && openings[0].0 == Picos::ZERO {
            let first = openings[0].1;
            if let Some((_, last)) = openings.last_mut().filter(|(_, last)| *last == begin) {
                last.0 += first.0;
                openings.remove(0);
            }
        }
        openings
    }
}

/// The machine of Eqs. (2) and (3).
#[derive(Clone, Debug)]
pub struct TimeAware {
    /// With (L + p) / C of each packet.
    packets: Classes<Beside<Picos>>,
    wire: Wire,
    /// One per class.
    openings: Vec<Openings>,
}

/// When a class may send.
#[derive(Clone, Debug)]
struct Openings {
    cycle: u64,
    /// From the start of the run to the first start of a cycle, less than a cycle.
    offset: u64,
    /// Begin and end in the cycle, in order; the end of the last may lie in the next.
    list: Vec<(u64, u64)>,
}

impl Openings {
    fn new(gates: &GateList, class: u8) -> Openings {
        let cycle = gates.cycle().expect("a list of gates has a cycle").0;
        let list = gates.openings(class).into_iter().map(|(from, to)| (from.0, to.0)).collect();
        Openings { cycle, offset: gates.offset.0 % cycle, list }
    }

    /// The first instant from `now` on at which a packet of this length may start. Eq. (2). `None`
    /// if it fits no opening.
    fn first_start(&self, now: SimTime, length: Picos) -> Option<SimTime> {
        let is_always_open = self.list.first().is_some_and(|(from, to)| to - from >= self.cycle);
        if is_always_open {
            return Some(now);
        }
        // In the cycle that contains `now`, which began `phase` ago.
        let phase = (now.0 % self.cycle + self.cycle - self.offset) % self.cycle;
        let from_last = self.list.last().filter(|(_, to)| *to > self.cycle + phase);
        let from_last = from_last.map(|(_, to)| (0, to - self.cycle));
        let next = self.list.partition_point(|(_, to)| *to <= phase);
        let after = self.list.iter().map(|(from, to)| (from + self.cycle, to + self.cycle));
        let mut coming =
            from_last.into_iter().chain(self.list[next..].iter().copied()).chain(after);
        let fits = |(from, to): (u64, u64)| {
            let start = from.max(phase);
            (to - start >= length.0).then_some(SimTime(now.0.saturating_add(start - phase)))
        };
        coming.find_map(fits)
    }
}

impl TimeAware {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        has_gates: true,
        voided_by: &[Void::ControlCells],
        also: &["tas", "qbv", "802.1qbv", "time-aware-shaper"],
        ..Facts::new("time-aware", "a time-aware shaper")
    };

    pub(super) const fn guarantee(gates: GateList) -> Guarantee {
        Guarantee::Gates(gates)
    }

    /// An empty port with these gates.
    #[expect(clippy::needless_pass_by_value, reason = "the list of schedulers hands them over so")]
    pub(super) fn new(port: &Port<'_>, gates: GateList) -> TimeAware {
        let classes: BTreeSet<u8> = port.flows.iter().map(|flow| flow.class).collect();
        let openings = classes.into_iter().map(|class| Openings::new(&gates, class)).collect();
        TimeAware { packets: Classes::new(port), wire: port.wire(), openings }
    }
}

impl Machine for TimeAware {
    type Packets = Classes<Beside<Picos>>;

    fn packets(&mut self) -> &mut Classes<Beside<Picos>> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        let length = self.wire.last_bit(Bytes(bytes.into()));
        self.packets.arrive(flow, bytes, Beside(length));
        None
    }

    /// Eq. (3).
    fn next(&mut self, now: SimTime) -> Next {
        let mut soonest = None;
        for (class, openings) in (0..).zip(&self.openings) {
            let Some((Beside(length), flow)) = self.packets.first(class) else { continue };
            match openings.first_start(now, length) {
                Some(start) if start == now => return Next::Flow(flow),
                Some(start) => soonest = Some(soonest.map_or(start, |other| start.min(other))),
                None => {}
            }
        }
        soonest.map_or(Next::Nothing, Next::At)
    }
}
