//! How quantities are written in results: a whole number, or a string of its digits above 2^53,
//! because not every JSON reader represents such numbers exactly. Both forms can be read.
//!
//! The functions are for fields: `#[serde(with = "hopflow_units::exact")]`.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bytes, CellRate, Cells, Picos, Probability, Rate, SimTime};

/// The greatest integer that every JSON reader represents exactly.
const EXACT: u64 = 1 << 53;

/// Writes a number, or a string above 2^53.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
    if *value <= EXACT { to.serialize_u64(*value) } else { to.collect_str(value) }
}

/// Reads a number, or a string of digits.
///
/// # Errors
///
/// Any other value, and those of the deserializer.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_any(Whole)
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or a string of its digits")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<u64, E> {
        digits.parse().map_err(|_| E::invalid_value(serde::de::Unexpected::Str(digits), &self))
    }
}

/// The same for a number that may be missing, which is `null`.
pub mod option {
    use super::{Deserialize, Deserializer, Picos, Serialize, Serializer};

    /// Writes a number, a string above 2^53, or `null`.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        value.map(Picos).serialize(to)
    }

    /// Reads a number, a string of digits, or `null`.
    ///
    /// # Errors
    ///
    /// Any other value, and those of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Picos>::deserialize(from)?.map(|Picos(value)| value))
    }
}

macro_rules! written {
    ($($unit:ident: $number:expr, $read:expr;)*) => { $(
        impl Serialize for $unit {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                serialize(&$number(self), to)
            }
        }

        impl<'de> Deserialize<'de> for $unit {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$unit, D::Error> {
                let value = deserialize(from)?;
                $read(value).ok_or_else(|| {
                    let range = concat!("a `", stringify!($unit), "`");
                    D::Error::invalid_value(serde::de::Unexpected::Unsigned(value), &range)
                })
            }
        }
    )* };
}

written! {
    Picos: |span: &Picos| span.0, |value| Some(Picos(value));
    SimTime: |instant: &SimTime| instant.0, |value| Some(SimTime(value));
    Bytes: |size: &Bytes| size.0, |value| Some(Bytes(value));
    Rate: |rate: &Rate| rate.bps(), Rate::from_bps;
    Cells: |cells: &Cells| u64::from(cells.0), |value| u32::try_from(value).ok().map(Cells);
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.as_f64())
    }
}

impl Serialize for CellRate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for CellRate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CellRate, D::Error> {
        let rate = f64::deserialize(from)?;
        CellRate::new(rate).ok_or_else(|| D::Error::custom("a rate is finite and not below zero"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::*;

    /// 2^53 is the last number; larger values are strings. Both round-trip, and a quantity that
    /// does not fit its type is refused.
    #[test]
    fn large_numbers_are_strings_and_come_back() {
        for (number, written) in
            [(EXACT, json!(EXACT)), (EXACT + 1, json!("9007199254740993")), (0, json!(0))]
        {
            assert_eq!(to_value(Picos(number)).expect("plain"), written);
            assert_eq!(from_value::<Picos>(written).expect("as written"), Picos(number));
        }
        let refused = |value: Value| from_value::<Cells>(value).expect_err("refused").to_string();
        assert!(refused(json!(1_u64 << 32)).contains("a `Cells`"));
        for value in [json!("1 ms"), json!(-1), json!(0.5), Value::Null] {
            assert!(refused(value.clone()).contains("a string of its digits"), "{value}");
        }
        assert!(from_value::<Rate>(json!(0)).is_err(), "no service is no rate");
        assert!(from_value::<CellRate>(json!(-1.0)).is_err());
    }
}
