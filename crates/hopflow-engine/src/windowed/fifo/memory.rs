//! The bytes of memory that a FIFO-only switch holds, where a limit counts them or memory has
//! cells: of its ports, of VCs, and of all of it. Where all packets take the same, there is no need
//! for it: `rule.rs` makes packets of the limits.
//!
//! ```text
//! bytes(a) = sum of t over the packets that have joined and whose e > a            (1)
//! refused if bytes + t > limit, of the port, of the VC, or of the switch           (2)
//! ```
//! | symbol | meaning                                            | unit  |
//! |--------|----------------------------------------------------|-------|
//! | a, e   | as in `fifo.rs`                                    | ps    |
//! | t      | what a packet takes of the memory                  | bytes |
//!
//! As a packet has joined, the instant at which it leaves is known. So each port has a list of
//! packets in the order in which they leave, beside the queue that `output.rs` has for their
//! starts: those that have left are removed as another packet joins. The sum over ports is an upper
//! bound, and exact before `sure_until`, as that of packets in `held.rs`.
//!
//! Source: Eqs. (2) to (4), `hopflow-network/src/spec/limit.rs`. Not modelled here: thresholds that
//! move, packets that are pushed out; nodes with these are general ones.
//! Checked by: `tests/fifo_only.rs`, `tests/engines_agree.rs`, `tests/bytes_agree.rs`.

use std::collections::VecDeque;

use hopflow_network::{DirectionId, Limit, NetworkSpec, fits, taken};

use crate::windowed::wire::NEVER;

/// A limit, or none.
const NO_LIMIT: u64 = u64::MAX;

/// A packet that has joined a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// The instant at which its last bit leaves.
    pub(super) leave: u64,
    /// What it takes.
    pub(super) takes: u64,
    pub(super) hop: u32,
}

/// The bytes of a port.
#[derive(Debug)]
struct PortMemory {
    held: u64,
    limit: u64,
    packets: VecDeque<Held>,
}

/// The bytes of a switch.
#[derive(Debug)]
pub(super) struct Memory {
    /// A cell of the memory; 1 B where a packet takes its bytes.
    cell: u64,
    /// For each hop, what its packets take; 0 where sizes differ.
    takes: Box<[u64]>,
    ports: Box<[PortMemory]>,
    /// For each hop, the bytes at its port, where VCs have a limit.
    of_vcs: Box<[u64]>,
    vc_limit: u64,
    limit: u64,
    /// The sum over ports, an upper bound of the bytes at the switch; and the maximum there.
    held: u64,
    pub(super) held_max: u64,
    /// No packet that `held` counts leaves before this instant.
    sure_until: u64,
}

impl Memory {
    /// The memory of a switch, the node with this number. `ports`: the directions by which VCs
    /// leave; `sizes`: for each hop, the size of its packets, if all have one size.
    pub(super) fn new(
        spec: &NetworkSpec,
        node: usize,
        ports: impl Iterator<Item = DirectionId>,
        sizes: impl Iterator<Item = Option<u32>>,
    ) -> Memory {
        let node = &spec.nodes[node];
        let limit_of =
            |limit: Option<Limit>| limit.and_then(Limit::bytes).map_or(NO_LIMIT, |bytes| bytes.0);
        let port = |id: DirectionId| PortMemory {
            held: 0,
            limit: limit_of(spec.port_limit(id)),
            packets: VecDeque::new(),
        };
        let cell = node.cell.map_or(1, |cell| cell.0);
        let takes = |size: Option<u32>| size.map_or(0, |size| taken(u64::from(size), cell));
        let takes: Box<[u64]> = sizes.map(takes).collect();
        let vc_limit = limit_of(node.vc_buffer);
        let vcs = if vc_limit == NO_LIMIT { 0 } else { takes.len() };
        Memory {
            cell,
            takes,
            ports: ports.map(port).collect(),
            of_vcs: vec![0; vcs].into(),
            vc_limit,
            limit: limit_of(node.buffer),
            held: 0,
            held_max: 0,
            sure_until: NEVER,
        }
    }

    /// What a packet of a hop takes; `size` is asked for where sizes differ.
    #[inline]
    pub(super) fn takes(&self, hop: u32, size: impl FnOnce() -> u32) -> u64 {
        match self.takes[hop as usize] {
            0 => taken(u64::from(size()), self.cell),
            takes => takes,
        }
    }

    /// Removes the packets that have left a port by `now`.
    #[inline]
    fn expire(&mut self, port: u32, now: u64) {
        let of_port = &mut self.ports[port as usize];
        while let Some(front) = of_port.packets.front()
            && front.leave <= now
        {
            let Held { takes, hop, .. } = *front;
            of_port.packets.pop_front();
            of_port.held -= takes;
            self.held -= takes;
            if let Some(of_vc) = self.of_vcs.get_mut(hop as usize) {
                *of_vc -= takes;
            }
        }
    }

    /// Whether there is no room for a packet that arrives for the port of its hop. Eq. (2).
    #[inline]
    pub(super) fn refuses(&mut self, port: u32, hop: u32, takes: u64, now: u64) -> bool {
        let of_vc = self.of_vcs.get(hop as usize).copied().unwrap_or(0);
        if !fits(of_vc, takes, self.vc_limit) {
            self.expire(port, now);
            if !fits(self.of_vcs[hop as usize], takes, self.vc_limit) {
                return true;
            }
        }
        self.lacks(port, [1, takes]) && self.surely_lacks(port, [1, takes], now)
    }

    /// Whether at least half of a limit of a port or the switch is used: as much again does not fit
    /// with the packet.
    #[inline]
    pub(super) fn uses_half(&mut self, port: u32, takes: u64, now: u64) -> bool {
        self.lacks(port, [2, takes]) && self.surely_lacks(port, [2, takes], now)
    }

    /// Whether `times` times what a port or the switch holds leaves no room there for what a packet
    /// takes. Packets count that have left since.
    #[inline]
    fn lacks(&self, port: u32, [times, takes]: [u64; 2]) -> bool {
        let of_port = &self.ports[port as usize];
        !fits(times * of_port.held, takes, of_port.limit)
            || !fits(times * self.held, takes, self.limit)
    }

    /// The same without what has left.
    #[inline(never)]
    fn surely_lacks(&mut self, port: u32, takes: [u64; 2], now: u64) -> bool {
        self.expire(port, now);
        if now >= self.sure_until {
            self.recount(now);
        }
        self.lacks(port, takes)
    }

    /// A packet joins a port.
    #[inline]
    pub(super) fn join(&mut self, port: u32, packet: Held, now: u64) {
        self.expire(port, now);
        let Held { leave, takes, hop } = packet;
        let of_port = &mut self.ports[port as usize];
        of_port.held += takes;
        of_port.packets.push_back(packet);
        if let Some(of_vc) = self.of_vcs.get_mut(hop as usize) {
            *of_vc += takes;
        }
        self.held += takes;
        self.sure_until = self.sure_until.min(leave);
        if self.held > self.held_max {
            if now >= self.sure_until {
                self.recount(now);
            }
            self.held_max = self.held_max.max(self.held);
        }
    }

    #[inline(never)]
    fn recount(&mut self, now: u64) {
        let mut sure_until = NEVER;
        for port in 0..self.ports.len() as u32 {
            self.expire(port, now);
            let first = self.ports[port as usize].packets.front();
            sure_until = sure_until.min(first.map_or(NEVER, |first| first.leave));
        }
        self.sure_until = sure_until;
    }

    /// The maximum begins again. A packet that leaves at `now` still counts.
    pub(super) fn restart(&mut self, now: u64) {
        if let Some(before) = now.checked_sub(1) {
            self.recount(before);
        }
        self.held_max = self.held;
    }
}
