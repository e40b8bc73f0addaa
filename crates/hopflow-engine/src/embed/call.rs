//! Signalling as both engines use it: the messages of a VC that asks for its reservation, and its
//! source until the answer.
//!
//! ```text
//! source ---- set-up, release ---->  each port on the way  ----> final host
//!        <--- connect, refusal ----                        <----
//! ```
//! A message is a control cell: it waits in the control line of a port and takes the time of a cell
//! on each link. A port reserves as a set-up comes to it. It frees as a refusal passes it on the
//! way back, or as a release comes to it. `docs/models/admission.md` has the rules;
//! [`hopflow_control::admission`] decides at each port.

use hopflow_network::counters::SetUpCounters;
use hopflow_network::{CellKind, VcSpec};
use hopflow_units::SimTime;

/// A message about the reservation of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// The next port is asked.
    SetUp,
    /// All ports have reserved.
    Connect,
    /// The port of this hop has refused.
    Refusal(u32),
    /// The VC has ended.
    Release,
}

impl Message {
    /// The kind of its cell.
    pub(crate) const fn kind(self) -> CellKind {
        match self {
            Message::SetUp => CellKind::SetUp,
            Message::Connect => CellKind::Connect,
            Message::Refusal(_) => CellKind::Refusal,
            Message::Release => CellKind::Release,
        }
    }

    /// The value of its cell.
    pub(crate) const fn value(self) -> u32 {
        match self {
            Message::Refusal(hop) => hop,
            Message::SetUp | Message::Connect | Message::Release => 0,
        }
    }
}

/// The set-up of a VC at its source.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// When the source asks; never if it ends before.
    pub(crate) begins: SimTime,
    /// When it releases; never if it has no end.
    pub(crate) stop: SimTime,
    pub(crate) counters: SetUpCounters,
}

impl Call {
    /// Before the set-up of a VC that asks for its reservation. One whose end is not after its
    /// beginning never asks.
    pub(crate) fn new(vc: &VcSpec) -> Option<Call> {
        let (begins, stop) = (vc.begins(), vc.stop.unwrap_or(SimTime::NEVER));
        vc.asked_rate()?;
        let begins = if begins < stop { begins } else { SimTime::NEVER };
        Some(Call { begins, stop, counters: SetUpCounters::default() })
    }

    /// The answer has come. Returns whether the source begins now: an answer that comes at or after
    /// its end is counted, but nothing is sent.
    pub(crate) fn answered(&mut self, message: Message, now: SimTime) -> bool {
        let counters = &mut self.counters;
        counters.took += now.since(self.begins);
        match message {
            Message::Connect => counters.admitted += 1,
            Message::Refusal(hop) => {
                counters.refused += 1;
                counters.refused_hop = Some(hop);
            }
            Message::SetUp | Message::Release => panic!("{message:?} is no answer"),
        }
        assert!(counters.admitted + counters.refused <= counters.asked, "one answer to a set-up");
        message == Message::Connect && now < self.stop
    }
}
