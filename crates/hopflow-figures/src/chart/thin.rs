//! Thinning: fewer points, the same picture.
//!
//! The horizontal range is divided into columns. The first, the least, the greatest and the last
//! point of every column are kept, in their order: a screen with that number of columns shows the
//! same picture, including peaks and dips of a single point. Every kept point is one of the input.

use super::LineKind;

/// The points of one column that are kept, by their indices.
#[derive(Clone, Copy)]
struct Column {
    index: usize,
    first: usize,
    least: usize,
    greatest: usize,
    last: usize,
}

impl Column {
    fn open(index: usize, point: usize) -> Column {
        Column { index, first: point, least: point, greatest: point, last: point }
    }

    fn take(&mut self, points: &[(f64, f64)], point: usize) {
        if points[point].1 < points[self.least].1 {
            self.least = point;
        }
        if points[point].1 > points[self.greatest].1 {
            self.greatest = point;
        }
        self.last = point;
    }

    fn close(self, points: &[(f64, f64)], kept: &mut Vec<(f64, f64)>) {
        let mut chosen = [self.first, self.least, self.greatest, self.last];
        chosen.sort_unstable();
        kept.extend(chosen.chunk_by(|a, b| a == b).map(|same| points[same[0]]));
    }
}

/// Thins `points`, which are in order of x, to at most `4 x (columns + 2)`. Only points within
/// `range` are kept, and one neighbour on each side, so that lines run to the edge of the chart.
/// Points that are not finite are left out.
pub fn thin(
    points: &[(f64, f64)],
    kind: LineKind,
    range: (f64, f64),
    columns: usize,
) -> Vec<(f64, f64)> {
    let finite = finite(points);
    let shown = shown(&finite, kind, range);
    let columns = columns.max(1);
    if shown.len() <= 4 * columns {
        return shown.to_vec();
    }
    let mut kept = Vec::with_capacity(4 * columns + 2);
    let width = (range.1 - range.0) / columns as f64;
    let mut open: Option<Column> = None;
    for (index, point) in shown.iter().enumerate() {
        let offset = ((point.0 - range.0) / width).clamp(-1.0, columns as f64);
        let column = (offset.floor() + 1.0) as usize;
        match &mut open {
            Some(current) if current.index == column => current.take(shown, index),
            _ => {
                if let Some(done) = open.replace(Column::open(column, index)) {
                    done.close(shown, &mut kept);
                }
            }
        }
    }
    if let Some(done) = open {
        done.close(shown, &mut kept);
    }
    kept
}

/// The finite ones of the points.
pub(super) fn finite(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite()).collect()
}

/// The points within `range`; for joined kinds also the last before and the first after it.
pub(crate) fn shown(points: &[(f64, f64)], kind: LineKind, range: (f64, f64)) -> &[(f64, f64)] {
    let mut from = points.partition_point(|p| p.0 < range.0);
    let mut to = points.partition_point(|p| p.0 <= range.1);
    if kind.joins() {
        from = from.saturating_sub(1);
        to = (to + 1).min(points.len());
    }
    &points[from..to.max(from)]
}
