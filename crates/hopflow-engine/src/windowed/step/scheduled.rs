//! Ports with a scheduler: which sender starts, what the scheduler finds out about a flow, and
//! which packet is pushed out when the node is full.

use hopflow_control::credit::Permission;
use hopflow_control::external::Fault;
use hopflow_control::scheduler::{Next, Notice};
use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Control, Port, Sending};
use crate::windowed::state::scheduled::Scheduled;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::kind_of;
use hopflow_network::TraceEvent;

impl Node {
    /// The sender that the port's scheduler selects, if any may start now.
    #[inline(never)]
    pub(super) fn next_scheduled(&mut self, port: u32, now: u64) -> Option<u32> {
        while let Some(scheduled) = &mut self.ports[port as usize].scheduled {
            match scheduled.machine.next(SimTime(now)) {
                Next::Flow(flow) => {
                    let index = scheduled.senders[flow as usize];
                    debug_assert!(self.senders[index as usize].queue.has_cell());
                    if self.permission(index, now) == Permission::Now {
                        return Some(index);
                    }
                    self.forbid(index, now);
                }
                Next::At(at) => {
                    assert!(at.0 > now, "a scheduler asks to be asked again later");
                    if std::mem::replace(&mut scheduled.armed_for, at.0) != at.0 {
                        self.timers.set(at.0, Timer::Port(port));
                    }
                    return None;
                }
                Next::Nothing => return None,
                Next::Check => self.check_ready(port, now),
            }
        }
        None
    }

    /// The first fault of an external machine of the node, because of which the run has no result.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let faults = self.ports.iter().flat_map(|port| {
            let scheduler = port.scheduled.as_ref().and_then(|port| port.machine.fault());
            let marker = port.marker.as_ref().and_then(|marker| marker.fault());
            let rule = port.rates.as_ref().and_then(|rates| rates.machine.fault());
            let lanes = port.lanes.iter().flat_map(|lanes| lanes.faults());
            [scheduler, marker, rule].into_iter().flatten().chain(lanes)
        });
        let faults = faults.chain(self.sources.iter().filter_map(|source| match &source.making {
            Making::Timed(source) => source.fault(),
            Making::Endpoint(end) => end.host.endpoint().fault(),
            Making::Greedy { .. } | Making::Fed(_) => None,
        }));
        let faults =
            faults.chain(self.senders.iter().filter_map(|sender| sender.queue.control.fault()));
        let receivers = self.credit_machines.iter();
        Fault::first_of(faults.chain(receivers.filter_map(|receiver| receiver.fault())))
    }

    /// Forbids the flows of an external scheduler that may no longer send.
    #[cold]
    fn check_ready(&mut self, port: u32, now: u64) {
        let Some(scheduled) = &mut self.ports[port as usize].scheduled else { return };
        let flows = scheduled.machine.check().into_iter();
        let senders: Vec<u32> = flows.map(|flow| scheduled.senders[flow as usize]).collect();
        for index in senders {
            if self.permission(index, now) != Permission::Now {
                self.forbid(index, now);
            }
        }
    }

    /// A flow that was named may no longer send.
    fn forbid(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        queue.listed = false;
        let (port, flow) = (queue.port, circuit.flow);
        if let Some(scheduled) = &mut self.ports[port as usize].scheduled {
            scheduled.machine.forbid(flow);
        }
        self.refresh(index, now);
    }

    /// Reports to the scheduler that the packet it selected has started.
    pub(super) fn note_start(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let (port, flow) = (queue.port, circuit.flow);
        let out = &mut self.ports[port as usize];
        let end = SimTime(out.busy_until);
        let Some(scheduled) = &mut out.scheduled else { return };
        scheduled.machine.start(flow, SimTime(now), end);
    }

    /// The next packet of a greedy source is ready, and its size is known.
    pub(super) fn offer_greedy(&mut self, index: u32, now: u64) {
        let circuit = &mut self.senders[index as usize].circuit;
        let source = &mut self.sources[circuit.source as usize];
        if let Making::Greedy { source, .. } = &mut source.making {
            circuit.bytes = source.next_greedy_bytes();
        }
        let bytes = circuit.bytes;
        self.notify_scheduler(index, bytes, now);
    }

    /// A packet has joined the queue of a sender.
    #[inline]
    pub(super) fn notify_scheduler(&mut self, index: u32, bytes: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let (port, flow) = (queue.port, circuit.flow);
        let Some(scheduled) = &mut self.ports[port as usize].scheduled else { return };
        let notice = scheduled.machine.arrive(flow, bytes, SimTime(now));
        // The flow may be permitted already: no other event would wake the port.
        self.touch(port);
        if let Some(notice) = notice {
            self.act_on(notice, index, now);
        }
    }

    /// Whether the output of a sender has no room for a packet, or its scheduler refuses it.
    #[inline]
    pub(super) fn is_refused(&self, index: u32, bytes: u32, now: u64) -> bool {
        self.memory.is_some() && self.lacks_memory(index, bytes, 1)
            || self.port_refuses(index, bytes, now)
    }

    /// The same without limits in bytes.
    #[inline(never)]
    fn port_refuses(&self, index: u32, bytes: u32, now: u64) -> bool {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let port = &self.ports[queue.port as usize];
        if port.queued >= self.limits.port(port.limit) || self.is_discarding(index) {
            return true;
        }
        let refuses =
            |scheduled: &Scheduled| scheduled.machine.refuses(circuit.flow, bytes, SimTime(now));
        port.scheduled.as_deref().is_some_and(refuses)
    }

    /// A scheduler has found a flow too fast. ACKs are not slowed down.
    fn act_on(&mut self, notice: Notice, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        if circuit.is_ack {
            return;
        }
        let receiver = queue.receiver;
        let cold = circuit.cold.get_or_insert_default();
        match notice {
            Notice::Deleted => cold.deleted = Some(now),
            Notice::SlowDown => {
                cold.slow_down_messages += 1;
                self.slow_down(index, receiver, now);
            }
        }
    }

    /// Passes a message on towards the source of a VC, or delivers it to the source.
    pub(super) fn slow_down(&mut self, sender: u32, receiver: u32, now: u64) {
        if receiver != NONE {
            let port = self.receivers[receiver as usize].port;
            return self.put_in_line(port, Control::SlowDown(receiver));
        }
        let source = self.senders[sender as usize].circuit.source;
        if let Making::Timed(timed) = &mut self.sources[source as usize].making {
            let before = timed.due();
            timed.slow_down(SimTime(now));
            if let Some(due) = timed.due().filter(|due| before != Some(*due)) {
                self.timers.set(due.0, Timer::Source(source));
            }
        }
    }

    /// After a packet has joined `port`: pushes one out if the node is over a limit in packets.
    #[inline]
    pub(super) fn push_out(&mut self, port: u32, now: u64) {
        let queued = |port: usize| self.ports[port].queued;
        let (limit, ports) = (self.ports[port as usize].limit, self.ports.len());
        if let Some(from) = self.limits.pushes_from(port, limit, self.buffered, ports, queued) {
            self.push_out_of(from, now);
        }
    }

    /// The same of limits in bytes: pushes out as many as it takes.
    pub(super) fn push_out_bytes(&mut self, port: u32, now: u64) {
        let sends = |port: &Port| matches!(port.sending, Sending::Cell(_) | Sending::Made(_));
        let waits = |port: &Port| port.queued > u32::from(sends(port));
        while let Some(memory) = &self.memory
            && let Some(from) = memory.pushes_from(port, |port| waits(&self.ports[port]))
        {
            self.push_out_of(from, now);
        }
    }

    /// The packet that would be served last at a port is pushed out.
    fn push_out_of(&mut self, from: u32, now: u64) {
        let scheduled = self.ports[from as usize].scheduled.as_deref_mut();
        let scheduled = scheduled.expect("where packets are pushed out, ports have schedulers");
        let Some(flow) = scheduled.machine.victim() else { return };
        let index = scheduled.senders[flow as usize];
        self.push_last_out(index, now);
    }

    /// The last packet of a sender's queue is pushed out.
    pub(super) fn push_last_out(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let (from, flow) = (queue.port, circuit.flow);
        if let Some(scheduled) = &mut self.ports[from as usize].scheduled {
            scheduled.machine.drop_last(flow);
        }
        let cell = self.arena.pop_last(&mut queue.cells, queue.waiting);
        queue.waiting -= 1;
        queue.fill_down(circuit, now);
        circuit.cold.get_or_insert_default().pushed_out_packets += 1;
        let (receiver, kind) = (queue.receiver, kind_of(circuit.kind(), cell.bytes));
        self.ports[from as usize].queue_down(now);
        self.mark_gone(from, cell.bytes);
        self.trace_of(TraceEvent::Dropped, index, kind, cell.value, now);
        self.free(receiver, cell.bytes, now);
        self.lane_free(receiver, cell.bytes, now);
        self.memory_free(index, cell.bytes);
        if self.limits.has_records {
            self.record_lost(index, cell.bytes);
        }
        self.refresh(index, now);
        if self.senders[index as usize].circuit.wakes {
            self.wake(self.senders[index as usize].circuit.source, now);
        }
    }
}
