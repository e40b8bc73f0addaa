//! Marks that nobody heeds, or nobody sets.

use hopflow_network::DirectionId;

use super::unused_places;
use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::source::SOURCE_KEY;

/// Marks that no flow through their ports heeds.
pub(super) fn unheeded(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let place = |id: DirectionId| {
        let given = &built.links.ports[id.link()][id.side()].marking;
        network.direction(id).marking.map(|_| &given.span)
    };
    for span in unused_places(network, place, |vc| vc.ecn_capable) {
        let message = "no flow that heeds marks leaves by a port with this `marking`";
        let hint = "give flows a `source` that heeds them, or leave `marking` out";
        sink.warning(Code::UNUSED_CONTROL, &span, message).hint(hint);
    }
}

/// Flows that heed marks, on ways where no port marks.
pub(super) fn unmarked(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut knows = vec![false; network.vcs.len()];
    for connection in &*network.connections {
        knows[connection.forward] = connection.protocol.external().is_none();
    }
    for (vc, index) in network.vcs.iter().zip(0..).filter(|(vc, _)| vc.ecn_capable) {
        if !knows[index]
            || vc.hops.iter().any(|hop| network.direction(hop.direction_id()).marking.is_some())
        {
            continue;
        }
        let message = format!(
            "`{}` heeds marks, but no port on its path marks: it reacts to losses only",
            vc.name
        );
        let hint = "give its switches a `marking`";
        let place = built.vc_origins.key(index, &SOURCE_KEY);
        sink.warning(Code::UNMARKED, place, message).hint(hint);
    }
}
