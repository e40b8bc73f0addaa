//! The one list of domains: all values that a measure of a unit can have.

use super::Range;

const INF: f64 = f64::INFINITY;
/// What is counted or lasts: nothing is less than none.
const AMOUNT: Range = Range { low: 0.0, high: INF };
/// A part of a whole.
const PART: Range = Range { low: 0.0, high: 1.0 };
/// A part of a whole in percent.
const PERCENT: Range = Range { low: 0.0, high: 100.0 };

/// Units with their domains. The unit `1` is not here: shares, ratios and differences have it, so a
/// claim with it gives its own domain.
const DOMAINS: &[(&str, Range)] = &[
    ("%", PERCENT),
    ("AI", AMOUNT),
    ("KByte", AMOUNT),
    ("MB", AMOUNT),
    ("MB/s", AMOUNT),
    ("Mb/s", AMOUNT),
    ("RTT", AMOUNT),
    ("bursts", AMOUNT),
    ("bytes", AMOUNT),
    ("cell times", AMOUNT),
    ("cell times per cell", AMOUNT),
    ("cells", AMOUNT),
    ("cells/s", AMOUNT),
    ("credits", AMOUNT),
    ("flows", AMOUNT),
    ("links", AMOUNT),
    ("loops", AMOUNT),
    ("messages", AMOUNT),
    ("ms", AMOUNT),
    ("of link", PART),
    ("packets", AMOUNT),
    ("packets/s", AMOUNT),
    ("packets^2", AMOUNT),
    ("ps", AMOUNT),
    ("ratio", AMOUNT),
    ("runs", AMOUNT),
    ("s", AMOUNT),
    ("settings", AMOUNT),
    ("slots", AMOUNT),
    ("steps", AMOUNT),
    ("times", AMOUNT),
    ("us", AMOUNT),
    ("values", AMOUNT),
    ("waits", AMOUNT),
    ("windows", AMOUNT),
];

/// The domain of a unit; `None` where the unit does not determine it.
pub(super) fn domain_of(unit: &str) -> Option<Range> {
    DOMAINS.iter().find(|(name, _)| *name == unit).map(|(_, domain)| *domain)
}
