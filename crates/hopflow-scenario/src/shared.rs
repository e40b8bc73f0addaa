//! Control that the flows of a link direction share: the pool of adaptive credit, pauses, lanes.
//!
//! What only all flows together tell is filled in after they are read: the size of a pool that is
//! not told; XOFF, room and buffers that are worked out are in `shared/auto.rs`.

mod auto;

use std::ops::Range;

use hopflow_control::credit::{CbfcSpec, CreditValue, LaneSpec};
use hopflow_control::pause::{self, PauseSpec};
use hopflow_network::{
    DirectionId, DirectionSpec, LaneRule, LanesSpec, NetworkSpec, PausedLanes, PoolSpec,
};
use hopflow_units::{Bytes, Cells, Picos};

use crate::Code;
use crate::control::cells_in_flight;
use crate::diagnostic::Sink;
use crate::keys::{LANE_KINDS, LANES, MOST_BLOCKS, NONE, PAUSE, POOL};
use crate::link::{Links, true_loop};
use crate::naming::direction;
use crate::priorities::priorities;
use crate::section::Section;
use crate::value::{Item, cell_time_of};

/// The most that a threshold or a room may be: 1 TB.
const MOST_HELD: Bytes = Bytes(1_000_000_000_000);
/// The largest block.
const MOST_BLOCK: Bytes = Bytes(1 << 20);
/// The CC timer of CBFC, where none is told.
const CC_TIMER: Picos = Picos(256_000_000);

/// What a link says of one of its directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    pub(crate) lanes: Option<LanesSpec>,
    /// Where the lanes were told.
    pub(crate) span: Range<usize>,
    /// Where the room of a pause or the buffer of lanes was told, or the lanes.
    pub(crate) size_span: Range<usize>,
    /// Where the watchdog was told, or the lanes.
    pub(crate) watchdog_span: Range<usize>,
    /// Whether lanes may be smaller than their loop.
    pub(crate) allow_small_buffer: bool,
    /// What is to be worked out of a pause or of lanes.
    pub(crate) auto: Auto,
    pub(crate) pool: Option<Pool>,
}

/// What all flows together tell of the lanes of a direction, once they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Auto {
    /// The room of a pause.
    pub(crate) room: bool,
    /// XOFF of a pause, and XON beside it.
    pub(crate) xoff: Option<Xon>,
    /// The buffer of lanes.
    pub(crate) buffer: bool,
}

/// XON beside an XOFF that is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Xon {
    /// Half of it, as none is told.
    Half,
    /// As told.
    Told,
}

/// What is told of a pool.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    memory: Option<Cells>,
    interval: Option<Picos>,
    pub(crate) allow_small_buffer: bool,
    /// Where the memory was told, or the pool.
    pub(crate) span: Range<usize>,
}

impl Shared {
    fn told_in(&mut self, table: &Section<'_>, size: &'static str) {
        self.span = table.span.clone();
        self.size_span = place(table, size);
    }
}

/// Where a key is told, or its table.
fn place(table: &Section<'_>, key: &'static str) -> Range<usize> {
    table.get(key).map_or_else(|| table.span.clone(), |item| item.span)
}

/// What a link says of its two directions.
pub(crate) fn read(
    section: &Section<'_>,
    directions: &[DirectionSpec; 2],
    sink: &mut Sink,
) -> Option<[Shared; 2]> {
    let mut shared = [Shared::default(), Shared::default()];
    let pools = Tables::read(section, "pool", &POOL, sink)?;
    let pauses = Tables::read(section, "pause", &PAUSE, sink)?;
    let lanes = Tables::read(section, "lanes", &LANES, sink)?;
    let true_loop = true_loop(directions);
    for (side, shared) in shared.iter_mut().enumerate() {
        let cell = cell_time_of(&directions[side]);
        if let Some(table) = &pools.0[side] {
            shared.pool = Some(pool(table, cell, true_loop, sink)?);
        }
        match (&pauses.0[side], &lanes.0[side]) {
            (Some(pause), Some(lanes)) => {
                let message = "`pause` and `lanes` do not go together on one link direction";
                let hint = "keep one of them; `\"none\"` in place of a table takes out what \
                            `[defaults]` has";
                let error = sink.error(Code::CONFLICT, &lanes.span, message).hint(hint);
                error.label(pause.span.clone(), "the pause");
                return None;
            }
            (Some(table), None) => {
                let (spec, auto) = pause(table, cell, sink)?;
                (shared.lanes, shared.auto) = (Some(spec), auto);
                shared.told_in(table, "room");
                shared.watchdog_span = place(table, "watchdog");
            }
            (None, Some(table)) => {
                let (spec, auto) = lanes_of(table, &directions[1 - side], sink)?;
                (shared.lanes, shared.auto) = (Some(spec), auto);
                shared.told_in(table, "buffer");
                shared.allow_small_buffer = table.flag("allow-small-buffer", sink);
            }
            (None, None) => {}
        }
    }
    Some(shared)
}

/// The tables of the two directions, `None` where there is none.
struct Tables<'a>([Option<Section<'a>>; 2]);

impl<'a> Tables<'a> {
    /// One table for both, with that of `[defaults]` behind it, or two alone; `"none"` is no table.
    fn read(
        section: &Section<'a>,
        key: &'static str,
        tab: &'static crate::keys::Tab,
        sink: &mut Sink,
    ) -> Option<Tables<'a>> {
        let Some(item) = section.get(key) else { return Some(Tables([None, None])) };
        if item.value.is_array() {
            let alone = |way: Item<'a>, sink: &mut Sink| {
                let Some(table) = way.value.as_table() else {
                    return way.choice(NONE, sink).map(|_| None);
                };
                Some(Some(Section::new(table, way.span, tab)))
            };
            let [there, back] = item.two(sink)?;
            return Some(Tables([alone(there, sink)?, alone(back, sink)?]));
        }
        if item.value.is_table() {
            let both = section.table(key, tab);
            return Some(Tables([both.clone(), both]));
        }
        item.choice(NONE, sink).map(|_| Tables([None, None]))
    }
}

fn pool(table: &Section<'_>, cell: Picos, true_loop: Picos, sink: &mut Sink) -> Option<Pool> {
    let span = place(table, "memory");
    let memory = match table.get("memory") {
        Some(item) => {
            let cells = item.size(sink)?;
            if cells.0 > CreditValue::MAX_DISTANCE {
                let range = format!("at most {MOST_MEMORY} cells, what a credit tells");
                item.out_of_range(sink, &format!("{} cells", cells.0), &range);
                return None;
            }
            Some(cells)
        }
        None => None,
    };
    let interval = match table.get("interval") {
        Some(item) => Some(interval(&item, cell, true_loop, sink)?),
        None => None,
    };
    let allow_small_buffer = table.flag("allow-small-buffer", sink);
    Some(Pool { memory, interval, allow_small_buffer, span })
}

const MOST_MEMORY: u32 = CreditValue::MAX_DISTANCE;

fn interval(item: &Item<'_>, cell: Picos, true_loop: Picos, sink: &mut Sink) -> Option<Picos> {
    let interval = item.span(cell, false, sink)?;
    if interval < true_loop {
        let message = format!(
            "the measuring interval is {interval}, shorter than the true loop of {true_loop}: \
             the memory could overflow"
        );
        let hint = format!("raise `interval` to {true_loop} or more, or leave it out");
        sink.error(Code::SHORT_MEASURING, &item.span, message).hint(hint);
        return None;
    }
    Some(interval)
}

/// The priorities of a table of lanes or pauses; some.
fn held_priorities(table: &Section<'_>, sink: &mut Sink) -> Option<u8> {
    let item = table.need("priorities", sink)?;
    let bits = priorities(&item, sink)?;
    if bits == 0 {
        let message = "`priorities` names none, so nothing would be held";
        let hint = "flows have priority 0 unless they say otherwise: write `priorities = [0]`, or \
                    leave the table out";
        sink.error(Code::OUT_OF_RANGE, &item.span, message).hint(hint);
        return None;
    }
    Some(bits)
}

/// A table of `pause`, and what of it is to be worked out. `cell`: the direction's cell time.
fn pause(table: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<(LanesSpec, Auto)> {
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
    let quanta = match table.get("quanta") {
        Some(item) => item.count(1, u64::from(u16::MAX), sink)? as u16,
        None => u16::MAX,
    };
    let (room, auto_room) = room(table, xoff, is_auto, sink)?;
    let watchdog = span(table, "watchdog", cell, sink).ok()?;
    let beside = if xon.is_none() { Xon::Half } else { Xon::Told };
    let auto = Auto { room: auto_room, xoff: is_auto.then_some(beside), buffer: false };
    let xon = xon.unwrap_or(Bytes(xoff.0 / 2));
    let rule = LaneRule::Pause(PauseSpec { xoff, xon, quanta, room, watchdog });
    Some((LanesSpec { priorities: priorities?, rule }, auto))
}

/// Whether a value is to be worked out.
fn is_auto(item: &Item<'_>) -> bool {
    item.value.as_str() == Some("auto")
}

pub(crate) fn xon_above_xoff(xon: Bytes, xoff: Bytes, span: &Range<usize>, sink: &mut Sink) {
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

/// A table of `lanes`. `back`: the way back, which credits take.
fn lanes_of(
    table: &Section<'_>,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Option<(LanesSpec, Auto)> {
    let kind = match table.get("kind") {
        Some(item) => item.choice(LANE_KINDS, sink)?,
        None => LANE_KINDS[0],
    };
    table.only_keys_of(kind, sink);
    let is_cbfc = kind == "cbfc";
    let priorities = held_priorities(table, sink);
    let block = match table.get("block") {
        Some(item) => item.bytes(Bytes(1), MOST_BLOCK, sink)?,
        None => Bytes(if is_cbfc { 128 } else { 64 }),
    };
    let overhead = match table.get("overhead") {
        Some(item) => item.bytes(Bytes(0), Bytes(127), sink)?.0 as u16,
        None => 0,
    };
    let item = table.need("buffer", sink)?;
    let auto = Auto { buffer: is_auto(&item), ..Auto::default() };
    let most = u64::from(LaneSpec::most_blocks(is_cbfc));
    let buffer = if auto.buffer { 1 } else { item.count(1, most, sink)? as u32 };
    let update = match table.get("update") {
        Some(item) => item.count(1, MOST_BLOCKS, sink)? as u32,
        None if is_cbfc => 1,
        None => 10,
    };
    let (key, cell_back) = (if is_cbfc { "cc-timer" } else { "refresh" }, cell_time_of(back));
    let refresh = span(table, key, cell_back, sink).ok()?;
    if let Some(span) = refresh.filter(|span| *span < cell_back) {
        let item = table.get(key)?;
        let range = format!("at least a cell time of the way back, {cell_back}");
        item.out_of_range(sink, &span.to_string(), &range);
        return None;
    }
    let refresh = refresh.or(is_cbfc.then_some(CC_TIMER));
    let cbfc = if is_cbfc { Some(spacing(table, back, sink)?) } else { None };
    let rule = LaneRule::Credit(LaneSpec { block, overhead, buffer, update, refresh, cbfc });
    Some((LanesSpec { priorities: priorities?, rule }, auto))
}

/// The spacing of the CF_Updates of CBFC: bytes of the link that they take, `back`.
fn spacing(table: &Section<'_>, back: &DirectionSpec, sink: &mut Sink) -> Option<CbfcSpec> {
    let mut span = |key, [least, default, most]: [u64; 3]| {
        let bytes = match table.get(key) {
            Some(item) => item.bytes(Bytes(least), Bytes(most), sink)?,
            None => Bytes(default),
        };
        Some(back.rate.transmit_time(bytes).unwrap_or(Picos::MAX))
    };
    let min_spacing = span("min-spacing", [800, 6_400, 16_384])?;
    let max_spacing = span("max-spacing", [16_384, 262_144, 1_048_576])?;
    Some(CbfcSpec { min_spacing, max_spacing })
}

/// A span that may be left out; an error when it is wrong, which is told.
fn span(
    table: &Section<'_>,
    key: &'static str,
    cell: Picos,
    sink: &mut Sink,
) -> Result<Option<Picos>, ()> {
    table.get(key).map(|item| item.span(cell, false, sink).ok_or(())).transpose()
}

/// Fills in what follows from all flows: pools where flows share one, rooms that are worked out.
pub(crate) fn fill(network: &mut NetworkSpec, links: &Links, sink: &mut Sink) {
    let sizes = network.pool_sizes().into_iter().enumerate();
    for (id, flows) in sizes.filter(|(_, flows)| *flows > 0) {
        let id = DirectionId(id);
        let pool = pool_of(network, links, id, flows, sink);
        network.links[id.link()].directions[id.side()].pool = pool;
    }
    auto::fill(network, links, sink);
}

/// What the priorities that are paused on a direction need at most beyond XOFF, each for itself.
/// `None`: more than can be told.
pub(crate) fn beyond_xoff(
    paused: &PausedLanes<'_>,
    network: &NetworkSpec,
    id: DirectionId,
) -> Option<Bytes> {
    let lanes = network.direction(id).lanes?.lanes();
    let beyond = lanes.map(|lane| Some(pause::headroom(&paused.link(id, lane)).ok()?.beyond_xoff));
    let most = beyond.collect::<Option<Vec<Bytes>>>()?.into_iter().max()?;
    (most <= MOST_HELD).then_some(most)
}

/// The pool of a direction that so many flows share, as told, or as it is worked out.
fn pool_of(
    network: &NetworkSpec,
    links: &Links,
    id: DirectionId,
    flows: u32,
    sink: &mut Sink,
) -> Option<PoolSpec> {
    let told = links.shared[id.link()][id.side()].pool.as_ref();
    let true_loop = network.loop_time(id.link());
    let interval = told.and_then(|pool| pool.interval).unwrap_or(true_loop);
    if let Some(memory) = told.and_then(|pool| pool.memory) {
        return Some(PoolSpec { memory, interval });
    }
    let in_loop = cells_in_flight(true_loop, network.direction(id).rate);
    let memory = in_loop.and_then(|cells| cells.checked_mul(4)?.checked_add(2 * u64::from(flows)));
    let memory = memory.filter(|cells| *cells <= u64::from(MOST_MEMORY));
    let Some(memory) = memory else {
        let message = format!(
            "the memory worked out for `{}` (4 R + 2 N, with R = {true_loop} and N = {flows}) is \
             above {MOST_MEMORY} cells",
            direction(network, id)
        );
        let span = told.map_or(&links.spans[id.link()], |pool| &pool.span);
        let hint = "give the link a `pool = { memory = ... }`, or lower its delay";
        sink.error(Code::CREDIT_BITS, span, message).hint(hint);
        return None;
    };
    Some(PoolSpec { memory: Cells(memory as u32), interval })
}
