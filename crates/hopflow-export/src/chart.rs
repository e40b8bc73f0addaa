//! Figures: what a chart shows, as plain data, and how it becomes a picture.
//!
//! A [`Figure`] holds numbers and words only. [`Figure::picture`] draws it with `plotters` into
//! SVG whose colours are CSS classes, so that one picture serves light, dark and print;
//! [`Figure::data`] is what the script of the report reads for hover values and zoom.
//!
//! Long series are thinned by [`thin()`]: of every pixel column the first, least, greatest and last
//! point are kept, so a spike of one point is never lost and no point is invented.

mod canvas;
mod draw;
mod number;
mod thin;

pub(crate) use draw::swatch as legend_swatch;
pub use draw::{HEIGHT, WIDTH};
pub use number::{json_number, plain_number};
pub use thin::thin;

use serde_json::{Value, json};

/// One chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Unique on its page; letters, digits and hyphens.
    pub id: String,
    /// What is shown, in a few words.
    pub title: String,
    /// What to see in it, in a sentence or two. May be empty.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The left vertical axis.
    pub y: Axis,
    /// The right vertical axis, if any line uses it.
    pub y_right: Option<Axis>,
    /// What is drawn, in order of the legend.
    pub series: Vec<Line>,
    /// Shaded ranges and reference lines.
    pub bands: Vec<Band>,
}

/// An axis: what it measures and from where to where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The quantity, such as `queue at switch S`.
    pub label: String,
    /// Its unit, such as `cells`; empty for a plain number.
    pub unit: String,
    /// First and last value shown. `None`: from the data (a vertical axis then includes 0).
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis that takes its range from the data.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { label: label.into(), unit: unit.into(), range: None }
    }

    /// The same axis with a range of its own.
    #[must_use]
    pub fn from_to(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// Label and unit as one text.
    pub fn text(&self) -> String {
        match (self.label.is_empty(), self.unit.is_empty()) {
            (_, true) => self.label.clone(),
            (true, false) => self.unit.clone(),
            (false, false) => format!("{} ({})", self.label, self.unit),
        }
    }
}

/// One series of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// How points are joined.
    pub kind: LineKind,
    /// (x, y) in the units of the axes, in order of x. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Which vertical axis it is read on.
    pub axis: Side,
    /// Its colour and dashes: 0 to 7, [`Line::BACKGROUND`] or [`Line::MINOR`]. `None`: by its
    /// place in the figure.
    pub look: Option<usize>,
}

impl Line {
    /// The look of what holds for all together, behind its parts.
    pub const BACKGROUND: usize = 8;
    /// The look of what is of less interest than the rest.
    pub const MINOR: usize = 9;
}

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// A value holds until the next point.
    Step,
    /// Straight from point to point.
    #[default]
    Line,
    /// Not joined.
    Points,
    /// A bar from 0 to each point.
    Bars,
}

impl LineKind {
    /// The name the script knows it by.
    pub const fn name(self) -> &'static str {
        match self {
            LineKind::Step => "step",
            LineKind::Line => "line",
            LineKind::Points => "points",
            LineKind::Bars => "bars",
        }
    }
}

/// A vertical axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The main one.
    #[default]
    Left,
    /// The second one ([`Figure::y_right`]).
    Right,
}

/// A shaded range, such as what a paper says; of no width: a reference line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// Its name in the legend.
    pub name: String,
    /// Least and greatest value, in the unit of its axis. Infinite: to the edge of the chart.
    pub range: (f64, f64),
    /// Which axis the range is measured on.
    pub along: Along,
}

/// The axis on which a [`Band`] is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// Left vertical axis: the band lies across.
    #[default]
    Y,
    /// Horizontal axis: the band stands upright.
    X,
}

/// Ranges of the three axes after looking at the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranges {
    pub(crate) x: (f64, f64),
    pub(crate) y: (f64, f64),
    pub(crate) y_right: Option<(f64, f64)>,
}

impl Figure {
    /// The chart as an SVG picture, at most `columns` x 4 points a series.
    pub fn picture(&self, columns: usize) -> String {
        draw::picture(self, columns)
    }

    /// The look of a line, by its own wish or its place.
    pub(crate) fn look(&self, index: usize) -> usize {
        // Eight looks, then the same colours with dots: 8 and 9 are `BACKGROUND` and `MINOR`.
        let by_place = if index % 16 < 8 { index % 8 } else { 10 + index % 8 };
        self.series[index].look.map_or(by_place, |look| look.min(Line::MINOR))
    }

    /// What the script needs: place of the plot, ranges, and every series thinned to `columns`.
    pub fn data(&self, columns: usize) -> Value {
        let ranges = self.ranges();
        let lines: Vec<Value> = self
            .series
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let points = thin(&line.points, line.kind, ranges.x, columns);
                let (x, y): (Vec<_>, Vec<_>) =
                    points.iter().map(|p| (json_number(p.0), json_number(p.1))).unzip();
                let right = line.axis == Side::Right && ranges.y_right.is_some();
                let axis = if right { self.y_right.as_ref().unwrap_or(&self.y) } else { &self.y };
                json!({
                    "name": line.name, "kind": line.kind.name(), "right": right,
                    "look": self.look(index),
                    "unit": axis.unit, "all": points.len() == line.points.len(), "x": x, "y": y,
                })
            })
            .collect();
        json!({
            "plot": draw::plot_area(self), "x": ranges.x, "y": ranges.y, "right": ranges.y_right,
            "slot": 0.8 * self.bar_gap((ranges.x.1 - ranges.x.0) / 4.0),
            "label": self.x.label, "unit": self.x.unit, "lines": lines,
        })
    }

    /// The ranges of the axes: as set, else from the data.
    pub(crate) fn ranges(&self) -> Ranges {
        let x = self.x.range.unwrap_or_else(|| {
            let all = self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
            let (low, high) = widen(span(all));
            let bars = self.series.iter().any(|s| s.kind == LineKind::Bars);
            let room = if bars { 0.6 * self.bar_gap(high - low) } else { 0.0 };
            (low - room, high + room)
        });
        let y = self.y.range.unwrap_or_else(|| self.vertical_range(Side::Left, x));
        let y_right = self
            .y_right
            .as_ref()
            .map(|axis| axis.range.unwrap_or_else(|| self.vertical_range(Side::Right, x)));
        Ranges { x: widen(Some(x)), y: widen(Some(y)), y_right: y_right.map(|r| widen(Some(r))) }
    }

    /// The least distance between two neighbouring bars of one series, at most `most`.
    pub(crate) fn bar_gap(&self, most: f64) -> f64 {
        let bars = self.series.iter().filter(|s| s.kind == LineKind::Bars);
        bars.flat_map(|s| s.points.windows(2))
            .map(|p| p[1].0 - p[0].0)
            .filter(|gap| *gap > 0.0)
            .fold(most, f64::min)
    }

    /// From 0 (or the least value below it) to 6 % above the greatest value within `x`.
    fn vertical_range(&self, side: Side, x: (f64, f64)) -> (f64, f64) {
        let lines = self.series.iter().filter(|s| s.axis == side);
        let values = lines.flat_map(|s| thin::shown(&s.points, s.kind, x)).map(|p| p.1);
        let bands = self
            .bands
            .iter()
            .filter(|b| side == Side::Left && b.along == Along::Y)
            .flat_map(|b| [b.range.0, b.range.1]);
        let (low, high) = span(values.chain(bands)).unwrap_or((0.0, 1.0));
        let (low, high) = (low.min(0.0), high.max(0.0));
        let room = 0.06 * (high - low);
        (if low < 0.0 { low - room } else { 0.0 }, if high > 0.0 { high + room } else { 0.0 })
    }
}

/// Least and greatest finite value.
fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|v| v.is_finite()).fold(None, |span, v| match span {
        None => Some((v, v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

/// A range with some width, whatever came in: a chart of one value still has an axis.
fn widen(range: Option<(f64, f64)>) -> (f64, f64) {
    match range {
        Some((low, high)) if low < high && (high - low).is_finite() => (low, high),
        Some((value, _)) if value.is_finite() => (value, value + value.abs().max(1.0)),
        _ => (0.0, 1.0),
    }
}

#[cfg(test)]
mod tests;
