//! The credit-based shaper of time-sensitive networks: a class may send while its credit is not
//! negative.
//!
//! ```text
//! while the class sends:                        dc/dt = idle - C                 (1)
//! while it waits, or its credit is negative:    dc/dt = idle                     (2)
//! not sending, no packet is allowed to start:   c := min(c, 0)                   (3)
//! serve the most urgent class with c >= 0 and a packet that is allowed to start; (4)
//!     inside it first in, first out
//! ```
//! | symbol | meaning                                                          | unit |
//! |--------|------------------------------------------------------------------|------|
//! | c      | credit of the class, initially 0; exact, in b/s x ps             | bits |
//! | idle   | idle slope: the sum of r (L + o) / L of its flows here           | b/s  |
//! | r, L   | of a flow: its reserved rate, its largest packet                 | b/s, bytes |
//! | o      | overhead of the link                                             | bytes |
//! | C      | rate of the port                                                 | b/s  |
//!
//! A class pays for the overhead of its packets, as (1) lasts until the port is idle again. So its
//! slope counts it, as the bandwidth of a reservation in the standard does: packets of L get r,
//! shorter ones less.
//!
//! Let t0 be the arrival of the first packet of a busy period of the class. Before each start at t
//! the class has sent at most idle (t - t0) bits, and the most urgent class at least idle (t - t0 -
//! l / C), where l is the largest packet of the other classes: the latency is l / C. The port may
//! be idle while packets wait; it asks again when the first credit reaches 0, rounded up to a whole
//! picosecond. A class whose flows have no reservation has no shaper: it is a strict priority at
//! its place among the classes. So is a class whose reservations fill the port.
//!
//! A packet of a flow that link control holds back is not allowed to start: it gains no credit for
//! its class, and is passed over. A change without a time (`forbid`, a loss) can only leave the
//! class without a packet; then (3) gives the same credit whenever the change occurred since the
//! last call. So credits are exact although they are updated only at calls that pass the time. A
//! step checks each class once.
//!
//! When the buffer is full, the youngest packet of the least urgent class is pushed out.
//!
//! Source: [802.1Qav]. Differs: flows held back by link control; classes without reservation. Not
//! modelled: gates of a schedule, preemption. Checked by: `cbs/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::{Bytes, SimTime, wide};

use super::Guarantee;
use super::classes::Classes;
use super::facts::{Facts, Void};
use super::machine::{Machine, Packets, Port};
use super::{FlowShare, Next, Notice};

/// The part of a flow in the idle slope of its class, in b/s of the link, rounded up: its reserved
/// rate, and the overhead of its packets if all have the largest size. 0 without a reservation.
pub fn slope(flow: &FlowShare, overhead: Bytes) -> u64 {
    let Some(reservation) = flow.reservation else { return 0 };
    let largest = u128::from(flow.largest.0.max(1));
    let bits = u128::from(reservation.rate.bps()) * (largest + u128::from(overhead.0));
    u64::try_from(bits.div_ceil(largest)).unwrap_or(u64::MAX)
}

/// The machine of Eqs. (1) to (4).
#[derive(Clone, Debug)]
pub struct Cbs {
    packets: Classes<()>,
    /// One per class; `None`: no shaper.
    shapers: Vec<Option<Shaper>>,
}

/// The credit of a class.
#[derive(Clone, Copy, Debug)]
struct Shaper {
    /// The idle slope in b/s.
    idle: i128,
    /// C - idle in b/s.
    drain: i128,
    /// c at `since`, in b/s x ps.
    credit: i128,
    /// While the class sends: the end of its packet.
    since: SimTime,
}

impl Shaper {
    /// Updates the credit to `now`; `waits` has not changed since. Eqs. (2) and (3).
    fn advance(&mut self, now: SimTime, waits: bool) {
        if now < self.since {
            return;
        }
        self.credit += self.idle * i128::from(now.since(self.since).0);
        self.since = now;
        if !waits {
            self.credit = self.credit.min(0);
        }
    }

    /// Eq. (1), for the whole packet.
    fn send(&mut self, now: SimTime, end: SimTime) {
        self.credit -= self.drain * i128::from(end.since(now).0);
        self.since = end;
    }

    /// When the credit reaches 0; `since` is the present.
    fn zero(&self) -> SimTime {
        let span = wide::div_ceil(self.credit.min(0).unsigned_abs(), self.idle.unsigned_abs());
        let at = u128::from(self.since.0).saturating_add(span);
        u64::try_from(at).map_or(SimTime::NEVER, SimTime)
    }
}

impl Cbs {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        holds_to_rate: true,
        voided_by: &[Void::ControlCells],
        also: &["qav"],
        ..Facts::new("cbs", "CBS")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Credits
    }

    /// An empty port of these flows.
    pub(super) fn new(port: &Port<'_>) -> Cbs {
        let packets = Classes::new(port);
        let mut idle = vec![0; packets.len() as usize];
        for (number, flow) in (0_u32..).zip(port.flows) {
            idle[packets.class(number) as usize] += i128::from(slope(flow, port.overhead));
        }
        let shaper = |idle: i128| {
            let drain = i128::from(port.rate.bps()) - idle;
            let shaped = idle > 0 && drain > 0;
            shaped.then_some(Shaper { idle, drain, credit: 0, since: SimTime::ZERO })
        };
        Cbs { packets, shapers: idle.into_iter().map(shaper).collect() }
    }

    fn advance(&mut self, class: u32, now: SimTime) {
        let waits = self.packets.first(class).is_some();
        if let Some(shaper) = &mut self.shapers[class as usize] {
            shaper.advance(now, waits);
        }
    }
}

impl Machine for Cbs {
    type Packets = Classes<()>;

    fn packets(&mut self) -> &mut Classes<()> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        self.advance(self.packets.class(flow), now);
        self.packets.arrive(flow, bytes, ());
        None
    }

    fn permit(&mut self, flow: u32, now: SimTime) {
        self.advance(self.packets.class(flow), now);
        self.packets.permit(flow);
    }

    /// Eq. (4).
    fn next(&mut self, now: SimTime) -> Next {
        let mut soonest = None;
        for class in 0..self.packets.len() {
            self.advance(class, now);
            let Some(((), flow)) = self.packets.first(class) else { continue };
            match &self.shapers[class as usize] {
                Some(shaper) if shaper.credit < 0 => {
                    let zero = shaper.zero();
                    soonest = Some(soonest.map_or(zero, |other| zero.min(other)));
                }
                _ => return Next::Flow(flow),
            }
        }
        soonest.map_or(Next::Nothing, Next::At)
    }

    fn start(&mut self, flow: u32, now: SimTime, end: SimTime) {
        let class = self.packets.class(flow);
        self.advance(class, now);
        if let Some(shaper) = &mut self.shapers[class as usize] {
            assert!(shaper.credit >= 0, "a class without credit starts");
            shaper.send(now, end);
        }
        self.packets.take_first(flow);
    }
}
