//! Strict priority: the most urgent class first, first in, first out inside it.
//!
//! ```text
//! serve the packet with the least (class, arrival number)                        (1)
//! ```
//! A flow that link control holds back is passed over; its packets keep their places. A packet in
//! transmission is never interrupted, so the top class waits for at most one packet of other
//! classes. When the buffer is full, the packet that would be served last of all is pushed out: the
//! youngest of the least urgent class.
//!
//! | symbol | meaning                          | unit |
//! |--------|----------------------------------|------|
//! | class  | the flow's class, 0 most urgent  | 1    |
//!
//! Differs: nothing. Not modelled: preemption. Checked by: `strict_priority/tests.rs` and the
//! model of `ranked.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::SimTime;

use super::Guarantee;
use super::facts::{Facts, InOrder};
use super::machine::{Machine, Port};
use super::ranked::Ranked;
use super::{Next, Notice};

/// The machine of Eq. (1).
#[derive(Clone, Debug)]
pub struct StrictPriority {
    packets: Ranked<u8>,
    classes: Vec<u8>,
}

impl StrictPriority {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        in_order: InOrder::OneFlow,
        also: &["sp", "priority"],
        ..Facts::new("strict-priority", "strict priority")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::Classes
    }

    /// An empty port of these flows.
    pub(super) fn new(port: &Port<'_>) -> StrictPriority {
        StrictPriority {
            packets: Ranked::new(port.flows.len(), port.finds_victims),
            classes: port.flows.iter().map(|flow| flow.class).collect(),
        }
    }
}

impl Machine for StrictPriority {
    type Packets = Ranked<u8>;

    fn packets(&mut self) -> &mut Ranked<u8> {
        &mut self.packets
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.packets.arrive(flow, bytes, self.classes[flow as usize]);
        None
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow))
    }
}
