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
use super::ends::{receiver_parts, sender_parts};
use super::node::{Node, NodeParts};
use super::plain::{Plain, is_plain_vc};
use super::receiver::{Leaf, Role, VcReceiver, Waiting};
use super::sender::{NONE, VcSender};
use super::source::{Making, VcSource};
use super::timers::Timer;
use super::unit::{Addressee, addressee, readdressed};
use crate::traffic::Source;
use crate::{CreditScheme, DirectionId, HopControl, HopSpec, NetworkSpec, NodeKind, SourceSpec};
use hopflow_control::scheduler::SchedulerSpec;

/// What ends are made from.
#[derive(Debug)]
pub(super) struct Plans {
    pub(super) spec: NetworkSpec,
    pub(super) directions: Directions,
}

/// One VC as it leaves a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdleSender {
    pub(super) vc: u32,
    pub(super) hop: u32,
    /// The number of the receiver at the next node.
    pub(super) downstream: u32,
}

/// One VC as it comes to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdleReceiver {
    pub(super) vc: u32,
    pub(super) hop: u32,
    /// The number of the sender at the node before.
    upstream: u32,
    /// The number of the sender it is passed on to; `NONE` at its final host.
    pub(super) forward: u32,
}

/// All VCs of a node, in order; and by number the index, `NONE` of what is not made.
#[derive(Debug)]
pub(super) struct Idle {
    pub(super) plans: Arc<Plans>,
    pub(super) senders: Vec<IdleSender>,
    pub(super) receivers: Vec<IdleReceiver>,
    sent: Vec<u32>,
    received: Vec<u32>,
    /// At a host: a source has the number of its sender.
    made: Vec<u32>,
}

impl Idle {
    /// Room for exactly so many senders, receivers and sources.
    pub(super) fn new(plans: &Arc<Plans>, [senders, receivers, sources]: [usize; 3]) -> Idle {
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
    pub(super) fn add_sender(&mut self, (vc, hop): (usize, usize)) -> u32 {
        self.senders.push(IdleSender { vc: vc as u32, hop: hop as u32, downstream: NONE });
        self.senders.len() as u32 - 1
    }

    /// Adds a VC that comes in, and is passed on to `forward`. Returns its number.
    pub(super) fn add_receiver(&mut self, (vc, hop): (usize, usize), forward: u32) -> u32 {
        let (vc, hop) = (vc as u32, hop as u32);
        self.receivers.push(IdleReceiver { vc, hop, upstream: NONE, forward });
        self.receivers.len() as u32 - 1
    }

    /// Tells a receiver of the sender before it.
    pub(super) fn set_upstream(&mut self, receiver: u32, sender: u32) {
        self.receivers[receiver as usize].upstream = sender;
    }

    /// Whether all VCs have one priority.
    pub(super) fn has_one_priority(&self) -> bool {
        let priority = |sender: &IdleSender| self.plans.spec.vcs[sender.vc as usize].priority;
        self.senders.windows(2).all(|pair| priority(&pair[0]) == priority(&pair[1]))
    }

    /// The index of a sender, `NONE` if it is not made.
    pub(super) fn sender(&self, number: usize) -> u32 {
        self.sent[number]
    }

    /// The index of a receiver, `NONE` if it is not made.
    #[inline]
    pub(super) fn receiver(&self, number: usize) -> u32 {
        self.received[number]
    }

    /// Whether VCs start here: then all that leave do.
    pub(super) fn has_sources(&self) -> bool {
        !self.made.is_empty()
    }

    /// The index of a source, `NONE` if it is not made.
    pub(super) fn source(&self, number: usize) -> u32 {
        self.made[number]
    }
}

impl Node {
    /// A unit as it is addressed here: to an index, not to a number. An end is made if it was not.
    #[inline]
    pub(super) fn found(&mut self, words: [u64; 2]) -> [u64; 2] {
        let Some(idle) = &self.idle else { return words };
        let index = match addressee(words) {
            Addressee::Receiver(number) => match idle.received[number as usize] {
                NONE => self.make_receiver(number),
                index => index,
            },
            Addressee::Sender(number) => idle.sent[number as usize],
            Addressee::Nobody => return words,
        };
        assert!(index != NONE, "who is answered has sent");
        readdressed(words, index)
    }

    /// The index of the source of this number. It is made if it was not.
    #[inline]
    pub(super) fn source_index(&mut self, number: u32) -> u32 {
        match &self.idle {
            None => number,
            Some(idle) => match idle.made[number as usize] {
                NONE => self.make_source(number),
                index => index,
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn make_receiver(&mut self, number: u32) -> u32 {
        let idle = self.idle.as_mut().expect("only there ends are made late");
        let plans = Arc::clone(&idle.plans);
        let IdleReceiver { vc, hop, upstream, forward } = idle.receivers[number as usize];
        let index = self.receivers.len() as u32;
        idle.received[number as usize] = index;
        let place = (vc as usize, hop as usize);
        let role = if forward == NONE {
            Role::Deliver(Box::new(leaf_of(&plans.spec, place)))
        } else {
            Role::Forward(self.make_sender(forward, [index, NONE]))
        };
        let parts = receiver_parts(&plans.spec, &plans.directions, place, role);
        let mut receiver = VcReceiver::new(parts);
        receiver.upstream = upstream;
        push(&mut self.receivers, receiver);
        index
    }

    /// Makes a sender that is fed by a receiver or a source.
    fn make_sender(&mut self, number: u32, [receiver, source]: [u32; 2]) -> u32 {
        let idle = self.idle.as_mut().expect("only there ends are made late");
        let IdleSender { vc, hop, downstream } = idle.senders[number as usize];
        let index = self.senders.len() as u32;
        idle.sent[number as usize] = index;
        let Plans { spec, directions } = &*idle.plans;
        let parts = sender_parts(spec, directions, (vc as usize, hop as usize), false);
        let mut sender = VcSender::new(parts);
        (sender.receiver, sender.source, sender.downstream) = (receiver, source, downstream);
        push(&mut self.senders, sender);
        index
    }

    #[cold]
    #[inline(never)]
    fn make_source(&mut self, number: u32) -> u32 {
        let index = self.sources.len() as u32;
        let idle = self.idle.as_mut().expect("only there ends are made late");
        idle.made[number as usize] = index;
        let source = source_of(&idle.plans.spec, idle.senders[number as usize].vc as usize);
        let sender = self.make_sender(number, [NONE, index]);
        push(&mut self.sources, VcSource::new(Making::Timed(source), sender));
        index
    }
}

/// What the only final host of a VC keeps.
pub(super) fn leaf_of(spec: &NetworkSpec, (vc, hop): (usize, usize)) -> Leaf {
    Leaf::new(0, Waiting::of(spec, &spec.vcs[vc], hop))
}

/// The source of a VC before its first packet.
pub(super) fn source_of(spec: &NetworkSpec, vc: usize) -> Source {
    spec.new_source(vc)
}

/// Adds to those that were made. Room grows by an eighth, not by all there is.
fn push<T>(all: &mut Vec<T>, one: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 8 + 4);
    }
    all.push(one);
}

// Building.

/// By node, whether ends are made when first used.
pub(super) fn idle_nodes(spec: &NetworkSpec, plain: &Plain) -> Vec<bool> {
    let mut idle = vec![true; spec.nodes.len()];
    let mut exclude = |nodes: [usize; 2]| nodes.into_iter().for_each(|node| idle[node] = false);
    for id in (0..spec.direction_count()).map(DirectionId) {
        let direction = spec.direction(id);
        if direction.lanes.is_some() || direction.pool.is_some() {
            exclude(spec.links[id.link()].ends);
        }
        let is_turned = direction.scheduler == SchedulerSpec::RoundRobin;
        if !is_turned || direction.rate_control.is_some() {
            exclude([spec.from_node(id); 2]);
        }
    }
    for vc in &spec.vcs {
        let is_usual = is_plain_vc(spec, vc);
        for hop in vc.hops.iter().filter(|hop| !is_usual || !has_usual_credit(hop)) {
            exclude(spec.links[hop.link].ends);
        }
        let first = spec.from_node(vc.hops[0].direction_id());
        let is_host = spec.nodes[first].kind == NodeKind::Host;
        if matches!(*vc.source, SourceSpec::Greedy | SourceSpec::Endpoint) || !is_host {
            exclude([first; 2]);
        }
    }
    (0..idle.len()).map(|node| idle[node] || plain.is_plain(node)).collect()
}

/// Whether credit, if there is any, names no instants, asks for nothing and repeats nothing.
fn has_usual_credit(hop: &HopSpec) -> bool {
    let HopControl::Credit(credit) = hop.control else { return true };
    let is_usual = match credit.scheme {
        CreditScheme::N23
        | CreditScheme::N123 { .. }
        | CreditScheme::Cup
        | CreditScheme::Additive => true,
        CreditScheme::N23Continuous | CreditScheme::N123Plus { .. } | CreditScheme::Adaptive => {
            false
        }
    };
    is_usual && credit.request_after.is_none() && credit.redundant_every.is_none()
}

/// Sets the timer of a source that is not made yet.
pub(super) fn add_idle_source(
    spec: &NetworkSpec,
    node: &mut NodeParts,
    (vc, number): (usize, u32),
) {
    if let Some(due) = source_of(spec, vc).due() {
        node.timers.set(due.0, Timer::Source(number));
    }
}
