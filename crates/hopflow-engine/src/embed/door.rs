//! The door of a switch whose full buffer can drop packets, as both engines use it: how long a
//! packet waits at its input before it is admitted to the buffer.
//!
//! Flows with perfect clocks find room in an order that their phases fix: of N equal flows into a
//! full buffer one finds all of it, the others none. Real senders and switches vary; a wait at
//! random, up to the gap of the flow itself, is enough.
//! ```text
//! a = max(A + 1 ps, t + J)                                                               (1)
//! J uniform in [0, min(G, W)) where a limit of the packet is at least half used, else 0  (2)
//! G = max(2 T, min(g, 16 max(T, T')))        W = (q - 1) T'                              (3)
//! ```
//! | symbol | meaning                                                                | unit    |
//! |--------|------------------------------------------------------------------------|---------|
//! | t, a   | the instants of arrival and of admission                               |         |
//! | A      | the last admission of a packet with the same input and output          |         |
//! | T, T'  | transmit time of the packet on the link by which it came, and leaves   | ps      |
//! | g      | time since the last packet of its VC part arrived here; 0 for the first | ps      |
//! | q      | packets at its output that start before it, or have started            | packets |
//! | W      | their work, less one packet: the packet, if all are as long, waits longer | ps   |
//!
//! q counts all packets of the output, except under a scheduler that protects flows
//! ([`hopflow_control::scheduler::Facts::protects`]): there, if g > 2 T, it counts those of the
//! same part of the VC. So a flow below the rate of its link that the scheduler would serve at once
//! does not wait.
//!
//! The order of packets of one input and output stays: Eq. (1) without A if none waits.
//! `docs/models/jitter.md` derives the bounds.
//! Source: [FJ92], whose cure is a wait at the sender, uniform up to the service time of the
//! bottleneck. Differs: it is at the switch, up to the gap of the flow, and only near a full
//! buffer. Not modelled: multicast VCs where they branch, sources of a host with a
//! buffer, and receive buffers of slow hosts.
//! Checked by: `tests/engines_agree.rs`, `hopflow/tests/jitter.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use hopflow_network::{Limit, Load, MOST_JITTER, NetworkSpec};

/// What is known of an arriving packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtDoor {
    /// T.
    pub(crate) came: Picos,
    /// T'.
    pub(crate) leaves: Picos,
    /// Packets that its output holds.
    pub(crate) queued: u32,
    /// Of these, packets of the same part of the VC.
    pub(crate) own: u32,
    /// Whether the scheduler of the output protects flows from each other.
    pub(crate) protects: bool,
}

impl AtDoor {
    /// J of the packet, `gap` after the last one of its part of the VC, where a limit is at least
    /// half used; drawn from the stream of that part. Eq. (2), (3).
    pub(crate) fn jitter(&self, gap: Picos, stream: &mut RandomStream) -> Picos {
        let AtDoor { came, leaves, queued, own, protects } = *self;
        let line = came.0.saturating_mul(2);
        let longest = came.max(leaves).0.saturating_mul(MOST_JITTER);
        let all_first = !protects || gap.0 <= line;
        let ahead = if all_first { queued } else { own };
        let work = leaves.0.saturating_mul(u64::from(ahead.saturating_sub(1)));
        let most = line.max(gap.0.min(longest)).min(work);
        if most == 0 {
            return Picos::ZERO;
        }
        Picos((stream.unit() * most as f64) as u64)
    }
}

/// The stream of the forward or ACK part of a VC at a node.
pub(crate) fn stream(spec: &NetworkSpec, vc: usize, is_ack: bool, node: usize) -> RandomStream {
    let part = if is_ack { "jitter of acks at" } else { "jitter at" };
    let purpose = format!("{part} {}", spec.nodes[node].name);
    RandomStream::new(spec.seed, &spec.vcs[vc].name, &purpose)
}

/// One part of a VC at the door of a switch.
#[derive(Clone, Debug)]
pub(crate) struct Doorway {
    /// The last arrival, and the time since the one before.
    last: Option<SimTime>,
    gap: Picos,
    stream: RandomStream,
}

impl Doorway {
    /// The forward or ACK part of a VC at a node, before its first packet.
    pub(crate) fn new(spec: &NetworkSpec, vc: usize, is_ack: bool, node: usize) -> Doorway {
        Doorway { last: None, gap: Picos::ZERO, stream: stream(spec, vc, is_ack, node) }
    }

    /// A packet arrives.
    pub(crate) fn arrive(&mut self, now: SimTime) {
        self.gap = self.last.map_or(Picos::ZERO, |last| now.since(last));
        self.last = Some(now);
    }

    /// J of the packet that has just arrived, where a limit is at least half used.
    pub(crate) fn jitter(&mut self, packet: &AtDoor) -> Picos {
        packet.jitter(self.gap, &mut self.stream)
    }
}

/// Whether a limit is at least half used: as much again as is held does not fit with the packet.
pub(crate) fn uses_half(held: Load, packet: Load, limit: Option<Limit>) -> bool {
    limit.is_some_and(|limit| !limit.fits(held.times(2), packet))
}
