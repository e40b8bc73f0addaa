//! Claims about the page: small, self-contained, safe, complete.

use super::*;
use crate::chart::{Axis, Line, LineKind, Side};

fn figure(id: usize, lines: usize, points: usize) -> Figure {
    let line = |n: usize| Line {
        name: format!("VC{n}"),
        kind: LineKind::Step,
        points: (0..points)
            .map(|i| (i as f64 * 1.37, ((i * (n + 3)) % 97) as f64 + 0.123_456))
            .collect(),
        axis: Side::Left,
        look: None,
    };
    Figure {
        id: format!("f{id}"),
        title: format!("Figure {id}"),
        x: Axis::new("time", "cell times"),
        y: Axis::new("queue", "cells"),
        series: (0..lines).map(line).collect(),
        ..Figure::default()
    }
}

fn page_of(blocks: Vec<Block>) -> Page {
    let section =
        Section { id: "one".to_owned(), title: "One".to_owned(), blocks, verdicts: Vec::new() };
    Page { title: "A run".to_owned(), sections: vec![section], ..Page::default() }
}

/// 24 figures of 6 lines of 20,000 points each (46 MB as text) still make a page of at most 3 MB;
/// so does one line of a million points.
#[test]
fn a_page_of_millions_of_points_stays_within_three_megabytes() {
    let many: Vec<Block> = (0..24).map(|id| Block::Figure(figure(id, 6, 20_000))).collect();
    let page = page_of(many).html();
    assert!(page.len() <= MAX_BYTES, "{} bytes", page.len());
    assert!(page.len() > MAX_BYTES / 4, "room for detail is used: {} bytes", page.len());
    let one = page_of(vec![Block::Figure(figure(0, 1, 1_000_000))]).html();
    assert!(one.len() <= MAX_BYTES, "{} bytes", one.len());
}

/// Nothing is fetched: no address of another file or host, in markup, style or script.
#[test]
fn a_page_needs_nothing_from_outside() {
    let html = page_of(vec![Block::Figure(figure(0, 2, 10))]).html();
    let html = html.replace("http://www.w3.org/2000/svg", "");
    for sign in ["http:", "https:", "src=", "@import", "url(//", "<link", "import(", "fetch("] {
        assert!(!html.contains(sign), "{sign}");
    }
}

/// Names from a scenario are text, whatever is in them.
#[test]
fn names_cannot_become_markup() {
    let evil = "</script><b onload='x'>&\"";
    let mut chart = figure(0, 1, 3);
    chart.title = evil.to_owned();
    chart.series[0].name = evil.to_owned();
    let table = Table {
        title: evil.to_owned(),
        columns: vec![Column::text(evil)],
        rows: vec![vec![Cell::Code(evil.to_owned())], vec![Cell::Text(evil.to_owned())]],
        row_notes: vec![evil.to_owned()],
        note: evil.to_owned(),
    };
    let blocks = vec![Block::Figure(chart), Block::Table(table), Block::Text(evil.to_owned())];
    let html = page_of(blocks).html();
    assert!(!html.contains("<b onload"));
    let opened = html.matches("<script").count();
    assert_eq!(opened, html.matches("</script>").count());
}

/// A verdict is shown by a word and a sign, not by colour alone, and counted in the contents.
#[test]
fn verdicts_are_words_and_are_counted() {
    let claims = Section {
        id: "claims".to_owned(),
        title: "Claims".to_owned(),
        verdicts: vec![Verdict::Reproduced, Verdict::Differs, Verdict::Reproduced],
        blocks: vec![Block::Table(Table {
            columns: vec![Column::text("verdict")],
            rows: vec![vec![Verdict::NotReproduced.into()]],
            ..Table::default()
        })],
    };
    let other = Section { id: "o".to_owned(), title: "Other".to_owned(), ..Section::default() };
    let page = Page { sections: vec![claims, other], ..Page::default() };
    let html = page.html();
    assert!(html.contains("</span> not reproduced</span>"));
    assert!(html.contains("title=\"2 reproduced\""));
    assert!(html.contains("title=\"1 differs\""));
}

/// The script draws every kind of line the page can hold.
#[test]
fn the_script_knows_every_kind_of_line() {
    for kind in [LineKind::Step, LineKind::Points, LineKind::Bars] {
        assert!(html::script_knows(kind), "{}", kind.name());
    }
}

/// Claim: the sixteen lines of a figure have different looks, and none has the look of lines in the
/// background or of less interest.
#[test]
fn sixteen_lines_look_different() {
    let series = vec![Line::default(); 16];
    let figure = Figure { series, ..Figure::default() };
    let looks: std::collections::BTreeSet<usize> = (0..16).map(|line| figure.look(line)).collect();
    assert_eq!(looks.len(), 16);
    assert!(!looks.contains(&Line::BACKGROUND) && !looks.contains(&Line::MINOR));
    let sheet = hopflow_figures::STYLE;
    for look in looks {
        assert!(sheet.contains(&format!(".s{look} {{ --c: ")), "{look} has a colour");
    }
}

/// Red, green and blue of `--name` in a part of the style sheet, from 0 to 1 and linear.
fn colour(sheet: &str, name: &str) -> [f64; 3] {
    let found = sheet.find(&format!("{name}: #")).expect("the colour is in the sheet");
    let digits = &sheet[found + name.len() + 3..][..6];
    let part = |at: usize| {
        let value = u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
    };
    [part(0), part(2), part(4)]
}

/// Claim (WCAG 2.1, 1.4.11): every colour of a line stands out from the page at least 3 to 1, in
/// light and in dark.
#[test]
fn lines_stand_out_from_the_page() {
    let sheet = include_str!("report.css");
    let dark = sheet.find("prefers-color-scheme: dark").expect("a dark part");
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    for part in [&sheet[..dark], &sheet[dark..]] {
        let paper = luminance(colour(part, "--paper"));
        for look in 0..8 {
            let line = luminance(colour(part, &format!("--c{look}")));
            let ratio = paper.max(line) / paper.min(line);
            assert!(ratio >= 3.0, "--c{look}: {ratio:.2}");
        }
    }
}

/// Claim: the first six colours are distinct without red cones, without green cones and in full
/// sight: no two are closer than a tenth of the way from black to white, sqrt(3) / 10. All eight
/// looks also have different dashes.
/// Source of the matrices: Vienot, Brettel and Mollon 1999, in linear RGB.
#[test]
fn colours_are_distinct_to_every_eye() {
    let sheet = include_str!("report.css");
    let dark = sheet.find("prefers-color-scheme: dark").expect("a dark part");
    let eyes = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.112_38, 0.887_62, 0.0], [0.112_38, 0.887_62, 0.0], [0.004_01, -0.004_01, 1.0]],
        [[0.292_75, 0.707_25, 0.0], [0.292_75, 0.707_25, 0.0], [-0.022_34, 0.022_34, 1.0]],
    ];
    for part in [&sheet[..dark], &sheet[dark..]] {
        let colours: Vec<[f64; 3]> = (0..6).map(|n| colour(part, &format!("--c{n}"))).collect();
        for eye in eyes {
            let seen = |c: [f64; 3]| {
                eye.map(|row: [f64; 3]| {
                    let light: f64 = row.iter().zip(c).map(|(a, b)| a * b).sum();
                    libm::pow(light.clamp(0.0, 1.0), 1.0 / 2.2)
                })
            };
            for (n, one) in colours.iter().enumerate() {
                for (m, other) in colours.iter().enumerate().skip(n + 1) {
                    let far: f64 =
                        seen(*one).iter().zip(seen(*other)).map(|(a, b)| (a - b) * (a - b)).sum();
                    assert!(far.sqrt() > 0.1733, "--c{n} and --c{m}: {:.3}", far.sqrt());
                }
            }
        }
    }
    let pictures = hopflow_figures::STYLE;
    let dashes: std::collections::BTreeSet<&str> = (1..8)
        .map(|look| {
            let rule = format!(".s.s{look} {{ stroke-dasharray: ");
            let found = pictures.find(&rule).expect("dashes") + rule.len();
            pictures[found..].split(';').next().expect("a rule ends")
        })
        .collect();
    assert_eq!(dashes.len(), 7);
}

/// Claim: of a table of more than twelve rows, ten are shown and the others are in the same table,
/// behind a line that says how many there are; a table of twelve is whole, and so is every table of
/// verdicts.
#[test]
fn long_tables_show_ten_rows_and_open_to_all() {
    let table = |count: usize, cell: fn(usize) -> Cell| Table {
        columns: vec![Column::text("name")],
        rows: (0..count).map(|row| vec![cell(row)]).collect(),
        ..Table::default()
    };
    let html = |table: Table| page_of(vec![Block::Table(table)]).html();
    let name: fn(usize) -> Cell = |row| Cell::Text(format!("row {row}"));
    let long = html(table(13, name));
    let (shown, rest) = long.split_once("<tbody class=\"rest\">").expect("the rest is apart");
    assert_eq!(shown.matches("<td>row ").count(), 10);
    assert_eq!(rest.matches("<td>row ").count(), 3);
    assert!(rest.contains("<summary>All 13 rows</summary>"));
    // The rule that hides them, and the one for print.
    assert_eq!(long.matches(".table:has(+ .rows:not([open])) .rest").count(), 2);
    for whole in [table(12, name), table(40, |_| Cell::Verdict(Verdict::Reproduced))] {
        let whole = html(whole);
        assert!(!whole.contains("class=\"rest\"") && !whole.contains("class=\"rows\""));
    }
}

/// Claim: a first column of short names stays in sight while a table is scrolled sideways; one of
/// sentences does not, nor that of two columns. The style sheet has the rule.
#[test]
fn short_names_stay_in_sight() {
    let html = |first: &str, columns: usize| {
        let table = Table {
            columns: (0..columns).map(|_| Column::text("name")).collect(),
            rows: vec![vec![Cell::Text(first.to_owned()); columns]],
            ..Table::default()
        };
        page_of(vec![Block::Table(table)]).html()
    };
    assert!(html("VC1", 3).contains("<table class=\"stay\">"));
    assert!(html("VC1", 3).contains(".stay :is(td, th):first-child { position: sticky;"));
    assert!(!html("A sentence that has no end", 3).contains("<table class=\"stay\">"));
    assert!(!html("VC1", 2).contains("<table class=\"stay\">"));
}

/// Claim: microseconds have one sign in sentences, but not in words and not in code; names of links
/// stay whole in the heading of a chart, and its hint is beside the first chart.
#[test]
fn units_and_names_are_read_whole() {
    let mut chart = figure(1, 1, 3);
    chart.title = "Queue of S->B".to_owned();
    let text = "From 12 us to 3.5 us, as 4 users use `9 us`.".to_owned();
    let html = page_of(vec![Block::Text(text), Block::Figure(chart)]).html();
    let expected =
        "From 12\u{202f}\u{b5}s to 3.5\u{202f}\u{b5}s, as 4 users use <code>9 us</code>.";
    assert!(html.contains(expected), "{html}");
    assert!(html.contains("<h3>Queue of S<span class=\"arrow\">-&gt;</span>B</h3>"), "{html}");
    assert!(html.contains(".arrow { white-space: nowrap; }"));
}
