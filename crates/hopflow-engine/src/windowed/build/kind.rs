//! The two kinds of nodes: general ones, which follow docs/models/order.md event by event, and
//! FIFO-only ones, which need no events. There is one dispatch per node and window.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use crate::windowed::fifo;
use crate::windowed::fifo::{FifoHost, FifoNodes, FifoSwitch, Watched};
use crate::windowed::state::node::{Node, NodeParts};
use crate::windowed::state::tracer::Tracer;
use hopflow_network::{NetworkSpec, NodeKind};

/// A node of either kind.
#[derive(Debug)]
pub(crate) enum Kind {
    General(Box<Node>),
    Host(Box<FifoHost>),
    Switch(Box<FifoSwitch>),
    /// With trace rows.
    WatchedHost(Box<Watched<FifoHost>>),
    /// With trace rows.
    WatchedSwitch(Box<Watched<FifoSwitch>>),
}

/// A node, with or without trace rows.
pub(crate) enum NodeView<'a> {
    General(&'a Node),
    Host(&'a FifoHost),
    Switch(&'a FifoSwitch),
}

impl Kind {
    /// The node with this number.
    pub(crate) fn new(
        spec: &NetworkSpec,
        fifo_nodes: &FifoNodes,
        index: usize,
        mut parts: NodeParts,
    ) -> Kind {
        if !fifo_nodes.is_fifo_only(index) {
            return Kind::General(Box::new(Node::new(parts)));
        }
        let tracer = parts.tracer.take();
        match (spec.nodes[index].kind, tracer) {
            (NodeKind::Host, None) => Kind::Host(Box::new(fifo::host(spec, fifo_nodes, parts))),
            (NodeKind::Switch, None) => {
                Kind::Switch(Box::new(fifo::switch(spec, fifo_nodes, parts)))
            }
            (NodeKind::Host, Some(tracer)) => {
                let host = fifo::host(spec, fifo_nodes, parts);
                Kind::WatchedHost(Box::new(Watched::new(host, *tracer)))
            }
            (NodeKind::Switch, Some(tracer)) => {
                let switch = fifo::switch(spec, fifo_nodes, parts);
                Kind::WatchedSwitch(Box::new(Watched::new(switch, *tracer)))
            }
        }
    }

    /// The node, with or without trace rows.
    pub(crate) fn view(&self) -> NodeView<'_> {
        match self {
            Kind::General(node) => NodeView::General(node),
            Kind::Host(host) => NodeView::Host(host),
            Kind::Switch(switch) => NodeView::Switch(switch),
            Kind::WatchedHost(watched) => NodeView::Host(&watched.node),
            Kind::WatchedSwitch(watched) => NodeView::Switch(&watched.node),
        }
    }

    /// The tracer of its rows, if it is traced.
    pub(crate) fn tracer_mut(&mut self) -> Option<&mut Tracer> {
        match self {
            Kind::General(node) => node.tracer.as_deref_mut(),
            Kind::Host(_) | Kind::Switch(_) => None,
            Kind::WatchedHost(watched) => Some(&mut watched.tracer),
            Kind::WatchedSwitch(watched) => Some(&mut watched.tracer),
        }
    }

    /// Resets statistics that cannot be subtracted, see
    /// [`hopflow_network::Engine::restart_statistics`].
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
