//! Credit cells that hops share.

use std::collections::VecDeque;

use hopflow_control::credit::CreditCarrier;

use super::ReferenceEngine;
use super::unit::{Control, HopId, Unit};
use crate::embed::credit::Carried;
use hopflow_network::{DirectionId, TraceEvent};

/// The credit cells that hops over one direction share, at the port back.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    groups: Vec<Carrier>,
    /// Credits on the wire, in order, but for the first of each cell.
    pub(super) further: VecDeque<Unit>,
}

#[derive(Debug)]
struct Carrier {
    machine: CreditCarrier,
    members: Vec<HopId>,
    per_cell: usize,
}

impl ReferenceEngine {
    /// Adds the carriers of all directions.
    pub(super) fn add_carriers(&mut self) {
        for (direction, groups) in Carried::groups(&self.spec) {
            let direction = DirectionId(direction);
            for (group, carried) in groups.iter().enumerate() {
                let hops = carried.members.iter().map(|&(vc, hop)| HopId { vc, ack: false, hop });
                let members: Vec<HopId> = hops.collect();
                for (number, id) in (0..).zip(&members) {
                    self.hop_mut(*id).carried = Some((group, number));
                }
                let (machine, per_cell) = (carried.carrier(), carried.per_cell as usize);
                let carrier = Carrier { machine, members, per_cell };
                self.port(direction.reverse()).carriers.groups.push(carrier);
            }
        }
    }

    /// Asks the carrier of a hop whether a credit cell falls due; `None` if it has none.
    pub(super) fn ask_carrier(
        &mut self,
        id: HopId,
        ask: impl FnOnce(&mut CreditCarrier, u32) -> bool,
    ) -> Option<bool> {
        let (group, number) = self.hop(id).carried?;
        let back = self.hop(id).direction.reverse();
        Some(ask(&mut self.port(back).carriers.groups[group].machine, number))
    }

    /// A credit cell of a group starts on the port `back`. Returns whether it did: not if all its
    /// credits are left out.
    pub(super) fn start_shared_credits(&mut self, back: DirectionId, group: usize) -> bool {
        let mut units: Vec<Unit> = Vec::new();
        while units.len() < self.port(back).carriers.groups[group].per_cell {
            let carrier = &mut self.port(back).carriers.groups[group];
            let Some(number) = carrier.machine.next_credit() else { break };
            let id = carrier.members[number as usize];
            match self.credit(back, id, !units.is_empty()) {
                Some(credit) => units.push(Unit::Credit(credit)),
                None => self.port(back).carriers.groups[group].machine.leave_out(number),
            }
        }
        let port = self.port(back);
        if port.carriers.groups[group].machine.complete() {
            port.control_line.push_back(Control::SharedCredits(group));
        }
        let Some((first, further)) = units.split_first() else { return false };
        self.send(back, *first, further);
        for unit in &units {
            self.control_row(TraceEvent::Started, back, unit);
        }
        true
    }
}
