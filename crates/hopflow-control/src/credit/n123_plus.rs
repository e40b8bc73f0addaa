//! N123+: N123 with a sender that starts at most N1 cells in any round trip, so that N1 follows the
//! VC's rate instead of the link's.
//!
//! ```text
//! C  = max(0, N2 + N3 - B)                                                       (1)
//! CC = C                                                                         (2)
//! a packet may start at t  <=>  CC >= L and E(t) + L <= N1                       (3)
//! E(t) = units started in (t - R, t]
//! N1 = ceil(R B_VC / 424)            buffer N1 + N2 + N3                         (4)
//! ```
//! | symbol             | meaning                                            | unit     |
//! |--------------------|----------------------------------------------------|----------|
//! | N1, `n1`           | zone for cells in flight; the most starts per R    | cells    |
//! | N2, N3, B          | as in N123 (`n123.rs`)                             | cells    |
//! | L, `largest`       | units of the largest packet; 1 for cells           | units    |
//! | R                  | round trip: a packet out, a credit back            | ps       |
//! | B_VC               | the VC's target rate over time R                   | bits/s   |
//! | CC, `credit_count` | cells that may still start, subject to (3)         | cells    |
//!
//! By (3) the B of a credit misses at most N1 cells, so the receiver never holds more than N1 +
//! N2 + N3, and the VC never exceeds N1 cells in R. It may use the N1 of an R in one burst.
//!
//! Source: named in [KMCL94] 3 and note 2, which cites [KC93] for the rules. (1) to (4) are our
//! reading of what is said there: three zones, less memory than N123, more than N23, a cost between
//! them. Not modelled: nothing. Checked by: `n123_plus/tests.rs`, `docs/models/n123.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::starts::Starts;
use super::{CreditValue, Facts, N1, Permission, Start};

/// The sending end of N123+.
#[derive(Clone, Debug)]
pub struct N123PlusSender {
    credit_count: Cells,
    n1: Cells,
    largest: Cells,
    starts: Starts,
}

impl N123PlusSender {
    pub(super) const FACTS: Facts =
        Facts { n1: Some(N1::Target), names_instants: true, ..Facts::new("n123+") };

    /// N1 is at least L (asserted).
    pub(super) fn new(start: Start) -> N123PlusSender {
        let Start { credit, n1, round_trip, units } = start;
        let largest = units.largest();
        assert!(n1 >= largest, "N1 has the largest packet, at least one cell");
        N123PlusSender { credit_count: credit, n1, largest, starts: Starts::new(round_trip) }
    }
}

impl Machine for N123PlusSender {
    /// Eq. (3).
    fn permission(&self, now: SimTime) -> Permission {
        if self.credit_count < self.largest {
            return Permission::Blocked;
        }
        self.starts.permission(now, self.n1 - self.largest)
    }

    fn on_send(&mut self, now: SimTime, units: Cells) {
        assert_eq!(self.permission(now), Permission::Now, "N123+ sent a cell without permission");
        self.credit_count -= units;
        self.starts.push(now, units);
    }

    /// Sets the count to C. Eq. (2).
    fn on_credit(&mut self, _now: SimTime, value: CreditValue, _in_flight: Cells) {
        self.credit_count = Cells(value.bits());
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.credit_count
    }
}

#[cfg(test)]
mod tests;
