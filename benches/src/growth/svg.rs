//! The picture of the growth curves: small panels, time above and memory below, in SVG that is
//! legible on light and dark pages.
//!
//! Horizontal axes are logarithmic except for threads, time is linear from 0, memory logarithmic.

use std::fmt::Write;

/// Two panels, one above the other.
pub(super) struct Column {
    /// The variable.
    pub(super) axis: &'static str,
    pub(super) series: Vec<Series>,
}

/// One network.
pub(super) struct Series {
    pub(super) name: &'static str,
    /// Nanoseconds per cell-hop.
    pub(super) time: Vec<(f64, f64)>,
    /// MiB.
    pub(super) memory: Vec<(f64, f64)>,
}

const STYLE: &str = "\
svg{background:#fff;font:11px sans-serif}text{fill:#24292f}.title{font-weight:bold}\
.grid{stroke:#d0d7de}.line{fill:none;stroke-width:2}.s0{stroke:#0969da}.s1{stroke:#bc4c00}\
.d0{fill:#0969da}.d1{fill:#bc4c00}@media(prefers-color-scheme:dark){svg{background:#0d1117}\
text{fill:#e6edf3}.grid{stroke:#30363d}.s0{stroke:#58a6ff}.s1{stroke:#f0883e}\
.d0{fill:#58a6ff}.d1{fill:#f0883e}}";

/// The width of a column, and its drawing areas: distance from its left side, width, height, and
/// top.
const COLUMN: f64 = 212.0;
const LEFT: f64 = 40.0;
const WIDTH: f64 = 152.0;
const HEIGHT: f64 = 130.0;
const TOPS: [f64; 2] = [50.0, 232.0];
const TOTAL_HEIGHT: f64 = 418.0;

/// Maps a value to a place between 0 and 1, and gives the grid lines.
struct Scale {
    log: bool,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl Scale {
    /// Whole decades around the values.
    fn decades(values: impl Iterator<Item = f64> + Clone) -> Scale {
        let low = values.clone().fold(f64::INFINITY, f64::min).max(1.0);
        let high = values.fold(low, f64::max);
        let mut ticks = vec![1.0];
        while ticks[ticks.len() - 1] < high || ticks.len() < 2 {
            ticks.push(ticks[ticks.len() - 1] * 10.0);
        }
        let below = ticks.iter().filter(|tick| **tick <= low).count().max(1) - 1;
        ticks.drain(..below.min(ticks.len() - 2));
        Scale { log: true, low: ticks[0], high: ticks[ticks.len() - 1], ticks }
    }

    /// From 0, in three to six steps of 1, 2 or 5 times a power of ten.
    fn linear(values: impl Iterator<Item = f64>) -> Scale {
        let most = values.fold(1.0, f64::max);
        let steps =
            (0..9).flat_map(|power| [1, 2, 5].map(|step| (step * 10_u64.pow(power)) as f64));
        let step = steps.into_iter().find(|step| most / step <= 6.0).unwrap_or(most);
        let ticks: Vec<f64> =
            (0..=(most / step).ceil() as u32).map(|i| f64::from(i) * step).collect();
        Scale { log: false, low: 0.0, high: ticks[ticks.len() - 1], ticks }
    }

    fn place(&self, value: f64) -> f64 {
        if self.log {
            libm::log10(value.max(self.low) / self.low) / libm::log10(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }
}

/// The whole picture.
pub(super) fn draw(columns: &[Column]) -> String {
    let width = COLUMN * columns.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {TOTAL_HEIGHT}\" \
         width=\"{width}\" height=\"{TOTAL_HEIGHT}\" role=\"img\" aria-label=\"Time per cell-hop \
         and peak memory as networks grow\">\n<style>{STYLE}</style>\n"
    );
    text(&mut svg, [6.0, 16.0], "start", "title", "ns per cell-hop");
    text(&mut svg, [6.0, TOPS[1] - 12.0], "start", "title", "peak memory, MiB");
    for (index, column) in columns.iter().enumerate() {
        let left = COLUMN * index as f64 + LEFT;
        for (place, series) in column.series.iter().enumerate() {
            let y = TOTAL_HEIGHT - 6.0 - 14.0 * (column.series.len() - 1 - place) as f64;
            let dot =
                format!("<circle class=\"d{place}\" cx=\"{left}\" cy=\"{}\" r=\"4\"/>\n", y - 4.0);
            svg += &dot;
            text(&mut svg, [left + 10.0, y], "start", "name", series.name);
        }
        let time = |series: &Series| series.time.clone();
        let memory = |series: &Series| series.memory.clone();
        panel(&mut svg, column, [left, TOPS[0]], time, false);
        panel(&mut svg, column, [left, TOPS[1]], memory, true);
    }
    svg += "</svg>\n";
    svg
}

/// One panel with its axes.
fn panel(
    svg: &mut String,
    column: &Column,
    [left, top]: [f64; 2],
    of: fn(&Series) -> Vec<(f64, f64)>,
    log: bool,
) {
    let lines: Vec<Vec<(f64, f64)>> = column.series.iter().map(of).collect();
    let points = || lines.iter().flatten();
    let values = points().map(|point| point.1);
    let y = if log { Scale::decades(values) } else { Scale::linear(values) };
    let threads = column.axis == "threads";
    let grown = points().map(|point| point.0);
    let x = if threads { Scale::linear(grown) } else { Scale::decades(grown) };
    let across = |value: f64| left + WIDTH * x.place(value);
    let down = |value: f64| top + HEIGHT * (1.0 - y.place(value));
    for tick in &y.ticks {
        let (at, right) = (down(*tick), left + WIDTH);
        writeln!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>"
        )
        .expect("a string takes it all");
        text(svg, [left - 4.0, at + 4.0], "end", "tick", &short(*tick));
    }
    for tick in x.ticks.iter().filter(|tick| **tick > 0.0) {
        text(svg, [across(*tick), top + HEIGHT + 14.0], "middle", "tick", &short(*tick));
    }
    if !log {
        text(svg, [left + WIDTH / 2.0, top - 12.0], "middle", "title", column.axis);
    }
    for (place, line) in lines.iter().enumerate() {
        let corners: Vec<String> = line
            .iter()
            .map(|point| format!("{:.1},{:.1}", across(point.0), down(point.1)))
            .collect();
        let corners = corners.join(" ");
        writeln!(svg, "<polyline class=\"line s{place}\" points=\"{corners}\"/>")
            .expect("a string");
        for point in line {
            let [x, y] = [across(point.0), down(point.1)];
            writeln!(
                svg,
                "<circle class=\"d{place}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{} {}: {:.1}\
                 </title></circle>",
                point.0, column.axis, point.1
            )
            .expect("a string takes it all");
        }
    }
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, class: &str, words: &str) {
    writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    )
    .expect("a string takes it all");
}

/// A tick: 1000000 is `1M`.
fn short(value: f64) -> String {
    match value {
        millions if millions >= 1e6 => format!("{}M", millions / 1e6),
        thousands if thousands >= 1e3 => format!("{}k", thousands / 1e3),
        small => format!("{small}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: decades enclose the values, 20 and 3,000 by 10 and 10,000; linear steps begin at 0,
    /// and five steps of 10 enclose 47.
    #[test]
    fn scales_enclose_their_values() {
        let decades = Scale::decades([20.0, 3_000.0].into_iter());
        assert_eq!(decades.ticks, [10.0, 100.0, 1_000.0, 10_000.0]);
        assert!((decades.place(100.0) - 1.0 / 3.0).abs() < 1e-12);
        let linear = Scale::linear([12.0, 47.0].into_iter());
        assert_eq!(linear.ticks, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert!((linear.place(25.0) - 0.5).abs() < 1e-12);
        assert_eq!(["5", "10k", "1M"], [5.0, 1e4, 1e6].map(short)[..]);
    }

    /// Claim: every point is a dot in the picture, once for time and once for memory.
    #[test]
    fn every_point_is_drawn() {
        let line = vec![(10.0, 30.0), (100.0, 40.0), (1_000.0, 70.0)];
        let series = Series { name: "a", time: line.clone(), memory: line };
        let svg = draw(&[Column { axis: "hosts", series: vec![series] }]);
        assert_eq!(svg.matches("<title>").count(), 6);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("<title>1000 hosts: 70.0</title>"));
    }
}
