//! Texts that are no quantity here: which one is meant, ready to type. `400Gbps` is `400 Gb/s`.
//!
//! | written                                  | meant, where such a unit is possible            |
//! |------------------------------------------|-------------------------------------------------|
//! | `400G`, `400Gbps`, `400 Gbit/s`          | `400 Gb/s`                                      |
//! | `400GBps`, `400 Gbyte/s`                 | `400 GB/s`                                      |
//! | `400GBPS`, and for a rate `400 GB`       | `400 Gb/s`, or `400 GB/s` if bytes are meant    |
//! | `64K`, `64KB`, `64 kbyte`                | `64 kB`                                         |
//! | `64KiB`                                  | `65536 B`: there are no binary prefixes         |
//! | `5µs` (either micro sign), `5 usec`      | `5 us`                                          |
//! | `2 min`, `1 h`                           | `120 s`, `3600 s`                               |
//! | `1,5 us`                                 | `1.5 us`                                        |
//! | `10 pps`, `10 pkts`                      | `10 packets/s`, `10 packets`                    |
//! | what is nearly a unit: `packtes`, `KM`   | the unit                                        |

use super::{Sort, UNITS, number_length};
use crate::decimal::{Decimal, Rounding};

/// What others write for a unit, in lower case.
const ALIASES: &[(&str, &str)] = &[
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("msec", "ms"),
    ("msecs", "ms"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("usec", "us"),
    ("usecs", "us"),
    ("microsecond", "us"),
    ("microseconds", "us"),
    ("nsec", "ns"),
    ("nsecs", "ns"),
    ("nanosecond", "ns"),
    ("nanoseconds", "ns"),
    ("meter", "m"),
    ("meters", "m"),
    ("metre", "m"),
    ("metres", "m"),
    ("kilometer", "km"),
    ("kilometers", "km"),
    ("kilometre", "km"),
    ("kilometres", "km"),
    ("pkt", "packets"),
    ("pkts", "packets"),
    ("pps", "packets/s"),
    ("pkt/s", "packets/s"),
    ("pkts/s", "packets/s"),
    ("percent", "%"),
];

/// Units, each with its number of seconds.
const LONG: &[(&str, u64)] = &[
    ("min", 60),
    ("mins", 60),
    ("minute", 60),
    ("minutes", 60),
    ("h", 3600),
    ("hr", 3600),
    ("hour", 3600),
    ("hours", 3600),
    ("d", 86_400),
    ("day", 86_400),
    ("days", 86_400),
    ("week", 604_800),
    ("weeks", 604_800),
];

/// The quantities of one of these sorts that may be meant by `text`, the likeliest first: none,
/// one, or a rate in bits and one in bytes.
pub(crate) fn meant(text: &str, sorts: &[Sort]) -> Vec<String> {
    let text = text.trim();
    let text = decimal_point(text).unwrap_or_else(|| text.to_owned());
    let (number, unit) = text.split_at(number_length(&text));
    let Some(value) = Decimal::parse(number) else { return Vec::new() };
    let unit = unit.trim().replace(['\u{b5}', '\u{3bc}'], "u");
    if let Some(whole) = in_smaller_units(value, &unit, sorts) {
        return vec![whole];
    }
    let with_unit = |unit: &&str| format!("{number} {unit}");
    units(&unit, sorts).iter().map(with_unit).collect()
}

/// The hint: what to write instead, each text between these quotes.
pub(crate) fn hint(text: &str, sorts: &[Sort], quote: char) -> Option<String> {
    match meant(text, sorts).as_slice() {
        [] => None,
        [one] => Some(format!("write {quote}{one}{quote}")),
        [bits, bytes, ..] => {
            let bytes = format!("or {quote}{bytes}{quote} if bytes are meant");
            Some(format!("write {quote}{bits}{quote}, {bytes}"))
        }
    }
}

/// The same with a point, where a comma stands between digits.
fn decimal_point(text: &str) -> Option<String> {
    let (whole, rest) = text.split_once(',')?;
    let digits = |text: &str| text.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(rest)).then(|| format!("{whole}.{rest}"))
}

/// What has no unit of its own in a smaller one, only where nothing is lost: hours in seconds,
/// binary prefixes in bytes, thousands of cells in cells.
fn in_smaller_units(value: Decimal, unit: &str, sorts: &[Sort]) -> Option<String> {
    let lower = unit.to_lowercase();
    let long = LONG.iter().find(|(name, _)| *name == lower && sorts.contains(&Sort::Time));
    let power = |prefix: &str| ["k", "m", "g"].iter().position(|name| *name == prefix);
    let binary = || {
        let prefix = lower.strip_suffix("ib").or_else(|| lower.strip_suffix("ibyte"))?;
        let factor = 1024_u64.pow(power(prefix)? as u32 + 1);
        Some((factor, "B")).filter(|_| sorts.contains(&Sort::Size))
    };
    let counted = || {
        let (name, sort) = [("cells", Sort::Cells), ("packets", Sort::Packets)]
            .into_iter()
            .find(|(name, _)| lower.ends_with(name))?;
        let factor = 1000_u64.pow(power(lower.strip_suffix(name)?)? as u32 + 1);
        Some((factor, name)).filter(|_| sorts.contains(&sort))
    };
    let seconds = long.map(|(_, seconds)| (*seconds, "s"));
    let (factor, small) = seconds.or_else(binary).or_else(counted)?;
    let amount = value.scaled(factor, Rounding::Down)?;
    let exact = value.scaled(factor, Rounding::Up) == Some(amount);
    exact.then(|| format!("{amount} {small}"))
}

/// The units of these sorts that are meant by a text.
fn units(unit: &str, sorts: &[Sort]) -> Vec<&'static str> {
    let known = UNITS.iter().filter(|(_, sort, _)| sorts.contains(sort)).map(|(name, ..)| *name);
    let known: Vec<&'static str> = known.collect();
    let named = |unit: &str| known.iter().find(|name| **name == unit).copied();
    if let Some(same) = named(unit) {
        return vec![same];
    }
    let lower = unit.to_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == lower);
    if let Some(unit) = alias.and_then(|(_, unit)| named(unit)) {
        return vec![unit];
    }
    let many: Vec<&'static str> =
        prefixed(unit, sorts).iter().filter_map(|unit| named(unit)).collect();
    if !many.is_empty() {
        return many;
    }
    let like = known.iter().find(|name| name.to_lowercase() == lower).copied();
    let other = UNITS.iter().any(|(name, ..)| *name == unit) || lower.ends_with("ib");
    // Of two letters one away is another unit: `mi` is no `ms`.
    let near = || nearest(&lower, &known).filter(|_| !other && lower.len() > 2);
    like.or_else(near).into_iter().collect()
}

/// Bits and bytes with a prefix: `Gbps`, `Mbit/s`, `K`, `GB`. Only the case of `b` tells bits from
/// bytes; where all is in capitals it does not.
fn prefixed(unit: &str, sorts: &[Sort]) -> Vec<String> {
    let mut letters = unit.chars();
    let (prefix, rest) = match letters.next() {
        Some('k' | 'K') => ("k", letters.as_str()),
        Some('m' | 'M') => ("M", letters.as_str()),
        Some('g' | 'G') => ("G", letters.as_str()),
        Some('t' | 'T') => ("T", letters.as_str()),
        _ => ("", unit),
    };
    let lower = rest.to_lowercase().replace("/sec", "/s").replace("ps", "/s");
    let amount = lower.strip_suffix("/s").unwrap_or(&lower);
    let is_byte = matches!(amount, "byte" | "bytes") || (amount == "b" && rest.starts_with('B'));
    if !(is_byte || matches!(amount, "" | "b" | "bit" | "bits")) || unit.is_empty() {
        return Vec::new();
    }
    if sorts.contains(&Sort::Size) && !sorts.contains(&Sort::Rate) {
        let bits = matches!(amount, "bit" | "bits") || lower.ends_with("/s");
        return if bits { Vec::new() } else { vec![format!("{prefix}B")] };
    }
    let [bits, bytes] = [format!("{prefix}b/s"), format!("{prefix}B/s")];
    let capitals = amount == "b" && (lower == amount || rest.ends_with('S'));
    match (is_byte, capitals) {
        (false, _) => vec![bits],
        (true, true) => vec![bits, bytes],
        (true, false) => vec![bytes],
    }
}

/// The unit that is nearly written so.
fn nearest(lower: &str, known: &[&'static str]) -> Option<&'static str> {
    let most = if lower.chars().count() <= 3 { 1 } else { 2 };
    let distance = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), lower);
    let near = known.iter().map(|name| (distance(name), *name));
    let near = near.filter(|(distance, name)| *distance <= most && *distance < name.len());
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: &[Sort] = &[Sort::Rate];
    const TIME: &[Sort] = &[Sort::Time, Sort::Cells, Sort::Length];
    const SIZE: &[Sort] = &[Sort::Size, Sort::Cells, Sort::Packets];
    const PACE: &[Sort] = &[Sort::Rate, Sort::Share, Sort::Pace];

    /// Claim: what others write for a quantity is answered with the text to type, in a unit that
    /// the key takes.
    #[test]
    fn the_text_to_type_is_found() {
        for (written, sorts, meant_by_it) in [
            ("400G", RATE, "400 Gb/s"),
            ("400Gbps", RATE, "400 Gb/s"),
            ("400 gbps", RATE, "400 Gb/s"),
            ("424 Mbps", RATE, "424 Mb/s"),
            ("1.5 Mbit/s", RATE, "1.5 Mb/s"),
            ("5 mb/S", RATE, "5 Mb/s"),
            ("100K", RATE, "100 kb/s"),
            ("400GBps", RATE, "400 GB/s"),
            ("5 Mbyte/s", RATE, "5 MB/s"),
            ("1 Tbps", RATE, "1 Tb/s"),
            ("9 bps", PACE, "9 b/s"),
            ("10pps", PACE, "10 packets/s"),
            ("5 paket/s", PACE, "5 packet/s"),
            ("50 percent", PACE, "50 %"),
            ("5 µs", TIME, "5 us"),
            ("5 \u{3bc}s", TIME, "5 us"),
            ("5 \u{b5}s", TIME, "5 us"),
            ("5usec", TIME, "5 us"),
            ("5 Milliseconds", TIME, "5 ms"),
            ("2 min", TIME, "120 s"),
            ("1.5 h", TIME, "5400 s"),
            ("1,5 us", TIME, "1.5 us"),
            ("20 KM", TIME, "20 km"),
            ("20 Cells", TIME, "20 cells"),
            ("64K", SIZE, "64 kB"),
            ("64 KB", SIZE, "64 kB"),
            ("64KiB", SIZE, "65536 B"),
            ("1500 bytes", SIZE, "1500 B"),
            ("9 packtes", SIZE, "9 packets"),
            ("200 Mcells", SIZE, "200000000 cells"),
        ] {
            assert_eq!(meant(written, sorts), [meant_by_it], "{written}");
        }
    }

    /// Claim: where bits and bytes cannot be distinguished both are named, as in a size for a rate.
    #[test]
    fn bits_and_bytes_are_both_named_where_they_cannot_be_distinguished() {
        for written in ["400GBPS", "400 GB", "400GB"] {
            assert_eq!(meant(written, RATE), ["400 Gb/s", "400 GB/s"], "{written}");
        }
        let both = hint("400 GB", RATE, '"').unwrap();
        assert_eq!(both, "write \"400 Gb/s\", or \"400 GB/s\" if bytes are meant");
    }

    /// Claim: nothing is proposed that measures something else, or that is far from what stands
    /// there: better no proposal than a wrong one.
    #[test]
    fn no_proposal_is_better_than_a_wrong_one() {
        for (written, sorts) in [
            ("5 Gb/s", TIME),
            ("5 Gbps", TIME),
            ("5 us", RATE),
            ("5 km", SIZE),
            ("5 Mbit", SIZE),
            ("5 furlongs", TIME),
            ("5 x", RATE),
            ("5 x", TIME),
            ("fast", RATE),
            ("0.001 KiB", SIZE),
        ] {
            assert_eq!(meant(written, sorts), Vec::<String>::new(), "{written}");
        }
    }

    /// Claim: a unit of two letters is not taken for another one a letter away: 10 mi are no 10 ms.
    #[test]
    fn a_short_unit_is_not_another() {
        assert_eq!(meant("10 mi", TIME), Vec::<String>::new());
        assert_eq!(meant("10 KM", TIME), ["10 km"]);
    }
}
