//! Pools: the memory that VCs under adaptive credit share at the receiving end of a link.

use hopflow_control::credit::{CreditPool, CreditValue, Receiver};
use hopflow_units::{Cells, Picos};

use super::unit::{Control, HopId};
use super::{Event, ReferenceEngine};
use hopflow_network::counters::PoolCounters;
use hopflow_network::{DirectionId, NetworkSpec};

/// The pool of one link direction.
#[derive(Debug)]
pub(super) struct Pool {
    machine: CreditPool,
    members: Vec<HopId>,
    memory: Cells,
    interval: Picos,
}

impl Pool {
    pub(super) fn new(
        spec: &NetworkSpec,
        direction: DirectionId,
        members: &[(usize, usize)],
    ) -> Option<Pool> {
        let pool = spec.direction(direction).pool.filter(|_| !members.is_empty())?;
        let n2 = |&(vc, hop): &(usize, usize)| spec.vcs[vc].hops[hop].pooled().map(|c| c.n2);
        let n2: Vec<Cells> = members.iter().filter_map(n2).collect();
        Some(Pool {
            machine: CreditPool::new(pool.memory, &n2),
            members: members.iter().map(|&(vc, hop)| HopId { vc, ack: false, hop }).collect(),
            memory: pool.memory,
            interval: pool.interval,
        })
    }

    fn number(&self, id: HopId) -> u32 {
        let place = self.members.iter().position(|member| *member == id);
        place.expect("a hop under adaptive credit is in its pool") as u32
    }

    pub(super) fn counted(&self) -> PoolCounters {
        PoolCounters {
            held_cells: self.machine.held().0,
            held_max_cells: self.machine.held_max().0,
        }
    }

    pub(super) fn restart(&mut self) {
        self.machine.restart();
    }
}

impl ReferenceEngine {
    pub(super) fn schedule_pools(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            if let Some(pool) = &self.pools[id.0] {
                let first = self.now + pool.interval;
                self.events.push(first, Event::Allot(id));
            }
        }
    }

    /// The pool of a hop under adaptive credit, and the hop's number in it.
    fn pool_of(&mut self, id: HopId) -> Option<(&mut Pool, u32)> {
        if id.ack {
            return None;
        }
        self.spec.vcs[id.vc].hops[id.hop].pooled()?;
        let direction = self.hop(id).direction;
        let pool = self.pools[direction.0].as_mut().expect("adaptive credit has a pool");
        let number = pool.number(id);
        Some((pool, number))
    }

    /// The receiver of a hop takes a cell.
    pub(super) fn receiver_takes(&mut self, id: HopId) {
        if let Some(receiver) = &mut self.hop_mut(id).receiver {
            receiver.on_cell();
        }
        if let Some((pool, member)) = self.pool_of(id) {
            pool.machine.on_cell(member);
        }
    }

    /// The receiver of a hop frees a cell; a credit that falls due joins the port back.
    pub(super) fn credit_falls_due(&mut self, id: HopId) {
        let mut due = self.hop_mut(id).receiver.as_mut().is_some_and(Receiver::on_freed);
        if let Some((pool, member)) = self.pool_of(id) {
            due = pool.machine.on_freed(member);
        }
        self.put_credit_in_line(id, due);
    }

    /// A request tells how many cells its sender has started.
    pub(super) fn check_pool(&mut self, id: HopId, sent_packets: u64) {
        if let Some((pool, member)) = self.pool_of(id) {
            pool.machine.on_check(member, sent_packets);
        }
    }

    /// Asks the receiver of a hop; what falls due joins the line of the port back.
    pub(super) fn ask_for_credit(&mut self, id: HopId) {
        let mut due = self.hop_mut(id).receiver.as_mut().is_some_and(Receiver::ask);
        if let Some((pool, member)) = self.pool_of(id) {
            due = pool.machine.ask(member);
        }
        self.put_credit_in_line(id, due);
    }

    fn put_credit_in_line(&mut self, id: HopId, due: bool) {
        if due {
            let back = self.hop(id).direction.reverse();
            self.port(back).control_line.push_back(Control::Credit(id));
        }
    }

    /// What the credit of a hop that starts now carries.
    pub(super) fn credit_value(&mut self, id: HopId) -> Option<CreditValue> {
        if let Some((pool, member)) = self.pool_of(id) {
            return pool.machine.credit_value(member);
        }
        self.hop_mut(id).receiver.as_mut().expect("a credit has a receiver").credit_value()
    }

    /// Whether a data cell comes to a pool that is full.
    pub(super) fn pool_is_full(&mut self, id: HopId) -> bool {
        self.pool_of(id).is_some_and(|(pool, _)| pool.machine.held() >= pool.memory)
    }

    /// Unless credit cells were lost, a pool is never full when a cell comes.
    pub(super) fn assert_pool_holds(&self, id: HopId) {
        let Some(pool) = &self.pools[self.hop(id).direction.0] else { return };
        if !pool.members.contains(&id) {
            return;
        }
        let lost = |member: &HopId| self.hop(*member).counters.credits_corrupted > 0;
        let over = self.hop(id).counters.overrun_packets > 0;
        assert!(!over || pool.members.iter().any(lost), "overrun of {id:?} at {}", self.now);
    }

    /// The measuring interval of a pool ends.
    pub(super) fn allot(&mut self, direction: DirectionId) {
        let pool = self.pools[direction.0].as_mut().expect("an event of a pool has a pool");
        let mut due = Vec::new();
        pool.machine.allot(|member| due.push(pool.members[member as usize]));
        let next = self.now.saturating_add(pool.interval);
        for id in due {
            self.put_credit_in_line(id, true);
        }
        self.events.push(next, Event::Allot(direction));
    }

    /// The share of a hop of its pool, in cells; 0 without one.
    pub(super) fn allocation(&self, id: HopId) -> u32 {
        let Some(pool) = &self.pools[self.hop(id).direction.0] else { return 0 };
        let place = pool.members.iter().position(|member| *member == id);
        place.map_or(0, |member| pool.machine.allocation(member as u32).0)
    }
}
