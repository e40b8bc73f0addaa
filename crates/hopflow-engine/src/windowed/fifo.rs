//! FIFO-only nodes: nodes whose ports only serve packets first in, first out. They run without
//! events.
//!
//! ```text
//! s_i = max(a_i, e_(i-1))     e_i = s_i + T_i     due_i = e_i + beyond             (1)
//! area += e_i - a_i           no_cell += max(0, a_i - e_of the VC's last packet)   (2)
//! held(a) = packets that have joined and whose e > a                               (3)
//! ```
//! | symbol | meaning                                                        | unit |
//! |--------|----------------------------------------------------------------|------|
//! | a      | instant at which a packet joins its port                       | ps   |
//! | s, e   | start, and when its last bit has left                          | ps   |
//! | T      | its transmit time at the rate of the port                      | ps   |
//! | beyond | delay and processing of the link                               | ps   |
//! | held   | packets at a port, of a VC, at the node, as one joins          | packets |
//!
//! Eq. (1) is Lindley's recursion: in the order in which packets join a port, the start of each is
//! known at once, so that there are no completions, no lists and no timers. What a packet adds to
//! time integrals is known at the same time, Eq. (2). Only maxima depend on which packets have
//! left: Eq. (3) is read as a packet joins, after the departures of that instant, as
//! docs/models/order.md specifies. A port removes the packets that have left when one joins it; a
//! node checks its other ports only when its maximum could be exceeded if no packet had left them.
//!
//! A switch may have limits, and a port may mark packets as they join (`bounds.rs`). Eq. (3) is
//! what a packet finds there, so it is refused or marked at exactly the same instants as by a
//! general node. As a limit is at least one packet, a packet that finds its port idle needs no look
//! at it; but where the whole node has a limit, every packet does (`held.rs`). Where a limit is in
//! bytes, `memory.rs` counts them. `door.rs` has the packets that wait for their admission. A mark
//! is sent with the size of its packet, so only a packet that is marked takes this path.
//!
//! A switch passes packets of connections as those of other VCs. What a connection knows of a
//! packet travels beside it (`transport/frames.rs` of `hopflow-network`), from one general host to
//! another.
//!
//! A packet whose start lies in the present window is put on the link at once. Any other waits at
//! its port until the window of its start, so that the ring of the link never overflows, and a
//! reading knows which packets have not started: it subtracts what Eqs. (1) and (2) have added for
//! the time after the reading.
//!
//! `rule.rs` specifies which nodes are FIFO-only. A host delivers and sends (`host.rs`); a switch
//! forwards (`switch.rs`); both have `inputs.rs` and `outputs.rs`. A link between two FIFO-only
//! nodes carries no size records of a VC whose packets all have one size.
//!
//! `watch.rs` creates trace rows, where they are requested.
//!
//! Source: [Lindley52]. Differs: nothing. Not modelled here: everything that needs an event; a node
//! with such features is a general one. Checked by: `tests/fifo_only.rs`, `tests/engines_agree.rs`.

mod bounds;
mod build;
mod counted;
mod door;
mod held;
mod host;
mod inputs;
mod memory;
mod notes;
mod output;
mod outputs;
mod read;
mod rule;
mod switch;
mod watch;

pub(super) use build::{host, switch};
pub(super) use host::FifoHost;
pub(super) use read::{add_host, add_host_vcs, add_switch, add_switch_vcs};
pub(super) use rule::{FifoNodes, is_usual_vc};
pub(super) use switch::FifoSwitch;
pub(super) use watch::Fifo;

/// Bytes of one VC: as it leaves a node, ...
pub(super) const HOP_BYTES: usize =
    size_of::<output::Hop>() + size_of::<output::Waits>() + 2 * size_of::<u32>();
/// ... as it arrives at its final host, ...
pub(super) const SINK_BYTES: usize = size_of::<host::Sink>();
/// ... and its source, once it is used.
pub(super) const SOURCE_BYTES: usize = size_of::<host::FifoSource>();
