//! Draws a figure as one SVG picture: bands, axes, lines and marks, each in a separate group.
//!
//! The script of the report redraws these groups for the width of the reader's window and when the
//! reader zooms. A page without its script shows the picture of this file.

use super::axis::{Ticks, ticks};
use super::band::band;
use super::dense::{Bucket, Stretch, stretches};
use super::layout::{HEIGHT, Layout, STEP_EVERY, WIDTH};
use super::path::{path_text, units};
use super::same::{Member, Same, groups};
use super::thin::finite;
use super::{Figure, Line, LineKind, thin};
use crate::escape;

/// Width of a bucket in which a line may be too dense to draw, in units.
const BUCKET: u32 = 4;

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
    let lines: String = lines.collect();
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
        put!(
            out,
            "<path class=\"grid\" d=\"M{x} {top}v{height}\"/><text class=\"tick\" x=\"{x}\" \
             y=\"{}\" text-anchor=\"middle\">{text}</text>",
            bottom + 17
        );
    }
    put!(
        out,
        "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        left + width / 2,
        HEIGHT - 7,
        escape(&figure.x.text())
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
                put!(out, "<path class=\"grid\" d=\"M{left} {}h{width}\"/>", units(y));
            }
            put!(
                out,
                "<text class=\"tick\" x=\"{at}\" y=\"{}\" text-anchor=\"{anchor}\">{text}</text>",
                units(y + 40)
            );
        }
    };
    row(&mut out, &layout.left, layout.ranges.y, left - 7, "end", true);
    let label = |out: &mut String, at: u32, anchor: &str, text: &str| {
        put!(
            out,
            "<text class=\"label\" x=\"{at}\" y=\"14\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    };
    label(&mut out, 2, "start", &figure.y.text());
    if let (Some(axis), Some(ticks), Some(range)) =
        (&figure.y_right, &layout.right, layout.ranges.y_right)
    {
        let mut inner = format!("<path class=\"axis\" d=\"M{right} {top}v{height}\"/>");
        row(&mut inner, ticks, range, right + 7, "start", false);
        label(&mut inner, WIDTH - 2, "end", &axis.text());
        put!(out, "<g class=\"right\">{inner}</g>");
    }
    out
}

/// The dashes of a line that coincides with an earlier one all the time: the first is whole, and
/// each of the others is visible in a part of its own. `None`: the line is drawn as it is, also one
/// that differs for a part of the time, so that this part is whole.
pub(crate) fn dashes(member: Member) -> Option<String> {
    if member.place == 0 || member.same == Same::Most {
        return None;
    }
    let dash = if member.count > 4 { 8 } else { 14 };
    let (gap, offset) = (dash * (member.count - 1), dash * member.place);
    Some(format!("stroke-dasharray:{dash} {gap};stroke-dashoffset:-{offset}"))
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
            rects.collect()
        }
        LineKind::Line | LineKind::Step => {
            let dashes = member.and_then(dashes);
            let style = dashes.map_or(String::new(), |dashes| format!(" style=\"{dashes}\""));
            let drawn = joined(line, look, &style, layout, columns);
            if figure.only_means { drawn.1 } else { drawn.0 + &drawn.1 }
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

/// The bands of the dense parts of a line, and the line.
fn joined(
    line: &Line,
    look: usize,
    style: &str,
    layout: &Layout,
    columns: usize,
) -> (String, String) {
    let range = layout.axis_of(line);
    let place = |(x, y): (f64, f64)| (layout.across(x), layout.down(y, range));
    let (mut bands, mut path) = (String::new(), String::new());
    let stretches = pieces(line, layout);
    // A piece ends at its last point; a whole line holds its last value to the end.
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
                put!(bands, "{}z", path_text(area));
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
    (area, format!("<path class=\"s s{look}\"{style} d=\"{path}\"/>"))
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

/// The corners of the bars of one series; the bars of several series are side by side.
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
