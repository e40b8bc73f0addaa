//! A constant rate that alternates: the video VC of [KMCL94] Figure 8 (10 % and 66 %).
//!
//! Bits accrue at the present rate, and a cell is due when its bits are complete:
//! ```text
//! r(x) = low for x in [0, H), high for x in [H, 2H), then again with period 2H   (1)
//! A(t) = integral of r(x) dx over [0, t]                                         (2)
//! t_n  = start + the first whole ps t with A(t) >= B_n and r(t) > 0,  n = 0, 1, ...  (3)
//! ```
//! | symbol | meaning                          | unit        |
//! |--------|----------------------------------|-------------|
//! | r      | rate, including the cell's header | bits/second |
//! | H      | half period                      | ps          |
//! | B_n    | bits of all packets before n     | bits        |
//!
//! So a change of rate neither loses nor creates bits: a cell half accrued at the old rate is
//! completed at the new one. In a silent half period, of rate 0, nothing is due: a cell whose bits
//! complete just when silence begins is due when silence ends, since it would be passed on with the
//! bits of the next. At least one of the rates is above 0. All numbers are integers (bits/second x
//! ps); rounding errors do not accumulate. With low = high it is the constant source. Mean rate:
//! (low + high) / 2.
//!
//! Source: [KMCL94] 6 (its period is not given). Differs: nothing. Not modelled: ramps between the
//! rates, frames. Checked by: `traffic/tests.rs`.

use hopflow_units::{Picos, Rate, SimTime, exact, wide};
use serde::Serializer;

use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};
use super::{SourceSpec, bit_picos};

/// Writes a rate, 0 for silence.
#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) fn or_zero<S: Serializer>(rate: &Option<Rate>, to: S) -> Result<S::Ok, S::Error> {
    exact::serialize(&rate.map_or(0, Rate::bps), to)
}

/// The instants of Eq. (3).
#[derive(Clone, Debug)]
pub(super) struct Alternating {
    start: SimTime,
    /// The rate of this half period and of the next, 0 in silence.
    rates: [u64; 2],
    half_period: u64,
    /// When this half period begins, after `start`, in ps.
    begin: u128,
    /// The bits that the next cell still lacks when this half period begins, in bits/second x ps.
    lacking: u128,
}

impl Alternating {
    pub(super) const FACTS: Facts = Facts::new("alternating");

    pub(super) const fn arrivals(
        low: Option<Rate>,
        high: Option<Rate>,
        half_period: Picos,
    ) -> Arrivals<'static> {
        Arrivals::Alternating { rates: [low, high], half_period }
    }

    pub(super) fn faster(
        by: Faster,
        low: Option<Rate>,
        high: Option<Rate>,
        half_period: Picos,
    ) -> Result<SourceSpec, NotFaster> {
        let raised = |rate: Option<Rate>| rate.map(|rate| by.raised(rate)).transpose();
        Ok(SourceSpec::Alternating { low: raised(low)?, high: raised(high)?, half_period })
    }

    /// The plan before cell 0. The half period is not zero, and one of the rates is not silence
    /// (both asserted).
    pub(super) fn new(
        start: &Start<'_>,
        low: Option<Rate>,
        high: Option<Rate>,
        half_period: Picos,
    ) -> Alternating {
        assert!(half_period > Picos::ZERO, "a rate lasts some time");
        assert!([low, high] != [None; 2], "a source is not always silent");
        let rates = [low, high].map(|rate| rate.map_or(0, Rate::bps));
        Alternating { start: start.at, rates, half_period: half_period.0, begin: 0, lacking: 0 }
    }

    /// The time from the start of this half period, in which the next packet's bits complete, until
    /// it is due, in ps. Nothing is due in silence: at its first instant, or before any bit, the
    /// packet waits for its end.
    fn wait(&self) -> u128 {
        let [rate, next] = self.rates.map(u128::from);
        let half_period = u128::from(self.half_period);
        if rate == 0 {
            assert!(self.lacking == 0, "no bits gather in silence");
            return half_period;
        }
        let gathered = wide::div_ceil(self.lacking, rate);
        if next == 0 && gathered == half_period { 2 * half_period } else { gathered }
    }

    /// Skips periods that do not complete a cell, so that a step is O(1) for any period.
    fn skip_whole_periods(&mut self) {
        let both = self.gathered_by(self.rates[0]).saturating_add(self.gathered_by(self.rates[1]));
        if self.lacking > both {
            let periods = (self.lacking - 1) / both;
            self.lacking -= periods * both;
            self.begin += periods * 2 * u128::from(self.half_period);
        }
    }

    /// The bits that accrue in one half period at `rate`.
    fn gathered_by(&self, rate: u64) -> u128 {
        u128::from(rate) * u128::from(self.half_period)
    }
}

impl Machine for Alternating {
    #[inline]
    fn next_packet(&mut self, bytes: u32, _first: &mut FirstLink) -> SimTime {
        self.skip_whole_periods();
        while self.lacking > self.gathered_by(self.rates[0]) {
            self.lacking -= self.gathered_by(self.rates[0]);
            self.begin += u128::from(self.half_period);
            self.rates.swap(0, 1);
        }
        let offset = self.begin + self.wait();
        self.lacking += u128::from(bit_picos(bytes));
        u64::try_from(offset).map_or(SimTime::NEVER, |ps| self.start.saturating_add(Picos(ps)))
    }
}
