//! Packets that are pushed out of their queues: where a node is over a limit, and where the
//! watchdog of a lane bites.

use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Port, Sending};
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::unit::kind_of;
use hopflow_network::TraceEvent;

impl Node {
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
