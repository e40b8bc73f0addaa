//! A figure drawn with `plotters`: bands, mesh, axes and series as groups of one SVG picture.
//!
//! Each group is a pass of its own over the same geometry, so that the script of the report can
//! replace the horizontal axis and the series when the reader zooms, and leave the rest.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::canvas::{Canvas, FINE, Role, path_text};
use super::number::{decimals_of, plain_number};
use super::{Along, Axis, Figure, Line, LineKind, Ranges, Side, thin};
use crate::report::escape;

/// Width of a picture, in its own units (CSS pixels at full size).
pub const WIDTH: u32 = 720;
/// Height of a picture, in the same units.
pub const HEIGHT: u32 = 300;

/// Why the `expect`s below hold: the only error of the canvas is that of writing into a string.
const NEVER: &str = "drawing into a string cannot fail";

const TOP: u32 = 10;
const LEFT: u32 = 66;
const RIGHT: u32 = 18;
const BOTTOM: u32 = 48;
/// Size of the numbers at the axes, in units; the style sheet has the last word.
const TEXT: u32 = 12;

/// Left edge, top edge, width and height of the area in which series are drawn, in units.
pub(crate) fn plot_area(figure: &Figure) -> [u32; 4] {
    let right = if figure.y_right.is_some() { LEFT } else { RIGHT };
    [LEFT, TOP, WIDTH - LEFT - right, HEIGHT - TOP - BOTTOM]
}

/// One pass: an empty chart with the right geometry, on which `draw` puts one group.
type Chart<'a, 'b> = ChartContext<'a, Canvas<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn pass(
    figure: &Figure,
    x: (f64, f64),
    y: (f64, f64),
    draw: impl FnOnce(&mut Chart<'_, '_>),
) -> String {
    let mut out = String::new();
    {
        let area = Canvas::new(&mut out, (WIDTH, HEIGHT)).into_drawing_area();
        // A label area on the right would get the labels of the left axis once more.
        let margin = if figure.y_right.is_some() { LEFT } else { RIGHT };
        let mut chart = ChartBuilder::on(&area)
            .margin_top(TOP * FINE)
            .margin_right(margin * FINE)
            .set_label_area_size(LabelAreaPosition::Left, LEFT * FINE)
            .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM * FINE)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)
            .expect(NEVER);
        draw(&mut chart);
    }
    out
}

/// The whole picture.
pub(crate) fn picture(figure: &Figure, columns: usize) -> String {
    let ranges = figure.ranges();
    let [left, top, width, height] = plot_area(figure);
    let id = escape(&figure.id);
    let clip = format!("clip-path=\"url(#clip-{id})\"");
    let mut axes = y_axis(figure, &figure.y, ranges.x, ranges.y);
    if let (Some(axis), Some(range)) = (&figure.y_right, ranges.y_right) {
        axes += &right_axis(axis, ranges.x, range);
    }
    let lines: String =
        (0..figure.series.len()).map(|index| series(figure, index, ranges, columns)).collect();
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
         <clipPath id=\"clip-{id}\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" \
         height=\"{height}\"/></clipPath><g {clip}><g class=\"bands\">{}</g></g>\
         <g class=\"x-axis\">{}</g>\
         <g class=\"y-axis\">{axes}</g><g class=\"series\" {clip}>{lines}</g>\
         <g class=\"hover\"></g></svg>",
        escape(&figure.title),
        bands(figure, ranges),
        x_axis(figure, ranges),
    )
}

fn text(role: Role) -> TextStyle<'static> {
    ("sans-serif", f64::from(TEXT * FINE)).into_font().color(&role.color())
}

fn x_axis(figure: &Figure, ranges: Ranges) -> String {
    let decimals = decimals_of(ranges.x.1 - ranges.x.0);
    pass(figure, ranges.x, ranges.y, |chart| {
        chart
            .configure_mesh()
            .disable_y_axis()
            .disable_y_mesh()
            .x_labels(8)
            .x_label_formatter(&|v| plain_number(*v, decimals))
            .x_desc(figure.x.text())
            .light_line_style(TRANSPARENT)
            .bold_line_style(Role::Grid.color())
            .axis_style(Role::Axis.color())
            .x_label_style(text(Role::Tick))
            .axis_desc_style(text(Role::Label))
            .set_tick_mark_size(LabelAreaPosition::Bottom, (5 * FINE).cast_signed())
            .draw()
            .expect(NEVER);
    })
}

fn y_axis(figure: &Figure, axis: &Axis, x: (f64, f64), y: (f64, f64)) -> String {
    let decimals = decimals_of(y.1 - y.0);
    pass(figure, x, y, |chart| {
        chart
            .configure_mesh()
            .disable_x_axis()
            .disable_x_mesh()
            .y_labels(6)
            .y_label_formatter(&|v| plain_number(*v, decimals))
            .y_desc(axis.text())
            .light_line_style(TRANSPARENT)
            .bold_line_style(Role::Grid.color())
            .axis_style(Role::Axis.color())
            .y_label_style(text(Role::Tick))
            .axis_desc_style(text(Role::Label))
            .set_tick_mark_size(LabelAreaPosition::Left, (5 * FINE).cast_signed())
            .draw()
            .expect(NEVER);
    })
}

fn right_axis(axis: &Axis, x: (f64, f64), y: (f64, f64)) -> String {
    let decimals = decimals_of(y.1 - y.0);
    let mut out = String::new();
    {
        let area = Canvas::new(&mut out, (WIDTH, HEIGHT)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin_top(TOP * FINE)
            .set_label_area_size(LabelAreaPosition::Left, LEFT * FINE)
            .set_label_area_size(LabelAreaPosition::Right, LEFT * FINE)
            .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM * FINE)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)
            .expect(NEVER)
            .set_secondary_coord(x.0..x.1, y.0..y.1);
        chart
            .configure_secondary_axes()
            .y_labels(6)
            .y_label_formatter(&|v| plain_number(*v, decimals))
            .y_desc(axis.text())
            .axis_style(Role::Axis.color())
            .label_style(text(Role::Tick))
            .axis_desc_style(text(Role::Label))
            .draw()
            .expect(NEVER);
    }
    out
}

fn bands(figure: &Figure, ranges: Ranges) -> String {
    pass(figure, ranges.x, ranges.y, |chart| {
        for band in &figure.bands {
            let all = if band.along == Along::Y { ranges.y } else { ranges.x };
            let (low, high) = (band.range.0.max(all.0), band.range.1.min(all.1));
            let corners = match band.along {
                Along::Y => [(ranges.x.0, high), (ranges.x.1, low)],
                Along::X => [(low, ranges.y.1), (high, ranges.y.0)],
            };
            let drawn = if low < high {
                chart.plotting_area().draw(&Rectangle::new(corners, Role::Band.color().filled()))
            } else {
                let ends = match band.along {
                    Along::Y => vec![(ranges.x.0, low), (ranges.x.1, low)],
                    Along::X => vec![(low, ranges.y.0), (low, ranges.y.1)],
                };
                chart.plotting_area().draw(&PathElement::new(ends, Role::Mark.color()))
            };
            drawn.expect(NEVER);
        }
    })
}

fn series(figure: &Figure, index: usize, ranges: Ranges, columns: usize) -> String {
    let line = &figure.series[index];
    let look = figure.look(index);
    let right = ranges.y_right.filter(|_| line.axis == Side::Right);
    let y = right.unwrap_or(ranges.y);
    let points = thin(&line.points, line.kind, ranges.x, columns);
    let drawn = pass(figure, ranges.x, y, |chart| {
        let area = chart.plotting_area();
        let drawn = match line.kind {
            LineKind::Line => area.draw(&PathElement::new(points, Role::Series(look).color())),
            LineKind::Step => {
                area.draw(&PathElement::new(steps(&points, ranges.x.1), Role::Series(look).color()))
            }
            LineKind::Points => points.iter().try_for_each(|&point| {
                area.draw(&Circle::new(point, 1, Role::Dot(look).color().filled()))
            }),
            LineKind::Bars => {
                bars(figure, line, &points, ranges.x).iter().try_for_each(|corners| {
                    area.draw(&Rectangle::new(*corners, Role::Fill(look).color().filled()))
                })
            }
        };
        drawn.expect(NEVER);
    });
    // Many dots are one path.
    let seam = format!("\"/><path class=\"d s{look}\" d=\"");
    format!("<g>{}</g>", drawn.replace(&seam, ""))
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
pub(crate) fn swatch(kind: LineKind, index: usize) -> String {
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
