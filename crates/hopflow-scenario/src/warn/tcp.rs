//! TCP whose congestion control is that of the default.

use hopflow_network::ProtocolSpec;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::source::SOURCE_KEY;
use crate::keys::tcp::{USUAL_VARIANT, VARIANT};

/// Connections whose file leaves the congestion control to the default, which has changed once.
pub(super) fn usual_variant(built: &Built, sink: &mut Sink) {
    let is_open = |vc: &usize| !built.vc_origins.has(*vc, &VARIANT.key);
    let connections = built.network.connections.iter();
    let tcp = connections.filter(|one| matches!(one.protocol, ProtocolSpec::Tcp(_)));
    let mut open = tcp.map(|connection| connection.forward).filter(is_open);
    let Some(first) = open.next() else { return };
    let name = &built.network.vcs[first].name;
    let flows = match open.count() {
        0 => format!("`{name}` does not"),
        others => format!("`{name}` and {others} more do not"),
    };
    let usual = USUAL_VARIANT.facts().name;
    let message = format!(
        "{flows} state a `variant` of TCP: `{usual}` is taken, in version 0.2 it was `reno`"
    );
    let hint = format!("write `variant = \"{usual}\"` or `variant = \"reno\"` in `source`");
    let place = built.vc_origins.key(first, &SOURCE_KEY);
    sink.warning(Code::USUAL_TCP, place, message).hint(hint);
}
