//! What a description of a table of the scenario file is made of: tables, keys, types of values.

use std::borrow::Cow;

use crate::diagnostic::Sink;
use crate::quantity::Sort;
use crate::value::Item;

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ty {
    /// Any text.
    Text,
    /// The name of a node or flow.
    Name,
    /// A path to a file.
    Path,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A bare whole number in this range.
    Count(u64, u64),
    /// A bare number, at least this.
    Number(f64),
    /// Any bare number, below zero too.
    AnyNumber,
    /// A bare number from 0 to 1.
    Probability,
    /// `true` or `false`.
    Flag,
    /// A number with a unit of one of these sorts; whether it is in range, as far as that is known
    /// of the value alone.
    Quantity(&'static [Sort], fn(&Item<'_>, &mut Sink) -> bool),
    /// A part: a bare number of zero or more, or a text such as `1/16`.
    Fraction,
    /// A version of the format: which are known is checked as the file is built.
    Version,
    /// One of these words, or what is written otherwise.
    WordOr(&'static [&'static str], &'static Ty),
    /// A list of these.
    List(&'static Ty),
    /// Exactly two of these: `[there, back]`.
    Two(&'static Ty),
    /// Any of these; their TOML types distinguish them.
    AnyOf(&'static [Ty]),
    /// A table.
    Table(&'static Tab),
    /// A table with the same keys but those that tell one from another.
    Defaults(&'static Tab),
    /// What a variant changes: a table with the keys of [`Ty::Defaults`].
    Changes(&'static Tab),
    /// A list of tables.
    Tables(&'static Tab),
}

impl Ty {
    /// A propagation delay: a time, cells or a length. May be zero.
    pub(crate) const DELAY: Ty =
        Ty::Quantity(Sort::DELAY, |item, sink| item.is_span(Sort::DELAY, true, sink));
    /// A rate.
    pub(crate) const RATE: Ty = Ty::Quantity(Sort::RATE, |item, sink| item.rate(sink).is_some());
    /// A rate or a share of a link.
    pub(crate) const BANDWIDTH: Ty = Ty::of(Sort::BANDWIDTH);
    /// A rate, or packets per second.
    pub(crate) const PACE: Ty = Ty::of(Sort::PACE);
    /// A rate, a share of a link, or packets per second.
    pub(crate) const SOURCE_RATE: Ty = Ty::of(Sort::SOURCE_RATE);
    /// A rate of cells: a rate, or cells per second. May be zero.
    pub(crate) const CELL_RATE: Ty =
        Ty::Quantity(Sort::CELL_RATE, |item, sink| item.cell_rate(None, sink).is_some());
    /// The same, or a share of a link.
    pub(crate) const CELL_RATE_OR_SHARE: Ty = Ty::of(Sort::CELL_RATE_OR_SHARE);
    /// A length of a queue: cells, or bytes as whole cells. May be zero.
    pub(crate) const QUEUE: Ty = Ty::Quantity(Sort::QUEUE, |item, sink| item.queue(sink).is_some());
    /// A length of a queue: packets or bytes. May be zero.
    pub(crate) const QUEUE_LENGTH: Ty =
        Ty::Quantity(Sort::SIZE, |item, sink| item.queue_length(sink).is_some());
    /// A size in bytes, cells or packets.
    pub(crate) const LIMIT: Ty = Ty::Quantity(Sort::SIZE, |item, sink| item.limit(sink).is_some());
    pub(crate) const SIZE: Ty = Ty::Quantity(Sort::SIZE, |item, sink| item.size(sink).is_some());
    /// A size in bytes.
    pub(crate) const BYTES: Ty = Ty::of(Sort::BYTES);
    /// A size in bytes, given in bytes or in cells.
    pub(crate) const BYTES_OR_CELLS: Ty = Ty::of(Sort::BYTES_OR_CELLS);

    /// A quantity in these units, whose range is known only where it is used.
    const fn of(sorts: &'static [Sort]) -> Ty {
        Ty::Quantity(sorts, |_, _| true)
    }

    /// A time, cells included, more than zero unless `zero`.
    pub(crate) const fn span(zero: bool) -> Ty {
        if zero {
            Ty::Quantity(Sort::SPAN, |item, sink| item.is_span(Sort::SPAN, true, sink))
        } else {
            Ty::Quantity(Sort::SPAN, |item, sink| item.is_span(Sort::SPAN, false, sink))
        }
    }

    /// A time, cells excluded, more than zero unless `zero`.
    pub(crate) const fn time(zero: bool) -> Ty {
        if zero {
            Ty::Quantity(Sort::TIME, |item, sink| item.time(true, sink).is_some())
        } else {
            Ty::Quantity(Sort::TIME, |item, sink| item.time(false, sink).is_some())
        }
    }

    /// Calls `found` with each table that it takes, and with those below them.
    fn each_table(&self, found: &mut dyn FnMut(&'static Tab)) {
        match self {
            Ty::Table(tab) | Ty::Tables(tab) => tab.each_table(found),
            Ty::AnyOf(types) => types.iter().for_each(|ty| ty.each_table(found)),
            Ty::Two(ty) | Ty::List(ty) | Ty::WordOr(_, ty) => ty.each_table(found),
            _ => {}
        }
    }

    /// The table that it takes, alone or in a list.
    pub(crate) fn tab(&self) -> Option<&'static Tab> {
        match self {
            Ty::Table(tab) | Ty::Tables(tab) => Some(tab),
            Ty::AnyOf(types) => types.iter().find_map(Ty::tab),
            Ty::WordOr(_, ty) | Ty::List(ty) => ty.tab(),
            _ => None,
        }
    }
}

/// A table of the file.
#[derive(Debug)]
pub(crate) struct Tab {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Which keys belong to which kind, where the table has one.
    pub(crate) kinds: &'static [&'static str],
}

/// Words of a description.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Words {
    /// These words.
    Are(&'static str),
    /// Words that follow from a list of kinds, whatever is in it.
    Follow(fn() -> String),
}

impl Words {
    /// The words.
    pub(crate) fn text(self) -> Cow<'static, str> {
        match self {
            Words::Are(words) => words.into(),
            Words::Follow(words) => words().into(),
        }
    }
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// Its name in a former version of the format, which is still taken; empty: the same.
    pub(crate) former: &'static str,
    pub(crate) ty: Ty,
    pub(crate) doc: Words,
    /// The kinds it belongs to; empty: all.
    pub(crate) kinds: &'static [&'static str],
    /// The default and its source; empty: none.
    pub(crate) default: Words,
    pub(crate) required: bool,
    /// A value that it may have, as the file writes it; empty: none is given.
    pub(crate) example: &'static str,
    /// Tells one table from another, so it has no place in `[defaults]`.
    pub(crate) identity: bool,
}

impl Tab {
    /// The key of this name, or of this former name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name || (key.former == name && !name.is_empty()))
    }

    /// Calls `found` with this table and each that is below it; with one that is in several places,
    /// several times.
    pub(crate) fn each_table(&'static self, found: &mut dyn FnMut(&'static Tab)) {
        found(self);
        self.keys.iter().for_each(|key| key.ty.each_table(found));
    }

    /// Example keys of a table of this kind, as the file writes them; `None`: no example is given.
    pub(crate) fn such_as(&self, kind: &str) -> Option<String> {
        let has = |key: &&Key| key.kinds.contains(&kind) && !key.example.is_empty();
        let keys = self.keys.iter().filter(has);
        keys.map(|key| format!("{} = {}", key.name, key.example))
            .reduce(|all, key| all + ", " + &key)
    }
}

/// A key for all kinds, which may be left out.
pub(crate) const fn key(name: &'static str, ty: Ty, doc: &'static str) -> Key {
    Key {
        name,
        former: "",
        ty,
        doc: Words::Are(doc),
        kinds: &[],
        default: Words::Are(""),
        required: false,
        example: "",
        identity: false,
    }
}

/// The keys of two lists; `N` is their number.
pub(crate) const fn join<const N: usize>(first: &[Key], second: &[Key]) -> [Key; N] {
    let mut all = [first[0]; N];
    let (front, back) = all.split_at_mut(first.len());
    front.copy_from_slice(first);
    back.copy_from_slice(second);
    all
}

/// The keys of a list, with this default instead of their own; `N` is their number.
pub(crate) const fn defaulting<const N: usize>(keys: &[Key], default: &'static str) -> [Key; N] {
    let mut all = [keys[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = keys[at].default(default);
        at += 1;
    }
    all
}

/// The keys of several lists, as a list.
macro_rules! joined {
    ($first:expr, $second:expr, $($more:expr),+ $(,)?) => {
        $crate::tab::joined!($first, $crate::tab::joined!($second, $($more),+))
    };
    ($first:expr, $second:expr $(,)?) => {{
        const FIRST: &[$crate::tab::Key] = $first;
        const SECOND: &[$crate::tab::Key] = $second;
        &$crate::tab::join::<{ FIRST.len() + SECOND.len() }>(FIRST, SECOND)
    }};
}

pub(crate) use joined;

impl Key {
    pub(crate) const fn of(mut self, kinds: &'static [&'static str]) -> Key {
        self.kinds = kinds;
        self
    }
    pub(crate) const fn default(mut self, default: &'static str) -> Key {
        self.default = Words::Are(default);
        self
    }
    /// A default that follows from a list of kinds.
    pub(crate) const fn default_by(mut self, default: fn() -> String) -> Key {
        self.default = Words::Follow(default);
        self
    }
    /// A meaning that follows from a list of kinds.
    pub(crate) const fn doc_by(mut self, doc: fn() -> String) -> Key {
        self.doc = Words::Follow(doc);
        self
    }
    pub(crate) const fn formerly(mut self, former: &'static str) -> Key {
        self.former = former;
        self
    }
    pub(crate) const fn required(mut self) -> Key {
        self.required = true;
        self
    }
    pub(crate) const fn such_as(mut self, example: &'static str) -> Key {
        self.example = example;
        self
    }
    pub(crate) const fn identity(mut self) -> Key {
        self.identity = true;
        self
    }

    /// Whether tables of this kind have it.
    pub(crate) fn is_of(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// The least urgent priority: a port has eight lists.
pub(crate) const LAST_PRIORITY: u8 = 7;
