//! The headline: the numbers that the papers print, each counted once.
//!
//! ```text
//! number   = (paper, place, what is printed), of claims of the kind `printed`          (1)
//! not      = one of its claims is not reproduced                                       (2)
//! differs  = else one of its claims differs for a reason that is shown                 (3)
//! fitted   = else one of its claims was met by choosing a parameter: not counted       (4)
//! ```

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{ClaimResult, Kind, Verdict};

/// The row of all papers.
const ALL: &str = "all";

/// The printed numbers of one paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HeadlineRow {
    /// The paper's key, or `all`.
    pub paper: String,
    /// Printed numbers: the sum of the others.
    pub printed: usize,
    /// All claims on them are reproduced.
    pub reproduced: usize,
    /// Eq. (3).
    pub differ: usize,
    /// Eq. (2).
    pub not: usize,
    /// Eq. (4).
    pub fitted: usize,
}

/// How it stands with a number: the worst of its claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stand {
    Reproduced,
    Fitted,
    Differs,
    Not,
}

/// One row a paper with printed numbers, in the order of the claims; then one for all, if there
/// are several.
pub fn headline<'a>(claims: impl IntoIterator<Item = &'a ClaimResult>) -> Vec<HeadlineRow> {
    let mut papers: Vec<&str> = Vec::new();
    let mut numbers: BTreeMap<(&str, &str, &str), Stand> = BTreeMap::new();
    for claim in claims.into_iter().filter(|claim| claim.kind == Kind::Printed) {
        if !papers.contains(&claim.paper.as_str()) {
            papers.push(&claim.paper);
        }
        let number = claim.number.as_deref().unwrap_or(&claim.expected);
        let found = numbers.entry((&claim.paper, &claim.place, number));
        let worst = found.or_insert(Stand::Reproduced);
        *worst = stand(claim).max(*worst);
    }
    let row = |paper: &&str| {
        let mine = numbers.iter().filter(|((key, ..), _)| key == paper).map(|(_, stand)| *stand);
        counted(paper, &mine.collect::<Vec<_>>())
    };
    let mut rows: Vec<HeadlineRow> = papers.iter().map(row).collect();
    if rows.len() > 1 {
        rows.push(counted(ALL, &numbers.values().copied().collect::<Vec<_>>()));
    }
    rows
}

fn stand(claim: &ClaimResult) -> Stand {
    match claim.verdict {
        Verdict::Reproduced if claim.is_fitted() => Stand::Fitted,
        Verdict::Reproduced => Stand::Reproduced,
        Verdict::Differs => Stand::Differs,
        Verdict::NotReproduced => Stand::Not,
    }
}

fn counted(paper: &str, stands: &[Stand]) -> HeadlineRow {
    let count = |stand| stands.iter().filter(|one| **one == stand).count();
    HeadlineRow {
        paper: paper.to_owned(),
        printed: stands.len(),
        reproduced: count(Stand::Reproduced),
        differ: count(Stand::Differs),
        not: count(Stand::Not),
        fitted: count(Stand::Fitted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::claim;

    fn printed(place: &str, number: &str, verdict: Verdict) -> ClaimResult {
        let of = claim("p.fig1.a", "p", verdict, (0.0, 1.0));
        ClaimResult { place: place.to_owned(), number: Some(number.to_owned()), ..of }
    }

    /// Claim: a number at its place counts once and is as good as the worst claim on it; the same
    /// number at another place is another; what is not printed does not count.
    #[test]
    fn a_number_counts_once() {
        use Verdict::{Differs, NotReproduced, Reproduced};
        let own = ClaimResult { kind: Kind::Own, ..printed("Table 2", "9", NotReproduced) };
        let claims = [
            printed("Table 1", "5", Reproduced),
            printed("Table 1", "5", Differs),
            printed("Table 1", "6", Reproduced),
            printed("Table 2", "5", Reproduced),
            printed("Table 2", "7", Differs),
            printed("Table 2", "7", NotReproduced),
            own,
        ];
        let rows = headline(&claims);
        let [row] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!((row.printed, row.reproduced, row.differ, row.not), (4, 2, 1, 1));
    }

    /// Claim: a number that a parameter was chosen for is not counted as reproduced, and one that
    /// is missed all the same is not; one that lies in the band of a swept parameter is.
    #[test]
    fn what_was_fitted_is_not_reproduced() {
        let fitted =
            crate::Fitted { parameter: "load".to_owned(), at: None, value: 1.0, tried: None };
        let chosen = ClaimResult {
            fitted: Some(fitted.clone()),
            ..printed("Table 1", "5", Verdict::Reproduced)
        };
        let swept = ClaimResult {
            fitted: Some(crate::Fitted { at: Some("3 ms".to_owned()), ..fitted }),
            band: Some(crate::Range { low: 0.0, high: 2.0 }),
            ..printed("Table 1", "6", Verdict::Reproduced)
        };
        let missed = ClaimResult {
            verdict: Verdict::NotReproduced,
            number: Some("7".into()),
            ..chosen.clone()
        };
        let other = ClaimResult { paper: "q".to_owned(), ..printed("w", "5", Verdict::Reproduced) };
        let rows = headline(&[chosen, swept, missed, other]);
        let one = &rows[0];
        assert_eq!((one.printed, one.reproduced, one.fitted, one.not), (3, 1, 1, 1));
        assert_eq!((rows[2].paper.as_str(), rows[2].printed, rows[2].reproduced), (ALL, 4, 2));
    }
}
