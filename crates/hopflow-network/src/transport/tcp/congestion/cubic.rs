//! CUBIC: the window is a cubic function of the time since the last loss.
//!
//! ```text
//! cwnd += min(bytes, MSS)                          if cwnd < ssthresh     [RFC5681] 3.1  (1)
//! otherwise, t = now - epoch, RTT = smoothed round trip:
//! W(t)   = C (t - K)^3 + Wmax                                             4.2, Figure 1  (2)
//! K      = cbrt((Wmax - cwnd_epoch) / C)                                  4.2, Figure 2  (3)
//! target = W(t + RTT), clamped to cwnd .. 1.5 cwnd                        4.2            (4)
//! West  += alpha bytes / cwnd,  West = cwnd_epoch initially          4.3, Figure 4  (5)
//!          alpha = 3 (1 - b) / (1 + b) = 9/17; 1 from cwnd_prior on
//! cwnd   = West                     if W(t) < West                        4.3            (6)
//!        = cwnd + (target - cwnd) / cwnd   otherwise                      4.4, 4.5       (7)
//! loss:  Wmax = cwnd (1 + b) / 2 if cwnd < Wmax, else cwnd                4.7            (8)
//!        cwnd_prior = cwnd,  ssthresh = max(b flight, 2 MSS), cwnd = ssthresh   4.6      (9)
//! time-out: (8), (9), then cwnd = MSS; the epoch after it has K = 0,
//!        Wmax = cwnd_epoch                                                4.8           (10)
//! idle for a time-out:  cwnd = min(initial, cwnd)                  [RFC5681] 4.1        (11)
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | `cwnd` | congestion window, with a fraction | segments |
//! | C | 0.4 (5) | segments / s^3 |
//! | b | 0.7, the fraction of the window left by a loss | 1 |
//! | Wmax, `w_max` | the window at the last loss | segments |
//! | West, `w_est` | the window that Reno would have | segments |
//! | K, `k` | time from the epoch until W is Wmax again | s |
//! | epoch | the first ack above ssthresh since the last loss | ps |
//!
//! In (5) and (7) an ack of `bytes` counts as bytes / MSS acks of one segment each (4.3; for (7):
//! as with appropriate byte counting, so that delayed acks do not slow it down). SACK finds and
//! repairs losses: a recovery begins at the third duplicate or as soon as the scoreboard considers
//! the first segment lost, [RFC6675] 5 (4), and ends when everything that was outstanding when it
//! began is acknowledged; meanwhile cwnd is constant. The flight of (9) is at most cwnd: data sent
//! past the holes of a recovery does not count.
//!
//! Source: [RFC9438] as cited. Differs: bytes of f64 with + - * / and `libm::cbrt`. The window
//! grows only when it limited the sender (5.8), and t does not advance while it does not. Not
//! modelled: HyStart++ (4.10), spurious losses (4.9), ECN. Checked by: the tests below,
//! `tcp/tests/`.

use hopflow_units::{Picos, SimTime};

use super::super::clocks::{TcpAcks, TcpTimers};
use super::super::sequence::Seq;
use super::{Acked, Answer, Control, Loss, Reno, Start, TcpFacts, Window};

const MILLI: u64 = Picos::PER_SECOND / 1_000;

const C: f64 = 0.4;
const BETA: f64 = 0.7;
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);

/// CUBIC's window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cubic {
    window: Window,
    /// cwnd with its fraction, in segments.
    cwnd: f64,
    w_max: f64,
    cwnd_prior: f64,
    epoch: Option<Epoch>,
    /// Whether a time-out occurred since the last epoch.
    timed_out: bool,
    /// Whether a recovery is in progress, and the byte after the last one outstanding at the last
    /// loss.
    recovering: bool,
    recover: Seq,
}

/// A stage of congestion avoidance.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Epoch {
    start: SimTime,
    k: f64,
    w_max: f64,
    w_est: f64,
    /// The last ack that moved the window, and whether one has arrived since that did not.
    moved: SimTime,
    paused: bool,
}

impl Epoch {
    /// W(t). Eq. (2).
    fn window(&self, seconds: f64) -> f64 {
        let t = seconds - self.k;
        C * t * t * t + self.w_max
    }
}

impl Cubic {
    /// The facts for others, with the defaults of current hosts: SACK, ten segments initially, a 6
    /// MiB window, a least time-out of 200 ms, acknowledgements delayed by at most 40 ms.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "cubic",
        meaning: "[RFC9438] with SACK",
        sack: true,
        idle_since_heard: false,
        mss: 1_460,
        window: 6 << 20,
        scale: 7,
        timers: TcpTimers::Fine { granularity: Picos(MILLI), min: Picos(200 * MILLI) },
        acks: TcpAcks::EverySecond { delay: Picos(40 * MILLI) },
        initial_window: 10,
        ..Reno::FACTS
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> Cubic {
        let window = start.window;
        Cubic {
            window,
            cwnd: f64::from(window.cwnd) / f64::from(window.mss),
            w_max: 0.0,
            cwnd_prior: 0.0,
            epoch: None,
            timed_out: false,
            recovering: false,
            recover: start.first,
        }
    }

    /// Eq. (2) to (7).
    fn avoid(&mut self, acked: &Acked) {
        let segments = f64::from(acked.bytes) / self.mss();
        let mut epoch = self.epoch.unwrap_or_else(|| self.begin(acked.now));
        if epoch.paused {
            epoch.start = epoch.start + acked.now.since(epoch.moved);
        }
        (epoch.moved, epoch.paused) = (acked.now, false);
        let alpha = if epoch.w_est >= self.cwnd_prior { 1.0 } else { ALPHA };
        epoch.w_est += alpha * segments / self.cwnd;
        self.epoch = Some(epoch);
        let t = acked.now.since(epoch.start).as_secs_f64();
        if epoch.window(t) < epoch.w_est {
            self.set(self.cwnd.max(epoch.w_est));
            return;
        }
        let target = epoch.window(t + acked.srtt.as_secs_f64());
        let target = target.clamp(self.cwnd, 1.5 * self.cwnd);
        self.set(self.cwnd + (target - self.cwnd) / self.cwnd * segments);
    }

    /// Eq. (3), (10).
    fn begin(&mut self, now: SimTime) -> Epoch {
        if self.w_max < self.cwnd {
            self.cwnd_prior = self.cwnd; // 4.10: slow start ended without a loss
        }
        if self.timed_out || self.w_max < self.cwnd {
            self.w_max = self.cwnd;
            self.timed_out = false;
        }
        let k = libm::cbrt((self.w_max - self.cwnd) / C);
        Epoch { start: now, k, w_max: self.w_max, w_est: self.cwnd, moved: now, paused: false }
    }

    /// Eq. (8), (9).
    fn reduce(&mut self, flight: u32) {
        let convergent = self.cwnd < self.w_max;
        self.w_max = if convergent { self.cwnd * (1.0 + BETA) / 2.0 } else { self.cwnd };
        self.cwnd_prior = self.cwnd;
        let flight = flight.min(self.window.cwnd);
        self.window.ssthresh = ((BETA * f64::from(flight)) as u32).max(2 * self.window.mss);
        self.epoch = None;
    }

    fn set(&mut self, segments: f64) {
        self.cwnd = segments.min(f64::from(self.window.most) / self.mss());
        self.window.cwnd = ((self.cwnd * self.mss()) as u32).max(self.window.mss);
    }

    fn mss(&self) -> f64 {
        f64::from(self.window.mss)
    }
}

impl Control for Cubic {
    fn window(&self) -> Window {
        self.window
    }

    fn recovering_by_sack(&self) -> bool {
        self.recovering
    }

    /// Eq. (1) to (7).
    fn on_ack(&mut self, acked: &Acked) -> Answer {
        if self.recovering {
            self.recovering = acked.ack.before(self.recover);
        } else if acked.limited && self.window.cwnd < self.window.ssthresh {
            self.set(self.cwnd + f64::from(acked.bytes.min(self.window.mss)) / self.mss());
        } else if acked.limited {
            self.avoid(acked);
        } else if let Some(epoch) = &mut self.epoch {
            epoch.paused = true;
        }
        Answer::default()
    }

    /// [RFC6675] 5 (1), (2) and (4), Eq. (8), (9).
    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        let begins = loss.duplicates >= 3 || loss.lost;
        if self.recovering || !begins || loss.una.before(self.recover) {
            return false;
        }
        self.reduce(loss.flight());
        self.set(f64::from(self.window.ssthresh) / self.mss());
        self.recover = loss.max;
        self.recovering = true;
        true
    }

    /// Eq. (10); [RFC6675] 5.1: no recovery before everything outstanding now is acknowledged.
    fn on_timeout(&mut self, loss: &Loss) {
        if !loss.again {
            self.reduce(loss.flight());
        }
        self.set(1.0);
        self.epoch = None;
        self.timed_out = true;
        self.recover = loss.max;
        self.recovering = false;
    }

    /// Eq. (11): avoidance then begins anew.
    fn on_restart(&mut self, initial: u32, _now: SimTime) {
        self.epoch = None;
        self.set(self.cwnd.min(f64::from(initial) / self.mss()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubic(cwnd: u32, ssthresh: u32) -> Cubic {
        let window = Window { mss: 1_000, cwnd, ssthresh, most: 10_000_000 };
        Cubic::new(&Start { window, first: Seq(0), impatient: false })
    }

    fn acked(millis: u64, rtt: u64) -> Acked {
        Acked {
            bytes: 1_000,
            ack: Seq(1),
            flight: 0,
            duplicates: 0,
            limited: true,
            marked: false,
            now: SimTime(millis * MILLI),
            srtt: Picos(rtt * MILLI),
            rtt: None,
        }
    }

    fn loss(una: u32, flight: u32) -> Loss {
        let (una, max) = (Seq(una), Seq(una + flight));
        Loss {
            duplicates: 3,
            una,
            max,
            window: flight,
            lost: false,
            again: false,
            now: SimTime::ZERO,
        }
    }

    /// A window of 100 segments after a loss: 70 segments, with the recovery completed.
    fn after_a_loss() -> Cubic {
        let mut cubic = cubic(100_000, 90_000);
        assert!(cubic.on_duplicate(&loss(0, 100_000)));
        assert_eq!((cubic.window.cwnd, cubic.window.ssthresh), (70_000, 70_000));
        cubic.on_ack(&Acked { ack: Seq(100_000), ..acked(0, 100) });
        assert!(!cubic.recovering);
        cubic
    }

    /// Claim [RFC9438] 4.2, by hand: Wmax = 100, cwnd = 70: K = cbrt(30 / 0.4) = cbrt(75) = 4.2172
    /// s. W(0) = 70; W(K) = 100; W(2) = 100 - 0.4 x 2.2172^3 = 95.6403; W(2 K) = 130.
    #[test]
    fn points_of_the_cubic_by_hand() {
        let epoch = after_a_loss().begin(SimTime::ZERO);
        assert!((epoch.k - 4.217_163).abs() < 1e-6);
        let points = [(0.0, 70.0), (2.0, 95.640_34), (epoch.k, 100.0), (2.0 * epoch.k, 130.0)];
        for (t, window) in points {
            assert!((epoch.window(t) - window).abs() < 1e-4, "W({t}) = {}", epoch.window(t));
        }
    }

    /// Claim [RFC9438] 4.3, 4.4, by hand. At t = 0, W = 70 lies under West: cwnd = West = 70 + 9/17
    /// / 70 = 70.00756. At 1 s with an RTT of 1 s: W(1) = 86.68 is above it, target = W(2) =
    /// 95.64034, cwnd = 70.00756 + 25.63278 / 70.00756 = 70.37371. With an RTT of 9 s the target is
    /// 1.5 cwnd, a step of 0.5; an ack of two segments steps twice as far.
    #[test]
    fn steps_of_the_window_by_hand() {
        let cases = [(1_000, 1_000, 70_373), (9_000, 1_000, 70_507), (9_000, 2_000, 71_007)];
        for (rtt, bytes, cwnd) in cases {
            let mut cubic = after_a_loss();
            cubic.on_ack(&acked(10, rtt));
            assert_eq!(cubic.window.cwnd, 70_007);
            cubic.on_ack(&Acked { bytes, ..acked(1_010, rtt) });
            assert_eq!(cubic.window.cwnd, cwnd);
        }
    }

    /// Claim [RFC9438] 4.3, by hand: on a short path Reno's window is the larger one. Ten segments
    /// left of 14.3 (loss at 10 / 0.7): K = cbrt(4.2857 / 0.4) = 2.2 s, so W is still about 10
    /// after a ms, and West = 10 + (9/17) / 10 = 10.0529.
    #[test]
    fn reno_friendly_by_hand() {
        let mut cubic = cubic(14_286, 10_000);
        cubic.on_duplicate(&loss(0, 14_286));
        cubic.on_ack(&Acked { ack: Seq(14_286), ..acked(0, 1) });
        cubic.on_ack(&acked(1, 1));
        assert_eq!(cubic.window.cwnd, 10_052);
    }

    /// Claim [RFC9438] 4.3, by hand: from the window before the loss on, West grows as Reno's
    /// window. After a loss at 14.286 an ack of 90 segments brings West from 10 to 10 + (9/17) 90 /
    /// 10 = 14.76471, which is above; the next segment adds 1 / 14.76471: 14.83244.
    #[test]
    fn reno_grows_by_a_segment_above_the_window_before_the_loss() {
        let mut cubic = cubic(14_286, 10_000);
        cubic.on_duplicate(&loss(0, 14_286));
        cubic.on_ack(&Acked { ack: Seq(14_286), ..acked(0, 1) });
        for (bytes, cwnd) in [(90_000, 14_764), (1_000, 14_832)] {
            cubic.on_ack(&Acked { bytes, ..acked(1, 1) });
            assert_eq!(cubic.window.cwnd, cwnd);
        }
    }

    /// Claim [RFC9438] 4.6, 4.7: a loss below the last Wmax yields room: Wmax = 0.85 x 70 = 59.5,
    /// cwnd = 49. Inside a recovery a loss counts once.
    #[test]
    fn fast_convergence_by_hand() {
        let mut cubic = after_a_loss();
        assert!(cubic.on_duplicate(&loss(100_000, 70_000)));
        assert!(!cubic.on_duplicate(&loss(100_000, 70_000)));
        assert!((cubic.w_max - 59.5).abs() < 1e-9);
        assert_eq!((cubic.window.cwnd, cubic.window.ssthresh), (49_000, 49_000));
    }

    /// Claim [RFC5681] 4.1, [RFC9438] 4.2: a restart from the initial window is slow start and then
    /// a new stage: its first ack is at t = 0, on Reno's line, 70.00756 as after the loss.
    #[test]
    fn a_restart_begins_a_new_stage() {
        let mut cubic = after_a_loss();
        cubic.on_ack(&acked(0, 1_000));
        cubic.on_restart(10_000, SimTime::ZERO);
        assert_eq!(cubic.window.cwnd, 10_000);
        (0..60).for_each(|_| {
            cubic.on_ack(&acked(9_000, 1_000));
        });
        assert_eq!(cubic.window.cwnd, 70_000);
        cubic.on_ack(&acked(9_000, 1_000));
        assert_eq!(cubic.window.cwnd, 70_007);
    }

    /// Claim [RFC6675] 5.1: after a time-out no recovery begins before everything outstanding then
    /// is acknowledged.
    #[test]
    fn no_recovery_of_what_a_time_out_repairs() {
        let mut cubic = cubic(10_000, 90_000);
        cubic.on_timeout(&Loss { duplicates: 0, ..loss(0, 10_000) });
        assert!(!cubic.on_duplicate(&loss(9_999, 5_000)));
        assert!(cubic.on_duplicate(&loss(10_000, 5_000)));
    }

    /// Claim [RFC9438] 4.2, 5.8: time in which the window did not limit the sender does not count.
    /// Acks at 0 and at 1 s move it, one at 2 s does not; the next, at 9 s, is like one at 1 s.
    #[test]
    fn time_stands_still_while_the_sender_is_idle() {
        let (mut busy, mut idle) = (after_a_loss(), after_a_loss());
        for cubic in [&mut busy, &mut idle] {
            cubic.on_ack(&acked(0, 1_000));
            cubic.on_ack(&acked(1_000, 1_000));
        }
        idle.on_ack(&Acked { limited: false, ..acked(2_000, 1_000) });
        idle.on_ack(&acked(9_000, 1_000));
        busy.on_ack(&acked(1_000, 1_000));
        assert_eq!(busy.window.cwnd, idle.window.cwnd);
    }

    /// Claim [RFC9438] 4.8: after a time-out cwnd is one segment, ssthresh 0.7 of the flight, and
    /// the next epoch starts at the present window: K = 0. A second time-out of the same segment
    /// leaves ssthresh unchanged.
    #[test]
    fn a_time_out_starts_a_flat_epoch() {
        let mut cubic = after_a_loss();
        let lost = Loss { duplicates: 0, ..loss(100_000, 70_000) };
        cubic.on_timeout(&lost);
        cubic.on_timeout(&Loss { again: true, ..lost });
        assert_eq!((cubic.window.cwnd, cubic.window.ssthresh), (1_000, 49_000));
        for _ in 0..48 {
            cubic.on_ack(&acked(1, 1)); // slow start
        }
        assert_eq!(cubic.window.cwnd, 49_000);
        let epoch = cubic.begin(SimTime::ZERO);
        assert!(epoch.k.abs() < 1e-9 && (epoch.w_max - 49.0).abs() < 1e-9);
    }
}
