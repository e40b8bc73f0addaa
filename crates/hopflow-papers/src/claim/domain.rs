//! The one list of domains: all values that a measure of a unit can have.

use super::Range;

const INF: f64 = f64::INFINITY;
/// What is counted or lasts: nothing is less than none.
const AMOUNT: Range = Range { low: 0.0, high: INF };
/// A part of a whole.
const PART: Range = Range { low: 0.0, high: 1.0 };
/// A part of a whole in percent.
const PERCENT: Range = Range { low: 0.0, high: 100.0 };

/// Units of amounts. The unit `1` is not here: shares, ratios and differences have it, so a claim
/// with it gives its own domain.
const AMOUNTS: &str = "\
    AI, KByte, MB, MB/s, Mb/s, RTT, bursts, bytes, cell times, cell times per cell, cells, \
    cells/s, credits, flows, links, loops, messages, ms, packets, packets/s, packets^2, ps, \
    ratio, runs, s, settings, slots, steps, times, us, values, waits, windows";

/// The domain of a unit; `None` where the unit does not determine it.
pub(super) fn domain_of(unit: &str) -> Option<Range> {
    match unit {
        "%" => Some(PERCENT),
        "of link" => Some(PART),
        _ => AMOUNTS.split(", ").any(|amount| amount == unit).then_some(AMOUNT),
    }
}
