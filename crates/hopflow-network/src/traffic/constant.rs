//! A constant bit rate, exact for ever: rounding never adds up.
//!
//! ```text
//! t_n = start + ceil(n b / r),  n = 0, 1, ...                                    (1)
//! ```
//! | symbol | meaning                           | unit        |
//! |--------|-----------------------------------|-------------|
//! | b      | bits of a cell, 424 (53 bytes)    | bits        |
//! | r      | rate, the cell's header included  | bits/second |
//!
//! n b / r is kept as whole picoseconds and a remainder below r, so that a step is two additions
//! of integers and no division. Mean rate: r. Two neighbours are floor(b/r) or ceil(b/r) ps apart.
//! Differs: nothing. Not modelled: jitter, policing. Checked by: `traffic/tests.rs`.

use hopflow_units::{Picos, Rate, SimTime};

use super::CELL_BIT_PICOS;

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Constant {
    start: SimTime,
    rate: u64,
    /// floor(n b / r) for the next cell n, in ps.
    whole: u64,
    /// n b - `whole` r, below r, in bits/second x ps.
    rest: u64,
}

impl Constant {
    /// The plan before cell 0.
    pub(super) fn new(start: SimTime, rate: Rate) -> Constant {
        Constant { start, rate: rate.bps(), whole: 0, rest: 0 }
    }

    /// When the next cell is due, `NEVER` past the range of time.
    pub(super) fn next_cell(&mut self) -> SimTime {
        let rounded_up = Picos(self.whole.saturating_add(u64::from(self.rest > 0)));
        let due = self.start.saturating_add(rounded_up);
        let (step, gained) = (CELL_BIT_PICOS / self.rate, CELL_BIT_PICOS % self.rate);
        let until_carry = self.rate - self.rest;
        let carry = gained >= until_carry;
        self.rest = if carry { gained - until_carry } else { self.rest + gained };
        self.whole = self.whole.saturating_add(step + u64::from(carry));
        due
    }
}
