//! The two kinds of nodes: general ones, which follow docs/models/order.md event by event, and
//! FIFO-only ones, which need no events. There is one dispatch per node and window.

use hopflow_kernel::{Next, Sent, WindowNode};
use hopflow_units::SimTime;

use crate::windowed::fifo;
use crate::windowed::fifo::{Fifo, FifoHost, FifoNodes, FifoSwitch};
use crate::windowed::state::node::Node;
use crate::windowed::state::tracer::Tracer;
use hopflow_network::{NetworkSpec, NodeKind};

/// A node of either kind.
#[derive(Debug)]
pub(crate) enum Kind {
    General(Box<Node>),
    Host(Box<Fifo<FifoHost>>),
    Switch(Box<Fifo<FifoSwitch>>),
}

impl Kind {
    /// The node with this number.
    pub(crate) fn new(
        spec: &NetworkSpec,
        fifo_nodes: &FifoNodes,
        index: usize,
        mut node: Node,
    ) -> Kind {
        if !fifo_nodes.is_fifo_only(index) {
            node.finish();
            return Kind::General(Box::new(node));
        }
        let tracer = node.tracer.take();
        match spec.nodes[index].kind {
            NodeKind::Host => {
                let host = fifo::host(spec, fifo_nodes, index, node);
                Kind::Host(Box::new(Fifo::new(host, tracer)))
            }
            NodeKind::Switch => {
                let switch = fifo::switch(spec, fifo_nodes, index, node);
                Kind::Switch(Box::new(Fifo::new(switch, tracer)))
            }
        }
    }

    /// The tracer of its rows, if it is traced.
    pub(crate) fn tracer_mut(&mut self) -> Option<&mut Tracer> {
        match self {
            Kind::General(node) => node.tracer.as_deref_mut(),
            Kind::Host(host) => host.tracer_mut(),
            Kind::Switch(switch) => switch.tracer_mut(),
        }
    }

    /// Resets statistics that cannot be subtracted, see
    /// [`hopflow_network::Engine::restart_statistics`].
    pub(crate) fn restart_statistics(&mut self, now: SimTime) {
        match self {
            Kind::General(node) => node.restart_statistics(now),
            Kind::Host(host) => host.node.restart_statistics(now),
            Kind::Switch(switch) => switch.node.outputs.restart_statistics(now.0),
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
