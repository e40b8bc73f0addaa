//! The report: the headline, one row a paper, then every figure as a chart above its claims.

use hopflow::network::NetworkSpec;
use hopflow_export::chart::{Along, Axis, Band, Figure, Line, LineKind};
use hopflow_export::report::{self, Block, Cell, Column, Page, Section, Table};

use crate::{Chart, ClaimResult, Exhibit, Mark, Place, Reproduced, Verdict, headline};

/// What the title of a page begins with that has not all of its experiments.
pub const INCOMPLETE: &str = "Incomplete: the papers, reproduced";

/// The page of what was reproduced of `of` experiments, one section an experiment. With fewer than
/// these the page says that it is incomplete.
pub fn page(found: &[&Reproduced], of: usize) -> Page {
    let all: Vec<&ClaimResult> = found.iter().flat_map(|f| &f.claims).collect();
    let title = if found.len() < of {
        format!("{INCOMPLETE} ({} of {of} experiments)", found.len())
    } else {
        "The papers, reproduced".to_owned()
    };
    Page {
        title,
        subtitle: "What each paper says, what hopflow measures in its own runs, and whether the \
                   two agree. Nothing is typed in: every value is read off a run or a formula."
            .to_owned(),
        facts: facts(&all),
        sections: [printed(&all), papers(found)]
            .into_iter()
            .chain(found.iter().map(|one| section(one)))
            .chain([reading()])
            .collect(),
        footer: format!(
            "Written by hopflow {}. Each scenario can be run by itself: \
             `hopflow reproduce --write-scenarios DIR`.",
            env!("CARGO_PKG_VERSION")
        ),
    }
}

/// The headline in numbers, then how many claims there are of every kind.
fn facts(all: &[&ClaimResult]) -> Vec<(String, String)> {
    let rows = headline(all.iter().copied());
    let sum = rows.last().map(|row| {
        [
            ("printed numbers", row.printed),
            ("reproduced", row.reproduced),
            ("differ, explained", row.differ),
            ("not reproduced", row.not),
            ("fitted", row.fitted),
        ]
    });
    let claims = ("claims of every kind", all.len());
    let facts = sum.into_iter().flatten().chain([claims]);
    facts.map(|(name, count)| (name.to_owned(), count.to_string())).collect()
}

/// The headline: the numbers that the papers print.
fn printed(all: &[&ClaimResult]) -> Section {
    let rows = headline(all.iter().copied());
    let heads = ["printed numbers", "reproduced", "differ, explained", "not reproduced", "fitted"];
    let columns = heads.map(|head| Column::number(head, ""));
    let row = |row: &crate::HeadlineRow| {
        let numbers = [row.printed, row.reproduced, row.differ, row.not, row.fitted];
        let numbers = numbers.map(|number| Cell::Text(number.to_string()));
        std::iter::once(Cell::Code(row.paper.clone())).chain(numbers).collect()
    };
    let table = Table {
        columns: std::iter::once(Column::text("paper")).chain(columns).collect(),
        rows: rows.iter().map(row).collect(),
        note: "A printed number counts once at its place, and is reproduced only if all claims on \
               it are. Where a parameter was chosen so that it is met, it is fitted, which is no \
               reproduction."
            .to_owned(),
        ..Table::default()
    };
    Section {
        id: "printed".to_owned(),
        title: "Numbers that the papers print".to_owned(),
        blocks: vec![Block::Table(table)],
        verdicts: Vec::new(),
    }
}

/// One row a paper: how many of its claims have each verdict.
fn papers(found: &[&Reproduced]) -> Section {
    let mut keys: Vec<&str> = Vec::new();
    for claim in found.iter().flat_map(|one| &one.claims) {
        if !keys.contains(&claim.paper.as_str()) {
            keys.push(&claim.paper);
        }
    }
    let row = |key: &&str| {
        let of = |one: &&&Reproduced| one.claims.iter().any(|claim| claim.paper == *key);
        let claims = || found.iter().flat_map(|one| &one.claims).filter(|c| c.paper == *key);
        let count = |verdict| claims().filter(|claim| claim.verdict == verdict).count();
        let number = |value: usize| Cell::Text(value.to_string());
        vec![
            Cell::Code((*key).to_owned()),
            number(found.iter().filter(of).count()),
            number(claims().count()),
            number(count(Verdict::Reproduced)),
            number(count(Verdict::Differs)),
            number(count(Verdict::NotReproduced)),
        ]
    };
    let heads = ["experiments", "claims", "reproduced", "differ, explained", "not reproduced"];
    let columns = heads.map(|head| Column::number(head, ""));
    let table = Table {
        columns: std::iter::once(Column::text("paper")).chain(columns).collect(),
        rows: keys.iter().map(row).collect(),
        note:
            "In the charts below, the mark named \u{201c}paper\u{201d} is the range of a claim: a \
               band, a line, or a point with whiskers."
                .to_owned(),
        ..Table::default()
    };
    Section {
        id: "papers".to_owned(),
        title: "All claims".to_owned(),
        blocks: vec![Block::Table(table)],
        verdicts: Vec::new(),
    }
}

fn section(found: &Reproduced) -> Section {
    let drawing = |(title, spec): &(String, NetworkSpec)| Block::Drawing {
        svg: report::topology::Topology::of(spec).drawing(),
        caption: title.clone(),
    };
    let mut blocks: Vec<Block> = found.network.iter().map(drawing).collect();
    blocks.extend(found.charts.iter().map(|chart| Block::Figure(figure(chart, found))));
    blocks.extend(found.exhibits.iter().map(|exhibit| Block::Table(exhibit_table(exhibit))));
    blocks.push(Block::Table(claims(&found.claims)));
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
            Column::text("kind"),
            Column::text("expected"),
            Column::number("hopflow measured", ""),
            Column::text("unit"),
            Column::text("verdict"),
        ],
        rows: claims
            .iter()
            .map(|claim| {
                vec![
                    Cell::Named(claim.what.clone(), claim.id.clone()),
                    claim.kind.name().into(),
                    claim.expected.clone().into(),
                    measured(claim).into(),
                    claim.unit.clone().into(),
                    verdict(claim.verdict).into(),
                ]
            })
            .collect(),
        row_notes: claims
            .iter()
            .map(|claim| match claim.verdict {
                Verdict::Reproduced => fitted(claim),
                Verdict::Differs | Verdict::NotReproduced => {
                    format!("{} {}", fitted(claim), claim.note).trim().to_owned()
                }
            })
            .collect(),
        note: String::new(),
    }
}

/// A value, or the least and the greatest of a band.
fn measured(claim: &ClaimResult) -> String {
    match (claim.measured, claim.band) {
        (Some(value), _) => shown(value),
        (None, Some(band)) => format!("{} to {}", shown(band.low), shown(band.high)),
        (None, None) => "-".to_owned(),
    }
}

/// What was fitted, with the value that meets the paper best; empty where nothing was.
fn fitted(claim: &ClaimResult) -> String {
    let Some(fitted) = &claim.fitted else { return String::new() };
    let value = shown(fitted.value);
    match (&fitted.at, fitted.tried) {
        (Some(at), Some(tried)) => {
            let parameter = &fitted.parameter;
            format!("Over {parameter}. Best of {tried}: {value} at {at} (fitted).")
        }
        _ => format!("Fitted: {}.", fitted.parameter),
    }
}

/// Four digits after the point, no trailing zeros.
fn shown(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn figure(chart: &Chart, found: &Reproduced) -> Figure {
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
        bands: bands(chart, found),
        ..Figure::default()
    }
}

/// What the paper says in this chart.
fn bands(chart: &Chart, found: &Reproduced) -> Vec<Band> {
    let marks: Vec<&Mark> = found.marks.iter().filter(|mark| mark.chart == chart.id).collect();
    let band = |mark: &&Mark| {
        let claim = found.claims.iter().find(|claim| claim.id == mark.claim)?;
        let line = mark.line.and_then(|line| chart.lines.get(line));
        let of = line.filter(|_| chart.lines.len() > 1);
        let of = of.map_or(String::new(), |line| format!(", {}", line.name));
        let (says, span) = match mark.place {
            Place::At(x) => (String::new(), Some((x, x))),
            Place::Between(from, to) => (format!(": {}", claim.expected), Some((from, to))),
            Place::Across | Place::Upright => (format!(": {}", claim.expected), None),
        };
        let range = claim.paper_range;
        Some(Band {
            name: format!("paper{of}{says}"),
            range: (range.low + mark.offset, range.high + mark.offset),
            along: if mark.place == Place::Upright { Along::X } else { Along::Y },
            span,
            label: if span.is_none_or(|s| s.0 < s.1) { "paper" } else { "" }.to_owned(),
            look: mark.line.map(|line| line % 8),
        })
    };
    marks.iter().filter_map(band).collect()
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
            "it lies outside, but in a range derived for a faithful model, and the same without \
             the cause is reproduced; the derivation stands below the claim",
        ),
        (
            "not reproduced",
            "neither; hopflow reproduce exits with 1 if the value is not a known one",
        ),
        (
            "kind",
            "printed: a number of the paper; sentence: its words; derived: worked out by hand; \
             own: not in a paper; other-tool: of another program",
        ),
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
pub(crate) mod tests {
    use super::*;

    /// Claim: a table of an experiment takes its place above its claims, its numbers set to three
    /// digits.
    #[test]
    fn an_exhibit_is_above_the_claims() {
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
            network: None,
            charts: Vec::new(),
            marks: Vec::new(),
            exhibits: vec![exhibit],
        };
        let section = section(&found);
        let [Block::Table(table), Block::Table(_)] = section.blocks.as_slice() else {
            panic!("{:?}", section.blocks)
        };
        assert_eq!(table.columns[1], Column::number("mean", "ms"));
        assert_eq!(table.rows, [["FIFO", "557", "-"].map(Cell::from)]);
    }

    /// A printed number with a verdict.
    pub(crate) fn claim(id: &str, paper: &str, verdict: Verdict, range: (f64, f64)) -> ClaimResult {
        ClaimResult {
            id: id.to_owned(),
            paper: paper.to_owned(),
            place: String::new(),
            what: String::new(),
            expected: "about 5".to_owned(),
            kind: crate::Kind::Printed,
            range_written: crate::Written::Before,
            number: Some("about 5".to_owned()),
            domain: None,
            paper_range: crate::Range { low: range.0, high: range.1 },
            explained_range: None,
            removed_by: None,
            seen_range: None,
            measured: None,
            band: None,
            fitted: None,
            unit: "cells".to_owned(),
            verdict,
            known: false,
            note: String::new(),
            scenario: None,
            seed: None,
            digest: None,
        }
    }

    fn experiment(claims: Vec<ClaimResult>) -> Reproduced {
        Reproduced {
            id: "p.fig1".to_owned(),
            title: String::new(),
            claims,
            network: None,
            charts: Vec::new(),
            marks: Vec::new(),
            exhibits: Vec::new(),
        }
    }

    /// Claim: the page opens with the headline; then the counts of a paper are those of its claims.
    #[test]
    fn the_page_opens_with_the_headline() {
        let one = |verdict| claim("p.fig1.a", "p", verdict, (0.0, 1.0));
        let found = [
            experiment(vec![one(Verdict::Reproduced), one(Verdict::Differs)]),
            experiment(vec![one(Verdict::Reproduced)]),
            experiment(vec![claim("q.a.b", "q", Verdict::NotReproduced, (0.0, 1.0))]),
        ];
        let page = page(&found.each_ref(), 3);
        assert_eq!(page.title, "The papers, reproduced");
        let facts = page.facts.iter().map(|(_, count)| count.as_str()).collect::<Vec<_>>();
        assert_eq!(facts, ["2", "0", "1", "1", "0", "4"], "as the last row below, and all claims");
        let of = |section: &Section| match section.blocks.as_slice() {
            [Block::Table(table)] => table.clone(),
            other => panic!("{other:?}"),
        };
        let table = of(&page.sections[1]);
        let text = |cell: &str| Cell::Text(cell.to_owned());
        let row = |key: &str, counts: [&str; 5]| {
            let counts = counts.iter().map(|count| text(count));
            std::iter::once(Cell::Code(key.to_owned())).chain(counts).collect::<Vec<_>>()
        };
        let expected = [row("p", ["2", "3", "2", "1", "0"]), row("q", ["1", "1", "0", "0", "1"])];
        assert_eq!(table.rows, expected);
        let row = |key: &str, counts: [&str; 5]| {
            let counts = counts.iter().map(|count| text(count));
            std::iter::once(Cell::Code(key.to_owned())).chain(counts).collect::<Vec<_>>()
        };
        let expected = [
            row("p", ["1", "0", "1", "0", "0"]),
            row("q", ["1", "0", "0", "1", "0"]),
            row("all", ["2", "0", "1", "1", "0"]),
        ];
        assert_eq!(of(&page.sections[0]).rows, expected, "one number, by its worst claim");
    }

    /// Claim: a mark has the range of its claim with its offset, the colour of its line, and a
    /// name for the legend.
    #[test]
    fn marks_have_the_ranges_of_their_claims() {
        let mut found = experiment(vec![
            claim("p.fig1.a", "p", Verdict::Reproduced, (4.0, 6.0)),
            claim("p.fig1.b", "p", Verdict::Reproduced, (7.0, f64::INFINITY)),
        ]);
        let line = |name: &str| crate::ChartLine { name: name.to_owned(), ..Default::default() };
        let chart =
            Chart { id: "c".to_owned(), lines: vec![line("x"), line("y")], ..Chart::default() };
        found.marks = vec![
            Mark::new("c", "p.fig1.a").on(1).at(10.0).plus(1.0),
            Mark::new("c", "p.fig1.b").on(1).at(20.0),
            Mark::new("c", "p.fig1.a").between(0.0, 9.0),
            Mark::new("c", "p.fig1.a").upright(),
            Mark::new("other", "p.fig1.a"),
        ];
        let bands = figure(&chart, &found).bands;
        let names: Vec<&str> = bands.iter().map(|band| band.name.as_str()).collect();
        assert_eq!(names, ["paper, y", "paper, y", "paper: about 5", "paper: about 5"]);
        assert_eq!((bands[0].range, bands[0].span), ((5.0, 7.0), Some((10.0, 10.0))));
        assert_eq!((bands[1].range, bands[1].look), ((7.0, f64::INFINITY), Some(1)));
        assert_eq!((bands[2].range, bands[2].span), ((4.0, 6.0), Some((0.0, 9.0))));
        assert_eq!([bands[2].along, bands[3].along], [Along::Y, Along::X]);
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
