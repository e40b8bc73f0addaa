//! `trace.pftrace`: what happens at ports over time, for the user interface of Perfetto.
//!
//! | track                        | what is on it                                                 |
//! |------------------------------|---------------------------------------------------------------|
//! | node                         | its ports and queues are below it                             |
//! | port, `S->B`                 | a slice for each transmission; credits that come, and losses  |
//! | queue, `queue of VC1`        | packets of the VC held at the node, at rows of data           |
//! | credit, `credit of VC1 ...`  | credit count of the sender on a link direction                |
//!
//! An arrow goes from the arrival of a credit (or of an ACK that opens a window) that finds the
//! count at zero to the next start of that VC on that link direction: the start it released.
//! Times are whole nanoseconds, rounded down. Tracks are described when they are first used.
//! Checked by: `perfetto/tests.rs`, with a decoder of its own.

mod message;
mod packet;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use hopflow::network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow::units::{Bytes, SimTime};

use crate::pcapng::only_size;
use crate::trace_format::RowFormat;
use packet::{Arrow, Event, Packets, Track};

/// No control: the credit of a row that has none.
const NO_CREDIT: u32 = u32::MAX;

/// The kinds of tracks: the highest bits of their numbers.
const NODE: u64 = 1 << 60;
const PORT: u64 = 2 << 60;
const QUEUE: u64 = 3 << 60;
const CREDIT: u64 = 4 << 60;

/// What is known of the credit of a VC on a link direction.
#[derive(Default)]
struct Credit {
    /// The count in the last row. `None`: not known yet.
    count: Option<u32>,
    /// The arrow that waits for a start.
    arrow: Option<u64>,
}

/// The timeline of a trace.
pub(crate) struct Timeline {
    network: NetworkSpec,
    names: Vec<String>,
    /// By VC: the size of all its packets, if it has one.
    sizes: Vec<Option<Bytes>>,
    described: BTreeSet<u64>,
    credits: BTreeMap<(u32, u32), Credit>,
    arrows: u64,
    packets: Packets,
}

fn nanoseconds(time: SimTime) -> u64 {
    time.0 / 1_000
}

impl Timeline {
    pub(crate) fn new(network: &NetworkSpec) -> Timeline {
        Timeline {
            network: network.clone(),
            names: hopflow::record::direction_names(network),
            sizes: network.vcs.iter().map(only_size).collect(),
            described: BTreeSet::new(),
            credits: BTreeMap::new(),
            arrows: 0,
            packets: Packets::default(),
        }
    }

    fn vc_name(&self, vc: u32) -> &str {
        self.network.vcs.get(vc as usize).map_or("no VC", |vc| &vc.name)
    }

    /// Describes a track, once.
    fn describe(&mut self, uuid: u64, parent: u64, name: &str, file: &mut Vec<u8>) {
        if self.described.insert(uuid) {
            let is_counter = uuid >= QUEUE;
            self.packets.track(&Track { uuid, parent, name, is_counter }, file);
        }
    }

    fn node(&mut self, node: usize, file: &mut Vec<u8>) -> u64 {
        let uuid = NODE | node as u64;
        if !self.described.contains(&uuid) {
            let name = self.network.nodes[node].name.clone();
            self.describe(uuid, 0, &name, file);
        }
        uuid
    }

    /// The track of the port that sends into a link direction.
    fn port(&mut self, direction: u32, file: &mut Vec<u8>) -> u64 {
        let uuid = PORT | u64::from(direction);
        if !self.described.contains(&uuid) {
            let from = self.network.from_node(DirectionId(direction as usize));
            let parent = self.node(from, file);
            let name = self.names[direction as usize].clone();
            self.describe(uuid, parent, &name, file);
        }
        uuid
    }

    /// Adds an event at a port.
    fn at_port(&mut self, row: &TraceRow, direction: u32, what: &str, file: &mut Vec<u8>) {
        let track = self.port(direction, file);
        let name = format!("{what} {}", self.vc_name(row.vc));
        let event = Event::Instant { name: &name, number: row.value };
        self.packets.event(track, nanoseconds(row.time), event, Arrow::None, file);
    }

    /// A unit starts: a slice, which ends when its last bit leaves.
    fn started(&mut self, row: &TraceRow, file: &mut Vec<u8>) {
        let track = self.port(row.direction, file);
        let name = match row.kind {
            CellKind::Data => self.vc_name(row.vc).to_owned(),
            kind => format!("{} {}", CellKind::WORDS[kind as usize], self.vc_name(row.vc)),
        };
        let waits = match row.kind {
            CellKind::Data => self.credit_of(row.direction, row.vc).arrow.take(),
            _ => None,
        };
        let arrow = waits.map_or(Arrow::None, Arrow::To);
        let event = Event::Begin { name: &name, number: row.value };
        self.packets.event(track, nanoseconds(row.time), event, arrow, file);
        if let Some(size) = self.size(row) {
            let id = DirectionId(row.direction as usize);
            let end = row.time + self.network.transmit_time(id, size);
            self.packets.event(track, nanoseconds(end), Event::End, Arrow::None, file);
        }
    }

    /// The size of a unit. `None`: the row `Left` ends its slice.
    fn size(&self, row: &TraceRow) -> Option<Bytes> {
        match row.kind {
            CellKind::Data => self.sizes[row.vc as usize],
            _ => Some(Bytes::CELL),
        }
    }

    fn credit_of(&mut self, direction: u32, vc: u32) -> &mut Credit {
        self.credits.entry((direction, vc)).or_default()
    }

    /// The queue of a VC after a row of one of its data packets.
    fn queue(&mut self, row: &TraceRow, file: &mut Vec<u8>) {
        let id = DirectionId(row.direction as usize);
        let hops = &self.network.vcs[row.vc as usize].hops;
        let ends_there = || {
            let hop = hops.iter().position(|hop| hop.direction_id() == id);
            !hops.iter().any(|next| next.parent.is_some() && next.parent == hop)
        };
        let node = if row.at_receiver {
            if ends_there() {
                return;
            }
            self.network.to_node(id)
        } else {
            self.network.from_node(id)
        };
        let uuid = QUEUE | (node as u64) << 32 | u64::from(row.vc);
        if !self.described.contains(&uuid) {
            let parent = self.node(node, file);
            let name = format!("queue of {}", self.vc_name(row.vc));
            self.describe(uuid, parent, &name, file);
        }
        let event = Event::Counter(row.fill);
        self.packets.event(uuid, nanoseconds(row.time), event, Arrow::None, file);
    }

    /// The link direction whose sender has another credit count after this row.
    fn counts_for(&self, row: &TraceRow) -> Option<u32> {
        if row.credit == NO_CREDIT || row.vc == u32::MAX {
            return None;
        }
        let id = DirectionId(row.direction as usize);
        match (row.event, row.kind) {
            (TraceEvent::Started, CellKind::Data) => Some(row.direction),
            (TraceEvent::Arrived, CellKind::Credit | CellKind::FurtherCredit) => {
                Some(id.reverse().0 as u32)
            }
            (TraceEvent::Arrived, CellKind::Ack) => {
                let first = self.network.vcs[row.vc as usize].hops[0].direction_id();
                (id == first.reverse()).then_some(first.0 as u32)
            }
            _ => None,
        }
    }

    /// The credit count after a row, and the beginning of an arrow.
    fn credit(&mut self, row: &TraceRow, direction: u32, file: &mut Vec<u8>) {
        let uuid = CREDIT | u64::from(direction) << 32 | u64::from(row.vc);
        if !self.described.contains(&uuid) {
            let from = self.network.from_node(DirectionId(direction as usize));
            let parent = self.node(from, file);
            let link = &self.names[direction as usize];
            let name = format!("credit of {} on {link}", self.vc_name(row.vc));
            self.describe(uuid, parent, &name, file);
        }
        let time = nanoseconds(row.time);
        self.packets.event(uuid, time, Event::Counter(row.credit), Arrow::None, file);
        let next = self.arrows + 1;
        let credit = self.credit_of(direction, row.vc);
        let releases = credit.count == Some(0) && row.credit > 0;
        credit.count = Some(row.credit);
        if row.event != TraceEvent::Arrived {
            return;
        }
        let mut arrow = Arrow::None;
        if releases {
            credit.arrow = Some(next);
            self.arrows = next;
            arrow = Arrow::From(next);
        }
        let track = self.port(direction, file);
        let name = format!("{} for {}", CellKind::WORDS[row.kind as usize], self.vc_name(row.vc));
        let event = Event::Instant { name: &name, number: row.value };
        self.packets.event(track, time, event, arrow, file);
    }
}

impl RowFormat for Timeline {
    fn begin(&self, _: &mut Vec<u8>) {}

    fn row(&mut self, row: &TraceRow, file: &mut Vec<u8>) {
        match row.event {
            // A further credit is in the slice of its cell.
            TraceEvent::Started if row.kind == CellKind::FurtherCredit => {}
            TraceEvent::Started => self.started(row, file),
            TraceEvent::Left if row.kind == CellKind::Data && self.size(row).is_none() => {
                let track = self.port(row.direction, file);
                let time = nanoseconds(row.time);
                self.packets.event(track, time, Event::End, Arrow::None, file);
            }
            TraceEvent::Dropped => self.at_port(row, row.direction, "dropped:", file),
            TraceEvent::Corrupted => self.at_port(row, row.direction, "corrupted:", file),
            TraceEvent::Arrived | TraceEvent::Born | TraceEvent::Left => {}
        }
        if row.kind == CellKind::Data && row.event != TraceEvent::Corrupted {
            self.queue(row, file);
        }
        if let Some(direction) = self.counts_for(row) {
            self.credit(row, direction, file);
        }
    }
}
