//! Weighted fair queueing (WFQ), which is packet-by-packet generalized processor sharing (PGPS):
//! the packet that would end first in the fluid system is served first.
//!
//! ```text
//! F = finish tag of the packet in GPS                                            (1)
//! serve the least F; of equal ones the older                                     (2)
//! end <= end in GPS + Lmax / C                                                   (3)
//! ```
//! GPS, its virtual time and the unit of F are in `gps.rs`: exact, O(log n) a packet. C is the rate
//! of the link, Lmax the largest packet of any flow. A flow of weight phi has at least the rate
//! r = C phi / (sum of all phi) in GPS, so a packet ends by GRC + Lmax / C, where
//! GRC = max(arrival, GRC of the flow's packet before) + L / r.
//!
//! Bound (3) is for a port that sends nothing else and flows that are not held back. It holds to
//! the picosecond, except for the rounding described in `gps.rs`. A flow that link control held
//! back keeps the tags of its waiting packets, and is served first until it has caught up with GPS.
//!
//! Source: [PG93], [DKS89]. Differs: nothing. Not modelled: sharing inside a flow. Checked by:
//! orders by hand, and (3) on random mixes against a slow fluid system, in `wfq/tests.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, InOrder, Void, Wait};
use super::gps::Gps;
use super::machine::{Machine, Port};
use super::ranked::Ranked;
use super::{Next, Notice};

/// The machine of Eqs. (1) and (2).
#[derive(Clone, Debug)]
pub struct Wfq {
    /// Ordered by F.
    packets: Ranked<u128>,
    gps: Gps,
}

impl Wfq {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        in_order: InOrder::OneFlow,
        voided_by: &[Void::Overhead, Void::HeldBack, Void::PushedOut],
        also: &["pgps", "fair-queueing", "fq"],
        ..Facts::new("wfq", "WFQ")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Weights(Wait::OneOther)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> Wfq {
        Wfq {
            packets: Ranked::new(port.flows.len(), port.finds_victims),
            gps: Gps::new(port.rate, port.flows),
        }
    }
}

impl Machine for Wfq {
    type Packets = Ranked<u128>;

    fn packets(&mut self) -> &mut Ranked<u128> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        let tags = self.gps.arrive(flow, bytes, now);
        self.packets.arrive(flow, bytes, tags.finish); // Eq. (1)
        None
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow)) // Eq. (2)
    }

    fn give_back(&mut self, flow: u32, bytes: u32, finish: u128) {
        self.gps.take_back(flow, bytes, finish);
    }
}

#[cfg(test)]
mod tests;
