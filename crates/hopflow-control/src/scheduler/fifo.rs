//! First in, first out: one queue for all flows of a port.
//!
//! ```text
//! serve the packet with the least arrival number                                 (1)
//! ```
//! A flow that link control holds back is passed over; its packets keep their places. Within an
//! instant packets arrive in the order in which the node takes them in.
//!
//! Differs: nothing. Not modelled: a blocked head that holds up all others (head-of-line
//! blocking is that of lanes, not of a scheduler). Checked by: the model of `ranked.rs`.

use hopflow_units::SimTime;

use super::ranked::Ranked;
use super::{Next, Notice};

/// The machine of Eq. (1).
#[derive(Clone, Debug)]
pub struct Fifo {
    packets: Ranked<()>,
}

impl Fifo {
    /// An empty port of so many flows.
    pub(super) fn new(flows: usize, finds_victims: bool) -> Fifo {
        Fifo { packets: Ranked::new(flows, finds_victims) }
    }

    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.packets.arrive(flow, bytes, ());
        None
    }

    pub(super) fn permit(&mut self, flow: u32, _now: SimTime) {
        self.packets.permit(flow);
    }

    pub(super) fn forbid(&mut self, flow: u32) {
        self.packets.forbid(flow);
    }

    pub(super) fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |((), flow)| Next::Flow(flow))
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
