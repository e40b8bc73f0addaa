//! Fractions on a key of whole numbers, which are refused before the first run.
//!
//! The first value of an axis is read with the first point, and may be a whole number by chance:
//! `20..155.0/300` has 20 and 299 fractions. If the first is a whole number and later ones are
//! fractions, the first of these is read. A key that does not take its type takes none of them, so
//! no such point could be run. A value of the right type that is no valid scenario for another
//! reason is a row of the dataset: only some points have it.

use hopflow_scenario::{Code, ControlError, ScenarioFile, Severity};

use super::read_with;
use crate::axis::{CONTROL, number_and_unit};
use crate::{Axis, Shape, SweepError};

/// Refuses an axis with fractions on a key that takes whole numbers only.
pub(super) fn check(file: &ScenarioFile, shape: &Shape) -> Result<(), SweepError> {
    for (index, axis) in shape.grid.axes().iter().enumerate() {
        let mut fractions = fractions(axis);
        let Some(one) = fractions.next() else { continue };
        let Some(why) = wrong_type(file, shape, index, &one) else { continue };
        let (wrong, all) = (fractions.count() + 1, axis.count());
        let text = &shape.file().axes[index];
        let way_out = if text.contains("..") {
            "write both ends of the range without a decimal point, and all its values are whole \
             numbers"
        } else {
            "give whole numbers only"
        };
        return Err(SweepError::Input(format!(
            "--axis `{text}`: {wrong} of {all} values are fractions, which the key does not take, \
             such as {one}: {why}; {way_out}"
        )));
    }
    Ok(())
}

/// The fractions of an axis whose first value is a whole number.
fn fractions(axis: &Axis) -> impl Iterator<Item = String> + '_ {
    let is_bare = |value: &str| number_and_unit(value).is_some_and(|(_, unit)| unit.is_empty());
    let has_point = |value: &str| value.contains(['.', 'e', 'E']);
    let is_quoted = |value: &str| value.contains(['"', '\'']);
    let is_number = move |value: &str| is_bare(value) && !is_quoted(value);
    let first = axis.value(0);
    let begins_whole = is_number(&first) && !has_point(&first);
    let count = if begins_whole { axis.count() } else { 0 };
    let values = (1..count).map(|index| axis.value(index).into_owned());
    values.filter(move |value| is_number(value) && has_point(value))
}

/// The error that a value of an axis is of another type than its key takes, with the first value of
/// the other axes; `None`: it is of the right type.
fn wrong_type(file: &ScenarioFile, shape: &Shape, axis: usize, value: &str) -> Option<String> {
    let axes = shape.grid.axes().iter().enumerate().filter(|(_, of)| of.key() != CONTROL);
    let settings: Vec<String> = axes
        .map(|(index, of)| {
            let first = of.value(0);
            format!("{}={}", of.key(), if index == axis { value } else { &first })
        })
        .collect();
    let Err(ControlError::Wrong(wrong)) = read_with(file, &settings, &shape.control(0)) else {
        return None;
    };
    let mut errors = wrong.items.iter().filter(|item| item.severity == Severity::Error);
    let first = errors.find(|item| item.code == Code::WRONG_TYPE)?;
    Some(format!("{}: {}", first.code, first.headline()).replace('\n', " "))
}
