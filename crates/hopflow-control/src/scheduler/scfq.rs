//! Self-clocked fair queueing (SCFQ): the finish tag of the packet in service is the clock.
//!
//! ```text
//! F = max(F of the flow's packet before, V) + L / phi                            (1)
//! V = F of the packet that started last                                          (2)
//! serve the least F; of equal ones the older                                     (3)
//! end <= GRC + sum over the other flows of Lmax / C                              (4)
//! |W_f / phi_f - W_m / phi_m| <= Lmax_f / phi_f + Lmax_m / phi_m                 (5)
//! ```
//! | symbol | meaning                                                       | unit            |
//! |--------|---------------------------------------------------------------|-----------------|
//! | F      | finish tag of a packet                                        | bits per weight |
//! | V      | virtual time                                                  | bits per weight |
//! | phi    | the flow's weight; its rate is r = C phi / (sum of all phi)   | b/s, or 1       |
//! | L      | size of the packet                                            | bits            |
//! | GRC    | max(arrival, GRC of the flow's packet before) + L / r         | s               |
//! | C      | rate of the link                                              | b/s             |
//! | W      | what a flow sends in a span in which both flows have packets  | bits            |
//!
//! V never decreases: a flow that link control held back keeps its old tags and is served first,
//! but does not set the clock back. Bounds (4) and (5) are for flows that are not held back. In an
//! idle port V is the greatest tag, so setting all tags to zero there, as the paper does, would
//! change nothing.
//!
//! A packet that is pushed out returns its tag: the state of the flow is as if it had never
//! arrived. So does one that is given up with no packet of its flow behind it; otherwise those
//! behind keep their tags, at the expense of the flow. Tags are in fixed point, see `shares.rs`: a
//! flow falls behind by less than 2^-18 bits per packet, and not at all if the weights have a
//! common multiple.
//!
//! Source: [Gol94]; bound (4) follows from SCFQ being a guaranteed-rate server [GLV95]. Differs: V
//! keeps its value in an idle port. Not modelled: nothing. Checked by: orders by hand, (4) and (5)
//! on random mixes, in `scfq/tests.rs` and `fair_tests.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, InOrder, Void, Wait};
use super::machine::{Machine, Packets, Port};
use super::ranked::Ranked;
use super::shares::{Length, Shares};
use super::{Next, Notice};

/// The machine of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub struct Scfq {
    /// Ordered by F.
    packets: Ranked<u128>,
    shares: Shares,
    /// F of each flow's last packet.
    finish: Vec<u128>,
    /// V.
    clock: u128,
}

impl Scfq {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        in_order: InOrder::OneFlow,
        voided_by: &[Void::HeldBack],
        ..Facts::new("scfq", "SCFQ")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Weights(Wait::EachOther)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> Scfq {
        Scfq {
            packets: Ranked::new(port.flows.len(), port.finds_victims),
            shares: Shares::new(Length::Bits, port.flows),
            finish: vec![0; port.flows.len()],
            clock: 0,
        }
    }
}

impl Machine for Scfq {
    type Packets = Ranked<u128>;

    fn packets(&mut self) -> &mut Ranked<u128> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        let before = &mut self.finish[flow as usize];
        *before = self.clock.max(*before) + self.shares.span(flow, bytes); // Eq. (1)
        self.packets.arrive(flow, bytes, *before);
        None
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow)) // Eq. (3)
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        let (_, finish) = self.packets.take_first(flow);
        self.clock = self.clock.max(finish); // Eq. (2)
    }

    /// The flow's last packet was removed: its tags end where that packet began. V is at least its
    /// value when the packet arrived, so the next tag is the same as without the packet.
    fn give_back(&mut self, flow: u32, bytes: u32, finish: u128) {
        self.finish[flow as usize] = finish - self.shares.span(flow, bytes);
    }
}

#[cfg(test)]
mod tests;
