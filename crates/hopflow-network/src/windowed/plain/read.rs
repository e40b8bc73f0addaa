//! Counters of plain nodes. What Eqs. (1) and (2) have put down for the time after the reading is
//! taken off again.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_kernel::OrderHash;
use hopflow_units::Picos;

use super::super::read::{Part, Places};
use super::host::{PlainHost, PlainSource};
use super::outputs::{Output, Outputs};
use super::switch::PlainSwitch;
use crate::counters::{NodeCounters, RunCounters};

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

/// Adds a switch without its VCs. Returns, through `read`, the data units read from each incoming
/// direction.
pub(in super::super) fn add_switch(
    counters: &mut RunCounters,
    read: &mut [(u64, u64)],
    switch: &PlainSwitch,
) {
    for (hop, from) in switch.outputs.hops.iter().zip(&switch.from) {
        read[*from as usize].0 += hop.joined;
    }
    add_outputs(counters, &switch.outputs);
}

/// Adds a host without its VCs.
pub(in super::super) fn add_host(
    counters: &mut RunCounters,
    read: &mut [(u64, u64)],
    host: &PlainHost,
) {
    for sink in &host.sinks {
        read[sink.from as usize].0 += sink.leaf.delivered_cells;
    }
    add_outputs(counters, &host.outputs);
}

/// Adds what the next VCs have counted at a switch.
pub(in super::super) fn add_switch_vcs(part: &mut Part, places: &mut Places, switch: &PlainSwitch) {
    let outputs = &switch.outputs;
    let hops = add_hops(part, places, outputs);
    for (hop, number) in outputs.hops[hops.clone()].iter().zip(&outputs.numbers[hops]) {
        // A VC comes in by the hop before the one it leaves by.
        part.of(hop.vc).hops[*number as usize - 1].received_cells = hop.joined;
    }
}

/// Adds what the next VCs have counted at a host.
pub(in super::super) fn add_host_vcs(part: &mut Part, places: &mut Places, host: &PlainHost) {
    for sink in part.mine(&host.sinks, &mut places[1], |sink| sink.vc) {
        let leaf = sink.leaf.read();
        let vc = part.of(sink.vc);
        vc.hops[sink.hop as usize].received_cells = leaf.delivered_cells;
        vc.leaves[0] = leaf;
    }
    let vc_of = |source: &PlainSource| host.outputs.hops[source.hop as usize].vc;
    for source in part.mine(&host.sources, &mut places[2], vc_of) {
        let vc = part.of(vc_of(source));
        vc.created_cells = source.created_cells;
        vc.policed_cells = source.policed_cells;
    }
    add_hops(part, places, &host.outputs);
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

fn add_outputs(counters: &mut RunCounters, outputs: &Outputs) {
    let now = counters.now.0;
    let mut here = BTreeMap::new();
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
    let area: u128 = outputs.hops.iter().map(|hop| hop.area).sum();
    let buffered_area = area - here.values().map(|here| here.rest).sum::<u128>();
    counters.nodes.push(NodeCounters {
        buffered_cells,
        buffered_max_cells: outputs.held_max,
        buffered_area,
    });
}

/// Adds the hops by which the next VCs leave, and tells which these are.
fn add_hops(part: &mut Part, places: &mut Places, outputs: &Outputs) -> Range<usize> {
    let now = part.now().0;
    let begin = places[0];
    part.mine(&outputs.hops, &mut places[0], |hop| hop.vc);
    let range = begin..places[0];
    if range.is_empty() {
        return range;
    }
    let mut all = BTreeMap::new();
    for port in &outputs.ports {
        look(port, now, &mut all);
    }
    for index in range.clone() {
        let (hop, here) = (&outputs.hops[index], all.get(&(index as u32)));
        let here = here.copied().unwrap_or_default();
        let of = &mut part.of(hop.vc).hops[outputs.numbers[index] as usize];
        of.sent_cells = hop.joined - u64::from(here.waiting);
        of.left_cells = hop.joined - u64::from(here.fill);
        of.fill_cells = here.fill;
        of.fill_max_cells = hop.fill_max;
        of.fill_area = hop.area - here.rest;
        of.no_cell = Picos(hop.no_cell + now.saturating_sub(hop.last_leave));
    }
    range
}

/// Tells who is at a port at `now`, and how many they are. Who leaves at `now` is still here.
fn look(port: &Output, now: u64, here: &mut BTreeMap<u32, Here>) -> u32 {
    let mut queued = 0;
    let mut note = |hop: u32, leave: u64, waiting: bool| {
        if leave >= now {
            let here = here.entry(hop).or_default();
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
