//! The pictures of one measure of a sweep.
//!
//! * **Lines** over the numeric axis with the most values, one for each of some settings of the
//!   other axes, from the first to the last: fewer beside a map, which has all. Points are means
//!   over seeds, with their 95 % intervals as marks. The vertical axis begins near the least value
//!   if that is above half of the greatest.
//! * A **heat map** over the last two numeric axes, for each setting of the others, with one scale
//!   for all.
//!
//! If the means differ by less than a floor, the differences mean nothing: a sentence takes the
//! place of the pictures.
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

/// The most lines of a chart, those of one beside a map, and heat maps of a measure.
const MOST_LINES: usize = 8;
const MOST_BESIDE: usize = 4;
const MOST_MAPS: usize = 4;
/// The most keys, and letters of all, that the title of the page names.
const MOST_NAMED: usize = 3;
const TITLE: usize = 48;

/// The pictures of a measure; none of one whose differences mean nothing.
pub(super) fn of(shape: &Shape, overview: &Overview, column: usize) -> Section {
    let name = name(shape, column);
    let axes = numeric(shape);
    let mut blocks = Vec::new();
    if flat(overview, column, name).is_none() {
        let widest = axes.iter().copied().max_by_key(|axis| shape.grid.axes()[*axis].count());
        // Draws do not fill a grid.
        let fields: Vec<usize> =
            axes.into_iter().filter(|axis| !shape.grid.axes()[*axis].is_random()).collect();
        let most = if fields.len() > 1 { MOST_BESIDE } else { MOST_LINES };
        blocks.extend(widest.and_then(|axis| lines(shape, overview, column, axis, most)));
        if let [.., upwards, across] = fields[..] {
            let maps = maps(shape, overview, column, [across, upwards]);
            blocks = match maps.len() {
                1 => vec![Block::Beside(blocks, maps)],
                _ => blocks.into_iter().chain([Block::Grid(maps)]).collect(),
            };
        }
    }
    Section::new(&format!("m{column}"), &title(name), blocks)
}

/// The words of a measure, as a title.
fn title(name: &str) -> String {
    let words = words(name);
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect())
        + letters.as_str()
}

/// A setting that no line breaks.
fn unbroken(text: &str) -> String {
    text.replace(", ", ",\n").replace(' ', "\u{a0}").replace('\n', " ")
}

/// A measure in a sentence: its one value, or its least and greatest mean with their points.
pub(super) fn seen(shape: &Shape, overview: &Overview, column: usize) -> Option<String> {
    let name = name(shape, column);
    if let Some(sentence) = flat(overview, column, name) {
        return Some(format!("{}: {sentence}", title(name)));
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
        let place = unbroken(&others(shape, &shape.grid.values(point), &[]));
        format!("{} at {place}", value_text(name, mean))
    };
    Some(format!("{}: from {} to {}.", title(name), at(low), at(high)))
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

fn lines(
    shape: &Shape,
    overview: &Overview,
    column: usize,
    axis: usize,
    most: usize,
) -> Option<Block> {
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
        title: format!("{} over {}", title(name), axis_text(shape, axis)),
        x: ChartAxis::new(axis_text(shape, axis), ""),
        y: ChartAxis::new(without_unit(&words(name), unit), unit),
        ..Figure::default()
    };
    let chosen = spread(count, most);
    let drawn = groups.into_iter().enumerate().filter(|(index, _)| chosen.contains(index));
    for (look, (_, (group, mut points))) in drawn.enumerate() {
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
    if count > most {
        figure.caption = format!("{most} of {count} settings; all are in `runs.parquet`.");
    }
    if let Some(range) = near(&figure) {
        figure.y.range = Some(range);
        let gap = if figure.caption.is_empty() { "" } else { " " };
        figure.caption = format!("{}{gap}The vertical axis does not begin at 0.", figure.caption);
    }
    (!figure.series.is_empty()).then_some(Block::Figure(figure))
}

/// The places of at most `most` of `count` things, from the first to the last at like distances.
fn spread(count: usize, most: usize) -> Vec<usize> {
    let steps = most.min(count).saturating_sub(1);
    (0..=steps).map(|step| (step * (count.max(1) - 1)).div_ceil(steps.max(1))).collect()
}

/// The range of a vertical axis whose zero is far from all values: the least is above half of the
/// greatest.
fn near(figure: &Figure) -> Option<(f64, f64)> {
    let marks = figure.bands.iter().flat_map(|band| [band.range.0, band.range.1]);
    let points = figure.series.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let values = || points.clone().chain(marks.clone());
    let least = values().fold(f64::INFINITY, f64::min);
    let greatest = values().fold(f64::NEG_INFINITY, f64::max);
    let room = 0.08 * (greatest - least);
    (room > 0.0 && least > 0.5 * greatest).then_some((least - room, greatest + room))
}

fn maps(
    shape: &Shape,
    overview: &Overview,
    column: usize,
    [across, upwards]: [usize; 2],
) -> Vec<Block> {
    let name = name(shape, column);
    let texts = |axis: usize| -> Vec<String> {
        let axis = &shape.grid.axes()[axis];
        let bare = |value: &str| number_and_unit(value).map(|(number, _)| format!("{number}"));
        let value = |index| axis.value(index).into_owned();
        (0..axis.count()).map(|index| bare(&value(index)).unwrap_or_else(|| value(index))).collect()
    };
    let empty = HeatMap {
        title: title(name),
        x: axis_text(shape, across),
        columns: texts(across),
        y: axis_text(shape, upwards),
        rows: texts(upwards),
        values: Vec::new(),
        scale: None,
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
        let mut caption = unbroken(&group);
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

/// The keys that the sweep varies, if they are few enough for a title.
pub(super) fn swept(shape: &Shape) -> Option<String> {
    let axes = shape.grid.axes().iter().enumerate().filter(|(_, axis)| axis.count() > 1);
    let (keys, varied) = (short_keys(shape), axes.map(|(index, _)| index));
    let names: Vec<&str> = varied.map(|index| keys[index].as_str()).collect();
    let text = names.join(" \u{d7} ");
    ((1..=MOST_NAMED).contains(&names.len()) && text.chars().count() <= TITLE).then_some(text)
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
