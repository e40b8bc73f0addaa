//! Ends of VCs that are made when first used, see `state/idle.rs`.

use std::sync::Arc;

use crate::windowed::build::ends::{receiver_parts, sender_parts};
use crate::windowed::state::idle::{IdleReceiver, IdleSender, Plans, leaf_of, source_of};
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::{Role, VcReceiver};
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::{Making, VcSource};
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{Addressee, addressee, readdressed};

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

/// Adds to those that were made. Room grows by an eighth, not by all there is.
fn push<T>(all: &mut Vec<T>, one: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 8 + 4);
    }
    all.push(one);
}
