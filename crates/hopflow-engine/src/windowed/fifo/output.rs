//! One port of a plain node, and who is there.
//!
//! ```text
//! packets of a port:  left | on the link, e > a | waiting, s >= end of the window
//!                            first, then queue[..put]   queue[put..]
//! ```
//! `first` is the packet that found the port idle. Of those behind it, each starts as the one
//! before it has left.

use std::collections::VecDeque;

use hopflow_kernel::{Bell, InFlight, OrderHash, RingWriter};
use hopflow_units::Bytes;

use crate::windowed::state::port::Out;
use crate::windowed::wire::unit::{CELL, pack_data, pack_size};
use crate::windowed::wire::{NEVER, NONE};
use hopflow_network::CellKind;
use hopflow_network::Wire;

/// A packet as it joins its port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) birth: u64,
    pub(super) value: u32,
    /// 0 where its VC tells it.
    pub(super) bytes: u32,
}

/// A packet that did not find its port idle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    /// When it will have left.
    pub(super) leave: u64,
    pub(super) packet: Packet,
    pub(super) hop: u32,
}

/// One VC as it leaves the node: what every packet needs.
#[derive(Debug)]
pub(super) struct Hop {
    /// The transmit time of its packets; 0 where they differ.
    pub(super) time: u64,
    pub(super) joined: u64,
    pub(super) port: u32,
    /// The receiver at the next node.
    pub(super) to: u32,
    pub(super) vc: u32,
}

/// What only some packets need: those that wait, and those of VCs that share a port.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// The time that packets waited, and where sizes differ that they took, in packet x ps.
    pub(super) area: u128,
    /// When the last packet that joined will have left. This and the rest: of a shared port.
    pub(super) last_leave: u64,
    /// Time without a packet, up to the last that joined.
    pub(super) no_cell: u64,
    /// Packets here as the last one joined, and the most ever. The first holds only until
    /// `last_leave`.
    pub(super) fill: u32,
    pub(super) fill_max: u32,
}

impl Waits {
    /// A packet joins.
    #[inline]
    pub(super) fn join(&mut self, now: u64, leave: u64) {
        let idle = now.checked_sub(self.last_leave);
        self.no_cell += idle.unwrap_or(0);
        self.fill = if idle.is_some() { 1 } else { self.fill + 1 };
        self.fill_max = self.fill_max.max(self.fill);
        self.last_leave = leave;
    }
}

/// One port by which VCs leave, in the order of use.
#[repr(C, align(64))]
#[derive(Debug)]
pub(super) struct Output {
    /// From when on a packet passes the port without a look at anything else: `free`, where only
    /// sizes are not told and just the packet `first` is counted; else never.
    pub(super) gate: u64,
    /// When all that joined will have left.
    pub(super) free: u64,
    /// Time without a packet, up to the last that joined.
    pub(super) idle: u64,
    /// When the first of those that are counted leaves, if there is one.
    pub(super) oldest: u64,
    pub(super) hash: OrderHash,
    beyond: u64,
    /// The VC of the packet that found the port idle last; `NONE` when it is known to have left.
    pub(super) first: u32,
    /// Packets here as the last one joined, and the most ever.
    pub(super) held: u32,
    pub(super) held_max: u32,
    /// How many of `queue` are on the link.
    pub(super) put: u32,
    /// When the first unit sent since the other end was told last arrives.
    pub(super) first_due: u64,
    pub(super) ring: RingWriter,
    /// The node at the other end.
    pub(super) to: u32,
    /// Whether several VCs use the port.
    pub(super) is_shared: bool,
    /// Whether sizes other than a cell's are told to the other end.
    pub(super) tells_sizes: bool,
    /// Whether the port at the other end has a bell.
    pub(super) listens: bool,
    pub(super) queue: VecDeque<Behind>,
    /// Rung when something was sent, where it is listened to.
    pub(super) bell: Bell,
    pub(super) direction: u32,
    pub(super) wire: Wire,
    /// Where sizes differ: the last size, its transmit time, and the time spent sending.
    last_time: (u32, u64),
    pub(super) busy: u64,
}

impl Output {
    /// A port used by so many VCs. `tells_sizes`: whether sizes are told to the other end;
    /// `listens`: whether that has bells for its ports.
    pub(super) fn new(out: Out, [tells_sizes, listens]: [bool; 2], users: u32) -> Output {
        Output {
            gate: NEVER,
            free: 0,
            idle: 0,
            oldest: NEVER,
            hash: OrderHash::default(),
            beyond: out.beyond,
            first: NONE,
            held: 0,
            held_max: 0,
            put: 0,
            first_due: NEVER,
            ring: out.ring,
            is_shared: users > 1,
            tells_sizes,
            direction: out.direction,
            queue: VecDeque::new(),
            bell: out.bell,
            listens,
            to: out.to,
            wire: out.wire,
            last_time: (0, 0),
            busy: 0,
        }
    }

    pub(super) fn time_of(&mut self, bytes: u32) -> u64 {
        if self.last_time.0 != bytes {
            self.last_time = (bytes, transmit_time(self.wire, bytes));
        }
        self.last_time.1
    }

    /// Whether there is anybody in `queue`, told without a look at it.
    #[inline]
    pub(super) const fn has_queue(&self) -> bool {
        self.held > (self.first != NONE) as u32
    }

    /// Forgets those that have left by `now`, Eq. (3).
    #[inline]
    pub(super) fn expire(&mut self, waits: &mut [Waits], now: u64) {
        if self.oldest <= now {
            self.expire_some(waits, now);
        }
    }

    #[inline(never)]
    fn expire_some(&mut self, waits: &mut [Waits], now: u64) {
        if self.first != NONE {
            self.forget(waits, self.first);
            (self.first, self.gate) = (NONE, NEVER);
        }
        while let Some(front) = self.queue.front() {
            if front.leave > now {
                self.oldest = front.leave;
                return;
            }
            let hop = front.hop;
            self.queue.pop_front();
            self.put -= 1;
            self.forget(waits, hop);
        }
        self.oldest = NEVER;
    }

    #[inline]
    fn forget(&mut self, waits: &mut [Waits], hop: u32) {
        if self.is_shared {
            waits[hop as usize].fill -= 1;
        }
        self.held -= 1;
    }

    /// Forgets everybody: all have left.
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.has_queue() {
            self.queue.clear();
            self.put = 0;
        }
        (self.first, self.gate, self.oldest) = (NONE, NEVER, NEVER);
        self.held = 0;
    }

    /// Puts a packet on the link at `start`; `told`: the size that the other end is to be told.
    /// Returns whether it is the first since the other end was told last.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    pub(super) fn put(
        &mut self,
        [start, leave]: [u64; 2],
        hop: &Hop,
        packet: Packet,
        told: u32,
    ) -> bool {
        let due = leave + self.beyond;
        let words = pack_data(hop.to, packet.value, packet.birth);
        self.ring.push(InFlight { due, words });
        if told != CELL {
            self.ring.push(pack_size(told, due));
        }
        self.hash.start(start, hop.vc, CellKind::Data as u8, packet.value);
        let is_first = self.first_due == NEVER;
        if is_first {
            self.first_due = due;
        }
        is_first
    }

    /// Those that did not find the port idle and may still be here: when each starts, and whether
    /// it waits. Of those on the link the first may have another start.
    pub(super) fn behind(&self) -> impl Iterator<Item = (u64, bool, &Behind)> {
        let starts = self.queue.iter().map(|behind| behind.leave);
        let starts = std::iter::once(self.oldest).chain(starts);
        let put = self.put as usize;
        let with = move |(place, (start, behind))| (start, place >= put, behind);
        starts.zip(&self.queue).enumerate().map(with)
    }

    /// When the first that waits starts, if one does: as the last on the link has left.
    pub(super) fn next_start(&self) -> Option<u64> {
        if self.put as usize == self.queue.len() {
            return None;
        }
        let last = self.put.checked_sub(1).map(|last| self.queue[last as usize].leave);
        Some(last.unwrap_or(self.oldest))
    }
}

pub(super) fn transmit_time(wire: Wire, bytes: u32) -> u64 {
    wire.transmit_time(Bytes(u64::from(bytes))).0
}
