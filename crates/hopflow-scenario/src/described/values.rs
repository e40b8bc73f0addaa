//! What keys take: numbers with and without units, words, and those that may be left out.

use std::marker::PhantomData;

use hopflow_network::Limit;
use hopflow_units::{Bytes, CellRate, Picos, Probability, Rate};
use serde_json::{Map, Value, json};

#[cfg(test)]
use super::known::Known;
use super::{CellTime, Described, ReadIn, Reads, Taken};
use crate::Code;
use crate::decimal::Rounding;
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::{Key, Ty};
use crate::value::Item;

/// Makes types of values that are one number or word in results. `in CONTEXT`: reading needs
/// this context.
macro_rules! taken {
    (in $context:ty: $(
        $(#[$doc:meta])+
        $taken:ident is $value:ty, $ty:expr, |$item:ident, $with:tt, $sink:ident| $read:expr;
    )+) => {$(
        $crate::described::taken! { @type $(#[$doc])+ $taken [] is $value, $ty }

        impl $crate::described::ReadIn<$context> for $taken {
            fn read(
                $item: &$crate::value::Item<'_>,
                $with: &$context,
                $sink: &mut $crate::diagnostic::Sink,
            ) -> Option<$value> {
                $read
            }
        }
    )+};
    (@type $(#[$doc:meta])+ $taken:ident
        [$($of:ident: $number:ty $(= $default:literal)?),*] is $value:ty, $ty:expr
    ) => {
        $(#[$doc])+
        pub(crate) struct $taken<$(const $of: $number $(= $default)?),*>;

        impl<$(const $of: $number),*> $crate::described::Taken for $taken<$($of),*> {
            type Value = $value;
            const TY: $crate::tab::Ty = $ty;

            fn write(
                value: &$value,
                name: &str,
                into: &mut serde_json::Map<String, serde_json::Value>,
            ) {
                into.insert(name.to_owned(), serde_json::json!(value));
            }
        }
    };
    ($(
        $(#[$doc:meta])+
        $taken:ident $([$($of:ident: $number:ty $(= $default:literal)?),+])?
            is $value:ty, $ty:expr, |$item:ident, $sink:ident| $read:expr;
    )+) => {$(
        taken! { @type $(#[$doc])+ $taken
            [$($($of: $number $(= $default)?),+)?] is $value, $ty }

        impl<C $($(, const $of: $number)+)?> ReadIn<C> for $taken $(<$($of),+>)? {
            fn read($item: &Item<'_>, _: &C, $sink: &mut Sink) -> Option<$value> {
                $read
            }
        }
    )+};
}

/// A text without control characters, which would command the terminal that shows it; lines and
/// tabs may be in it.
fn shown(item: &Item<'_>, sink: &mut Sink) -> Option<String> {
    let text = item.text(sink)?;
    let commands = |one: &char| one.is_control() && !['\n', '\r', '\t'].contains(one);
    if let Some(one) = text.chars().find(commands) {
        let what = format!("`{}` holds the control character U+{:04X}", item.key, u32::from(one));
        sink.error(Code::BAD_NAME, &item.span, what).hint("take it out");
        return None;
    }
    Some(text.to_owned())
}

taken! {
    /// A size of `LEAST` to `MOST` bytes.
    Octets[LEAST: u64, MOST: u64] is Bytes, Ty::BYTES,
        |item, sink| item.bytes(Bytes(LEAST), Bytes(MOST), sink);

    /// A size of `LEAST` to `MOST` bytes, in 32 bits.
    SmallOctets[LEAST: u64, MOST: u64] is u32, Ty::BYTES,
        |item, sink| Some(item.bytes(Bytes(LEAST), Bytes(MOST), sink)?.0 as u32);

    /// A size of `LEAST` to `MOST` bytes, given in bytes or in cells.
    BytesOrCells[LEAST: u64, MOST: u64] is Bytes, Ty::BYTES_OR_CELLS,
        |item, sink| item.bytes_or_cells(Bytes(LEAST), Bytes(MOST), sink);

    /// The limit of a buffer, in packets or in bytes.
    Size is Limit, Ty::LIMIT, |item, sink| item.limit(sink);

    /// Any text that a terminal and a page can show.
    Text is String, Ty::Text, |item, sink| shown(item, sink);

    /// A name.
    Name is String, Ty::Name, |item, sink| item.text(sink).map(str::to_owned);

    /// A whole number from `LEAST` to `MOST`.
    Whole[LEAST: u32, MOST: u32] is u32, Ty::Count(LEAST as u64, MOST as u64),
        |item, sink| item.count(LEAST.into(), MOST.into(), sink).map(|count| count as u32);

    /// A whole number from `LEAST` to `MOST`, in 64 bits.
    Count[LEAST: u64, MOST: u64] is u64, Ty::Count(LEAST, MOST),
        |item, sink| item.count(LEAST, MOST, sink);

    /// A number, at least `LEAST`.
    Number[LEAST: u32] is f64, Ty::Number(LEAST as f64),
        |item, sink| item.number(LEAST.into(), sink);

    /// Any number, below zero too.
    AnyNumber is f64, Ty::AnyNumber, |item, sink| item.any_number(sink);

    /// A part: a number, or a text such as `1/16`.
    Fraction is f64, Ty::Fraction, |item, sink| item.fraction(sink);

    /// `true` or `false`.
    Flag is bool, Ty::Flag, |item, sink| item.flag(sink);

    /// A time, not in cells; above zero unless `ZERO`.
    Time[ZERO: bool = false] is Picos, Ty::time(ZERO),
        |item, sink| item.time(ZERO, sink);

    /// A chance, from 0 to 1.
    Chance is Probability, Ty::Probability, |item, sink| item.probability(sink);

    /// A rate in bits per second.
    LineRate is Rate, Ty::RATE, |item, sink| item.rate(sink);

    /// A length of a queue in cells.
    Queue is u64, Ty::QUEUE, |item, sink| item.queue(sink);

    /// A rate of cells, not a share of a link.
    CellPace is CellRate, Ty::CELL_RATE, |item, sink| item.cell_rate(None, sink);
}

taken! { @type
    /// A time, perhaps in cells; above zero unless `ZERO`.
    Span [ZERO: bool = false] is Picos, Ty::span(ZERO)
}

impl<C: CellTime, const ZERO: bool> ReadIn<C> for Span<ZERO> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Picos> {
        item.span(context.cell(), ZERO, sink)
    }
}

/// A link of which shares are taken, whose cells are a unit of time, and on which credits count
/// units.
pub(crate) struct OnLink {
    pub(crate) rate: Rate,
    pub(crate) cell: Picos,
    pub(crate) unit: Bytes,
}

impl CellTime for OnLink {
    fn cell(&self) -> Picos {
        self.cell
    }
}

taken! { in OnLink:
    /// A rate, or a share of the link, rounded up.
    LinkRate is Rate, Ty::BANDWIDTH,
        |item, link, sink| item.bandwidth(link.rate, Rounding::Up, sink);
}

pub(crate) use taken;

/// A law: a table under the key, which `laws` reads, or a bare value, from which `fixed` makes it.
pub(crate) struct Law<T: Taken, L, V> {
    pub(crate) bare: Described<T>,
    pub(crate) laws: L,
    pub(crate) fixed: fn(T::Value) -> V,
}

impl<C, T: ReadIn<C>, V, L: Reads<C, Value = V>> Reads<C> for Law<T, L, V> {
    type Value = V;

    fn read(&self, table: &Section<'_>, context: &C, sink: &mut Sink) -> Option<V> {
        let is_table = self.bare.item(table).is_some_and(|item| item.value.is_table());
        match table.table(&self.bare.key).filter(|_| is_table) {
            Some(law) => self.laws.read(&law, context, sink),
            None => self.bare.read(table, context, sink).map(self.fixed),
        }
    }

    #[cfg(test)]
    fn defaults(&self, kind: &str, table: &Section<'_>, context: &C) -> Vec<Known> {
        self.bare.defaults(kind, table, context)
    }
}

/// The table under a key, if it is there.
pub(crate) struct Inner<R> {
    pub(crate) key: Key,
    pub(crate) reads: R,
}

impl<C, R: Reads<C>> Reads<C> for Inner<R> {
    type Value = Option<R::Value>;

    fn read(&self, table: &Section<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        let Some(inner) = table.table(&self.key) else { return Some(None) };
        self.reads.read(&inner, context, sink).map(Some)
    }

    #[cfg(test)]
    fn defaults(&self, kind: &str, table: &Section<'_>, context: &C) -> Vec<Known> {
        let tab = self.key.ty.tab().expect("it takes a table");
        self.reads.defaults(kind, &Section::empty(table.span.clone(), tab), context)
    }
}

/// Values that a file gives as words alone.
pub(crate) trait Words: Copy + PartialEq + 'static {
    /// The words, each of the value at the same place.
    const WORDS: &'static [&'static str];
    /// All values.
    const VALUES: &'static [Self];

    /// How a scenario says it.
    fn word(self) -> &'static str {
        let place = Self::VALUES.iter().position(|value| *value == self);
        Self::WORDS[place.expect("every value has a word")]
    }
}

/// Gives values their words.
macro_rules! words {
    ($($kinds:ty: $($word:literal = $value:expr),+;)+) => {$(
        impl $crate::described::Words for $kinds {
            const WORDS: &'static [&'static str] = &[$($word),+];
            const VALUES: &'static [$kinds] = &[$($value),+];
        }
    )+};
}

pub(crate) use words;

/// Words that stand for themselves: they say which other keys hold, or a reader tells them apart.
pub(crate) trait Choice: 'static {
    const WORDS: &'static [&'static str];
}

impl<W: Choice> Taken for W {
    type Value = &'static str;
    const TY: Ty = Ty::Choice(W::WORDS);

    fn write(word: &&'static str, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(word));
    }
}

impl<C, W: Choice> ReadIn<C> for W {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<&'static str> {
        item.choice(W::WORDS, sink)
    }
}

/// One of the words of `W`.
pub(crate) struct Word<W>(PhantomData<W>);

impl<W: Words> Taken for Word<W> {
    type Value = W;
    const TY: Ty = Ty::Choice(W::WORDS);

    fn write(value: &W, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value.word()));
    }
}

impl<C, W: Words> ReadIn<C> for Word<W> {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<W> {
        let word = item.choice(W::WORDS, sink)?;
        W::VALUES.iter().copied().find(|value| value.word() == word)
    }
}

/// One value for both directions, or `[there, back]`, each read in the context of its own.
pub(crate) struct BothWays<T>(PhantomData<T>);

impl<T: Taken> Taken for BothWays<T> {
    type Value = [T::Value; 2];
    const TY: Ty = Ty::AnyOf(&[T::TY, Ty::Two(&T::TY)]);

    fn write(value: &Self::Value, name: &str, into: &mut Map<String, Value>) {
        let ways = value.each_ref().map(|way| {
            let mut one = Map::new();
            T::write(way, name, &mut one);
            one.remove(name)
        });
        into.insert(name.to_owned(), json!(ways));
    }
}

impl<C, T: ReadIn<C>> ReadIn<[C; 2]> for BothWays<T> {
    fn read(item: &Item<'_>, contexts: &[C; 2], sink: &mut Sink) -> Option<Self::Value> {
        item.each_way(sink, |way, side, sink| T::read(way, &contexts[side], sink))
    }
}

/// A list of values.
pub(crate) struct ListOf<T>(PhantomData<T>);

impl<T: Taken> Taken for ListOf<T> {
    type Value = Vec<T::Value>;
    const TY: Ty = Ty::List(&T::TY);

    fn write(values: &Self::Value, name: &str, into: &mut Map<String, Value>) {
        let one = |value| {
            let mut one = Map::new();
            T::write(value, name, &mut one);
            one.remove(name)
        };
        into.insert(name.to_owned(), values.iter().map(one).collect());
    }
}

impl<C, T: ReadIn<C>> ReadIn<C> for ListOf<T> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        let list = item.list(sink)?;
        let values: Vec<_> = list.iter().map(|item| T::read(item, context, sink)).collect();
        values.into_iter().collect()
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

    fn left_out() -> Option<Self::Value> {
        Some(None)
    }
}

impl<C, T: ReadIn<C>> ReadIn<C> for Maybe<T> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        T::read(item, context, sink).map(Some)
    }
}

/// The word at this place of [`IN_PLACE`], or a value.
pub(crate) struct Or<const WORD: usize, T>(PhantomData<T>);

/// Words that stand in place of a value.
const IN_PLACE: [&[&str]; 4] = [&["none"], &["never"], &["auto"], &["until-epoch"]];

/// `"none"`, or a value.
pub(crate) type OrNone<T> = Or<0, T>;
/// `"never"`, or a value.
pub(crate) type OrNever<T> = Or<1, T>;
/// `"auto"`, or a value.
pub(crate) type OrAuto<T> = Or<2, T>;
/// `"until-epoch"`, or a value.
pub(crate) type OrUntilEpoch<T> = Or<3, T>;

impl<const WORD: usize, T: Taken> Taken for Or<WORD, T> {
    type Value = Option<T::Value>;
    const TY: Ty = Ty::WordOr(IN_PLACE[WORD], &T::TY);

    fn write(value: &Self::Value, name: &str, into: &mut Map<String, Value>) {
        write_or_null::<T>(value.as_ref(), name, into);
    }
}

impl<C, const WORD: usize, T: ReadIn<C>> ReadIn<C> for Or<WORD, T> {
    fn read(item: &Item<'_>, context: &C, sink: &mut Sink) -> Option<Self::Value> {
        match item.value.as_str() {
            Some(word) if IN_PLACE[WORD].contains(&word) => Some(None),
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
