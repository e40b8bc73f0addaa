//! VCs that have not been used: what a node keeps of a VC until something of it comes.
//!
//! Of a million VCs most never send a cell in a run. Where all VCs are of the usual kind, a node
//! keeps of each only who it is and what the nodes beside call it; its sender, its receiver, its
//! final host's part and its source are made when a unit of it comes, or when its first cell is
//! due. Two numbers tell an end of a VC:
//! ```text
//! number   its place among the VCs of the node, in order: on the wire, in timers
//! index    its place among those that were made, as they were made: in all that stays at the node
//! ```
//! Only numbers decide an order, so that nobody can see when an end was made. At any other node all
//! ends are made before the run, in order, and number and index are one.
//!
//! Usual is a VC with one final host, without window, rate control, packets cut into cells or
//! connection; whose credit scheme names no instants, asks for nothing and repeats nothing; and at
//! its first node, whose source is not greedy. It crosses no port with a scheduler of its own
//! mind, and no link with lanes, a pool or rate control, at this node. Plain nodes keep the same.
//!
//! Checked by: `tests/engines_agree.rs`.

use std::sync::Arc;

use super::directions::Directions;
use super::receiver::{Leaf, Waiting};
use crate::windowed::wire::NONE;
use hopflow_network::NetworkSpec;
use hopflow_network::traffic::Source;

/// What ends are made from.
#[derive(Debug)]
pub(crate) struct Plans {
    pub(crate) spec: NetworkSpec,
    pub(crate) directions: Directions,
}

/// One VC as it leaves a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleSender {
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    /// The number of the receiver at the next node.
    pub(crate) downstream: u32,
}

/// One VC as it comes to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleReceiver {
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    /// The number of the sender at the node before.
    pub(crate) upstream: u32,
    /// The number of the sender it is passed on to; `NONE` at its final host.
    pub(crate) forward: u32,
}

/// All VCs of a node, in order; and by number the index, `NONE` of what is not made.
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
    /// Room for exactly so many senders, receivers and sources.
    pub(crate) fn new(plans: &Arc<Plans>, [senders, receivers, sources]: [usize; 3]) -> Idle {
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
    pub(crate) fn add_sender(&mut self, (vc, hop): (usize, usize)) -> u32 {
        self.senders.push(IdleSender { vc: vc as u32, hop: hop as u32, downstream: NONE });
        self.senders.len() as u32 - 1
    }

    /// Adds a VC that comes in, and is passed on to `forward`. Returns its number.
    pub(crate) fn add_receiver(&mut self, (vc, hop): (usize, usize), forward: u32) -> u32 {
        let (vc, hop) = (vc as u32, hop as u32);
        self.receivers.push(IdleReceiver { vc, hop, upstream: NONE, forward });
        self.receivers.len() as u32 - 1
    }

    /// Tells a receiver of the sender before it.
    pub(crate) fn set_upstream(&mut self, receiver: u32, sender: u32) {
        self.receivers[receiver as usize].upstream = sender;
    }

    /// Whether all VCs have one priority.
    pub(super) fn has_one_priority(&self) -> bool {
        let priority = |sender: &IdleSender| self.plans.spec.vcs[sender.vc as usize].priority;
        self.senders.windows(2).all(|pair| priority(&pair[0]) == priority(&pair[1]))
    }

    /// The index of a sender, `NONE` if it is not made.
    pub(crate) fn sender(&self, number: usize) -> u32 {
        self.sent[number]
    }

    /// The index of a receiver, `NONE` if it is not made.
    #[inline]
    pub(crate) fn receiver(&self, number: usize) -> u32 {
        self.received[number]
    }

    /// Whether VCs start here: then all that leave do.
    pub(crate) fn has_sources(&self) -> bool {
        !self.made.is_empty()
    }

    /// The index of a source, `NONE` if it is not made.
    pub(crate) fn source(&self, number: usize) -> u32 {
        self.made[number]
    }
}

/// What the only final host of a VC keeps.
pub(crate) fn leaf_of(spec: &NetworkSpec, (vc, hop): (usize, usize)) -> Leaf {
    Leaf::new(0, Waiting::of(spec, &spec.vcs[vc], hop))
}

/// The source of a VC before its first packet.
pub(crate) fn source_of(spec: &NetworkSpec, vc: usize) -> Source {
    spec.new_source(vc)
}
