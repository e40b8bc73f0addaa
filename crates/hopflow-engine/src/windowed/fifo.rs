//! Plain nodes: nodes where nothing but first in, first out happens, run without events.
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
//! Eq. (1) is Lindley's recursion: in the order in which packets join a port, each knows at once
//! when it will start, so that there are no completions, no lists and no timers. What a packet adds
//! to time integrals is known with it, Eq. (2). Only maxima need to know who has left: Eq. (3) is
//! read as a packet joins, after all that leave at that instant, as docs/models/order.md has it. A
//! port forgets those who have left when one joins it; a node looks at its other ports only when
//! its maximum could be passed if nobody had left there.
//!
//! A packet whose start lies in the present window goes on the link at once. Any other waits at
//! its port until the window of its start, so that the link never holds more than it may, and a
//! reading knows what has not started: it takes off what Eqs. (1) and (2) have put down for the
//! time after it.
//!
//! Which nodes are plain, `rule.rs` says. A host delivers and sends (`host.rs`); a switch forwards
//! (`switch.rs`); both have `inputs.rs` and `outputs.rs`. A link between two plain nodes tells no
//! sizes of a VC whose packets are all of one size.
//!
//! Trace rows, where they are asked for, are made in `watch.rs`.
//!
//! Source: [Lindley52]. Differs: nothing. Not modelled here: all that needs an event; a node with
//! such things is a general one. Checked by: `tests/plain.rs`,
//! `tests/engines_agree.rs`.

mod build;
mod host;
mod inputs;
mod notes;
mod output;
mod outputs;
mod read;
mod rule;
mod switch;
mod watch;

pub(super) use build::{host, switch};
pub(super) use host::PlainHost;
pub(super) use read::{add_host, add_host_vcs, add_switch, add_switch_vcs};
pub(super) use rule::{Plain, is_plain_vc};
pub(super) use switch::PlainSwitch;
pub(super) use watch::Watched;

/// Of one VC, in bytes: as it leaves a node, ...
pub(super) const HOP_BYTES: usize =
    size_of::<output::Hop>() + size_of::<output::Waits>() + 2 * size_of::<u32>();
/// ... as it comes to its final host, ...
pub(super) const SINK_BYTES: usize = size_of::<host::Sink>();
/// ... and its source, once it is used.
pub(super) const SOURCE_BYTES: usize = size_of::<host::PlainSource>();
