//! Generic cell rate algorithm, in its virtual scheduling form.
//!
//! ```text
//! conforms:   t >= TAT - tau                                                     (1)
//! then        TAT := max(t, TAT) + T                                             (2)
//! ```
//! | symbol | meaning                                   | unit |
//! |--------|-------------------------------------------|------|
//! | TAT    | theoretical arrival time of the next packet | ps |
//! | T      | increment: one packet per T               | ps   |
//! | tau    | limit: how early a packet may be          | ps   |
//!
//! TAT is the auxVC of VirtualClock (`scheduler/virtual_clock.rs`) with T for Vtick, compared
//! with a limit instead of being stamped on the packet. With tau = (s - 1) T a burst of s packets
//! conforms.
//!
//! Source: [I.371]. Differs: nothing. Not modelled: the second bucket of a dual bucket. Checked by:
//! `policing/tests.rs`, against the continuous-state leaky bucket.

use hopflow_units::{Picos, SimTime};

/// The machine of Eqs. (1) and (2).
#[derive(Clone, Copy, Debug)]
pub struct Gcra {
    increment: Picos,
    limit: Picos,
    /// The TAT.
    theoretical: SimTime,
}

impl Gcra {
    /// A flow that has sent nothing yet.
    pub const fn new(increment: Picos, limit: Picos) -> Gcra {
        Gcra { increment, limit, theoretical: SimTime::ZERO }
    }

    pub(super) fn earliest(&self, now: SimTime) -> SimTime {
        now.max(SimTime(self.theoretical.0.saturating_sub(self.limit.0)))
    }

    pub(super) fn pass(&mut self, now: SimTime) {
        self.theoretical = now.max(self.theoretical).saturating_add(self.increment);
    }
}
