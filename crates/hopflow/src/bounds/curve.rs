//! Arrival curves: the least of several token buckets, and sums of these.
//!
//! ```text
//! A(t) = min over the buckets of sigma + rho t;  concave, in straight pieces     (1)
//! of several flows: the sum;  after a link of rate C and packets of L at most:
//!        min(sum, L + C t)                                                       (2)
//! ```
//! | symbol | meaning                                     | unit |
//! |--------|---------------------------------------------|------|
//! | A(t)   | the most bits that arrive in a span of t    | bits |
//! | t      | length of a closed span                     | ps   |
//!
//! (2): packets arrive from a link one by one, each after its own time on it, so all but the first
//! packet of a span have spent their time within the span.
//!
//! Source: [LB01]. Checked by: below, against the buckets themselves.

use super::contract::Bucket;

/// A concave curve of straight pieces, the first from t = 0 on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    pieces: Vec<Piece>,
}

/// From `from` on the curve is that of one bucket. Buckets are kept exactly, not computed from
/// points of the curve: two of nearly the same rate cross far beyond any run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// In ps.
    from: f64,
    bucket: Bucket,
}

impl Piece {
    fn at(&self, t: f64) -> f64 {
        self.bucket.sigma + self.bucket.rho * t
    }
}

impl Curve {
    /// Eq. (1).
    pub(super) fn of(buckets: &[Bucket]) -> Curve {
        let mut lines = buckets.to_vec();
        lines.sort_by(|a, b| a.rho.total_cmp(&b.rho).then(a.sigma.total_cmp(&b.sigma)));
        let mut lowest = f64::INFINITY;
        lines.retain(|line| {
            let counts = line.sigma < lowest;
            lowest = lowest.min(line.sigma);
            counts
        });
        // From the steepest with the least burst on, each begins where it crosses the previous one.
        let mut pieces: Vec<(f64, Bucket)> = Vec::new();
        for line in lines.into_iter().rev() {
            let mut from = 0.0;
            while let Some((begin, last)) = pieces.last() {
                from = (line.sigma - last.sigma) / (last.rho - line.rho);
                if from > *begin {
                    break;
                }
                pieces.pop();
                from = 0.0;
            }
            pieces.push((from, line));
        }
        let piece = |(from, bucket): (f64, Bucket)| Piece { from, bucket };
        Curve { pieces: pieces.into_iter().map(piece).collect() }
    }

    /// The curve with `weight` bits for each of its bits.
    pub(super) fn times(&self, weight: f64) -> Curve {
        let of = |Bucket { sigma, rho }| Bucket { sigma: sigma * weight, rho: rho * weight };
        let piece = |piece: &Piece| Piece { bucket: of(piece.bucket), ..*piece };
        Curve { pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The lesser of the curve and a bucket.
    pub(super) fn below(&self, bucket: Bucket) -> Curve {
        Curve::of(&self.buckets().chain([bucket]).collect::<Vec<_>>())
    }

    /// The sum of curves.
    pub(super) fn sum(curves: impl IntoIterator<Item = Curve>) -> Curve {
        let mut bucket = Bucket { sigma: 0.0, rho: 0.0 };
        let mut bends: Vec<(f64, Bucket)> = Vec::new();
        for curve in curves {
            let Some(first) = curve.pieces.first() else { continue };
            bucket.sigma += first.bucket.sigma;
            bucket.rho += first.bucket.rho;
            for (piece, next) in curve.pieces.iter().zip(curve.pieces.iter().skip(1)) {
                let sigma = next.bucket.sigma - piece.bucket.sigma;
                let rho = next.bucket.rho - piece.bucket.rho;
                bends.push((next.from, Bucket { sigma, rho }));
            }
        }
        bends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut pieces = vec![Piece { from: 0.0, bucket }];
        for (from, change) in bends {
            bucket.sigma += change.sigma;
            bucket.rho += change.rho;
            let last = pieces.last_mut().expect("there is a first piece");
            if from > last.from {
                pieces.push(Piece { from, bucket });
            } else {
                last.bucket = bucket;
            }
        }
        Curve { pieces }
    }

    /// The long-term rate, in bits per ps.
    pub(super) fn rate(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.bucket.rho)
    }

    /// Its bends within `run` and its end there, as (t, bits); the first is at t = 0.
    pub(super) fn bends(&self, run: f64) -> impl Iterator<Item = (f64, f64)> {
        let last = self.pieces.iter().rev().find(|piece| piece.from <= run);
        let end = last.map_or((0.0, 0.0), |last| (run, last.at(run)));
        let within = self.pieces.iter().take_while(move |piece| piece.from <= run);
        within.map(|piece| (piece.from, piece.at(piece.from))).chain([end])
    }

    /// The buckets of which it is the least, from the steepest on.
    pub(super) fn buckets(&self) -> impl Iterator<Item = Bucket> {
        let none = self.pieces.is_empty().then_some(Bucket { sigma: 0.0, rho: 0.0 });
        self.pieces.iter().map(|piece| piece.bucket).chain(none)
    }

    /// The bucket that is the least for a span of `run`.
    pub(super) fn bucket_at(&self, run: f64) -> Bucket {
        let last = self.pieces.iter().rev().find(|piece| piece.from <= run);
        last.map_or(Bucket { sigma: 0.0, rho: 0.0 }, |last| last.bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(curve: &Curve, t: f64) -> f64 {
        curve.buckets().map(|bucket| bucket.sigma + bucket.rho * t).fold(f64::INFINITY, f64::min)
    }

    fn bends(curve: &Curve) -> Vec<(f64, f64)> {
        curve.bends(99.0).collect()
    }

    /// Claim: two buckets of nearly the same rate cross far beyond the run, and lose no precision.
    #[test]
    fn buckets_of_nearly_the_same_rate_are_kept() {
        let rho = 1.0e-5;
        let near = Bucket { sigma: 2_000.0, rho: rho * (1.0 - f64::EPSILON) };
        let sum = Curve::sum(vec![Curve::of(&[Bucket { sigma: 1_000.0, rho }, near]); 3]);
        assert_eq!(sum.buckets().map(|b| b.sigma).collect::<Vec<_>>(), [3_000.0, 6_000.0]);
        assert!(sum.bucket_at(1e15).sigma < 3_001.0);
    }

    fn least(buckets: &[Bucket], t: f64) -> f64 {
        buckets.iter().map(|bucket| bucket.sigma + bucket.rho * t).fold(f64::INFINITY, f64::min)
    }

    /// Claim, by hand: one packet of 10 bits at 2 bits per ps and 40 bits at 1 bit per ps cross
    /// after 30 ps, at 70 bits. Twice that, after a link of 3 bits per ps, is 10 + 3 t at first,
    /// because 20 + 4 t is never below it, and 80 + 2 t from 70 ps on.
    #[test]
    fn buckets_cross_where_they_do() {
        let buckets = [Bucket { sigma: 40.0, rho: 1.0 }, Bucket { sigma: 10.0, rho: 2.0 }];
        let curve = Curve::of(&buckets);
        assert_eq!(bends(&curve), [(0.0, 10.0), (30.0, 70.0), (99.0, 139.0)]);
        let both = Curve::sum([curve.clone(), curve]);
        let behind = both.below(Bucket { sigma: 10.0, rho: 3.0 });
        assert_eq!(bends(&behind), [(0.0, 10.0), (70.0, 220.0), (99.0, 278.0)]);
        assert_eq!(behind.rate().to_bits(), 2.0_f64.to_bits());
    }

    proptest! {
        /// Claim: the curve of buckets is the least of them, and a sum is the sum, at any t.
        #[test]
        fn curves_are_what_their_buckets_say(
            flows in prop::collection::vec(
                prop::collection::vec((0_u32..1_000, 0_u32..50), 1..5), 1..5,
            ),
            cap in (0_u32..1_000, 0_u32..80),
            t in 0.0_f64..1_000.0,
        ) {
            let bucket = |(sigma, rho): &(u32, u32)| Bucket {
                sigma: f64::from(*sigma), rho: f64::from(*rho),
            };
            let flows: Vec<Vec<Bucket>> =
                flows.iter().map(|flow| flow.iter().map(bucket).collect()).collect();
            let sum: f64 = flows.iter().map(|flow| least(flow, t)).sum();
            let curve = Curve::sum(flows.iter().map(|flow| Curve::of(flow)));
            prop_assert!((at(&curve, t) - sum).abs() < 1e-6 * sum.max(1.0));
            let cap = bucket(&cap);
            let capped = curve.below(cap);
            let expected = sum.min(cap.sigma + cap.rho * t);
            prop_assert!((at(&capped, t) - expected).abs() < 1e-6 * expected.max(1.0));
            let most = bends(&capped).into_iter().map(|(_, bits)| bits).fold(0.0, f64::max);
            prop_assert!((at(&capped, 99.0) - most).abs() < 1e-6 * most.max(1.0));
        }
    }
}
