//! The report: every figure of a paper as a chart beside its claims.

use hopflow_export::chart::{Axis, Figure, Line, LineKind};
use hopflow_export::report::{self, Block, Cell, Column, Page, Section, Table};

use crate::{Chart, ClaimResult, Exhibit, Reproduced, Verdict};

/// The page of what was reproduced, one section an experiment.
pub fn page(found: &[Reproduced]) -> Page {
    let all: Vec<&ClaimResult> = found.iter().flat_map(|f| &f.claims).collect();
    let count = |verdict| all.iter().filter(|claim| claim.verdict == verdict).count().to_string();
    Page {
        title: "The papers, reproduced".to_owned(),
        subtitle: "What each paper says, what hopflow measures in its own runs, and whether the \
                   two agree. Nothing is typed in: every value is read off a run or a formula."
            .to_owned(),
        facts: vec![
            ("claims".to_owned(), all.len().to_string()),
            ("reproduced".to_owned(), count(Verdict::Reproduced)),
            ("differ, with the reason".to_owned(), count(Verdict::Differs)),
            ("not reproduced".to_owned(), count(Verdict::NotReproduced)),
        ],
        sections: found.iter().map(section).chain([reading()]).collect(),
        footer: format!(
            "Written by hopflow {}. Each scenario can be run by itself: \
             `hopflow reproduce --write-scenarios DIR`.",
            env!("CARGO_PKG_VERSION")
        ),
    }
}

fn section(found: &Reproduced) -> Section {
    let table = Block::Table(claims(&found.claims));
    let figures: Vec<Block> = found.charts.iter().map(|c| Block::Figure(figure(c))).collect();
    let mut blocks: Vec<Block> =
        found.exhibits.iter().map(|exhibit| Block::Table(exhibit_table(exhibit))).collect();
    if figures.is_empty() {
        blocks.push(table);
    } else {
        blocks.push(Block::Beside(figures, vec![table]));
    }
    Section {
        id: found.id.replace('.', "-"),
        title: found.title.clone(),
        blocks,
        verdicts: found.claims.iter().map(|claim| verdict(claim.verdict)).collect(),
    }
}

fn exhibit_table(exhibit: &Exhibit) -> Table {
    let columns = exhibit.columns.iter().map(|(title, unit)| Column::number(*title, *unit));
    let row = |(name, values): &(String, Vec<f64>)| {
        let values = values.iter().map(|value| Exhibit::shown(*value).into());
        std::iter::once(name.clone().into()).chain(values).collect()
    };
    Table {
        title: exhibit.title.clone(),
        columns: std::iter::once(Column::text(exhibit.rows_are)).chain(columns).collect(),
        rows: exhibit.rows.iter().map(row).collect(),
        row_notes: Vec::new(),
        note: exhibit.note.clone(),
    }
}

const fn verdict(verdict: Verdict) -> report::Verdict {
    match verdict {
        Verdict::Reproduced => report::Verdict::Reproduced,
        Verdict::Differs => report::Verdict::Differs,
        Verdict::NotReproduced => report::Verdict::NotReproduced,
    }
}

fn claims(claims: &[ClaimResult]) -> Table {
    Table {
        title: String::new(),
        columns: vec![
            Column::text("claim"),
            Column::text("paper says"),
            Column::number("hopflow measured", ""),
            Column::text("unit"),
            Column::text("verdict"),
        ],
        rows: claims
            .iter()
            .map(|claim| {
                vec![
                    Cell::Named(claim.what.clone(), claim.id.clone()),
                    claim.expected.clone().into(),
                    claim.measured.map_or_else(|| "-".to_owned(), shown).into(),
                    claim.unit.clone().into(),
                    verdict(claim.verdict).into(),
                ]
            })
            .collect(),
        row_notes: claims
            .iter()
            .map(|claim| match claim.verdict {
                Verdict::Reproduced => String::new(),
                Verdict::Differs | Verdict::NotReproduced => claim.note.clone(),
            })
            .collect(),
        note: String::new(),
    }
}

/// Four digits after the point, no trailing zeros.
fn shown(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn figure(chart: &Chart) -> Figure {
    Figure {
        id: chart.id.clone(),
        title: chart.title.clone(),
        caption: chart.caption.clone(),
        x: axis(&chart.x),
        y: axis(&chart.y),
        series: chart
            .lines
            .iter()
            .map(|line| Line {
                name: line.name.clone(),
                kind: if line.step { LineKind::Step } else { LineKind::Line },
                points: line.points.clone(),
                ..Line::default()
            })
            .collect(),
        ..Figure::default()
    }
}

/// `"time (cell times)"` is the label `time` with the unit `cell times`.
fn axis(text: &str) -> Axis {
    match text.strip_suffix(')').and_then(|text| text.split_once(" (")) {
        Some((label, unit)) => Axis::new(label, unit),
        None => Axis::new(text, ""),
    }
}

fn reading() -> Section {
    let terms = [
        ("reproduced", "the measured value lies in the range that the paper's words give"),
        (
            "differs",
            "it lies outside, but in a range derived for a faithful model before the run; the \
             derivation stands below the claim",
        ),
        ("not reproduced", "neither; hopflow reproduce then exits with 1"),
        ("cell time", "424 bits at the rate of the link: 681.585 ns at 622.08 Mb/s"),
    ];
    let terms = terms.map(|(term, meaning)| (term.to_owned(), meaning.to_owned()));
    Section {
        id: "reading".to_owned(),
        title: "How to read this".to_owned(),
        blocks: vec![Block::Dictionary(terms.to_vec())],
        verdicts: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a table of an experiment goes before its claims, its numbers set to three digits.
    #[test]
    fn an_exhibit_goes_before_the_claims() {
        let exhibit = Exhibit {
            title: "Rivals".to_owned(),
            rows_are: "rival",
            columns: vec![("mean", "ms"), ("lost", "packets")],
            rows: vec![("FIFO".to_owned(), vec![557.04, f64::NAN])],
            ..Exhibit::default()
        };
        let found = Reproduced {
            id: "p.sec4".to_owned(),
            title: "p: Section 4".to_owned(),
            claims: Vec::new(),
            charts: Vec::new(),
            exhibits: vec![exhibit],
        };
        let section = section(&found);
        let [Block::Table(table), Block::Table(_)] = section.blocks.as_slice() else {
            panic!("{:?}", section.blocks)
        };
        assert_eq!(table.columns[1], Column::number("mean", "ms"));
        assert_eq!(table.rows, [["FIFO", "557", "-"].map(Cell::from)]);
    }

    /// Claim: the unit of an axis is told apart from its label.
    #[test]
    fn an_axis_has_its_unit() {
        assert_eq!(axis("time (cell times)"), Axis::new("time", "cell times"));
        assert_eq!(axis("share"), Axis::new("share", ""));
        assert_eq!(shown(0.333_33), "0.3333");
        assert_eq!(shown(165.0), "165");
    }
}
