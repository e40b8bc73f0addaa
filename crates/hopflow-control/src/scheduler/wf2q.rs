//! Worst-case fair weighted fair queueing (WF2Q): of the packets that the fluid system has begun,
//! the one that ends first there is served first.
//!
//! ```text
//! S, F = start and finish tag of the packet in GPS, V = virtual time of GPS      (1)
//! serve, of the packets with S <= V, the least F; of equal ones the older        (2)
//! if none has S <= V: the least S, then as in (2)                                (3)
//! end <= end in GPS + Lmax / C                                                   (4)
//! W(0, end) - W_GPS(0, end) <= L (1 - r / C)                                     (5)
//! ```
//! | symbol | meaning                                                       | unit          |
//! |--------|---------------------------------------------------------------|---------------|
//! | S, F, V| see `gps.rs`                                                  | ps per weight |
//! | L      | the flow's largest packet; Lmax: that of all flows            | bits          |
//! | C      | rate of the link                                              | b/s           |
//! | r      | the flow's rate, C phi / (sum of all phi)                     | b/s           |
//! | W      | bits sent of the flow; W_GPS: bits that GPS served of it      | bits          |
//!
//! WFQ has bound (4) too, but may serve a flow many packets ahead of GPS, after which the flow
//! waits for the same time; by (5) WF2Q is never ahead by a whole packet. A packet of a flow whose
//! queue holds Q bits when it arrives leaves within Q / r + (L + (Lmax - L) r / C) / r, whatever
//! was sent before: this is the worst-case fairness of its name.
//!
//! On a port that sends nothing else and whose flows are not held back, GPS has begun a packet
//! whenever one waits: both have done the same work, so for some flow GPS has done more than the
//! port. Step (3) is for rounding (`gps.rs`) and for other ports: with it the port is never idle
//! while a packet is allowed to start. Bounds (4) and (5) do not hold there. The remarks in
//! `wfq.rs` on flows held back and packets lost apply here unchanged.
//!
//! Source: [BZ96]. Differs: (3). Not modelled: sharing inside a flow. Checked by: orders by hand,
//! and (4) and (5) on random mixes against a slow fluid system, in `wf2q/tests.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, Void, Wait};
use super::gps::Gps;
use super::machine::{Machine, Port};
use super::staged::Staged;
use super::{Next, Notice};

/// The machine of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub struct Wf2q {
    /// Held until V is S, then ordered by F.
    packets: Staged,
    gps: Gps,
}

impl Wf2q {
    pub(super) const FACTS: Facts = Facts {
        has_weights: true,
        voided_by: &[Void::Overhead, Void::HeldBack, Void::PushedOut, Void::ControlCells],
        ..Facts::new("wf2q", "WF2Q")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Weights(Wait::One)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> Wf2q {
        Wf2q {
            packets: Staged::new(port.flows.len(), port.finds_victims),
            gps: Gps::new(port.rate, port.flows),
        }
    }
}

impl Machine for Wf2q {
    type Packets = Staged;

    fn packets(&mut self) -> &mut Staged {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        let tags = self.gps.arrive(flow, bytes, now);
        self.packets.arrive(flow, bytes, tags.start, tags.finish); // Eq. (1)
        None
    }

    fn next(&mut self, now: SimTime) -> Next {
        self.gps.advance(now);
        self.packets.release(self.gps.clock());
        let begun = self.packets.first(); // Eq. (2)
        let first = begun.or_else(|| self.packets.first_held().map(|(_, flow)| flow)); // Eq. (3)
        first.map_or(Next::Nothing, Next::Flow)
    }

    fn give_back(&mut self, flow: u32, bytes: u32, finish: u128) {
        self.gps.take_back(flow, bytes, finish);
    }
}

#[cfg(test)]
mod tests;
