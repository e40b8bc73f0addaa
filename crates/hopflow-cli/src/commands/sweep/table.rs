//! The points of a sweep as tables.

use hopflow_sweep::{Overview, Point, Shape};

use crate::output::{Table, cell, in_unit, maybe};

/// Totals that people are shown.
const SHOWN: [&str; 6] =
    ["throughput_bps", "lost_share", "delay_mean_ps", "delay_p99_ps", "jain", "switch_max_packets"];
/// The most measures beside these.
const MOST_SELECTED: usize = 4;

/// The first points with means and half widths, each value in the unit that suits it.
pub(super) fn for_people(shape: &Shape, overview: &Overview, most: usize) -> Table {
    let selected = shape.measures.names().skip(hopflow_sweep::TOTALS.len()).take(MOST_SELECTED);
    let names: Vec<&str> = SHOWN.into_iter().chain(selected).collect();
    let columns: Vec<usize> = names.iter().filter_map(|name| shape.measures.place(name)).collect();
    let is_there = |column: &usize| {
        overview.estimated.values().any(|point| point.estimates[*column].is_some())
    };
    let shown: Vec<(usize, &str)> =
        columns.into_iter().zip(names).filter(|(column, _)| is_there(column)).collect();
    let mut table = with_axes(shape);
    table.column("#runs");
    for (_, name) in &shown {
        table.column(&format!("#{}", title(name)));
    }
    for (point, of) in overview.estimated.iter().take(most) {
        let mut row = axes_of(shape, *point);
        row.push(of.runs.to_string());
        row.extend(shown.iter().map(|(column, name)| estimate(of, *column, name)));
        table.row(row);
    }
    table
}

/// `mean \u{b1} half width`.
fn estimate(point: &Point, column: usize, name: &str) -> String {
    let Some(estimate) = &point.estimates[column] else { return String::new() };
    let half = estimate.half_width.map(|half| format!(" \u{b1} {}", in_unit(name, half, 3)));
    format!("{}{}", in_unit(name, estimate.mean, 3), half.unwrap_or_default())
}

/// The name without its unit.
fn title(name: &str) -> String {
    let stem = ["_bps", "_ps"].iter().find_map(|unit| name.strip_suffix(unit));
    stem.unwrap_or(name).replace('_', " ")
}

/// All points as data: for each measure its mean and half of the 95 % interval.
pub(super) fn data(shape: &Shape, overview: &Overview) -> Table {
    let mut table = with_axes(shape);
    table.column("#runs");
    for name in shape.measures.names() {
        table.column(&format!("#{name}"));
        table.column(&format!("#{name} half_width"));
    }
    for (point, of) in &overview.estimated {
        let mut row = axes_of(shape, *point);
        row.push(cell(of.runs));
        for estimate in &of.estimates {
            row.push(maybe(estimate.map(|estimate| estimate.mean)));
            row.push(maybe(estimate.and_then(|estimate| estimate.half_width)));
        }
        table.row(row);
    }
    table
}

/// The first points and what they set.
pub(super) fn points(shape: &Shape, most: u64) -> Table {
    let mut table = with_axes(shape);
    for point in 0..shape.grid.points().min(most) {
        table.row(axes_of(shape, point));
    }
    table
}

fn with_axes(shape: &Shape) -> Table {
    let mut table = Table::new(&["#point"]);
    for axis in shape.grid.axes() {
        let number = if axis.is_number() { "#" } else { "" };
        table.column(&format!("{number}{}", axis.key()));
    }
    table
}

fn axes_of(shape: &Shape, point: u64) -> Vec<String> {
    let values = shape.grid.values(point);
    std::iter::once(point.to_string()).chain(values).collect()
}
