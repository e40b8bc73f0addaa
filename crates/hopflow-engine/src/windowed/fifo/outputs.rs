//! The output ports of a FIFO-only node: Eqs. (1) to (3) of `fifo.rs`.
//!
//! Values that follow from other counts are not counted: where one VC uses a port, the port's
//! maximum and idle time are the VC's; where packets of a VC have one size, their total transmit
//! time is a product. So a packet that finds its port idle, and has the port to itself, changes one
//! cache line of the VC and two of the port, and reads nothing else ([`Output::gate`]).

use hopflow_kernel::Sent;
use hopflow_units::SimTime;

use super::memory::Memory;
use super::notes::Notes;
use super::output::{Hop, Output, Packet, Queued, Transmission, Waits, transmit_time};
use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::{CE, CELL, SIZE_MASK};

/// The description of a VC that leaves.
#[derive(Debug)]
pub(super) struct Leaving {
    pub(super) port: u32,
    pub(super) to: u32,
    pub(super) vc: u32,
    /// The index of this hop in its VC.
    pub(super) number: u32,
    /// The size of its packets, if all have one size.
    pub(super) bytes: Option<u32>,
    /// Whether its packets can be marked.
    pub(super) bears_marks: bool,
}

/// Fields that are rarely read.
#[derive(Debug)]
pub(super) struct Names {
    /// For each hop, the size of its packets; that of a cell where sizes differ.
    sizes: Vec<u32>,
    /// For each hop, whether its packets can be marked.
    bear_marks: Vec<bool>,
    /// For each hop, its index in its VC.
    pub(super) numbers: Vec<u32>,
    /// Directions by which no VC leaves.
    pub(super) unused: Vec<u32>,
    /// Events of the present window, where trace rows are requested.
    pub(super) notes: Notes,
}

impl Names {
    /// The size of a packet of a hop, without its marks; `bytes` is 0 where it is that of its VC.
    pub(super) fn size_of(&self, hop: u32, bytes: u32) -> u32 {
        self.marked_size_of(hop, bytes) & SIZE_MASK
    }

    /// The size of a packet, with its marks.
    fn marked_size_of(&self, hop: u32, bytes: u32) -> u32 {
        if bytes == 0 { self.sizes[hop as usize] } else { bytes }
    }
}

/// The output ports of a node and the VCs that leave by them.
#[derive(Debug)]
pub(crate) struct Outputs {
    pub(super) ports: Box<[Output]>,
    pub(super) hops: Box<[Hop]>,
    /// Indexed by hop.
    pub(super) waits: Box<[Waits]>,
    /// Ports at which packets wait.
    waiting: Vec<u32>,
    /// Ports that sent a unit in this window.
    wrote: Vec<u32>,
    /// The sum of `held` of the ports, an upper bound of the packets at the node; and the maximum
    /// at the node.
    pub(super) held: u32,
    pub(super) held_max: u32,
    /// The most packets at the node; `u32::MAX` without a limit.
    pub(super) limit: u32,
    /// No packet that `held` counts leaves before this instant.
    pub(super) sure_until: u64,
    pub(super) names: Box<Names>,
    /// What each packet takes of the memory, where bytes are counted and all take the same; else 0.
    pub(super) takes: u64,
    /// Present where bytes are counted and packets take different numbers of them.
    pub(super) memory: Option<Box<Memory>>,
}

impl Outputs {
    /// `unused`: directions without VCs. `limit`: the most packets at the node.
    pub(super) fn new(
        ports: Vec<Output>,
        leaving: &[Leaving],
        unused: Vec<u32>,
        limit: u32,
    ) -> Outputs {
        let hop = |leaving: &Leaving| {
            let Leaving { port, to, vc, bytes, .. } = *leaving;
            let wire = ports[port as usize].wire;
            let time = bytes.map_or(0, |bytes| transmit_time(wire, bytes));
            Hop { time, joined: 0, port, to, vc }
        };
        let names = Names {
            sizes: leaving.iter().map(|leaving| leaving.bytes.unwrap_or(CELL)).collect(),
            bear_marks: leaving.iter().map(|leaving| leaving.bears_marks).collect(),
            numbers: leaving.iter().map(|leaving| leaving.number).collect(),
            unused,
            notes: Notes::default(),
        };
        Outputs {
            hops: leaving.iter().map(hop).collect(),
            waits: leaving.iter().map(|_| Waits::default()).collect(),
            ports: ports.into(),
            waiting: Vec::new(),
            wrote: Vec::new(),
            held: 0,
            held_max: 0,
            limit,
            sure_until: NEVER,
            names: Box::new(names),
            takes: 0,
            memory: None,
        }
    }

    /// The transmit time of a packet that waits.
    pub(super) fn time_of(&self, port: &Output, behind: &Queued) -> u64 {
        match self.hops[behind.hop as usize].time {
            0 => transmit_time(port.wire, self.names.size_of(behind.hop, behind.packet.bytes)),
            time => time,
        }
    }

    /// Puts the waiting packets that start before `end` on their links.
    #[inline]
    pub(super) fn put_waiting<const WATCHED: bool>(&mut self, end: u64) {
        if !self.waiting.is_empty() {
            self.put_some::<WATCHED>(end);
        }
    }

    fn put_some<const WATCHED: bool>(&mut self, end: u64) {
        let mut place = 0;
        while let Some(&index) = self.waiting.get(place) {
            let port = &mut self.ports[index as usize];
            while let Some(start) = port.next_start().filter(|start| *start < end) {
                let Queued { leave, packet, hop } = port.queue[port.put as usize];
                port.put += 1;
                let span = Transmission { start, leave };
                let vc = &self.hops[hop as usize];
                if send::<WATCHED>(port, hop, vc, &mut self.names, packet, span) {
                    self.wrote.push(index);
                }
            }
            if port.next_start().is_some() {
                place += 1;
            } else {
                self.waiting.swap_remove(place);
            }
        }
    }

    /// A packet joins the port of its VC at `now`, Eqs. (1) to (3); it is put on the link if it
    /// starts before `end`. At the gate it replaces `first`, which has left: as that was counted,
    /// `sure_until` has passed already. Returns whether there was room for it; else it is dropped.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    pub(super) fn join<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        packet: Packet,
        end: u64,
    ) -> bool {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        if now < port.gate {
            return self.join_other::<WATCHED>(index, now, packet, end);
        }
        hop.joined += 1;
        port.idle += now - port.gate;
        // Nothing starts after the last representable instant.
        let leave = now.saturating_add(hop.time);
        (port.gate, port.free, port.oldest) = (leave, leave, leave);
        if port.is_shared {
            port.first = index;
            self.waits[index as usize].join(now, leave);
        }
        if WATCHED {
            let span = Transmission { start: now, leave };
            self.names.notes.put(hop.port, index, span, packet.value);
        }
        if port.put(Transmission { start: now, leave }, hop, packet, CELL) {
            self.wrote.push(hop.port);
        }
        true
    }

    /// The same of a packet that may have a mark, which is sent with its size.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    pub(super) fn join_any<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        packet: Packet,
        end: u64,
    ) -> bool {
        if packet.bytes > SIZE_MASK {
            self.join_other::<WATCHED>(index, now, packet, end)
        } else {
            self.join::<WATCHED>(index, now, packet, end)
        }
    }

    /// The same where it needs another look.
    #[inline(never)]
    fn join_other<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        packet: Packet,
        end: u64,
    ) -> bool {
        if self.held >= self.limit && self.is_full(now) {
            self.waits[index as usize].dropped += 1;
            return false;
        }
        let port = self.hops[index as usize].port;
        if self.ports[port as usize].free > now {
            return self.join_busy::<WATCHED>(index, now, packet, end);
        }
        self.join_idle::<WATCHED>(index, now, packet);
        true
    }

    /// The same at any port that is idle.
    #[inline]
    fn join_idle<const WATCHED: bool>(&mut self, index: u32, now: u64, mut packet: Packet) {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        if port.least_bound == 0 {
            mark(port, &self.names, index, &mut packet, 0);
        }
        let mut time = hop.time;
        if time == 0 {
            time = measure(port, &self.names, &mut self.waits, index, packet);
        }
        hop.joined += 1;
        port.idle += now - port.free;
        let leave = now.saturating_add(time);
        let before = port.held;
        port.clear();
        (port.first, port.free, port.oldest, port.held) = (index, leave, leave, 1);
        port.held_max = port.held_max.max(1);
        port.open_gate(leave);
        if port.is_shared {
            self.waits[index as usize].join(now, leave);
        }
        let span = Transmission { start: now, leave };
        if send::<WATCHED>(port, index, hop, &mut self.names, packet, span) {
            self.wrote.push(hop.port);
        }
        self.sure_until = self.sure_until.min(leave);
        self.held = self.held + 1 - before;
        self.update_held_max(now);
    }

    /// The same at a port that is busy.
    #[inline]
    fn join_busy<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        mut packet: Packet,
        end: u64,
    ) -> bool {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        let before = port.held;
        port.expire(&mut self.waits, now);
        if port.held >= port.least_bound {
            let waits = &self.waits[index as usize];
            let of_vc = || if port.is_shared { waits.fill_at(now) } else { port.held };
            if port.bounds.refuses(port.held, of_vc) {
                self.held = self.held + port.held - before;
                self.waits[index as usize].dropped += 1;
                return false;
            }
            mark(port, &self.names, index, &mut packet, port.held);
        }
        let mut time = hop.time;
        if time == 0 {
            time = measure(port, &self.names, &mut self.waits, index, packet);
        }
        hop.joined += 1;
        port.gate = NEVER;
        let start = port.free;
        let leave = start.saturating_add(time);
        port.free = leave;
        port.queue.push_back(Queued { leave, packet, hop: index });
        port.held += 1;
        port.held_max = port.held_max.max(port.held);
        let waits = &mut self.waits[index as usize];
        waits.area += u128::from(start - now);
        if port.is_shared {
            waits.join(now, leave);
        }
        self.held = self.held + port.held - before;
        if start < end {
            port.put += 1;
            let span = Transmission { start, leave };
            if send::<WATCHED>(port, index, hop, &mut self.names, packet, span) {
                self.wrote.push(hop.port);
            }
        } else if port.put as usize + 1 == port.queue.len() {
            self.waiting.push(hop.port);
        }
        self.update_held_max(now);
        true
    }

    /// Notifies the other ends of ports that sent something, and reports when the first unit
    /// arrives.
    pub(super) fn announce(&mut self, sent: &mut Sent) {
        for index in self.wrote.drain(..) {
            let port = &mut self.ports[index as usize];
            if port.listens {
                port.bell.ring();
            }
            sent.to(port.to, SimTime(std::mem::replace(&mut port.first_due, NEVER)));
        }
    }

    /// The start of the first packet that waits.
    #[inline]
    pub(super) fn next_start(&self) -> u64 {
        let starts = self.waiting.iter().map(|port| self.ports[*port as usize].next_start());
        starts.flatten().min().unwrap_or(NEVER)
    }

    /// Resets maxima, see [`hopflow_network::Engine::restart_statistics`]. A packet that leaves at
    /// `now` still counts.
    pub(crate) fn restart_statistics(&mut self, now: u64) {
        for port in &mut self.ports {
            if port.free < now {
                port.clear();
            } else if let Some(before) = now.checked_sub(1) {
                port.expire(&mut self.waits, before);
            }
            port.held_max = port.held;
        }
        for waits in &mut self.waits {
            if waits.last_leave < now {
                waits.fill = 0;
            }
            waits.fill_max = waits.fill;
        }
        self.held = self.ports.iter().map(|port| port.held).sum();
        self.held_max = self.held;
        self.sure_until = 0;
        if let Some(memory) = &mut self.memory {
            memory.restart(now);
        }
    }
}

/// Puts a packet of the hop with this index on the link of its port. Returns whether it is the
/// first one since the other end was last notified.
#[expect(clippy::inline_always, reason = "it is on the way of every packet that waits")]
#[inline(always)]
fn send<const WATCHED: bool>(
    port: &mut Output,
    index: u32,
    hop: &Hop,
    names: &mut Names,
    packet: Packet,
    span: Transmission,
) -> bool {
    let is_sent = port.sends_sizes || packet.bytes > SIZE_MASK;
    let size = if is_sent { names.marked_size_of(index, packet.bytes) } else { CELL };
    if hop.time == 0 {
        port.busy += span.leave - span.start;
    }
    if WATCHED {
        names.notes.put(hop.port, index, span, packet.value);
    }
    port.put(span, hop, packet, size)
}

/// A packet of a VC joins its port, where it finds `held` packets; perhaps it is marked.
#[inline(never)]
fn mark(port: &mut Output, names: &Names, hop: u32, packet: &mut Packet, held: u32) {
    if names.bear_marks[hop as usize] && port.bounds.marks(held) {
        packet.bytes = names.marked_size_of(hop, packet.bytes) | CE;
    }
}

/// The transmit time of a packet of a VC whose packets differ in size.
#[inline(never)]
fn measure(port: &mut Output, names: &Names, waits: &mut [Waits], hop: u32, packet: Packet) -> u64 {
    let time = port.time_of(names.size_of(hop, packet.bytes));
    waits[hop as usize].area += u128::from(time);
    time
}
