//! A line that oscillates faster than a screen can show is drawn as a band.
//!
//! The range is divided into buckets of a few pixels. A bucket is dense if the line turns in it at
//! least [`TURNS`] times. A run of dense buckets is drawn as the area between the least and the
//! greatest value of each bucket, with a line of their means:
//! ```text
//! mean = integral of the line over the bucket / width of the bucket
//! ```
//! Source: own. Differs: nothing. Not modelled: the position of a value in its bucket.

use super::LineKind;
use super::thin::{finite, shown};

/// The least number of turns of a dense bucket.
const TURNS: u32 = 2;
/// Gaps of at most this many buckets between dense ones are closed, and shorter runs are dropped.
const GAP: usize = 6;

/// One bucket of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bucket {
    /// Its begin and end.
    pub(super) x: (f64, f64),
    /// Least and greatest value.
    pub(super) y: (f64, f64),
    /// Mean value.
    pub(super) mean: f64,
}

/// A piece of a line, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stretch {
    /// Points, joined according to the kind of the line.
    Line(Vec<(f64, f64)>),
    /// A band.
    Band(Vec<Bucket>),
}

/// A joined line with its values, integrals and extremes.
pub(super) struct Curve<'a> {
    points: &'a [(f64, f64)],
    step: bool,
    /// Integral from the first point to each point.
    integral: Vec<f64>,
    end: f64,
}

impl<'a> Curve<'a> {
    /// The line through finite `points` in order of x; a step line holds its last value to `end`.
    pub(super) fn new(points: &'a [(f64, f64)], kind: LineKind, end: f64) -> Curve<'a> {
        let step = kind == LineKind::Step;
        let mut integral = Vec::with_capacity(points.len());
        let mut sum = 0.0;
        for (index, point) in points.iter().enumerate() {
            if index > 0 {
                let before = points[index - 1];
                let height = if step { before.1 } else { f64::midpoint(before.1, point.1) };
                sum += height * (point.0 - before.0);
            }
            integral.push(sum);
        }
        let last = points.last().map_or(end, |point| point.0);
        Curve { points, step, integral, end: if step { end.max(last) } else { last } }
    }

    /// The index of the last point at or before `x`.
    fn before(&self, x: f64) -> Option<usize> {
        self.points.partition_point(|point| point.0 <= x).checked_sub(1)
    }

    /// The value at `x`; `None` before the first point and after the end.
    fn value(&self, x: f64) -> Option<f64> {
        let index = self.before(x)?;
        let (from, value) = self.points[index];
        match self.points.get(index + 1) {
            Some(&(to, next)) if !self.step && to > from => {
                Some(value + (next - value) * (x - from) / (to - from))
            }
            _ => (x <= self.end).then_some(value),
        }
    }

    /// The integral from the first point to `x`.
    fn integral_to(&self, x: f64) -> f64 {
        let x = x.min(self.end);
        let Some(index) = self.before(x) else { return 0.0 };
        let (from, value) = self.points[index];
        let here = self.value(x).unwrap_or(value);
        let height = if self.step { value } else { f64::midpoint(value, here) };
        self.integral[index] + height * (x - from)
    }

    /// The bucket `index` of `count` equal ones of `range`.
    pub(super) fn column(&self, index: usize, range: (f64, f64), count: usize) -> Option<Bucket> {
        let width = (range.1 - range.0) / count as f64;
        let from = range.0 + index as f64 * width;
        self.bucket(from, from + width)
    }

    /// The least, greatest and mean value between `from` and `to`; `None` outside of the line.
    fn bucket(&self, from: f64, to: f64) -> Option<Bucket> {
        let first = self.points.first()?.0;
        let (left, right) = (from.max(first), to.min(self.end));
        let entry = self.value(left)?;
        let inside = self.points.partition_point(|point| point.0 <= left)
            ..self.points.partition_point(|point| point.0 < right);
        let (mut low, mut high) = (entry, entry);
        for point in self.points.get(inside).unwrap_or_default() {
            (low, high) = (low.min(point.1), high.max(point.1));
        }
        if let Some(exit) = self.value(right).filter(|_| !self.step) {
            (low, high) = (low.min(exit), high.max(exit));
        }
        let length = right - left;
        let mean = if length > 0.0 {
            (self.integral_to(right) - self.integral_to(left)) / length
        } else {
            entry
        };
        Some(Bucket { x: (left, right.max(left)), y: (low, high), mean: mean.clamp(low, high) })
    }

    /// Turns in each of `count` buckets of `width` from `low` on.
    fn turns(&self, low: f64, width: f64, count: usize) -> Vec<u32> {
        let mut turns = vec![0; count];
        let mut up: Option<bool> = None;
        for pair in self.points.windows(2) {
            if pair[0].1.total_cmp(&pair[1].1).is_eq() {
                continue;
            }
            let rises = pair[0].1 < pair[1].1;
            if up.is_some_and(|up| up != rises) {
                let place = ((pair[0].0 - low) / width).floor();
                if place >= 0.0
                    && let Some(bucket) = turns.get_mut(place as usize)
                {
                    *bucket += 1;
                }
            }
            up = Some(rises);
        }
        turns
    }

    /// The points between `from` and `to`, with the values at both ends.
    fn cut(&self, from: f64, to: f64) -> Vec<(f64, f64)> {
        let inside = self.points.partition_point(|point| point.0 <= from)
            ..self.points.partition_point(|point| point.0 < to);
        let entry = self.value(from).map(|value| (from, value));
        let points = self.points.get(inside).unwrap_or_default().iter().copied();
        let mut cut: Vec<(f64, f64)> = entry.into_iter().chain(points).collect();
        if let Some(exit) = self.value(to) {
            let held = cut.last().map_or(exit, |point| point.1);
            cut.push((to, if self.step { held } else { exit }));
        }
        cut
    }
}

/// The line within `range`, cut into `count` buckets where it is dense.
pub(super) fn stretches(
    points: &[(f64, f64)],
    kind: LineKind,
    range: (f64, f64),
    count: usize,
) -> Vec<Stretch> {
    let points = shown(points, kind, range);
    let curve = Curve::new(points, kind, range.1);
    let count = count.max(1);
    let width = (range.1 - range.0) / count as f64;
    let dense = runs(&curve.turns(range.0, width, count));
    let mut out = Vec::new();
    let mut at = range.0;
    for (first, last) in dense {
        let place = |bucket: usize| range.0 + bucket as f64 * width;
        let (from, to) = (place(first), place(last + 1));
        push(&mut out, curve.cut(at, from));
        let bucket = |index| curve.bucket(place(index), place(index + 1));
        out.push(Stretch::Band((first..=last).filter_map(bucket).collect()));
        at = to;
    }
    if out.is_empty() {
        return vec![Stretch::Line(points.to_vec())];
    }
    push(&mut out, curve.cut(at, range.1));
    out
}

/// The means of the line in each of `count` parts of `range`; `None` outside of the line.
pub(super) fn means(
    points: &[(f64, f64)],
    kind: LineKind,
    range: (f64, f64),
    count: usize,
) -> Vec<Option<f64>> {
    let points = finite(shown(points, kind, range));
    let curve = Curve::new(&points, kind, range.1);
    (0..count).map(|index| Some(curve.column(index, range, count)?.mean)).collect()
}

fn push(out: &mut Vec<Stretch>, cut: Vec<(f64, f64)>) {
    if cut.len() > 1 && cut[0].0 < cut[cut.len() - 1].0 {
        out.push(Stretch::Line(cut));
    }
}

/// The first and last bucket of each dense run. Short gaps are closed, short runs are dropped.
fn runs(turns: &[u32]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (bucket, _) in turns.iter().enumerate().filter(|(_, turns)| **turns >= TURNS) {
        match runs.last_mut() {
            Some(run) if bucket - run.1 <= GAP => run.1 = bucket,
            _ => runs.push((bucket, bucket)),
        }
    }
    runs.retain(|run| run.1 - run.0 >= GAP);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Claim: a line that alternates between 0 and 3 with a period of 2 from x = 100 to 200, and is
    /// 1 elsewhere, is one line, one band from 0 to 3 with the mean 1.5, and one line.
    #[test]
    fn a_sawtooth_faster_than_the_buckets_is_a_band_with_its_mean() {
        let saw = (100..200).map(|x| (f64::from(x), if x % 2 == 0 { 3.0 } else { 0.0 }));
        let points: Vec<(f64, f64)> =
            std::iter::once((0.0, 1.0)).chain(saw).chain([(200.0, 1.0)]).collect();
        let found = stretches(&points, LineKind::Step, (0.0, 300.0), 75);
        let [Stretch::Line(_), Stretch::Band(band), Stretch::Line(after)] = found.as_slice() else {
            panic!("{found:?}");
        };
        let inner = &band[1..band.len() - 1];
        assert!(inner.len() >= 20);
        for bucket in inner {
            assert_eq!(bucket.y, (0.0, 3.0));
            assert!((bucket.mean - 1.5).abs() < 1e-9, "{bucket:?}");
        }
        assert_eq!(after.last(), Some(&(300.0, 1.0)));
        // With thirty times as many buckets each tooth is visible.
        let near = stretches(&points, LineKind::Step, (0.0, 300.0), 2250);
        assert_eq!(near, [Stretch::Line(points)]);
    }

    proptest! {
        /// Claim: the extremes of a band are those of the points, and every mean is between
        /// them. Oracle: a scan of all points.
        #[test]
        fn bands_lose_no_extreme(
            values in proptest::collection::vec(-20_i32..20, 50..400),
            step in any::<bool>(),
        ) {
            let kind = if step { LineKind::Step } else { LineKind::Line };
            let points: Vec<(f64, f64)> =
                values.iter().enumerate().map(|(i, v)| (i as f64, f64::from(*v))).collect();
            let end = (points.len() - 1) as f64;
            let found = stretches(&points, kind, (0.0, end), 12);
            let mut seen = (f64::INFINITY, f64::NEG_INFINITY);
            for stretch in &found {
                let spans: Vec<(f64, f64)> = match stretch {
                    Stretch::Line(line) => line.iter().map(|p| (p.1, p.1)).collect(),
                    Stretch::Band(band) => {
                        prop_assert!(band.iter().all(|b| b.y.0 <= b.mean && b.mean <= b.y.1));
                        band.iter().map(|b| b.y).collect()
                    }
                };
                for (low, high) in spans {
                    seen = (seen.0.min(low), seen.1.max(high));
                }
            }
            // The last point of a step line has no width.
            let drawn = if step { &points[..points.len() - 1] } else { &points[..] };
            let low = drawn.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
            let high = drawn.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(seen.0 <= low && high <= seen.1, "{seen:?} {low} {high}");
        }
    }
}
