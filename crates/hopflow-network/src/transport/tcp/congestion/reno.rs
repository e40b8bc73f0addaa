//! The congestion window of 4.3BSD Reno, June 1990.
//!
//! ```text
//! new ack:   cwnd = ssthresh   if more than 3 duplicates preceded, cwnd > ssthresh         (1)
//!            cwnd += MSS               if cwnd <= ssthresh                                  (2)
//!            cwnd += floor(MSS MSS / cwnd) + floor(MSS / 8)      otherwise                  (3)
//!            at most 65,535 x 2^scale
//! ssthresh = MSS max(2, floor(min(cwnd, wnd) / 2 / MSS))                                    (4)
//! third duplicate:  (4), cwnd = ssthresh + 3 MSS, the first segment again                   (5)
//! each further one: cwnd += MSS                                                             (6)
//! time-out:  (4), cwnd = MSS                                                                (7)
//! nothing outstanding and nothing received for a time-out:  cwnd = MSS                      (8)
//! ```
//! | symbol     | meaning                      | unit  |
//! |------------|------------------------------|-------|
//! | `cwnd`     | congestion window            | bytes |
//! | `ssthresh` | slow start threshold         | bytes |
//! | wnd        | the receiver's window        | bytes |
//! | MSS, `mss` | data of a full segment       | bytes |
//!
//! (1) to (3) are applied in this order, so the ack that ends a fast recovery adds one MSS to
//! ssthresh; after exactly 3 duplicates the window keeps its 3 MSS. A partial ack ends the recovery
//! like any other ack.
//!
//! Source: [CSRG] tcp_input.c 7.25 and tcp_timer.c 7.18 of June 1990. Differs: the shortcut for
//! expected segments ("header prediction"), which neither grows nor deflates the window, is left
//! out. Not modelled: source quench. Checked by: the tests below, `tcp/tests/`.

use hopflow_units::{Picos, SimTime};

use super::super::clocks::{TcpAcks, TcpTimers};
use super::{Acked, Answer, Control, Loss, Start, TcpFacts, Window};

const MILLI: u64 = Picos::PER_SECOND / 1_000;

/// Reno's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reno {
    window: Window,
}

impl Reno {
    /// The facts for others: the MSS of IP over ATM (9,180 - 40) [RFC1626], the greatest window
    /// without scaling, ticks of 500 ms and 200 ms [CSRG].
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "reno",
        meaning: "4.3BSD of 1990",
        sack: false,
        partial_acks: false,
        heeds_marks: false,
        idle_since_heard: true,
        mss: 9_140,
        window: 65_535,
        scale: 0,
        timers: TcpTimers::Ticks { tick: Picos(500 * MILLI), min_ticks: 2, rttvar_factor: 4 },
        acks: TcpAcks::WindowMoves { tick: Picos(200 * MILLI) },
        initial_window: 1,
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> Reno {
        Reno { window: start.window }
    }

    /// Eq. (4).
    fn halve(&mut self, loss: &Loss) {
        let segments = (loss.window / 2 / self.window.mss).max(2);
        self.window.ssthresh = segments * self.window.mss;
    }
}

impl Control for Reno {
    fn window(&self) -> Window {
        self.window
    }

    /// Eq. (1) to (3).
    fn on_ack(&mut self, acked: &Acked) -> Answer {
        let window = &mut self.window;
        if acked.duplicates > 3 {
            window.cwnd = window.cwnd.min(window.ssthresh);
        }
        let mss = window.mss;
        let increment = if window.cwnd > window.ssthresh {
            (u64::from(mss) * u64::from(mss) / u64::from(window.cwnd)) as u32 + mss / 8
        } else {
            mss
        };
        window.grow(increment);
        Answer::default()
    }

    /// Eq. (5) and (6).
    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        if loss.duplicates < 3 {
            return false;
        }
        if loss.duplicates == 3 {
            self.halve(loss);
            self.window.cwnd = self.window.ssthresh + 3 * self.window.mss;
            return true;
        }
        self.window.cwnd += self.window.mss;
        false
    }

    /// Eq. (7).
    fn on_timeout(&mut self, loss: &Loss) {
        self.halve(loss);
        self.window.cwnd = self.window.mss;
    }

    /// Eq. (8): whatever the initial window was.
    fn on_restart(&mut self, _initial: u32, _now: SimTime) {
        self.window.cwnd = self.window.mss;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sequence::Seq;
    use super::*;

    fn reno(cwnd: u32, ssthresh: u32) -> Reno {
        Reno { window: Window { mss: 1_000, cwnd, ssthresh, most: 65_535 } }
    }

    fn acked(duplicates: u32) -> Acked {
        Acked {
            bytes: 1_000,
            ack: Seq(0),
            flight: 0,
            duplicates,
            limited: true,
            marked: false,
            now: SimTime::ZERO,
            srtt: Picos::ZERO,
            rtt: None,
        }
    }

    fn loss(duplicates: u32, window: u32) -> Loss {
        Loss {
            duplicates,
            una: Seq(0),
            max: Seq(0),
            window,
            lost: false,
            again: false,
            now: SimTime::ZERO,
        }
    }

    fn windows(reno: &Reno) -> (u32, u32) {
        (reno.window.cwnd, reno.window.ssthresh)
    }

    /// Claim [CSRG]: one MSS per ack up to and at ssthresh, then MSS^2 / cwnd + MSS / 8. From 4,000
    /// of 4,000: 5,000; 1,000,000 / 5,000 + 125 = 325 -> 5,325; 187 + 125 = 312 -> 5,637.
    #[test]
    fn growth_by_hand() {
        let mut reno = reno(3_000, 4_000);
        let mut all = Vec::new();
        for _ in 0..4 {
            reno.on_ack(&acked(0));
            all.push(reno.window.cwnd);
        }
        assert_eq!(all, [4_000, 5_000, 5_325, 5_637]);
    }

    /// Claim [CSRG]: cwnd does not grow beyond the greatest window that the receiver can advertise.
    #[test]
    fn the_window_has_a_lid() {
        let mut reno = reno(65_000, 65_535);
        reno.on_ack(&acked(0));
        assert_eq!(reno.window.cwnd, 65_535);
    }

    /// Claim [CSRG]: with 9,500 bytes out, the third duplicate halves to 4 segments and opens to 7;
    /// two further ones to 9; the new ack reduces it to 4 and adds one.
    #[test]
    fn fast_recovery_by_hand() {
        let mut reno = reno(9_500, 65_535);
        let resent: Vec<bool> = (1..=5).map(|n| reno.on_duplicate(&loss(n, 9_500))).collect();
        assert_eq!(resent, [false, false, true, false, false]);
        assert_eq!(windows(&reno), (9_000, 4_000));
        reno.on_ack(&acked(5));
        assert_eq!(windows(&reno), (5_000, 4_000));
    }

    /// Claim [CSRG]: after exactly three duplicates the window is not reduced: 7,000 + 1,000,000 /
    /// 7,000 + 125.
    #[test]
    fn three_duplicates_leave_the_window_open() {
        let mut reno = reno(9_500, 65_535);
        (1..=3).for_each(|n| {
            reno.on_duplicate(&loss(n, 9_500));
        });
        reno.on_ack(&acked(3));
        assert_eq!(windows(&reno), (7_000 + 142 + 125, 4_000));
    }

    /// Claim [CSRG]: a time-out leaves one segment, and a threshold of at least two.
    #[test]
    fn a_time_out_leaves_one_segment() {
        let mut reno = reno(9_500, 65_535);
        reno.on_timeout(&loss(0, 9_500));
        assert_eq!(windows(&reno), (1_000, 4_000));
        reno.on_timeout(&loss(0, 1_000));
        assert_eq!(windows(&reno), (1_000, 2_000));
    }
}
