//! A VC at its source host: which cells it makes.

use hopflow_control::scheduler::SchedulerSpec;

use super::endpoint::{EndpointSource, PacketSource};
use super::idle::{add_idle_source, source_of};
use super::node::NodeParts;
use super::timers::Timer;
use crate::traffic::Source;
use crate::{NetworkSpec, SourceSpec};

/// How cells come to be.
#[derive(Debug)]
pub(super) enum Making {
    /// The source says when the next cell is due.
    Timed(Source),
    /// The endpoint of a connection sends when it can.
    Endpoint(Box<EndpointSource>),
    /// There is always one more, from `start` until `stop` (in ps).
    Greedy {
        /// How large it is.
        source: Source,
        /// When it is switched on.
        start: u64,
        /// When it is switched off, if ever.
        stop: Option<u64>,
        /// After how many packets it ends, if ever.
        packets: Option<u64>,
    },
}

/// One VC at its source host.
#[derive(Debug)]
pub(super) struct VcSource {
    pub(super) making: Making,
    pub(super) sender: u32,
    /// Where packets are cut into cells, or belong to a connection.
    pub(super) packets: Option<Box<PacketSource>>,
    pub(super) created_packets: u64,
    /// Of these, those the policer discarded.
    pub(super) policed_packets: u64,
    /// Of these, those the host took in: the next sequence number.
    pub(super) accepted_packets: u64,
}

impl VcSource {
    /// A source whose cells `sender` sends.
    pub(super) const fn new(making: Making, sender: u32) -> VcSource {
        let (created_packets, policed_packets, accepted_packets) = (0, 0, 0);
        VcSource {
            making,
            sender,
            packets: None,
            created_packets,
            policed_packets,
            accepted_packets,
        }
    }
}

/// Adds the source of a VC to its host, where `sender` sends its cells.
pub(super) fn add_source(spec: &NetworkSpec, nodes: &mut [NodeParts], vc: usize, sender: u32) {
    let flow = &spec.vcs[vc];
    let first = flow.hops[0].direction_id();
    let node = &mut nodes[spec.from_node(first)];
    if node.idle.is_some() {
        return add_idle_source(spec, node, (vc, sender));
    }
    let index = node.sources.len() as u32;
    let making = if flow.source == SourceSpec::Greedy {
        let start = flow.begins().0;
        node.timers.set(start, Timer::Source(index));
        if let Some(stop) = flow.stop {
            node.timers.set(stop.0, Timer::Source(index));
        }
        let has_scheduler = spec.direction(first).scheduler != SchedulerSpec::RoundRobin;
        let offers = has_scheduler || flow.traffic.size.fixed().is_none();
        node.senders[sender as usize].offers = offers;
        let source = source_of(spec, vc);
        let (stop, packets) = (flow.stop.map(|stop| stop.0), flow.traffic.packets);
        Making::Greedy { source, start, stop, packets }
    } else {
        let source = source_of(spec, vc);
        if let Some(due) = source.due() {
            node.timers.set(due.0, Timer::Source(index));
        }
        Making::Timed(source)
    };
    node.senders[sender as usize].source = index;
    node.sources.push(VcSource::new(making, sender));
}
