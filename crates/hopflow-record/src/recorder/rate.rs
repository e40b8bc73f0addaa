//! Rates of a VC under rate control: ACR of its source and of its virtual sources, ER in the
//! backward RM cells that leave each port that lowers it.
//!
//! ```text
//! ACR: ICR, then the rate in each RM cell that starts at the source (its CCR) or ends there
//! ER:  the rate in a backward RM cell after the port has processed it
//! ```
//! Rows have rates in whole cells per second, rounded down; a series has them in bits per second
//! of cells of 53 bytes. CCR has no series: it is ACR as the RM cell starts. If an algorithm caps a
//! virtual source when an RM cell is turned around, the next RM cell shows the new rate.

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

/// One rate, and the rows that report it.
struct Rates {
    quantity: Quantity,
    node: String,
    /// The link direction of the sender or port.
    link: String,
    reports: Vec<Report>,
    steps: StepBuilder,
}

/// Rows that report a rate: those of RM cells of this kind in this event on a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Report {
    kind: CellKind,
    event: TraceEvent,
    direction: u32,
}

fn report(kind: CellKind, event: TraceEvent, id: DirectionId) -> Report {
    Report { kind, event, direction: id.0 as u32 }
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
        let report = Report { kind: row.kind, event: row.event, direction: row.direction };
        for rates in self.senders.iter_mut().chain(&mut self.ports) {
            if rates.reports.contains(&report) {
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

/// A VC under rate control, while its series are set up.
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
        let reports = vec![
            report(CellKind::ForwardRm, TraceEvent::Started, id),
            report(CellKind::BackwardRm, TraceEvent::Arrived, id.reverse()),
        ];
        let initial = StepBuilder::new(in_bits(whole(virtual_icr.unwrap_or(own))));
        Some(self.rates(quantity, id, reports, initial))
    }

    /// ER after the port of a hop, if the port may lower it: if loops pass, in backward RM cells
    /// that arrive at the port; if loops end, in those that the virtual destination sends.
    fn port(&self, hop: usize) -> Option<Rates> {
        let id = self.direction(hop);
        let rule = self.network.direction(id).rate_control?.rule?;
        let report = if hop > 0 && self.network.virtual_source(id).is_some() {
            let back = self.direction(hop - 1).reverse();
            report(CellKind::BackwardRm, TraceEvent::Started, back)
        } else if rule.facts().sets_er {
            report(CellKind::BackwardRm, TraceEvent::Arrived, id.reverse())
        } else {
            return None;
        };
        Some(self.rates(Quantity::ExplicitRate, id, vec![report], StepBuilder::empty()))
    }

    fn rates(
        &self,
        quantity: Quantity,
        id: DirectionId,
        reports: Vec<Report>,
        steps: StepBuilder,
    ) -> Rates {
        let node = self.network.nodes[self.network.from_node(id)].name.clone();
        Rates { quantity, node, link: self.names[id.0].clone(), reports, steps }
    }
}

/// A rate in whole cells per second, as in rows.
fn whole(rate: CellRate) -> u64 {
    rate.get().min(f64::from(u32::MAX)) as u64
}

/// Cells per second in bits per second.
fn in_bits(cells_per_second: u64) -> u64 {
    cells_per_second * Bytes::CELL.bits()
}

#[cfg(test)]
mod tests;
