//! Sequence numbers: 32 bits that wrap.
//!
//! ```text
//! a before b  <=>  (b - a) mod 2^32 lies in 1 .. 2^31                            (1)
//! ```
//! So two numbers can be ordered while they are less than 2^31 apart. A window is at most 2^30
//! bytes (65,535 scaled by 14), so all outstanding data satisfies this.
//!
//! Source: [RFC793] 3.3, [RFC1982] 3.2. Differs: a distance of exactly 2^31, which has no order in
//! [RFC1982], counts as not before. Not modelled: nothing.
//! Checked by: the tests below.

/// The number of a byte in a stream, modulo 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seq(pub u32);

impl Seq {
    /// The number `bytes` further on.
    #[must_use]
    pub fn plus(self, bytes: u32) -> Seq {
        Seq(self.0.wrapping_add(bytes))
    }

    /// The number `bytes` back.
    #[must_use]
    pub fn minus(self, bytes: u32) -> Seq {
        Seq(self.0.wrapping_sub(bytes))
    }

    /// Bytes from `earlier` to here, modulo 2^32.
    pub fn since(self, earlier: Seq) -> u32 {
        self.0.wrapping_sub(earlier.0)
    }

    /// Whether this byte comes before `other`. Eq. (1).
    pub fn before(self, other: Seq) -> bool {
        (1..1 << 31).contains(&other.since(self))
    }

    /// Whether this byte comes after `other`. Eq. (1).
    pub fn after(self, other: Seq) -> bool {
        other.before(self)
    }

    /// The later of two.
    #[must_use]
    pub fn max(self, other: Seq) -> Seq {
        if self.before(other) { other } else { self }
    }

    /// The earlier of two.
    #[must_use]
    pub fn min(self, other: Seq) -> Seq {
        if other.before(self) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [RFC793] 3.3: order survives the wrap from 2^32 - 1 to 0.
    #[test]
    fn order_survives_the_wrap() {
        let last = Seq(u32::MAX);
        assert_eq!(last.plus(1), Seq(0));
        assert!(last.before(Seq(0)) && Seq(0).after(last) && !Seq(0).before(last));
        assert_eq!(Seq(5).since(last), 6);
        assert_eq!(Seq(5).minus(6), last);
        assert_eq!((last.max(Seq(3)), last.min(Seq(3))), (Seq(3), last));
    }

    /// Claim [RFC1982] 3.2: numbers less than 2^31 apart are ordered, a number is not before
    /// itself.
    #[test]
    fn order_reaches_over_half_the_circle() {
        assert!(Seq(7).before(Seq(7 + (1 << 31) - 1)));
        assert!(!Seq(7).before(Seq(7 + (1 << 31))));
        assert!(!Seq(7).before(Seq(7)));
    }
}
