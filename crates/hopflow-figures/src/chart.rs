//! Figures: charts as plain data, and their drawing as SVG.
//!
//! A [`Figure`] holds numbers and words only. [`Figure::picture`] draws it as SVG whose colours
//! are CSS classes, so that one picture serves light, dark and print. The script of the report
//! reads [`Figure::data`] to draw the chart for a window, for hover values and for zoom.
//!
//! Long series are thinned by [`thin()`]: the first, least, greatest and last point of every pixel
//! column are kept, so a spike of one point is never lost and no point is invented. A line that
//! oscillates faster than a screen can show is drawn as a band with its mean (`dense.rs`); a
//! transient too short to be visible gets a separate chart (`start.rs`).

mod axis;
mod band;
mod dense;
mod draw;
mod layout;
mod number;
mod path;
mod same;
mod start;
mod thin;

pub use band::band_swatch as legend_band;
pub use draw::swatch as legend_swatch;
pub use layout::{HEIGHT, WIDTH};
pub use number::{json_number, plain_number};
pub use thin::thin;

use serde_json::{Value, json};

/// One chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Unique on its page; letters, digits and hyphens.
    pub id: String,
    /// The subject of the chart, in a few words.
    pub title: String,
    /// An explanation, in a sentence or two. May be empty.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The left vertical axis.
    pub y: Axis,
    /// The right vertical axis, if any line uses it.
    pub y_right: Option<Axis>,
    /// The lines, in order of the legend.
    pub series: Vec<Line>,
    /// Shaded ranges, reference lines and marks, such as the values of a paper.
    pub bands: Vec<Band>,
    /// Whether a part of a line that is too dense to draw is its mean alone, without a band.
    pub only_means: bool,
}

/// An axis: its quantity and its range.
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

    /// The same axis with a fixed range.
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
    /// The vertical axis of its values.
    pub axis: Side,
    /// Its colour and dashes: 0 to 7, [`Line::BACKGROUND`] or [`Line::MINOR`]. `None`: by its
    /// position in the figure.
    pub look: Option<usize>,
}

impl Line {
    /// The look of a total, which is drawn behind its parts.
    pub const BACKGROUND: usize = 8;
    /// The look of a line of less interest.
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
    /// Whether its points are joined.
    pub(crate) const fn joins(self) -> bool {
        matches!(self, LineKind::Step | LineKind::Line)
    }

    /// Its name in the script.
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
    /// The first axis.
    #[default]
    Left,
    /// The second axis ([`Figure::y_right`]).
    Right,
}

/// A shaded range, such as the values of a paper; if its width is zero, a reference line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// Its name in the legend.
    pub name: String,
    /// Least and greatest value, in the unit of its axis. Infinite: to the edge of the chart.
    pub range: (f64, f64),
    /// The axis of the range.
    pub along: Along,
    /// The part of the other axis for which it holds. `None`: all of it. If its width is zero, the
    /// band is a mark at this place.
    pub span: Option<(f64, f64)>,
    /// A word or two beside it in the chart. May be empty.
    pub label: String,
    /// The look of the line that it belongs to. `None`: it belongs to no single line.
    pub look: Option<usize>,
}

impl Band {
    /// Whether it overlaps `from` to `to` on the horizontal axis.
    fn meets(&self, from: f64, to: f64) -> bool {
        let across = if self.along == Along::X { Some(self.range) } else { self.span };
        across.is_none_or(|(low, high)| low <= to && from <= high)
    }
}

/// The axis on which a [`Band`] is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// Left vertical axis: the band is horizontal.
    #[default]
    Y,
    /// Horizontal axis: the band is vertical.
    X,
}

impl Along {
    const fn name(self) -> &'static str {
        match self {
            Along::Y => "y",
            Along::X => "x",
        }
    }
}

/// The ranges of the three axes, as specified or as computed from the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranges {
    pub(crate) x: (f64, f64),
    pub(crate) y: (f64, f64),
    pub(crate) y_right: Option<(f64, f64)>,
}

impl Figure {
    /// The chart as an SVG picture, with at most `columns` x 4 points per series.
    pub fn picture(&self, columns: usize) -> String {
        draw::picture(self, columns)
    }

    /// The look of a line: as specified, or by its position.
    pub fn look(&self, index: usize) -> usize {
        // Eight looks, then the same colours with dots: 8 and 9 are `BACKGROUND` and `MINOR`.
        let by_place = if index % 16 < 8 { index % 8 } else { 10 + index % 8 };
        self.series[index].look.map_or(by_place, |look| look.min(Line::MINOR))
    }

    /// The input of the script: the plot area, ranges, and every series thinned to `columns`.
    pub fn data(&self, columns: usize) -> Value {
        let layout = layout::Layout::of(self);
        let ranges = layout.ranges;
        let members = same::groups(self, ranges);
        let lines: Vec<Value> = (0..self.series.len())
            .map(|index| self.line_data(index, members[index], ranges, columns))
            .collect();
        let bound = |value: f64| value.is_finite().then(|| json_number(value));
        let pair = |pair: (f64, f64)| [bound(pair.0), bound(pair.1)];
        let bands: Vec<Value> = self
            .bands
            .iter()
            .map(|band| {
                json!({
                    "range": pair(band.range), "along": band.along.name(),
                    "span": band.span.map(pair), "label": band.label, "look": band.look,
                })
            })
            .collect();
        json!({
            "plot": layout.plot, "x": ranges.x, "y": ranges.y, "right": ranges.y_right,
            "slot": 0.8 * self.bar_gap((ranges.x.1 - ranges.x.0) / 4.0),
            "label": self.x.label, "unit": self.x.unit, "lines": lines, "bands": bands,
            "means": self.only_means,
        })
    }

    /// One series for the script. A joined series that was thinned has its means too.
    fn line_data(
        &self,
        index: usize,
        member: Option<same::Member>,
        ranges: Ranges,
        columns: usize,
    ) -> Value {
        let line = &self.series[index];
        let points = thin(&line.points, line.kind, ranges.x, columns);
        let (x, y): (Vec<_>, Vec<_>) =
            points.iter().map(|p| (json_number(p.0), json_number(p.1))).unzip();
        let right = line.axis == Side::Right && ranges.y_right.is_some();
        let axis = if right { self.y_right.as_ref().unwrap_or(&self.y) } else { &self.y };
        let mut data = json!({
            "name": line.name, "kind": line.kind.name(), "right": right, "look": self.look(index),
            "unit": axis.unit, "x": x, "y": y,
        });
        let all = thin::shown(&line.points, line.kind, ranges.x).len();
        if points.len() < all && line.kind.joins() {
            data["mean"] = dense::means(&line.points, line.kind, ranges.x, columns.div_ceil(4))
                .into_iter()
                .map(|mean| mean.map_or(Value::Null, number::short_json))
                .collect();
        }
        if let Some(dashes) = member.and_then(draw::dashes) {
            data["style"] = dashes.into();
        }
        data
    }

    /// The line that each line coincides with, in words for the legend; empty if there is none.
    pub fn same_as(&self) -> Vec<String> {
        let members = same::groups(self, self.ranges());
        let words = |(index, member): (usize, &Option<same::Member>)| match member {
            Some(member) if member.place > 0 && member.same == same::Same::All => {
                let names = [index, member.leader].map(|line| self.series[line].name.as_str());
                let leader = same::shorter(names[0], names[1]);
                format!(" (same as {leader})")
            }
            _ => String::new(),
        };
        members.iter().enumerate().map(words).collect()
    }

    /// Whether a part of some line is drawn as a band, or as its mean in place of one.
    pub fn has_bands(&self) -> bool {
        draw::has_bands(self)
    }

    /// The start of the run as a separate chart, if it is too short to be visible in this one. Not
    /// one of three lines or more that coincide.
    pub fn start(&self) -> Option<Figure> {
        let ranges = self.ranges();
        let end = start::end(self, ranges)?;
        let cut = |line: &Line| Line {
            points: thin::shown(&line.points, line.kind, (ranges.x.0, end)).to_vec(),
            ..line.clone()
        };
        let fix = |axis: &Axis, range: (f64, f64)| Axis { range: Some(range), ..axis.clone() };
        let start = Figure {
            id: format!("{}-start", self.id),
            title: format!("The start: {}", self.title),
            caption: String::new(),
            x: fix(&self.x, (ranges.x.0, end)),
            y: fix(&self.y, ranges.y),
            y_right: self.y_right.as_ref().zip(ranges.y_right).map(|(axis, r)| fix(axis, r)),
            series: self.series.iter().map(cut).collect(),
            bands: self.bands.iter().filter(|band| band.meets(ranges.x.0, end)).cloned().collect(),
            only_means: self.only_means,
        };
        let mut leaders = same::groups(&start, start.ranges()).into_iter();
        let coincide = leaders.all(|member| member.is_some_and(|member| member.leader == 0));
        (start.series.len() < 3 || !coincide).then_some(start)
    }

    /// Gives figures of one quantity one vertical axis, that of the greatest values: they are
    /// compared with each other.
    pub fn share_scale(figures: &mut [Figure]) {
        let ranges = figures.iter().map(|figure| figure.ranges().y);
        let Some(most) = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return };
        for figure in figures {
            figure.y.range = Some(most);
        }
    }

    /// The ranges of the axes: as specified, else from the data.
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
            .flat_map(|b| [b.range.0, b.range.1])
            .filter(|bound| bound.is_finite());
        let (low, high) = span(values.chain(bands)).unwrap_or((0.0, 1.0));
        let (low, high) = (low.min(0.0), high.max(0.0));
        let room = 0.06 * (high - low);
        (if low < 0.0 { low - room } else { 0.0 }, if high > 0.0 { high + room } else { 0.0 })
    }
}

/// The least and the greatest finite value.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|v| v.is_finite()).fold(None, |span, v| match span {
        None => Some((v, v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

/// A finite range of positive width for any input: a chart of one value still has an axis.
fn widen(range: Option<(f64, f64)>) -> (f64, f64) {
    match range {
        Some((low, high)) if low < high && (high - low).is_finite() => (low, high),
        Some((value, _)) if value.is_finite() => (value, value + value.abs().max(1.0)),
        _ => (0.0, 1.0),
    }
}

#[cfg(test)]
mod tests;
