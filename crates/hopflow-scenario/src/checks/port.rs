//! Schedulers against the flows of their ports.

use hopflow_control::scheduler::{
    FlowShare, GateList, Guarantee, ats, deficit_round_robin as drr, tdm, tdm::SlotsError,
};
use hopflow_network::{DirectionId, VcSpec};
use hopflow_units::{Bytes, Picos, Rate};

use super::named;
use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::LARGEST_FRAME;
use crate::naming::direction;

/// A port whose flows are these: `shares` as its scheduler sees them, `vcs` which they are of.
pub(super) fn check(
    built: &Built,
    id: DirectionId,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let scheduler = &built.network.direction(id).scheduler;
    if scheduler.facts().has_weights && all_or_none(built, id, shares, vcs, sink).is_none() {
        return;
    }
    match scheduler.guarantee() {
        Guarantee::Quanta { quantum } => quanta(built, id, quantum, shares, vcs, sink),
        Guarantee::Slots { frame } => slots(built, id, frame, shares, vcs, sink),
        Guarantee::Gates(list) => gates(built, id, &list, shares, vcs, sink),
        Guarantee::Shaped { .. } => {
            assert_eq!(ats::short_burst(shares), None, "a burst holds the largest packet");
        }
        _ => {}
    }
}

/// A reserved rate and a bare weight cannot be held against each other.
fn all_or_none(
    built: &Built,
    id: DirectionId,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) -> Option<()> {
    let without = |share: &FlowShare| share.reservation.is_none();
    let bare = shares.iter().position(without);
    let (Some(bare), Some(reserved)) = (bare, shares.iter().position(|share| !without(share)))
    else {
        return Some(());
    };
    let network = &built.network;
    let name = |flow: usize| &network.vcs[vcs[flow]].name;
    let message = format!(
        "at `{}`, whose scheduler has weights, `{}` has a reservation and `{}` has none",
        direction(network, id),
        name(reserved),
        name(bare)
    );
    let hint = without_excess(&network.vcs[vcs[bare]], "`virtual-clock`").unwrap_or_else(|| {
        "give all its flows a reservation, or none, and use `weight`".to_owned()
    });
    let error =
        sink.error(Code::MIXED_SHARES, built.vc_origins.name(vcs[bare]), message).hint(hint);
    let span = built.vc_origins.key(vcs[reserved], "reservation").clone();
    error.label(span, "has a reservation");
    None
}

fn quanta(
    built: &Built,
    id: DirectionId,
    quantum: Bytes,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let network = &built.network;
    let span = &built.links.scheduler_spans[id.link()][id.side()];
    if let Some(flow) = drr::short_quantum(quantum, shares) {
        let message = format!(
            "a turn of `{}` at `{}` is less than its largest packet, {} B: the quantum is {} B",
            network.vcs[vcs[flow]].name,
            direction(network, id),
            shares[flow].largest.0,
            quantum.0
        );
        let hint = format!("raise `quantum` to {} B or more", shares[flow].largest.0);
        sink.error(Code::SMALL_QUANTUM, span, message).hint(hint);
    } else if drr::quanta(quantum, shares).is_none() {
        let message = format!(
            "turns at `{}` get longer than 2^63 bytes: lower the quantum of {} B, or bring the \
             flows' shares closer together",
            direction(network, id),
            quantum.0
        );
        sink.error(Code::TOO_MUCH, span, message);
    }
}

/// Every flow needs an opening in which its largest packet fits.
fn gates(
    built: &Built,
    id: DirectionId,
    list: &GateList,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let network = &built.network;
    let port = direction(network, id);
    let span = &built.links.scheduler_spans[id.link()][id.side()];
    let overhead = network.direction(id).overhead.0;
    if overhead > 0 {
        let message = format!(
            "gates of `{port}` shut behind the bytes of a packet, which takes {overhead} B more"
        );
        let hint = "leave `overhead` out, and count it in the size of packets";
        sink.error(Code::OVERHEAD_OF_SLOTS, span, message).hint(hint);
        return;
    }
    for (share, vc) in shares.iter().zip(vcs) {
        let longest = list.openings(share.class).into_iter().map(|(from, to)| to.0 - from.0).max();
        let Some(needed) = network.direction(id).rate.transmit_time(share.largest) else {
            continue;
        };
        if longest.is_some_and(|longest| longest >= needed.0) {
            continue;
        }
        let name = &network.vcs[*vc].name;
        let class = share.class;
        let message = match longest {
            Some(longest) => format!(
                "a packet of `{name}` never leaves by `{port}`: it takes {needed}, and gates of \
                 priority {class} are open for {} at most",
                Picos(longest)
            ),
            None => format!(
                "a packet of `{name}` never leaves by `{port}`: no gate opens priority {class}"
            ),
        };
        let hint = format!("keep a gate with {class} in `open` for {needed} or more");
        let error = sink.error(Code::SMALL_FRAME, span, message).hint(hint);
        error.label(built.vc_origins.name(*vc).clone(), "the flow");
        return;
    }
}

fn slots(
    built: &Built,
    id: DirectionId,
    frame: u32,
    shares: &[FlowShare],
    vcs: &[usize],
    sink: &mut Sink,
) {
    let network = &built.network;
    let port = direction(network, id);
    let overhead = network.direction(id).overhead.0;
    if overhead > 0 {
        let message = format!(
            "slots of `{port}` are as long as its largest packet, which takes {overhead} B more"
        );
        let hint = "choose another scheduler, or leave `overhead` out and lower `rate`";
        let span = &built.links.scheduler_spans[id.link()][id.side()];
        sink.error(Code::OVERHEAD_OF_SLOTS, span, message).hint(hint);
        return;
    }
    match tdm::slots(network.direction(id).rate, frame, shares) {
        Ok(_) => {}
        Err(SlotsError::NoReservation { flow }) => {
            let name = &network.vcs[vcs[flow]].name;
            let message = format!("`{name}` has no reservation, so it has no slot at `{port}`");
            let hint = without_excess(&network.vcs[vcs[flow]], "another scheduler");
            let hint = hint.unwrap_or_else(|| {
                "add `reservation = { rate = \"10 packets/s\" }`, or choose another scheduler"
                    .to_owned()
            });
            let flow = built.vc_origins.name(vcs[flow]).clone();
            let scheduler = &built.links.scheduler_spans[id.link()][id.side()];
            let error = sink.error(Code::NO_RESERVATION, scheduler, message).hint(hint);
            error.label(flow, "the flow");
        }
        Err(SlotsError::TooMany { needed, frame }) => {
            let message = format!(
                "the reservations at `{port}` need {needed} slots, but a frame has {frame}: {}",
                named(network, vcs)
            );
            let rate = network.direction(id).rate;
            // Looked for once: with many ports it would take long.
            let fitting = if sink.has_errors() { None } else { fitting_frame(rate, frame, shares) };
            let hint = match fitting {
                Some(frame) => format!("raise `frame` to {frame}, or lower the reservations"),
                None => "raise `frame`, or lower the reservations".to_owned(),
            };
            let hint = format!("each flow has its share of `frame` in whole slots: {hint}");
            let span = &built.links.scheduler_spans[id.link()][id.side()];
            sink.error(Code::SMALL_FRAME, span, message).hint(hint);
        }
    }
}

/// The least larger frame that the reservations fit, if one is found soon.
fn fitting_frame(rate: Rate, frame: u32, shares: &[FlowShare]) -> Option<u32> {
    let fits = |frame: &u32| tdm::slots(rate, *frame, shares).is_ok();
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
