//! A constant bit rate, exact for ever: rounding errors do not accumulate.
//!
//! ```text
//! t_n = start + ceil(B_n / r),  n = 0, 1, ...                                    (1)
//! ```
//! | symbol | meaning                                   | unit        |
//! |--------|-------------------------------------------|-------------|
//! | B_n    | bits of all packets before packet n       | bits        |
//! | r      | rate, including the packets' headers      | bits/second |
//!
//! B_n / r is kept as whole picoseconds and a remainder below r, so that a step is two additions
//! of integers. Mean rate: r. With one size b, neighbours are floor(b/r) or ceil(b/r) ps apart.
//! Differs: nothing. Not modelled: jitter, policing. Checked by: `traffic/tests.rs`.

use hopflow_units::{Picos, Rate, SimTime};

use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};
use super::{SourceSpec, bit_picos};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Constant {
    start: SimTime,
    rate: u64,
    /// floor(B_n / r) for the next packet n, in ps.
    whole: u64,
    /// B_n - `whole` r, below r, in bits/second x ps.
    rest: u64,
}

impl Constant {
    pub(super) const FACTS: Facts = Facts::new("constant");

    pub(super) const fn arrivals(rate: Rate) -> Arrivals<'static> {
        Arrivals::Steady(rate)
    }

    pub(super) fn faster(by: Faster, rate: Rate) -> Result<SourceSpec, NotFaster> {
        Ok(SourceSpec::Constant { rate: by.raised(rate)? })
    }

    /// The plan before cell 0.
    pub(super) fn new(start: &Start<'_>, rate: Rate) -> Constant {
        Constant { start: start.at, rate: rate.bps(), whole: 0, rest: 0 }
    }
}

impl Machine for Constant {
    #[inline]
    fn next_packet(&mut self, bytes: u32, _first: &mut FirstLink) -> SimTime {
        let bit_picos = bit_picos(bytes);
        let rounded_up = Picos(self.whole.saturating_add(u64::from(self.rest > 0)));
        let due = self.start.saturating_add(rounded_up);
        let (step, gained) = (bit_picos / self.rate, bit_picos % self.rate);
        let until_carry = self.rate - self.rest;
        let carry = gained >= until_carry;
        self.rest = if carry { gained - until_carry } else { self.rest + gained };
        self.whole = self.whole.saturating_add(step + u64::from(carry));
        due
    }
}
