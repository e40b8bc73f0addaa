//! Adds the sources of VCs to their hosts, and sets their first timers.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::source::{Fed, Making, VcSource};
use crate::windowed::state::timers::Timer;
use hopflow_network::NetworkSpec;
use hopflow_network::traffic::Source;

/// Adds the source of a VC to its host, where `sender` sends its cells. One that asks for its
/// reservation is silent until it is admitted.
pub(super) fn add_source(spec: &NetworkSpec, nodes: &mut [Node], vc: usize, sender: u32) {
    let flow = &spec.vcs[vc];
    let node = &mut nodes[spec.from_node(flow.hops[0].direction_id())];
    if node.idle.is_some() {
        return add_idle_source(spec, node, vc, sender);
    }
    let index = node.sources.len() as u32;
    let making = if flow.signalled {
        Making::Timed(spec.silent_source(vc))
    } else {
        begin(spec, node, vc, [index, sender], spec.new_source(vc), flow.begins())
    };
    node.senders[sender as usize].circuit.source = index;
    node.sources.push(VcSource::new(making, sender));
}

/// How the source of a VC creates cells from `begins` on; its timers are set. `index` and `sender`
/// are its own.
pub(crate) fn begin(
    spec: &NetworkSpec,
    node: &mut Node,
    vc: usize,
    [index, sender]: [u32; 2],
    source: Source,
    begins: SimTime,
) -> Making {
    let flow = &spec.vcs[vc];
    if !flow.source.is_greedy() {
        if let Some(due) = source.due() {
            node.timers.set(due.0, Timer::Source(index));
        }
        return Making::Timed(source);
    }
    let start = begins.0;
    node.timers.set(start, Timer::Source(index));
    if let Some(stop) = flow.stop {
        node.timers.set(stop.0, Timer::Source(index));
    }
    let first = flow.hops[0].direction_id();
    let has_scheduler = spec.direction(first).scheduler != SchedulerSpec::RoundRobin;
    let offers = has_scheduler || flow.traffic.size.fixed().is_none();
    node.senders[sender as usize].circuit.offers = offers && !spec.asks_for_work(flow);
    let (stop, packets) = (flow.stop.map(|stop| stop.0), flow.traffic.packets);
    if spec.asks_for_work(flow) {
        node.senders[sender as usize].circuit.wakes = true;
        return Making::Fed(Box::new(Fed {
            source,
            start,
            stop,
            packets,
            is_on: false,
            asked_packets: 0,
            at_processor: 0,
        }));
    }
    Making::Greedy { source, start, stop, packets }
}

/// Sets the timer of a source that is not created yet.
pub(super) fn add_idle_source(spec: &NetworkSpec, node: &mut Node, vc: usize, number: u32) {
    if let Some(due) = spec.new_source(vc).due() {
        node.timers.set(due.0, Timer::Source(number));
    }
}
