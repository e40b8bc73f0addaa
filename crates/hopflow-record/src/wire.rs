//! Integers in JSON: a number up to 2^53, above it a string, because many readers store JSON
//! numbers as 64-bit floats.

use hopflow_units::shape::{Shape, Shaped};
use serde::{Serialize, Serializer};

/// An integer in a map or a list, as [`integer`] writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(pub u64);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        integer::serialize(&self.0, to)
    }
}

impl Shaped for Exact {
    fn shape() -> Shape {
        Shape::Exact
    }
}

/// For `#[serde(with = "...")]` on a `u64`.
pub mod integer {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// The largest integer up to which 64-bit floats represent every integer.
    pub(crate) const EXACT: u64 = 1 << 53;

    /// As a number, or above 2^53 as a string.
    pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        if *value <= EXACT {
            to.serialize_u64(*value)
        } else {
            to.serialize_str(&value.to_string())
        }
    }

    /// Either form.
    #[derive(Deserialize)]
    #[serde(untagged)]
    pub(crate) enum Form {
        Number(u64),
        Text(String),
    }

    impl Form {
        pub(crate) fn value<E: Error>(self) -> Result<u64, E> {
            match self {
                Form::Number(value) => Ok(value),
                Form::Text(text) => text.parse().map_err(|_| E::custom("not a whole number")),
            }
        }
    }

    /// From either form.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        Form::deserialize(from)?.value()
    }
}

/// For `#[serde(with = "...")]` on a sum that may exceed 2^64: always a string of digits.
pub mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// As digits; `null` without a value.
    pub fn serialize<S: Serializer>(value: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.serialize_str(&value.to_string()),
            None => to.serialize_none(),
        }
    }

    /// From digits; `None` from `null`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u128>, D::Error> {
        let digits = Option::<String>::deserialize(from)?;
        let value = |digits: String| digits.parse().map_err(|_| D::Error::custom("not digits"));
        digits.map(value).transpose()
    }
}

/// For `#[serde(skip_serializing_if = "...")]` on a count that is rarely above zero.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// The same for a share.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_no_share(value: &f64) -> bool {
    *value == 0.0
}

/// For `#[serde(with = "...")]` on an `Option<u64>`.
pub mod optional_integer {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::integer::{self, Form};

    /// Like `integer`; `null` without a value.
    pub fn serialize<S: Serializer>(value: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => integer::serialize(value, to),
            None => to.serialize_none(),
        }
    }

    /// From either form.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Option::<Form>::deserialize(from)?.map(Form::value).transpose()
    }
}
