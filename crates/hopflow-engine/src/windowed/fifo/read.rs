//! Counters of FIFO-only nodes. What Eqs. (1) and (2) have added for the time after the reading is
//! subtracted.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_kernel::OrderHash;
use hopflow_units::Picos;

use super::host::FifoHost;
use super::output::Output;
use super::outputs::Outputs;
use super::switch::FifoSwitch;
use crate::windowed::state::range_counters::{Places, RangeCounters};
use crate::windowed::wire::NONE;
use hopflow_network::counters::{NodeCounters, RunCounters};

/// The packets of a VC at its port at the instant of a reading.
#[derive(Clone, Copy, Default)]
struct Backlog {
    /// Packets waiting or in transmission.
    fill: u32,
    /// Packets waiting.
    waiting: u32,
    /// The total time that they will be at the port from now on.
    rest: u128,
}

/// Adds the counters of a switch without its VCs. Returns, through `read`, the data units read from
/// each incoming direction.
pub(crate) fn add_switch(counters: &mut RunCounters, read: &mut [(u64, u64)], switch: &FifoSwitch) {
    let outputs = &switch.outputs;
    for ((hop, waits), from) in outputs.hops.iter().zip(&outputs.waits).zip(&switch.from) {
        read[*from as usize].0 += hop.joined + waits.dropped;
    }
    add_outputs(counters, outputs);
}

/// Adds the counters of a host without its VCs.
pub(crate) fn add_host(counters: &mut RunCounters, read: &mut [(u64, u64)], host: &FifoHost) {
    for sink in &host.sinks {
        read[sink.from as usize].0 += sink.leaf.as_ref().map_or(0, |leaf| leaf.delivered_packets);
    }
    add_outputs(counters, &host.outputs);
}

/// Adds the counters of the next VCs at a switch.
pub(crate) fn add_switch_vcs(part: &mut RangeCounters, places: &mut Places, switch: &FifoSwitch) {
    let outputs = &switch.outputs;
    for index in add_hops(part, places, outputs) {
        let (hop, waits) = (&outputs.hops[index], &outputs.waits[index]);
        // A VC arrives by the hop before the one by which it leaves.
        let before = outputs.names.numbers[index] as usize - 1;
        let of = &mut part.of(hop.vc).hops[before];
        (of.received_packets, of.dropped_packets) = (hop.joined, waits.dropped);
    }
}

/// Adds the counters of the next VCs at a host.
pub(crate) fn add_host_vcs(part: &mut RangeCounters, places: &mut Places, host: &FifoHost) {
    for sink in part.mine(&host.sinks, &mut places[1], |sink| sink.vc) {
        let Some(leaf) = sink.leaf.as_ref().map(|leaf| leaf.read()) else { continue };
        let vc = part.of(sink.vc);
        vc.hops[sink.hop as usize].received_packets = leaf.delivered_packets;
        vc.leaves[0] = leaf;
    }
    let first = places[2];
    part.mine(&host.outputs.hops, &mut places[2], |hop| hop.vc);
    for number in first..places[2] {
        let Some(source) = &host.sources[number] else { continue };
        let vc = part.of(host.outputs.hops[number].vc);
        vc.created_packets = source.created_packets;
        vc.policed_packets = source.policed_packets;
    }
    add_hops(part, places, &host.outputs);
}

impl Outputs {
    /// The number of packets that the node has started.
    pub(crate) fn started_packets(&self) -> u64 {
        let joined: u64 = self.hops.iter().map(|hop| hop.joined).sum();
        let wait = |port: &Output| port.queue.len() as u64 - u64::from(port.put);
        joined - self.ports.iter().map(wait).sum::<u64>()
    }

    /// The total time that the packets of a hop spend here, until the last one has left.
    fn area(&self, index: usize) -> u128 {
        let hop = &self.hops[index];
        self.waits[index].area + u128::from(hop.joined) * u128::from(hop.time)
    }
}

fn add_outputs(counters: &mut RunCounters, outputs: &Outputs) {
    let now = counters.now.0;
    let mut here = BTreeMap::new();
    look(outputs, now, &mut here);
    for port in &outputs.ports {
        let out = &mut counters.directions[port.direction as usize];
        out.busy = Picos(port.busy);
        out.queue_max_packets = port.held_max;
        out.marked_packets = port.bounds.marked;
        out.hash = port.hash.value();
    }
    for direction in &outputs.names.unused {
        counters.directions[*direction as usize].hash = OrderHash::default().value();
    }
    let buffered_max_packets = outputs.held_max;
    let of_equal = u64::from(buffered_max_packets) * outputs.takes;
    let memory_max_bytes = outputs.memory.as_ref().map_or(of_equal, |memory| memory.held_max);
    let mut node =
        NodeCounters { buffered_max_packets, memory_max_bytes, ..NodeCounters::default() };
    for (index, hop) in outputs.hops.iter().enumerate() {
        let here = here.get(&(index as u32)).copied().unwrap_or_default();
        let sent = hop.joined - u64::from(here.waiting);
        let direction = outputs.ports[hop.port as usize].direction;
        let out = &mut counters.directions[direction as usize];
        out.data_packets += sent;
        out.busy += Picos(sent * hop.time);
        out.queue_packets += here.fill;
        node.buffered_packets += here.fill;
        node.buffered_area += outputs.area(index) - here.rest;
    }
    for port in &outputs.ports {
        let unsent = port.next_start().unwrap_or(port.free).saturating_sub(now);
        let out = &mut counters.directions[port.direction as usize];
        out.busy = Picos(out.busy.0 - unsent);
    }
    counters.nodes.push(node);
}

/// Adds the hops by which the next VCs leave, and returns their range.
fn add_hops(part: &mut RangeCounters, places: &mut Places, outputs: &Outputs) -> Range<usize> {
    let now = part.now.0;
    let begin = places[0];
    part.mine(&outputs.hops, &mut places[0], |hop| hop.vc);
    let range = begin..places[0];
    if range.is_empty() {
        return range;
    }
    let mut all = BTreeMap::new();
    look(outputs, now, &mut all);
    for index in range.clone() {
        let (hop, waits) = (&outputs.hops[index], &outputs.waits[index]);
        let port = &outputs.ports[hop.port as usize];
        let here = all.get(&(index as u32)).copied().unwrap_or_default();
        let of = &mut part.of(hop.vc).hops[outputs.names.numbers[index] as usize];
        of.sent_packets = hop.joined - u64::from(here.waiting);
        of.left_packets = hop.joined - u64::from(here.fill);
        of.fill_packets = here.fill;
        of.fill_area = outputs.area(index) - here.rest;
        let (idle, last_leave);
        (of.fill_max_packets, idle, last_leave) = if port.is_shared {
            (waits.fill_max, waits.no_cell, waits.last_leave)
        } else {
            (port.held_max, port.idle, port.free)
        };
        of.no_cell = Picos(idle + now.saturating_sub(last_leave));
    }
    range
}

/// Collects the packets at the ports at `now`, by hop. A packet that leaves at `now` still counts.
fn look(outputs: &Outputs, now: u64, here: &mut BTreeMap<u32, Backlog>) {
    let mut note = |hop: u32, leave: u128, waits: bool| {
        let here = here.entry(hop).or_default();
        here.fill += 1;
        here.waiting += u32::from(waits);
        here.rest += leave - u128::from(now);
    };
    for port in &outputs.ports {
        if port.first != NONE && port.oldest >= now {
            note(port.first, u128::from(port.oldest), false);
        }
        for (start, waits, behind) in port.queued().filter(|(_, _, behind)| behind.leave >= now) {
            // On overflow of time, `leave` equals what Eq. (1) has recorded.
            let leave = if waits {
                u128::from(start) + u128::from(outputs.time_of(port, behind))
            } else {
                u128::from(behind.leave)
            };
            note(behind.hop, leave, waits);
        }
    }
}
