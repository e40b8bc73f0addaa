//! The lowest rate that a port reported to a VC in the last one to two settling times.
//!
//! ```text
//!  |<- settle ->|<- settle ->|
//!  |   older    |   newer    | now        lowest = min(older, newer)
//! ```
//! Each window begins with the rate that is in force, so a window without BRMs has that rate. A VC
//! that just arrived has not been held to any rate: its lowest rate is zero until two windows have
//! passed.
//!
//! Symbols: H and `settle` of `vc_counting.rs`. Source: ours; two windows stand for a sliding
//! minimum. Differs: nothing. Not modelled: nothing. Checked by: the tests below.

use hopflow_units::{CellRate, Picos, SimTime};

/// Lowest rates of two windows, in cells per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    end: SimTime,
    older: CellRate,
    newer: CellRate,
    last: CellRate,
}

impl Held {
    /// The state of a VC to which no rate was reported.
    pub(super) const NEW: Held = Held {
        end: SimTime::ZERO,
        older: CellRate::ZERO,
        newer: CellRate::ZERO,
        last: CellRate::ZERO,
    };

    /// Forgets all rates when the VC arrives.
    pub(super) fn restart(&mut self, now: SimTime, settle: Picos) {
        *self = Held { end: now.saturating_add(settle), ..Held::NEW };
    }

    /// A BRM reports this rate to the VC.
    pub(super) fn tell(&mut self, now: SimTime, settle: Picos, rate: CellRate) {
        self.move_on(now, settle);
        self.newer = self.newer.min(rate);
        self.last = rate;
    }

    /// The lowest rate of the two windows.
    pub(super) fn lowest(&mut self, now: SimTime, settle: Picos) -> CellRate {
        self.move_on(now, settle);
        self.older.min(self.newer)
    }

    fn move_on(&mut self, now: SimTime, settle: Picos) {
        if now < self.end {
            return;
        }
        let windows = now.since(self.end).0 / settle.0 + 1;
        self.older = if windows == 1 { self.newer } else { self.last };
        self.newer = self.last;
        self.end = SimTime(self.end.0.saturating_add(windows.saturating_mul(settle.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::rate;
    use super::*;

    const SETTLE: Picos = Picos(100);

    fn lowest(held: &Held, now: u64) -> f64 {
        let mut held = *held;
        held.lowest(SimTime(now), SETTLE).get()
    }

    fn is(left: f64, right: f64) -> bool {
        left.to_bits() == right.to_bits()
    }

    /// Claim: a low rate counts for at least one and at most two windows after the next report.
    #[test]
    fn a_low_rate_is_kept_for_a_settling_time() {
        let mut held = Held::NEW;
        held.restart(SimTime::ZERO, SETTLE);
        held.tell(SimTime(10), SETTLE, rate(50.0));
        assert!(is(lowest(&held, 199), 0.0), "new, so held to nothing for two windows");
        assert!(is(lowest(&held, 200), 50.0));
        held.tell(SimTime(290), SETTLE, rate(20.0));
        held.tell(SimTime(295), SETTLE, rate(80.0));
        assert!(is(lowest(&held, 399), 20.0));
        assert!(is(lowest(&held, 400), 80.0));
    }

    /// Claim: without BRMs the last rate stays in force, however long.
    #[test]
    fn the_last_rate_stays_in_force() {
        let mut held = Held::NEW;
        held.restart(SimTime::ZERO, SETTLE);
        held.tell(SimTime(10), SETTLE, rate(50.0));
        held.tell(SimTime(20), SETTLE, rate(70.0));
        assert!(is(lowest(&held, 1_000_000), 70.0));
    }
}
