//! Lanes of a link direction under credit: blocks, buffer, updates, and the timers of CBFC.

use hopflow_control::lane::{CbfcSpec, LaneCreditSpec};
use hopflow_network::{DirectionSpec, LaneRule, LanesSpec};
use hopflow_units::{Bytes, Picos};

use super::{Auto, held_priorities, is_auto, span};
use crate::cell_time::cell_time_of;
use crate::diagnostic::Sink;
use crate::keys::{LANE_KINDS, MOST_BLOCKS};
use crate::section::Section;

/// The largest block.
const MOST_BLOCK: Bytes = Bytes(1 << 20);
/// The CC timer of CBFC if the table has none.
const CC_TIMER: Picos = Picos(256_000_000);

/// A table of `lanes`. `back`: the way back, which credits take.
pub(super) fn read(
    table: &Section<'_>,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Option<(LanesSpec, Auto)> {
    let kind = table.or("kind", LANE_KINDS[0], |item| item.choice(LANE_KINDS, sink))?;
    table.only_keys_of(kind, sink);
    let priorities = held_priorities(table, sink);
    let (rule, is_auto) = match kind {
        "cbfc" => cbfc(table, back, sink)?,
        "credit" => credit(table, back, sink)?,
        _ => unreachable!("a kind of LANE_KINDS"),
    };
    let auto = Auto { buffer: is_auto, ..Auto::default() };
    Some((LanesSpec { priorities: priorities?, rule }, auto))
}

/// Lane credits, and whether their buffer is to be computed.
fn credit(table: &Section<'_>, back: &DirectionSpec, sink: &mut Sink) -> Option<(LaneRule, bool)> {
    let block = block(table, Bytes(64), sink)?;
    let (buffer, is_auto) = buffer(table, LaneCreditSpec::BUFFER_MOST, sink)?;
    let update = table.or("update", 10, |item| Some(item.count(1, MOST_BLOCKS, sink)? as u32))?;
    let refresh = timer(table, "refresh", back, sink).ok()?;
    Some((LaneRule::Credit(LaneCreditSpec { block, buffer, update, refresh }), is_auto))
}

/// CBFC, and whether its buffer is to be computed. Spacings are bytes of the link that updates
/// take, `back`.
fn cbfc(table: &Section<'_>, back: &DirectionSpec, sink: &mut Sink) -> Option<(LaneRule, bool)> {
    let block = block(table, Bytes(128), sink)?;
    let overhead =
        table.or("overhead", 0, |item| Some(item.bytes(Bytes(0), Bytes(127), sink)?.0 as u16))?;
    let (buffer, is_auto) = buffer(table, CbfcSpec::BUFFER_MOST, sink)?;
    let cc_timer = timer(table, "cc-timer", back, sink).ok()?.unwrap_or(CC_TIMER);
    let mut span = |key, [least, default, most]: [u64; 3]| {
        let bytes =
            table.or(key, Bytes(default), |item| item.bytes(Bytes(least), Bytes(most), sink))?;
        Some(back.rate.transmit_time(bytes).unwrap_or(Picos::MAX))
    };
    let min_spacing = span("min-spacing", [800, 6_400, 16_384])?;
    let max_spacing = span("max-spacing", [16_384, 262_144, 1_048_576])?;
    let spec = CbfcSpec { block, overhead, buffer, min_spacing, max_spacing, cc_timer };
    Some((LaneRule::Cbfc(spec), is_auto))
}

fn block(table: &Section<'_>, default: Bytes, sink: &mut Sink) -> Option<Bytes> {
    table.or("block", default, |item| item.bytes(Bytes(1), MOST_BLOCK, sink))
}

/// The buffer, at most `most`, and whether it is to be computed.
fn buffer(table: &Section<'_>, most: u32, sink: &mut Sink) -> Option<(u32, bool)> {
    let item = table.need("buffer", sink)?;
    if is_auto(&item) {
        return Some((1, true));
    }
    Some((item.count(1, most.into(), sink)? as u32, false))
}

/// A timer of at least a cell time of the way back; an error when it is wrong, which is reported.
fn timer(
    table: &Section<'_>,
    key: &'static str,
    back: &DirectionSpec,
    sink: &mut Sink,
) -> Result<Option<Picos>, ()> {
    let cell_back = cell_time_of(back);
    let timer = span(table, key, cell_back, sink)?;
    let Some(short) = timer.filter(|timer| *timer < cell_back) else { return Ok(timer) };
    if let Some(item) = table.get(key) {
        let range = format!("at least a cell time of the way back, {cell_back}");
        item.out_of_range(sink, &short.to_string(), &range);
    }
    Err(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the kinds of the table `lanes` are the lane rules that name it.
    #[test]
    fn kinds_are_those_of_the_list() {
        let rules = LaneRule::ALL.iter().filter(|facts| facts.table == "lanes");
        let rules: Vec<&str> = rules.map(|facts| facts.name).collect();
        assert_eq!(rules.len(), LANE_KINDS.len());
        assert!(rules.iter().all(|rule| LANE_KINDS.contains(rule)));
    }
}
