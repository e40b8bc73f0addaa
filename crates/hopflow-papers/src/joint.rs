//! The joint line of a table of a paper: how many of its numbers hold together.
//!
//! A number may be met at one setting and its neighbour at another, so that no run has both. One
//! line for each place with several printed numbers tells how many are met at the best single
//! setting, and which that is. A setting is a reading of the paper with a value of what is free.

use std::collections::BTreeMap;

use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::number::is_met;
use crate::{ClaimResult, Paper, Primary};

/// How many numbers of one place are met at one setting.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct JointRow {
    /// The paper's key.
    pub paper: String,
    /// The place: a table or a figure.
    #[serde(rename = "where")]
    pub place: String,
    /// Numbers printed there.
    pub printed: usize,
    /// Of these, measured at the setting.
    pub measured: usize,
    /// Of these, met at the setting.
    pub met: usize,
    /// How many settings were run.
    pub settings: usize,
    /// The setting at which most of them are met.
    pub setting: String,
}

/// Whether each number is met, by setting.
#[derive(Debug, Default)]
pub(crate) struct Settings<'a>(BTreeMap<String, BTreeMap<&'a str, bool>>);

impl<'a> Settings<'a> {
    /// A number was measured at a setting: met if one of the values that it has there is.
    pub(crate) fn saw(&mut self, setting: String, number: &'a str, met: bool) {
        *self.0.entry(setting).or_default().entry(number).or_default() |= met;
    }

    /// The line of a place with several printed numbers: that of the setting that meets most, the
    /// first of those with as many; the one with the most measured numbers, where none is met.
    pub(crate) fn line(self, paper: &str, place: &str, printed: usize) -> Option<JointRow> {
        let settings = self.0.len();
        let count = |numbers: &BTreeMap<&str, bool>| {
            (numbers.values().filter(|met| **met).count(), numbers.len())
        };
        let counts = self.0.into_iter().map(|(setting, numbers)| (setting, count(&numbers)));
        let counts: Vec<(String, (usize, usize))> = counts.collect();
        let (setting, (met, measured)) =
            counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let (paper, place) = (paper.to_owned(), place.to_owned());
        (printed > 1).then_some(JointRow {
            paper,
            place,
            printed,
            measured,
            met,
            settings,
            setting,
        })
    }
}

/// The places of a paper, each with its printed numbers, in its order.
pub(crate) fn places(paper: &Paper) -> Vec<(&str, Vec<&Primary>)> {
    let mut places: Vec<(&str, Vec<&Primary>)> = Vec::new();
    for one in &paper.primary {
        match places.iter_mut().find(|(place, _)| *place == one.place) {
            Some((_, numbers)) => numbers.push(one),
            None => places.push((&one.place, vec![one])),
        }
    }
    places
}

/// One line for each place with at least two printed numbers, if claims on them were measured, in
/// the order of the papers.
pub fn joint(papers: &[Paper], claims: &[ClaimResult]) -> Vec<JointRow> {
    let lines = papers.iter().flat_map(|paper| {
        let places = places(paper).into_iter();
        places.filter_map(|(place, numbers)| line(paper, place, &numbers, claims))
    });
    lines.collect()
}

fn line(
    paper: &Paper,
    place: &str,
    numbers: &[&Primary],
    claims: &[ClaimResult],
) -> Option<JointRow> {
    let mut settings = Settings::default();
    for number in numbers {
        for claim in paper.claims_on(number, claims).unwrap_or_default() {
            for reading in &claim.readings {
                let setting = setting(claim, reading.at.as_deref());
                settings.saw(setting, &number.number, is_met(number, reading));
            }
        }
    }
    settings.line(paper.key, place, numbers.len())
}

/// A reading of the paper and the value of what is free, in words.
fn setting(claim: &ClaimResult, at: Option<&str>) -> String {
    let parts = [claim.reading.as_deref(), at];
    let words: Vec<&str> = parts.into_iter().flatten().collect();
    if words.is_empty() { "as in the scenario".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use hopflow_record::Estimate;

    use super::*;
    use crate::page::tests::claim;
    use crate::primary::tests::primary;
    use crate::{Reading, Verdict, load_primary};

    /// A claim on a number of `w` with a value at each setting.
    fn band(number: &str, values: &[(&str, f64)]) -> ClaimResult {
        let of = |(at, value): &(&str, f64)| Reading {
            at: Some((*at).to_owned()),
            value: Estimate::of([*value]).unwrap(),
        };
        ClaimResult {
            place: "w".to_owned(),
            number: Some(number.to_owned()),
            readings: values.iter().map(of).collect(),
            ..claim("p.a", "p", Verdict::Reproduced, (0.0, 1.0))
        }
    }

    /// Claim: numbers that are met at different settings do not hold together. Of three, each met
    /// somewhere, two are met at 5 ms.
    #[test]
    fn numbers_hold_at_one_setting() {
        let [a, b, c] = ["a", "b", "c"].map(|number| primary("w", number, ""));
        let other = primary("v", "a", "");
        let text = format!("version = 1\npaper = \"p\"\n{a}{other}{b}{c}");
        let primary = load_primary(&text, "p").unwrap();
        let paper = Paper { key: "p", claims: Vec::new(), primary, experiments: Vec::new() };
        let claims = [
            band("a", &[("3 ms", 1.5), ("5 ms", 1.5), ("9 ms", 9.0)]),
            band("b", &[("3 ms", 9.0), ("5 ms", 1.5), ("9 ms", 9.0)]),
            band("c", &[("3 ms", 9.0), ("9 ms", 1.5)]),
        ];
        let [row] = &joint(&[paper], &claims)[..] else { panic!("one place") };
        assert_eq!((row.printed, row.measured, row.met, row.settings), (3, 2, 2, 3));
        assert_eq!(row.setting, "5 ms");
    }
}
