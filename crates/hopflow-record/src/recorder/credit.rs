//! Credit counts of the senders on a link direction: after each start and each credit.

use hopflow_network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::SimTime;

use super::NONE;
use super::step::StepBuilder;
use crate::{Quantity, Series, Shape, Unit};

/// The value of a row whose sender is under no control.
const NO_CONTROL: u32 = u32::MAX;

/// The senders on one link direction.
pub(super) struct CreditTracker {
    node: String,
    link: String,
    /// For each VC: its index in `senders`, or [`NONE`].
    slot_of_vc: Vec<u32>,
    senders: Vec<Sender>,
}

struct Sender {
    vc: String,
    /// Whether ACKs that arrive at the sender are for it: the first hop of a VC with a window.
    takes_acks: bool,
    steps: StepBuilder,
}

impl CreditTracker {
    pub(super) fn new(network: &NetworkSpec, link: &str, id: DirectionId) -> CreditTracker {
        let mut slot_of_vc = vec![NONE; network.vcs.len()];
        let mut senders = Vec::new();
        let sharers = network.sharers();
        for (vc, spec) in network.vcs.iter().enumerate() {
            let Some(hop) = spec.hops.iter().position(|hop| hop.direction_id() == id) else {
                continue;
            };
            let window = spec.window.filter(|_| hop == 0);
            let initial = match (network.first_credit(vc, &spec.hops[hop], &sharers), window) {
                (Some(first), _) => first,
                (None, Some(window)) => window.cells,
                (None, None) => continue,
            };
            slot_of_vc[vc] = senders.len() as u32;
            senders.push(Sender {
                vc: spec.name.clone(),
                takes_acks: window.is_some(),
                steps: StepBuilder::new(u64::from(initial.0)),
            });
        }
        let node = network.nodes[network.from_node(id)].name.clone();
        CreditTracker { node, link: link.to_string(), slot_of_vc, senders }
    }

    /// A row of the link direction itself.
    pub(super) fn take_sent(&mut self, row: &TraceRow) {
        if row.event == TraceEvent::Started && row.kind == CellKind::Data {
            self.set(row);
        }
    }

    /// A row of the opposite link direction, by which credits arrive.
    pub(super) fn take_received(&mut self, row: &TraceRow) {
        use CellKind::{Ack, Credit, FurtherCredit};
        let changes = matches!(row.kind, Credit | FurtherCredit | Ack);
        if row.event == TraceEvent::Arrived && changes {
            self.set(row);
        }
    }

    pub(super) fn finish(self, end: SimTime, series: &mut Vec<Series>) {
        for sender in self.senders {
            series.push(Series {
                name: format!("credit of {} on {}", sender.vc, self.link),
                quantity: Quantity::Credit,
                vc: Some(sender.vc),
                node: Some(self.node.clone()),
                link: Some(self.link.clone()),
                unit: Unit::Packets,
                shape: Shape::Step,
                rate_bps: None,
                end,
                points: sender.steps.finish(),
            });
        }
    }

    fn set(&mut self, row: &TraceRow) {
        let slot = self.slot_of_vc.get(row.vc as usize).copied().unwrap_or(NONE);
        if slot == NONE || row.credit == NO_CONTROL {
            return;
        }
        let sender = &mut self.senders[slot as usize];
        if row.kind != CellKind::Ack || sender.takes_acks {
            sender.steps.set(row.time, u64::from(row.credit));
        }
    }
}
