//! The charts of a comparison: the curves of all controls laid over each other.
//!
//! Of many charts of one kind the first are open, two or more side by side, and the others folded:
//! flows that are alike have like curves.

use hopflow::compare::{ControlRun, Curve};
use hopflow_figures::time_unit;

use super::super::Block;
use crate::chart::{Axis, Figure, Line, LineKind};

/// The most charts of one kind, and those that are open.
const CHARTS: usize = 12;
const OPEN: usize = 2;
/// The unit of charts of rates.
pub(super) const MEGA: &str = "Mb/s";

/// One chart for each curve but that of the name `drawn`, with a line for each control.
pub(super) fn charts(
    runs: &[ControlRun],
    of: fn(&ControlRun) -> &Vec<Curve>,
    unit: &str,
    drawn: Option<&str>,
    title: &dyn Fn(&str) -> String,
) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let open = |(_, curve): &(usize, &Curve)| Some(curve.name.as_str()) != drawn;
    let curves = of(first).iter().enumerate().filter(open).take(CHARTS);
    let mut open: Vec<Figure> = curves
        .map(|(index, curve)| {
            let lines = runs.iter().map(|run| (run.measures.label(), &of(run)[index]));
            figure(&index.to_string(), unit, &title(&curve.name), lines)
        })
        .collect();
    Figure::share_scale(&mut open);
    let folded = if open.len() > OPEN { open.split_off(OPEN) } else { Vec::new() };
    let grid = |figures: Vec<Figure>| Block::Grid(figures.into_iter().map(Block::Figure).collect());
    let ends = folded.first().zip(folded.last());
    let summary = ends.map(|(from, to)| {
        let count = folded.len();
        if count == 1 {
            from.title.clone()
        } else {
            format!("{count} more charts: {} to {}", from.title, to.title)
        }
    });
    let mut blocks: Vec<Block> = (!open.is_empty()).then(|| grid(open)).into_iter().collect();
    blocks.extend(summary.map(|summary| Block::Folded(summary, vec![grid(folded)])));
    let more = of(first).len().saturating_sub(CHARTS);
    if more > 0 {
        let text = format!("{more} more charts could be drawn from `curves.parquet`.");
        blocks.push(Block::Text(text));
    }
    blocks
}

/// A chart of rates, if `unit` is [`MEGA`], or of queues in this unit.
pub(super) fn figure<'a>(
    id: &str,
    unit: &str,
    title: &str,
    lines: impl Iterator<Item = (&'a str, &'a Curve)>,
) -> Figure {
    let lines: Vec<(&str, &Curve)> = lines.collect();
    let end = lines.iter().map(|(_, curve)| curve.end.0).max().unwrap_or(1) as f64;
    let (span, span_name) = time_unit(end);
    let (kind, scale) = if unit == MEGA { ("rate", 1e6) } else { ("queue", 1.0) };
    let line = |(name, curve): &(&str, &Curve)| Line {
        name: (*name).to_owned(),
        kind: LineKind::Step,
        points: points(curve, span, scale),
        ..Line::default()
    };
    Figure {
        id: format!("{kind}-{id}"),
        title: title.to_owned(),
        x: Axis::new("time", span_name).from_to(0.0, end / span),
        y: Axis::new("", unit),
        series: lines.iter().map(line).collect(),
        // Bands of three lines and more hide each other.
        only_means: lines.len() > 2,
        ..Figure::default()
    }
}

/// The steps of a curve, in the units of the axes.
fn points(curve: &Curve, span: f64, scale: f64) -> Vec<(f64, f64)> {
    let part = curve.part.0 as f64 / span;
    let values = curve.values.iter().enumerate();
    values.map(|(index, value)| (index as f64 * part, value / scale)).collect()
}
