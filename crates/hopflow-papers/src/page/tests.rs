//! The page of what was reproduced.

use hopflow_export::chart::{Along, Axis};

use super::figure::axis;
use super::*;
use crate::headline::tests::number;
use crate::{Chart, Mark};

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
        reading: None,
        readings: Vec::new(),
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
/// A paper without primary readings has no printed numbers.
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
    assert_eq!(facts, ["4"], "claims of papers whose numbers nobody has read");
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
}

/// Claim: the page has a row of counts for each paper and one for all, the joint lines, and each
/// number with its reading, its verdict and what meets it.
#[test]
fn numbers_have_their_rows() {
    let one = NumberResult {
        measured: Some(5.5),
        half_width: Some(0.25),
        why: Some("A: 3; B: 5.".to_owned()),
        met_by: vec!["p.a at 3 ms".to_owned()],
        ..number("p", Standing::Ambiguous)
    };
    let joint = JointRow {
        paper: "p".to_owned(),
        place: "Table 1".to_owned(),
        printed: 4,
        measured: 3,
        met: 2,
        settings: 7,
        setting: "3 ms".to_owned(),
    };
    let numbers = [one, number("q", Standing::Reproduced)];
    let section = headline_section(&numbers, &[joint]);
    let [Block::Table(counts), Block::Table(joint), ..] = &section.blocks[..] else {
        panic!("two or more")
    };
    assert_eq!(counts.rows.len(), 3);
    assert_eq!(counts.rows[0][1..4], ["1", "0", "0"].map(Cell::from));
    assert_eq!(counts.rows[2][0], Cell::Code("all".to_owned()));
    assert_eq!(joint.rows[0][0], Cell::from("p, Table 1"));
    assert_eq!(joint.rows[0][3..], ["3 ms", "3", "2"].map(Cell::from));
    let section = numbers_section(&numbers);
    let [Block::Table(each)] = &section.blocks[..] else { panic!("one table") };
    assert_eq!(each.rows[0][2], Cell::from("5.5 \u{b1} 0.25"));
    assert_eq!(each.row_notes[0], "The readers differ. A: 3; B: 5. Met by p.a at 3 ms.");
    assert_eq!((each.rows[1][2].clone(), each.row_notes[1].as_str()), (Cell::from("-"), ""));
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
    let chart = Chart { id: "c".to_owned(), lines: vec![line("x"), line("y")], ..Chart::default() };
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

/// Claim: the unit of an axis is separated from its label.
#[test]
fn an_axis_has_its_unit() {
    assert_eq!(axis("time (cell times)"), Axis::new("time", "cell times"));
    assert_eq!(axis("share"), Axis::new("share", ""));
    assert_eq!(shown(0.333_33), "0.3333");
    assert_eq!(shown(165.0), "165");
}
