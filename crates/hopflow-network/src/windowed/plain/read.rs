//! Counters of plain nodes. What Eqs. (1) and (2) have put down for the time after the reading is
//! taken off again.

use hopflow_units::Picos;

use super::host::PlainHost;
use super::outputs::{Output, Outputs};
use super::switch::PlainSwitch;
use crate::counters::{NodeCounters, RunCounters};
use hopflow_kernel::OrderHash;

/// What a VC has at its port at the instant of a reading.
#[derive(Clone, Copy, Default)]
struct Here {
    /// Packets waiting or in transmission.
    fill: u32,
    /// Of these, those waiting.
    waiting: u32,
    /// The time that all of them will be here from now on.
    rest: u128,
}

/// Adds a switch. Returns, through `read`, the data units read from each incoming direction.
pub(in super::super) fn add_switch(
    counters: &mut RunCounters,
    read: &mut [(u64, u64)],
    switch: &PlainSwitch,
) {
    let outputs = &switch.outputs;
    for ((hop, number), from) in outputs.hops.iter().zip(&outputs.numbers).zip(&switch.from) {
        read[*from as usize].0 += hop.joined;
        // A VC comes in by the hop before the one it leaves by.
        received(counters, hop.vc, number - 1, hop.joined);
    }
    add_outputs(counters, &switch.outputs);
}

/// Adds a host.
pub(in super::super) fn add_host(
    counters: &mut RunCounters,
    read: &mut [(u64, u64)],
    host: &PlainHost,
) {
    for sink in &host.sinks {
        let leaf = sink.leaf.read();
        read[sink.from as usize].0 += leaf.delivered_cells;
        received(counters, sink.vc, sink.hop, leaf.delivered_cells);
        counters.vcs[sink.vc as usize].leaves[0] = leaf;
    }
    for source in &host.sources {
        let vc = host.outputs.hops[source.hop as usize].vc as usize;
        counters.vcs[vc].created_cells = source.created_cells;
        counters.vcs[vc].policed_cells = source.policed_cells;
    }
    add_outputs(counters, &host.outputs);
}

impl PlainHost {
    /// Packets it has started.
    pub(in super::super) fn started_cells(&self) -> u64 {
        self.outputs.started_cells()
    }
}

impl PlainSwitch {
    /// Packets it has started.
    pub(in super::super) fn started_cells(&self) -> u64 {
        self.outputs.started_cells()
    }
}

impl Outputs {
    fn started_cells(&self) -> u64 {
        self.ports.iter().map(|port| port.data_cells).sum()
    }
}

fn received(counters: &mut RunCounters, vc: u32, hop: u32, cells: u64) {
    counters.vcs[vc as usize].hops[hop as usize].received_cells = cells;
}

fn add_outputs(counters: &mut RunCounters, outputs: &Outputs) {
    let now = counters.now.0;
    let mut here = vec![Here::default(); outputs.hops.len()];
    let mut buffered_cells = 0;
    for port in &outputs.ports {
        let queued = look(port, now, &mut here);
        buffered_cells += queued;
        let out = &mut counters.directions[port.direction as usize];
        out.data_cells = port.data_cells;
        out.busy = Picos(port.busy.0 - port.busy_until.saturating_sub(now));
        out.queue_cells = queued;
        out.queue_max_cells = port.held_max;
        out.hash = port.hash.value();
    }
    for direction in &outputs.unused {
        counters.directions[*direction as usize].hash = OrderHash::default().value();
    }
    let mut buffered_area = 0;
    for ((hop, number), here) in outputs.hops.iter().zip(&outputs.numbers).zip(here) {
        let of = &mut counters.vcs[hop.vc as usize].hops[*number as usize];
        let area = hop.area - here.rest;
        buffered_area += area;
        of.sent_cells = hop.joined - u64::from(here.waiting);
        of.left_cells = hop.joined - u64::from(here.fill);
        of.fill_cells = here.fill;
        of.fill_max_cells = hop.fill_max;
        of.fill_area = area;
        of.no_cell = Picos(hop.no_cell + now.saturating_sub(hop.last_leave));
    }
    counters.nodes.push(NodeCounters {
        buffered_cells,
        buffered_max_cells: outputs.held_max,
        buffered_area,
    });
}

/// Tells who is at a port at `now`, and how many they are. Who leaves at `now` is still here.
fn look(port: &Output, now: u64, here: &mut [Here]) -> u32 {
    let mut queued = 0;
    let mut note = |hop: u32, leave: u64, waiting: bool| {
        if leave >= now {
            let here = &mut here[hop as usize];
            here.fill += 1;
            here.waiting += u32::from(waiting);
            here.rest += u128::from(leave - now);
            queued += 1;
        }
    };
    if port.first < u32::MAX {
        note(port.first, port.first_leave, false);
    }
    for (place, behind) in port.queue.iter().enumerate() {
        note(behind.hop, behind.leave, place >= port.put);
    }
    queued
}
