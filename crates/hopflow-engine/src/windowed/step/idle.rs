//! Creates ends of VCs when they are first used, see `state/idle.rs`.

use std::sync::Arc;

use crate::windowed::build::ends;
use crate::windowed::state::HopId;
use crate::windowed::state::idle::{IdleReceiver, IdleSender, Plans, leaf_of};
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::source::{Making, VcSource};
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{Addressee, addressee, readdressed};

impl Node {
    /// Replaces the number in a unit's address by the index. Creates the end if it does not exist.
    #[inline]
    pub(super) fn found(&mut self, words: [u64; 2]) -> [u64; 2] {
        let Some(idle) = &self.idle else { return words };
        let index = match addressee(words) {
            Addressee::Receiver(number) => match idle.received[number as usize] {
                NONE => self.make_receiver(number),
                index => index,
            },
            Addressee::Sender(number) => idle.sent[number as usize],
            Addressee::NoEnd => return words,
        };
        assert!(index != NONE, "who is answered has sent");
        readdressed(words, index)
    }

    /// The index of the source with this number. Creates the source if it does not exist.
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
        let place = HopId { vc: vc as usize, hop: hop as usize };
        let role = if forward == NONE {
            Role::Deliver(Box::new(leaf_of(&plans.spec, place)))
        } else {
            Role::Forward(self.make_sender(forward, index, NONE))
        };
        let mut receiver = ends::receiver(&plans.spec, &plans.directions, place, role);
        receiver.upstream = upstream;
        push(&mut self.receivers, receiver);
        index
    }

    /// Creates a sender that a receiver or a source feeds.
    fn make_sender(&mut self, number: u32, receiver: u32, source: u32) -> u32 {
        let idle = self.idle.as_mut().expect("only there ends are made late");
        let IdleSender { vc, hop, downstream } = idle.senders[number as usize];
        let index = self.senders.len() as u32;
        idle.sent[number as usize] = index;
        let Plans { spec, directions } = &*idle.plans;
        let place = HopId { vc: vc as usize, hop: hop as usize };
        let mut sender = ends::sender(spec, directions, place, false);
        (sender.queue.receiver, sender.queue.downstream) = (receiver, downstream);
        sender.circuit.source = source;
        push(&mut self.senders, sender);
        index
    }

    #[cold]
    #[inline(never)]
    fn make_source(&mut self, number: u32) -> u32 {
        let index = self.sources.len() as u32;
        let sender = self.make_sender(number, NONE, index);
        let idle = self.idle.as_mut().expect("only there ends are made late");
        idle.made[number as usize] = index;
        let source = idle.plans.spec.new_source(idle.senders[number as usize].vc as usize);
        push(&mut self.sources, VcSource::new(Making::Timed(source), sender));
        index
    }
}

/// Appends to the created ends. The capacity grows by an eighth, not to twice its value.
fn push<T>(all: &mut Vec<T>, one: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 8 + 4);
    }
    all.push(one);
}
