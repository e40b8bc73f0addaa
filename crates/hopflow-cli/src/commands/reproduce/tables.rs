//! What `reproduce` prints: claims with their verdicts, or experiments with counts of them.

use std::fmt::Write as _;

use hopflow_papers::{ClaimResult, Exhibit, Reproduced, Verdict};

use crate::Outcome;
use crate::output::{self, Table};

/// One line an experiment.
pub(super) fn summary(found: &[Reproduced]) -> Table {
    let columns = ["experiment", "#claims", "#reproduced", "#differ, explained", "#not reproduced"];
    let mut table = Table::new(&columns);
    for one in found {
        let counts = Counts::new(&one.claims);
        let mut row = vec![one.title.clone(), one.claims.len().to_string()];
        let verdicts = [counts.reproduced, counts.differs, counts.not_reproduced];
        row.extend(verdicts.map(|count| count.to_string()));
        table.row(row);
    }
    table
}

/// A table of an experiment, with the units in its headings.
pub(super) fn exhibit(exhibit: &Exhibit) -> Table {
    let heading = |(title, unit): &(&str, &str)| match *unit {
        "" => format!("#{title}"),
        unit => format!("#{title} ({unit})"),
    };
    let heads: Vec<String> = std::iter::once(exhibit.rows_are.to_owned())
        .chain(exhibit.columns.iter().map(heading))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(&heads);
    for (name, values) in &exhibit.rows {
        let values = values.iter().map(|value| Exhibit::shown(*value));
        table.row(std::iter::once(name.clone()).chain(values).collect());
    }
    table
}

/// One line a claim.
pub(super) fn every(claims: &[ClaimResult]) -> Table {
    let mut table = Table::new(&["claim", "paper says", "#hopflow measured", "unit", "verdict"]);
    for claim in claims {
        table.row(vec![
            claim.id.clone(),
            claim.expected.clone(),
            claim.measured.map_or_else(|| "-".to_owned(), |value| output::number(value, 4)),
            claim.unit.clone(),
            word(claim.verdict).to_owned(),
        ]);
    }
    table
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Differs => "differs",
        Verdict::NotReproduced => "NOT REPRODUCED",
    }
}

/// The reasons of all claims that differ, each reason once.
pub(super) fn why_different(claims: &[ClaimResult]) -> Outcome {
    let differing: Vec<_> = claims.iter().filter(|c| c.verdict == Verdict::Differs).collect();
    if differing.is_empty() {
        return Ok(());
    }
    let mut text = String::from("\nWhy claims differ:\n");
    for claim in differing {
        let _ = writeln!(text, "  {}: {}", claim.id, claim.note);
    }
    output::write(&text)
}

/// Claims by verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) reproduced: usize,
    pub(super) differs: usize,
    pub(super) not_reproduced: usize,
}

impl Counts {
    pub(super) fn new(claims: &[ClaimResult]) -> Counts {
        let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        Counts {
            reproduced: count(Verdict::Reproduced),
            differs: count(Verdict::Differs),
            not_reproduced: count(Verdict::NotReproduced),
        }
    }
}
