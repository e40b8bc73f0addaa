//! Start-time fair queueing (SFQ): the packet with the earliest start tag is served first.
//!
//! ```text
//! S = max(V, F of the flow's packet before),  F = S + L / phi                    (1)
//! V = S of the packet in service; in an idle port the greatest F served          (2)
//! serve the least S; of equal ones the older                                     (3)
//! end <= GRC - L / r + sum over the other flows of Lmax / C + L / C              (4)
//! |W_f / phi_f - W_m / phi_m| <= Lmax_f / phi_f + Lmax_m / phi_m                 (5)
//! ```
//! | symbol | meaning                                                       | unit            |
//! |--------|---------------------------------------------------------------|-----------------|
//! | S, F   | start and finish tag of a packet                              | bits per weight |
//! | V      | virtual time                                                  | bits per weight |
//! | phi    | the flow's weight; its rate is r = C phi / (sum of all phi)   | b/s, or 1       |
//! | L      | size of the packet                                            | bits            |
//! | GRC    | max(arrival, GRC of the flow's packet before) + L / r         | s               |
//! | C      | rate of the link                                              | b/s             |
//! | W      | what a flow sends in a span in which both flows have packets  | bits            |
//!
//! Unlike in SCFQ, a slow flow's packet need not wait for its own length at its own rate: GRC - L /
//! r is when it could begin. The port is idle when nothing is in transmission and nothing waits (a
//! packet of a flow that link control holds back waits, too). V never decreases. The remarks in
//! `scfq.rs` on flows held back, on packets pushed out or given up, and on rounding apply here
//! unchanged.
//!
//! Source: [GVC96]. Differs: nothing. Not modelled: links whose rate varies. Checked by: orders by
//! hand, (4) and (5) on random mixes, in `sfq/tests.rs` and `fair_tests.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, InOrder, Void, Wait};
use super::machine::{Machine, Packets, Port};
use super::ranked::Ranked;
use super::shares::{Length, Shares};
use super::{Next, Notice};

/// The machine of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub struct Sfq {
    /// Ordered by S.
    packets: Ranked<u128>,
    shares: Shares,
    /// F of each flow's last packet.
    finish: Vec<u128>,
    /// V, except in an idle port.
    clock: u128,
    /// The greatest F that was served.
    served: u128,
    /// When the packet in service ends.
    busy_until: SimTime,
}

impl Sfq {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        in_order: InOrder::OneFlow,
        voided_by: &[Void::HeldBack],
        ..Facts::new("sfq", "SFQ")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Weights(Wait::EachOtherFromStart)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> Sfq {
        Sfq {
            packets: Ranked::new(port.flows.len(), port.finds_victims),
            shares: Shares::new(Length::Bits, port.flows),
            finish: vec![0; port.flows.len()],
            clock: 0,
            served: 0,
            busy_until: SimTime::ZERO,
        }
    }
}

impl Machine for Sfq {
    type Packets = Ranked<u128>;

    fn packets(&mut self) -> &mut Ranked<u128> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        if self.packets.waiting() == 0 && now >= self.busy_until {
            self.clock = self.clock.max(self.served); // Eq. (2), idle
        }
        let before = &mut self.finish[flow as usize];
        let start = self.clock.max(*before);
        *before = start + self.shares.span(flow, bytes); // Eq. (1)
        self.packets.arrive(flow, bytes, start);
        None
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow)) // Eq. (3)
    }

    fn start(&mut self, flow: u32, _now: SimTime, end: SimTime) {
        let (bytes, start) = self.packets.take_first(flow);
        self.clock = self.clock.max(start); // Eq. (2)
        self.served = self.served.max(start + self.shares.span(flow, bytes));
        self.busy_until = end;
    }

    fn give_back(&mut self, flow: u32, _bytes: u32, start: u128) {
        self.finish[flow as usize] = start;
    }
}

#[cfg(test)]
mod tests;
