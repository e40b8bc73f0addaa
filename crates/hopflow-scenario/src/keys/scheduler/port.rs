//! The flows of a port as a check of its scheduler sees them, and what several schedulers check:
//! shares, turns, slots.

use std::ops::Range;

use hopflow_control::scheduler::{FlowShare, deficit_round_robin as drr, tdm, tdm::SlotsError};
use hopflow_network::{DirectionId, DirectionSpec, NetworkSpec, VcSpec};
use hopflow_units::{Bytes, Wire};

use super::super::traffic::RESERVATION_KEY;
use super::LARGEST_FRAME;
use crate::Code;
use crate::diagnostic::Sink;
use crate::naming::{direction, flows};
use crate::place::Origins;

/// A port and its flows.
pub(crate) struct PortFlows<'b> {
    pub(crate) network: &'b NetworkSpec,
    pub(crate) id: DirectionId,
    /// The flows as the scheduler sees them.
    pub(crate) shares: &'b [FlowShare],
    /// The VC of each.
    pub(crate) vcs: &'b [usize],
    /// Where the scheduler was named.
    pub(crate) scheduler: &'b Range<usize>,
    /// Where the VCs were named.
    pub(crate) origins: &'b Origins,
}

impl PortFlows<'_> {
    /// `FROM->TO`.
    pub(super) fn name(&self) -> String {
        direction(self.network, self.id)
    }

    pub(super) fn direction(&self) -> &DirectionSpec {
        self.network.direction(self.id)
    }

    fn vc(&self, flow: usize) -> &VcSpec {
        &self.network.vcs[self.vcs[flow]]
    }

    /// The name of a flow.
    pub(super) fn flow(&self, flow: usize) -> &str {
        &self.vc(flow).name
    }

    /// Where a flow was named.
    pub(super) fn place(&self, flow: usize) -> &Range<usize> {
        self.origins.name(self.vcs[flow])
    }

    /// A reserved rate and a bare weight cannot be held against each other.
    pub(super) fn all_or_none(&self, sink: &mut Sink) -> Option<()> {
        let without = |share: &FlowShare| share.reservation.is_none();
        let bare = self.shares.iter().position(without);
        let reserved = self.shares.iter().position(|share| !without(share));
        let (Some(bare), Some(reserved)) = (bare, reserved) else { return Some(()) };
        let message = format!(
            "at `{}`, whose scheduler has weights, `{}` has a reservation and `{}` has none",
            self.name(),
            self.flow(reserved),
            self.flow(bare)
        );
        let hint = without_excess(self.vc(bare), "`virtual-clock`").unwrap_or_else(|| {
            "give all its flows a reservation, or none, and use `weight`".to_owned()
        });
        let error = sink.error(Code::MIXED_SHARES, self.place(bare), message).hint(hint);
        let span = self.origins.key(self.vcs[reserved], &RESERVATION_KEY).clone();
        error.label(span, "has a reservation");
        None
    }

    /// Every flow needs a turn in which its largest packet fits.
    pub(super) fn quanta(&self, quantum: Bytes, sink: &mut Sink) {
        if let Some(flow) = drr::short_quantum(quantum, self.shares) {
            let message = format!(
                "a turn of `{}` at `{}` is less than its largest packet, {} B: the quantum is {} B",
                self.flow(flow),
                self.name(),
                self.shares[flow].largest.0,
                quantum.0
            );
            let hint = format!("raise `quantum` to {} B or more", self.shares[flow].largest.0);
            sink.error(Code::SMALL_QUANTUM, self.scheduler, message).hint(hint);
        } else if drr::quanta(quantum, self.shares).is_none() {
            let message = format!(
                "turns at `{}` get longer than 2^63 bytes: lower the quantum of {} B, or bring the \
                 flows' shares closer together",
                self.name(),
                quantum.0
            );
            sink.error(Code::TOO_MUCH, self.scheduler, message);
        }
    }

    /// Every flow needs a slot.
    pub(super) fn slots(&self, frame: u32, sink: &mut Sink) {
        let wire = self.direction().wire();
        match tdm::slots(wire, frame, self.shares) {
            Ok(_) => {}
            Err(SlotsError::NoReservation { flow }) => {
                let [name, port] = [self.flow(flow), &self.name()];
                let message = format!("`{name}` has no reservation, so it has no slot at `{port}`");
                let hint = without_excess(self.vc(flow), "another scheduler");
                let hint = hint.unwrap_or_else(|| {
                    "add `reservation = { rate = \"10 packets/s\" }`, or choose another scheduler"
                        .to_owned()
                });
                let error = sink.error(Code::NO_RESERVATION, self.scheduler, message).hint(hint);
                error.label(self.place(flow).clone(), "the flow");
            }
            Err(SlotsError::TooMany { needed, frame }) => {
                let message = format!(
                    "the reservations at `{}` need {needed} slots, but a frame has {frame}: {}",
                    self.name(),
                    flows(self.network, self.vcs)
                );
                // Looked for once: with many ports it would take long.
                let is_first = !sink.has_errors();
                let fitting = is_first.then(|| fitting_frame(wire, frame, self.shares)).flatten();
                let hint = match fitting {
                    Some(frame) => format!("raise `frame` to {frame}, or lower the reservations"),
                    None => "raise `frame`, or lower the reservations".to_owned(),
                };
                let hint = format!("each flow has its share of `frame` in whole slots: {hint}");
                sink.error(Code::SMALL_FRAME, self.scheduler, message).hint(hint);
            }
        }
    }
}

/// The least larger frame that the reservations fit, if one is found soon.
fn fitting_frame(wire: Wire, frame: u32, shares: &[FlowShare]) -> Option<u32> {
    let fits = |frame: &u32| tdm::slots(wire, *frame, shares).is_ok();
    let tries = 1_000_000 / shares.len().max(1);
    (frame..=LARGEST_FRAME).take(tries).find(fits)
}

/// The way out for the flow that carries what another left over.
fn without_excess(vc: &VcSpec, instead: &str) -> Option<String> {
    let of = vc.traffic.stream.as_ref()?;
    Some(format!(
        "`{}` carries what does not conform of `{of}`, and never has a reservation: choose \
         another `excess` than \"low-priority\", or {instead} here",
        vc.name
    ))
}
