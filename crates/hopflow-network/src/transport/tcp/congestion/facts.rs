//! Facts about congestion controls for both ends of a connection and for scenarios. Each control
//! states them in its own file, so that no other list of controls exists.

use super::super::clocks::{TcpAcks, TcpTimers};

/// The facts about a congestion control, and the default parameters of a connection with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is the answer to another question")]
pub struct TcpFacts {
    /// Its name in scenarios and results: `newreno`.
    pub name: &'static str,
    /// What it is, for the description of the key, which puts its name before this.
    pub meaning: &'static str,
    /// The receiver reports what it holds above holes [RFC2018], and the sender uses the reports.
    pub sack: bool,
    /// A partial ack of a recovery repairs the next hole: `TcpSpec::impatient` makes a difference.
    pub partial_acks: bool,
    /// Its data may be marked with congestion experienced; the receiver echoes marks exactly
    /// [RFC8257] 3.2, and the sender reacts to the echo.
    pub heeds_marks: bool,
    /// An idle time begins with the last segment received, not with the last one sent.
    pub idle_since_heard: bool,
    /// Default: bytes of data in a full segment.
    pub mss: u32,
    /// Default: the receiver's buffer.
    pub window: u32,
    /// Default: window scaling, the least that can represent `window`.
    pub scale: u32,
    /// Default: round trips and time-outs.
    pub timers: TcpTimers,
    /// Default: acknowledgements.
    pub acks: TcpAcks,
    /// Default: the congestion window at the start, in full segments.
    pub initial_window: u32,
}
