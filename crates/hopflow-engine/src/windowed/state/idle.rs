//! VCs that have not been used: the state that a node keeps of a VC until its first unit arrives.
//!
//! Of a million VCs most never send a cell in a run. Where all VCs are of the usual kind, a node
//! keeps only the identity of each and its numbers at the adjacent nodes; its sender, its receiver,
//! the state of its final host and its source are created when a unit of it arrives, or when its
//! first cell is due. Two numbers identify an end of a VC:
//! ```text
//! number   its position among the VCs of the node, in order: on the wire, in timers
//! index    its position among those created, in order of creation: in all state of the node
//! ```
//! Only numbers decide an order, so results do not depend on when an end was created. At any other
//! node all ends are created before the run, in order, and number and index are equal.
//!
//! A usual VC has one final host, and no window, rate control, packets cut into cells or
//! connection; its credit scheme names no instants, sends no requests and repeats nothing; at its
//! first node, its source is not greedy. It crosses no port with a scheduler other than round
//! robin, and no link with lanes, a shared buffer or rate control, at this node. FIFO-only nodes
//! keep the same state.
//!
//! Checked by: `tests/engines_agree.rs`.

use std::sync::Arc;

use super::HopId;
use super::directions::Directions;
use super::receiver::{Leaf, Waiting};
use crate::windowed::wire::NONE;
use hopflow_network::NetworkSpec;

/// The description from which ends are created.
#[derive(Debug)]
pub(crate) struct Plans {
    pub(crate) spec: NetworkSpec,
    pub(crate) directions: Directions,
}

/// The numbers of ends of VCs at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EndCounts {
    pub(crate) senders: usize,
    pub(crate) receivers: usize,
    pub(crate) sources: usize,
}

/// One VC as it leaves a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleSender {
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    /// The number of the receiver at the next node.
    pub(crate) downstream: u32,
}

/// One VC as it enters a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleReceiver {
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    /// The number of the sender at the previous node.
    pub(crate) upstream: u32,
    /// The number of the sender that it feeds; `NONE` at its final host.
    pub(crate) forward: u32,
}

/// All VCs of a node, in order; and for each number the index, `NONE` until it is created.
#[derive(Debug)]
pub(crate) struct Idle {
    pub(crate) plans: Arc<Plans>,
    pub(crate) senders: Vec<IdleSender>,
    pub(crate) receivers: Vec<IdleReceiver>,
    pub(crate) sent: Vec<u32>,
    pub(crate) received: Vec<u32>,
    /// At a host: a source has the number of its sender.
    pub(crate) made: Vec<u32>,
}

impl Idle {
    /// Allocates memory for exactly these numbers of ends.
    pub(crate) fn new(plans: &Arc<Plans>, counts: EndCounts) -> Idle {
        let EndCounts { senders, receivers, sources } = counts;
        Idle {
            plans: Arc::clone(plans),
            senders: Vec::with_capacity(senders),
            receivers: Vec::with_capacity(receivers),
            sent: vec![NONE; senders],
            received: vec![NONE; receivers],
            made: vec![NONE; sources],
        }
    }

    /// Adds a VC that leaves. Returns its number.
    pub(crate) fn add_sender(&mut self, HopId { vc, hop }: HopId) -> u32 {
        self.senders.push(IdleSender { vc: vc as u32, hop: hop as u32, downstream: NONE });
        self.senders.len() as u32 - 1
    }

    /// Adds a VC that arrives and feeds `forward`. Returns its number.
    pub(crate) fn add_receiver(&mut self, HopId { vc, hop }: HopId, forward: u32) -> u32 {
        let (vc, hop) = (vc as u32, hop as u32);
        self.receivers.push(IdleReceiver { vc, hop, upstream: NONE, forward });
        self.receivers.len() as u32 - 1
    }

    /// Whether all VCs have one priority.
    pub(super) fn has_one_priority(&self) -> bool {
        let priority = |sender: &IdleSender| self.plans.spec.vcs[sender.vc as usize].priority;
        self.senders.windows(2).all(|pair| priority(&pair[0]) == priority(&pair[1]))
    }

    /// Whether VCs start at this node: then all VCs that leave do.
    pub(crate) fn has_sources(&self) -> bool {
        !self.made.is_empty()
    }
}

/// The state of the only final host of a VC.
pub(crate) fn leaf_of(spec: &NetworkSpec, HopId { vc, hop }: HopId) -> Leaf {
    Leaf::new(0, Waiting::of(spec, &spec.vcs[vc], hop))
}
