//! The headline: the numbers that the papers print, each counted once, by its verdict.

use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::{NumberResult, Standing};

/// The row of all papers.
const ALL: &str = "all";

/// The printed numbers of one paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Shaped)]
pub struct HeadlineRow {
    /// The paper's key, or `all`.
    pub paper: String,
    /// Printed numbers: the sum of the others.
    pub printed: usize,
    /// Met by their primary reading.
    pub reproduced: usize,
    /// Met by another reading, found after seeing.
    pub another_reading: usize,
    /// Without a primary reading, because two readers of the paper differ.
    pub ambiguous: usize,
    /// Of these, met by a reading that is run.
    pub ambiguous_met: usize,
    /// Met, because something was chosen for it.
    pub fitted: usize,
    /// With a prediction that decides nothing.
    pub too_wide: usize,
    /// In contradiction to their own table.
    pub slips: usize,
    /// Met by no reading that is run.
    pub none: usize,
}

impl HeadlineRow {
    /// The row's numbers with their headings.
    pub fn columns(&self) -> [(&'static str, usize); 9] {
        [
            ("printed numbers", self.printed),
            (Standing::Reproduced.words(), self.reproduced),
            (Standing::AnotherReading.words(), self.another_reading),
            (Standing::Ambiguous.words(), self.ambiguous),
            ("of these met", self.ambiguous_met),
            (Standing::Fitted.words(), self.fitted),
            (Standing::TooWide.words(), self.too_wide),
            (Standing::Slip.words(), self.slips),
            (Standing::None.words(), self.none),
        ]
    }
}

/// One row for each paper with printed numbers, in their order; then one for all, if there are
/// several.
pub fn headline(numbers: &[NumberResult]) -> Vec<HeadlineRow> {
    let mut papers: Vec<&str> = numbers.iter().map(|one| one.paper.as_str()).collect();
    papers.dedup();
    let mut rows: Vec<HeadlineRow> =
        papers.iter().map(|paper| row(paper, numbers, |one| one.paper == *paper)).collect();
    if rows.len() > 1 {
        rows.push(row(ALL, numbers, |_| true));
    }
    rows
}

fn row(paper: &str, numbers: &[NumberResult], of: impl Fn(&NumberResult) -> bool) -> HeadlineRow {
    let count =
        |verdict: Standing| numbers.iter().filter(|one| of(one) && one.verdict == verdict).count();
    HeadlineRow {
        paper: paper.to_owned(),
        printed: numbers.iter().filter(|one| of(one)).count(),
        reproduced: count(Standing::Reproduced),
        another_reading: count(Standing::AnotherReading),
        ambiguous: count(Standing::Ambiguous),
        ambiguous_met: numbers
            .iter()
            .filter(|one| of(one) && one.verdict == Standing::Ambiguous && !one.met_by.is_empty())
            .count(),
        fitted: count(Standing::Fitted),
        too_wide: count(Standing::TooWide),
        slips: count(Standing::Slip),
        none: count(Standing::None),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A number of a paper with a verdict.
    pub(crate) fn number(paper: &str, verdict: Standing) -> NumberResult {
        NumberResult {
            paper: paper.to_owned(),
            place: "Table 1".to_owned(),
            number: "5".to_owned(),
            verdict,
            reading: "r".to_owned(),
            why: None,
            claim: None,
            claims: Vec::new(),
            measured: None,
            half_width: None,
            met_by: Vec::new(),
        }
    }

    /// Claim: each number is counted once, under its verdict, and the last row adds up the others.
    #[test]
    fn every_number_has_one_verdict() {
        let mut p = Standing::ALL.map(|verdict| number("p", verdict));
        p[2].met_by = vec!["p.a".to_owned()];
        let q = [Standing::Reproduced, Standing::None].map(|verdict| number("q", verdict));
        let rows = headline(&[&p[..], &q[..]].concat());
        let [p, q, all] = rows.as_slice() else { panic!("{rows:?}") };
        let counts = |row: &HeadlineRow| row.columns().map(|(_, count)| count);
        assert_eq!(counts(p), [7, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(counts(q), [2, 1, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!((all.paper.as_str(), counts(all)), (ALL, [9, 2, 1, 1, 1, 1, 1, 1, 2]));
        assert_eq!(headline(&[number("p", Standing::None)]).len(), 1);
    }
}
