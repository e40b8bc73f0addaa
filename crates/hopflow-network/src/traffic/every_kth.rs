//! Every k-th cell time: the source of [KMCL94] Figures 10 and 11, with k = 3.
//!
//! ```text
//! t_n = start + n k T,  n = 0, 1, ...                                            (1)
//! ```
//! | symbol | meaning                                   | unit        |
//! |--------|-------------------------------------------|-------------|
//! | k      | cell times from one cell to the next, >= 1 | cell times |
//! | T      | time of the largest packet on the first link | ps       |
//!
//! Mean rate: one cell in k cell times, the share 1/k of the link. Differs: nothing.
//! Not modelled: jitter. Checked by: `traffic/tests.rs`.

use hopflow_units::{Picos, SimTime};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct EveryKth {
    next: SimTime,
    step: Picos,
}

impl EveryKth {
    /// The plan before cell 0. `k` is at least 1 (asserted).
    pub(super) fn new(start: SimTime, k: u64, cell_time: Picos) -> EveryKth {
        assert!(k >= 1, "k is at least one cell time");
        // An overflow of the step leaves only cell 0.
        EveryKth { next: start, step: Picos(cell_time.0.saturating_mul(k)) }
    }

    /// When the next packet is due; `NEVER` on overflow.
    pub(super) fn next_packet(&mut self) -> SimTime {
        let due = self.next;
        self.next = due.saturating_add(self.step);
        due
    }
}
