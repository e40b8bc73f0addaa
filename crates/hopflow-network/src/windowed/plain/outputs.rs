//! The ports of a plain node by which packets leave: Eqs. (1) to (3) of `plain.rs`.
//!
//! ```text
//! packets of a port:  left | on the link, e > a | waiting, s >= end of the window
//!                            first, then queue[..put]   queue[put..]
//! ```
//! `first` is the packet that found the port idle. Of those behind it, each starts as the one
//! before it has left.

use std::collections::VecDeque;

use hopflow_kernel::{Bell, InFlight, OrderHash, RingWriter, Sent};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::super::sender::{NEVER, NONE};
use super::super::unit::{CELL, pack_size};
use crate::trace::CellKind;

/// A packet as it joins its port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) birth: u64,
    pub(super) value: u32,
    pub(super) bytes: u32,
}

/// A packet that did not find its port idle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    /// When it will have left.
    pub(super) leave: u64,
    packet: Packet,
    pub(super) hop: u32,
}

/// One VC as it leaves the node: one line of the cache.
#[repr(align(64))]
#[derive(Debug)]
pub(super) struct Hop {
    /// When the last packet that joined will have left.
    pub(super) last_leave: u64,
    /// Time without a packet, up to the last that joined.
    pub(super) no_cell: u64,
    /// The time that packets that joined are here, in packet x ps.
    pub(super) area: u128,
    pub(super) joined: u64,
    /// Packets here as the last one joined, and the most ever. The first holds only until
    /// `last_leave`.
    fill: u32,
    pub(super) fill_max: u32,
    pub(super) port: u32,
    /// The receiver at the next node.
    to: u32,
    pub(super) vc: u32,
    /// The size of its packets; that of a cell where they differ.
    pub(super) bytes: u32,
}

impl Hop {
    pub(super) const fn new([port, to, vc, bytes]: [u32; 4]) -> Hop {
        let (last_leave, no_cell, area, joined) = (0, 0, 0, 0);
        Hop { last_leave, no_cell, area, joined, fill: 0, fill_max: 0, port, to, vc, bytes }
    }
}

/// What an output is made from.
#[derive(Debug)]
pub(in super::super) struct Out {
    pub(in super::super) direction: u32,
    pub(in super::super) rate: Rate,
    pub(in super::super) beyond: u64,
    pub(in super::super) ring: RingWriter,
    /// Rung when something was sent: the port at the other end, then its node.
    pub(in super::super) bell: Bell,
    pub(in super::super) to: u32,
}

/// One port by which VCs leave. Hot fields first.
#[repr(align(64))]
#[derive(Debug)]
pub(super) struct Output {
    /// When all that joined will have left.
    free: u64,
    /// When all that is on the link will have left.
    pub(super) busy_until: u64,
    /// When the packet `first` has left.
    pub(super) first_leave: u64,
    /// The VC of the packet that found the port idle last; `NONE` when it is known to have left.
    pub(super) first: u32,
    /// Packets here as the last one joined, and the most ever.
    held: u32,
    pub(super) held_max: u32,
    /// The last size, and its transmit time.
    bytes: u32,
    time: u64,
    pub(super) hash: OrderHash,
    beyond: u64,
    /// Whether sizes other than a cell's are told to the other end.
    tells_sizes: bool,
    ring: RingWriter,
    /// When the first unit sent since the last publication arrives.
    first_due: u64,
    pub(super) data_cells: u64,
    pub(super) busy: Picos,
    pub(super) queue: VecDeque<Behind>,
    /// How many of `queue` are on the link.
    pub(super) put: usize,
    bell: Bell,
    /// The node at the other end.
    to: u32,
    rate: Rate,
    pub(super) direction: u32,
}

impl Output {
    pub(super) fn new(out: Out, tells_sizes: bool) -> Output {
        let cell = transmit_time(out.rate, CELL);
        Output {
            free: 0,
            busy_until: 0,
            first_leave: 0,
            first: NONE,
            held: 0,
            held_max: 0,
            bytes: CELL,
            time: cell,
            hash: OrderHash::default(),
            beyond: out.beyond,
            tells_sizes,
            ring: out.ring,
            first_due: NEVER,
            data_cells: 0,
            busy: Picos::ZERO,
            queue: VecDeque::new(),
            put: 0,
            bell: out.bell,
            to: out.to,
            rate: out.rate,
            direction: out.direction,
        }
    }

    #[inline]
    fn time_of(&mut self, bytes: u32) -> u64 {
        if self.bytes != bytes {
            (self.bytes, self.time) = (bytes, transmit_time(self.rate, bytes));
        }
        self.time
    }

    /// Forgets those that have left by `now`, Eq. (3).
    fn expire(&mut self, hops: &mut [Hop], now: u64) {
        if self.first != NONE {
            if self.first_leave > now {
                return;
            }
            hops[self.first as usize].fill -= 1;
            self.first = NONE;
            self.held -= 1;
        }
        while let Some(front) = self.queue.front() {
            if front.leave > now {
                break;
            }
            hops[front.hop as usize].fill -= 1;
            self.queue.pop_front();
            self.put -= 1;
            self.held -= 1;
        }
    }

    /// Forgets everybody: all have left.
    #[inline]
    fn clear(&mut self) {
        if !self.queue.is_empty() {
            self.queue.clear();
            self.put = 0;
        }
        self.first = NONE;
        self.held = 0;
    }

    /// Puts a packet on the link at `start`.
    #[inline]
    fn put(&mut self, start: u64, leave: u64, hop: [u32; 2], packet: Packet) {
        let (due, [vc, to]) = (leave + self.beyond, hop);
        let word = (u64::from(to) << 32) | u64::from(packet.value);
        self.ring.push(InFlight { due, words: [word, packet.birth] });
        if packet.bytes != CELL && self.tells_sizes {
            self.ring.push(pack_size(packet.bytes, due));
        }
        self.first_due = self.first_due.min(due);
        self.hash.start(start, vc, CellKind::Data as u8, packet.value);
        self.busy_until = leave;
        self.busy += Picos(leave - start);
        self.data_cells += 1;
    }

    /// When the first that waits starts, if one does.
    fn next_start(&self) -> Option<u64> {
        (self.put < self.queue.len()).then_some(self.busy_until)
    }
}

fn transmit_time(rate: Rate, bytes: u32) -> u64 {
    rate.transmit_time(Bytes(u64::from(bytes))).expect("2^23 bits at 1 b/s or more fit 2^64 ps").0
}

/// The outputs of a node and the VCs that leave by them.
#[derive(Debug)]
pub(super) struct Outputs {
    pub(super) ports: Vec<Output>,
    pub(super) hops: Vec<Hop>,
    /// Which hop of its VC each is.
    pub(super) numbers: Vec<u32>,
    /// Directions by which nothing leaves.
    pub(super) unused: Vec<u32>,
    /// Ports at which packets wait.
    waiting: Vec<u32>,
    /// Ports that sent something in this window.
    wrote: Vec<u32>,
    /// Sum of what the ports hold as they know it, at least what they do; and the most the node
    /// ever held.
    held: u32,
    pub(super) held_max: u32,
}

impl Outputs {
    /// `hops`: with the number of each on its VC's path. `unused`: directions without VCs.
    pub(super) fn new(ports: Vec<Output>, hops: Vec<(Hop, u32)>, unused: Vec<u32>) -> Outputs {
        let (waiting, wrote) = (Vec::new(), Vec::new());
        let (hops, numbers) = hops.into_iter().unzip();
        Outputs { ports, hops, numbers, unused, waiting, wrote, held: 0, held_max: 0 }
    }

    /// Puts on the link what has waited and starts before `end`.
    pub(super) fn put_waiting(&mut self, end: u64) {
        let mut place = 0;
        while let Some(&index) = self.waiting.get(place) {
            let port = &mut self.ports[index as usize];
            let was_published = port.first_due == NEVER;
            while let Some(start) = port.next_start().filter(|start| *start < end) {
                let Behind { leave, packet, hop } = port.queue[port.put];
                port.put += 1;
                let hop = &self.hops[hop as usize];
                port.put(start, leave, [hop.vc, hop.to], packet);
            }
            if was_published && port.first_due != NEVER {
                self.wrote.push(index);
            }
            if port.next_start().is_some() {
                place += 1;
            } else {
                self.waiting.swap_remove(place);
            }
        }
    }

    /// A packet joins the port of its VC at `now`, Eqs. (1) to (3); it goes on the link if it
    /// starts before `end`.
    #[inline]
    pub(super) fn join(&mut self, index: u32, now: u64, packet: Packet, end: u64) {
        let hop = &mut self.hops[index as usize];
        let port_index = hop.port;
        let port = &mut self.ports[port_index as usize];
        let time = port.time_of(packet.bytes);
        let before = port.held;
        let start = port.free.max(now);
        // Past the range of time it never starts.
        let leave = start.saturating_add(time);
        if start == now {
            port.clear();
            (port.first, port.first_leave) = (index, leave);
        } else {
            port.expire(&mut self.hops, now);
            port.queue.push_back(Behind { leave, packet, hop: index });
        }
        port.free = leave;
        port.held += 1;
        port.held_max = port.held_max.max(port.held);
        let hop = &mut self.hops[index as usize];
        hop.area += u128::from(leave - now);
        let idle = now.checked_sub(hop.last_leave);
        hop.no_cell += idle.unwrap_or(0);
        hop.fill = if idle.is_some() { 1 } else { hop.fill + 1 };
        hop.fill_max = hop.fill_max.max(hop.fill);
        hop.last_leave = leave;
        hop.joined += 1;
        self.held = self.held - before + port.held;
        if start < end {
            if port.first_due == NEVER {
                self.wrote.push(port_index);
            }
            port.put += usize::from(start != now);
            port.put(start, leave, [hop.vc, hop.to], packet);
        } else if port.put + 1 == port.queue.len() {
            self.waiting.push(port_index);
        }
        if self.held > self.held_max {
            self.find_held(now);
        }
    }

    /// What the node holds at `now` may be the most ever.
    #[inline(never)]
    fn find_held(&mut self, now: u64) {
        let hops = &mut self.hops;
        for port in &mut self.ports {
            port.expire(hops, now);
        }
        self.held = self.ports.iter().map(|port| port.held).sum();
        self.held_max = self.held_max.max(self.held);
    }

    /// Lets the other ends see what was sent.
    pub(super) fn publish(&mut self, sent: &mut Sent) {
        for index in self.wrote.drain(..) {
            let port = &mut self.ports[index as usize];
            port.ring.publish();
            port.bell.ring();
            sent.to(port.to, SimTime(std::mem::replace(&mut port.first_due, NEVER)));
        }
    }

    /// When the first that waits starts.
    pub(super) fn next_start(&self) -> u64 {
        let starts = self.waiting.iter().map(|port| self.ports[*port as usize].next_start());
        starts.flatten().min().unwrap_or(NEVER)
    }

    /// Forgets maxima. Who leaves at `now` is still here.
    pub(super) fn restart_statistics(&mut self, now: u64) {
        for port in &mut self.ports {
            if port.free < now {
                port.clear();
            } else if let Some(before) = now.checked_sub(1) {
                port.expire(&mut self.hops, before);
            }
            port.held_max = port.held;
        }
        for hop in &mut self.hops {
            if hop.last_leave < now {
                hop.fill = 0;
            }
            hop.fill_max = hop.fill;
        }
        self.held = self.ports.iter().map(|port| port.held).sum();
        self.held_max = self.held;
    }
}
