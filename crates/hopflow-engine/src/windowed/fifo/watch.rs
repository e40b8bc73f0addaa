//! A FIFO-only node, and its trace rows.
//!
//! The start and the departure of a packet are known before they happen, so events are recorded in
//! another order than their rows. At the end of a window its events are sorted: by time, then as
//! docs/models/order.md specifies, (a) departures, by port, (b) arrivals, by input, (c) admissions,
//! or creations, by VC, (d) starts, by port. Events after the window wait for the next one: at most
//! one departure for each port. `fill` is counted at the same time:
//! ```text
//! fill of a VC = arrived or made - left                                              (1)
//! ```
//! Checked by: `tests/engines_agree.rs`.

use std::mem;

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::notes::{NOTES, Note};
use super::outputs::Outputs;
use crate::windowed::state::tracer::{Subject, Tracer};
use crate::windowed::wire::NEVER;
use hopflow_network::{CellKind, TraceEvent};

/// A FIFO-only node, with or without trace rows.
#[derive(Debug)]
pub(crate) struct Fifo<N> {
    pub(crate) node: N,
    watch: Option<Box<Watch>>,
}

/// Creates the trace rows of a node.
#[derive(Debug)]
struct Watch {
    tracer: Tracer,
    /// Departures after the window, in order.
    later: Vec<Note>,
    /// For each hop, Eq. (1).
    fill: Vec<u32>,
}

/// A host or a switch.
pub(crate) trait FifoNode: Send + 'static {
    /// Whether packets that arrive leave again from this node.
    const PASSES: bool;

    fn outputs(&mut self) -> &mut Outputs;

    /// The VC and the direction of an arrival, by its index at this node.
    fn input_of(&self, index: u32) -> [u32; 2];

    /// Runs a window. With `WATCHED` it also records events for trace rows.
    fn run<const WATCHED: bool>(&mut self, end: u64, sent: &mut Sent) -> Next;
}

impl<N: FifoNode> Fifo<N> {
    /// A node with trace rows if there is a tracer.
    pub(crate) fn new(mut node: N, tracer: Option<Box<Tracer>>) -> Fifo<N> {
        let watch = tracer.map(|tracer| {
            let fill = vec![0; node.outputs().hops.len()];
            Box::new(Watch { tracer: *tracer, later: Vec::new(), fill })
        });
        Fifo { node, watch }
    }

    /// The tracer of its rows, if it is traced.
    pub(crate) fn tracer_mut(&mut self) -> Option<&mut Tracer> {
        self.watch.as_mut().map(|watch| &mut watch.tracer)
    }
}

impl Watch {
    /// Runs a window. It is compiled separately from the code of nodes without trace rows.
    #[inline(never)]
    fn run(&mut self, node: &mut impl FifoNode, end: SimTime, sent: &mut Sent) -> Next {
        let mut notes = NOTES.take();
        notes.count = 0;
        notes.all.append(&mut self.later);
        node.outputs().names.notes = notes;
        let mut next = node.run::<true>(end.0, sent);
        next.own = next.own.min(SimTime(self.make_rows(node, end.0)));
        next
    }

    /// Creates the rows of the events before `end`. Returns the first departure after that.
    fn make_rows(&mut self, node: &mut impl FifoNode, end: u64) -> u64 {
        let mut notes = mem::take(&mut node.outputs().names.notes);
        notes.all.sort_unstable_by_key(|note| (note.time, note.order));
        let done = notes.all.partition_point(|note| note.time < end);
        self.later.extend_from_slice(&notes.all[done..]);
        notes.all.drain(..).take(done).for_each(|note| self.make_row(node, note));
        NOTES.set(notes);
        self.later.first().map_or(NEVER, |note| note.time)
    }

    #[inline]
    fn make_row<N: FifoNode>(&mut self, node: &mut N, note: Note) {
        let Note { time, event, index, value, .. } = note;
        let is_dropped_on_arrival = N::PASSES && event == TraceEvent::Dropped;
        let at_receiver = event == TraceEvent::Arrived || is_dropped_on_arrival;
        let [vc, direction] = if at_receiver {
            node.input_of(index)
        } else {
            let outputs = node.outputs();
            let hop = &outputs.hops[index as usize];
            [hop.vc, outputs.ports[hop.port as usize].direction]
        };
        let fill = if N::PASSES || !at_receiver { self.count(event, index) } else { 0 };
        // No credit controls the VC.
        let credit = if event == TraceEvent::Started { u32::MAX } else { 0 };
        let subject = Subject { at_receiver, direction, vc, kind: CellKind::Data, value };
        self.tracer.row(time, event, subject, fill, credit);
    }

    /// Eq. (1).
    #[inline]
    fn count(&mut self, event: TraceEvent, hop: u32) -> u32 {
        let fill = &mut self.fill[hop as usize];
        match event {
            TraceEvent::Arrived | TraceEvent::Born => *fill += 1,
            TraceEvent::Left => *fill -= 1,
            TraceEvent::Corrupted | TraceEvent::Dropped | TraceEvent::Started => {}
        }
        *fill
    }
}

impl<N: FifoNode> WindowNode for Fifo<N> {
    #[inline]
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        match &mut self.watch {
            None => self.node.run::<false>(end.0, sent),
            Some(watch) => watch.run(&mut self.node, end, sent),
        }
    }
}
