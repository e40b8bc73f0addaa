//! `packets.pcapng`: what crosses links, for Wireshark, tshark and others that read captures.
//!
//! One interface is one link direction. A unit is in the file once for each link that it crosses,
//! at the instant at which its last bit has arrived and been taken in. What is lost then has a
//! comment that says so. A packet that is dropped before it starts is there too, on the
//! direction that it would have left by. Times are whole nanoseconds, rounded down.
//!
//! Where all packets of a network are cells of 53 bytes, its interfaces have records of the
//! Extensible Record Format with ATM cells; else Ethernet frames (`frame.rs`).
//! Checked by: `pcapng/tests.rs`, which also asks tshark where it is installed.

mod block;
mod frame;
mod length;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write as _;

use hopflow::network::{CellKind, DirectionId, NetworkSpec, SizeLaw, TraceEvent, TraceRow};

use crate::parquet::Names;
use crate::trace_format::RowFormat;
use block::{Interface, LINK_ERF, LINK_ETHERNET, Packet};
use frame::{Addresses, Frame};
use length::Lengths;
pub(crate) use length::only_size;

/// Names that the comment of the file lists at most, of VCs and of nodes.
const MOST_NAMES: usize = 500;

/// The packets of a trace.
pub(crate) struct Packets {
    names: Names,
    /// Bits per second, by link direction.
    speeds: Vec<u64>,
    nodes: Vec<String>,
    are_cells: bool,
    addresses: Addresses,
    lengths: Lengths,
    /// The captured bytes of one packet.
    captured: Vec<u8>,
    comment: String,
}

impl Packets {
    pub(crate) fn new(network: &NetworkSpec) -> Packets {
        let directions = (0..network.direction_count()).map(DirectionId);
        Packets {
            names: Names::new(network),
            speeds: directions.map(|id| network.direction(id).rate.bps()).collect(),
            nodes: network.nodes.iter().map(|node| node.name.clone()).collect(),
            are_cells: network.vcs.iter().all(|vc| vc.traffic.size == SizeLaw::CELL),
            addresses: Addresses::new(network),
            lengths: Lengths::new(network),
            captured: Vec::new(),
            comment: String::new(),
        }
    }

    /// What the file says of itself.
    fn about(&self) -> String {
        let mut text = "Packets of a simulation; times count from its start.".to_owned();
        let what = if self.are_cells { "VCI" } else { "VLAN" };
        let number = if self.are_cells { frame::vci } else { frame::vlan };
        for (vc, name) in (0..).zip(self.names.vcs.iter().take(MOST_NAMES)) {
            let _ = write!(text, "\n{what} {}: {name}", number(vc));
        }
        for (node, name) in (0..).zip(self.nodes.iter().take(MOST_NAMES)) {
            let [a, b, c, d, e, f] = frame::mac(node);
            let _ = write!(text, "\n{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{f:02x}: {name}");
        }
        text
    }

    /// What is to be said of the unit in `row`.
    fn comment_on(&mut self, row: &TraceRow, has_length: bool) {
        self.comment.clear();
        let (link, from, to) = &self.names.links[row.direction as usize];
        let vc = self.names.vcs.get(row.vc as usize).map_or("no VC", String::as_str);
        let text = &mut self.comment;
        let _ = match (row.event, row.at_receiver) {
            (TraceEvent::Corrupted, _) => write!(text, "corrupted on {link}, discarded at {to}"),
            (TraceEvent::Dropped, true) => {
                write!(text, "dropped at {to} as it arrived; {to} holds {} of {vc}", row.fill)
            }
            (TraceEvent::Dropped, false) => {
                write!(
                    text,
                    "dropped at {from}, never sent on {link}; it holds {} of {vc}",
                    row.fill
                )
            }
            _ => Ok(()),
        };
        if !has_length {
            let gap = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{gap}length not known: its start is not in the trace");
        }
    }
}

impl RowFormat for Packets {
    fn begin(&self, bytes: &mut Vec<u8>) {
        block::section(&self.about(), bytes);
        let link_type = if self.are_cells { LINK_ERF } else { LINK_ETHERNET };
        for ((name, _, _), speed) in self.names.links.iter().zip(&self.speeds) {
            block::interface(&Interface { link_type, name, speed: *speed }, bytes);
        }
    }

    fn row(&mut self, row: &TraceRow, bytes: &mut Vec<u8>) {
        let length = self.lengths.of(row);
        let is_lost = matches!(row.event, TraceEvent::Corrupted | TraceEvent::Dropped);
        // The frame of a credit cell shows its first credit.
        if !is_lost && row.event != TraceEvent::Arrived || row.kind == CellKind::FurtherCredit {
            return;
        }
        self.comment_on(row, length.is_some());
        let is_corrupt = row.event == TraceEvent::Corrupted;
        let frame = Frame {
            kind: row.kind,
            vc: row.vc,
            value: row.value,
            direction: row.direction,
            time: row.time,
            is_corrupt,
            length,
            map: &self.addresses,
        };
        self.captured.clear();
        let length = if self.are_cells {
            frame.erf(&mut self.captured)
        } else {
            frame.ethernet(&mut self.captured)
        };
        let packet = Packet {
            interface: row.direction,
            time_ns: row.time.0 / 1_000,
            bytes: &self.captured,
            length,
            is_corrupt,
            comment: &self.comment,
        };
        block::packet(&packet, bytes);
    }
}
