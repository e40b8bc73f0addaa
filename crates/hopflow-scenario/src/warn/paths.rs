//! Links that are overloaded only because flows with equal paths collide on them.

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::naming::direction;
use crate::routing::RoutingKind;

/// Flows named in a message.
const NAMED: usize = 4;

/// Notes the hottest link if it is offered more than it carries, while an even split over equal
/// paths would overload none of them.
pub(super) fn uneven(built: &Built, sink: &mut Sink) {
    let (network, routing) = (&built.network, &built.routing);
    let Some(hottest) = &routing.hottest else { return };
    // Sums of parts may be off by a rounding.
    let full = 1.0 + 1e-9;
    if hottest.load <= full || hottest.even_load > full {
        return;
    }
    let names = hottest.vcs.iter().take(NAMED).map(|vc| format!("`{}`", network.vcs[*vc].name));
    let mut names: Vec<String> = names.collect();
    if hottest.vcs.len() > NAMED {
        names.push(format!("{} more", hottest.vcs.len() - NAMED));
    }
    let message = format!(
        "{} flows collide on `{}` ({}): they offer {:.0} % of its rate, and equal paths could take \
         them, at {:.0} % on the fullest link",
        hottest.vcs.len(),
        direction(network, hottest.direction),
        names.join(", "),
        100.0 * hottest.load,
        100.0 * hottest.even_load,
    );
    let hint = match routing.kind {
        RoutingKind::First => "leave `routing = \"first\"` out: flows then choose by a hash",
        RoutingKind::Ecmp => {
            "hashed paths can collide: compare several seeds, pin one by `route-seed`, give \
             flows their `route`, or in a fat tree use `routing = \"d-mod-k\"`"
        }
        RoutingKind::DModK => "use `routing = \"ecmp\"`, or give flows their `route`",
    };
    let place = built.vc_origins.name(hottest.vcs[0]);
    sink.warning(Code::UNEVEN_PATHS, place, message).hint(hint);
}
