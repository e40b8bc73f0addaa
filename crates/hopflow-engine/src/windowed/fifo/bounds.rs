//! What a port of a FIFO-only node does with a packet because of the others that it finds there: it
//! refuses the packet, or marks it.
//!
//! ```text
//! refused if held >= limit, or held of its VC >= limit of VCs                           (1)
//! marked  if held >= K       which is  q > K  where the queue counts the packet         (2)
//! K in bytes: K / size, rounded down, where all packets of the port have one size       (3)
//! limits in bytes: limit / t, rounded down, where all packets of the node take t        (4)
//! ```
//! `held` is that of Eq. (3) of `fifo.rs`. Source: Eq. (2), `hopflow-control/src/marking/step.rs`.
//! Not modelled here: rules that need more than the length of the queue; other limits in bytes, see
//! `memory.rs`.
//! Checked by: `tests/fifo_only.rs`, `tests/engines_agree.rs`.

/// The bounds of a port, in packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most packets of the port, at least 1; `u32::MAX` without a limit.
    pub(super) limit: u32,
    /// The most packets of one VC, in the same form.
    pub(super) vc_limit: u32,
    /// The fewest packets that are found by one that is marked; `u32::MAX` without a marker.
    pub(super) marks_from: u32,
    /// Whether the node has a limit, too: then every packet is looked at.
    pub(super) is_of_node: bool,
    /// Packets marked.
    pub(super) marked: u64,
}

impl Bounds {
    /// The fewest packets that a port must hold so that another may be refused or marked.
    pub(super) fn least(&self) -> u32 {
        if self.is_of_node {
            return 0;
        }
        self.limit.min(self.vc_limit).min(self.marks_from)
    }

    /// The fewest packets that use at least half of the limit.
    pub(super) const fn half(&self) -> u32 {
        half_of(self.limit)
    }

    /// Whether a packet that finds `held` packets is refused; `of_vc` is the number of those of its
    /// VC. Eq. (1).
    pub(super) fn refuses(&self, held: u32, of_vc: impl FnOnce() -> u32) -> bool {
        held >= self.limit || self.vc_limit < u32::MAX && of_vc() >= self.vc_limit
    }

    /// Whether a packet that finds `held` packets and can be marked is marked. Eq. (2).
    pub(super) const fn marks(&mut self, held: u32) -> bool {
        let is_marked = held >= self.marks_from;
        self.marked += is_marked as u64;
        is_marked
    }
}

/// The fewest packets that use at least half of a limit, for which packets may wait for their
/// admission (`embed/door.rs`); `u32::MAX` without a limit.
pub(super) const fn half_of(limit: u32) -> u32 {
    if limit == u32::MAX { u32::MAX } else { limit - limit / 2 }
}
