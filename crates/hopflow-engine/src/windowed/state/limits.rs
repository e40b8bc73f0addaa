//! Full buffers: whether a packet is accepted, and which packet is removed when others are pushed
//! out. Limits in packets; those in bytes are in `memory.rs`.
//!
//! `held >= limit` is the rule of `hopflow-network/src/spec/limit.rs` for a packet that takes 1.

use hopflow_network::{Discard, FrameDiscardSpec, Limit, NodeSpec};

/// The limits of a node.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, read one by one")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most packets of one VC.
    pub(crate) vc: u32,
    /// The most packets in all before an arriving one is dropped; no limit where packets are pushed
    /// out instead.
    pub(crate) node: u32,
    /// Whether a packet's output or lane may refuse it, because of a limit, a scheduler or lanes;
    /// or its frame, or a limit in bytes.
    pub(crate) asks_port: bool,
    /// Whether units can carry records here, a port has a marker, the host has a processor, or
    /// bytes are counted.
    pub(crate) is_special: bool,
    /// Whether a port has lanes.
    pub(crate) has_lanes: bool,
    /// Whether units can carry records here, or a port has an algorithm of rate control.
    pub(crate) has_records: bool,
    /// Whether a port has a marker.
    pub(crate) has_markers: bool,
    /// The fills, of the node and of the VC, above which a new frame is dropped; `None` where
    /// frames are not dropped as a whole.
    pub(crate) frames: Option<[u32; 2]>,
    /// Whether a packet that has joined needs further steps: one is pushed out where the node is
    /// full, units can carry records here, or bytes are counted.
    pub(crate) follows: bool,
    pushing: Option<PushOut>,
}

/// Limits of a node that pushes packets out.
#[derive(Clone, Copy, Debug)]
struct PushOut {
    node: u32,
    own: bool,
}

/// The most packets that a limit accepts, if it counts them.
pub(crate) fn most_packets(limit: Option<Limit>) -> u32 {
    limit.and_then(Limit::packets).map_or(u32::MAX, |cells| cells.0)
}

impl Limits {
    /// `asks`: whether ports have limits, schedulers or lanes, which may refuse a packet.
    /// `has_records`, `has_markers`: see the fields.
    pub(crate) fn new(node: &NodeSpec, asks: bool, has_records: bool, has_markers: bool) -> Limits {
        let limit = most_packets;
        let all = limit(node.buffer);
        let pushes = node.discard != Discard::Arriving;
        let own = node.discard == Discard::LastOfOwn;
        let unless = |pushes: bool, limit: u32| if pushes { u32::MAX } else { limit };
        let frames = match node.frame_discard {
            FrameDiscardSpec::None => None,
            FrameDiscardSpec::Partial => Some([u32::MAX; 2]),
            FrameDiscardSpec::Early { node, vc } => Some([node, vc].map(limit)),
        };
        Limits {
            vc: limit(node.vc_buffer),
            node: unless(pushes, all),
            asks_port: asks || has_records || frames.is_some(),
            is_special: has_records || has_markers,
            has_lanes: false,
            has_records,
            has_markers,
            frames,
            follows: pushes || has_records,
            pushing: pushes.then_some(PushOut { node: all, own }),
        }
    }

    /// Bytes are counted, too.
    pub(crate) const fn count_bytes(&mut self) {
        self.asks_port = true;
        self.is_special = true;
        self.follows = true;
    }

    /// Whether every arriving packet is accepted, and concerns only its VC and its port.
    pub(super) const fn are_none(&self) -> bool {
        self.vc == u32::MAX
            && self.node == u32::MAX
            && !self.asks_port
            && !self.is_special
            && !self.has_lanes
            && !self.follows
    }

    /// The most packets of an output with this limit before an arriving one is dropped.
    pub(crate) const fn port(&self, limit: u32) -> u32 {
        if self.pushing.is_some() { u32::MAX } else { limit }
    }

    /// After a packet has joined `port`, with this limit: the port from which one is pushed out, if
    /// the node is over a limit. `queued` returns the number of packets of a port.
    #[inline]
    pub(crate) fn pushes_from(
        &self,
        port: u32,
        limit: u32,
        buffered: u32,
        ports: usize,
        queued: impl Fn(usize) -> u32,
    ) -> Option<u32> {
        let limits = self.pushing?;
        let own = queued(port as usize);
        if own > limit {
            return Some(port);
        }
        if buffered <= limits.node {
            return None;
        }
        if limits.own {
            return Some(port);
        }
        let longest = (0..ports).map(&queued).max()?;
        let lowest = (0..ports).position(|other| queued(other) == longest)?;
        Some(if own == longest { port } else { lowest as u32 })
    }
}
