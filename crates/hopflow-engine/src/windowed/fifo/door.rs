//! The door of a FIFO-only switch that admits packets with jitter: packets that wait at their
//! inputs, see `embed/door.rs`.
//!
//! A port that is idle, or less than half full, delays nothing by itself. So most packets only
//! leave the instant of their arrival here. A packet is admitted after all arrivals of its instant.
//!
//! Checked by: `tests/engines_agree.rs`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, Picos};

use super::inputs::Arrival;
use super::outputs::Outputs;
use crate::embed::door::{AtDoor, stream};
use crate::windowed::state::idle::Plans;
use crate::windowed::wire::NEVER;
use hopflow_network::DirectionId;

/// A packet that waits, in the order of admissions: by instant, then by input, then by arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    at: u64,
    input: u32,
    count: u64,
    arrival: Arrival,
}

/// The last admission of packets of one input to a port.
#[derive(Clone, Copy, Debug)]
struct Last {
    port: u32,
    at: u64,
}

/// The door of a switch.
#[derive(Debug)]
pub(super) struct Door {
    plans: Arc<Plans>,
    node: usize,
    /// The first admission of a packet that waits; `NEVER` if none does.
    next: u64,
    /// No packet is admitted after this instant.
    latest: u64,
    /// For each VC, its last arrival; `NEVER` before the first.
    arrived: Box<[u64]>,
    /// For each VC, from the first draw on.
    streams: Box<[Option<Box<RandomStream>>]>,
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// For each input. Those that have passed are removed when the next packet comes.
    lasts: Box<[Vec<Last>]>,
    /// Packets that have waited.
    count: u64,
}

impl Door {
    /// The door of a node with these numbers of VCs and inputs.
    pub(super) fn new(plans: &Arc<Plans>, node: usize, [vcs, inputs]: [usize; 2]) -> Door {
        Door {
            plans: Arc::clone(plans),
            node,
            next: NEVER,
            latest: 0,
            arrived: vec![NEVER; vcs].into(),
            streams: (0..vcs).map(|_| None).collect(),
            waiting: BinaryHeap::new(),
            lasts: vec![Vec::new(); inputs].into(),
            count: 0,
        }
    }

    /// The first admission; `NEVER` if no packet waits.
    #[inline]
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    /// The next packet that is admitted before `end`, as if it arrived then.
    pub(super) fn admit(&mut self, end: u64) -> Option<Arrival> {
        if self.next >= end {
            return None;
        }
        let Reverse(Waiting { at, arrival, .. }) = self.waiting.pop()?;
        self.next = self.waiting.peek().map_or(NEVER, |Reverse(first)| first.at);
        Some(Arrival { due: at, ..arrival })
    }

    /// A packet arrives, which came by direction `by`. Returns whether it waits. Eq. (1).
    /// `COUNTED`: bytes are counted.
    #[inline]
    pub(super) fn holds<const COUNTED: bool>(
        &mut self,
        outputs: &mut Outputs,
        by: u32,
        arrival: &Arrival,
    ) -> bool {
        let now = arrival.due;
        let before = std::mem::replace(&mut self.arrived[arrival.to as usize], now);
        let queued = if COUNTED {
            outputs.queued_from_half_counted(arrival.to, arrival.bytes, now)
        } else {
            outputs.queued_from_half(arrival.to, now)
        };
        if queued == 0 && self.latest < now {
            return false;
        }
        let gap = now.saturating_sub(before);
        self.holds_some(outputs, by, arrival, [gap, u64::from(queued)])
    }

    /// The same where `queued` packets use at least half of the limit of the port, or others may
    /// wait; 0 where they use less.
    #[inline(never)]
    fn holds_some(
        &mut self,
        outputs: &Outputs,
        by: u32,
        arrival: &Arrival,
        [gap, queued]: [u64; 2],
    ) -> bool {
        let (now, input) = (arrival.due, arrival.input);
        let hop = &outputs.hops[arrival.to as usize];
        let lasts = &mut self.lasts[input as usize];
        lasts.retain(|last| last.at >= now);
        let last = lasts.iter().position(|last| last.port == hop.port);
        let first = last.map_or(now, |last| lasts[last].at.saturating_add(1));
        let mut at = first;
        if queued > 0 {
            let spec = &self.plans.spec;
            let size = Bytes(u64::from(outputs.names.size_of(arrival.to, arrival.bytes)));
            let out = outputs.ports[hop.port as usize].direction;
            let [came, leaves] =
                [by, out].map(|id| spec.transmit_time(DirectionId(id as usize), size));
            let (vc, queued) = (hop.vc as usize, queued as u32);
            // Where a scheduler protects flows, one VC uses the port.
            let packet = AtDoor { came, leaves, queued, own: queued, protects: false };
            let fresh = || Box::new(stream(spec, vc, false, self.node));
            let stream = self.streams[arrival.to as usize].get_or_insert_with(fresh);
            at = first.max(now.saturating_add(packet.jitter(Picos(gap), stream).0));
        }
        if at == now {
            return false;
        }
        match last {
            Some(last) => lasts[last].at = at,
            None => lasts.push(Last { port: hop.port, at }),
        }
        self.waiting.push(Reverse(Waiting { at, input, count: self.count, arrival: *arrival }));
        self.count += 1;
        (self.next, self.latest) = (self.next.min(at), self.latest.max(at));
        true
    }
}
