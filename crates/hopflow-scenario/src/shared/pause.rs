//! Pauses of a link direction: XOFF, XON, quanta, room and watchdog.

use std::ops::Range;

use hopflow_control::lane::PauseSpec;
use hopflow_network::{LaneRule, LanesSpec};
use hopflow_units::{Bytes, Picos};

use super::{Auto, MOST_HELD, Xon, held_priorities, is_auto};
use crate::Code;
use crate::diagnostic::Sink;
use crate::section::Section;

/// A table of `pause`, and what of it is to be worked out. `cell`: the direction's cell time.
pub(super) fn read(table: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<(LanesSpec, Auto)> {
    let priorities = held_priorities(table, sink);
    let item = table.need("xoff", sink)?;
    let is_auto = is_auto(&item);
    // What is worked out takes the place of the least there is.
    let xoff = if is_auto { Bytes(1) } else { item.bytes_or_cells(Bytes(1), MOST_HELD, sink)? };
    let xon = match table.get("xon") {
        Some(item) => {
            let xon = item.bytes_or_cells(Bytes(0), MOST_HELD, sink)?;
            if xon >= xoff && !is_auto {
                xon_above_xoff(xon, xoff, &item.span, sink);
                return None;
            }
            Some(xon)
        }
        None => None,
    };
    let quanta = table
        .or("quanta", u16::MAX, |item| Some(item.count(1, u64::from(u16::MAX), sink)? as u16))?;
    let (room, auto_room) = room(table, xoff, is_auto, sink)?;
    let watchdog = table.or("watchdog", None, |item| item.span(cell, false, sink).map(Some))?;
    let beside = if xon.is_none() { Xon::Half } else { Xon::Given };
    let auto = Auto { room: auto_room, xoff: is_auto.then_some(beside), buffer: false };
    let xon = xon.unwrap_or(Bytes(xoff.0 / 2));
    let rule = LaneRule::Pause(PauseSpec { xoff, xon, quanta, room, watchdog });
    Some((LanesSpec { priorities: priorities?, rule }, auto))
}

/// An error: a pause of these thresholds would end as it begins.
pub(super) fn xon_above_xoff(xon: Bytes, xoff: Bytes, span: &Range<usize>, sink: &mut Sink) {
    let message = format!(
        "XON is {} B, not below XOFF, which is {} B: a pause would end as it begins",
        xon.0, xoff.0
    );
    let hint = format!("lower `xon` to {} B or less, or raise `xoff`", xoff.0 - 1);
    sink.error(Code::THRESHOLDS, span, message).hint(hint);
}

/// The room of a pause, and whether it is to be worked out. `xoff_is_auto`: XOFF is.
fn room(
    table: &Section<'_>,
    xoff: Bytes,
    xoff_is_auto: bool,
    sink: &mut Sink,
) -> Option<(Option<Bytes>, bool)> {
    let Some(item) = table.get("room") else { return Some((None, false)) };
    if is_auto(&item) {
        return Some((None, true));
    }
    if xoff_is_auto {
        let message =
            "`room` has a size, but `xoff = \"auto\"` follows from the memory of the node";
        let hint = "write `room = \"auto\"`, leave `room` out, or give `xoff` a size, too";
        sink.error(Code::CONFLICT, &item.span, message).hint(hint);
        return None;
    }
    let room = item.bytes_or_cells(Bytes(1), MOST_HELD, sink)?;
    if room < xoff {
        let message = format!(
            "the room is {} B, less than XOFF, which is {} B: it would be full before the pause",
            room.0, xoff.0
        );
        let hint = format!(
            "raise `room` to {} B and the headroom, which `room = \"auto\"` works out",
            xoff.0
        );
        sink.error(Code::THRESHOLDS, &item.span, message).hint(hint);
        return None;
    }
    Some((Some(room), false))
}
