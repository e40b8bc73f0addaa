//! The processors of hosts against their applications.

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::control::CONTROL_KEY;
use crate::keys::network::DRAIN;
use crate::keys::work::WORK_KEY;

/// Notes every error.
pub(super) fn check(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    if network.nodes.iter().all(|node| node.work.is_none()) {
        return;
    }
    of_slow_hosts(built, sink);
    of_shared_credits(built, sink);
}

/// A host works, or its application takes packets at a rate of its own.
fn of_slow_hosts(built: &Built, sink: &mut Sink) {
    for (index, node) in built.network.nodes.iter().enumerate() {
        let (Some(_), Some(_)) = (node.work, node.drain) else { continue };
        let message = format!(
            "`work` and `drain` of `{}` exclude each other: its packets wait either for the \
             processor (`work`) or for the application (`drain`)",
            node.name
        );
        let span = built.nodes.origins.key(index, &WORK_KEY);
        let error = sink.error(Code::CONFLICT, span, message);
        let drain = built.nodes.origins.key(index, &DRAIN).clone();
        error.hint("keep one of them").label(drain, "the application");
    }
}

/// A host that works on each credit makes them one by one.
fn of_shared_credits(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (index, vc) in network.vcs.iter().enumerate() {
        if vc.hops.iter().any(|hop| network.shares_software_credit(hop)) {
            let message = format!(
                "credits of `{}` share credit cells, but one of its hosts spends `work` on each \
                 credit: software makes credits one by one",
                vc.name
            );
            let place = built.vc_origins.key(index, &CONTROL_KEY);
            sink.error(Code::CONFLICT, place, message)
                .hint("leave `credits-per-cell` out, or `credit` of `work`");
        }
    }
}
