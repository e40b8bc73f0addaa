//! Adds the sources of VCs to their hosts, and sets their first timers.

use hopflow_control::scheduler::SchedulerSpec;

use crate::windowed::state::node::Node;
use crate::windowed::state::source::{Making, VcSource};
use crate::windowed::state::timers::Timer;
use hopflow_network::NetworkSpec;

/// Adds the source of a VC to its host, where `sender` sends its cells.
pub(super) fn add_source(spec: &NetworkSpec, nodes: &mut [Node], vc: usize, sender: u32) {
    let flow = &spec.vcs[vc];
    let first = flow.hops[0].direction_id();
    let node = &mut nodes[spec.from_node(first)];
    if node.idle.is_some() {
        return add_idle_source(spec, node, vc, sender);
    }
    let index = node.sources.len() as u32;
    let making = if flow.source.is_greedy() {
        let start = flow.begins().0;
        node.timers.set(start, Timer::Source(index));
        if let Some(stop) = flow.stop {
            node.timers.set(stop.0, Timer::Source(index));
        }
        let has_scheduler = spec.direction(first).scheduler != SchedulerSpec::RoundRobin;
        let offers = has_scheduler || flow.traffic.size.fixed().is_none();
        node.senders[sender as usize].offers = offers;
        let source = spec.new_source(vc);
        let (stop, packets) = (flow.stop.map(|stop| stop.0), flow.traffic.packets);
        Making::Greedy { source, start, stop, packets }
    } else {
        let source = spec.new_source(vc);
        if let Some(due) = source.due() {
            node.timers.set(due.0, Timer::Source(index));
        }
        Making::Timed(source)
    };
    node.senders[sender as usize].source = index;
    node.sources.push(VcSource::new(making, sender));
}

/// Sets the timer of a source that is not created yet.
pub(super) fn add_idle_source(spec: &NetworkSpec, node: &mut Node, vc: usize, number: u32) {
    if let Some(due) = spec.new_source(vc).due() {
        node.timers.set(due.0, Timer::Source(number));
    }
}
