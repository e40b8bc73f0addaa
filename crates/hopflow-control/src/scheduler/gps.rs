//! Generalized processor sharing (GPS): the fluid system that WFQ and WF2Q follow. It serves all
//! backlogged flows at once, each at a rate in proportion to its weight.
//!
//! ```text
//! dV / dt = 1 / (sum of phi of the flows with F > V);  0 when there are none     (1)
//! S = max(V, F of the flow's packet before),  F = S + L / phi                    (2)
//! GPS begins a packet when V reaches its S, and ends it when V reaches its F     (3)
//! ```
//! | symbol | meaning                                                      | unit          |
//! |--------|--------------------------------------------------------------|---------------|
//! | t      | real time                                                    | ps            |
//! | V      | virtual time                                                 | ps per weight |
//! | S, F   | start and finish tag of a packet                             | ps per weight |
//! | phi    | the flow's weight, in lowest terms                           | 1             |
//! | L      | the packet's time on the link, rounded as the port does      | ps            |
//!
//! As L is a time, GPS has exactly as much work as the port, to the picosecond: both are busy at
//! the same time if the port sends whatever waits.
//!
//! A heap holds F of the last packet of every flow that is busy in GPS; V advances from one to the
//! next, in a step of O(log n) each. Textbooks set V and all F to zero when the system is idle;
//! here V then stays at the greatest F, which is equivalent.
//!
//! V and the tags are whole numbers of units (`shares.rs`: scale units are one ps per weight, and F
//! is rounded up). Real time that does not fill a unit of V is kept for the next step, never lost.
//! So the machine follows GPS exactly, except that every packet is longer by less than Phi / scale
//! ps (not at all if the weights have a common multiple) and every arrival is up to Phi / scale ps
//! early; Phi is the sum of all phi. That is less than 2^-18 ps while Phi is below 2^41 (2 Tb/s).
//! Only the rounding of F accumulates, once per packet.
//!
//! V stays below 2^123 in the longest run; a tag saturates at 2^128 - 1, which takes a backlog of
//! 2^68 ps (nine years) per weight.
//!
//! GPS serves all arrivals, whether or not link control lets them leave, as if nothing else used
//! the link. A packet that is pushed out is taken back, except for the part that GPS has served; so
//! is one that is given up with no packet of its flow behind it. Otherwise GPS serves a packet that
//! was given up as if it had been sent, at the expense of its flow.
//!
//! Source: [PG93], [DKS89]. Differs: see above. Checked by: V, begins and ends against a slow fluid
//! system (`fluid.rs`).

use hopflow_units::{Rate, SimTime};

use super::FlowShare;
use super::rank_heap::RankHeap;
use super::shares::{Length, Shares};

/// The tags of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tags {
    pub(super) start: u128,
    pub(super) finish: u128,
}

/// The fluid system of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub(super) struct Gps {
    shares: Shares,
    /// V at `at`.
    clock: u128,
    at: SimTime,
    /// Time up to `at` by which V has not yet advanced, in ps x scale; less than `busy`.
    rest: u128,
    /// The sum of phi of the flows with F > V.
    busy: u128,
    /// Those flows, by F of their last packet.
    ends: RankHeap<u128>,
    /// F of each flow's last packet.
    finish: Vec<u128>,
}

impl Gps {
    /// An empty system for a link of this rate.
    pub(super) fn new(rate: Rate, flows: &[FlowShare]) -> Gps {
        Gps {
            shares: Shares::new(Length::TimeAt(rate), flows),
            clock: 0,
            at: SimTime::ZERO,
            rest: 0,
            busy: 0,
            ends: RankHeap::new(flows.len()),
            finish: vec![0; flows.len()],
        }
    }

    /// V.
    pub(super) fn clock(&self) -> u128 {
        self.clock
    }

    /// Units in a picosecond per weight.
    #[cfg(test)]
    pub(super) fn scale(&self) -> u128 {
        self.shares.scale()
    }

    /// Advances V to now, Eq. (1). Many small steps give the same result as one long step.
    pub(super) fn advance(&mut self, now: SimTime) {
        let mut time = self.rest + u128::from(now.0 - self.at.0) * self.shares.scale();
        self.at = now;
        self.rest = 0;
        while let Some((finish, flow)) = self.ends.first() {
            // An overflow means more than there is: `time` is in range.
            let need = (finish - self.clock).checked_mul(self.busy);
            let Some(need) = need.filter(|need| *need <= time) else {
                self.clock += time / self.busy;
                self.rest = time % self.busy;
                return;
            };
            time -= need;
            self.clock = finish;
            self.ends.remove(flow);
            self.busy -= self.shares.phi(flow);
        }
    }

    /// A packet arrives, Eq. (2).
    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Tags {
        self.advance(now);
        let start = self.clock.max(self.finish[flow as usize]);
        let finish = start.saturating_add(self.shares.span(flow, bytes));
        self.set(flow, finish);
        Tags { start, finish }
    }

    /// The start tag of a packet from its finish tag.
    pub(super) fn start(&mut self, flow: u32, bytes: u32, finish: u128) -> u128 {
        finish - self.shares.span(flow, bytes)
    }

    /// The flow's last packet, with this finish tag, was removed. What V has reached of it stays
    /// served.
    pub(super) fn take_back(&mut self, flow: u32, bytes: u32, finish: u128) {
        // Otherwise a packet behind it was removed before, and V had passed this one by then.
        if finish > self.clock && self.finish[flow as usize] == finish {
            let start = self.start(flow, bytes, finish);
            self.set(flow, start.max(self.clock));
        }
    }

    /// Sets the end of the flow's tags to `finish`, not before V.
    fn set(&mut self, flow: u32, finish: u128) {
        self.finish[flow as usize] = finish;
        let was_busy = self.ends.contains(flow);
        if finish > self.clock {
            self.ends.set(flow, finish);
            if !was_busy {
                self.busy += self.shares.phi(flow);
            }
        } else if was_busy {
            self.ends.remove(flow);
            self.busy -= self.shares.phi(flow);
        }
    }
}

#[cfg(test)]
mod tests;
