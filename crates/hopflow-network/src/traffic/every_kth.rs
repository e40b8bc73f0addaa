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

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct EveryKth {
    next: SimTime,
    step: Picos,
}

impl EveryKth {
    pub(super) const FACTS: Facts = Facts::new("every-kth");

    pub(super) const fn arrivals(k: u64) -> Arrivals<'static> {
        Arrivals::PacketTimes(k)
    }

    pub(super) const fn faster(_by: Faster, _k: u64) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }

    /// The plan before cell 0. `k` is at least 1 (asserted).
    pub(super) fn new(start: &Start<'_>, k: u64) -> EveryKth {
        assert!(k >= 1, "k is at least one cell time");
        // A step that overflows leaves cell 0 alone.
        EveryKth { next: start.at, step: Picos(start.longest.0.saturating_mul(k)) }
    }
}

impl Machine for EveryKth {
    #[inline]
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        let due = self.next;
        self.next = due.saturating_add(self.step);
        due
    }
}
