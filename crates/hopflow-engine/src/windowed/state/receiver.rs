//! The receiving end of one VC at one node, and the additional state of a multicast VC or a final
//! host.

use std::collections::VecDeque;
use std::ops::Range;

use hopflow_control::credit::Receiver;
use hopflow_units::Bytes;

use super::HopId;
use super::arena::Cell;
use super::endpoint::PacketSink;
use super::lane::NO_LANE;
use super::rated::LoopEnd;
use crate::windowed::wire::NONE;
use hopflow_network::DelayHistogram;
use hopflow_network::counters::{HopCounters, LeafCounters};
use hopflow_network::transport::frame_discard::FrameDiscard;
use hopflow_network::{DirectionSpec, NetworkSpec, VcSpec, Wire};

/// The action of a receiver on the cells that it accepts.
#[derive(Debug)]
pub(crate) enum Role {
    /// Forwards them to one sender.
    Forward(u32),
    /// Forwards them to several.
    Multicast(Box<Multicast>),
    /// Delivers them: this is a final host.
    Deliver(Box<Leaf>),
    /// Receives ACK cells for the window of this sender, at the source host.
    Acknowledge(u32),
}

/// The delay of packets of different sizes minus the delay of each on an idle path.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The links of the path.
    wires: Vec<Wire>,
    /// Delays and processing on the path, and the work of hosts, in ps.
    beyond: u64,
    histogram: DelayHistogram,
    /// The last size and its delay on an idle path, in ps.
    last: (u32, u64),
}

impl Waiting {
    /// The state that separates waiting from delay on the path to a leaf hop, where packets of the
    /// VC differ in size.
    pub(crate) fn of(spec: &NetworkSpec, vc: &VcSpec, leaf: usize) -> Option<Box<Waiting>> {
        if vc.traffic.size.fixed().is_some() {
            return None;
        }
        let path = std::iter::successors(Some(leaf), |hop| vc.hops[*hop].parent);
        let links = path.map(|hop| spec.direction(vc.hops[hop].direction_id()));
        let links: Vec<&DirectionSpec> = links.collect();
        let work = spec.unit_work(vc, leaf);
        let beyond = links.iter().map(|link| link.beyond().0).sum::<u64>() + work.0;
        let wires = links.iter().map(|link| link.wire()).collect();
        let histogram = DelayHistogram::default();
        Some(Box::new(Waiting { wires, beyond, histogram, last: (0, beyond) }))
    }

    fn record(&mut self, delay: u64, bytes: u32) {
        if self.last.0 != bytes {
            let size = Bytes(u64::from(bytes));
            let times = self.wires.iter().map(|wire| wire.transmit_time(size).0);
            self.last = (bytes, self.beyond + times.sum::<u64>());
        }
        self.histogram.record(delay - self.last.1);
    }
}

/// A final host.
#[derive(Debug, Default)]
pub(crate) struct Leaf {
    /// Its number among the final hosts of its VC.
    pub(crate) place: u32,
    pub(crate) delivered_packets: u64,
    first: Option<u64>,
    last: Option<u64>,
    delay: DelayHistogram,
    /// The last delay, and the number of its repetitions not yet recorded in `delay`.
    same: (u64, u64),
    delivered_bytes: u64,
    /// Where sizes differ: the waiting time of its packets.
    waiting: Option<Box<Waiting>>,
    /// Where units are reassembled to whole packets.
    pub(crate) packets: Option<Box<PacketSink>>,
    /// The sender of ACK cells and the number of delivered cells per ACK, if any.
    pub(crate) ack: Option<(u32, u32)>,
    pub(crate) ack_cells: u64,
}

impl Leaf {
    pub(crate) fn new(place: u32, waiting: Option<Box<Waiting>>) -> Leaf {
        Leaf { place, waiting, ..Leaf::default() }
    }

    #[inline]
    pub(crate) fn deliver(&mut self, now: u64, birth: u64, bytes: u32) {
        self.delivered_packets += 1;
        self.delivered_bytes += u64::from(bytes);
        if let Some(waiting) = &mut self.waiting {
            waiting.record(now - birth, bytes);
        }
        self.first.get_or_insert(now);
        self.last = Some(now);
        let delay = now - birth;
        if delay != self.same.0 {
            self.end_run(delay);
        }
        self.same.1 += 1;
    }

    /// Records the repetitions of the last delay, as another delay follows.
    #[inline(never)]
    fn end_run(&mut self, delay: u64) {
        let (before, times) = std::mem::replace(&mut self.same, (delay, 0));
        self.delay.record_many(before, times);
    }

    /// Whether the cell just delivered is to be acknowledged.
    pub(crate) fn ack_due(&self) -> Option<u32> {
        let (sender, every) = self.ack?;
        self.delivered_packets.is_multiple_of(u64::from(every)).then_some(sender)
    }

    pub(crate) fn read(&self) -> LeafCounters {
        let mut delay = self.delay.clone();
        delay.record_many(self.same.0, self.same.1);
        LeafCounters {
            delivered_packets: self.delivered_packets,
            first: self.first.map(hopflow_units::SimTime),
            last: self.last.map(hopflow_units::SimTime),
            delay,
            delivered_bytes: self.delivered_bytes,
            waiting: self.waiting.as_ref().map(|waiting| waiting.histogram.clone()),
            packets: self.packets.as_ref().map(|sink| sink.read()),
        }
    }

    /// Resets delays and instants; counts continue.
    pub(crate) fn restart(&mut self) {
        (self.first, self.last) = (None, None);
        self.delay = DelayHistogram::default();
        self.same = (0, 0);
        if let Some(waiting) = &mut self.waiting {
            waiting.histogram = DelayHistogram::default();
        }
        if let Some(sink) = &mut self.packets {
            sink.counters.delay = DelayHistogram::default();
        }
    }
}

/// A cell held for several branches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) cell: Cell,
    /// Branches that have not finished it.
    pub(crate) remaining: u32,
}

/// The cells of a multicast VC at a branching switch: one copy each, freed in order.
#[derive(Debug)]
pub(crate) struct Multicast {
    pub(crate) held: VecDeque<Held>,
    /// The senders of the branches.
    pub(crate) branches: Range<u32>,
    /// Older cells that may be held when a branch starts one.
    pub(crate) run_ahead: Option<u32>,
    last_change: u64,
    area: u128,
}

impl Multicast {
    pub(crate) fn new(branches: Range<u32>, run_ahead: Option<u32>) -> Multicast {
        Multicast { held: VecDeque::new(), branches, run_ahead, last_change: 0, area: 0 }
    }

    /// Brings the time integral up to `now`; to be called before `held` changes its length.
    pub(crate) fn settle(&mut self, now: u64) {
        self.area = self.area_at(now);
        self.last_change = now;
    }

    /// The integral of the held cells up to `now`, in cell x ps.
    pub(crate) fn area_at(&self, now: u64) -> u128 {
        self.area + self.held.len() as u128 * u128::from(now - self.last_change)
    }

    /// The position in `held` of the next cell of a branch with `waiting` cells to start.
    pub(crate) fn next_position(&self, waiting: u32) -> usize {
        self.held.len() - waiting as usize
    }
}

/// One VC as it enters a node: the hot part. What few receivers need is in [`ColdReceiver`].
#[derive(Debug)]
pub(crate) struct VcReceiver {
    pub(crate) control: Receiver,
    pub(crate) role: Role,
    /// The port by which it arrives; credits return there.
    pub(crate) port: u32,
    /// The sender at the previous node.
    pub(crate) upstream: u32,
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    pub(crate) is_ack: bool,
    /// The lane by which it arrives, if there is one.
    pub(crate) lane: u16,
    /// N1 + N2 + N3, `u32::MAX` without a promise, 0 where every cell is passed on.
    pub(crate) promised: u32,
    /// Its number at the shared buffer of its port, among the machines of the node, or in its group
    /// of shared credit cells; `NONE` without one.
    pub(crate) member: u32,
    /// Present where loops of a VC under rate control end.
    pub(crate) end: Option<Box<LoopEnd>>,
    /// The number of accepted cells.
    pub(crate) received_packets: u64,
    pub(crate) credits_sent: u64,
    /// Absent as long as nothing of it is needed.
    cold: Option<Box<ColdReceiver>>,
}

const _: () = assert!(size_of::<VcReceiver>() <= 120 && size_of::<ColdReceiver>() <= 72);

/// The cold part of a receiver: state that few receivers have, and counts of rare events.
#[derive(Debug, Default)]
pub(crate) struct ColdReceiver {
    /// The state of the frame of the next cell, at a switch that drops frames.
    pub(crate) frame: Option<FrameDiscard>,
    /// Span of redundant credits, in ps.
    pub(crate) redundant_every: Option<u64>,
    pub(crate) corrupted_packets: u64,
    pub(crate) dropped_packets: u64,
    pub(crate) overrun_packets: u64,
    pub(crate) credits_left_out: u64,
    pub(crate) credits_falsified: u64,
    pub(crate) credits_shared: u64,
}

impl VcReceiver {
    /// The state of the final host. Panics at a switch.
    pub(crate) fn leaf_mut(&mut self) -> &mut Leaf {
        match &mut self.role {
            Role::Deliver(leaf) => leaf,
            role => panic!("a final host is not a {role:?}"),
        }
    }

    /// The end of a loop. Panics where no loop ends.
    pub(crate) fn end_mut(&mut self) -> &mut LoopEnd {
        self.end.as_deref_mut().expect("loops end at final hosts and virtual destinations")
    }

    /// The receiver of a hop whose cells arrive by `port`; it promises nothing.
    pub(crate) fn new(
        HopId { vc, hop }: HopId,
        port: u32,
        control: Receiver,
        role: Role,
    ) -> VcReceiver {
        VcReceiver {
            control,
            role,
            port,
            upstream: NONE,
            vc: vc as u32,
            hop: hop as u32,
            is_ack: false,
            lane: NO_LANE,
            promised: u32::MAX,
            end: None,
            member: NONE,
            received_packets: 0,
            credits_sent: 0,
            cold: None,
        }
    }

    /// The cold part, which is created if needed.
    pub(crate) fn cold_mut(&mut self) -> &mut ColdReceiver {
        self.cold.get_or_insert_default()
    }

    /// The state of the frame of the next cell, at a switch that drops frames.
    pub(crate) fn frame_mut(&mut self) -> Option<&mut FrameDiscard> {
        self.cold.as_mut()?.frame.as_mut()
    }

    /// Span of redundant credits, in ps, if there are any.
    pub(crate) fn redundant_every(&self) -> Option<u64> {
        self.cold.as_ref()?.redundant_every
    }

    /// Accepts a cell.
    #[inline]
    pub(crate) fn take(&mut self) {
        self.received_packets += 1;
        self.control.on_cell();
    }

    /// The receiving half of the hop's counters.
    pub(crate) fn read(&self, counters: &mut HopCounters) {
        counters.received_packets = self.received_packets;
        counters.credits_sent = self.credits_sent;
        if let Some(cold) = &self.cold {
            counters.corrupted_packets = cold.corrupted_packets;
            counters.dropped_packets = cold.dropped_packets;
            counters.overrun_packets = cold.overrun_packets;
            counters.credits_left_out = cold.credits_left_out;
            counters.credits_falsified = cold.credits_falsified;
            counters.credits_shared = cold.credits_shared;
        }
        counters.rate.turned_around = self.end.as_ref().map_or(0, |end| end.turned_around);
    }
}
