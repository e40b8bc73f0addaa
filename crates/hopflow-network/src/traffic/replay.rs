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

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Replay {
    start: SimTime,
    /// Shared, so that a copy of the source does not copy the trace.
    times: Arc<[Picos]>,
    next: usize,
}

impl Replay {
    /// The plan before cell 0. The instants do not decrease (asserted).
    pub(super) fn new(start: SimTime, times: &[Picos]) -> Replay {
        assert!(times.is_sorted(), "a recorded trace does not run backwards");
        Replay { start, times: times.into(), next: 0 }
    }

    /// When the next cell is due; `NEVER` after the last or on overflow.
    pub(super) fn next_packet(&mut self) -> SimTime {
        let Some(&time) = self.times.get(self.next) else {
            return SimTime::NEVER;
        };
        self.next += 1;
        self.start.saturating_add(time)
    }
}
