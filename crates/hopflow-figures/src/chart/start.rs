//! The start of a run, in a separate chart if it is too short to be visible.
//!
//! A line has settled at the instant T after which it stays within the values of its second half,
//! plus or minus two hundredths of the axis. If the last line to settle has T below a twentieth of
//! the run, the first 2.5 T (rounded up to 1, 2 or 5 times a power of ten) of a chart over time get
//! a separate chart. If no line has [`POINTS`] points in this span, the next longer span of this
//! form is taken in which one has, of at most an eighth of the run.

use super::axis::round_up;
use super::dense::{Bucket, Curve};
use super::thin::finite;
use super::{Figure, Ranges, Side};

/// Fewer points show no more than the whole chart does.
const POINTS: usize = 24;
const COLUMNS: usize = 2000;

/// The end of the part to draw, in units of the horizontal axis.
pub(super) fn end(figure: &Figure, ranges: Ranges) -> Option<f64> {
    if !figure.x.label.starts_with("time") {
        return None;
    }
    let (low, high) = ranges.x;
    let settled = (0..figure.series.len()).filter_map(|index| settled(figure, index, ranges));
    let last = settled.filter(|at| *at <= low + (high - low) / 20.0).fold(low, f64::max);
    if last <= low {
        return None;
    }
    let joined = || figure.series.iter().filter(|line| line.kind.joins());
    let enough = |end: &f64| {
        joined().any(|line| line.points.partition_point(|p| p.0 <= low + end) >= POINTS)
    };
    let first = round_up(2.5 * (last - low));
    let longer = std::iter::successors(Some(first), |end| Some(round_up(1.5 * end)));
    let most = (high - low) / 8.0;
    longer.take_while(|end| *end <= most).find(enough).map(|end| low + end)
}

/// When the line has settled.
fn settled(figure: &Figure, index: usize, ranges: Ranges) -> Option<f64> {
    let line = &figure.series[index];
    if !line.kind.joins() || line.points.len() < POINTS {
        return None;
    }
    let right = ranges.y_right.filter(|_| line.axis == Side::Right);
    let (bottom, top) = right.unwrap_or(ranges.y);
    let room = 0.02 * (top - bottom);
    let (low, high) = ranges.x;
    let width = (high - low) / COLUMNS as f64;
    let points = finite(&line.points);
    let curve = Curve::new(&points, line.kind, high);
    let column = |index: usize| curve.column(index, ranges.x, COLUMNS);
    let half = (COLUMNS / 2..COLUMNS).filter_map(column);
    let (least, most) = half.fold((f64::INFINITY, f64::NEG_INFINITY), |span, bucket| {
        (span.0.min(bucket.y.0), span.1.max(bucket.y.1))
    });
    let off = |bucket: Bucket| bucket.y.0 < least - room || bucket.y.1 > most + room;
    let last = (0..COLUMNS / 2).rev().find(|index| column(*index).is_some_and(off))?;
    Some(low + (last + 1) as f64 * width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Line, LineKind};

    /// 10,000 points that alternate between 0 and 1; until `until` they are 10 higher.
    fn figure(label: &str, until: f64) -> Figure {
        let value = |x: f64| f64::from((x as u32) % 2) + if x < until { 10.0 } else { 0.0 };
        let points = (0..10_000).map(f64::from).map(|x| (x, value(x))).collect();
        Figure {
            x: Axis::new(label, "s").from_to(0.0, 10_000.0),
            series: vec![Line { kind: LineKind::Step, points, ..Line::default() }],
            ..Figure::default()
        }
    }

    fn end_of(figure: &Figure) -> Option<f64> {
        end(figure, figure.ranges())
    }

    /// Claim: for T = 100 of 10,000 the second chart has the first 500 (2.5 T = 250, rounded up).
    /// Without a transient, with a long one, and where the axis is not time it is absent.
    #[test]
    fn a_short_transient_gets_a_chart_of_its_own() {
        assert_eq!(end_of(&figure("time", 100.0)), Some(500.0));
        assert_eq!(end_of(&figure("time", 0.0)), None);
        assert_eq!(end_of(&figure("time", 700.0)), None);
        assert_eq!(end_of(&figure("seed", 100.0)), None);
        let round = [0.9, 1.1, 2.5, 40.0, 501.0].map(|x| format!("{}", round_up(x)));
        assert_eq!(round, ["1", "2", "5", "50", "1000"]);
    }
}
