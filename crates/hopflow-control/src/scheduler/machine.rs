//! The interface of a machine: the events that a port reports to it and the questions that it asks.
//!
//! A machine decides the rank of a packet on arrival ([`Machine::arrive`]) and which packet is next
//! ([`Machine::next`]). By default its packets implement the rest.

use hopflow_units::{Bytes, Rate, SimTime, Wire};

use super::{FlowShare, Next, Notice};
use crate::external::Fault;

/// The port that a machine is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port<'a> {
    /// C.
    pub(super) rate: Rate,
    /// Bytes that each packet takes of the link in addition to its own.
    pub(super) overhead: Bytes,
    pub(super) flows: &'a [FlowShare],
    /// Whether the port calls [`Machine::victim`].
    pub(super) finds_victims: bool,
}

impl Port<'_> {
    /// The rate and the overhead.
    pub(super) const fn wire(&self) -> Wire {
        Wire { rate: self.rate, overhead: self.overhead }
    }
}

/// The waiting packets of a port: `Ranked`, `Staged`, `Backlog` or `Classes`.
pub(super) trait Packets {
    /// The rank that a packet gets on arrival.
    type Rank;

    fn permit(&mut self, flow: u32);

    fn forbid(&mut self, flow: u32);

    /// Whether the flow has no waiting packet.
    fn is_empty(&self, flow: u32) -> bool;

    /// Removes the first packet of a flow: its size in bytes, and its rank.
    fn take_first(&mut self, flow: u32) -> (u32, Self::Rank);

    /// Removes the last packet of a flow: its size in bytes, and its rank.
    fn take_last(&mut self, flow: u32) -> (u32, Self::Rank);

    /// The flow whose last packet is pushed out when the buffer is full. Panics unless made to find
    /// it.
    fn victim(&self) -> Option<u32>;
}

/// The machine of one port; [`super::Scheduler`] describes each call.
pub(super) trait Machine {
    type Packets: Packets;

    fn packets(&mut self) -> &mut Self::Packets;

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice>;

    fn next(&mut self, now: SimTime) -> Next;

    /// A packet is lost with no packet of its flow behind it: its increment of the flow's clocks
    /// may be taken back. Packets behind a lost packet keep their ranks.
    fn give_back(&mut self, _flow: u32, _bytes: u32, _rank: <Self::Packets as Packets>::Rank) {}

    /// The flow was permitted or forbidden, or a packet of it is lost.
    fn changed(&mut self, _flow: u32) {}

    fn refuses(&self, _flow: u32, _bytes: u32, _now: SimTime) -> bool {
        false
    }

    fn permit(&mut self, flow: u32, _now: SimTime) {
        self.packets().permit(flow);
        self.changed(flow);
    }

    fn forbid(&mut self, flow: u32) {
        self.packets().forbid(flow);
        self.changed(flow);
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        self.packets().take_first(flow);
    }

    fn victim(&mut self) -> Option<u32> {
        self.packets().victim()
    }

    fn drop_last(&mut self, flow: u32) {
        let (bytes, rank) = self.packets().take_last(flow);
        self.give_back(flow, bytes, rank);
        self.changed(flow);
    }

    fn drop_first(&mut self, flow: u32) {
        let (bytes, rank) = self.packets().take_first(flow);
        if self.packets().is_empty(flow) {
            self.give_back(flow, bytes, rank);
        }
        self.changed(flow);
    }

    fn check(&mut self) -> Vec<u32> {
        Vec::new()
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
