//! Parameters of a rule that are out of their range.
//!
//! A spec reports all its mistakes before it is used; a machine asserts that there are none.
//! Symbols, source: none. Checked by: the tests of the rules.

use thiserror::Error;

/// A value that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{name} is {value}; it is {range}")]
pub struct RateMistake {
    /// The key of the value in scenarios.
    pub name: &'static str,
    /// The given value; times are in picoseconds.
    pub value: f64,
    /// The allowed range.
    pub range: &'static str,
}

/// The mistakes among values that fit or do not fit their ranges.
pub(super) fn mistakes_of<const N: usize>(
    values: [(bool, &'static str, f64, &'static str); N],
) -> Vec<RateMistake> {
    let wrong = values.into_iter().filter(|(fits, ..)| !fits);
    wrong.map(|(_, name, value, range)| RateMistake { name, value, range }).collect()
}
