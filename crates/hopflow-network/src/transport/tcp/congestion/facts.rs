//! What is known of a congestion control beside how it works: what both ends of a connection and
//! scenarios ask. Each control answers in its own file, so that nobody else has a list of controls.

use super::super::clocks::{TcpAcks, TcpTimers};

/// What holds for a congestion control, and what a connection with it is told by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is the answer to another question")]
pub struct TcpFacts {
    /// As scenarios and results write it: `newreno`.
    pub name: &'static str,
    /// The receiver tells what it holds behind holes [RFC2018], and the sender goes by it.
    pub sack: bool,
    /// A partial ack of a recovery fills the next hole: `TcpSpec::impatient` makes a difference.
    pub partial_acks: bool,
    /// Its data may be marked with congestion experienced; the receiver echoes marks exactly
    /// [RFC8257] 3.2, and the sender heeds the echo.
    pub heeds_marks: bool,
    /// An idle time begins when something was heard last, not when something was sent last.
    pub idle_since_heard: bool,
    /// Default: bytes of data in a full segment.
    pub mss: u32,
    /// Default: the receiver's buffer.
    pub window: u32,
    /// Default: window scaling, the least that tells `window`.
    pub scale: u32,
    /// Default: round trips and time-outs.
    pub timers: TcpTimers,
    /// Default: acknowledgements.
    pub acks: TcpAcks,
    /// Default: the congestion window at the start, in full segments.
    pub initial_window: u32,
}
