//! What is wrong with a value that a scenario gives to a rule.
//!
//! A spec tells all its mistakes before it is used; a machine asserts that there are none.
//! Symbols, source: none. Checked by: the tests of the rules.

use thiserror::Error;

/// A value that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{name} is {value}; it is {range}")]
pub struct RateMistake {
    /// Of the value: its key in scenarios.
    pub name: &'static str,
    /// As told; times in picoseconds.
    pub value: f64,
    /// What it may be.
    pub range: &'static str,
}

/// The mistakes among values that fit or do not fit their ranges.
pub(super) fn mistakes_of<const N: usize>(
    values: [(bool, &'static str, f64, &'static str); N],
) -> Vec<RateMistake> {
    let wrong = values.into_iter().filter(|(fits, ..)| !fits);
    wrong.map(|(_, name, value, range)| RateMistake { name, value, range }).collect()
}
