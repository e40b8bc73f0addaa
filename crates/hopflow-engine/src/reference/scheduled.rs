//! Ports with a scheduler: which hop starts, what the scheduler finds out about a flow, and
//! messages to slow down.

use hopflow_control::credit::Permission;
use hopflow_control::scheduler::{Next, Notice};
use hopflow_units::Bytes;

use super::unit::{Control, HopId};
use super::{Event, ReferenceEngine};
use hopflow_network::DirectionId;

impl ReferenceEngine {
    /// The hop that the scheduler of a port selects, if one may start.
    pub(super) fn next_scheduled(&mut self, direction: DirectionId) -> Option<HopId> {
        let now = self.now;
        loop {
            let port = self.port(direction);
            let scheduler = port.scheduler.as_mut().expect("the port has a scheduler");
            match scheduler.next(now) {
                Next::Nothing => return None,
                Next::Check => self.check_ready(direction),
                Next::At(time) => {
                    self.events.push(time, Event::Ask(direction));
                    return None;
                }
                Next::Flow(flow) => {
                    let id = port.flows[flow as usize];
                    assert!(self.is_waiting(id), "a scheduler names a flow that has a packet");
                    if self.permission(id) == Permission::Now {
                        return Some(id);
                    }
                    self.forbid(id);
                }
            }
        }
    }

    /// Forbids the flows of an external scheduler that may no longer send.
    fn check_ready(&mut self, direction: DirectionId) {
        let port = self.port(direction);
        let flows = port.scheduler.as_mut().expect("the port has a scheduler").check();
        let ids: Vec<HopId> = flows.into_iter().map(|flow| port.flows[flow as usize]).collect();
        for id in ids {
            if self.permission(id) != Permission::Now {
                self.forbid(id);
            }
        }
    }

    /// A hop that its scheduler considered permitted may no longer send.
    fn forbid(&mut self, id: HopId) {
        self.hop_mut(id).listed = false;
        let (direction, flow) = (self.hop(id).direction, self.hop(id).flow);
        let scheduler = &mut self.port(direction).scheduler;
        scheduler.as_mut().expect("the port has a scheduler").forbid(flow);
    }

    /// The packet that a scheduler selected has started; the next of a greedy source is ready at
    /// once.
    pub(super) fn note_start(&mut self, id: HopId) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.hop(id).flow);
        let port = self.port(direction);
        let end = port.busy_until;
        if let Some(scheduler) = &mut port.scheduler {
            scheduler.start(flow, now, end);
        }
        if self.has_greedy_cell(id) {
            self.offer_greedy(id);
        }
    }

    /// The next packet of a greedy source is ready, and its size is known.
    pub(super) fn offer_greedy(&mut self, first: HopId) {
        let vc = &mut self.vcs[first.vc];
        vc.greedy_size = Bytes(u64::from(vc.source.next_greedy_bytes()));
        let size = vc.greedy_size;
        self.notify_scheduler(first, size);
    }

    /// A packet has joined the queue of a hop.
    pub(super) fn notify_scheduler(&mut self, id: HopId, size: Bytes) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.hop(id).flow);
        let Some(scheduler) = &mut self.port(direction).scheduler else { return };
        match scheduler.arrive(flow, size.0 as u32, now) {
            Some(Notice::SlowDown) if !id.ack => {
                self.hop_mut(id).counters.slow_down_messages += 1;
                self.slow_down(id);
            }
            Some(Notice::Deleted) if !id.ack => self.hop_mut(id).counters.deleted = Some(now),
            _ => {}
        }
    }

    /// A message about a hop has reached its sending end: it is passed on towards the source, or
    /// delivered to it.
    pub(super) fn slow_down(&mut self, id: HopId) {
        if let Some(hop) = self.station(id).fed_by {
            let before = HopId { hop, ..id };
            let back = self.hop(before).direction.reverse();
            self.port(back).control_line.push_back(Control::SlowDown(before));
            return;
        }
        let now = self.now;
        let source = &mut self.vcs[id.vc].source;
        source.slow_down(now);
        if let Some(due) = source.due() {
            self.events.push(due, Event::Source(id.vc));
        }
    }
}
