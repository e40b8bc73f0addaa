//! Warnings: what is allowed but probably not meant.

mod calls;
mod credit;
mod marking;
mod paths;
mod rate;
mod shared;
mod tcp;
mod windows;
mod work;

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_control::rate::RateRule;
use hopflow_control::scheduler::{Facts, SchedulerSpec};
use hopflow_network::{CreditSpec, DirectionId, HopControl, HopSpec, NetworkSpec, SizeLaw, VcSpec};
use hopflow_units::{Bytes, Cells, Rate};

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::control::CONTROL_KEY;
use crate::keys::flow::START;
use crate::keys::service::{DSCP, PRIORITY, WEIGHT};
use crate::keys::source::SOURCE_KEY;
use crate::naming::direction;
use crate::offered::source_bps;
use crate::trace::why_empty;

/// The share of a link from which credits are said to be able to starve data.
const STARVING: f64 = 0.9;

/// Notes every warning.
pub(crate) fn check(built: &Built, sink: &mut Sink) {
    unused_nodes(built, sink);
    rates(built, sink);
    priorities(built, sink);
    weights(built, sink);
    late(built, sink);
    calls::few(built, sink);
    paths::uneven(built, sink);
    starvation(built, sink);
    shared::headroom(built, sink);
    shared::beyond_buffer(built, sink);
    credit::check(built, sink);
    windows::small(built, sink);
    tcp::usual_variant(built, sink);
    shared::unused(built, sink);
    marking::unheeded(built, sink);
    marking::unmarked(built, sink);
    rate::unused(built, sink);
    rate::no_explicit_rate(built, sink);
    rate::aims_too_long(built, sink);
    rate::by_rm_cells(built, sink);
    work::overworked(built, sink);
    empty_trace(built, sink);
}

/// The places in the file that equip ports with something that no flow through these ports uses.
/// `place`: where the file equips a port; `is_user`: whether a flow uses the equipment.
fn unused_places<'b>(
    network: &NetworkSpec,
    place: impl Fn(DirectionId) -> Option<&'b Range<usize>>,
    is_user: impl Fn(&VcSpec) -> bool,
) -> Vec<Range<usize>> {
    let mut crossed = vec![false; network.direction_count()];
    for hop in network.vcs.iter().filter(|vc| is_user(vc)).flat_map(|vc| &vc.hops) {
        crossed[hop.direction_id().0] = true;
    }
    let mut places: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        if let Some(place) = place(id) {
            *places.entry((place.start, place.end)).or_insert(false) |= crossed[id.0];
        }
    }
    let unused = places.into_iter().filter(|(_, is_used)| !is_used);
    unused.map(|((start, end), _)| start..end).collect()
}

/// A trace that can have no row.
fn empty_trace(built: &Built, sink: &mut Sink) {
    if let Some(span) = &built.trace_span
        && let Some([message, hint]) = why_empty(&built.record.trace, &built.network)
    {
        sink.warning(Code::EMPTY_TRACE, span, message).hint(hint);
    }
}

/// Nodes that no flow touches, but for those that a topology made.
fn unused_nodes(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut used = vec![false; network.nodes.len()];
    for hop in network.vcs.iter().flat_map(|vc| &vc.hops) {
        for end in network.links[hop.link].ends {
            used[end] = true;
        }
    }
    for (node, spec) in network.nodes.iter().enumerate() {
        if !used[node] && !built.nodes.made[node] {
            let message = format!("no flow touches `{}`", spec.name);
            sink.warning(Code::UNUSED_NODE, built.nodes.origins.name(node), message);
        }
    }
}

/// The names of the schedulers for which this holds: "`a`, `b` and `c`".
fn schedulers(holds: impl Fn(&Facts) -> bool) -> String {
    listed(SchedulerSpec::ALL.iter().filter(|facts| holds(facts)).map(|facts| facts.name))
}

/// Two or more names in a sentence.
fn listed(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let (last, others) = names.split_last().expect("more than one has it");
    format!("{} and {last}", others.join(", "))
}

/// Priorities that a port on the way does not look at. A flow that carries what another left
/// over goes last at VirtualClock ports all the same, as it has no reservation.
fn priorities(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (vc, index) in network.vcs.iter().zip(0..).filter(|(vc, _)| vc.priority > 0) {
        let ignores = |id: &DirectionId| {
            let scheduler = &network.direction(*id).scheduler;
            let facts = scheduler.facts();
            let last = facts.unreserved_last && vc.traffic.stream.is_some();
            !facts.heeds_class && !last && scheduler.external().is_none()
        };
        let Some(id) = vc.hops.iter().map(HopSpec::direction_id).find(ignores) else { continue };
        let message = format!(
            "`{}` has priority {}, but the scheduler of `{}` does not look at priorities",
            vc.name,
            vc.priority,
            direction(network, id)
        );
        let hint = format!("{} do", schedulers(|facts| facts.heeds_class));
        let origins = &built.vc_origins;
        let of_priority = Some(origins.key(index, &PRIORITY.key));
        let is_named = |place: &&Range<usize>| *place != origins.name(index);
        let place = of_priority.filter(is_named).unwrap_or(origins.key(index, &DSCP.key));
        sink.warning(Code::PRIORITY_IGNORED, place, message).hint(hint);
    }
}

/// Weights that no port on the way looks at.
fn weights(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (vc, index) in network.vcs.iter().zip(0..).filter(|(vc, _)| vc.weight > 1) {
        let weighs = |hop: &HopSpec| {
            let id = hop.direction_id();
            let scheduler = &network.direction(id).scheduler;
            let weighs = scheduler.facts().has_weights || scheduler.external().is_some();
            weighs || rate::weighs(network, vc, id)
        };
        if !vc.hops.iter().any(weighs) {
            let message = format!(
                "`{}` has weight {}, but no port on its way has a scheduler with weights",
                vc.name, vc.weight
            );
            let rules = RateRule::ALL.iter().filter(|facts| facts.heeds_weight);
            let hint = format!(
                "{} have, and for flows under `abr` rate control by {}",
                schedulers(|facts| facts.has_weights),
                listed(rules.map(|facts| facts.name))
            );
            let place = built.vc_origins.key(index, &WEIGHT.key);
            sink.warning(Code::WEIGHT_IGNORED, place, message).hint(hint);
        }
    }
}

/// Sources that a link on their way cannot carry.
fn rates(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (vc, index) in network.vcs.iter().zip(0..) {
        let Some(bps) = source_bps(vc, network) else {
            continue;
        };
        let Some(slow) = vc
            .hops
            .iter()
            .map(hopflow_network::HopSpec::direction_id)
            // The drain of a slow host is meant to be slow.
            .filter(|id| !network.is_drain(id.link()))
            .find(|&id| network.direction(id).rate.bps() < bps)
        else {
            continue;
        };
        let made = Rate::from_bps(bps).map_or_else(String::new, |rate| rate.to_string());
        let message = format!(
            "the source of `{}` makes {made}, but `{}` carries {}",
            vc.name,
            direction(network, slow),
            network.direction(slow).rate
        );
        sink.warning(Code::ABOVE_LINK_RATE, built.vc_origins.key(index, &SOURCE_KEY), message);
    }
}

/// Starts, stops and events after the end.
fn late(built: &Built, sink: &mut Sink) {
    let end = built.network.duration;
    for (vc, index) in built.network.vcs.iter().zip(0..) {
        if vc.start.0 >= end.0 {
            let message =
                format!("`{}` starts at {}, but the run ends at {end}", vc.name, vc.start);
            sink.warning(Code::NEVER_HAPPENS, built.vc_origins.key(index, &START.key), message);
        }
    }
    for (at, span) in built.event_spans.iter().filter(|(at, _)| at.0 >= end.0) {
        let message = format!("this is at {at}, but the run ends at {end}");
        sink.warning(Code::NEVER_HAPPENS, span, message);
    }
}

/// The cells of 53 bytes that a VC carries for each credit, at least: N2, or the bytes of its
/// smallest packets that have N2 units.
fn cells_per_credit(vc: &VcSpec, credit: &CreditSpec) -> u32 {
    let size = &vc.traffic.size;
    if *size == SizeLaw::CELL && credit.unit == Bytes::CELL {
        return credit.n2.0;
    }
    let units = u64::from(vc.least_units(credit).0);
    let bytes = u64::from(credit.n2.0).div_ceil(units) * size.least().0;
    u32::try_from(bytes / Bytes::CELL.0).unwrap_or(u32::MAX).max(1)
}

/// Directions on which credits can take nearly all. A VC that takes the share s of the link
/// against it sends back s / N2 credits per cell time; the worst case gives the link to the VCs
/// with the smallest N2.
fn starvation(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    // By direction: (N2, share of the link against it, VC).
    let mut against: Vec<Vec<(u32, f64, usize)>> = vec![Vec::new(); network.direction_count()];
    let mut has_data = vec![false; network.direction_count()];
    let sharers = network.sharers();
    for (index, vc) in network.vcs.iter().enumerate() {
        let bps = source_bps(vc, network);
        for hop in &vc.hops {
            let id = hop.direction_id();
            has_data[id.0] = true;
            if let HopControl::Credit(credit) = hop.control
                && credit.scheme.external().is_none()
            {
                // Eq. (4) of `adaptive.rs`, where all have an equal share.
                let share = network.first_credit(index, hop, &sharers);
                let share = share.filter(|_| hop.shared_credit().is_some());
                let n2 = share.map_or(credit.n2, |share| credit.n2.min(Cells(share.0.div_ceil(4))));
                let n2 = cells_per_credit(vc, &CreditSpec { n2, ..credit });
                let link = network.direction(id).rate.bps();
                let share = bps.map_or(1.0, |bps| (bps as f64 / link as f64).min(1.0));
                against[id.reverse().0].push((n2, share, index));
            }
        }
    }
    for (index, mut vcs) in against.into_iter().enumerate() {
        vcs.sort_by_key(|(n2, _, vc)| (*n2, *vc));
        let id = DirectionId(index);
        let (mut left, mut credits) = (1.0_f64, 0.0);
        for (n2, share, _) in &vcs {
            let taken = share.min(left);
            left -= taken;
            credits += taken / f64::from(*n2);
        }
        let rate = |id| network.direction(id).rate.bps() as f64;
        let share = credits * rate(id.reverse()) / rate(id);
        let limit = if has_data[index] { STARVING } else { 1.0 };
        if share >= limit
            && let Some((n2, _, vc)) = vcs.first()
        {
            let message = format!(
                "`{}` returns a credit for every {}: credits may take {:.0} % of `{}`, ahead of \
                 data",
                network.vcs[*vc].name,
                if *n2 == 1 { "cell".to_owned() } else { format!("{n2} cells") },
                share * 100.0,
                direction(network, id),
            );
            let place = built.vc_origins.key(*vc, &CONTROL_KEY);
            sink.warning(Code::STARVATION, place, message).hint(
                "raise N2: credits take at most 1 / N2 of the data's rate; under adaptive \
                     credit N2 is a quarter of a flow's share of `pool.memory` at most",
            );
        }
    }
}
