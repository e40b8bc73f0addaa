//! The door of a switch whose full buffer can drop packets, as both engines use it: how long a
//! packet waits at its input before it is admitted to the buffer.
//!
//! Flows with perfect clocks find room in an order that their phases fix: of N equal flows into a
//! full buffer one finds all of it, the others none. Real senders and switches vary; a wait at
//! random, up to the gap of the flow itself, is enough.
//! ```text
//! a = max(A, t + J)                                                                      (1)
//! J uniform in [0, min(G, W)) where a limit of the packet is at least half used, else 0  (2)
//! G = max(2 T, min(g, 16 max(T, T')))        W = (q - 1) T'                              (3)
//! ```
//! | symbol | meaning                                                                | unit    |
//! |--------|------------------------------------------------------------------------|---------|
//! | t, a   | the instants of arrival and of admission                               |         |
//! | A      | the last admission of a packet with the same input and output          |         |
//! | T, T'  | transmit time of the packet on the link by which it came, and leaves   | ps      |
//! | g      | time since the last packet of its VC part arrived here; 0 for the first | ps      |
//! | q      | packets that its output holds, including one in transmission           | packets |
//! | W      | their work, less one packet: the wait never leaves the output idle     | ps      |
//!
//! The order of packets of one input and output stays. `docs/models/jitter.md` derives the bounds.
//! Source: [FJ92], whose cure is a wait at the sender, uniform up to the service time of the
//! bottleneck. Differs: it is at the switch, up to the gap of the flow, and only near a full
//! buffer. Not modelled: multicast VCs where they branch, and sources of a host with a buffer.
//! Checked by: `tests/jitter.rs`, `hopflow/tests/jitter.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use hopflow_network::NetworkSpec;

/// A gap counts at most this number of packets.
const MOST_PACKETS: u64 = 16;

/// What is known of an arriving packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtDoor {
    /// T.
    pub(crate) came: Picos,
    /// T'.
    pub(crate) leaves: Picos,
    /// q.
    pub(crate) queued: u32,
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
        let part = if is_ack { "jitter of acks at" } else { "jitter at" };
        let purpose = format!("{part} {}", spec.nodes[node].name);
        let stream = RandomStream::new(spec.seed, &spec.vcs[vc].name, &purpose);
        Doorway { last: None, gap: Picos::ZERO, stream }
    }

    /// A packet arrives.
    pub(crate) fn arrive(&mut self, now: SimTime) {
        self.gap = self.last.map_or(Picos::ZERO, |last| now.since(last));
        self.last = Some(now);
    }

    /// J of the packet that has just arrived, where a limit is at least half used. Eq. (2), (3).
    pub(crate) fn jitter(&mut self, packet: &AtDoor) -> Picos {
        let AtDoor { came, leaves, queued } = *packet;
        let longest = came.max(leaves).0.saturating_mul(MOST_PACKETS);
        let own = came.0.saturating_mul(2).max(self.gap.0.min(longest));
        let work = leaves.0.saturating_mul(u64::from(queued.saturating_sub(1)));
        let most = own.min(work);
        if most == 0 {
            return Picos::ZERO;
        }
        Picos((self.stream.unit() * most as f64) as u64)
    }
}

/// Whether a limit is at least half used.
pub(crate) const fn is_half_used(held: u32, limit: u32) -> bool {
    limit < u32::MAX && held >= limit - limit / 2
}
