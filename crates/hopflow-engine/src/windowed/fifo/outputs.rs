//! The ports of a plain node by which packets leave: Eqs. (1) to (3) of `fifo.rs`.
//!
//! What follows from other counts is not counted: where one VC uses a port, the port's maximum and
//! idle time are the VC's; where packets of a VC have one size, the time they take is their number
//! times that. So a packet that finds its port idle, with the port to itself, changes one line of
//! the VC and two of the port, and looks at nothing else ([`Output::gate`]).

use hopflow_kernel::Sent;
use hopflow_units::SimTime;

use super::notes::Notes;
use super::output::{Behind, Hop, Output, Packet, Waits, transmit_time};
use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::CELL;

/// What a VC that leaves is made from.
#[derive(Debug)]
pub(super) struct Leaving {
    pub(super) port: u32,
    pub(super) to: u32,
    pub(super) vc: u32,
    /// Which hop of its VC it is.
    pub(super) number: u32,
    /// The size of its packets, where it is one.
    pub(super) bytes: Option<u32>,
}

/// What is seldom looked at.
#[derive(Debug)]
pub(super) struct Names {
    /// By hop: the size of its packets, that of a cell where they differ.
    sizes: Vec<u32>,
    /// By hop: which hop of its VC it is.
    pub(super) numbers: Vec<u32>,
    /// Directions by which nothing leaves.
    pub(super) unused: Vec<u32>,
    /// Where rows are made, what happens in the window at hand.
    pub(super) notes: Notes,
}

/// The outputs of a node and the VCs that leave by them.
#[derive(Debug)]
pub(crate) struct Outputs {
    pub(super) ports: Box<[Output]>,
    pub(super) hops: Box<[Hop]>,
    /// By hop.
    pub(super) waits: Box<[Waits]>,
    /// Ports at which packets wait.
    waiting: Vec<u32>,
    /// Ports that sent something in this window.
    wrote: Vec<u32>,
    /// Sum of what the ports hold as they know it, at least what they do; and the most the node
    /// ever held.
    held: u32,
    pub(super) held_max: u32,
    /// When the first leaves of those that are counted in `held`, or an instant before.
    sure_until: u64,
    pub(super) names: Box<Names>,
}

impl Outputs {
    /// `unused`: directions without VCs.
    pub(super) fn new(ports: Vec<Output>, leaving: &[Leaving], unused: Vec<u32>) -> Outputs {
        let hop = |leaving: &Leaving| {
            let Leaving { port, to, vc, bytes, .. } = *leaving;
            let wire = ports[port as usize].wire;
            let time = bytes.map_or(0, |bytes| transmit_time(wire, bytes));
            Hop { time, joined: 0, port, to, vc }
        };
        let names = Names {
            sizes: leaving.iter().map(|leaving| leaving.bytes.unwrap_or(CELL)).collect(),
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
            sure_until: NEVER,
            names: Box::new(names),
        }
    }

    /// The transmit time of a packet that waits.
    pub(super) fn time_of(&self, port: &Output, behind: &Behind) -> u64 {
        match self.hops[behind.hop as usize].time {
            0 => transmit_time(port.wire, size_of(&self.names, behind.hop, behind.packet)),
            time => time,
        }
    }

    /// Puts on the link what has waited and starts before `end`.
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
                let Behind { leave, packet, hop } = port.queue[port.put as usize];
                port.put += 1;
                let told = told(port, &self.names, hop, packet);
                if WATCHED {
                    self.names.notes.put(index, hop, [start, leave], packet.value);
                }
                let hop = &self.hops[hop as usize];
                if hop.time == 0 {
                    port.busy += leave - start;
                }
                if port.put([start, leave], hop, packet, told) {
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

    /// A packet joins the port of its VC at `now`, Eqs. (1) to (3); it goes on the link if it
    /// starts before `end`. At the gate it takes the place of `first`, which has left: as that was
    /// counted, `sure_until` is past already.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    pub(super) fn join<const WATCHED: bool>(
        &mut self,
        index: u32,
        now: u64,
        packet: Packet,
        end: u64,
    ) {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        if now < port.gate {
            return self.join_other::<WATCHED>(index, now, packet, end);
        }
        hop.joined += 1;
        port.idle += now - port.gate;
        // Past the range of time nothing starts.
        let leave = now.saturating_add(hop.time);
        (port.gate, port.free, port.oldest) = (leave, leave, leave);
        if port.is_shared {
            port.first = index;
            self.waits[index as usize].join(now, leave);
        }
        if WATCHED {
            self.names.notes.put(hop.port, index, [now, leave], packet.value);
        }
        if port.put([now, leave], hop, packet, CELL) {
            self.wrote.push(hop.port);
        }
    }

    #[inline(never)]
    fn join_other<const WATCHED: bool>(&mut self, index: u32, now: u64, packet: Packet, end: u64) {
        let port = self.hops[index as usize].port;
        if self.ports[port as usize].free > now {
            self.join_behind::<WATCHED>(index, now, packet, end);
        } else {
            self.join_idle::<WATCHED>(index, now, packet);
        }
    }

    /// The same at any port that is idle.
    #[inline]
    fn join_idle<const WATCHED: bool>(&mut self, index: u32, now: u64, packet: Packet) {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        let mut time = hop.time;
        if time == 0 {
            time = measure(port, &self.names, &mut self.waits, (index, packet));
        }
        hop.joined += 1;
        port.idle += now - port.free;
        let leave = now.saturating_add(time);
        let before = port.held;
        port.clear();
        (port.first, port.free, port.oldest, port.held) = (index, leave, leave, 1);
        port.held_max = port.held_max.max(1);
        if !port.tells_sizes {
            port.gate = leave;
        }
        if port.is_shared {
            self.waits[index as usize].join(now, leave);
        }
        let told = told(port, &self.names, index, packet);
        if hop.time == 0 {
            port.busy += time;
        }
        if WATCHED {
            self.names.notes.put(hop.port, index, [now, leave], packet.value);
        }
        if port.put([now, leave], hop, packet, told) {
            self.wrote.push(hop.port);
        }
        self.sure_until = self.sure_until.min(leave);
        self.held = self.held + 1 - before;
        self.look_at_held(now);
    }

    /// The same at a port that is busy.
    #[inline]
    fn join_behind<const WATCHED: bool>(&mut self, index: u32, now: u64, packet: Packet, end: u64) {
        let hop = &mut self.hops[index as usize];
        let port = &mut self.ports[hop.port as usize];
        let mut time = hop.time;
        if time == 0 {
            time = measure(port, &self.names, &mut self.waits, (index, packet));
        }
        hop.joined += 1;
        let before = port.held;
        port.gate = NEVER;
        port.expire(&mut self.waits, now);
        let start = port.free;
        let leave = start.saturating_add(time);
        port.free = leave;
        port.queue.push_back(Behind { leave, packet, hop: index });
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
            let told = told(port, &self.names, index, packet);
            if hop.time == 0 {
                port.busy += time;
            }
            if WATCHED {
                self.names.notes.put(hop.port, index, [start, leave], packet.value);
            }
            if port.put([start, leave], hop, packet, told) {
                self.wrote.push(hop.port);
            }
        } else if port.put as usize + 1 == port.queue.len() {
            self.waiting.push(hop.port);
        }
        self.look_at_held(now);
    }

    /// What the node holds at `now` may be the most ever. Nobody has left before `sure_until` who
    /// is counted.
    #[inline]
    fn look_at_held(&mut self, now: u64) {
        if self.held > self.held_max {
            if now >= self.sure_until {
                self.find_held(now);
            }
            self.held_max = self.held_max.max(self.held);
        }
    }

    #[inline(never)]
    fn find_held(&mut self, now: u64) {
        let (mut held, mut sure_until) = (0, NEVER);
        for port in self.ports.iter_mut().filter(|port| port.held > 0) {
            port.expire(&mut self.waits, now);
            held += port.held;
            sure_until = sure_until.min(port.oldest);
        }
        (self.held, self.sure_until) = (held, sure_until);
    }

    /// Tells the other ends that something was sent, and when the first of it arrives.
    pub(super) fn announce(&mut self, sent: &mut Sent) {
        for index in self.wrote.drain(..) {
            let port = &mut self.ports[index as usize];
            if port.listens {
                port.bell.ring();
            }
            sent.to(port.to, SimTime(std::mem::replace(&mut port.first_due, NEVER)));
        }
    }

    /// When the first that waits starts.
    #[inline]
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
    }
}

/// The size of a packet that the other end of its link is to be told.
#[inline]
fn told(port: &Output, names: &Names, hop: u32, packet: Packet) -> u32 {
    if port.tells_sizes { size_of(names, hop, packet) } else { CELL }
}

fn size_of(names: &Names, hop: u32, packet: Packet) -> u32 {
    if packet.bytes == 0 { names.sizes[hop as usize] } else { packet.bytes }
}

/// The transmit time of a packet of a VC whose packets differ in size.
#[inline(never)]
fn measure(
    port: &mut Output,
    names: &Names,
    waits: &mut [Waits],
    (hop, packet): (u32, Packet),
) -> u64 {
    let time = port.time_of(size_of(names, hop, packet));
    waits[hop as usize].area += u128::from(time);
    time
}
