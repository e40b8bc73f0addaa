//! Grades an answer to an exercise: whether a run agrees with its scenario's `[expect]`.
//!
//! The digest covers all events, so it identifies a run. Values are looked up in the document of
//! the run (`docs/results.md`) by a path: keys and names with `/` between them. An entry of a list
//! is the first with this name, or the one with this index if no name matches. A key that ends in
//! `_ps` or `_bps` has times or rates: sentences print them with a unit.

use hopflow_scenario::{Expect, ExpectedValue};
use hopflow_units::shape::Shaped;
use serde::Serialize;
use serde_json::Value;

use crate::RunResult;

/// The keys of the names of list entries.
const NAMES: [&str; 5] = ["name", "node", "vc", "link", "port"];
/// The most names that are listed if one is unknown.
const LISTED: usize = 16;

/// The grade of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Grade {
    /// Whether the whole answer is right.
    pub right: bool,
    /// The digest of its run.
    pub digest: String,
    /// One for each expectation, in the order of the file; the digest is last.
    pub marks: Vec<Mark>,
}

/// One expectation, and the value of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Mark {
    /// Whether it is as expected.
    pub right: bool,
    /// The meaning of the number; `None`: the path, or the digest.
    pub label: Option<String>,
    /// The path of the number in the document of the run; `None`: this is about the digest.
    pub path: Option<String>,
    /// The least that is right.
    pub least: Option<f64>,
    /// The most that is right.
    pub most: Option<f64>,
    /// The number of the run; `None`: there is none, or this is about the digest.
    pub found: Option<f64>,
    /// The expectation and the value in a sentence, without the verdict.
    pub text: String,
}

/// The units of the endings of keys, each with its picoseconds or bits per second, largest first.
const UNITS: [(&str, [(f64, &str); 5]); 2] = [
    ("_ps", [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns"), (1.0, "ps")]),
    ("_bps", [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s")]),
];

/// Grades a run, which must be a whole run of the unchanged scenario.
pub fn grade(expect: &Expect, result: &RunResult) -> Grade {
    let document = serde_json::to_value(result.document()).expect("results are plain data");
    grade_document(expect, &document, &result.manifest.digest)
}

/// Grades a document of a run, which may have further keys.
pub fn grade_document(expect: &Expect, document: &Value, digest: &str) -> Grade {
    let digest = digest.to_owned();
    let values = expect.values.iter().map(|value| Mark::of_value(value, document));
    let named = (!expect.digests.is_empty()).then(|| Mark::of_digest(expect, &digest));
    let marks: Vec<Mark> = values.chain(named).collect();
    Grade { right: marks.iter().all(|mark| mark.right), digest, marks }
}

impl Mark {
    fn of_digest(expect: &Expect, digest: &String) -> Mark {
        let right = expect.digests.contains(digest);
        let text = if right {
            format!("the digest is {digest}, that of a right answer")
        } else {
            format!("the digest is {digest}, which is not that of a right answer")
        };
        Mark { right, label: None, path: None, least: None, most: None, found: None, text }
    }

    fn of_value(value: &ExpectedValue, document: &Value) -> Mark {
        let ExpectedValue { path, least, most, label } = value;
        let found = number_at(document, path);
        let is_in = |number: &f64| {
            least.is_none_or(|least| *number >= least) && most.is_none_or(|most| *number <= most)
        };
        let units = units_of(path);
        let text = |number: &f64| in_words(*number, units);
        let range = match (least, most) {
            (Some(least), Some(most)) if least >= most => text(least),
            (Some(least), Some(most)) => format!("{} to {}", text(least), text(most)),
            (Some(least), None) => format!("at least {}", text(least)),
            (None, Some(most)) => format!("at most {}", text(most)),
            (None, None) => unreachable!("a scenario with a value without a range is refused"),
        };
        let right = found.as_ref().is_ok_and(is_in);
        let shown = found.as_ref().map(|number| {
            // Few digits, unless they would look like the other verdict.
            let few = short(*number, units.is_some());
            text(if is_in(&few) == right { &few } else { number })
        });
        let text = match (shown, label) {
            (Ok(number), None) => format!("`{path}` is {number}, expected {range}"),
            (Ok(number), Some(label)) => {
                format!("{label}: {number}, expected {range} (`{path}`)")
            }
            (Err(why), None) => format!("{why}, expected {range} at `{path}`"),
            (Err(why), Some(label)) => format!("{label}: {why}, expected {range} at `{path}`"),
        };
        Mark {
            right,
            text,
            label: label.clone(),
            path: Some(path.clone()),
            least: *least,
            most: *most,
            found: found.ok(),
        }
    }
}

/// The number with six digits, where whole numbers stay as they are; with four if it has a unit.
fn short(number: f64, has_unit: bool) -> f64 {
    let text = match has_unit {
        true => format!("{number:.3e}"),
        false if number.fract() == 0.0 => return number,
        false => format!("{number:.5e}"),
    };
    text.parse().expect("a number that was written is one")
}

/// The units of the number at a path: those of the last key that has one of the endings.
fn units_of(path: &str) -> Option<&'static [(f64, &'static str)]> {
    let of = |part: &str| UNITS.iter().find(|(ending, _)| part.ends_with(ending));
    path.rsplit('/').find_map(of).map(|(_, units)| units.as_slice())
}

/// The number in the largest of the units in which it is at least one.
fn in_words(number: f64, units: Option<&[(f64, &str)]>) -> String {
    let Some((scale, unit)) = units
        .and_then(|units| units.iter().find(|(scale, _)| number.abs() >= *scale).or(units.last()))
    else {
        return number.to_string();
    };
    format!("{} {unit}", number / scale)
}

/// The number at a path of a document, or the reason why there is none.
fn number_at(document: &Value, path: &str) -> Result<f64, String> {
    let (mut here, mut place) = (document, String::new());
    for part in path.split('/') {
        here = below(here, part).ok_or_else(|| missing(here, &place, part))?;
        place = if place.is_empty() { part.to_owned() } else { format!("{place}/{part}") };
    }
    let found = match here {
        Value::Number(number) => return Ok(number.as_f64().expect("every number has a float")),
        Value::Null => "`null`: the run has no such value",
        Value::Bool(_) => "true or false, not a number",
        Value::String(_) => "a text, not a number",
        Value::Array(_) => "a list, not a number",
        Value::Object(_) => "an object, not a number",
    };
    Err(format!("`{place}` is {found}"))
}

/// The value at `part`.
fn below<'v>(here: &'v Value, part: &str) -> Option<&'v Value> {
    match here {
        Value::Object(keys) => keys.get(part),
        Value::Array(entries) => {
            let has = |entry: &&Value| NAMES.iter().any(|key| entry[*key] == part);
            let at = || entries.get(part.parse::<usize>().ok()?);
            entries.iter().find(has).or_else(at)
        }
        _ => None,
    }
}

/// The error that `part` is unknown, with the existing names.
fn missing(here: &Value, place: &str, part: &str) -> String {
    let place =
        if place.is_empty() { "the document of the run".to_owned() } else { format!("`{place}`") };
    if here.is_null() {
        return format!("{place} is `null`: the run has no such value");
    }
    let name = |entry: &Value| {
        let key = NAMES.iter().find(|key| entry[**key].is_string())?;
        entry[*key].as_str().map(str::to_owned)
    };
    let mut known: Vec<String> = match here {
        Value::Object(keys) => keys.keys().cloned().collect(),
        Value::Array(entries) => entries.iter().filter_map(name).collect(),
        _ => Vec::new(),
    };
    if known.len() > LISTED {
        known.truncate(LISTED);
        known.push("...".to_owned());
    }
    let known = if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) };
    format!("{place} has no `{part}`{known}")
}

#[cfg(test)]
mod tests;
