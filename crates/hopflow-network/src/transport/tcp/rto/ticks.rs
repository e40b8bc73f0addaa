//! The timer of 4.3BSD Reno: everything is counted in ticks of a clock of 500 ms.
//!
//! ```text
//! m      = floor(now / T) - floor(sent / T)      ticks between the two           (1)
//! first sample:  S = 8 (m + 1),  V = 2 (m + 1)                                   (2)
//! later:         d = m - floor(S / 8),  S += d,  V += |d| - floor(V / 4),
//!                each at least 1                                                 (3)
//! RTO    = floor(S / 8) + V                      factor 4                        (4)
//!        = floor((floor(S / 4) + V) / 2)         factor 2                        (5)
//! back-off k:  RTO x 1, 2, 4, 8, 16, 32, 64, 64 ... (k = 0, 1 ... 12)            (6)
//! each clamped to [least, 64 s]
//! timer set at t expires at T (floor(t / T) + RTO)                               (7)
//! ```
//! | symbol           | meaning                                       | unit      |
//! |------------------|-----------------------------------------------|-----------|
//! | T, `tick`        | slow tick                                     | ps        |
//! | S, `srtt`        | smoothed round trip                           | ticks / 8 |
//! | V, `rttvar`      | smoothed mean deviation                       | ticks / 4 |
//! | RTO, `current`   | time-out                                      | ticks     |
//! | k, `shift`       | time-outs since the last sample, at most 12   | 1         |
//!
//! After three consecutive time-outs S is not trusted: V += floor(S / 8), S = 0, so that (4) stays
//! about the same and the next sample counts as the first. Before any sample V is 24 (3 s at 500
//! ms, times 4) and the time-out 12 ticks, whatever the length of a tick in seconds: here they are
//! constants of 3 s and 6 s, rounded up to ticks.
//!
//! By (7) the first of RTO ticks occurs after less than T: a time-out of n ticks lasts more than
//! n - 1 and at most n ticks.
//!
//! Source: [CSRG] tcp_timer.c 7.18, tcp_input.c and tcp_subr.c of June 1990. (5): earlier
//! tcp_output.c and tcp_timer.c. Differs: BSD drops the connection at the thirteenth consecutive
//! time-out, here it continues with k = 12. A tick at the instant of a packet counts as before it.
//! Not modelled: the duration of a SYN as the first sample. Checked by: the tests below.

use hopflow_units::{Picos, SimTime};

/// Eq. (6).
const BACK_OFF: [u64; 13] = [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64, 64];
/// The assumed round trip before any sample, and the first time-out: 3 s and 6 s.
const FIRST_ROUND_TRIP: Picos = Picos(3 * Picos::PER_SECOND);
const FIRST: Picos = Picos(6 * Picos::PER_SECOND);
/// The greatest time-out: 64 s.
const MOST: Picos = Picos(64 * Picos::PER_SECOND);

/// BSD's timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TickTimer {
    tick: Picos,
    least: u64,
    most: u64,
    factor: u32,
    srtt: i64,
    rttvar: i64,
    shift: usize,
    current: u64,
}

impl TickTimer {
    /// The state before any sample. `factor` is 2 or 4.
    pub(crate) fn new(tick: Picos, least: u32, factor: u32) -> TickTimer {
        let least = u64::from(least);
        let most = MOST.0.div_ceil(tick.0).max(least);
        TickTimer {
            tick,
            least,
            most,
            factor,
            srtt: 0,
            rttvar: (FIRST_ROUND_TRIP.0.div_ceil(tick.0).cast_signed()) << 2,
            shift: 0,
            current: FIRST.0.div_ceil(tick.0).clamp(least, most),
        }
    }

    /// A segment left at `sent` and was acknowledged `now`: Eq. (1) to (5).
    pub(crate) fn sample(&mut self, sent: SimTime, now: SimTime) {
        let ticks = (self.count(now) - self.count(sent)).cast_signed();
        if self.srtt == 0 {
            self.srtt = (ticks + 1) << 3;
            self.rttvar = (ticks + 1) << 1;
        } else {
            let delta = ticks - (self.srtt >> 3);
            self.srtt = (self.srtt + delta).max(1);
            self.rttvar = (self.rttvar + delta.abs() - (self.rttvar >> 2)).max(1);
        }
        self.shift = 0;
        self.current = self.clamped(1);
    }

    /// The timer expired. Eq. (6).
    pub(crate) fn back_off(&mut self) {
        self.shift = (self.shift + 1).min(BACK_OFF.len() - 1);
        self.current = self.clamped(BACK_OFF[self.shift]);
        if self.shift > 3 {
            self.rttvar += self.srtt >> 3;
            self.srtt = 0;
        }
    }

    /// When a timer that is set `now` expires. Eq. (7).
    pub(crate) fn deadline(&self, now: SimTime) -> SimTime {
        let ticks = self.count(now).saturating_add(self.current);
        SimTime(ticks.saturating_mul(self.tick.0))
    }

    /// S in picoseconds, rounded down to an eighth of a tick.
    pub(crate) fn srtt(&self) -> Picos {
        Picos((u128::from(self.tick.0) * self.srtt as u128 / 8) as u64)
    }

    /// The time-out.
    pub(crate) fn current(&self) -> Picos {
        Picos(self.tick.0.saturating_mul(self.current))
    }

    fn clamped(&self, times: u64) -> u64 {
        let value = match self.factor {
            2 => ((self.srtt >> 2) + self.rttvar) >> 1,
            _ => (self.srtt >> 3) + self.rttvar,
        };
        (value as u64).saturating_mul(times).clamp(self.least, self.most)
    }

    fn count(&self, at: SimTime) -> u64 {
        at.0 / self.tick.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Picos = Picos(Picos::PER_SECOND / 2);

    fn millis(millis: u64) -> SimTime {
        SimTime(millis * 1_000_000_000)
    }

    fn timer(factor: u32) -> TickTimer {
        TickTimer::new(TICK, 2, factor)
    }

    /// Claim [CSRG] tcp_newtcpcb: before any sample the time-out is 12 ticks, that is 6 s.
    #[test]
    fn the_first_time_out_is_six_seconds() {
        assert_eq!(timer(4).current(), Picos(6 * Picos::PER_SECOND));
        assert_eq!(timer(4).deadline(millis(499)), millis(6_000));
        assert_eq!(timer(4).deadline(millis(500)), millis(6_500));
    }

    /// Claim [CSRG] tcp_xmit_timer, by hand. A round trip of 10 ms without a tick in it: S = 8, V =
    /// 2, RTO = 1 + 2 = 3 ticks; with factor 2, floor((2 + 2) / 2) = 2. The next, d = 0 - 1: S = 7,
    /// V = 2 + 1 = 3, RTO = 0 + 3 = 3; factor 2: floor((1 + 3) / 2) = 2. The third, d = 0: S = 7,
    /// V = 3. The fourth takes 4 ticks, d = 4: S = 11, V = 3 + 4 = 7, RTO = 1 + 7 = 8; factor 2: 4.
    #[test]
    fn samples_by_hand() {
        let (mut four, mut two) = (timer(4), timer(2));
        let mut all = Vec::new();
        for (sent, now) in [(100, 110), (200, 210), (300, 310), (400, 2_400)] {
            four.sample(millis(sent), millis(now));
            two.sample(millis(sent), millis(now));
            all.push((four.srtt, four.rttvar, four.current, two.current));
        }
        assert_eq!(all, [(8, 2, 3, 2), (7, 3, 3, 2), (7, 3, 3, 2), (11, 7, 8, 4)]);
    }

    /// Claim [CSRG]: a tick that falls into the round trip counts as one, however short it was.
    #[test]
    fn a_round_trip_counts_the_ticks_in_it() {
        let mut timer = timer(4);
        timer.sample(millis(499), millis(501)); // one tick: S = 16, V = 4
        assert_eq!((timer.srtt, timer.rttvar, timer.current), (16, 4, 6));
        assert_eq!(timer.srtt(), Picos(Picos::PER_SECOND)); // 2 ticks
    }

    /// Claim [CSRG] tcp_backoff and TCPTV_REXMTMAX: 3 ticks, then 6, 12, 24, 48, 96, then always
    /// 128 (64 s). At the fourth time-out V = 2 + 1 = 3 and S = 0: the base stays 3 ticks.
    #[test]
    fn time_outs_double_up_to_64_seconds() {
        let mut timer = timer(4);
        timer.sample(millis(0), millis(1));
        let mut waits = Vec::new();
        for time_outs in 1..=15 {
            waits.push(timer.current);
            timer.back_off();
            assert_eq!(timer.srtt == 0, time_outs > 3);
        }
        assert_eq!(waits[..6], [3, 6, 12, 24, 48, 96]);
        assert!(waits[6..].iter().all(|&wait| wait == 128));
        assert_eq!((timer.srtt, timer.rttvar, timer.shift), (0, 3, 12));
        timer.sample(millis(0), millis(1)); // counts as the first
        assert_eq!((timer.srtt, timer.current), (8, 3));
        timer.back_off();
        assert_eq!(timer.current, 6);
    }

    /// Claim: a time-out is never below the least one: S becomes 7, V 1 ... RTO = 0 + 1 -> 2.
    #[test]
    fn the_time_out_has_a_floor() {
        let mut timer = timer(2);
        for _ in 0..40 {
            timer.sample(millis(0), millis(1));
        }
        assert_eq!(timer.current, 2);
        assert_eq!(timer.deadline(millis(999)), millis(1_500)); // 501 ms: more than one tick
    }

    /// Claim: a long idle time does not overflow: the deadline is then never.
    #[test]
    fn the_end_of_time_is_never() {
        let late = SimTime(u64::MAX - 1);
        assert!(timer(4).deadline(late) > late);
    }
}
