//! TCP: the two ends of a connection that carries data one way.
//!
//! | part | content | file |
//! |---|---|---|
//! | [`TcpSpec`] | the parameters of a connection | `spec.rs` |
//! | [`Segment`], [`Seq`] | contents of a header; numbers that wrap | `segment.rs`, `sequence.rs` |
//! | [`Sender`] | what is sent next, and when again | `sender.rs`, `sender/plan.rs` |
//! | `supply` | data written by the application | `supply.rs` |
//! | [`TcpTimers`], [`TcpAcks`] | when it resends, and acknowledges | `clocks.rs` |
//! | [`TcpVariant`], `congestion` | cwnd, ssthresh: one file each | `congestion/` |
//! | `rto` | round trips and time-outs: ticks, or fine | `rto/` |
//! | `sack`, `prr` | the scoreboard, its recovery and the pace of it | `sack.rs`, `prr.rs` |
//! | [`Receiver`] | order and acknowledgements | `receiver.rs` |
//! | `reassembly` | data held above a hole | `reassembly.rs` |
//!
//! Sequence numbers are 32 bits and wrap; ranges of bytes are stored, not bytes. Both ends are
//! state machines behind [`super::Endpoint`]. Within an instant, arrivals precede timers.
//!
//! Not modelled: set-up and close (both ends know each other from the start), data in both
//! directions, a slow reader (so the window never closes and there is no persist timer), path MTU
//! discovery, ECN except for marks that are echoed exactly. Equations and variants:
//! `docs/models/tcp.md`.

mod clocks;
mod congestion;
mod counters;
mod prr;
mod reassembly;
mod receiver;
mod rto;
mod sack;
mod segment;
mod sender;
mod sequence;
mod spec;
mod supply;
#[cfg(test)]
mod tests;

pub use clocks::{TcpAcks, TcpTimers};
pub use congestion::{Acked, ExternalCongestion, Loss, Reaction, TcpFacts, TcpVariant};
pub use counters::{ReceiverCounters, SenderCounters, TcpCounters};
pub use receiver::Receiver;
pub use segment::{Block, Segment};
pub use sender::Sender;
pub use sequence::Seq;
pub use spec::{TcpSpec, TcpSpecError, Transfer};
