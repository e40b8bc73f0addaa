//! Rates of a VC under rate control: ACR of its source and of its virtual sources, ER in the
//! backward RM cells that leave each port that lowers it.
//!
//! ```text
//! ACR: ICR, then what each RM cell tells that starts at the source (its CCR) or ends there
//! ER:  what a backward RM cell carries once the port has had its say
//! ```
//! Rows tell rates in whole cells per second, rounded down; a series tells them in bits per second
//! of cells of 53 bytes. CCR has no series: it is ACR as the RM cell starts. A virtual source that
//! an algorithm caps as an RM cell is turned around shows so with its next RM cell.

use hopflow_network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::{Bytes, CellRate, SimTime};

use super::step::StepBuilder;
use crate::{Quantity, Series, Shape, Unit};

/// The rates of one VC.
pub(super) struct RateTracker {
    vc: String,
    senders: Vec<Rates>,
    ports: Vec<Rates>,
}

/// One rate: which rows tell it.
struct Rates {
    quantity: Quantity,
    node: String,
    /// The link direction whose sending port it is of.
    link: String,
    told_by: Vec<Told>,
    steps: StepBuilder,
}

/// Rows that tell a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    kind: CellKind,
    event: TraceEvent,
    direction: u32,
}

/// What RM cells of this kind tell in this event on a link direction.
fn told(kind: CellKind, event: TraceEvent, id: DirectionId) -> Told {
    Told { kind, event, direction: id.0 as u32 }
}

impl RateTracker {
    /// The rates of `vc`; `None` when it is under no rate control.
    pub(super) fn new(network: &NetworkSpec, names: &[String], vc: usize) -> Option<RateTracker> {
        let spec = &network.vcs[vc];
        spec.rate.as_ref()?;
        let hops = 0..spec.hops.len();
        let tracker = Tracked { network, names, vc };
        Some(RateTracker {
            vc: spec.name.clone(),
            senders: hops.clone().filter_map(|hop| tracker.sender(hop)).collect(),
            ports: hops.filter_map(|hop| tracker.port(hop)).collect(),
        })
    }

    /// A row of the VC.
    pub(super) fn take(&mut self, row: &TraceRow) {
        if !matches!(row.kind, CellKind::ForwardRm | CellKind::BackwardRm) {
            return;
        }
        let told = Told { kind: row.kind, event: row.event, direction: row.direction };
        for rates in self.senders.iter_mut().chain(&mut self.ports) {
            if rates.told_by.contains(&told) {
                rates.steps.set(row.time, in_bits(u64::from(row.credit)));
            }
        }
    }

    pub(super) fn finish(self, end: SimTime, series: &mut Vec<Series>) {
        let vc = self.vc;
        for rates in self.senders.into_iter().chain(self.ports) {
            let what = if rates.quantity == Quantity::ExplicitRate { "ER" } else { "ACR" };
            series.push(Series {
                name: format!("{what} of {vc} on {}", rates.link),
                quantity: rates.quantity,
                vc: Some(vc.clone()),
                node: Some(rates.node),
                link: Some(rates.link),
                unit: Unit::BitsPerSecond,
                shape: Shape::Step,
                rate_bps: None,
                end,
                points: rates.steps.finish(),
            });
        }
    }
}

/// A VC under rate control, while its series are laid out.
struct Tracked<'a> {
    network: &'a NetworkSpec,
    names: &'a [String],
    vc: usize,
}

impl Tracked<'_> {
    fn direction(&self, hop: usize) -> DirectionId {
        self.network.vcs[self.vc].hops[hop].direction_id()
    }

    /// ACR of the source or virtual source of a hop, if it has one.
    fn sender(&self, hop: usize) -> Option<Rates> {
        if !self.network.is_paced(self.vc, hop) {
            return None;
        }
        let id = self.direction(hop);
        let own =
            self.network.vcs[self.vc].rate.as_ref().expect("a paced hop is of a VC with rates").icr;
        let begins = self.network.virtual_source(id).filter(|_| hop > 0);
        let virtual_icr = begins.and_then(|options| options.icr);
        let quantity =
            if begins.is_some() { Quantity::VirtualAllowedRate } else { Quantity::AllowedRate };
        let told_by = vec![
            told(CellKind::ForwardRm, TraceEvent::Started, id),
            told(CellKind::BackwardRm, TraceEvent::Arrived, id.reverse()),
        ];
        let initial = StepBuilder::new(in_bits(whole(virtual_icr.unwrap_or(own))));
        Some(self.rates(quantity, id, told_by, initial))
    }

    /// ER as backward RM cells leave the port of a hop, if the port may lower it: where loops pass,
    /// as they come in by the port; where they end, as the virtual destination sends them.
    fn port(&self, hop: usize) -> Option<Rates> {
        let id = self.direction(hop);
        let rule = self.network.direction(id).rate_control?.rule?;
        let told_by = if hop > 0 && self.network.virtual_source(id).is_some() {
            let back = self.direction(hop - 1).reverse();
            told(CellKind::BackwardRm, TraceEvent::Started, back)
        } else if rule.facts().sets_er {
            told(CellKind::BackwardRm, TraceEvent::Arrived, id.reverse())
        } else {
            return None;
        };
        Some(self.rates(Quantity::ExplicitRate, id, vec![told_by], StepBuilder::empty()))
    }

    fn rates(
        &self,
        quantity: Quantity,
        id: DirectionId,
        told_by: Vec<Told>,
        steps: StepBuilder,
    ) -> Rates {
        let node = self.network.nodes[self.network.from_node(id)].name.clone();
        Rates { quantity, node, link: self.names[id.0].clone(), told_by, steps }
    }
}

/// A rate in whole cells per second, as rows tell it.
fn whole(rate: CellRate) -> u64 {
    rate.get().min(f64::from(u32::MAX)) as u64
}

/// Cells per second in bits per second.
fn in_bits(cells_per_second: u64) -> u64 {
    cells_per_second * Bytes::CELL.bits()
}

#[cfg(test)]
mod tests;
