//! Marks that nobody heeds.

use std::collections::BTreeMap;

use hopflow_network::DirectionId;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;

/// Marks of ports that no flow crosses that heeds them, at all ports they are told for.
pub(super) fn unheeded(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut crossed = vec![false; network.direction_count()];
    for vc in network.vcs.iter().filter(|vc| vc.ecn_capable) {
        for hop in &vc.hops {
            crossed[hop.direction_id().0] = true;
        }
    }
    // By place: whether a flow makes use of it.
    let mut places: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    for id in (0..network.direction_count()).map(DirectionId) {
        let told = &built.links.marks[id.link()][id.side()];
        if network.direction(id).marking.is_some() {
            let place = (told.span.start, told.span.end);
            *places.entry(place).or_insert(false) |= crossed[id.0];
        }
    }
    for ((start, end), _) in places.into_iter().filter(|(_, used)| !used) {
        let message = "no flow that heeds marks leaves by a port with this `marking`";
        let hint = "give flows a `source` that heeds them, or leave `marking` out";
        sink.warning(Code::UNUSED_CONTROL, &(start..end), message).hint(hint);
    }
}
