//! The two kinds of nodes: general ones, which follow docs/models/order.md event by event, and
//! plain ones, which need no events. One dispatch per node and window.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use crate::windowed::fifo;
use crate::windowed::fifo::{Plain, PlainHost, PlainSwitch, Watched};
use crate::windowed::state::node::{Node, NodeParts};
use crate::windowed::state::tracer::Tracer;
use hopflow_network::{NetworkSpec, NodeKind};

/// A node of either kind.
#[derive(Debug)]
pub(crate) enum Kind {
    General(Box<Node>),
    Host(Box<PlainHost>),
    Switch(Box<PlainSwitch>),
    /// Of which rows are made.
    WatchedHost(Box<Watched<PlainHost>>),
    /// Of which rows are made.
    WatchedSwitch(Box<Watched<PlainSwitch>>),
}

/// What a node is, whether rows are made of it or not.
pub(crate) enum Look<'a> {
    General(&'a Node),
    Host(&'a PlainHost),
    Switch(&'a PlainSwitch),
}

impl Kind {
    /// The node of this number.
    pub(crate) fn new(
        spec: &NetworkSpec,
        plain: &Plain,
        index: usize,
        mut parts: NodeParts,
    ) -> Kind {
        if !plain.is_plain(index) {
            return Kind::General(Box::new(Node::new(parts)));
        }
        let tracer = parts.tracer.take();
        match (spec.nodes[index].kind, tracer) {
            (NodeKind::Host, None) => Kind::Host(Box::new(fifo::host(spec, plain, parts))),
            (NodeKind::Switch, None) => Kind::Switch(Box::new(fifo::switch(spec, plain, parts))),
            (NodeKind::Host, Some(tracer)) => {
                let host = fifo::host(spec, plain, parts);
                Kind::WatchedHost(Box::new(Watched::new(host, *tracer)))
            }
            (NodeKind::Switch, Some(tracer)) => {
                let switch = fifo::switch(spec, plain, parts);
                Kind::WatchedSwitch(Box::new(Watched::new(switch, *tracer)))
            }
        }
    }

    /// What it is.
    pub(crate) fn look(&self) -> Look<'_> {
        match self {
            Kind::General(node) => Look::General(node),
            Kind::Host(host) => Look::Host(host),
            Kind::Switch(switch) => Look::Switch(switch),
            Kind::WatchedHost(watched) => Look::Host(&watched.node),
            Kind::WatchedSwitch(watched) => Look::Switch(&watched.node),
        }
    }

    /// Who makes its rows, if anybody does.
    pub(crate) fn tracer_mut(&mut self) -> Option<&mut Tracer> {
        match self {
            Kind::General(node) => node.tracer.as_deref_mut(),
            Kind::Host(_) | Kind::Switch(_) => None,
            Kind::WatchedHost(watched) => Some(&mut watched.tracer),
            Kind::WatchedSwitch(watched) => Some(&mut watched.tracer),
        }
    }

    /// Forgets what cannot be subtracted, see [`hopflow_network::Engine::restart_statistics`].
    pub(crate) fn restart_statistics(&mut self, now: SimTime) {
        match self {
            Kind::General(node) => node.restart_statistics(now),
            Kind::Host(host) => host.restart_statistics(now),
            Kind::Switch(switch) => switch.restart_statistics(now),
            Kind::WatchedHost(watched) => watched.node.restart_statistics(now),
            Kind::WatchedSwitch(watched) => watched.node.restart_statistics(now),
        }
    }
}

impl WindowNode for Kind {
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        match self {
            Kind::General(node) => node.run_window(end, sent),
            Kind::Host(host) => host.run::<false>(end.0, sent),
            Kind::Switch(switch) => switch.run::<false>(end.0, sent),
            Kind::WatchedHost(watched) => watched.run_window(end, sent),
            Kind::WatchedSwitch(watched) => watched.run_window(end, sent),
        }
    }
}
