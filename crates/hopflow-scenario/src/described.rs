//! One description of a key: what it takes, what it means, what holds where it is left out, and its
//! name in results. The reader, the schema, the documents and the manifest follow from it.
//!
//! ```text
//! const QUANTUM: Described<Octets<1, LARGEST>> = Described::new("quantum", "What a flow ...")
//!     .of(&["deficit-round-robin"]).required("\"1500 B\"").written("quantum_bytes");
//!
//! QUANTUM.read(&table, &(), &mut sink)     Some(Bytes(1500)), or an error in the sink
//! QUANTUM.write(&Bytes(1500), &mut map)    "quantum_bytes": 1500
//! ```

use std::marker::PhantomData;

use hopflow_units::{Bytes, Picos};
use serde_json::{Map, Value, json};

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
}

/// What a key takes, where `C` is known, such as the link whose cells are a unit of time.
pub(crate) trait ReadIn<C>: Taken {
    /// Reads a value, or reports why not.
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value>;
}

/// What holds where a key is left out; it may depend on other keys of the table.
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

    /// What holds where it is left out, and the same in words, with its source.
    pub(crate) const fn default(mut self, value: Default<T>, words: &'static str) -> Described<T> {
        self.default = Some(value);
        self.key = self.key.default(words);
        self
    }

    /// Its name in results, which ends in its unit.
    pub(crate) const fn written(mut self, name: &'static str) -> Described<T> {
        self.written = name;
        self
    }

    /// The value in `table`, or that of the default.
    pub(crate) fn read<C>(
        &self,
        table: &Section<'_>,
        context: &C,
        sink: &mut Sink,
    ) -> Option<T::Value>
    where
        T: ReadIn<C>,
    {
        if let Some(default) = self.default {
            return match table.get(self.key.name) {
                Some(item) => T::read(&item, context, sink),
                None => Some(default(table)),
            };
        }
        T::read(&table.need(self.key.name, sink)?, context, sink)
    }

    /// Its name, the default in words, and as results write it.
    #[cfg(test)]
    pub(crate) fn default_in(
        &self,
        table: &Section<'_>,
    ) -> Option<(&'static str, &'static str, Value)> {
        let mut map = Map::new();
        self.write(&self.default?(table), &mut map);
        Some((self.key.name, self.key.default, map.remove(self.written)?))
    }

    /// Writes a value as results have it.
    pub(crate) fn write(&self, value: &T::Value, into: &mut Map<String, Value>) {
        T::write(value, self.written, into);
    }
}

/// Makes, of a list of kinds and the keys that each has, `read` and `write` of the kinds. A kind is
/// written as the expression that makes it, which is also the pattern that takes it apart.
macro_rules! kinds {
    ($kinds:ty, $context:ty: $(
        $kind:literal = { $($made:tt)+ } of { $($field:ident: $key:expr),+ $(,)? }
    )+) => {
        /// The kind of this name with what `table` says; `None` inside: no kind of this list.
        pub(crate) fn read(
            kind: &str,
            table: &$crate::section::Section<'_>,
            context: &$context,
            sink: &mut $crate::diagnostic::Sink,
        ) -> Option<Option<$kinds>> {
            match kind {
                $($kind => {
                    // All are read before the first mistake ends it, so that all are reported.
                    $(let $field = $key.read(table, context, sink);)+
                    $(let $field = $field?;)+
                    Some(Some($($made)+))
                })+
                _ => Some(None),
            }
        }

        /// What results say of it beside its kind; nothing of kinds that are not in this list.
        pub(crate) fn write(
            kind: &$kinds,
            into: &mut serde_json::Map<String, serde_json::Value>,
        ) {
            match kind {
                $($($made)+ => { $($key.write($field, into);)+ })+
                _ => {}
            }
        }

        /// Every key with a default: its name, the default in words, and as results write it.
        #[cfg(test)]
        pub(crate) fn defaults(
            table: &$crate::section::Section<'_>,
        ) -> Vec<(&'static str, &'static str, serde_json::Value)> {
            [$($($key.default_in(table)),+),+].into_iter().flatten().collect()
        }
    };
}

pub(crate) use kinds;

/// A size of `LEAST` to `MOST` bytes.
pub(crate) struct Octets<const LEAST: u64, const MOST: u64>;

impl<const LEAST: u64, const MOST: u64> Taken for Octets<LEAST, MOST> {
    type Value = Bytes;
    const TY: Ty = Ty::Bytes;

    fn write(value: &Bytes, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value));
    }
}

impl<C, const LEAST: u64, const MOST: u64> ReadIn<C> for Octets<LEAST, MOST> {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<Bytes> {
        item.bytes(Bytes(LEAST), Bytes(MOST), sink)
    }
}

/// A whole number from `LEAST` to `MOST`.
pub(crate) struct Whole<const LEAST: u32, const MOST: u32>;

impl<const LEAST: u32, const MOST: u32> Taken for Whole<LEAST, MOST> {
    type Value = u32;
    const TY: Ty = Ty::Count(LEAST as u64, MOST as u64);

    fn write(value: &u32, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value));
    }
}

impl<C, const LEAST: u32, const MOST: u32> ReadIn<C> for Whole<LEAST, MOST> {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<u32> {
        item.count(LEAST.into(), MOST.into(), sink).map(|count| count as u32)
    }
}

/// `true` or `false`.
pub(crate) struct Flag;

impl Taken for Flag {
    type Value = bool;
    const TY: Ty = Ty::Flag;

    fn write(value: &bool, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value));
    }
}

impl<C> ReadIn<C> for Flag {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<bool> {
        item.flag(sink)
    }
}

/// A time, not in cells; above zero unless `ZERO`.
pub(crate) struct Time<const ZERO: bool = false>;

impl<const ZERO: bool> Taken for Time<ZERO> {
    type Value = Picos;
    const TY: Ty = Ty::Time { zero: ZERO };

    fn write(value: &Picos, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value));
    }
}

impl<C, const ZERO: bool> ReadIn<C> for Time<ZERO> {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<Picos> {
        item.time(ZERO, sink)
    }
}

/// What may be left out for good.
pub(crate) struct Maybe<T>(PhantomData<T>);

impl<T: Taken> Taken for Maybe<T> {
    type Value = Option<T::Value>;
    const TY: Ty = T::TY;

    fn write(value: &Self::Value, name: &str, into: &mut Map<String, Value>) {
        write_or_null::<T>(value.as_ref(), name, into);
    }
}

impl<C, T: ReadIn<C>> ReadIn<C> for Maybe<T> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        T::read(item, context, sink).map(Some)
    }
}

/// `"never"`, or a value.
pub(crate) struct OrNever<T>(PhantomData<T>);

impl<T: Taken> Taken for OrNever<T> {
    type Value = Option<T::Value>;
    const TY: Ty = Ty::WordOr(&["never"], &T::TY);

    fn write(value: &Self::Value, name: &str, into: &mut Map<String, Value>) {
        write_or_null::<T>(value.as_ref(), name, into);
    }
}

impl<C, T: ReadIn<C>> ReadIn<C> for OrNever<T> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        match item.value.as_str() {
            Some("never") => Some(None),
            _ => T::read(item, context, sink).map(Some),
        }
    }
}

fn write_or_null<T: Taken>(value: Option<&T::Value>, name: &str, into: &mut Map<String, Value>) {
    match value {
        Some(value) => T::write(value, name, into),
        None => drop(into.insert(name.to_owned(), Value::Null)),
    }
}
