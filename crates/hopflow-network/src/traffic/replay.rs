//! Replay of a recorded trace of cell times.
//!
//! ```text
//! t_n = start + x_n,  n = 0 .. N - 1                                             (1)
//! ```
//! | symbol | meaning                                              | unit |
//! |--------|------------------------------------------------------|------|
//! | x_n    | recorded instant of cell n, not before that of n - 1 | ps   |
//!
//! Several cells may share an instant. After the last one the source is silent for ever.
//! Differs: nothing. Not modelled: repetition, scaling. Checked by: `traffic/tests.rs`.

use std::sync::Arc;

use hopflow_units::{Picos, SimTime};

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Replay {
    start: SimTime,
    /// Shared, so that a copy of the source does not copy the trace.
    times: Arc<[Picos]>,
    next: usize,
}

impl Replay {
    pub(super) const FACTS: Facts = Facts::new("replay");

    pub(super) const fn arrivals(times: &[Picos]) -> Arrivals<'_> {
        Arrivals::Recorded(times)
    }

    pub(super) const fn faster(_by: Faster, _times: &[Picos]) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }

    /// The plan before cell 0. The instants do not decrease (asserted).
    pub(super) fn new(start: &Start<'_>, times: &[Picos]) -> Replay {
        assert!(times.is_sorted(), "a recorded trace does not run backwards");
        Replay { start: start.at, times: times.into(), next: 0 }
    }
}

impl Machine for Replay {
    #[inline]
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        let Some(&time) = self.times.get(self.next) else {
            return SimTime::NEVER;
        };
        self.next += 1;
        self.start.saturating_add(time)
    }
}
