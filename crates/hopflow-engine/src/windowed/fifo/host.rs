//! A FIFO-only host: packets that arrive are delivered, packets that sources create join their
//! ports.
//!
//! Arriving packets join no port, so the two sides are independent. Packets created at one instant
//! join in the order of VCs, those of one source one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use hopflow_kernel::{Next, Sent};
use hopflow_units::SimTime;

use super::inputs::{Arrival, ArrivalSink, Inputs};
use super::notes::Notes;
use super::output::Packet;
use super::outputs::Outputs;
use super::watch::FifoNode;
use crate::windowed::state::HopId;
use crate::windowed::state::idle::{Plans, leaf_of};
use crate::windowed::state::receiver::Leaf;
use crate::windowed::wire::NEVER;
use crate::windowed::wire::unit::{SIZE_MASK, sequence};
use hopflow_network::TraceEvent;
use hopflow_network::traffic::{Fate, Source};

/// One VC that ends here.
#[derive(Debug)]
pub(super) struct Sink {
    /// Created when the first packet arrives.
    pub(super) leaf: Option<Box<Leaf>>,
    pub(super) vc: u32,
    pub(super) hop: u32,
    /// The size of its packets; that of a cell where sizes differ.
    pub(super) bytes: u32,
    /// The direction by which it arrives.
    pub(super) from: u32,
}

/// One VC that starts here.
#[derive(Debug)]
pub(super) struct FifoSource {
    source: Source,
    pub(super) created_packets: u64,
    /// The created packets that the policer discarded.
    pub(super) policed_packets: u64,
}

impl Sink {
    #[cold]
    #[inline(never)]
    fn make(&mut self, plans: &Plans) {
        let place = HopId { vc: self.vc as usize, hop: self.hop as usize };
        self.leaf = Some(Box::new(leaf_of(&plans.spec, place)));
    }
}

impl FifoSource {
    /// Creates the source of the VC that leaves by this hop.
    #[cold]
    #[inline(never)]
    fn new(plans: &Plans, outputs: &Outputs, hop: u32) -> Box<FifoSource> {
        let source = plans.spec.new_source(outputs.hops[hop as usize].vc as usize);
        Box::new(FifoSource { source, created_packets: 0, policed_packets: 0 })
    }
}

/// A host.
#[derive(Debug)]
pub(crate) struct FifoHost {
    plans: Arc<Plans>,
    pub(super) inputs: Inputs,
    pub(crate) outputs: Outputs,
    pub(super) sinks: Vec<Sink>,
    /// For each VC that leaves; created when its first packet is due.
    pub(super) sources: Vec<Option<Box<FifoSource>>>,
    /// The next packets of sources: (instant, source).
    due: BinaryHeap<Reverse<(u64, u32)>>,
}

impl FifoHost {
    /// `dues`: for each VC that leaves, when its first packet is due.
    pub(super) fn new(
        plans: Arc<Plans>,
        inputs: Inputs,
        outputs: Outputs,
        sinks: Vec<Sink>,
        dues: &[Option<SimTime>],
    ) -> FifoHost {
        let due = |(index, due): (u32, &Option<SimTime>)| due.map(|due| Reverse((due.0, index)));
        let due = (0..).zip(dues).filter_map(due).collect();
        let sources = dues.iter().map(|_| None).collect();
        FifoHost { plans, inputs, outputs, sinks, sources, due }
    }

    /// Resets maxima, delays and instants, see [`hopflow_network::Engine::restart_statistics`].
    pub(crate) fn restart_statistics(&mut self, now: SimTime) {
        self.outputs.restart_statistics(now.0);
        let leaves = self.sinks.iter_mut().filter_map(|sink| sink.leaf.as_mut());
        leaves.for_each(|leaf| leaf.restart());
    }

    /// Creates the packets that are due before `end`.
    fn make<const WATCHED: bool>(&mut self, end: u64) {
        while let Some(mut next) = self.due.peek_mut() {
            let Reverse((now, index)) = *next;
            if now >= end {
                break;
            }
            let from = &mut self.sources[index as usize];
            let plans = &self.plans;
            let from = from.get_or_insert_with(|| FifoSource::new(plans, &self.outputs, index));
            let made = from.source.made();
            from.source.advance();
            match from.source.due() {
                Some(due) => next.0.0 = due.0,
                None => drop(PeekMut::pop(next)),
            }
            if made.fate == Fate::LeftOut {
                continue;
            }
            let value = sequence(from.created_packets - from.policed_packets);
            from.created_packets += 1;
            if made.fate == Fate::Discarded {
                from.policed_packets += 1;
                if WATCHED {
                    let notes = &mut self.outputs.names.notes;
                    notes.make(TraceEvent::Dropped, index, now, value);
                }
                continue;
            }
            let packet = Packet { birth: made.birth.0, value, bytes: made.bytes };
            if WATCHED {
                self.outputs.names.notes.make(TraceEvent::Born, index, now, packet.value);
            }
            self.outputs.join::<WATCHED>(index, now, packet, end);
        }
    }
}

/// Delivers packets.
struct Deliverer<'a, const WATCHED: bool> {
    sinks: &'a mut [Sink],
    plans: &'a Plans,
    notes: &'a mut Notes,
}

impl<const WATCHED: bool> ArrivalSink for Deliverer<'_, WATCHED> {
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn accept(&mut self, arrival: Arrival) {
        if WATCHED {
            self.notes.arrive(TraceEvent::Arrived, arrival.to, arrival.due, arrival.value);
        }
        let sink = &mut self.sinks[arrival.to as usize];
        let bytes = if arrival.bytes == 0 { sink.bytes } else { arrival.bytes & SIZE_MASK };
        if sink.leaf.is_none() {
            sink.make(self.plans);
        }
        if let Some(leaf) = &mut sink.leaf {
            leaf.deliver(arrival.due, arrival.birth, bytes);
        }
    }
}

impl FifoNode for FifoHost {
    const PASSES: bool = false;

    fn outputs(&mut self) -> &mut Outputs {
        &mut self.outputs
    }

    fn input_of(&self, index: u32) -> [u32; 2] {
        let sink = &self.sinks[index as usize];
        [sink.vc, sink.from]
    }

    #[inline]
    fn run<const WATCHED: bool>(&mut self, end: u64, sent: &mut Sent) -> Next {
        let (sinks, notes) = (&mut self.sinks[..], &mut self.outputs.names.notes);
        let mut deliverer = Deliverer::<WATCHED> { sinks, plans: &self.plans, notes };
        let next = self.inputs.take_unordered(end, &mut deliverer);
        self.outputs.put_waiting::<WATCHED>(end);
        self.make::<WATCHED>(end);
        self.outputs.announce(sent);
        let due = self.due.peek().map_or(NEVER, |Reverse((due, _))| *due);
        let own = next.min(self.outputs.next_start()).min(due);
        Next { own: SimTime(own), units: self.inputs.units() }
    }
}
