//! Which packets a port marks with congestion experienced (CE), [RFC3168] 5: one machine per port,
//! told the length of its queue.
//!
//! ```text
//! marks(queue)   a packet joins the queue, which has it already; or it starts, and `queue` is what
//!                it leaves behind ([`Moment`]): whether it is marked, if it can be
//! ```
//! A queue is all packets at the port, the one in transmission included. Who can be marked is not
//! the machine's business: it is told of every packet.
//!
//! The one list of markers is `markers!` below: parser, schema and engines have it from there. The
//! machine of each is in the file of its name.

mod step;
mod table;

use table::markers;

pub use step::Step;

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

/// What a port marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkingSpec {
    /// By which rule.
    pub rule: MarkingRule,
    /// When it looks at its queue.
    pub moment: Moment,
}

markers! {
    /// Every packet that finds the queue longer than a threshold.
    Step(threshold: Length),
}

impl Marker {
    /// Whether a packet that finds this queue is marked.
    pub fn marks(&mut self, queue: Queue) -> bool {
        of_each!(self, machine => machine.marks(queue))
    }
}
