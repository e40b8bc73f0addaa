//! Flows under rate control against the ports on their way.

use std::collections::BTreeMap;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{DirectionId, Discard, NodeKind, VcSpec};
use hopflow_units::Picos;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::control::CONTROL_KEY;
use crate::keys::network::DISCARD;
use crate::naming::direction;

/// Notes every error.
pub(super) fn check(built: &Built, sink: &mut Sink) {
    of_hosts(built, sink);
    short_intervals(built, sink);
    for (index, vc) in built.network.vcs.iter().enumerate() {
        if vc.rate.is_some() {
            passes(built, index, vc, sink);
        }
    }
}

/// Ports of hosts have no rate control, though a link may tell it for both its ends at once.
fn of_hosts(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for id in (0..network.direction_count()).map(DirectionId) {
        let given = &built.links.ports[id.link()][id.side()].rate;
        let node = &network.nodes[network.from_node(id)];
        if given.alone && given.spec.control.is_some() && node.kind == NodeKind::Host {
            let message = format!(
                "`{}` is a port of the host `{}`, but only switches allot rates to flows",
                direction(network, id),
                node.name
            );
            let hint = "write \"none\" for this direction: a pair is `[there, back]`, as `between` \
                        names the nodes";
            sink.error(Code::NOT_A_SWITCH, &given.span, message).hint(hint);
        }
    }
}

/// An interval that no cell fits into measures nothing, and there would be many of them. The
/// report for each place names the slowest of its links.
fn short_intervals(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut places: BTreeMap<(usize, usize), (Picos, DirectionId)> = BTreeMap::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let rule = network.direction(id).rate_control.and_then(|rate| rate.rule);
        let Some(interval) = rule.and_then(|rule| rule.effect().interval) else { continue };
        let cell = network.cell_time(id);
        if interval < cell {
            let span = &built.links.ports[id.link()][id.side()].rate.span;
            let slowest = places.entry((span.start, span.end)).or_insert((cell, id));
            *slowest = if cell > slowest.0 { (cell, id) } else { *slowest };
        }
    }
    for ((start, end), (cell, id)) in places {
        let port = direction(network, id);
        let message = format!("`interval` is shorter than a cell of `{port}`, which takes {cell}");
        let hint = "raise it to a hundred cell times or more: rates are averages over this \
                    interval";
        sink.error(Code::OUT_OF_RANGE, &(start..end), message).hint(hint);
    }
}

/// Its cells can be paced where they are, and its RM cells pass. Reports the first port that
/// forbids it.
fn passes(built: &Built, index: usize, vc: &VcSpec, sink: &mut Sink) {
    let network = &built.network;
    for (hop, spec) in vc.hops.iter().enumerate() {
        let id = spec.direction_id();
        let port = direction(network, id);
        let ways = [id, id.reverse()];
        if let Some(way) = ways.into_iter().find(|way| network.direction(*way).lanes.is_some()) {
            let message = format!(
                "`{}` is under `abr`, but lanes and pauses, as on `{}`, do not handle RM cells",
                vc.name,
                direction(network, way)
            );
            let hint = "take `lanes` or `pause` out there, or choose another control";
            let lanes_span = built.links.shared[way.link()][way.side()].span.clone();
            sink.error(Code::NOT_PACED, built.vc_origins.key(index, &CONTROL_KEY), message)
                .hint(hint)
                .label(lanes_span, "the lanes");
            return;
        }
        if !network.is_paced(index, hop) {
            continue;
        }
        let node = network.from_node(id);
        let (reason, span) = if network.direction(id).scheduler != SchedulerSpec::RoundRobin {
            let span = &built.links.ports[id.link()][id.side()].scheduler.span;
            (format!("`{port}` is not round robin"), span)
        } else if network.nodes[node].discard != Discard::Arriving {
            let reason = format!("`{}` pushes packets out", network.nodes[node].name);
            (reason, built.nodes.origins.key(node, &DISCARD.key))
        } else {
            continue;
        };
        let message = format!("`{}` is under `abr` and paced at `{port}`, but {reason}", vc.name);
        let hint = "a flow is paced at its first port and at virtual sources: leave `scheduler` \
                    and `discard` as they are by default there";
        let place = built.vc_origins.key(index, &CONTROL_KEY);
        let error = sink.error(Code::NOT_PACED, place, message).hint(hint);
        error.label(span.clone(), "set here");
        return;
    }
}
