//! Pauses of a link direction: XOFF, XON, quanta, room and watchdog.

use std::ops::Range;

use hopflow_control::lane::{PauseSpec, WatchdogAction, Watching};
use hopflow_network::{LaneRule, LanesSpec};
use hopflow_units::{Bytes, Picos};

use super::{Auto, Xon, held_priorities};
use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::shared::{
    ACTION, DETECT, POLL, PRIORITIES, QUANTA, RESTORE, ROOM, WATCHDOG, XOFF, XON,
};
use crate::section::Section;

/// A table of `pause`, and what of it is to be worked out. `cell`: the direction's cell time.
pub(super) fn read(table: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<(LanesSpec, Auto)> {
    let priorities = held_priorities(&PRIORITIES, table, sink);
    let given = XOFF.read(table, &cell, sink)?;
    let is_auto = given.is_none();
    // What is worked out takes the place of the least there is.
    let xoff = given.unwrap_or(Bytes(1));
    let xon = XON.read(table, &cell, sink)?;
    if let Some(xon) = xon.filter(|xon| *xon >= xoff && !is_auto) {
        xon_above_xoff(xon, xoff, &XON.place(table), sink);
        return None;
    }
    let quanta = QUANTA.read(table, &cell, sink)? as u16;
    let (room, auto_room) = room(table, xoff, is_auto, sink)?;
    let (watchdog, watching) = watchdog(table, cell, sink)?;
    let beside = if xon.is_none() { Xon::Half } else { Xon::Given };
    let auto = Auto { room: auto_room, xoff: is_auto.then_some(beside), buffer: false };
    let xon = xon.unwrap_or(Bytes(xoff.0 / 2));
    let rule = LaneRule::Pause(PauseSpec { xoff, xon, quanta, room, watchdog, watching });
    Some((LanesSpec::new(priorities?, rule), auto))
}

/// After which time of pause a watchdog acts, and how it watches.
fn watchdog(
    table: &Section<'_>,
    cell: Picos,
    sink: &mut Sink,
) -> Option<(Option<Picos>, Watching)> {
    let [old, new] = [&WATCHDOG, &DETECT].map(|key| key.read(table, &cell, sink));
    let (old, new) = (old?, new?);
    let poll = POLL.read(table, &cell, sink)?;
    let restore = RESTORE.read(table, &cell, sink)?;
    let action = WatchdogAction::of_word(ACTION.read(table, &cell, sink)?);
    let watching = Watching { poll, restore, action };
    if old.is_some() && new.is_some() {
        let message = "`watchdog` and `detect` set the same value: the pause after which a port \
                       acts";
        sink.error(Code::CONFLICT, &DETECT.place(table), message).hint("leave one of them out");
        return None;
    }
    let detect = old.or(new);
    if detect.is_none() && !watching.is_plain() {
        let message = "`poll`, `restore` and `action` configure a watchdog, but this `pause` has \
                       none";
        let hint = "add `detect`, the pause after which it acts, such as \"200 ms\"";
        sink.error(Code::MISSING_KEY, &table.span, message).hint(hint);
        return None;
    }
    Some((detect, watching))
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
    let span = ROOM.place(table);
    let room = match ROOM.read(table, &(), sink)? {
        None => return Some((None, false)),
        Some(None) => return Some((None, true)),
        Some(Some(room)) => room,
    };
    if xoff_is_auto {
        let message =
            "`room` has a size, but `xoff = \"auto\"` follows from the memory of the node";
        let hint = "write `room = \"auto\"`, leave `room` out, or give `xoff` a size, too";
        sink.error(Code::CONFLICT, &span, message).hint(hint);
        return None;
    }
    if room < xoff {
        let message = format!(
            "the room is {} B, less than XOFF, which is {} B: it would be full before the pause",
            room.0, xoff.0
        );
        let hint = format!(
            "raise `room` to {} B and the headroom, which `room = \"auto\"` works out",
            xoff.0
        );
        sink.error(Code::THRESHOLDS, &span, message).hint(hint);
        return None;
    }
    Some((Some(room), false))
}
