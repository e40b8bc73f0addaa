//! Formats numbers for people, and escapes text for a page.

use crate::chart::plain_number;

/// Escapes `text` for use between tags and inside quotes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A time in the largest unit that keeps at least one digit before the point.
pub fn time_text(ps: f64) -> String {
    let (unit, name) = time_unit(ps);
    format!("{}\u{202f}{name}", digits(ps / unit))
}

/// The unit that suits a time of `ps`: its picoseconds and its name.
pub fn time_unit(ps: f64) -> (f64, &'static str) {
    let units = [(1e12, "s"), (1e9, "ms"), (1e6, "\u{b5}s"), (1e3, "ns")];
    units.into_iter().find(|unit| ps >= unit.0).unwrap_or((1.0, "ps"))
}

/// About four significant digits.
pub fn digits(value: f64) -> String {
    more_digits(value, 0)
}

/// About four significant digits, and `more`.
pub fn more_digits(value: f64, more: usize) -> String {
    let decimals = match value.abs() {
        large if large >= 1000.0 => 0,
        middle if middle >= 100.0 => 1,
        small if small >= 10.0 => 2,
        _ => 3,
    };
    plain_number(value, decimals + more)
}

/// A share as per cent, to be compared with others: no decimal from 10 % on, one below. `space`
/// stands before the sign.
pub fn short_share(share: f64, space: char) -> String {
    if share > 0.0 && share < 0.0005 {
        return format!("less than 0.1{space}%");
    }
    format!("{}{space}%", plain_number(share * 100.0, usize::from(share < 0.1)))
}

/// A rate in the largest unit that keeps at least one digit before the point.
pub fn rate_text(bps: f64) -> String {
    let (unit, name) = rate_unit(bps);
    format!("{}\u{202f}{name}", digits(bps / unit))
}

/// The unit that suits a rate of `bps`: its bits per second and its name.
pub fn rate_unit(bps: f64) -> (f64, &'static str) {
    let units = [(1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")];
    units.into_iter().find(|unit| bps >= unit.0).unwrap_or((1.0, "b/s"))
}
