//! Control that the flows of a link direction share: the buffer of adaptive credit, pauses, lanes.
//!
//! Values that depend on all flows of a direction are filled in after these are read: the default
//! size of a shared buffer, and in `shared/auto.rs` the computed XOFF, room and buffers.

mod auto;
mod buffer;
mod lanes;
mod pause;

use std::ops::Range;

use hopflow_network::{DirectionSpec, LanesSpec, NetworkSpec};

use crate::Code;
use crate::cell_time::{cell_time_of, true_loop};
use crate::described::{Described, Reads};
use crate::diagnostic::Sink;
use crate::keys::Key;
use crate::keys::lanes::{ALLOW_LARGE_BUFFER, ALLOW_SMALL_BUFFER, BUFFER, LANES_KEY};
use crate::keys::shared::{DETECT, Loop, NONE, PAUSE_KEY, ROOM, SHARED_BUFFER_KEY, WATCHDOG};
use crate::priorities::Priorities;
use crate::section::Section;
use crate::value::Item;
pub(crate) use auto::beyond_xoff;
use buffer::SharedBufferKeys;
pub use buffer::pool_by_law;

/// The keys of a link for one of its directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    pub(crate) lanes: Option<LanesSpec>,
    /// The place of the lanes in the text.
    pub(crate) span: Range<usize>,
    /// The place of the room of a pause or of the buffer of lanes; without one, of the lanes.
    pub(crate) size_span: Range<usize>,
    /// The place of the watchdog; without one, of the lanes.
    pub(crate) watchdog_span: Range<usize>,
    /// Whether lanes may be smaller than their loop.
    pub(crate) allow_small_buffer: bool,
    /// Accept a lane's buffer above what a device of its blocks can promise.
    pub(crate) allow_large_buffer: bool,
    /// The values of a pause or of lanes that are computed.
    pub(crate) auto: Auto,
    /// The buffer that VCs share under adaptive credit.
    pub(crate) buffer_keys: Option<SharedBufferKeys>,
}

/// The values of the lanes of a direction that are computed once all flows are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Auto {
    /// The room of a pause.
    pub(crate) room: bool,
    /// XOFF of a pause, and XON beside it.
    pub(crate) xoff: Option<Xon>,
    /// The buffer of lanes.
    pub(crate) buffer: bool,
}

/// XON beside a computed XOFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Xon {
    /// Half of it, since none is given.
    Half,
    /// As given.
    Given,
}

/// Reads the keys of a link for its two directions.
pub(crate) fn read(
    section: &Section<'_>,
    directions: &[DirectionSpec; 2],
    sink: &mut Sink,
) -> Option<[Shared; 2]> {
    let mut shared = [Shared::default(), Shared::default()];
    let buffers = Tables::read(section, &SHARED_BUFFER_KEY, sink)?;
    let pauses = Tables::read(section, &PAUSE_KEY, sink)?;
    let lanes = Tables::read(section, &LANES_KEY, sink)?;
    let true_loop = true_loop(directions);
    for (side, shared) in shared.iter_mut().enumerate() {
        let cell = cell_time_of(&directions[side]);
        if let Some(table) = &buffers.0[side] {
            shared.buffer_keys = Some(buffer::read(table, &Loop { cell, true_loop }, sink)?);
        }
        match (&pauses.0[side], &lanes.0[side]) {
            (Some(pause), Some(lanes)) => {
                let message = "`pause` and `lanes` exclude each other on one link direction";
                let hint = "keep one of them; `\"none\"` in place of a table takes out what \
                            `[defaults]` has";
                let error = sink.error(Code::CONFLICT, &lanes.span, message).hint(hint);
                error.label(pause.span.clone(), "the pause");
                return None;
            }
            (Some(table), None) => {
                let (spec, auto) = pause::read(table, cell, sink)?;
                (shared.lanes, shared.auto) = (Some(spec), auto);
                (shared.span, shared.size_span) = (table.span.clone(), ROOM.place(table));
                let is_new = table.get(&DETECT.key).is_some();
                shared.watchdog_span = if is_new { &DETECT } else { &WATCHDOG }.place(table);
            }
            (None, Some(table)) => {
                let (spec, auto) = lanes::read(table, &directions[1 - side], sink)?;
                (shared.lanes, shared.auto) = (Some(spec), auto);
                (shared.span, shared.size_span) = (table.span.clone(), BUFFER.place(table));
                shared.allow_small_buffer = ALLOW_SMALL_BUFFER.is_set(table);
                shared.allow_large_buffer = ALLOW_LARGE_BUFFER.is_set(table);
            }
            (None, None) => {}
        }
    }
    Some(shared)
}

/// The tables of the two directions, `None` where there is none.
struct Tables<'a>([Option<Section<'a>>; 2]);

impl<'a> Tables<'a> {
    /// One table for both, with that of `[defaults]` as a fallback, or two without; `"none"` is no
    /// table.
    fn read(section: &Section<'a>, key: &Key, sink: &mut Sink) -> Option<Tables<'a>> {
        let Some(item) = section.get(key) else { return Some(Tables([None, None])) };
        if item.value.is_array() {
            let alone = |way: Item<'a>, sink: &mut Sink| match Section::of_item(&way, key) {
                Some(table) => Some(Some(table)),
                None => way.choice(NONE, sink).map(|_| None),
            };
            let [there, back] = item.two(sink)?;
            return Some(Tables([alone(there, sink)?, alone(back, sink)?]));
        }
        if item.value.is_table() {
            let both = section.table(key);
            return Some(Tables([both.clone(), both]));
        }
        item.choice(NONE, sink).map(|_| Tables([None, None]))
    }
}

/// The priorities of a table of lanes or pauses, at least one.
fn held_priorities(
    key: &Described<Priorities>,
    table: &Section<'_>,
    sink: &mut Sink,
) -> Option<u8> {
    let bits = key.read(table, &(), sink)?;
    if bits == 0 {
        let message = "`priorities` is empty: no packet would be held back";
        let hint = "flows have priority 0 by default: write `priorities = [0]`, or leave the \
                    table out";
        sink.error(Code::OUT_OF_RANGE, &key.place(table), message).hint(hint);
        return None;
    }
    Some(bits)
}

/// Fills in the values that depend on all flows: buffers where flows share one, and computed sizes.
/// `shared`: the keys of each link; `spans`: their places in the text.
pub(crate) fn fill(
    network: &mut NetworkSpec,
    shared: &[[Shared; 2]],
    spans: &[Range<usize>],
    sink: &mut Sink,
) {
    buffer::fill(network, shared, spans, sink);
    auto::fill(network, shared, sink);
}
