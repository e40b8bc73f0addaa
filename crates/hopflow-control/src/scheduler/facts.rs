//! What is known of a scheduler beside how it works: what checks, bounds, fair shares and engines
//! ask. Each scheduler answers in its own file, so that nobody else has a list of schedulers.

use hopflow_units::{Bytes, Picos};

use super::{GateList, VirtualClockSpec};

/// What holds for a scheduler whatever its parameters. Nothing does for an external machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is the answer to another question")]
pub struct Facts {
    /// As scenarios write it: `deficit-round-robin`.
    pub name: &'static str,
    /// As messages write it: `deficit round robin`.
    pub words: &'static str,
    /// More urgent classes are served first.
    pub heeds_class: bool,
    /// Flows share by weight: at a port all of them have a reservation, or none.
    pub has_weights: bool,
    /// Flows without a reservation are served after all others.
    pub unreserved_last: bool,
    /// A flow with a reservation never gets more than that in the long run.
    pub holds_to_rate: bool,
    /// It may notify the source of a packet, see [`super::Notice`].
    pub notifies: bool,
    /// It names the packet that goes when the buffer is full.
    pub finds_victims: bool,
    /// When packets leave in the order in which they came, as soon as the port is idle.
    pub in_order: InOrder,
    /// What its [`Guarantee`] does not hold with.
    pub voided_by: &'static [Void],
}

impl Facts {
    /// A scheduler that finds victims, and of which nothing else is known.
    pub(super) const fn new(name: &'static str, words: &'static str) -> Facts {
        Facts {
            name,
            words,
            heeds_class: false,
            has_weights: false,
            unreserved_last: false,
            holds_to_rate: false,
            notifies: false,
            finds_victims: true,
            in_order: InOrder::Unknown,
            voided_by: &[],
        }
    }
}

/// When packets leave in the order in which they came, as soon as the port is idle; of flows that
/// are not held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InOrder {
    /// Always.
    Always,
    /// Where one flow uses the port.
    OneFlow,
    /// Not always, or nobody has shown it.
    Unknown,
}

impl InOrder {
    /// Whether they do where this number of flows uses the port.
    pub const fn holds(self, flows: u32) -> bool {
        match self {
            InOrder::Always => true,
            InOrder::OneFlow => flows <= 1,
            InOrder::Unknown => flows == 0,
        }
    }
}

/// What a guarantee may not hold with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Void {
    /// Packets take more of the link than their own bytes, from which its times are reckoned.
    Overhead,
    /// Link control holds a flow back: what waits keeps its tags, and goes first when it may.
    HeldBack,
    /// Packets are pushed out: the fluid system has served a part of them.
    PushedOut,
    /// Control cells take time of the link: slots, credits or a clock run on meanwhile.
    ControlCells,
}

/// What a port promises to its flows, for which there is a bound of the delay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Nothing is known.
    Unknown,
    /// Turns of one packet inside each class, the more urgent classes first.
    RoundRobin,
    /// First in, first out.
    Fifo,
    /// The same inside each class, the more urgent classes first.
    Classes,
    /// To each class the rate that its flows have reserved, by credits.
    Credits,
    /// A packet goes by class once its flow's token bucket lets it.
    Shaped {
        /// A packet that would have to wait longer for that is discarded.
        max_residence: Option<Picos>,
    },
    /// To each flow its reserved rate, by stamps.
    Stamps(VirtualClockSpec),
    /// To each flow its part of the link by weight; beside that a packet waits for this.
    Weights(Wait),
    /// To each flow its part of the packets, by turns of a number of packets.
    Turns,
    /// To each flow its part of the bytes, by turns.
    Quanta {
        /// What the flow of the least weight may send in a turn.
        quantum: Bytes,
    },
    /// To each class the times at which its gates are open, the more urgent classes first.
    Gates(GateList),
    /// To each flow its slots.
    Slots {
        /// Slots of a frame.
        frame: u32,
    },
}

/// For what a packet waits at most, beside its own part of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// One packet of another flow.
    OneOther,
    /// One packet of any flow.
    One,
    /// One packet of each other flow.
    EachOther,
    /// The same, counted from when the packet could begin at its flow's rate.
    EachOtherFromStart,
}
