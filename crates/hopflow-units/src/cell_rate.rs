//! Rates of ABR sources and switches, in cells per second: the one quantity that is an f64.
//!
//! ```text
//! interval  = ceil(10^12 / r)                      picoseconds from cell to cell          (1)
//! 16 bits:  r = nz 2^e (1 + m/512)                 nz 1 bit, e 5 bits, m 9 bits          (2)
//! ```
//! | symbol   | meaning                                                       | unit    |
//! |----------|---------------------------------------------------------------|---------|
//! | r        | rate: finite, never below zero; zero is "no cell at all"      | cells/s |
//! | nz, e, m | zero or not, exponent, mantissa of the format of RM cells     | 1       |
//!
//! (2) is rounded down, so that a rate that is written into a cell is never above the intended
//! rate. From 1 cell/s on the error is below 1/512 of the rate; less than 1 cell/s becomes zero,
//! and the greatest rate is 2^31 (1 + 511/512). Only + - * / are used, which are the same on every
//! machine. Source: [TM4.0] for (2).

use std::cmp::Ordering;
use std::fmt;

use crate::{Bytes, Picos, Rate};

/// Cells per second: finite and never below zero. Zero means that no cell may be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellRate(f64);

impl CellRate {
    /// No cells at all.
    pub const ZERO: CellRate = CellRate(0.0);

    /// The largest finite rate, used for "no bound".
    pub const MAX: CellRate = CellRate(f64::MAX);

    /// A rate in cells per second; `None` unless it is finite and at least zero.
    pub fn new(cells_per_second: f64) -> Option<CellRate> {
        // The sum turns negative zero into zero.
        let valid = cells_per_second.is_finite() && cells_per_second >= 0.0;
        valid.then_some(CellRate(cells_per_second + 0.0))
    }

    /// A rate in bits per second as cells of 53 bytes, headers included.
    pub fn from_rate(rate: Rate) -> CellRate {
        CellRate(rate.bps() as f64 / Bytes::CELL.bits() as f64)
    }

    /// The mean rate of this number of cells in a span. Panics on a span of zero: a bug in the
    /// caller.
    pub fn mean(cells: u64, span: Picos) -> CellRate {
        assert!(span > Picos::ZERO, "a mean rate needs a span of time");
        CellRate(cells as f64 / span.as_secs_f64())
    }

    /// Cells per second.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Whether no cell may be sent.
    pub fn is_zero(self) -> bool {
        self.0 == 0.0
    }

    /// This rate times a factor that is not below zero; at most [`CellRate::MAX`].
    #[must_use]
    pub fn times(self, factor: f64) -> CellRate {
        assert!(factor >= 0.0, "a rate is not below zero: {self} times {factor}");
        CellRate((self.0 * factor).min(f64::MAX))
    }

    /// The sum; at most [`CellRate::MAX`].
    #[must_use]
    pub fn plus(self, other: CellRate) -> CellRate {
        CellRate((self.0 + other.0).min(f64::MAX))
    }

    /// This rate less the other; zero if the other is larger.
    #[must_use]
    pub fn minus(self, other: CellRate) -> CellRate {
        CellRate((self.0 - other.0).max(0.0))
    }

    /// Time from one cell to the next, rounded up to a whole picosecond, so that a source is never
    /// faster than its rate. Eq. (1). `None` at zero and beyond the range of [`Picos`].
    pub fn interval(self) -> Option<Picos> {
        let picos = (Picos::PER_SECOND as f64 / self.0).ceil();
        // 2^64 is exact as an f64; a division by zero gives infinity, which is not below it.
        (picos < 18_446_744_073_709_551_616.0).then_some(Picos(picos as u64))
    }

    /// The rate as 16 bits of an RM cell, rounded down: bit 14 is nz, bits 13 to 9 are e, bits 8
    /// to 0 are m. Eq. (2).
    pub fn code(self) -> u16 {
        if self.0 < 1.0 {
            return 0;
        }
        let (mut exponent, mut mantissa) = (0_u16, self.0);
        while mantissa >= 2.0 && exponent < 31 {
            mantissa /= 2.0;
            exponent += 1;
        }
        // Exact: a division by two, a subtraction of one below two, a product with 512.
        let fraction = ((mantissa - 1.0) * 512.0).min(511.0) as u16;
        (1 << 14) | (exponent << 9) | fraction
    }

    /// The rate encoded by 16 bits of an RM cell; bit 15 is reserved and ignored. Eq. (2).
    pub fn from_code(code: u16) -> CellRate {
        if code & (1 << 14) == 0 {
            return CellRate::ZERO;
        }
        let power = 1_u32 << ((code >> 9) & 31);
        CellRate(f64::from(power) * (1.0 + f64::from(code & 511) / 512.0))
    }

    /// The largest rate of the 16-bit format that is not above this one. Eq. (2).
    #[must_use]
    pub fn quantized(self) -> CellRate {
        CellRate::from_code(self.code())
    }
}

impl Eq for CellRate {}

impl Ord for CellRate {
    fn cmp(&self, other: &CellRate) -> Ordering {
        self.0.partial_cmp(&other.0).expect("every rate is finite")
    }
}

impl PartialOrd for CellRate {
    fn partial_cmp(&self, other: &CellRate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CellRate {
    /// The shortest digits that identify the value: `353207.5 cells/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells/s", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rate(cells_per_second: f64) -> CellRate {
        CellRate::new(cells_per_second).unwrap()
    }

    /// Claim: 424 Mb/s are a million cells/s, one every microsecond; a third of a cell/s is one
    /// every 3 s; 3 cells/s are one every 333,333,333,333.3 ps, rounded up.
    #[test]
    fn a_cell_goes_every_interval() {
        let million = CellRate::from_rate(Rate::from_bps(424_000_000).unwrap());
        assert_eq!(million, rate(1e6));
        assert_eq!(million.interval(), Some(Picos(1_000_000)));
        assert_eq!(rate(0.25).interval(), Picos::from_secs(4));
        assert_eq!(rate(3.0).interval(), Some(Picos(333_333_333_334)));
        assert_eq!(CellRate::MAX.interval(), Some(Picos(1)));
        assert_eq!(CellRate::mean(50, Picos(1_000_000_000)), rate(50_000.0));
    }

    /// Claim: zero, and a rate so small that no cell is sent within 213 days, have no interval;
    /// infinite, NaN and negative numbers are refused, and minus zero is zero.
    #[test]
    fn zero_is_no_cell_at_all() {
        assert_eq!(CellRate::ZERO.interval(), None);
        assert_eq!(rate(5e-8).interval(), None);
        assert!(rate(6e-8).interval().is_some());
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(CellRate::new(bad), None, "{bad}");
        }
        assert!(rate(-0.0).get().is_sign_positive());
        assert_eq!(rate(1.0).minus(rate(2.0)), CellRate::ZERO);
        assert_eq!(CellRate::MAX.plus(CellRate::MAX), CellRate::MAX);
        assert_eq!(CellRate::MAX.times(2.0), CellRate::MAX);
    }

    /// Claim [TM4.0]: by hand. 1 = 2^0 (1 + 0/512); 10 = 2^3 (1 + 128/512); 353,207.5 lies between
    /// 2^18 (1 + 177/512) = 352,768 and 2^18 (1 + 178/512) = 353,280; the largest code.
    #[test]
    fn the_16_bit_format_by_hand() {
        assert_eq!(rate(1.0).code(), 1 << 14);
        assert_eq!(rate(10.0).code(), (1 << 14) | (3 << 9) | 128);
        assert_eq!(rate(353_207.5).quantized(), rate(352_768.0));
        assert_eq!(rate(0.99).quantized(), CellRate::ZERO);
        assert_eq!(CellRate::MAX.quantized(), rate(4_290_772_992.0));
    }

    /// Claim: every code decodes to itself, and codes are in the order of their rates.
    #[test]
    fn codes_are_in_the_order_of_rates() {
        let codes = (0..(1 << 14)).map(|low| (1 << 14) | low);
        let mut last = CellRate::ZERO;
        for code in codes {
            let decoded = CellRate::from_code(code);
            assert!(decoded > last, "{code}");
            assert_eq!(decoded.code(), code);
            last = decoded;
        }
    }

    /// Claim: a rate is shown with its unit.
    #[test]
    fn a_rate_is_shown_with_its_unit() {
        assert_eq!(rate(353_207.5).to_string(), "353207.5 cells/s");
        assert_eq!(rate(10.0).to_string(), "10 cells/s");
    }

    proptest! {
        /// Claim: encoded in 16 bits a rate never increases and decreases by less than 1/512; the
        /// larger of two rates never gets the smaller code.
        #[test]
        fn sixteen_bits_round_down(r in 1.0_f64..4.2e9, s in 0.0_f64..1e10) {
            let (r, s) = (rate(r), rate(s));
            let rounded = r.quantized();
            prop_assert!(rounded <= r);
            prop_assert!(r.get() - rounded.get() < r.get() / 512.0, "{} rounded to {}", r, rounded);
            prop_assert_eq!(rounded.quantized(), rounded);
            prop_assert_eq!(r.cmp(&s) != r.quantized().cmp(&s.quantized()),
                r != s && r.quantized() == s.quantized());
        }
    }
}
