//! Facts about schedulers for checks, bounds, fair shares and engines. Each scheduler states them
//! in its own file, so that no other list of schedulers exists.

/// The facts about a scheduler, whatever its parameters. None holds for an external machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is the answer to another question")]
pub struct Facts {
    /// Its name in scenarios: `deficit-round-robin`.
    pub name: &'static str,
    /// Its name in messages: `deficit round robin`.
    pub words: &'static str,
    /// Other names by which it is known: `drr`.
    pub also: &'static [&'static str],
    /// More urgent classes are served first.
    pub heeds_class: bool,
    /// Classes share by weight, those without a weight apart.
    pub weighs_classes: bool,
    /// Flows share by weight: at one port either all or none of them have a reservation.
    pub has_weights: bool,
    /// Flows without a reservation are served after all others.
    pub unreserved_last: bool,
    /// A flow with a reservation never gets more than its rate in the long run.
    pub holds_to_rate: bool,
    /// Gates open and close for its flows: a port may be idle although a packet waits.
    pub has_gates: bool,
    /// It may notify the source of a packet, see [`super::Notice`].
    pub notifies: bool,
    /// It selects the packet that is pushed out when the buffer is full.
    pub finds_victims: bool,
    /// A flow that keeps to its share or class need not wait behind those that do not.
    pub protects: bool,
    /// When packets leave in order of arrival, as soon as the port is idle.
    pub in_order: InOrder,
    /// Conditions that void its [`Guarantee`](super::Guarantee).
    pub voided_by: &'static [Void],
}

impl Facts {
    /// A scheduler that finds victims and protects flows; all other facts have their defaults.
    pub(super) const fn new(name: &'static str, words: &'static str) -> Facts {
        Facts {
            name,
            words,
            also: &[],
            heeds_class: false,
            weighs_classes: false,
            has_weights: false,
            unreserved_last: false,
            holds_to_rate: false,
            has_gates: false,
            notifies: false,
            finds_victims: true,
            protects: true,
            in_order: InOrder::Unknown,
            voided_by: &[],
        }
    }
}

/// When packets leave in order of arrival, as soon as the port is idle; for flows that are not held
/// back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InOrder {
    /// Always.
    Always,
    /// If only one flow uses the port.
    OneFlow,
    /// Not always, or not proven.
    Unknown,
}

impl InOrder {
    /// Whether they do if this number of flows uses the port.
    pub const fn holds(self, flows: u32) -> bool {
        match self {
            InOrder::Always => true,
            InOrder::OneFlow => flows <= 1,
            InOrder::Unknown => flows == 0,
        }
    }
}

/// A condition that may void a guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Void {
    /// Packets take more of the link than their own bytes, from which its times are computed.
    Overhead,
    /// Link control holds a flow back: waiting packets keep their tags, and are first when they may
    /// start.
    HeldBack,
    /// Packets are pushed out after the fluid system has served a part of them.
    PushedOut,
    /// Control cells take time of the link, while slots, credits or a clock continue.
    ControlCells,
}

/// The longest wait of a packet in addition to the service of its own flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// One packet of another flow.
    OneOther,
    /// One packet of any flow.
    One,
    /// One packet of each other flow.
    EachOther,
    /// One packet of each other flow, from when the packet could begin at its flow's rate.
    EachOtherFromStart,
}
