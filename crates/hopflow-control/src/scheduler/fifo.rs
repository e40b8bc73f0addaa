//! First in, first out: one queue for all flows of a port.
//!
//! ```text
//! serve the packet with the least arrival number                                 (1)
//! ```
//! A flow that link control holds back is passed over; its packets keep their places. Within an
//! instant, packets arrive in the order in which the node accepts them.
//!
//! Differs: nothing. Not modelled: a blocked head that blocks all others (head-of-line blocking is
//! a property of lanes, not of a scheduler). Checked by: the model of `ranked.rs`.

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, InOrder};
use super::machine::{Machine, Port};
use super::ranked::Ranked;
use super::{Next, Notice};

/// The machine of Eq. (1).
#[derive(Clone, Debug)]
pub struct Fifo {
    packets: Ranked<()>,
}

impl Fifo {
    pub(super) const FACTS: Facts = Facts {
        protects: false,
        in_order: InOrder::Always,
        also: &["fcfs"],
        ..Facts::new("fifo", "first in, first out")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Fifo
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>) -> Fifo {
        Fifo { packets: Ranked::new(port.flows.len(), port.finds_victims) }
    }
}

impl Machine for Fifo {
    type Packets = Ranked<()>;

    fn packets(&mut self) -> &mut Ranked<()> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.packets.arrive(flow, bytes, ());
        None
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |((), flow)| Next::Flow(flow))
    }
}
