//! Which packets a port marks with congestion experienced (CE), [RFC3168] 5: one machine per port,
//! which receives the length of its queue.
//!
//! ```text
//! marks(packet)   called as the packet joins (the queue includes it) or as it starts (the queue
//!                 does not) ([`Moment`]): whether the packet is marked, if it can be
//! ```
//! A queue is all packets at the port, the one in transmission included. The machine is asked about
//! every packet, whether it can be marked or not.
//!
//! `markers!` below is the only list of markers: parser, schema and engines are derived from it.
//! The machine of each has its own file, with its facts ([`Facts`]).

mod external;
mod step;
mod table;

use hopflow_units::SimTime;
use table::markers;

pub use external::{External, ExternalMarker};
pub use step::Step;

use crate::external::Fault;

/// A length of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Packets.
    Packets(u32),
    /// Bytes of packets.
    Bytes(u64),
}

/// The queue of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Packets.
    pub packets: u32,
    /// Their bytes.
    pub bytes: u64,
}

impl Queue {
    /// Whether it is longer than this.
    pub const fn is_above(self, length: Length) -> bool {
        match length {
            Length::Packets(packets) => self.packets > packets,
            Length::Bytes(bytes) => self.bytes > bytes,
        }
    }
}

/// When a port looks at its queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// As a packet joins the queue; it counts itself.
    #[default]
    Arrival,
    /// As a packet starts; it does not count itself.
    Departure,
}

/// A packet that a port asks its marker about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketAtPort {
    /// The present instant.
    pub now: SimTime,
    /// The queue at this moment.
    pub queue: Queue,
    /// The size of the packet in bytes.
    pub bytes: u32,
    /// Whether a mark has an effect: the packet is data of a flow that heeds marks.
    pub is_able: bool,
}

/// What a port marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkingSpec {
    /// By which rule.
    pub rule: MarkingRule,
    /// When it looks at its queue.
    pub moment: Moment,
}

/// The facts about a rule, whatever its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name in scenarios and results: `step`.
    pub name: &'static str,
}

/// The machine of a rule, one per port.
trait Machine {
    /// The facts about the rule.
    const FACTS: Facts;
    /// What a scenario says of it.
    type Parameter;

    /// At the start.
    fn new(parameter: Self::Parameter) -> Self;

    /// Whether the packet is marked, if it can be.
    fn marks(&mut self, packet: &PacketAtPort) -> bool;
}

markers! {
    /// Every packet that finds the queue longer than a threshold.
    Step(threshold: Length),
    /// A machine from outside hopflow, by its place in the list of the network.
    External(place: u16),
}

impl MarkingRule {
    /// The length above which a queue marks, if nothing else decides.
    pub const fn threshold(self) -> Option<Length> {
        if let MarkingRule::Step(threshold) = self { Some(threshold) } else { None }
    }

    /// The index of the machine, if it comes from outside hopflow.
    pub const fn external(self) -> Option<u16> {
        if let MarkingRule::External(place) = self { Some(place) } else { None }
    }
}

impl Marker {
    /// Whether the packet is marked, if it can be.
    pub fn marks(&mut self, packet: &PacketAtPort) -> bool {
        of_each!(self, machine => machine.marks(packet))
    }

    /// Why an external marker is no longer asked.
    pub fn fault(&self) -> Option<&Fault> {
        if let Marker::External(machine) = self { machine.fault() } else { None }
    }
}
