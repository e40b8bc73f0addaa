//! Reno's window without fast retransmit: only the timer finds a lost segment.
//!
//! Eq. (1), (5) and (6) of `reno.rs` do not apply: duplicates change nothing.
//!
//! Source: [CSRG], with the differences listed in `reno.rs`; the sources of [Cai97]. Checked by:
//! the test below, `tcp/tests/`.

use hopflow_units::SimTime;

use super::{Acked, Answer, Control, Loss, Reno, Start, TcpFacts, Window};

/// Reno's window, which ignores duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RenoWithoutFastRetransmit {
    reno: Reno,
}

impl RenoWithoutFastRetransmit {
    /// The facts for others.
    pub(super) const FACTS: TcpFacts = TcpFacts {
        name: "reno-without-fast-retransmit",
        meaning: "as `reno`, but only the timer finds a lost segment",
        ..Reno::FACTS
    };

    /// The state at the start.
    pub(super) fn new(start: &Start) -> RenoWithoutFastRetransmit {
        RenoWithoutFastRetransmit { reno: Reno::new(start) }
    }
}

impl Control for RenoWithoutFastRetransmit {
    fn window(&self) -> Window {
        self.reno.window()
    }

    fn on_ack(&mut self, acked: &Acked) -> Answer {
        self.reno.on_ack(&Acked { duplicates: 0, ..*acked })
    }

    fn on_duplicate(&mut self, _loss: &Loss) -> bool {
        false
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
    use super::super::super::sequence::Seq;
    use super::*;
    use hopflow_units::Picos;

    /// Claim: duplicates change nothing, and the ack after them adds one segment below ssthresh.
    #[test]
    fn duplicates_are_nothing() {
        let first = Seq(0);
        let window = Window { mss: 1_000, cwnd: 9_500, ssthresh: 9_000, most: 65_535 };
        let start = Start { window, first, impatient: false };
        let mut reno = RenoWithoutFastRetransmit::new(&start);
        let loss = |duplicates| {
            let (una, max) = (first, first);
            Loss {
                duplicates,
                una,
                max,
                window: 9_500,
                lost: false,
                again: false,
                now: SimTime::ZERO,
            }
        };
        assert!((1..=9).all(|n| !reno.on_duplicate(&loss(n))));
        assert_eq!(reno.window(), window);
        let (now, srtt) = (SimTime::ZERO, Picos::ZERO);
        let (bytes, flight, limited, marked) = (1_000, 0, true, false);
        reno.on_ack(&Acked {
            bytes,
            ack: first,
            flight,
            duplicates: 9,
            limited,
            marked,
            now,
            srtt,
            rtt: None,
        });
        assert_eq!(reno.window().cwnd, 9_500 + 1_000 * 1_000 / 9_500 + 125);
    }
}
