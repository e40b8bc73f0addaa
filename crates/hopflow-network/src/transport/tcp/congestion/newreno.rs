//! NewReno: a recovery ends when everything outstanding at its start is acknowledged.
//!
//! ```text
//! cwnd += min(bytes, MSS)                  if cwnd < ssthresh       [RFC5681] 3.1 (2)       (1)
//! cwnd += max(1, floor(MSS MSS / cwnd))    otherwise                [RFC5681] 3.1 (3)       (2)
//! ssthresh = max(floor(flight / 2), 2 MSS)                          [RFC5681] 3.1 (4)       (3)
//! third duplicate, una > recover:  (3), cwnd = ssthresh + 3 MSS, recover = max,
//!            the first segment again                                [RFC6582] 3.2 step 2    (4)
//! each further duplicate in the recovery:  cwnd += MSS              [RFC5681] 3.2 step 4    (5)
//! partial ack (ack < recover):  cwnd -= bytes, += MSS if bytes >= MSS, the first segment again,
//!            the timer restarts; if impatient, at the first one only [RFC6582] 3.2 step 3, 4 (6)
//! full ack:  cwnd = min(ssthresh, max(flight, MSS) + MSS)           [RFC6582] 3.2 step 3    (7)
//! time-out:  cwnd = MSS, recover = max                              [RFC6582] 3.2 step 4    (8)
//!            and (3), unless the same segment timed out before      [RFC5681] 3.1
//!            or a recovery was in progress: then ssthresh stays
//! idle for a time-out:  cwnd = min(initial, cwnd)                   [RFC5681] 4.1           (9)
//! first and second duplicate: one new segment each                  [RFC5681] 3.2 step 1   (10)
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | `cwnd`, `ssthresh` | congestion window, slow start threshold | bytes |
//! | flight | bytes sent and not acknowledged; in (4) at most cwnd | bytes |
//! | `recover` | the byte after the last one sent when the recovery began | - |
//!
//! Most of the flight of a long recovery has arrived and waits above holes. Half of it would be a
//! threshold far above the capacity of the path, so (8) keeps the threshold of the start of the
//! recovery.
//!
//! Each partial ack restarts the timer: k holes in a window take k round trips, whatever k is.
//! [RFC6582] 4 calls this slow-but-steady, and Linux does it. The impatient variant does not
//! restart the timer from the second partial ack on, and times out if k round trips are longer.
//!
//! Source: as cited. Differs: `recover` points after the last byte, not at it, and starts before
//! the first byte of data. The window grows only when it limited the sender. Not modelled: nothing
//! of 3.2; appropriate byte counting is omitted, as [RFC5681] allows. Checked by: the tests below,
//! `tcp/tests/`.

use hopflow_units::{Picos, SimTime};

use super::super::clocks::TcpAcks;
use super::super::sequence::Seq;
use super::{Acked, Answer, Control, Loss, Reno, Start, TcpFacts, Window};

/// NewReno's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewReno {
    window: Window,
    recover: Seq,
    /// In a recovery: whether a partial ack has arrived.
    recovery: Option<bool>,
    /// Only the first partial ack restarts the timer.
    impatient: bool,
}

impl NewReno {
    /// The facts for others: with Ethernet's MSS, and the timers of BSD.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "newreno",
        meaning: "[RFC6582]",
        partial_acks: true,
        idle_since_heard: false,
        mss: 1_460,
        acks: TcpAcks::EverySecond { delay: Picos(Picos::PER_SECOND / 5) },
        initial_window: 3,
        ..Reno::FACTS
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> NewReno {
        let Start { window, first, impatient } = *start;
        NewReno { window, recover: first.minus(1), recovery: None, impatient }
    }

    /// Whether a recovery is in progress.
    pub(super) fn recovers(&self) -> bool {
        self.recovery.is_some()
    }

    /// Reduces the window to this value, but not below 2 MSS.
    pub(super) fn shrink(&mut self, cwnd: u32) {
        let window = &mut self.window;
        window.cwnd = cwnd.max(window.cwnd.min(2 * window.mss));
        window.ssthresh = window.cwnd.max(2 * window.mss);
    }

    /// Eq. (3).
    fn halve(&mut self, flight: u32) {
        self.window.ssthresh = (flight / 2).max(2 * self.window.mss);
    }
}

impl Control for NewReno {
    fn window(&self) -> Window {
        self.window
    }

    /// Eq. (10).
    fn allowance(&self, duplicates: u32) -> u32 {
        let extra = if self.recovery.is_none() { duplicates.min(2) } else { 0 };
        self.window.cwnd + extra * self.window.mss
    }

    /// Eq. (1), (2), (6), (7).
    fn on_ack(&mut self, acked: &Acked) -> Answer {
        match self.recovery {
            None => {
                grow(&mut self.window, acked);
                Answer::default()
            }
            Some(partial) if acked.ack.before(self.recover) => {
                let mss = self.window.mss;
                let rest = self.window.cwnd.saturating_sub(acked.bytes);
                self.window.cwnd = (if acked.bytes >= mss { rest + mss } else { rest }).max(mss);
                self.recovery = Some(true);
                let keep_timer = partial && self.impatient;
                Answer { resend: true, keep_timer, ..Answer::default() }
            }
            Some(_) => {
                let mss = self.window.mss;
                self.window.cwnd = self.window.ssthresh.min(acked.flight.max(mss) + mss);
                self.recovery = None;
                Answer::default()
            }
        }
    }

    /// Eq. (4), (5).
    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        if self.recovery.is_some() {
            self.window.cwnd += self.window.mss;
            return false;
        }
        if loss.duplicates != 3 || !loss.una.after(self.recover) {
            return false;
        }
        self.halve(loss.flight().min(self.window.cwnd));
        self.window.cwnd = self.window.ssthresh + 3 * self.window.mss;
        self.recover = loss.max;
        self.recovery = Some(false);
        true
    }

    /// Eq. (8).
    fn on_timeout(&mut self, loss: &Loss) {
        if !loss.again && self.recovery.is_none() {
            self.halve(loss.flight());
        }
        self.window.cwnd = self.window.mss;
        self.recover = loss.max;
        self.recovery = None;
    }

    /// Eq. (9).
    fn on_restart(&mut self, initial: u32, _now: SimTime) {
        self.window.cwnd = self.window.cwnd.min(initial);
    }
}

/// Eq. (1) and (2).
fn grow(window: &mut Window, acked: &Acked) {
    if !acked.limited {
        return;
    }
    let mss = window.mss;
    let increment = if window.cwnd < window.ssthresh {
        acked.bytes.min(mss)
    } else {
        ((u64::from(mss) * u64::from(mss) / u64::from(window.cwnd)) as u32).max(1)
    };
    window.grow(increment);
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{acked, loss};
    use super::*;

    fn newreno(cwnd: u32, ssthresh: u32) -> NewReno {
        let window = Window { mss: 1_000, cwnd, ssthresh, most: 65_535 };
        NewReno::new(&Start { window, first: Seq(0), impatient: false })
    }

    fn windows(newreno: &NewReno) -> (u32, u32) {
        (newreno.window.cwnd, newreno.window.ssthresh)
    }

    /// Claim [RFC5681] 3.1: one MSS per ack below ssthresh, from there MSS^2 / cwnd: 4,000 + 250,
    /// 4,250 + 235. An ack of half a segment adds half of one.
    #[test]
    fn growth_by_hand() {
        let mut newreno = newreno(2_500, 4_000);
        let mut all = Vec::new();
        for bytes in [2_000, 500, 1_000, 1_000] {
            newreno.on_ack(&acked(bytes, 0, 0));
            all.push(newreno.window.cwnd);
        }
        assert_eq!(all, [3_500, 4_000, 4_250, 4_485]);
    }

    /// Claim [RFC6582] 3.2: ten segments out, 0, 3 and 6 lost. Third duplicate: 5 + 3 segments;
    /// four more (seven in all: of 1, 2, 4, 5, 7, 8, 9): 12. The ack of 3,000 is partial: 12 - 3 +
    /// 1 = 10; that of 6,000: 8; that of 10,000 is full: min(5, max(flight, 1) + 1) with 2 out: 3.
    #[test]
    fn partial_acks_by_hand() {
        let mut newreno = newreno(10_000, 65_535);
        let resent: Vec<bool> =
            (1..=7).map(|n| newreno.on_duplicate(&loss(n, 0, 10_000))).collect();
        assert_eq!(resent, [false, false, true, false, false, false, false]);
        assert_eq!(windows(&newreno), (12_000, 5_000));
        let first = newreno.on_ack(&acked(3_000, 3_000, 9_000));
        assert_eq!(
            (first, newreno.window.cwnd),
            (Answer { resend: true, ..Answer::default() }, 10_000)
        );
        let second = newreno.on_ack(&acked(3_000, 6_000, 6_000));
        assert_eq!(
            (second, newreno.window.cwnd),
            (Answer { resend: true, ..Answer::default() }, 8_000)
        );
        let full = newreno.on_ack(&acked(4_000, 10_000, 2_000));
        assert_eq!((full, newreno.window.cwnd), (Answer::default(), 3_000));
    }

    /// Claim [RFC6582] 3.2 step 3: the impatient variant restarts the timer at the first partial
    /// ack and at no later one; both variants have the same window.
    #[test]
    fn the_impatient_variant_keeps_the_timer() {
        let mut patient = newreno(10_000, 65_535);
        let mut impatient = NewReno { impatient: true, ..patient };
        let mut kept = Vec::new();
        for newreno in [&mut patient, &mut impatient] {
            newreno.on_duplicate(&loss(3, 0, 10_000));
            let acks = [3_000, 6_000, 8_000].map(|ack| acked(1_000, ack, 10_000 - ack));
            kept.push(acks.map(|acked| newreno.on_ack(&acked).keep_timer));
        }
        assert_eq!(kept, [[false; 3], [false, true, true]]);
        assert_eq!(windows(&patient), windows(&impatient));
    }

    /// Claim [RFC6582] 3.2 step 2: after a time-out, duplicates for data sent before it start no
    /// fast retransmit; those for data sent later do.
    #[test]
    fn duplicates_from_before_a_time_out_are_ignored() {
        let mut newreno = newreno(10_000, 65_535);
        newreno.on_timeout(&loss(0, 0, 10_000));
        assert_eq!(windows(&newreno), (1_000, 5_000));
        assert!((1..=5).all(|n| !newreno.on_duplicate(&loss(n, 10_000, 12_000))));
        assert!(newreno.on_duplicate(&loss(3, 10_001, 20_000)));
    }

    /// Claim [RFC5681] 3.1: a second time-out of the same segment leaves ssthresh unchanged; 3.2
    /// step 2: segments sent for the first two duplicates do not count: 12 out, cwnd 10: ssthresh
    /// 5.
    #[test]
    fn a_loss_halves_once() {
        let mut newreno = newreno(10_000, 65_535);
        newreno.on_duplicate(&loss(3, 0, 12_000));
        assert_eq!(windows(&newreno), (8_000, 5_000));
        let lost = loss(0, 0, 20_000);
        newreno.on_timeout(&lost);
        assert_eq!(windows(&newreno), (1_000, 5_000), "the recovery had halved it");
        newreno.on_timeout(&lost);
        assert_eq!(windows(&newreno), (1_000, 10_000));
        newreno.on_timeout(&Loss { again: true, max: Seq(1_000), ..lost });
        assert_eq!(windows(&newreno), (1_000, 10_000));
    }

    /// Claim [RFC5681] 3.2 step 1: one segment more for each of the first two duplicates.
    #[test]
    fn two_duplicates_let_two_segments_go() {
        let newreno = newreno(10_000, 65_535);
        let all: Vec<u32> = (0..4).map(|n| newreno.allowance(n)).collect();
        assert_eq!(all, [10_000, 11_000, 12_000, 12_000]);
    }

    /// Claim [RFC5681] 3.1: a window that does not limit the sender does not grow.
    #[test]
    fn an_idle_window_does_not_grow() {
        let mut newreno = newreno(2_000, 65_535);
        newreno.on_ack(&Acked { limited: false, ..acked(1_000, 0, 0) });
        assert_eq!(newreno.window.cwnd, 2_000);
        newreno.on_restart(3_000, SimTime::ZERO);
        assert_eq!(newreno.window.cwnd, 2_000);
        newreno.on_restart(1_000, SimTime::ZERO);
        assert_eq!(newreno.window.cwnd, 1_000);
    }
}
