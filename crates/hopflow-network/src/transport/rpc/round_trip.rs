//! Time-outs of calls, from measured round trips, in ticks.
//!
//! ```text
//! m  = r + 1                                 ticks that passed until the reply   (1)
//! A <- A + (m - A) / 8                                                           (2)
//! D <- D + (|m - A| - D) / 4                 with A from before (2)              (3)
//! T  = A + 2 D  (LOOKUP, GETATTR),   A + 4 D  (READ, WRITE)                      (4)
//! a call is sent again at the first tick at which r > T 2^min(k, 8)              (5)
//! ```
//! | symbol | meaning                                                        | unit  |
//! |--------|----------------------------------------------------------------|-------|
//! | r      | ticks since the call was sent                                  | ticks |
//! | A, D   | mean and mean deviation, one pair per procedure                | ticks |
//! | T      | time-out                                                       | ticks |
//! | k      | time-outs since the last reply, of all calls together          | 1     |
//!
//! The arithmetic is in whole numbers as in the source: `mean` is 8 A, `deviation` 4 D, Eq. (4) is
//! rounded up. Before the first measurement A is the first time-out and D is 0. A call that was
//! sent again measures nothing (its reply may belong to either copy). The 1 in (1) is needed
//! because a reply within the tick has r = 0; so A does not fall below 1, and D not to 0 (whole
//! numbers again): on a fast network T settles at 4 ticks (LOOKUP, GETATTR) and 6 (READ, WRITE).
//!
//! Source: the NFS client of 4.4BSD [NFS93], `nfs_timer` and `nfs_reply`; [Mac91] describes its
//! origin. Differs: nothing in these rules. Checked by: `rpc/tests/round_trips.rs`.

use super::Procedure;

/// The most doublings of a time-out.
const MOST_DOUBLINGS: u32 = 8;

/// The measurements on the path to one server.
#[derive(Clone, Debug)]
pub(super) struct RoundTrips {
    /// Indexed by procedure.
    measured: [RoundTrip; 4],
    /// k, at most [`MOST_DOUBLINGS`].
    timeouts: u32,
}

#[derive(Clone, Copy, Debug)]
struct RoundTrip {
    /// 8 A.
    mean: i64,
    /// 4 D.
    deviation: i64,
}

impl RoundTrips {
    /// The state before any measurement. The first time-out is below 2^48 ticks.
    pub(super) fn new(first_timeout: u64) -> RoundTrips {
        let unknown = RoundTrip { mean: first_timeout.cast_signed() * 8, deviation: 0 };
        RoundTrips { measured: [unknown; 4], timeouts: 0 }
    }

    /// T 2^k in ticks, Eqs. (4) and (5).
    pub(super) fn timeout(&self, procedure: Procedure) -> u64 {
        let RoundTrip { mean, deviation } = self.measured[procedure as usize];
        let ticks = match procedure {
            Procedure::Lookup | Procedure::GetAttributes => {
                (((mean + 3) >> 2) + deviation + 1) >> 1
            }
            Procedure::Read | Procedure::Write => ((mean + 7) >> 3) + deviation + 1,
        };
        ticks.unsigned_abs() << self.timeouts
    }

    /// A call has timed out.
    pub(super) fn timed_out(&mut self) {
        self.timeouts = (self.timeouts + 1).min(MOST_DOUBLINGS);
    }

    /// A reply has arrived, `ticks` after its call was sent if that was sent once. Eqs. (1) to (3).
    pub(super) fn answered(&mut self, procedure: Procedure, ticks: Option<u64>) {
        self.timeouts = 0;
        if let Some(ticks) = ticks {
            let RoundTrip { mean, deviation } = &mut self.measured[procedure as usize];
            let measured = i64::try_from(ticks).expect("a run has less than 2^63 ticks") + 1;
            let error = measured - (*mean >> 3);
            *mean += error;
            *deviation += error.abs() - (*deviation >> 2);
        }
    }
}
