//! The picture of `docs/debate.md`: L2's way to its share, under some of the controls.
//!
//! Peaks of PFC above 40 Mb/s are cut off. The test that runs all experiments compares the file
//! with it, and writes it with `HOPFLOW_WRITE_PLAN`.

use std::fmt::Write as _;

use hopflow_figures::chart::{Axis, Figure, HEIGHT, Line, WIDTH};
use hopflow_figures::escape;

use crate::Chart;

/// The chart that it is drawn from.
pub(crate) const CHART: &str = "debate-wan";
/// The file.
pub(crate) const FILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/debate.svg");

/// The lines, by the beginning of their names, and what they are called.
const LINES: [(&str, &str); 6] = [
    ("credit: N23", "N23"),
    ("credit: adaptive", "adaptive credit"),
    ("PFC", "PFC"),
    ("rate: EFCI", "EFCI: one bit"),
    ("rate: VC counting", "VC counting"),
    ("rate: ERICA+ and virtual", "ERICA+ with VS/VD"),
];
/// What is shown, in ms: L2 comes at 400.
const TIMES: (f64, f64) = (390.0, 600.0);
/// Columns of the legend, and the height of one of its rows.
const COLUMNS: u32 = 3;
const ROW: u32 = 30;

const STYLE: &str = ":root{--ink:#1b1f24;--soft:#59636e;--grid:#e6e9ed;--paper:#fff;--c0:#0072b2;\
    --c1:#e06000;--c2:#009e73;--c3:#8a1a6b;--c4:#5c4700;--c5:#20242a}\
    @media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3adb8;--grid:#2b3138;\
    --paper:#14171b;--c0:#6fb7ef;--c1:#ff9147;--c2:#35cf9f;--c3:#c65fb0;--c4:#ffe97a;\
    --c5:#f0f3f6}}\
    svg{font-family:system-ui,sans-serif}.paper{fill:var(--paper)}.name{fill:var(--ink);\
    font-size:20px}.chart .tick,.chart .label{font-size:18px}.s{stroke-width:2.4}";

/// The picture as a file of SVG.
pub(crate) fn picture(chart: &Chart) -> String {
    let series: Vec<Line> = LINES.iter().map(|(begin, name)| line(chart, begin, name)).collect();
    let figure = Figure {
        id: chart.id.clone(),
        title: chart.title.clone(),
        x: Axis::new("time", "ms").from_to(TIMES.0, TIMES.1),
        y: Axis::new("rate of L2", "Mb/s").from_to(0.0, 40.0),
        series,
        ..Figure::default()
    };
    let top = ROW * (LINES.len() as u32).div_ceil(COLUMNS) + 8;
    let (width, height) = (WIDTH, HEIGHT + top + 8);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"The rate of L2, which \
         starts at 400 ms, under six controls\">\n<style>{}{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        hopflow_figures::STYLE
    );
    for (place, line) in figure.series.iter().enumerate() {
        let (column, row) = (place as u32 % COLUMNS, place as u32 / COLUMNS);
        let (x, y) = (8 + column * (WIDTH / COLUMNS), 6 + row * ROW);
        let _ = writeln!(
            out,
            "<g transform=\"translate({x} {y})\"><path class=\"s s{place}\" d=\"M0 6h30\"/>\
             <text class=\"name\" x=\"40\" y=\"13\">{}</text></g>",
            escape(&line.name)
        );
    }
    let chart = figure.picture(WIDTH as usize / 4);
    let size = format!("width=\"{WIDTH}\" height=\"{HEIGHT}\"");
    let style = format!("style=\"width:{WIDTH}px;height:{HEIGHT}px\"");
    let placed = format!("<svg x=\"0\" y=\"{top}\" {size} {style} ");
    out += &chart.replacen("<svg ", &placed, 1);
    out += "\n</svg>\n";
    out
}

fn line(chart: &Chart, begin: &str, name: &str) -> Line {
    let found = chart.lines.iter().find(|line| line.name.starts_with(begin));
    let points = found.unwrap_or_else(|| panic!("no line begins with `{begin}`")).points.clone();
    Line { name: name.to_owned(), points, ..Line::default() }
}
