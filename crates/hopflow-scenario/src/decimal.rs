//! Decimal numbers, read and scaled exactly: no binary fraction ever stands in between.

/// `mantissa x 10^exponent`, with a sign. The mantissa has at most [`Decimal::DIGITS`] digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    mantissa: u128,
    exponent: i32,
}

/// What does not divide goes up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Up,
    Down,
}

impl Decimal {
    /// Significant digits that are taken; more are refused, not cut.
    pub(crate) const DIGITS: usize = 20;

    /// Reads `12`, `-0.5`, `1_000`, `2.5e-3`. `None`: not such a number, or too many digits.
    pub(crate) fn parse(text: &str) -> Option<Decimal> {
        let (negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let dangling = number.starts_with(['.', '_']) || number.ends_with(['.', '_']);
        let digits: Vec<u8> =
            whole.bytes().chain(fraction.bytes()).filter(|&byte| byte != b'_').collect();
        if dangling || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let places = fraction.bytes().filter(|&byte| byte != b'_').count();
        let places = i64::try_from(places).ok()?;
        Decimal::from_digits(negative, &digits, i64::from(exponent) - places)
    }

    /// Puts digits together without zeros at either end.
    fn from_digits(negative: bool, digits: &[u8], exponent: i64) -> Option<Decimal> {
        let trailing = digits.iter().rev().take_while(|&&digit| digit == b'0').count();
        let kept = &digits[..digits.len() - trailing];
        let leading = kept.iter().take_while(|&&digit| digit == b'0').count();
        let kept = &kept[leading..];
        if kept.is_empty() {
            return Some(Decimal { negative: false, mantissa: 0, exponent: 0 });
        }
        if kept.len() > Decimal::DIGITS {
            return None;
        }
        let mantissa = kept.iter().fold(0, |sum, digit| sum * 10 + u128::from(digit - b'0'));
        let exponent = i32::try_from(exponent + i64::try_from(trailing).ok()?).ok()?;
        Some(Decimal { negative, mantissa, exponent })
    }

    /// Whether it is below zero.
    pub(crate) const fn is_negative(self) -> bool {
        self.negative
    }

    /// The number x `factor`, as a whole number. `None` below zero or past 2^64 - 1.
    pub(crate) fn scaled(self, factor: u64, rounding: Rounding) -> Option<u64> {
        if self.negative {
            return None;
        }
        // At most 10^20 x 2^64, below 2^131 in theory; checked all the same.
        let product = self.mantissa.checked_mul(u128::from(factor))?;
        if product == 0 {
            return Some(0);
        }
        if self.exponent >= 0 {
            let power = 10_u128.checked_pow(self.exponent.unsigned_abs())?;
            return u64::try_from(product.checked_mul(power)?).ok();
        }
        let quotient = match (10_u128.checked_pow(self.exponent.unsigned_abs()), rounding) {
            (Some(power), Rounding::Up) => product.div_ceil(power),
            (Some(power), Rounding::Down) => product / power,
            // The divisor is past 2^128, so the quotient lies between 0 and 1.
            (None, Rounding::Up) => 1,
            (None, Rounding::Down) => 0,
        };
        u64::try_from(quotient).ok()
    }

    /// `factor` / the number, rounded up. `None` at or below zero, or past 2^64 - 1.
    pub(crate) fn divides(self, factor: u64) -> Option<u64> {
        if self.negative || self.mantissa == 0 {
            return None;
        }
        let power = 10_u128.checked_pow(self.exponent.unsigned_abs())?;
        let factor = u128::from(factor);
        let quotient = if self.exponent >= 0 {
            factor.div_ceil(self.mantissa.checked_mul(power)?)
        } else {
            factor.checked_mul(power)?.div_ceil(self.mantissa)
        };
        u64::try_from(quotient).ok()
    }

    /// A hundredth of it.
    pub(crate) const fn percent(self) -> Decimal {
        Decimal { exponent: self.exponent.saturating_sub(2), ..self }
    }

    /// The whole number it is; `None` for a fraction.
    pub(crate) fn whole(self) -> Option<u64> {
        let down = self.scaled(1, Rounding::Down)?;
        (self.scaled(1, Rounding::Up)? == down).then_some(down)
    }

    /// The nearest binary fraction, the same on every machine. May be infinite.
    pub(crate) fn as_f64(self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    /// Claim: 76.5 cells of 681,585 ps are 52,141,252.5 ps, so ...253 rounded up, ...252 down.
    #[test]
    fn half_a_cell_is_rounded_once() {
        assert_eq!(decimal("76.5").scaled(681_585, Rounding::Up), Some(52_141_253));
        assert_eq!(decimal("76.5").scaled(681_585, Rounding::Down), Some(52_141_252));
        // In binary, 0.1 x 3 is more than 0.3; here it is not.
        assert_eq!(decimal("0.1").scaled(30, Rounding::Up), Some(3));
        assert_eq!(decimal("622.08").scaled(1_000_000, Rounding::Up), Some(622_080_000));
    }

    /// Claim: extremes are distinguished: too big, below one, below zero, not a number.
    #[test]
    fn extremes_neither_wrap_nor_panic() {
        assert_eq!(decimal("1e400").scaled(1, Rounding::Up), None);
        assert_eq!(decimal("1e-400").scaled(7, Rounding::Up), Some(1));
        assert_eq!(decimal("1e-400").scaled(7, Rounding::Down), Some(0));
        assert_eq!(decimal("0e999999999").scaled(7, Rounding::Up), Some(0));
        assert_eq!(decimal("-3").scaled(1, Rounding::Up), None);
        assert_eq!(decimal("99999999999999999999").scaled(u64::MAX, Rounding::Up), None);
        for text in ["", "-", ".", "1.", ".5", "nan", "inf", "1e", "0x10", "1e99999999999", "1 2"] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
        assert_eq!(Decimal::parse("123456789012345678901"), None, "21 digits");
    }

    proptest! {
        /// Claim: thousandths x factor equal the same sum done in whole numbers.
        #[test]
        fn scaling_is_exact(thousandths in 0_u64..1_000_000_000, factor in 0_u64..1_000_000_000) {
            let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
            let exact = u128::from(thousandths) * u128::from(factor);
            let up = u64::try_from(exact.div_ceil(1_000)).ok();
            let down = u64::try_from(exact / 1_000).ok();
            prop_assert_eq!(decimal(&text).scaled(factor, Rounding::Up), up);
            prop_assert_eq!(decimal(&text).scaled(factor, Rounding::Down), down);
        }

        /// Claim: no text makes the reader panic.
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = Decimal::parse(&text).map(|value| value.scaled(3, Rounding::Up));
        }
    }
}
