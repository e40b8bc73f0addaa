//! What `reproduce` prints: claims with their verdicts, or experiments with counts of them.

use std::fmt::Write as _;

use hopflow_papers::{
    ClaimResult, Exhibit, HeadlineRow, JointRow, NumberClaim, NumberResult, Reproduced, Standing,
    Verdict,
};

use crate::Outcome;
use crate::output::{self, Columns, Table, cell};

/// The headline: one line a paper.
pub(super) fn printed(rows: &[HeadlineRow]) -> Table {
    let heads = HeadlineRow::default().columns().map(|(head, _)| format!("#{head}"));
    let heads: Vec<&str> =
        std::iter::once("paper").chain(heads.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heads);
    for row in rows {
        let counts = row.columns().map(|(_, count)| cell(count));
        table.row(std::iter::once(row.paper.clone()).chain(counts).collect());
    }
    table
}

/// One line a table of a paper.
pub(super) fn joint(rows: &[JointRow]) -> Table {
    let columns: Columns<JointRow> = &[
        ("paper", |row| row.paper.clone()),
        ("place", |row| row.place.clone()),
        ("#printed", |row| cell(row.printed)),
        ("#settings", |row| cell(row.settings)),
        ("best setting", |row| row.setting.clone()),
        ("#measured there", |row| cell(row.measured)),
        ("#met there", |row| cell(row.met)),
    ];
    Table::of(columns, rows)
}

/// One line a printed number.
pub(super) fn numbers(all: &[NumberResult]) -> Table {
    let columns: Columns<NumberResult> = &[
        ("paper", |one| one.paper.clone()),
        ("place", |one| one.place.clone()),
        ("printed", |one| one.number.clone()),
        ("#measured", |one| one.measured.map_or("-".to_owned(), |value| output::number(value, 4))),
        ("#one run, +-", |one| {
            one.half_width.map_or(String::new(), |half| output::number(half, 3))
        }),
        ("verdict", |one| one.verdict.words().to_owned()),
        ("met by", |one| {
            one.met_by.first().map_or(String::new(), |first| match one.met_by.len() {
                _ if one.verdict == Standing::Reproduced => String::new(),
                1 => first.clone(),
                count => format!("{first} and {} more", count - 1),
            })
        }),
    ];
    Table::of(columns, all)
}

/// One line a printed number, with all that is known of it.
pub(super) fn each(all: &[NumberResult]) -> Table {
    let columns: Columns<NumberResult> = &[
        ("paper", |one| one.paper.clone()),
        ("place", |one| one.place.clone()),
        ("printed", |one| one.number.clone()),
        ("verdict", |one| one.verdict.words().to_owned()),
        ("#measured", |one| match (one.measured, one.half_width) {
            (None, _) => String::new(),
            (Some(value), None) => output::number(value, 4),
            (Some(value), Some(half)) => {
                format!("{} +- {}", output::number(value, 4), output::number(half, 3))
            }
        }),
        ("primary reading", |one| one.reading.clone()),
        ("reason", |one| one.why.clone().unwrap_or_default()),
        ("met by", |one| first_two(&one.met_by)),
        ("claims", |one| {
            first_two(&one.claims.iter().map(|claim| claim.id.clone()).collect::<Vec<_>>())
        }),
        ("scenarios", |one| {
            let file =
                |claim: &NumberClaim| Some(format!("{}-{}", one.paper, claim.scenario.as_ref()?));
            let mut files: Vec<String> = one.claims.iter().filter_map(file).collect();
            files.dedup();
            first_two(&files)
        }),
        ("#seeds", |one| {
            one.claims.iter().map(|claim| claim.seeds).max().map_or(String::new(), cell)
        }),
    ];
    Table::of(columns, all)
}

/// The first two of a list, and how many more there are.
fn first_two(all: &[String]) -> String {
    match all {
        [first, second, rest @ ..] if !rest.is_empty() => {
            format!("{first}; {second}; and {} more", rest.len())
        }
        all => all.join("; "),
    }
}

/// One line an experiment.
pub(super) fn summary(found: &[Reproduced]) -> Table {
    let columns: Columns<(&Reproduced, Counts)> = &[
        ("experiment", |(one, _)| one.title.clone()),
        ("#claims", |(one, _)| cell(one.claims.len())),
        ("#reproduced", |(_, counts)| cell(counts.reproduced)),
        ("#differ, explained", |(_, counts)| cell(counts.differs)),
        ("#not reproduced", |(_, counts)| cell(counts.not_reproduced)),
    ];
    Table::of(columns, found.iter().map(|one| (one, Counts::new(&one.claims))))
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
    let columns: Columns<ClaimResult> = &[
        ("claim", |claim| claim.id.clone()),
        ("kind", |claim| claim.kind.name().to_owned()),
        ("expected", |claim| claim.expected.clone()),
        ("#hopflow measured", measured),
        ("unit", |claim| claim.unit.clone()),
        ("verdict", |claim| word(claim).to_owned()),
    ];
    Table::of(columns, claims)
}

/// A value, or the least and the greatest over a free parameter.
fn measured(claim: &ClaimResult) -> String {
    let number = |value: f64| output::number(value, 4);
    match (claim.measured, claim.band) {
        (Some(value), _) => number(value),
        (None, Some(band)) => format!("{} to {}", number(band.low), number(band.high)),
        (None, None) => "-".to_owned(),
    }
}

fn word(claim: &ClaimResult) -> &'static str {
    match claim.verdict {
        Verdict::Reproduced if claim.is_fitted() => "fitted",
        Verdict::Reproduced => "reproduced",
        Verdict::Differs => "differs, explained",
        Verdict::NotReproduced if claim.known => "not reproduced",
        Verdict::NotReproduced => "NOT REPRODUCED, new",
    }
}

/// The notes of all claims that are not reproduced: with the cause shown, and without.
pub(super) fn why_different(claims: &[ClaimResult]) -> Outcome {
    let titles = [
        (Verdict::Differs, "Why claims differ:"),
        (Verdict::NotReproduced, "Not reproduced, and what may be the reason:"),
    ];
    let mut text = String::new();
    for (verdict, title) in titles {
        let of: Vec<_> = claims.iter().filter(|claim| claim.verdict == verdict).collect();
        if !of.is_empty() {
            let _ = writeln!(text, "\n{title}");
        }
        for claim in of {
            let _ = writeln!(text, "  {}: {}", claim.id, claim.note);
        }
    }
    output::write(&text)
}

/// Claims by verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) reproduced: usize,
    pub(super) differs: usize,
    pub(super) not_reproduced: usize,
    /// The number of these that are not recorded as known.
    pub(super) new: usize,
}

impl Counts {
    pub(super) fn new(claims: &[ClaimResult]) -> Counts {
        let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        Counts {
            reproduced: count(Verdict::Reproduced),
            differs: count(Verdict::Differs),
            not_reproduced: count(Verdict::NotReproduced),
            new: claims.iter().filter(|claim| claim.is_new()).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use hopflow_papers::{joint_of_bands, kept_rows, papers};

    use super::*;
    use crate::args::Format;

    /// Claim: the joint lines of the wider bands in the documents follow from the rows that are
    /// kept.
    #[test]
    fn the_joint_lines_of_the_bands_follow_from_what_is_kept() {
        let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verdicts.md"));
        let (_, rest) = page.split_once("<!-- bands -->\n").expect("the anchor");
        let (found, _) = rest.split_once("<!-- /bands -->").expect("its end");
        let rows = joint_of_bands(&papers(), &kept_rows());
        assert!(!rows.is_empty());
        assert_eq!(found, output::drawn(Format::Markdown, &joint(&rows)));
    }
}
