//! One output port of a FIFO-only node, and the packets at it.
//!
//! ```text
//! packets of a port:  left | on the link, e > a | waiting, s >= end of the window
//!                            first, then queue[..put]   queue[put..]
//! ```
//! `first` is the packet that found the port idle. Each later packet starts at the instant at which
//! the one before it has left.

use std::collections::VecDeque;

use hopflow_kernel::{Bell, InFlight, OrderHash, RingWriter};
use hopflow_units::Bytes;

use super::bounds::Bounds;
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
    /// Its size, with its marks; 0 where the size is that of its VC and there is no mark.
    pub(super) bytes: u32,
}

/// A packet that found its port busy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    /// The instant at which its last bit leaves.
    pub(super) leave: u64,
    pub(super) packet: Packet,
    pub(super) hop: u32,
}

/// The transmission of a packet, in ps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transmission {
    pub(super) start: u64,
    /// The instant at which its last bit leaves.
    pub(super) leave: u64,
}

/// One VC as it leaves the node: the fields that every packet needs.
#[derive(Debug)]
pub(super) struct Hop {
    /// The transmit time of its packets; 0 where their sizes differ.
    pub(super) time: u64,
    pub(super) joined: u64,
    pub(super) port: u32,
    /// The receiver at the next node.
    pub(super) to: u32,
    pub(super) vc: u32,
}

/// Fields that only some packets need: those that wait, and those of VCs that share a port.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// The total time that packets waited, and of packets of different sizes also their transmit
    /// time, in packet x ps.
    pub(super) area: u128,
    /// The instant at which the last packet that joined leaves. This field and the following ones
    /// are valid at a shared port.
    pub(super) last_leave: u64,
    /// The total time without a packet, up to the last one that joined.
    pub(super) no_cell: u64,
    /// The number of packets when the last one joined, and its maximum. The first is valid only
    /// until `last_leave`.
    pub(super) fill: u32,
    pub(super) fill_max: u32,
    /// Packets that arrived and were dropped, because their port was full.
    pub(super) dropped: u64,
}

impl Waits {
    /// The number of packets at `now`, at a shared port from which those that have left are
    /// removed.
    pub(super) const fn fill_at(&self, now: u64) -> u32 {
        if self.last_leave > now { self.fill } else { 0 }
    }

    /// Records that a packet joins.
    #[inline]
    pub(super) fn join(&mut self, now: u64, leave: u64) {
        let idle = now.checked_sub(self.last_leave);
        self.no_cell += idle.unwrap_or(0);
        self.fill = if idle.is_some() { 1 } else { self.fill + 1 };
        self.fill_max = self.fill_max.max(self.fill);
        self.last_leave = leave;
    }
}

/// One output port that VCs use. Fields are in the order of use.
#[repr(C, align(64))]
#[derive(Debug)]
pub(super) struct Output {
    /// From this instant on a packet without marks needs no check but this one: `free`, where its
    /// size needs no record, nothing marks it, and only the packet `first` is counted; else never.
    pub(super) gate: u64,
    /// The instant at which the last packet that joined leaves.
    pub(super) free: u64,
    /// The total time without a packet, up to the last one that joined.
    pub(super) idle: u64,
    /// The instant at which the first counted packet leaves, if there is one.
    pub(super) oldest: u64,
    pub(super) hash: OrderHash,
    beyond: u64,
    /// The VC of the packet that last found the port idle; `NONE` when it is known to have left.
    pub(super) first: u32,
    /// The number of packets when the last one joined, and its maximum.
    pub(super) held: u32,
    pub(super) held_max: u32,
    /// The number of packets of `queue` that are on the link.
    pub(super) put: u32,
    /// The due time of the first unit sent since the other end was last notified.
    pub(super) first_due: u64,
    pub(super) ring: RingWriter,
    /// The node at the other end.
    pub(super) to: u32,
    /// Whether several VCs use the port.
    pub(super) is_shared: bool,
    /// Whether sizes other than a cell's are sent to the other end.
    pub(super) sends_sizes: bool,
    /// Whether the node at the other end reads the bells of its ports.
    pub(super) listens: bool,
    /// Whether sizes are not sent, and nothing can happen to a packet that finds the port idle.
    has_gate: bool,
    /// The least of `bounds`.
    pub(super) least_bound: u32,
    pub(super) queue: VecDeque<Queued>,
    /// Rung when a unit was sent, where `listens` is set.
    pub(super) bell: Bell,
    pub(super) direction: u32,
    pub(super) wire: Wire,
    /// Where sizes differ: the last two sizes and their transmit times, and the total time spent
    /// sending. Data and ACKs often alternate.
    last_times: [(u32, u64); 2],
    pub(super) busy: u64,
    pub(super) bounds: Bounds,
}

/// The properties of a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Whether sizes are sent to the other end.
    pub(super) sends_sizes: bool,
    /// Whether that node has bells for its ports.
    pub(super) listens: bool,
    /// Whether several VCs use the port.
    pub(super) is_shared: bool,
    pub(super) bounds: Bounds,
}

impl Output {
    /// A port with these properties.
    pub(super) fn new(out: Out, settings: Settings) -> Output {
        let Settings { sends_sizes, listens, is_shared, bounds } = settings;
        let least_bound = bounds.least();
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
            is_shared,
            sends_sizes,
            direction: out.direction,
            queue: VecDeque::new(),
            bell: out.bell,
            listens,
            has_gate: !sends_sizes && least_bound > 0,
            least_bound,
            to: out.to,
            wire: out.wire,
            last_times: [(0, 0); 2],
            busy: 0,
            bounds,
        }
    }

    pub(super) fn time_of(&mut self, bytes: u32) -> u64 {
        let [last, before] = &mut self.last_times;
        if last.0 != bytes {
            std::mem::swap(last, before);
            if last.0 != bytes {
                *last = (bytes, transmit_time(self.wire, bytes));
            }
        }
        last.1
    }

    /// Whether `queue` contains a packet, without reading it.
    #[inline]
    pub(super) const fn has_queue(&self) -> bool {
        self.held > (self.first != NONE) as u32
    }

    /// After a packet that found the port idle has joined, which leaves then.
    #[inline]
    pub(super) fn open_gate(&mut self, leave: u64) {
        if self.has_gate {
            self.gate = leave;
        }
    }

    /// Removes the packets that have left by `now`, Eq. (3).
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

    /// Removes all packets: all have left.
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.has_queue() {
            self.queue.clear();
            self.put = 0;
        }
        (self.first, self.gate, self.oldest) = (NONE, NEVER, NEVER);
        self.held = 0;
    }

    /// Puts a packet on the link; `sent_size` is the size that is reported to the other end.
    /// Returns whether it is the first packet since the other end was last notified.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    pub(super) fn put(
        &mut self,
        Transmission { start, leave }: Transmission,
        hop: &Hop,
        packet: Packet,
        sent_size: u32,
    ) -> bool {
        let due = leave + self.beyond;
        let words = pack_data(hop.to, packet.value, packet.birth);
        self.ring.push(InFlight { due, words });
        if sent_size != CELL {
            self.ring.push(pack_size(sent_size, due));
        }
        self.hash.start(start, hop.vc, CellKind::Data as u8, packet.value);
        let is_first = self.first_due == NEVER;
        if is_first {
            self.first_due = due;
        }
        is_first
    }

    /// The packets that found the port busy and may not have left: when each starts, and whether it
    /// waits. The start of the first one on the link may be inexact.
    pub(super) fn queued(&self) -> impl Iterator<Item = (u64, bool, &Queued)> {
        let starts = self.queue.iter().map(|queued| queued.leave);
        let starts = std::iter::once(self.oldest).chain(starts);
        let put = self.put as usize;
        let with = move |(place, (start, queued))| (start, place >= put, queued);
        starts.zip(&self.queue).enumerate().map(with)
    }

    /// The start of the first waiting packet, if there is one: the instant at which the last one on
    /// the link leaves.
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
