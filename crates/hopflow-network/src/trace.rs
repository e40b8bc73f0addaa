//! Events of cells, with their instants and places: the rows of a trace.
//!
//! An engine makes rows only for the requested VCs and link directions; all series (queue lengths,
//! credit counts, throughput over a window) are derived from them. Rows of one node are in order of
//! occurrence; rows of one instant at different nodes are in the order of nodes.

mod filter;

use hopflow_units::SimTime;

pub use filter::{TraceFilter, TracePart};

/// Kinds with numbers from 0 on, each with its word in files.
macro_rules! numbered {
    ($(#[$about:meta])* $name:ident {
        $($(#[$doc:meta])* $kind:ident = $number:literal => $word:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$doc])* $kind = $number,)+
        }

        impl $name {
            const COUNT: usize = [$($number),+].len();
            /// All of them, in the order of their numbers.
            pub const ALL: [$name; $name::COUNT] = [$($name::$kind),+];
            /// Their words in files, in the same order.
            pub const WORDS: [&'static str; $name::COUNT] = [$($word),+];

            /// The one of this word.
            pub fn of(word: &str) -> Option<$name> {
                let place = $name::WORDS.iter().position(|known| *known == word)?;
                Some($name::ALL[place])
            }
        }

        $(const _: () = assert!($name::ALL[$number] as usize == $number);)+
    };
}

numbered! {
    /// The kind of a unit on a link.
    CellKind {
        /// A data cell of a VC; its value is the sequence number modulo 2^28.
        Data = 0 => "data",
        /// An acknowledgement of an end-to-end window; its value is the next cell expected.
        Ack = 1 => "ack",
        /// A credit cell; its value is the credit value.
        Credit = 2 => "credit",
        /// A Sender-Request-Credit cell; its value is 0.
        Request = 3 => "request",
        /// The looping cell that measures R, on its way out; its VC is `u32::MAX`.
        Loop = 4 => "loop",
        /// The same cell on its way back.
        LoopReply = 5 => "loop-reply",
        /// A message upstream that a VC exceeds its reservation; its value is 0.
        SlowDown = 6 => "slow-down",
        /// A pause frame; its VC is `u32::MAX`, its value the lane x 2^25 + the quanta (0: resume).
        Pause = 7 => "pause",
        /// A credit of a lane; its VC is `u32::MAX`, its value the lane x 2^25 + FCCL.
        LaneCredit = 8 => "lane-credit",
        /// A forward RM cell; its value counts those of its source, modulo 2^28.
        ForwardRm = 9 => "forward-rm",
        /// A backward RM cell; its value is that of the cell that was turned around.
        BackwardRm = 10 => "backward-rm",
        /// A set-up: a VC asks the next port for its reservation; its value is 0.
        SetUp = 11 => "set-up",
        /// The answer that all ports have reserved, on its way back to the source; its value is 0.
        Connect = 12 => "connect",
        /// The answer that a port has refused; its value is the number of the hop that refused.
        Refusal = 13 => "refusal",
        /// The end of a VC: the ports on its way free its reservation; its value is 0.
        Release = 14 => "release",
        /// A further credit, of another VC, in the credit cell of this instant; its value is the
        /// credit value. It is no cell and takes no time.
        FurtherCredit = 15 => "further-credit",
    }
}

impl CellKind {
    /// Whether it is a control cell, which precedes data, ACK and RM cells: those wait in VC
    /// queues.
    pub const fn is_control(self) -> bool {
        use CellKind::{Ack, BackwardRm, Data, ForwardRm};
        !matches!(self, Data | Ack | ForwardRm | BackwardRm)
    }

    /// Whether it is a message of signalling.
    pub const fn is_signalling(self) -> bool {
        use CellKind::{Connect, Refusal, Release, SetUp};
        matches!(self, SetUp | Connect | Refusal | Release)
    }
}

numbered! {
    /// The event of a row.
    TraceEvent {
        /// A source created a data cell (a greedy one at its first start), at the source host.
        Born = 0 => "born",
        /// The last bit of a cell arrived and the cell was accepted.
        Arrived = 1 => "arrived",
        /// A cell arrived corrupted and was discarded.
        Corrupted = 2 => "corrupted",
        /// A data cell was dropped because a buffer was full, or given up by a branch.
        Dropped = 3 => "dropped",
        /// The first bit of a cell left.
        Started = 4 => "started",
        /// The last bit of a data cell left and its buffer was freed (on this branch).
        Left = 5 => "left",
    }
}

/// One row of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRow {
    /// The instant.
    pub time: SimTime,
    /// The link direction: the one crossed for `Arrived` and `Corrupted` (and for `Dropped` on
    /// arrival); for all others the one about to be crossed.
    pub direction: u32,
    /// The VC.
    pub vc: u32,
    /// Sequence number, credit value or acknowledgement: 28 bits.
    pub value: u32,
    /// Cells of this VC held at the node after the event (of a branch: for this branch; when a
    /// multicast cell arrives: all cells held). For `Started` and `Left`: of this hop.
    pub fill: u32,
    /// The credit count of the sender at this node after the event: for `Started`, and for
    /// `Arrived` with a credit or ACK (a lane credit: blocks). Otherwise 0. `u32::MAX`: no
    /// control. For RM cells: a rate in whole cells per second, rounded down; see "Rows" in
    /// docs/models/order.md.
    pub credit: u32,
    /// The event.
    pub event: TraceEvent,
    /// The kind of the unit.
    pub kind: CellKind,
    /// Whether it occurred at the receiving end of `direction`; otherwise at the sending end.
    pub at_receiver: bool,
}
