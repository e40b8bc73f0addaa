//! One description of a key: what it takes, what it means, its default, and its name in results.
//! The reader, the schema, the documents and the manifest follow from it.
//!
//! ```text
//! keys! { OF_SCHEDULERS:
//!     of &["deficit-round-robin"] => {
//!         QUANTUM: Octets<1, LARGEST> = "quantum", "What a flow ...",
//!             required("\"1500 B\""), written("quantum_bytes");
//!     }
//! }
//!
//! QUANTUM.read(&table, &(), &mut sink)     Some(Bytes(1500)), or an error in the sink
//! QUANTUM.write(&Bytes(1500), &mut map)    "quantum_bytes": 1500
//! OF_SCHEDULERS                            the keys, for a table of the file
//! ```
//! Several keys make one value by [`group!`], or by [`choices!`] where one key says which others
//! hold (`described/choices.rs`). What keys take is in `described/values.rs`.

mod choices;
#[cfg(test)]
pub(crate) mod known;
mod table;
mod units;
mod values;

use std::marker::PhantomData;
use std::ops::Range;

use hopflow_units::Picos;
use serde_json::{Map, Value};

pub(crate) use choices::{choices, only_of};
pub(crate) use table::{EVERY, keys};
pub(crate) use units::Units;
pub(crate) use values::{
    AnyNumber, BothWays, BytesOrCells, CellPace, Chance, Choice, Count, Flag, Fraction, Inner, Law,
    LineRate, LinkRate, ListOf, Maybe, Name, Number, Octets, OnLink, OrAuto, OrNever, OrNone,
    OrUntilEpoch, Queue, Size, SmallOctets, Span, Text, Time, Whole, Word, Words, taken, words,
};

use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::{Key, Ty, key};
use crate::value::Item;

/// What a key takes.
pub(crate) trait Taken {
    /// What is read.
    type Value;
    /// Its form in the file.
    const TY: Ty;

    /// Writes a value under `name`, as results have it.
    fn write(value: &Self::Value, name: &str, into: &mut Map<String, Value>);

    /// The value where a key that has no default is left out; `None`: it must be there.
    fn left_out() -> Option<Self::Value> {
        None
    }
}

/// What a key takes, where `C` is known, such as the link whose cells are a unit of time.
pub(crate) trait ReadIn<C>: Taken {
    /// Reads a value, or reports why not.
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value>;
}

/// A context with the cell time that spans in cells refer to.
pub(crate) trait CellTime {
    fn cell(&self) -> Picos;
}

impl CellTime for Picos {
    fn cell(&self) -> Picos {
        *self
    }
}

/// The value of a key that is left out; it may depend on other keys of the table.
type Default<T> = fn(&Section<'_>) -> <T as Taken>::Value;

/// A key and all that is known of it.
pub(crate) struct Described<T: Taken> {
    pub(crate) key: Key,
    default: Option<Default<T>>,
    written: &'static str,
    taken: PhantomData<T>,
}

impl<T: Taken> Described<T> {
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Described<T> {
        let key = key(name, T::TY, doc);
        Described { key, default: None, written: name, taken: PhantomData }
    }

    /// The kinds that have it.
    pub(crate) const fn of(mut self, kinds: &'static [&'static str]) -> Described<T> {
        self.key = self.key.of(kinds);
        self
    }

    /// It must be there. `example`: a value, as TOML writes it.
    pub(crate) const fn required(mut self, example: &'static str) -> Described<T> {
        self.key = self.key.required().such_as(example);
        self
    }

    /// The value where it is left out, and the same in words, with its source.
    pub(crate) const fn default(mut self, value: Default<T>, words: &'static str) -> Described<T> {
        self.default = Some(value);
        self.key = self.key.default(words);
        self
    }

    /// What is said of a default that is worked out where the key is read, or that only some kinds
    /// have, by [`Described::or`].
    pub(crate) const fn words(mut self, words: &'static str) -> Described<T> {
        self.key = self.key.default(words);
        self
    }

    /// The same where they follow from a list of kinds.
    pub(crate) const fn words_by(mut self, words: fn() -> String) -> Described<T> {
        self.key = self.key.default_by(words);
        self
    }

    /// A meaning that follows from a list of kinds.
    pub(crate) const fn doc_by(mut self, doc: fn() -> String) -> Described<T> {
        self.key = self.key.doc_by(doc);
        self
    }

    /// The same key where another value is the default.
    pub(crate) const fn or(mut self, value: Default<T>) -> Described<T> {
        self.default = Some(value);
        self
    }

    /// A value that it may have, as TOML writes it.
    pub(crate) const fn such_as(mut self, example: &'static str) -> Described<T> {
        self.key = self.key.such_as(example);
        self
    }

    /// It tells one table from another, so it has no place in `[defaults]`.
    pub(crate) const fn identity(mut self) -> Described<T> {
        self.key = self.key.identity();
        self
    }

    /// Its name in a former version of the format, which is still taken.
    pub(crate) const fn formerly(mut self, former: &'static str) -> Described<T> {
        self.key = self.key.formerly(former);
        self
    }

    /// Its name in results, which ends in its unit.
    pub(crate) const fn written(mut self, name: &'static str) -> Described<T> {
        self.written = name;
        self
    }

    /// The same key where it takes another form of value.
    pub(crate) const fn taking<U: Taken>(&self) -> Described<U> {
        Described { key: self.key, default: None, written: self.written, taken: PhantomData }
    }

    /// What `table` has under the key.
    pub(crate) fn item<'a>(&self, table: &Section<'a>) -> Option<Item<'a>> {
        table.get(&self.key)
    }

    /// The same, an error when there is none.
    pub(crate) fn need<'a>(&self, table: &Section<'a>, sink: &mut Sink) -> Option<Item<'a>> {
        table.need(&self.key, sink)
    }

    /// Where `table` has it, or the place of the table.
    pub(crate) fn place(&self, table: &Section<'_>) -> Range<usize> {
        table.place(&self.key)
    }

    /// Whether `table` has it and it is `true`: of flags that are `false` by default. Another type
    /// is reported where the form of the file is checked.
    pub(crate) fn is_set(&self, table: &Section<'_>) -> bool {
        self.item(table).is_some_and(|item| item.value.as_bool() == Some(true))
    }

    /// The value where `table` has not the key; `None`: it must have it.
    fn left_out(&self, table: &Section<'_>) -> Option<T::Value> {
        self.default.map_or_else(T::left_out, |default| Some(default(table)))
    }

    /// The value in `table`, or `default`, which is not known before the file is read.
    pub(crate) fn read_or<C>(
        &self,
        default: T::Value,
        table: &Section<'_>,
        context: &C,
        sink: &mut Sink,
    ) -> Option<T::Value>
    where
        T: ReadIn<C>,
    {
        self.item(table).map_or(Some(default), |item| T::read(&item, context, sink))
    }

    /// Writes a value as results have it.
    pub(crate) fn write(&self, value: &T::Value, into: &mut Map<String, Value>) {
        T::write(value, self.written, into);
    }
}

/// What is read of a table: the value of a key, or one that several keys make.
pub(crate) trait Reads<C> {
    /// What is read.
    type Value;

    /// The value in `table`, or that of the default.
    fn read(&self, table: &Section<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value>;

    /// Every default of its keys, under this kind.
    #[cfg(test)]
    fn defaults(&self, kind: &str, table: &Section<'_>, context: &C) -> Vec<known::Known>;
}

impl<C, T: ReadIn<C>> Reads<C> for Described<T> {
    type Value = T::Value;

    fn read(&self, table: &Section<'_>, context: &C, sink: &mut Sink) -> Option<T::Value> {
        match self.left_out(table) {
            Some(value) => self.read_or(value, table, context, sink),
            None => T::read(&self.need(table, sink)?, context, sink),
        }
    }

    #[cfg(test)]
    fn defaults(&self, kind: &str, table: &Section<'_>, context: &C) -> Vec<known::Known> {
        let value = self.left_out(table);
        let known = |value| known::Known::new::<C, T>(&self.key, kind, &value, context);
        value.map(known).into_iter().collect()
    }
}

/// What `made` is of the values of some keys. All are read before the first mistake ends it, so
/// that all are reported. `|table, context, sink| made` returns an `Option`: it reports values that
/// exclude each other, and returns `None`.
macro_rules! all_of {
    (
        $table:ident, $context:ident, $sink:ident, { $($field:ident: $key:expr),* }
        => |$in:pat_param, $with:pat_param, $to:pat_param| $made:expr
    ) => {{
        $(let $field = $crate::described::Reads::read(&$key, $table, $context, $sink);)*
        $(let $field = $field?;)*
        let ($in, $with, $to) = ($table, $context, $sink);
        $made
    }};
    (
        $table:ident, $context:ident, $sink:ident, { $($field:ident: $key:expr),* }
        => $made:expr
    ) => {
        $crate::described::all_of!(
            $table, $context, $sink, { $($field: $key),* } => |_, _, _| Some($made)
        )
    };
}

/// Implements [`Reads`] for a type that reads several keys into one value.
macro_rules! reader {
    (
        $reader:ident, $context:ty, $value:ty, [$($key:expr),+]:
        |$table:ident, $with:ident, $sink:ident| $read:expr
    ) => {
        impl $crate::described::Reads<$context> for $reader {
            type Value = $value;

            fn read(
                &self,
                $table: &$crate::section::Section<'_>,
                $with: &$context,
                $sink: &mut $crate::diagnostic::Sink,
            ) -> Option<$value> {
                $read
            }

            #[cfg(test)]
            fn defaults(
                &self,
                kind: &str,
                table: &$crate::section::Section<'_>,
                context: &$context,
            ) -> Vec<$crate::described::known::Known> {
                let all = [$($crate::described::Reads::defaults(&$key, kind, table, context)),+];
                all.concat()
            }
        }
    };
}

/// Makes a type that reads several keys into one value.
macro_rules! group {
    (
        $(#[$doc:meta])+ $group:ident, $context:ty:
        $(|$in:pat_param, $with:pat_param, $to:pat_param|)? { $($made:tt)+ }
        of { $($field:ident: $key:expr),+ $(,)? } -> $value:ty
    ) => {
        $(#[$doc])+
        pub(crate) struct $group;

        $crate::described::reader! { $group, $context, $value, [$($key),+]:
            |table, context, sink| $crate::described::all_of!(
                table, context, sink, { $($field: $key),+ }
                => $(|$in, $with, $to|)? { $($made)+ }
            )
        }
    };
}

/// Makes, of a list of kinds and the keys that each has, `read` of the kinds.
macro_rules! reads {
    ($kinds:ty, $context:ty: $(
        $kind:literal = $(|$in:pat_param, $with:pat_param, $to:pat_param|)? { $($made:tt)+ }
            of { $($field:ident: $key:expr),+ $(,)? }
    )+) => {
        /// The kind of this name with what `table` says; `None` inside: no kind of this list.
        pub(crate) fn read(
            kind: &str,
            table: &$crate::section::Section<'_>,
            context: &$context,
            sink: &mut $crate::diagnostic::Sink,
        ) -> Option<Option<$kinds>> {
            let made: Option<$kinds> = match kind {
                $($kind => $crate::described::all_of!(
                    table, context, sink, { $($field: $key),+ }
                    => $(|$in, $with, $to|)? { $($made)+ }
                ),)+
                _ => return Some(None),
            };
            made.map(Some)
        }

        /// Every key with a default.
        #[cfg(test)]
        pub(crate) fn defaults(
            table: &$crate::section::Section<'_>,
            context: &$context,
        ) -> Vec<$crate::described::known::Known> {
            use $crate::described::Reads;
            [$($($key.defaults($kind, table, context)),+),+].concat()
        }
    };
}

/// The same, and `write`. A kind is written as the expression that makes it, which is also the
/// pattern that takes it apart.
macro_rules! kinds {
    ($kinds:ty, $context:ty: $(
        $kind:literal = { $($made:tt)+ } of { $($field:ident: $key:expr),+ $(,)? }
    )+) => {
        $crate::described::reads! {
            $kinds, $context: $($kind = { $($made)+ } of { $($field: $key),+ })+
        }

        /// What results say of it beside its kind; nothing of kinds that are not in this list.
        pub(crate) fn write(
            kind: &$kinds,
            into: &mut serde_json::Map<String, serde_json::Value>,
        ) {
            match kind {
                $($($made)+ => { $($key.write($field, into);)+ })+
                #[allow(unreachable_patterns, reason = "the list may have every kind")]
                _ => {}
            }
        }
    };
}

pub(crate) use {all_of, group, kinds, reader, reads};
