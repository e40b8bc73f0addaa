//! Leap Forward VirtualClock: VirtualClock with a clock that leaps, so that no flow is penalized
//! for using capacity that no other flow wanted.
//!
//! ```text
//! t advances by 1 / Phi in real time                                             (1)
//! S = max(t, F of the flow's packet before), for a flow with no packet that waits (2)
//!     or is being sent; else S = max(t - Lmax / Phi, F of the packet before)
//! F = S + L / phi                                                                (3)
//! a packet with F > t + a waits in the holding area, a = L_i / phi               (4)
//! serve the least F of the main area; of equal ones the older                    (5)
//! if only the holding area has packets: t := the least F - a there               (6)
//! end <= GRC + Lmax / C                                                          (7)
//! |W_f / phi_f - W_m / phi_m| <=                                                 (8)
//!     2 (L_f / phi_f + L_m / phi_m) + (2 Lmax - L_f - L_m) / Phi
//! ```
//! | symbol | meaning                                                       | unit          |
//! |--------|---------------------------------------------------------------|---------------|
//! | t      | the port's clock                                              | ps per weight |
//! | S, F   | start and finish tag of a packet                              | ps per weight |
//! | phi    | the flow's weight; Phi: the sum of all                        | 1             |
//! | L      | the packet's time on the link                                 | ps            |
//! | L_i    | that of the flow's largest packet; Lmax: of all flows         | ps            |
//! | GRC    | max(arrival, GRC of the flow's packet before) + L Phi / phi   | ps            |
//! | W      | what a flow sends in a span in which both flows have packets  | ps            |
//!
//! VirtualClock is the case without the limit a: nothing is deferred and t never leaps. There a
//! flow that used idle capacity has tags far ahead of t, and a flow that arrives then is served
//! alone until t has caught up. Here such a flow was deferred and t leapt after it, so its tags are
//! at most a ahead.
//!
//! The guarantees hold for flows that are not held back and a port that sends nothing else. Go back
//! from the end of a packet with F to the last instant at which a packet of a greater F started, t
//! leapt, or nothing waited. Everything sent since, except that one packet, has tags between t at
//! that instant and F: each packet in the holding area then had a start tag of F' - L / phi >= F' -
//! a >= t. That is at most Phi (F - t) of work, so the packet ends before t is F + Lmax / Phi.
//! Leaps only advance t relative to real time, hence (7). It also follows that t <= F + Lmax / Phi
//! while a packet waits: the floor in (2) for a flow with packets never applies, its tags follow
//! each other without a gap, and (8) follows from both limits on F - t. The floor is for flows that
//! link control holds back: they cannot save up more than that. Waiting packets keep their tags and
//! are served first.
//!
//! A packet that is pushed out returns its tag, as in `scfq.rs`.
//!
//! Source: [SVC97] for a clock that leaps so as not to lag too far behind the tags, known from its
//! abstract. Decided here: the holding area; a, the least with which (7) can be proven for packets
//! of any size; the floor in (2); and rates: each flow has its share of the whole link, so that
//! they add up to C, while the paper has reserved rates. Not modelled: coarsened tags, with which
//! the paper reaches O(log log n); here a packet costs O(log n). Checked by: orders by hand, (7)
//! and (8) on random mixes, in `leap_forward/tests.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, Void, Wait};
use super::machine::{Machine, Packets, Port};
use super::shares::{Length, Shares};
use super::staged::Staged;
use super::{Next, Notice};

/// The machine of Eqs. (1) to (6).
#[derive(Clone, Debug)]
pub struct LeapForward {
    /// Held until t is F - a, then ordered by F.
    packets: Staged,
    shares: Shares,
    /// For each flow: F of its last packet, and a.
    flows: Vec<Flow>,
    /// t at `at`.
    clock: u128,
    at: SimTime,
    /// Time up to `at` by which t has not yet advanced, in ps x scale; less than Phi.
    rest: u128,
    /// Phi.
    total: u128,
    /// Lmax / Phi.
    slack: u128,
    /// The flow in transmission, and when its packet ends.
    sending: (u32, SimTime),
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    finish: u128,
    ahead: u128,
}

impl LeapForward {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        voided_by: &[Void::Overhead, Void::HeldBack, Void::PushedOut, Void::ControlCells],
        also: &["lfvc"],
        ..Facts::new("leap-forward", "Leap Forward VirtualClock")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Weights(Wait::One)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> LeapForward {
        let Port { rate, flows, .. } = *port;
        let mut shares = Shares::new(Length::TimeAt(rate), flows);
        let mut total = 0;
        let mut most = 0;
        let mut limits = Vec::with_capacity(flows.len());
        for (number, flow) in (0_u32..).zip(flows) {
            let bytes = u32::try_from(flow.largest.0).expect("a packet has less than 2^32 bytes");
            let ahead = shares.span(number, bytes);
            limits.push(Flow { finish: 0, ahead });
            total += shares.phi(number);
            most = most.max(ahead * shares.phi(number));
        }
        let total = total.max(1); // a port without flows
        LeapForward {
            packets: Staged::new(port.flows.len(), port.finds_victims),
            shares,
            flows: limits,
            clock: 0,
            at: SimTime::ZERO,
            rest: 0,
            total,
            slack: most.div_ceil(total),
            sending: (0, SimTime::ZERO),
        }
    }

    /// Advances t to now, Eq. (1).
    fn advance(&mut self, now: SimTime) {
        let time = self.rest + u128::from(now.0 - self.at.0) * self.shares.scale();
        self.at = now;
        self.clock += time / self.total;
        self.rest = time % self.total;
    }
}

impl Machine for LeapForward {
    type Packets = Staged;

    fn packets(&mut self) -> &mut Staged {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        self.advance(now);
        let sending = self.sending.0 == flow && now < self.sending.1;
        let goes_on = sending || self.packets.count(flow) > 0;
        let floor = if goes_on { self.clock.saturating_sub(self.slack) } else { self.clock };
        let tags = &mut self.flows[flow as usize];
        let start = floor.max(tags.finish); // Eq. (2)
        // Eq. (3); the tag of years of backlog saturates.
        tags.finish = start.saturating_add(self.shares.span(flow, bytes));
        let begin = tags.finish.saturating_sub(tags.ahead); // Eq. (4)
        self.packets.arrive(flow, bytes, begin, tags.finish);
        None
    }

    fn next(&mut self, now: SimTime) -> Next {
        self.advance(now);
        self.packets.release(self.clock);
        if self.packets.first().is_none()
            && let Some((begin, _)) = self.packets.first_held()
        {
            self.clock = begin; // Eq. (6): not released, so later than t
            self.rest = 0;
            self.packets.release(begin);
        }
        self.packets.first().map_or(Next::Nothing, Next::Flow) // Eq. (5)
    }

    fn start(&mut self, flow: u32, _now: SimTime, end: SimTime) {
        self.packets.take_first(flow);
        self.sending = (flow, end);
    }

    /// The flow's last packet was removed: its tags end where that packet began.
    fn give_back(&mut self, flow: u32, bytes: u32, finish: u128) {
        self.flows[flow as usize].finish = finish - self.shares.span(flow, bytes);
    }
}

#[cfg(test)]
mod tests;
