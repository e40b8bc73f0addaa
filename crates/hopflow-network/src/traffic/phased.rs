//! One packet in every gap, starting at a random phase.
//!
//! ```text
//! t_n = start + U + n g,  U uniform on the whole picoseconds of [0, g)           (1)
//! ```
//! | symbol | meaning                       | unit |
//! |--------|-------------------------------|------|
//! | g      | from one packet to the next   | ps   |
//!
//! N such sources on one link are the queue N D / D / 1. Differs: nothing. Not modelled: drift.
//! Checked by: `traffic/tests/packets.rs`.

use hopflow_units::{Picos, SimTime};

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Phased {
    next: SimTime,
    gap: Picos,
}

impl Phased {
    /// The random phase is a key of `constant`.
    pub(super) const FACTS: Facts =
        Facts { is_kind: false, ..Facts::new("constant, random phase") };

    pub(super) const fn arrivals(gap: Picos) -> Arrivals<'static> {
        Arrivals::Gaps { mean_ps: gap.0 as f64, least: Ok(gap), is_stationary: true }
    }

    #[expect(clippy::unnecessary_wraps, reason = "every kind is asked alike")]
    pub(super) fn faster(by: Faster, gap: Picos) -> Result<SourceSpec, NotFaster> {
        Ok(SourceSpec::Phased { gap: by.shortened(gap) })
    }

    /// The plan before packet 0. The gap is not zero (asserted).
    pub(super) fn new(start: &Start<'_>, gap: Picos) -> Phased {
        assert!(gap > Picos::ZERO, "packets come one after the other");
        let phase = (u128::from(start.stream().next_u64()) * u128::from(gap.0)) >> 64;
        Phased { next: start.at.saturating_add(Picos(phase as u64)), gap }
    }
}

impl Machine for Phased {
    #[inline]
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        let due = self.next;
        self.next = due.saturating_add(self.gap);
        due
    }
}
