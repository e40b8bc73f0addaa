//! (d) Starts: an idle port starts one unit, control before cells.

use hopflow_control::credit::Permission;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::send::Content;
use crate::windowed::state::port::{Control, LoopState, Sending};
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::Making;
use crate::windowed::state::tracer::Levels;
use crate::windowed::wire::unit::{CELL, MADE, SIZE_MASK, TO_PORT, sequence};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// Starts one unit at a port, if it is idle and there is one.
    #[inline]
    pub(super) fn start<const TRACED: bool>(&mut self, port: u32, now: u64) {
        let out = &self.ports[port as usize];
        if out.sending != Sending::Nothing {
            // A cell has passed.
            return;
        }
        let (is_open, is_scheduled) = (out.is_open(), out.scheduled.is_some());
        if !out.control.is_empty() && self.start_control(port, now) {
            return;
        }
        if !is_open || !is_scheduled && self.lets_pass && self.start_in_turn::<TRACED>(port, now) {
            return;
        }
        let next =
            if is_scheduled { self.next_scheduled(port, now) } else { self.next_listed(port, now) };
        if let Some(index) = next {
            self.send_cell::<TRACED>(index, port, now);
        }
    }

    /// Starts the first unit of the control queue that is still needed. Returns whether it did.
    fn start_control(&mut self, port: u32, now: u64) -> bool {
        while let Some(control) = self.ports[port as usize].control.pop_front() {
            let started = match control {
                Control::Credit(index) => self.start_credit(index, port, now),
                Control::SharedCredits(group) => self.start_shared_credits(group, port, now),
                Control::Request(index) => self.start_request(index, port, now),
                Control::SlowDown(index) => {
                    let receiver = &self.receivers[index as usize];
                    let (vc, to) = (receiver.vc, receiver.upstream);
                    self.send_control(
                        port,
                        now,
                        vc,
                        CellKind::SlowDown,
                        Content { value: 0, to, word: 0 },
                    )
                }
                Control::Message(message, index) => {
                    let (vc, content) = self.message_unit(message, index);
                    self.send_control(port, now, vc, message.kind(), content)
                }
                Control::Lane(lane) => self.start_lane(lane, port, now),
                Control::Loop => {
                    self.ports[port as usize].measuring = LoopState::Out(now);
                    let content = Content { value: 0, to: TO_PORT, word: 0 };
                    self.send_control(port, now, u32::MAX, CellKind::Loop, content)
                }
                Control::LoopReply(since) => {
                    let waited = Content { value: 0, to: TO_PORT, word: now - since };
                    self.send_control(port, now, u32::MAX, CellKind::LoopReply, waited)
                }
            };
            if started {
                self.ports[port as usize].sending = Sending::Control;
                let end = self.ports[port as usize].busy_until;
                self.completions.add(end, port);
                return true;
            }
        }
        false
    }

    fn start_credit(&mut self, index: u32, port: u32, now: u64) -> bool {
        let Some((vc, content)) = self.credit(index, port, now) else { return false };
        self.send_control(port, now, vc, CellKind::Credit, content)
    }

    fn start_request(&mut self, index: u32, port: u32, now: u64) -> bool {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        if let Some(cold) = &mut circuit.cold {
            cold.request_cells += 1;
        }
        let (vc, to) = (circuit.vc, queue.downstream);
        let sent = queue.control.sent_units(circuit.sent_packets());
        self.send_control(port, now, vc, CellKind::Request, Content { value: 0, to, word: sent })
    }

    fn send_control(
        &mut self,
        port: u32,
        now: u64,
        vc: u32,
        kind: CellKind,
        content: Content,
    ) -> bool {
        self.will_write(port);
        self.ports[port as usize].send(now, vc, kind, content);
        if self.tracer.is_some() {
            self.trace_out(port, now, vc, kind, content.value, Levels::default());
        }
        true
    }

    /// Removes and returns the first eligible sender of the port's lists.
    #[expect(clippy::inline_always, reason = "it is the way of many cells")]
    #[inline(always)]
    fn next_listed(&mut self, port: u32, now: u64) -> Option<u32> {
        while let Some(index) = self.ports[port as usize].take_next(&mut self.senders) {
            let queue = &self.senders[index as usize].queue;
            let is_free = queue.is_free_to_send();
            if queue.has_cell() && (is_free || self.permission(index, now) == Permission::Now) {
                return Some(index);
            }
            // It could send when it was listed, but cannot any more.
            self.refresh(index, now);
        }
        None
    }

    #[inline]
    fn send_cell<const TRACED: bool>(&mut self, index: u32, port: u32, now: u64) {
        let mut cell = self.next_cell::<TRACED>(index, now);
        if self.limits.is_special {
            self.start_special(index, &mut cell, now);
        }
        self.will_write(port);
        let out = &mut self.ports[port as usize];
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        queue.on_send(circuit, cell.bytes, now);
        let kind = circuit.kind();
        let (vc, to, has_cell) = (circuit.vc, queue.downstream, queue.has_cell());
        let asks = queue.held_by != 0;
        let is_noted = queue.is_noted;
        let offers = circuit.offers;
        let mut sending = Sending::Cell(index);
        if cell.bytes == CELL {
            out.send(now, vc, kind, Content { value: cell.value, to, word: cell.birth });
        } else {
            out.send_sized(now, vc, kind, cell, to);
            if cell.bytes & MADE != 0 {
                sending = Sending::Made(index);
            }
        }
        out.sending = sending;
        out.value = cell.value;
        if is_noted {
            out.note_sent(&mut self.senders, now, index, cell.bytes & SIZE_MASK);
        }
        let (end, is_scheduled) = (out.busy_until, out.scheduled.is_some());
        self.completions.add(end, port);
        if is_scheduled {
            self.note_start(index, now);
        }
        if offers {
            self.offer_greedy(index, now);
        }
        if TRACED {
            self.trace_started(index, cell, now);
        }
        if has_cell {
            self.refresh(index, now);
        }
        if asks {
            self.refresh_held(index, now);
        }
    }

    /// A cell starts at a node with lanes, VCs under rate control, a marker or limits in bytes.
    #[cold]
    #[inline(never)]
    fn start_special(&mut self, index: u32, cell: &mut Cell, now: u64) {
        self.lane_start(index, cell.bytes, now);
        if self.limits.has_records {
            self.record_starts(index, cell, now);
        }
        if self.limits.has_markers {
            self.mark_starting(index, &mut cell.bytes, now);
        }
    }

    /// A cell has started of a sender that others may hold, or that may hold others: branches of
    /// its VC, and senders of its lane.
    #[cold]
    #[inline(never)]
    fn refresh_held(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let (port, lane) = (queue.port, circuit.lane);
        let is_shut = queue.is_shut();
        if queue.is_branch() {
            self.give_up_held(queue.receiver, now);
        }
        // The lane was open until this start.
        if is_shut {
            self.refresh_lane(port, lane, now);
        }
    }

    /// Takes the cell that is to start: from the queue, from the held cells of a multicast VC,
    /// or a new one of a greedy source.
    #[inline]
    fn next_cell<const TRACED: bool>(&mut self, index: u32, now: u64) -> Cell {
        if self.senders[index as usize].queue.is_paced()
            && let Some(forward) = self.start_turn(index, now)
        {
            return forward;
        }
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        if queue.is_branch() {
            let (receiver, waiting) = (queue.receiver, queue.waiting);
            queue.waiting -= 1;
            if let Some(cold) = &mut circuit.cold {
                cold.given_up = false;
            }
            let multicast = self.multicast(receiver);
            return multicast.held[multicast.next_position(waiting)].cell;
        }
        if queue.is_greedy() {
            return self.make_greedy::<TRACED>(index, now);
        }
        queue.waiting -= 1;
        self.arena.pop(&mut queue.cells)
    }

    /// A greedy cell is created as it starts.
    fn make_greedy<const TRACED: bool>(&mut self, index: u32, now: u64) -> Cell {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let made = circuit.sent_data();
        let value = sequence(made);
        queue.fill_up(circuit, now);
        let source = &self.sources[circuit.source as usize];
        if let Making::Greedy { packets: Some(packets), .. } = source.making
            && made + 1 == packets
        {
            queue.end_greedy(circuit, now);
        }
        self.ports[queue.port as usize].queue_up(now);
        let bytes = circuit.bytes;
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        if self.limits.is_special {
            self.memory_take(index, bytes);
        }
        if TRACED {
            self.trace_of(TraceEvent::Born, index, CellKind::Data, value, now);
        }
        Cell { value, bytes, birth: now }
    }
}
