//! Rate control that probably does not do what is meant.

use std::collections::BTreeSet;

use hopflow_control::rate::{RateRule, VcRate};
use hopflow_network::{DirectionId, NetworkSpec, VcSpec, VirtualRate};
use hopflow_units::{Bytes, CellRate};

use super::unused_places;
use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::control::CONTROL_KEY;

/// Rate control that no flow under `abr` meets at any of its ports.
pub(super) fn unused(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let place = |id: DirectionId| {
        let given = &built.links.ports[id.link()][id.side()].rate;
        network.direction(id).rate_control.map(|_| &given.span)
    };
    for span in unused_places(network, place, |vc| vc.rate.is_some()) {
        let message = "no flow under `abr` leaves by a port with this `rate-control`";
        let hint = "give flows `control = { kind = \"abr\" }`, or leave `rate-control` out";
        sink.warning(Code::UNUSED_CONTROL, &span, message).hint(hint);
    }
}

/// Flows under `abr` that no port tells a rate.
pub(super) fn no_explicit_rate(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (vc, index) in network.vcs.iter().zip(0..) {
        let Some(abr) = &vc.rate else { continue };
        if vc.hops.iter().any(|hop| rule(network, hop.direction_id()).is_some()) {
            continue;
        }
        let message = format!(
            "`{}` is under `abr`, but no port on its path allots it a rate: it rises to PCR, {}",
            vc.name, abr.pcr
        );
        let hint = "give its switches a `rate-control`, such as \"erica-plus\"";
        sink.warning(Code::NO_EXPLICIT_RATE, built.vc_origins.key(index, &CONTROL_KEY), message)
            .hint(hint);
    }
}

/// Ports that aim at a queue for which their switch has no room: T0 x C cells.
pub(super) fn aims_too_long(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(rule) = rule(network, id) else { continue };
        let Some(delay) = rule.effect().target_delay else { continue };
        let node = &network.nodes[network.from_node(id)];
        let takes = node.takes(Bytes::CELL);
        let limits = node.buffer.into_iter().chain(node.port_buffer);
        let room = limits.map(|limit| limit.packets_of(takes)).min();
        let rate = CellRate::from_rate(network.direction(id).rate);
        let target = rate.get() * delay.as_secs_f64();
        let Some(room) = room.filter(|room| target > *room as f64) else { continue };
        let span = &built.links.ports[id.link()][id.side()].rate.span;
        if reported.insert((span.start, span.end)) {
            let message = format!(
                "`{}` at `{}` aims at a queue of {target:.0} cells ({delay} of its link), but the \
                 switch has room for {room}: cells and RM cells will be lost",
                rule.facts().name,
                node.name
            );
            let hint = "lower `target-delay`, or raise the buffer";
            sink.warning(Code::LONG_TARGET, span, message).hint(hint);
        }
    }
}

/// Virtual sources that take the rate of a VC between two of its RM cells, not over an interval.
pub(super) fn by_rm_cells(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(rule) = rule(network, id) else { continue };
        let source = network.virtual_source(id);
        let measures = source.is_some_and(|source| source.rate == VirtualRate::Measured);
        let span = &built.links.ports[id.link()][id.side()].rate.span;
        if measures
            && rule.effect().vc_rate == Some(VcRate::Ccr)
            && reported.insert((span.start, span.end))
        {
            let message = format!(
                "`vc-rate = \"ccr\"` with `vs-vd`: the virtual sources of `{}` take the rate of a \
                 flow between two of its RM cells. What they send back is then the rate at which \
                 cells leave, so cells that came before may wait in them without end",
                network.nodes[network.from_node(id)].name
            );
            let hint = "write `vc-rate = \"measured\"`, the rate over an interval, which is the \
                        default with `vs-vd`";
            sink.warning(Code::RATE_OF_RM_CELLS, span, message).hint(hint);
        }
    }
}

fn rule(network: &NetworkSpec, id: DirectionId) -> Option<RateRule> {
    network.direction(id).rate_control?.rule
}

/// Whether the rate control of a port looks at the weight of a flow.
pub(super) fn weighs(network: &NetworkSpec, vc: &VcSpec, id: DirectionId) -> bool {
    let heeds = |rule: RateRule| rule.facts().heeds_weight || rule.external().is_some();
    vc.rate.is_some() && rule(network, id).is_some_and(heeds)
}
