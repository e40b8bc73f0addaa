//! NewReno with ECN: a mark halves the window, as a loss does.
//!
//! ```text
//! ack with an echo, past `cut`, in no recovery:
//!     cwnd = max(floor(cwnd / 2), 2 MSS),  ssthresh = cwnd,
//!     cut = the byte after the last one sent                                             (1)
//! growth:    as NewReno, but an ack with an echo grows nothing                           (2)
//! loss:      as NewReno; a time-out also sets `cut`                                      (3)
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | `cwnd`, `ssthresh` | congestion window, slow start threshold | bytes |
//! | `cut` | the end of the data that was outstanding at the last cut or time-out | - |
//!
//! All data that was outstanding at a reduction belongs to one window of data, which reduces the
//! window once: (1) ignores its marks, after a loss too, whose recovery lasts until all of it is
//! acknowledged. The cut is immediate: the sender is silent until the outstanding data fits.
//!
//! Source: [RFC3168] 6.1.2. Differs: the receiver echoes exactly, see `receiver.rs`; that of
//! [RFC3168] 6.1.3 repeats the echo until the sender answers with CWR, so that a lost ack loses no
//! echo. The least window after a mark is 2 MSS, as after a loss; [RFC3168] goes down to 1 MSS, and
//! then lets a retransmission timer pass. A loss in the window of data of a mark halves once more.
//! Duplicate acks carry no information about marks. Not modelled: marks on anything but data; a
//! negotiation of ECN; the flag CWR. Checked by: the tests below,
//! `hopflow-engine/tests/newreno_ecn.rs`.

use hopflow_units::SimTime;

use super::super::sequence::Seq;
use super::{Acked, Answer, Control, Loss, NewReno, Start, TcpFacts, Window};

/// The window of NewReno with ECN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewRenoEcn {
    reno: NewReno,
    /// The end of the data that was outstanding at the last cut or time-out.
    cut: Seq,
}

impl NewRenoEcn {
    /// The facts for others: NewReno's, but that it heeds marks.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "newreno-ecn",
        meaning: "as `newreno`, and a mark of a port halves the window, as a loss does [RFC3168]",
        heeds_marks: true,
        ..NewReno::FACTS
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> NewRenoEcn {
        NewRenoEcn { reno: NewReno::new(start), cut: start.first }
    }
}

impl Control for NewRenoEcn {
    fn window(&self) -> Window {
        self.reno.window()
    }

    fn allowance(&self, duplicates: u32) -> u32 {
        self.reno.allowance(duplicates)
    }

    /// Eq. (1), (2).
    fn on_ack(&mut self, acked: &Acked) -> Answer {
        let mut marked_down = false;
        if acked.ack.after(self.cut) {
            self.cut = acked.ack;
            if acked.marked && !self.reno.recovers() {
                self.reno.shrink(self.window().cwnd / 2);
                self.cut = acked.ack.plus(acked.flight);
                marked_down = true;
            }
        }
        let limited = acked.limited && !acked.marked;
        Answer { marked_down, ..self.reno.on_ack(&Acked { limited, ..*acked }) }
    }

    fn on_duplicate(&mut self, loss: &Loss) -> bool {
        self.reno.on_duplicate(loss)
    }

    /// Eq. (3).
    fn on_timeout(&mut self, loss: &Loss) {
        self.reno.on_timeout(loss);
        self.cut = loss.max;
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

    /// In congestion avoidance.
    fn newreno_ecn(cwnd: u32, first: u32) -> NewRenoEcn {
        let window = Window { mss: MSS, cwnd, ssthresh: 2 * MSS, most: 1 << 30 };
        NewRenoEcn::new(&Start { window, first: Seq(first), impatient: false })
    }

    fn windows(control: &NewRenoEcn) -> (u32, u32) {
        (control.window().cwnd, control.window().ssthresh)
    }

    /// Claim [RFC3168] 6.1.2: a mark halves the window and the threshold, and its ack grows
    /// nothing. An ack without a mark grows by MSS^2 / cwnd: 10,000 + 100, half is 5,050, then +
    /// 198.
    #[test]
    fn a_mark_halves() {
        let mut control = newreno_ecn(10_000, 0);
        let mut all = Vec::new();
        for (ack, marked) in [(1_000, false), (2_000, true), (3_000, true), (4_000, false)] {
            control.on_ack(&acked(ack, 11_000, marked));
            all.push(windows(&control));
        }
        assert_eq!(all, [(10_100, 2_000), (5_050, 5_050), (5_050, 5_050), (5_248, 5_050)]);
    }

    /// Claim [RFC3168] 6.1.2: at most one cut for all data outstanding at the cut, however many
    /// marks; the first byte sent after it may cut again. 10, 5, 2.5 segments, and no less than 2.
    /// Sequence numbers wrap.
    #[test]
    fn one_cut_a_window() {
        let start = u32::MAX - 5_500;
        let mut control = newreno_ecn(10_000, start);
        let mut cuts = Vec::new();
        for segment in 1..=31_u32 {
            let before = control.window().cwnd;
            let max = start.wrapping_add(segment.next_multiple_of(10) * 1_000);
            control.on_ack(&acked(start.wrapping_add(segment * 1_000), max, true));
            if control.window().cwnd < before {
                cuts.push((segment, control.window().cwnd));
            }
        }
        assert_eq!(cuts, [(1, 5_000), (11, 2_500), (21, 2_000)]);
    }

    /// Claim [RFC3168] 6.1.2: a window of data reduces the window once. The third duplicate leaves
    /// half of 10 segments, and neither a mark in the recovery nor that of the full ack cuts more,
    /// although this one is past all that was out; the next one does: the full ack left min(5, 1 +
    /// 1) segments, of which none may go.
    #[test]
    fn a_mark_in_a_recovery_cuts_nothing() {
        let mut control = newreno_ecn(10_000, 0);
        control.on_ack(&acked(1_000, 11_000, false));
        assert!(control.on_duplicate(&loss(3, 1_000, 11_000)));
        assert_eq!(windows(&control), (8_000, 5_000));
        control.on_ack(&acked(3_000, 11_000, true));
        control.on_ack(&acked(12_000, 13_000, true));
        assert_eq!(windows(&control), (2_000, 5_000));
        control.on_ack(&acked(13_000, 15_000, true));
        assert_eq!(windows(&control), (2_000, 2_000));
    }

    /// Claim [RFC3168] 6.1.2: "should not decrease the slow-start threshold, if it has been
    /// decreased within the last round trip": marks of data sent before a time-out leave it, and
    /// their acks grow nothing.
    #[test]
    fn marks_from_before_a_time_out_cut_nothing() {
        let mut control = newreno_ecn(10_000, 0);
        control.on_timeout(&loss(0, 0, 10_000));
        assert_eq!(windows(&control), (1_000, 5_000));
        control.on_ack(&acked(10_000, 11_000, true));
        assert_eq!(windows(&control), (1_000, 5_000));
    }

    /// Claim: it is NewReno in all that others see, but for its name and that it heeds marks.
    #[test]
    fn its_facts_are_those_of_newreno() {
        let TcpFacts { name, meaning, .. } = NewReno::FACTS;
        let facts = NewRenoEcn::FACTS;
        assert!(facts.heeds_marks && facts.name != name);
        assert_eq!(TcpFacts { name, meaning, heeds_marks: false, ..facts }, NewReno::FACTS);
    }
}
