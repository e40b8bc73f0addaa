//! Quotients of 128 bits. Nearly all numbers that are divided on the way of a packet fit 64 bits,
//! for which the processor has an instruction; that of 128 bits is a function of some 30.

/// `dividend / divisor`, rounded up. Panics for a divisor of zero.
#[inline]
pub fn div_ceil(dividend: u128, divisor: u128) -> u128 {
    match (u64::try_from(dividend), u64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => u128::from(dividend.div_ceil(divisor)),
        _ => dividend.div_ceil(divisor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the quotient is that of 128 bits, on both sides of the limit of 64 and at the limit,
    /// exact and rounded up.
    #[test]
    fn a_quotient_is_that_of_128_bits() {
        const LIMIT: u128 = 1 << 64;
        assert_eq!(div_ceil(LIMIT - 1, 2), LIMIT / 2);
        assert_eq!(div_ceil(LIMIT, 2), LIMIT / 2);
        assert_eq!(div_ceil(LIMIT + 1, 2), LIMIT / 2 + 1);
        assert_eq!(div_ceil(u128::MAX, 1), u128::MAX);
        let near = |middle: u128| (0..5).map(move |n| middle.wrapping_add(n).wrapping_sub(2));
        for dividend in [2, 12_000 * 1_000_000_000_000, LIMIT, u128::MAX - 2].map(near) {
            for dividend in dividend {
                for divisor in [3, 7, 100_000_000_000, LIMIT].map(near).into_iter().flatten() {
                    let exact = dividend / divisor + u128::from(dividend % divisor > 0);
                    assert_eq!(div_ceil(dividend, divisor), exact, "{dividend} / {divisor}");
                }
            }
        }
    }
}
