//! Lanes of a link direction under credit: blocks, buffer, updates, and the timers of CBFC.

use hopflow_control::credit::{CbfcSpec, LaneSpec};
use hopflow_network::{DirectionSpec, LaneRule, LanesSpec};
use hopflow_units::{Bytes, Picos};

use super::{Auto, held_priorities, is_auto, span};
use crate::cell_time::cell_time_of;
use crate::diagnostic::Sink;
use crate::keys::{LANE_KINDS, MOST_BLOCKS};
use crate::section::Section;

/// The largest block.
const MOST_BLOCK: Bytes = Bytes(1 << 20);
/// The CC timer of CBFC, where none is told.
const CC_TIMER: Picos = Picos(256_000_000);

/// A table of `lanes`. `back`: the way back, which credits take.
pub(super) fn read(
    table: &Section<'_>,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Option<(LanesSpec, Auto)> {
    let kind = table.or("kind", LANE_KINDS[0], |item| item.choice(LANE_KINDS, sink))?;
    table.only_keys_of(kind, sink);
    let is_cbfc = kind == "cbfc";
    let priorities = held_priorities(table, sink);
    let block = table.or("block", Bytes(if is_cbfc { 128 } else { 64 }), |item| {
        item.bytes(Bytes(1), MOST_BLOCK, sink)
    })?;
    let overhead =
        table.or("overhead", 0, |item| Some(item.bytes(Bytes(0), Bytes(127), sink)?.0 as u16))?;
    let item = table.need("buffer", sink)?;
    let auto = Auto { buffer: is_auto(&item), ..Auto::default() };
    let most = u64::from(LaneSpec::most_blocks(is_cbfc));
    let buffer = if auto.buffer { 1 } else { item.count(1, most, sink)? as u32 };
    let update = table.or("update", if is_cbfc { 1 } else { 10 }, |item| {
        Some(item.count(1, MOST_BLOCKS, sink)? as u32)
    })?;
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
        let bytes =
            table.or(key, Bytes(default), |item| item.bytes(Bytes(least), Bytes(most), sink))?;
        Some(back.rate.transmit_time(bytes).unwrap_or(Picos::MAX))
    };
    let min_spacing = span("min-spacing", [800, 6_400, 16_384])?;
    let max_spacing = span("max-spacing", [16_384, 262_144, 1_048_576])?;
    Some(CbfcSpec { min_spacing, max_spacing })
}
