//! Axis: a key of the scenario and the values that it takes.
//!
//! | text                          | values                                                  |
//! |-------------------------------|---------------------------------------------------------|
//! | `KEY=10,20,40`                | listed; commas in quotes, brackets, braces do not split |
//! | `KEY=10..100/10`              | 10 values from 10 to 100, at equal distances            |
//! | `KEY=log 1..1000 km/7`        | 7 values, each the same multiple of its predecessor     |
//! | `KEY=random 1..100/50`        | 50 uniform draws                                        |
//! | `KEY=log-random 1..1000/50`   | 50 draws whose logarithm is uniform                     |
//! | `control=as-is,drop-tail`     | controls, with their names in `--control`               |
//!
//! The key is one of `--set`, or `control`, which is not a key of the scenario file.

mod list;
mod range;

use std::borrow::Cow;

use list::list;
use range::Range;

/// The ends of a range that is written `10-100`.
fn with_a_hyphen(text: &str) -> Option<(&str, &str)> {
    let (from, to) = text.split_once('-')?;
    let is_number = |part: &str| part.starts_with(|letter: char| letter.is_ascii_digit());
    let (from, to) = (from.trim(), to.trim());
    (is_number(from) && is_number(to) && from.parse::<f64>().is_ok()).then_some((from, to))
}

/// The key of the axis whose values are controls.
pub const CONTROL: &str = "control";

/// The most points of a grid, and so the most values of an axis.
pub const MOST_POINTS: u64 = 1_000_000;

/// A key and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    key: String,
    text: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    List(Vec<String>),
    Range(Range),
}

impl Axis {
    /// Reads `KEY=VALUES`. Draws depend on `seed` and the key alone. An error is a sentence that
    /// says what is wrong and how to correct it.
    pub fn parse(text: &str, seed: u64) -> Result<Axis, String> {
        let wrong = |why: String| format!("--axis `{text}`: {why}");
        let (key, values) = key_and_values(text)
            .ok_or_else(|| wrong("write KEY=VALUES, such as `flow.VC1.control.n3=10,20`".into()))?;
        let key = key.trim().to_owned();
        let values = match Range::parse(values.trim(), seed, &key) {
            Some(range) => Values::Range(range.map_err(wrong)?),
            None => Values::List(list(values).map_err(wrong)?),
        };
        if let Values::List(all) = &values
            && let [one] = &all[..]
            && let Some((from, to)) = with_a_hyphen(one)
        {
            let why = format!("`{one}` is one value; write `{key}={from}..{to}/10` for 10 values");
            return Err(wrong(why));
        }
        Ok(Axis { key, text: text.to_owned(), values })
    }

    /// The key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The number of values, at least 1.
    pub fn count(&self) -> u64 {
        match &self.values {
            Values::List(all) => all.len() as u64,
            Values::Range(range) => range.count(),
        }
    }

    /// Whether values are drawn. All random axes advance together.
    pub fn is_random(&self) -> bool {
        matches!(&self.values, Values::Range(range) if range.is_random())
    }

    /// The value of an index from 0 on, as the text that the key is set to.
    pub fn value(&self, index: u64) -> Cow<'_, str> {
        match &self.values {
            Values::List(all) => Cow::Borrowed(&all[index as usize]),
            Values::Range(range) => Cow::Owned(range.value(index)),
        }
    }

    /// The unit after the number of all values; empty if they are bare numbers, `None` if a value
    /// is not a number or has another unit.
    pub fn unit(&self) -> Option<String> {
        match &self.values {
            Values::Range(range) => Some(range.unit().to_owned()),
            Values::List(all) => {
                let mut units = all.iter().map(|value| Some(number_and_unit(value)?.1));
                let first = units.next()??;
                units.all(|unit| unit == Some(first)).then(|| first.to_owned())
            }
        }
    }

    /// Whether all values are bare numbers.
    pub fn is_number(&self) -> bool {
        self.unit().is_some_and(|unit| unit.is_empty())
    }
}

/// The number at the start of a value, and the unit after it, without quotes around them.
pub(crate) fn number_and_unit(value: &str) -> Option<(f64, &str)> {
    let bare = value.trim().trim_matches(['"', '\'']).trim();
    let end = range::number_end(bare)?;
    let number: f64 = bare[..end].replace('_', "").parse().ok()?;
    let unit = bare[end..].trim();
    let is_unit = unit.is_empty() || unit.starts_with(|c: char| c.is_alphabetic() || c == '%');
    (number.is_finite() && is_unit).then_some((number, unit))
}

/// Splits a text at its first equals sign that is not in quotes.
fn key_and_values(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '=') => {
                let key = &text[..at];
                return (!key.trim().is_empty()).then(|| (key, &text[at + 1..]));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
