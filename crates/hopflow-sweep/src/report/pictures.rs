//! The pictures of one measure of a sweep.
//!
//! * **Lines** over the numeric axis with the most values, one for each setting of the other axes.
//!   Points are means over seeds, with their 95 % intervals as marks.
//! * A **heat map** over the last two numeric axes, for each setting of the others, with one scale
//!   for all.
//!
//! If the means differ by less than a floor, the differences mean nothing: a sentence takes the
//! place of the lines, and maps have one colour.
//! ```text
//! floor = max(1e-3 |mean of the means|, 2 median of h)                                   (1)
//! ```
//! h is half of the 95 % interval of a point, 0 without one: the floor is the whole interval of a
//! typical point, or a thousandth of the value, below which a map would draw rounding.
//!
//! Values of an axis with a unit are drawn as the numbers before it. Keys of axes are written
//! without the part that all of them share. Not drawn: axes of words, which are in the table;
//! logarithmic axes.

use hopflow::record::Estimate;
use hopflow_export::chart::{Axis as ChartAxis, Band, Figure, Line};
use hopflow_export::report::heat::HeatMap;
use hopflow_export::report::{Block, Section, value_text, value_texts, words};
use hopflow_figures::{rate_unit, time_unit};

use super::name;
use crate::axis::number_and_unit;
use crate::{Overview, Shape};

/// The most lines of a chart, and heat maps of a measure.
const MOST_LINES: usize = 8;
const MOST_MAPS: usize = 4;

/// The pictures of a measure.
pub(super) fn of(shape: &Shape, overview: &Overview, column: usize) -> Section {
    let name = name(shape, column);
    let axes = numeric(shape);
    let mut blocks = Vec::new();
    let widest = axes.iter().copied().max_by_key(|axis| shape.grid.axes()[*axis].count());
    let flat = flat(overview, column, name);
    match (widest, &flat) {
        (Some(_), Some(sentence)) => blocks.push(Block::Text(sentence.clone())),
        (Some(axis), None) => blocks.extend(lines(shape, overview, column, axis)),
        (None, _) => {}
    }
    // Draws do not fill a grid.
    let fields: Vec<usize> =
        axes.into_iter().filter(|axis| !shape.grid.axes()[*axis].is_random()).collect();
    if let [.., upwards, across] = fields[..] {
        let maps = maps(shape, overview, column, [across, upwards], flat.as_deref());
        blocks = match (maps.len(), &flat) {
            (1, None) => vec![Block::Beside(blocks, maps)],
            (1, Some(_)) => blocks.into_iter().chain(maps).collect(),
            _ => blocks.into_iter().chain([Block::Grid(maps)]).collect(),
        };
    }
    Section::new(&format!("m{column}"), &words(name), blocks)
}

/// A measure in a sentence: its one value, or its least and greatest mean with their points.
pub(super) fn seen(shape: &Shape, overview: &Overview, column: usize) -> Option<String> {
    let name = name(shape, column);
    if let Some(sentence) = flat(overview, column, name) {
        return Some(format!("{}: {sentence}", words(name)));
    }
    let means = || {
        let of = |(point, of): (&u64, &crate::Point)| Some((*point, of.estimates[column]?.mean));
        overview.estimated.iter().filter_map(of)
    };
    let (low, high) =
        (means().min_by(|a, b| a.1.total_cmp(&b.1))?, means().max_by(|a, b| a.1.total_cmp(&b.1))?);
    if low.0 == high.0 {
        return None;
    }
    let at = |(point, mean): (u64, f64)| {
        let place = others(shape, &shape.grid.values(point), &[]);
        format!("{} at {place}", value_text(name, mean))
    };
    Some(format!("{}: from {} to {}.", words(name), at(low), at(high)))
}

/// The sentence of a measure whose means differ by less than the floor. Eq. (1).
pub(super) fn flat(overview: &Overview, column: usize, name: &str) -> Option<String> {
    let estimates = || overview.estimated.values().filter_map(|point| point.estimates[column]);
    let count = estimates().count();
    if count < 2 {
        return None;
    }
    let means = || estimates().map(|estimate| estimate.mean);
    let (low, high) =
        (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
    let mean = means().sum::<f64>() / count as f64;
    let mut halves: Vec<f64> =
        estimates().map(|estimate| estimate.half_width.unwrap_or(0.0)).collect();
    halves.sort_by(f64::total_cmp);
    let (share, interval) = (1e-3 * mean.abs(), 2.0 * halves[count / 2]);
    let text = value_text(name, mean);
    match high - low {
        none if none <= share => Some(format!("{text} everywhere.")),
        within if within <= interval => Some(format!(
            "{text} everywhere: the means differ by {} at most, less than a 95 % interval.",
            value_text(name, within)
        )),
        _ => None,
    }
}

/// The divisor of a measure's values, and the unit of its axis.
fn unit(name: &str, overview: &Overview, column: usize) -> (f64, &'static str) {
    let means = overview.estimated.values().filter_map(|point| point.estimates[column]);
    let most = means.map(|estimate| estimate.mean.abs()).fold(0.0, f64::max);
    if name.ends_with("_ps") {
        time_unit(most)
    } else if name.ends_with("_bps") {
        rate_unit(most)
    } else if name.ends_with("_packets") {
        (1.0, "packets")
    } else if name.ends_with("_per_second") {
        (1.0, "1/s")
    } else {
        (1.0, "")
    }
}

fn lines(shape: &Shape, overview: &Overview, column: usize, axis: usize) -> Vec<Block> {
    let name = name(shape, column);
    let (scale, unit) = unit(name, overview, column);
    let mut groups: Vec<(String, Vec<(f64, Estimate)>)> = Vec::new();
    for (point, of) in &overview.estimated {
        let Some(estimate) = of.estimates[column] else { continue };
        let values = shape.grid.values(*point);
        let x = number_and_unit(&values[axis]).map_or(f64::NAN, |(number, _)| number);
        let group = others(shape, &values, &[axis]);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, points)) => points.push((x, estimate)),
            None => groups.push((group, vec![(x, estimate)])),
        }
    }
    let count = groups.len();
    let mut figure = Figure {
        id: format!("lines-{column}"),
        title: format!("{} over {}", words(name), axis_text(shape, axis)),
        x: ChartAxis::new(axis_text(shape, axis), ""),
        y: ChartAxis::new(without_unit(&words(name), unit), unit),
        ..Figure::default()
    };
    for (look, (group, mut points)) in groups.into_iter().take(MOST_LINES).enumerate() {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let marks = points.iter().filter_map(|(x, estimate)| {
            let half = estimate.half_width? / scale;
            let mean = estimate.mean / scale;
            let range = (mean - half, mean + half);
            Some(Band { range, span: Some((*x, *x)), look: Some(look), ..Band::default() })
        });
        figure.bands.extend(marks);
        let points = points.iter().map(|(x, estimate)| (*x, estimate.mean / scale)).collect();
        let name = if group.is_empty() { words(name) } else { group };
        figure.series.push(Line { name, points, look: Some(look), ..Line::default() });
    }
    if count > MOST_LINES {
        figure.caption =
            format!("The first {MOST_LINES} of {count} settings; all are in `runs.parquet`.");
    }
    if figure.series.is_empty() { Vec::new() } else { vec![Block::Figure(figure)] }
}

fn maps(
    shape: &Shape,
    overview: &Overview,
    column: usize,
    [across, upwards]: [usize; 2],
    flat: Option<&str>,
) -> Vec<Block> {
    let name = name(shape, column);
    let texts = |axis: usize| -> Vec<String> {
        let axis = &shape.grid.axes()[axis];
        let bare = |value: &str| number_and_unit(value).map(|(number, _)| format!("{number}"));
        let value = |index| axis.value(index).into_owned();
        (0..axis.count()).map(|index| bare(&value(index)).unwrap_or_else(|| value(index))).collect()
    };
    let empty = HeatMap {
        title: words(name),
        x: axis_text(shape, across),
        columns: texts(across),
        y: axis_text(shape, upwards),
        rows: texts(upwards),
        values: Vec::new(),
        scale: None,
        flat: flat.map(str::to_owned),
    };
    let mut groups: Vec<(String, HeatMap)> = Vec::new();
    for (point, of) in &overview.estimated {
        let group = others(shape, &shape.grid.values(*point), &[across, upwards]);
        let places = shape.grid.places(*point);
        let at = groups.iter().position(|(name, _)| *name == group).unwrap_or_else(|| {
            let values = vec![None; empty.columns.len() * empty.rows.len()];
            groups.push((group, HeatMap { values, ..empty.clone() }));
            groups.len() - 1
        });
        let place = places[upwards] as usize * empty.columns.len() + places[across] as usize;
        groups[at].1.values[place] = of.estimates[column].map(|one| one.mean);
    }
    let count = groups.len();
    // One scale for all maps, so that they can be compared.
    let ranges = groups.iter().filter_map(|(_, map)| map.range());
    let scale = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    for (_, map) in &mut groups {
        map.scale = scale;
    }
    let drawn = groups.into_iter().take(MOST_MAPS).enumerate().map(|(index, (group, map))| {
        // A single map needs no name below that of its section.
        let mut caption = group;
        if index + 1 == MOST_MAPS && count > MOST_MAPS {
            caption = format!("{caption}. The first {MOST_MAPS} of {count} settings are drawn.");
        }
        Block::Drawing { svg: map.pictures(|values| value_texts(name, values)), caption }
    });
    drawn.collect()
}

/// A name whose unit stands beside it.
fn without_unit(name: &str, unit: &str) -> String {
    name.strip_suffix(&format!(" ({unit})")).unwrap_or(name).to_owned()
}

/// The indices of axes of several values that are numbers with one unit.
fn numeric(shape: &Shape) -> Vec<usize> {
    let axes = shape.grid.axes().iter().enumerate();
    let numbers = axes.filter(|(_, axis)| axis.count() > 1 && axis.unit().is_some());
    numbers.map(|(index, _)| index).collect()
}

/// The key of an axis, with its unit.
fn axis_text(shape: &Shape, axis: usize) -> String {
    let key = &short_keys(shape)[axis];
    match shape.grid.axes()[axis].unit().filter(|unit| !unit.is_empty()) {
        Some(unit) => format!("{key} ({unit})"),
        None => key.clone(),
    }
}

/// The settings of a point, except those of the axes `but`.
fn others(shape: &Shape, values: &[String], but: &[usize]) -> String {
    let axes = shape.grid.axes().iter().enumerate().zip(values);
    let others = axes.filter(|((index, axis), _)| !but.contains(index) && axis.count() > 1);
    let keys = short_keys(shape);
    let texts = others.map(|((index, _), value)| format!("{} = {value}", keys[index]));
    texts.collect::<Vec<_>>().join(", ")
}

/// The keys of the axes without the tables that all of them are in.
fn short_keys(shape: &Shape) -> Vec<String> {
    let start = shared_start(shape).len();
    shape.grid.axes().iter().map(|axis| axis.key()[start..].to_owned()).collect()
}

/// The tables that the keys of all axes are in, with the last dot: `flow.VC1.control.`. Empty for
/// one axis.
pub(super) fn shared_start(shape: &Shape) -> &str {
    let [first, others @ ..] = shape.grid.axes() else { return "" };
    if others.is_empty() {
        return "";
    }
    let mut quote = None;
    let mut end = 0;
    for (at, letter) in first.key().char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '.') => {
                let start = &first.key()[..=at];
                if others.iter().any(|axis| !axis.key().starts_with(start)) {
                    break;
                }
                end = start.len();
            }
            _ => {}
        }
    }
    &first.key()[..end]
}
