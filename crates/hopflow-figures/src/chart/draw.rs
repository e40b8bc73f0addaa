//! A figure as one SVG picture: bands, axes, lines and marks, each a group of its own.
//!
//! The script of the report draws the same groups again for the width of the reader's window and
//! when the reader zooms. What is here is what a page without its script shows, and the layout.

use std::fmt::Write;

use super::axis::{Ticks, ticks};
use super::dense::{Bucket, Stretch, finite, stretches};
use super::path::{path_text, tenths, units};
use super::same::{Member, groups};
use super::{Along, Band, Figure, Line, LineKind, Ranges, Side, thin};
use crate::escape;

/// Width of a picture, in its own units (CSS pixels at full size).
pub const WIDTH: u32 = 1080;
/// Height of a picture, in the same units.
pub const HEIGHT: u32 = 320;

const TOP: u32 = 28;
const BOTTOM: u32 = 44;
/// Width of a digit at an axis, in units.
const DIGIT: f64 = 7.0;
/// Width of a bucket in which a line may be too dense to draw, in units.
const BUCKET: u32 = 4;
/// The most steps of an axis: upright, and across for every so many units.
const STEPS: usize = 6;
const STEP_EVERY: u32 = 110;

/// Where the parts of a figure are.
pub(crate) struct Layout {
    /// Left edge, top edge, width and height of the area in which lines are drawn, in units.
    pub(crate) plot: [u32; 4],
    pub(crate) ranges: Ranges,
    left: Ticks,
    right: Option<Ticks>,
}

impl Layout {
    pub(crate) fn of(figure: &Figure) -> Layout {
        let ranges = figure.ranges();
        let left = ticks(ranges.y, STEPS);
        let right = ranges.y_right.map(|range| ticks(range, STEPS));
        let room = |ticks: &Ticks| {
            let longest = ticks.texts().map(|text| text.chars().count()).max().unwrap_or(0);
            (DIGIT * longest as f64).ceil() as u32 + 14
        };
        let (from, to) = (room(&left).max(36), right.as_ref().map_or(16, room));
        let plot = [from, TOP, WIDTH - from - to, HEIGHT - TOP - BOTTOM];
        Layout { plot, ranges, left, right }
    }

    /// The place of `x` across, in tenths of a unit.
    fn across(&self, x: f64) -> i32 {
        let (low, high) = self.ranges.x;
        tenths(f64::from(self.plot[0]) + f64::from(self.plot[2]) * (x - low) / (high - low))
    }

    /// The place of `y` on an axis, in tenths of a unit from the top.
    fn down(&self, y: f64, (low, high): (f64, f64)) -> i32 {
        let [_, top, _, height] = self.plot.map(f64::from);
        tenths(top + height * (high - y) / (high - low))
    }

    /// The vertical axis of a line.
    fn axis_of(&self, line: &Line) -> (f64, f64) {
        self.ranges.y_right.filter(|_| line.axis == Side::Right).unwrap_or(self.ranges.y)
    }
}

/// Writes into a string, which cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all that is written");
}

/// The whole picture.
pub(crate) fn picture(figure: &Figure, columns: usize) -> String {
    let layout = Layout::of(figure);
    let [left, top, width, height] = layout.plot;
    let id = escape(&figure.id);
    let clip = format!("clip-path=\"url(#clip-{id})\"");
    let members = groups(figure, layout.ranges);
    let lines = members.iter().enumerate().map(|(index, member)| {
        format!("<g>{}</g>", series(figure, index, *member, &layout, columns))
    });
    let lines = lines.collect::<Vec<_>>().concat();
    let bands: String = figure.bands.iter().map(|one| band(one, &layout)).collect();
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
         <clipPath id=\"clip-{id}\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" \
         height=\"{height}\"/></clipPath><g class=\"x-axis\">{}</g><g class=\"y-axis\">{}</g>\
         <g class=\"series\" {clip}>{lines}</g><g class=\"bands\">{bands}</g>\
         <g class=\"hover\"></g></svg>",
        escape(&figure.title),
        x_axis(figure, &layout),
        y_axes(figure, &layout),
    )
}

fn x_axis(figure: &Figure, layout: &Layout) -> String {
    let [left, top, width, height] = layout.plot;
    let bottom = top + height;
    let mut out = format!("<path class=\"axis\" d=\"M{left} {bottom}h{width}\"/>");
    let found = ticks(layout.ranges.x, (width / STEP_EVERY) as usize);
    for (value, text) in found.values.iter().zip(found.texts()) {
        let x = units(layout.across(*value));
        put(
            &mut out,
            format_args!(
                "<path class=\"grid\" d=\"M{x} {top}v{height}\"/><text class=\"tick\" x=\"{x}\" \
             y=\"{}\" text-anchor=\"middle\">{text}</text>",
                bottom + 17
            ),
        );
    }
    put(
        &mut out,
        format_args!(
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            left + width / 2,
            HEIGHT - 7,
            escape(&figure.x.text())
        ),
    );
    out
}

fn y_axes(figure: &Figure, layout: &Layout) -> String {
    let [left, top, width, height] = layout.plot;
    let right = left + width;
    let mut out = String::new();
    let row = |out: &mut String, ticks: &Ticks, range, at: u32, anchor: &str, grid: bool| {
        for (value, text) in ticks.values.iter().zip(ticks.texts()) {
            let y = layout.down(*value, range);
            if grid {
                let y = units(y);
                put(out, format_args!("<path class=\"grid\" d=\"M{left} {y}h{width}\"/>"));
            }
            put(
                out,
                format_args!(
                    "<text class=\"tick\" x=\"{at}\" y=\"{}\" text-anchor=\"{anchor}\">{text}\
                     </text>",
                    units(y + 40)
                ),
            );
        }
    };
    row(&mut out, &layout.left, layout.ranges.y, left - 7, "end", true);
    let label = |out: &mut String, at: u32, anchor: &str, text: &str| {
        put(
            out,
            format_args!(
                "<text class=\"label\" x=\"{at}\" y=\"14\" text-anchor=\"{anchor}\">{}</text>",
                escape(text)
            ),
        );
    };
    label(&mut out, 2, "start", &figure.y.text());
    if let (Some(axis), Some(ticks), Some(range)) =
        (&figure.y_right, &layout.right, layout.ranges.y_right)
    {
        let mut inner = format!("<path class=\"axis\" d=\"M{right} {top}v{height}\"/>");
        row(&mut inner, ticks, range, right + 7, "start", false);
        label(&mut inner, WIDTH - 2, "end", &axis.text());
        put(&mut out, format_args!("<g class=\"right\">{inner}</g>"));
    }
    out
}

/// A shaded range, a reference line, or a mark at one place, with its label.
fn band(band: &Band, layout: &Layout) -> String {
    let upright = band.along == Along::X;
    let (own, other) = if upright {
        (layout.ranges.x, layout.ranges.y)
    } else {
        (layout.ranges.y, layout.ranges.x)
    };
    let span = band.span.unwrap_or(other);
    let clamp = |(low, high): (f64, f64), all: (f64, f64)| (low.max(all.0), high.min(all.1));
    let (low, high) = clamp(band.range, own);
    let (from, to) = clamp(span, other);
    if low > high || from > to {
        return String::new();
    }
    let place = |own: f64, other: f64| {
        let (x, y) = if upright { (own, other) } else { (other, own) };
        (layout.across(x), layout.down(y, layout.ranges.y))
    };
    let (one, two) = (place(low, from), place(high, to));
    let (x, y) = (one.0.min(two.0), one.1.min(two.1));
    let (width, height) = ((one.0 - two.0).abs(), (one.1 - two.1).abs());
    let look = band.look.map_or(String::new(), |look| format!(" s{look}"));
    let drawn = if from.total_cmp(&to).is_eq() && !upright {
        whisker(x, y, height, &look)
    } else if low < high {
        format!(
            "<rect class=\"band{look}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            units(x),
            units(y),
            units(width),
            units(height)
        )
    } else {
        format!("<path class=\"mark{look}\" d=\"{}\"/>", path_text([one, two]))
    };
    drawn + &note(band, layout, x + width, y, &look)
}

/// A mark at one place across: a line from the least to the greatest value with a foot at both
/// ends; a diamond where they are equal.
fn whisker(x: i32, y: i32, height: i32, look: &str) -> String {
    if height < 40 {
        let y = y + height / 2;
        let corners = [(x, y - 60), (x + 60, y), (x, y + 60), (x - 60, y), (x, y - 60)];
        return format!("<path class=\"point{look}\" d=\"{}\"/>", path_text(corners));
    }
    let foot = |y| path_text([(x - 50, y), (x + 50, y)]);
    let stem = path_text([(x, y), (x, y + height)]);
    format!("<path class=\"whisker{look}\" d=\"{stem}{}{}\"/>", foot(y), foot(y + height))
}

/// The label of a band, inside the plot at its right end.
fn note(band: &Band, layout: &Layout, right: i32, top: i32, look: &str) -> String {
    if band.label.is_empty() {
        return String::new();
    }
    let [left, above, width, _] = layout.plot.map(|part| part.cast_signed() * 10);
    let x = right.clamp(left + 360, left + width) - 30;
    let y = (top - 30).max(above + 110);
    format!(
        "<text class=\"note-of{look}\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        units(x),
        units(y),
        escape(&band.label)
    )
}

/// The dashes of one of several lines that coincide: each shows in the gaps of the others.
pub(crate) fn dashes(member: Member) -> String {
    let dash = if member.count > 4 { 8 } else { 14 };
    let (gap, offset) = (dash * (member.count - 1), dash * member.place);
    format!("stroke-dasharray:{dash} {gap};stroke-dashoffset:-{offset}")
}

fn series(
    figure: &Figure,
    index: usize,
    member: Option<Member>,
    layout: &Layout,
    columns: usize,
) -> String {
    let line = &figure.series[index];
    let look = figure.look(index);
    let range = layout.axis_of(line);
    let place = |(x, y): (f64, f64)| (layout.across(x), layout.down(y, range));
    match line.kind {
        LineKind::Points => {
            let points = thin(&line.points, line.kind, layout.ranges.x, columns);
            let dot = |point: &(f64, f64)| {
                let (x, y) = place(*point);
                format!("M{} {}h0", units(x), units(y))
            };
            let dots: String = points.iter().map(dot).collect();
            format!("<path class=\"d s{look}\" d=\"{dots}\"/>")
        }
        LineKind::Bars => {
            let points = thin(&line.points, line.kind, layout.ranges.x, columns);
            let bars = bars(figure, line, &points, layout.ranges.x);
            let rects = bars.into_iter().map(|[one, two]| {
                let (one, two) = (place(one), place(two));
                let size = ((one.0 - two.0).abs(), (one.1 - two.1).abs());
                format!(
                    "<rect class=\"f s{look}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    units(one.0.min(two.0)),
                    units(one.1.min(two.1)),
                    units(size.0),
                    units(size.1)
                )
            });
            rects.collect::<Vec<_>>().concat()
        }
        LineKind::Line | LineKind::Step => {
            let style = member.map_or(String::new(), |m| format!(" style=\"{}\"", dashes(m)));
            joined(line, look, &style, layout, columns)
        }
    }
}

fn pieces(line: &Line, layout: &Layout) -> Vec<Stretch> {
    let buckets = (layout.plot[2] / BUCKET) as usize;
    stretches(&finite(&line.points), line.kind, layout.ranges.x, buckets)
}

/// Whether a part of some line is drawn as a band.
pub(crate) fn has_bands(figure: &Figure) -> bool {
    let layout = Layout::of(figure);
    let joined = figure.series.iter().filter(|line| line.kind.joins());
    joined.flat_map(|line| pieces(line, &layout)).any(|piece| matches!(piece, Stretch::Band(_)))
}

/// A line, in pieces where parts of it are too dense.
fn joined(line: &Line, look: usize, style: &str, layout: &Layout, columns: usize) -> String {
    let range = layout.axis_of(line);
    let place = |(x, y): (f64, f64)| (layout.across(x), layout.down(y, range));
    let (mut bands, mut path) = (String::new(), String::new());
    let stretches = pieces(line, layout);
    // A piece ends at its last point, the whole line holds its last value.
    let end = if stretches.len() > 1 { f64::NEG_INFINITY } else { layout.ranges.x.1 };
    for stretch in stretches {
        match stretch {
            Stretch::Line(points) => {
                let points = thin(&points, line.kind, layout.ranges.x, columns);
                path += &if line.kind == LineKind::Step {
                    path_text(steps(&points, end).into_iter().map(place))
                } else {
                    path_text(points.into_iter().map(place))
                };
            }
            Stretch::Band(buckets) => {
                let area = outline(&buckets).into_iter().map(place);
                put(&mut bands, format_args!("{}z", path_text(area)));
                let mean = |bucket: &Bucket| (f64::midpoint(bucket.x.0, bucket.x.1), bucket.mean);
                path += &path_text(buckets.iter().map(mean).map(place));
            }
        }
    }
    let area = if bands.is_empty() {
        String::new()
    } else {
        format!("<path class=\"a s{look}\" d=\"{bands}\"/>")
    };
    format!("{area}<path class=\"s s{look}\"{style} d=\"{path}\"/>")
}

/// The corners around a band: along its greatest values, and back along its least.
fn outline(buckets: &[Bucket]) -> Vec<(f64, f64)> {
    let top = buckets.iter().flat_map(|b| [(b.x.0, b.y.1), (b.x.1, b.y.1)]);
    let bottom = buckets.iter().rev().flat_map(|b| [(b.x.1, b.y.0), (b.x.0, b.y.0)]);
    top.chain(bottom).collect()
}
/// The corners of a step line; the last value holds to `end`.
fn steps(points: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(2 * points.len() + 1);
    for &(x, y) in points {
        if let Some(&(_, held)) = corners.last() {
            corners.push((x, held));
        }
        corners.push((x, y));
    }
    if let Some(&(x, y)) = points.last()
        && x < end
    {
        corners.push((end, y));
    }
    corners
}

/// Corners of the bars of one series; several series of bars stand side by side.
fn bars(
    figure: &Figure,
    line: &Line,
    points: &[(f64, f64)],
    x: (f64, f64),
) -> Vec<[(f64, f64); 2]> {
    let all: Vec<&Line> = figure.series.iter().filter(|s| s.kind == LineKind::Bars).collect();
    let place = all.iter().position(|s| std::ptr::eq(*s, line)).unwrap_or(0) as f64;
    let slot = 0.8 * figure.bar_gap((x.1 - x.0) / 4.0);
    let width = slot / all.len().max(1) as f64;
    points
        .iter()
        .map(|&(at, value)| {
            let from = at - slot / 2.0 + place * width;
            [(from, value), (from + width, 0.0)]
        })
        .collect()
}

/// The sample of a line in a legend: stroke, dot or block.
pub fn swatch(kind: LineKind, index: usize) -> String {
    let inside = match kind {
        LineKind::Step | LineKind::Line => {
            format!("<path class=\"s s{index}\" d=\"{}\"/>", path_text([(0, 60), (260, 60)]))
        }
        LineKind::Points => format!("<path class=\"d s{index}\" d=\"M13 6h0\"/>"),
        LineKind::Bars => {
            format!("<rect class=\"f s{index}\" x=\"4\" y=\"1\" width=\"18\" height=\"10\"/>")
        }
    };
    format!("<svg class=\"swatch\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">{inside}</svg>")
}

/// The sample of a band in a legend: drawn as in the chart.
pub fn band_swatch(band: &Band) -> String {
    let look = band.look.map_or(String::new(), |look| format!(" s{look}"));
    let inside = if band.span.is_some_and(|span| span.0.total_cmp(&span.1).is_eq()) {
        format!("<path class=\"point{look}\" d=\"M13 1l5 5l-5 5l-5-5z\"/>")
    } else if band.range.0 < band.range.1 {
        format!("<rect class=\"band{look}\" x=\"2\" y=\"1\" width=\"22\" height=\"10\"/>")
    } else {
        format!("<path class=\"mark{look}\" d=\"M0 6h26\"/>")
    };
    format!("<svg class=\"swatch\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">{inside}</svg>")
}
