//! The two kinds of nodes: general ones, which follow docs/models/order.md event by event, and
//! plain ones, which need no events. One dispatch per node and window.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use super::node::{Node, NodeParts};
use super::plain::{self, Plain, PlainHost, PlainSwitch};
use crate::{NetworkSpec, NodeKind};

/// A node of either kind.
#[derive(Debug)]
pub(super) enum Kind {
    General(Box<Node>),
    Host(Box<PlainHost>),
    Switch(Box<PlainSwitch>),
}

impl Kind {
    /// The node of this number.
    pub(super) fn new(spec: &NetworkSpec, plain: &Plain, index: usize, parts: NodeParts) -> Kind {
        if !plain.is_plain(index) {
            return Kind::General(Box::new(Node::new(parts)));
        }
        match spec.nodes[index].kind {
            NodeKind::Host => Kind::Host(Box::new(plain::host(spec, plain, parts))),
            NodeKind::Switch => Kind::Switch(Box::new(plain::switch(spec, plain, parts))),
        }
    }

    /// The general node, if it is one: only those are traced.
    pub(super) fn general_mut(&mut self) -> Option<&mut Node> {
        match self {
            Kind::General(node) => Some(node),
            Kind::Host(_) | Kind::Switch(_) => None,
        }
    }

    /// Forgets what cannot be subtracted, see [`crate::Engine::restart_statistics`].
    pub(super) fn restart_statistics(&mut self, now: SimTime) {
        match self {
            Kind::General(node) => node.restart_statistics(now),
            Kind::Host(host) => host.restart_statistics(now),
            Kind::Switch(switch) => switch.restart_statistics(now),
        }
    }
}

impl WindowNode for Kind {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        match self {
            Kind::General(node) => node.run_window(end, sent),
            Kind::Host(host) => host.run_window(end, sent),
            Kind::Switch(switch) => switch.run_window(end, sent),
        }
    }
}
