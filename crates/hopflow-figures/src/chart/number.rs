//! Formats numbers: short, without false digits, the same on every machine.

use serde_json::Value;

/// `value` with at most `decimals` digits after the point, without trailing zeros, with a comma
/// between thousands.
pub fn plain_number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "\u{2013}".to_owned();
    }
    let text = format!("{value:.decimals$}");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) if rest.bytes().any(|b| (b'1'..=b'9').contains(&b)) => ("\u{2212}", rest),
        Some(rest) => ("", rest),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

/// `value` for JSON with nine significant digits: enough for a hover value, short in the page.
pub fn json_number(value: f64) -> Value {
    let rounded: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    if rounded.fract() == 0.0 && rounded.abs() < 9e15 {
        return Value::from(rounded as i64);
    }
    Value::from(rounded)
}

/// `value` for JSON with five significant digits: enough for a place on a screen.
pub(crate) fn short_json(value: f64) -> Value {
    json_number(format!("{value:.4e}").parse().unwrap_or(value))
}
