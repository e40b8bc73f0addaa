//! What a machine is: what a port reports to it and asks of it.
//!
//! A machine says what is written on a packet as it comes ([`Machine::arrive`]) and which one goes
//! next ([`Machine::next`]). The rest is by default what the packets it keeps do by themselves.

use hopflow_units::{Rate, SimTime};

use super::{FlowShare, Next, Notice};
use crate::external::Fault;

/// The port that a machine is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port<'a> {
    /// C.
    pub(super) rate: Rate,
    pub(super) flows: &'a [FlowShare],
    /// Whether [`Machine::victim`] is asked.
    pub(super) finds_victims: bool,
}

/// The packets that wait at a port: `Ranked`, `Staged`, `Backlog` or `Classes`.
pub(super) trait Packets {
    /// What is written on a packet as it comes.
    type Rank;

    fn permit(&mut self, flow: u32);

    fn forbid(&mut self, flow: u32);

    /// Whether none of the flow waits.
    fn is_empty(&self, flow: u32) -> bool;

    /// Takes the first packet of a flow: its size in bytes, and its rank.
    fn take_first(&mut self, flow: u32) -> (u32, Self::Rank);

    /// Takes the last packet of a flow: its size in bytes, and its rank.
    fn take_last(&mut self, flow: u32) -> (u32, Self::Rank);

    /// The flow whose last packet goes when the buffer is full. Panics unless made to find it.
    fn victim(&self) -> Option<u32>;
}

/// The machine of one port, see [`super::Scheduler`] for what each call means.
pub(super) trait Machine {
    type Packets: Packets;

    fn packets(&mut self) -> &mut Self::Packets;

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice>;

    fn next(&mut self, now: SimTime) -> Next;

    /// A packet is lost that has none of its flow behind it: what it added to the clocks of the
    /// flow may be taken back. Those behind a lost packet keep what was written on them.
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
