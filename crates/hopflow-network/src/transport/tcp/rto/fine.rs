//! The timer of RFC 6298 on a fine clock.
//!
//! ```text
//! first sample R:  SRTT = R,  RTTVAR = R / 2                          2.2        (1)
//! later:           RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R|
//!                  SRTT   = 7/8 SRTT + 1/8 R                          2.3        (2)
//! RTO = SRTT + max(G, 4 RTTVAR), rounded up to G                      2.2, 2.3   (3)
//! RTO at least `min` (2.4), at most 64 s (2.5: at least 60 s)                    (4)
//! time-out: RTO = 2 RTO                                               5.5        (5)
//! ```
//! | symbol          | meaning                            | unit |
//! |-----------------|------------------------------------|------|
//! | R               | a round trip                       | ps   |
//! | SRTT, `srtt`    | smoothed round trip                | ps   |
//! | RTTVAR, `rttvar`| smoothed mean deviation            | ps   |
//! | G, `granularity`| granularity of the clock           | ps   |
//! | RTO, `current`  | time-out, 1 s before any sample (2.1) | ps |
//!
//! Source: [RFC6298]. Differs: divisions round down to a picosecond; the least time-out is a
//! parameter (2.4 says 1 s). Not modelled: time stamps [RFC7323]: one segment is timed at a time.
//! Checked by: the tests below.

use hopflow_units::Picos;

/// Eq. (4).
const MOST: Picos = Picos(64 * Picos::PER_SECOND);

/// RFC 6298's timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FineTimer {
    granularity: Picos,
    min: Picos,
    /// SRTT and RTTVAR.
    smoothed: Option<(u64, u64)>,
    current: Picos,
}

impl FineTimer {
    /// The state before any sample.
    pub(crate) fn new(granularity: Picos, min: Picos) -> FineTimer {
        let mut timer = FineTimer { granularity, min, smoothed: None, current: Picos::ZERO };
        timer.current = timer.clamped(Picos::PER_SECOND);
        timer
    }

    /// A round trip of `span`. Eq. (1) to (4).
    pub(crate) fn sample(&mut self, span: Picos) {
        let span = span.0;
        let (srtt, rttvar) = match self.smoothed {
            None => (span, span / 2),
            Some((srtt, rttvar)) => {
                (srtt - srtt / 8 + span / 8, rttvar - rttvar / 4 + srtt.abs_diff(span) / 4)
            }
        };
        self.smoothed = Some((srtt, rttvar));
        let wait = srtt.saturating_add(rttvar.saturating_mul(4).max(self.granularity.0));
        let steps = wait.div_ceil(self.granularity.0);
        self.current = self.clamped(steps.saturating_mul(self.granularity.0));
    }

    /// The timer expired. Eq. (5).
    pub(crate) fn back_off(&mut self) {
        self.current = self.clamped(self.current.0.saturating_mul(2));
    }

    /// SRTT; zero before any sample.
    pub(crate) fn srtt(&self) -> Picos {
        self.smoothed.map_or(Picos::ZERO, |(srtt, _)| Picos(srtt))
    }

    /// The time-out.
    pub(crate) fn current(&self) -> Picos {
        self.current
    }

    fn clamped(&self, wait: u64) -> Picos {
        Picos(wait.clamp(self.min.0, MOST.0.max(self.min.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLI: u64 = 1_000_000_000;

    fn timer(min: u64) -> FineTimer {
        FineTimer::new(Picos(MILLI), Picos(min * MILLI))
    }

    /// Claim [RFC6298] 2.1 to 2.3, by hand. 1 s first. R = 80 ms: SRTT 80, RTTVAR 40, RTO 240. R =
    /// 160: RTTVAR = 30 + 20 = 50, SRTT = 70 + 20 = 90, RTO = 290. R = 90: RTTVAR = 37.5, SRTT =
    /// 90, RTO = 240.
    #[test]
    fn samples_by_hand() {
        let mut timer = timer(200);
        assert_eq!(timer.current(), Picos(1_000 * MILLI));
        for (sample, rto) in [(80, 240), (160, 290), (90, 240)] {
            timer.sample(Picos(sample * MILLI));
            assert_eq!(timer.current(), Picos(rto * MILLI));
        }
        assert_eq!(timer.srtt(), Picos(90 * MILLI));
    }

    /// Claim [RFC6298] 2.4, 5.5: not below the least; doubled at each time-out; 64 s at most; a new
    /// sample resets the doubling.
    #[test]
    fn time_outs_double_between_their_bounds() {
        let mut timer = timer(200);
        timer.sample(Picos(10 * MILLI)); // 10 + 20 ms
        let mut waits = Vec::new();
        for _ in 0..10 {
            waits.push(timer.current().0 / MILLI);
            timer.back_off();
        }
        assert_eq!(waits, [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 64_000]);
        timer.sample(Picos(10 * MILLI));
        assert_eq!(timer.current(), Picos(200 * MILLI));
    }

    /// Claim [RFC6298] 2.3: at least G is added, and the time-out is a multiple of it.
    #[test]
    fn the_granularity_rounds_up() {
        let mut timer = timer(1);
        for _ in 0..200 {
            timer.sample(Picos(MILLI / 2)); // RTTVAR goes to 0
        }
        assert_eq!(timer.current(), Picos(2 * MILLI)); // 0.5 + 1, rounded up
    }
}
