//! Ports with a scheduler: which sender starts, and what the scheduler finds out about a flow.

use hopflow_control::credit::Permission;
use hopflow_control::external::Fault;
use hopflow_control::scheduler::{Next, Notice};
use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;

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
}
