//! DCTCP: the window shrinks by the fraction of its bytes that were marked.
//!
//! ```text
//! each ack of new data:  acked += bytes,  marked += bytes if it echoes a mark
//! ack past the end of a window of data, i.e. the data outstanding when it began:
//!     alpha = (1 - g) alpha + g marked / acked;  acked = marked = 0                      (1)
//! then, with an echo, past all that was outstanding at the last cut, in no recovery:
//!     cwnd = max(cwnd (1 - alpha / 2), 2 MSS),  ssthresh = cwnd                          (2)
//! growth: as NewReno, but an ack with an echo grows nothing                             (3)
//! loss:   as NewReno                                                                    (4)
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | alpha | estimate of the fraction of marked data; initially 1 | 2^-20 |
//! | g | 1/16, the weight of a new window of data | 1 |
//! | `cwnd`, `ssthresh` | congestion window, slow start threshold | bytes |
//!
//! (2) cuts at the first echo, by the alpha of the windows before; if that ack ends a window of
//! data, (1) is applied first. The cut is immediate: the sender is silent until the outstanding
//! data fits. The receiver echoes exactly, see `receiver.rs`.
//!
//! Source: [RFC8257] 3.3 for (1), (2) and the initial alpha, 3.5 for (4); [RFC3168] 6.1.2 for (3);
//! [Alizadeh10]. Differs: integers, rounded down; Linux has 2^-10. The least window is 2 MSS, as in
//! Linux. Duplicate acks carry no information about marks. Not modelled: marks on anything but
//! data; a negotiation of ECN; the flag CWR, which [RFC8257] sets and no end uses. Checked by: the
//! tests below, `hopflow-engine/tests/dctcp.rs`.

use hopflow_units::SimTime;

use super::super::sequence::Seq;
use super::{Acked, Answer, Control, Cubic, Loss, NewReno, Start, TcpFacts, Window};

/// alpha = 1, as a shift.
const ONE: u32 = 20;
/// g = 2^-4.
const G: u32 = 4;

/// DCTCP's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dctcp {
    reno: NewReno,
    /// In units of 2^-20.
    alpha: u32,
    /// Bytes of this window of data, acknowledged and marked.
    acked: u64,
    marked: u64,
    /// The window of data ends with this byte.
    end: Seq,
    /// The end of the data that was outstanding at the last cut.
    cut: Seq,
}

impl Dctcp {
    /// The facts for others: as CUBIC, without SACK.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "dctcp",
        meaning: "[RFC8257], which heeds the marks of ports",
        sack: false,
        partial_acks: true,
        heeds_marks: true,
        ..Cubic::FACTS
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> Dctcp {
        let (reno, first) = (NewReno::new(start), start.first);
        Dctcp { reno, alpha: 1 << ONE, acked: 0, marked: 0, end: first, cut: first }
    }

    /// Eq. (1).
    fn learn(&mut self) {
        let part = (self.marked << ONE) / self.acked;
        self.alpha = self.alpha - (self.alpha >> G) + (part as u32 >> G);
        (self.acked, self.marked) = (0, 0);
    }

    /// Eq. (2).
    fn cut(&mut self) {
        let cwnd = self.window().cwnd;
        let less = (u64::from(cwnd) * u64::from(self.alpha)) >> (ONE + 1);
        self.reno.shrink(cwnd - less as u32);
    }
}

impl Control for Dctcp {
    fn window(&self) -> Window {
        self.reno.window()
    }

    fn allowance(&self, duplicates: u32) -> u32 {
        self.reno.allowance(duplicates)
    }

    fn on_ack(&mut self, acked: &Acked) -> Answer {
        self.acked += u64::from(acked.bytes);
        self.marked += u64::from(acked.bytes) * u64::from(acked.marked);
        let max = acked.ack.plus(acked.flight);
        if acked.ack.after(self.end) {
            self.learn();
            self.end = max;
        }
        let mut marked_down = false;
        if acked.ack.after(self.cut) {
            self.cut = acked.ack;
            if acked.marked && !self.reno.recovers() {
                self.cut();
                self.cut = max;
                marked_down = true;
            }
        }
        let limited = acked.limited && !acked.marked;
        Answer { marked_down, ..self.reno.on_ack(&Acked { limited, ..*acked }) }
    }

    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        self.reno.on_duplicate(loss)
    }

    fn on_timeout(&mut self, loss: &Loss) {
        self.reno.on_timeout(loss);
    }

    fn on_restart(&mut self, initial: u32, now: SimTime) {
        self.reno.on_restart(initial, now);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{loss, segment as acked};
    use super::*;

    const MSS: u32 = 1_000;

    fn dctcp(cwnd: u32, first: u32) -> Dctcp {
        let window = Window { mss: MSS, cwnd, ssthresh: 2 * MSS, most: 1 << 30 };
        Dctcp::new(&Start { window, first: Seq(first), impatient: false })
    }

    /// Claim [RFC8257] 3.3: alpha is initially 1; a window of data without marks leaves 15/16 of
    /// it. The first window of data is the first segment, which is not marked: alpha = 15/16, and
    /// the mark on the second leaves 1 - 15/32 of 10,100.
    #[test]
    fn the_first_cut_by_hand() {
        let mut dctcp = dctcp(10_000, 0);
        dctcp.on_ack(&acked(1_000, 10_000, false));
        assert_eq!((dctcp.alpha, dctcp.window().cwnd), (15 << 16, 10_100));
        dctcp.on_ack(&acked(2_000, 10_000, true));
        assert_eq!(dctcp.window().cwnd, 10_100 - 10_100 * 15 / 32);
        assert_eq!(dctcp.window().ssthresh, dctcp.window().cwnd);
    }

    /// Claim [RFC8257] 3.3: at most one cut for all data outstanding at the cut, however many
    /// marks; the first byte sent after it may cut again.
    #[test]
    fn one_cut_a_window() {
        let mut dctcp = dctcp(10_000, 0);
        let mut cuts = Vec::new();
        for segment in 1..=21 {
            let before = dctcp.window().cwnd;
            let max = if segment <= 10 { 10_000 } else { 20_000 };
            dctcp.on_ack(&acked(segment * 1_000, max, true));
            if dctcp.window().cwnd < before {
                cuts.push(segment);
            }
        }
        assert_eq!(cuts, [1, 11, 21]);
    }

    /// Claim: marked acks grow nothing, whatever the window, and no cut goes below 2 MSS.
    #[test]
    fn marks_grow_nothing_and_leave_two_segments() {
        let mut dctcp = dctcp(2_000, 0);
        for segment in 1..=50 {
            dctcp.on_ack(&acked(segment * 1_000, segment * 1_000 + 1_000, true));
            assert_eq!(dctcp.window().cwnd, 2_000);
        }
    }

    /// Claim [RFC8257] 3.5: the reaction to a loss is that of NewReno, and a mark in its recovery
    /// cuts nothing more.
    #[test]
    fn a_loss_halves() {
        let mut dctcp = dctcp(10_000, 0);
        dctcp.on_ack(&acked(1_000, 11_000, false));
        assert!(dctcp.on_duplicate(&loss(3, 1_000, 11_000)));
        assert_eq!(dctcp.window().ssthresh, 5_000);
        dctcp.on_ack(&acked(3_000, 11_000, true));
        assert_eq!(dctcp.window().ssthresh, 5_000);
    }

    /// Claim [RFC8257] 3.5: a time-out leaves a segment and half of the flight as the threshold, as
    /// NewReno does, and the estimate of the marks: 15/16 after one window without marks.
    #[test]
    fn a_time_out_leaves_alpha() {
        let mut dctcp = dctcp(10_000, 0);
        dctcp.on_ack(&acked(1_000, 10_000, false));
        dctcp.on_timeout(&loss(0, 1_000, 11_000));
        assert_eq!((dctcp.window().cwnd, dctcp.window().ssthresh), (MSS, 5_000));
        assert_eq!(dctcp.alpha, 15 << 16);
    }

    /// Claim [RFC8257] 3.3 (1): compared with a recursion in f64 over whole windows of data, with 0
    /// to all of 20 segments marked in each, alpha never deviates by more than 2^-15: a window
    /// rounds by less than 2 units of 2^-20, and 16 windows are remembered. Sequence numbers wrap.
    #[test]
    fn alpha_follows_the_recursion() {
        let start = u32::MAX - 100_000;
        let mut dctcp = dctcp(20_000, start);
        dctcp.on_ack(&acked(start.wrapping_add(1_000), start.wrapping_add(20_000), false));
        let mut exact = 15.0 / 16.0;
        let mut una = 1_000_u32;
        for window in 0..2_000_u32 {
            let marks = window * window % 21;
            let last = una + 20_000;
            // The ack past the end counts for the window that it ends.
            for segment in 0..20 {
                una += MSS;
                let max = last + if segment == 19 { 19_000 } else { 0 };
                let (ack, max) = (start.wrapping_add(una), start.wrapping_add(max));
                dctcp.on_ack(&acked(ack, max, segment < marks));
            }
            exact += (f64::from(marks) / 20.0 - exact) / 16.0;
            let alpha = f64::from(dctcp.alpha) / f64::from(1 << ONE);
            assert!((alpha - exact).abs() < 1.0 / 32_768.0, "{window}: {alpha}, not {exact}");
        }
    }
}
