//! Strict priority: the most urgent class first, first in, first out inside it.
//!
//! ```text
//! serve the packet with the least (class, arrival number)                        (1)
//! ```
//! A flow that link control holds back is passed over; its packets keep their places. A packet in
//! transmission is never interrupted, so the top class waits at most for one packet of others.
//! The packet served last of all, which goes when the buffer is full, is the youngest of the
//! least urgent class.
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

use super::ranked::Ranked;
use super::{FlowShare, Next, Notice};

/// The machine of Eq. (1).
#[derive(Clone, Debug)]
pub struct StrictPriority {
    packets: Ranked<u8>,
    classes: Vec<u8>,
}

impl StrictPriority {
    /// An empty port of these flows.
    pub(super) fn new(flows: &[FlowShare], finds_victims: bool) -> StrictPriority {
        StrictPriority {
            packets: Ranked::new(flows.len(), finds_victims),
            classes: flows.iter().map(|flow| flow.class).collect(),
        }
    }

    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.packets.arrive(flow, bytes, self.classes[flow as usize]);
        None
    }

    pub(super) fn permit(&mut self, flow: u32, _now: SimTime) {
        self.packets.permit(flow);
    }

    pub(super) fn forbid(&mut self, flow: u32) {
        self.packets.forbid(flow);
    }

    pub(super) fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow))
    }

    pub(super) fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        self.packets.take_first(flow);
    }

    pub(super) fn victim(&self) -> Option<u32> {
        self.packets.victim()
    }

    pub(super) fn drop_last(&mut self, flow: u32) {
        self.packets.take_last(flow);
    }

    pub(super) fn drop_first(&mut self, flow: u32) {
        self.packets.take_first(flow);
    }
}
