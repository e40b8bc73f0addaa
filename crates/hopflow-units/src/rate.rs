//! Link and service rates.

use std::fmt;
use std::num::NonZeroU64;

use crate::{Bytes, Picos, wide};

/// A link or service rate in bits per second. Never zero: no service is `Option<Rate>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(NonZeroU64);

impl Rate {
    /// A rate in bits per second; `None` for zero.
    pub const fn from_bps(bps: u64) -> Option<Rate> {
        match NonZeroU64::new(bps) {
            Some(bps) => Some(Rate(bps)),
            None => None,
        }
    }

    /// Bits per second, at least 1.
    pub const fn bps(self) -> u64 {
        self.0.get()
    }

    /// Time to put `size` on the wire, rounded up to a whole picosecond: a port is never free
    /// before its last bit has left. `None` beyond the range of [`Picos`].
    pub fn transmit_time(self, size: Bytes) -> Option<Picos> {
        let bit_picos = u128::from(size.bits()) * u128::from(Picos::PER_SECOND);
        let picos = wide::div_ceil(bit_picos, u128::from(self.0.get()));
        u64::try_from(picos).ok().map(Picos)
    }

    /// Its first digits, rounded down: 3 of 622.08 Mb/s are 622 Mb/s. `digits`: at least 1.
    #[must_use]
    pub const fn rounded(self, digits: u32) -> Rate {
        let bps = self.bps();
        match Rate::from_bps(bps - bps % self.unit(digits)) {
            Some(rate) => rate,
            None => self,
        }
    }

    /// The same, rounded up; itself if that is beyond 2^64 b/s.
    #[must_use]
    pub const fn rounded_up(self, digits: u32) -> Rate {
        let (bps, unit) = (self.bps(), self.unit(digits));
        match bps.checked_next_multiple_of(unit) {
            Some(bps) => match Rate::from_bps(bps) {
                Some(rate) => rate,
                None => self,
            },
            None => self,
        }
    }

    /// The first digits of a rate that may be zero, rounded down, as text; `zero` for zero.
    pub fn text(bps: u64, digits: u32, zero: &str) -> String {
        Rate::from_bps(bps).map_or_else(|| zero.to_owned(), |rate| rate.rounded(digits).to_string())
    }

    /// The value of the last of its first digits.
    const fn unit(self, digits: u32) -> u64 {
        10_u64.pow((self.bps().ilog10() + 1).saturating_sub(digits))
    }
}

impl fmt::Display for Rate {
    /// The largest decimal unit in which the value is at least one: `622.08 Mb/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (1_000_000_000_000, "Tb/s"),
            (1_000_000_000, "Gb/s"),
            (1_000_000, "Mb/s"),
            (1_000, "kb/s"),
            (1, "b/s"),
        ];
        let bps = self.0.get();
        let (scale, unit) =
            UNITS.into_iter().find(|(scale, _)| bps >= *scale).unwrap_or((1, "b/s"));
        let (whole, rest) = (bps / scale, bps % scale);
        if rest == 0 {
            return write!(f, "{whole} {unit}");
        }
        let width = scale.ilog10() as usize;
        let digits = format!("{rest:0width$}");
        write!(f, "{whole}.{} {unit}", digits.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a cell of 424 bits at 622.08 Mb/s lasts 681,584.36 ps, so 681,585 rounded up.
    #[test]
    fn a_cell_time_is_rounded_up() {
        let rate = Rate::from_bps(622_080_000).unwrap();
        assert_eq!(rate.transmit_time(Bytes::CELL), Some(Picos(681_585)));
        let even = Rate::from_bps(424_000_000).unwrap();
        assert_eq!(even.transmit_time(Bytes::CELL), Some(Picos(1_000_000)));
    }

    /// Claim: a rate is shown in its largest unit without losing a bit per second.
    #[test]
    fn a_rate_is_shown_exactly() {
        assert_eq!(Rate::from_bps(622_080_000).unwrap().to_string(), "622.08 Mb/s");
        assert_eq!(Rate::from_bps(10_000_000).unwrap().to_string(), "10 Mb/s");
        assert_eq!(Rate::from_bps(1).unwrap().to_string(), "1 b/s");
        assert_eq!(Rate::from_bps(0), None);
    }

    /// Claim: the first digits of a rate, down and up; a rate with no more digits stays, and zero
    /// has a word of its own.
    #[test]
    fn a_rate_is_rounded_to_its_first_digits() {
        let rate = Rate::from_bps(622_080_000).unwrap();
        assert_eq!([rate.rounded(3), rate.rounded(4)].map(Rate::bps), [622_000_000, 622_000_000]);
        assert_eq!(
            [rate.rounded_up(3), rate.rounded_up(5)].map(Rate::bps),
            [623_000_000, 622_080_000]
        );
        let most = Rate::from_bps(u64::MAX).unwrap();
        assert_eq!((most.rounded(20), most.rounded_up(1)), (most, most));
        let one = Rate::from_bps(1).unwrap();
        assert_eq!((one.rounded(3), one.rounded_up(3)), (one, one));
        assert_eq!(Rate::text(99_950, 3, "nothing"), "99.9 kb/s");
        assert_eq!(Rate::text(0, 3, "nothing"), "nothing");
    }
}
