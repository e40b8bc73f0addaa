//! Shape: what a value looks like as JSON, for schemas and typed languages.
//!
//! `#[derive(Shaped)]` reads it from the fields and the attributes of serde that write the value
//! (`hopflow-shape`), so there is no second list of keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use hopflow_shape::Shaped;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text,
    /// A text of decimal digits.
    Digits,
    /// `true` or `false`.
    Flag,
    /// A number, perhaps a fraction.
    Number,
    /// A whole number.
    Whole,
    /// A whole number; above 2^53 a text of its digits.
    Exact,
    /// Any value: it is described elsewhere.
    Any,
    /// One of these words.
    Words(Vec<&'static str>),
    /// This, or `null`.
    Maybe(Box<Shape>),
    /// A list, of this length if it is fixed.
    List(Box<Shape>, Option<usize>),
    /// A table whose keys are names.
    Named(Box<Shape>),
    /// A table with these keys.
    Table(Table),
}

/// A table of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name, unique among all tables.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Its keys, in the order in which they are written.
    pub keys: Vec<Key>,
}

/// A key of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Its value.
    pub shape: Shape,
    /// Whether it may be left out.
    pub may_be_missing: bool,
}

impl Shape {
    /// The keys of a table, for the table that holds them as its own. Panics for any other shape.
    pub fn into_keys(self) -> Vec<Key> {
        match self {
            Shape::Table(table) => table.keys,
            other => panic!("only a table can be flattened, not {other:?}"),
        }
    }

    /// The shape of a key that is left out in place of `null`.
    #[must_use]
    pub fn without_null(self) -> Shape {
        match self {
            Shape::Maybe(inner) => *inner,
            other => other,
        }
    }
}

/// A type whose values have a shape.
pub trait Shaped {
    /// The shape of its values.
    fn shape() -> Shape;
}

macro_rules! shaped {
    ($($shape:expr => $($of:ty),+;)+) => {$($(
        impl Shaped for $of {
            fn shape() -> Shape {
                $shape
            }
        }
    )+)+};
}

shaped! {
    Shape::Text => str, String, Cow<'_, str>;
    Shape::Flag => bool;
    Shape::Number => f64;
    Shape::Whole => u8, u16, u32, u64, usize, i32;
}

impl<T: Shaped + ?Sized> Shaped for &T {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Shaped + ?Sized> Shaped for Arc<T> {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        Shape::Maybe(Box::new(T::shape()))
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        <[T]>::shape()
    }
}

impl<T: Shaped> Shaped for [T] {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()), None)
    }
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()), Some(N))
    }
}

impl<T: Shaped> Shaped for BTreeMap<String, T> {
    fn shape() -> Shape {
        Shape::Named(Box::new(T::shape()))
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    /// Why.
    #[derive(Serialize, Shaped)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "only its shape is asked for")]
    enum Why {
        LinkFull,
        #[serde(rename = "n")]
        Nothing,
    }

    /// One row
    /// of two lines.
    #[derive(Serialize, Shaped)]
    struct Row<'a, L = Vec<u32>> {
        /// The name.
        #[serde(rename = "where")]
        place: &'a str,
        /// Left out without a value.
        #[serde(skip_serializing_if = "Option::is_none")]
        share: Option<f64>,
        why: Option<Why>,
        list: L,
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(Serialize, Shaped)]
    #[shape(name = "Other")]
    struct Inner {
        pair: [bool; 2],
        #[shape(any)]
        free: BTreeMap<String, u8>,
    }

    /// Claim: the shape has the keys that serde writes, in their order, with renamed ones, those
    /// that may be missing and those of a flattened field; words are those that serde writes.
    #[test]
    fn a_shape_is_what_serde_writes() {
        let Shape::Table(table) = Row::<'_, Vec<u32>>::shape() else { panic!("a table") };
        assert_eq!((table.name, table.meaning), ("Row", "One row of two lines."));
        let maybe = |shape| Shape::Maybe(Box::new(shape));
        let list = |shape, length| Shape::List(Box::new(shape), length);
        let expected = [
            ("where", Shape::Text, false),
            ("share", Shape::Number, true),
            ("why", maybe(Shape::Words(vec!["link-full", "n"])), false),
            ("list", list(Shape::Whole, None), false),
            ("pair", list(Shape::Flag, Some(2)), false),
            ("free", Shape::Any, false),
        ];
        let found = table.keys.iter().map(|key| (key.name, key.shape.clone(), key.may_be_missing));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(table.keys[1].meaning, "Left out without a value.");
        let inner = Inner { pair: [true; 2], free: BTreeMap::new() };
        let row = Row { place: "S", share: Some(0.5), why: Some(Why::LinkFull), list: [1], inner };
        let written = serde_json::to_value(&row).unwrap();
        let names = table.keys.iter().map(|key| key.name);
        assert!(names.clone().all(|name| written.get(name).is_some()), "{written}");
        assert_eq!(written.as_object().unwrap().len(), names.count());
        assert_eq!(
            Inner::shape(),
            Shape::Table(Table { name: "Other", meaning: "", keys: table.keys[4..].to_vec() })
        );
        assert_eq!(written["why"], "link-full");
    }
}
