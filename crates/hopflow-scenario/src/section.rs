//! Tables of the file: which keys they hold, what is under them, what `[defaults]` adds.

use std::ops::Range;

use hopflow_units::Picos;
use toml::de::{DeTable, DeValue};

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{Key, ROOT, Tab, Ty};
use crate::quantity::{Quantity, QuantityError, Sort};
use crate::value::{CELL_RATES, Item, nearest, type_name};

/// A table, its place, what a variant changes of it, and the table of `[defaults]` behind it.
#[derive(Clone, Debug)]
pub(crate) struct Section<'a> {
    changes: Option<&'a DeTable<'a>>,
    own: Option<&'a DeTable<'a>>,
    behind: Option<&'a DeTable<'a>>,
    pub(crate) span: Range<usize>,
    tab: &'static Tab,
    /// What is there is no table, which has been told.
    broken: bool,
}

impl<'a> Section<'a> {
    /// A table without defaults.
    pub(crate) fn new(own: &'a DeTable<'a>, span: Range<usize>, tab: &'static Tab) -> Section<'a> {
        Section { changes: None, own: Some(own), behind: None, span, tab, broken: false }
    }

    /// A table with nothing in it.
    pub(crate) fn empty(span: Range<usize>, tab: &'static Tab) -> Section<'a> {
        Section { changes: None, own: None, behind: None, span, tab, broken: false }
    }

    /// The same with another table's keys behind it.
    pub(crate) fn with_defaults(mut self, behind: Option<&'a DeTable<'a>>) -> Section<'a> {
        self.behind = behind;
        self
    }

    /// The same with another table's keys before it, unless it says that it is not controlled.
    pub(crate) fn with_changes(mut self, changes: Option<&'a DeTable<'a>>) -> Section<'a> {
        self.changes = changes.filter(|_| self.is_controlled());
        self
    }

    /// Whether variants change it.
    pub(crate) fn is_controlled(&self) -> bool {
        let controlled = self.own.and_then(|own| find(own, "controlled"));
        controlled.is_none_or(|item| item.value.as_bool() != Some(false))
    }

    /// Whether a variant names `key`.
    pub(crate) fn is_changed(&self, key: &'static str) -> bool {
        self.changes.is_some_and(|changes| find(changes, key).is_some())
    }

    /// What is under `key` in the table itself.
    pub(crate) fn own(&self, key: &'static str) -> Option<Item<'a>> {
        debug_assert!(self.tab.key(key).is_some(), "unknown key `{key}` in {}", self.tab.name);
        self.under(self.own?, key)
    }

    /// What is under `key`: in the variant, in the table itself, or in the defaults.
    pub(crate) fn get(&self, key: &'static str) -> Option<Item<'a>> {
        let changed = self.changes.and_then(|changes| self.under(changes, key));
        changed.or_else(|| self.own(key)).or_else(|| self.under(self.behind?, key))
    }

    /// What `table` has under the key or its former name.
    fn under(&self, table: &'a DeTable<'a>, key: &'static str) -> Option<Item<'a>> {
        find(table, key).or_else(|| {
            let former = self.tab.key(key)?.former;
            find(table, former).map(|item| Item { key, ..item })
        })
    }

    /// As [`Section::get`], where the table may have no such key at all.
    pub(crate) fn find(&self, key: &'static str) -> Option<Item<'a>> {
        self.tab.key(key).and_then(|_| self.get(key))
    }

    /// As [`Section::get`], an error when there is none.
    pub(crate) fn need(&self, key: &'static str, sink: &mut Sink) -> Option<Item<'a>> {
        let item = self.get(key);
        if item.is_none() && !self.broken {
            let these = if self.tab.name.ends_with('s') { "these" } else { "this" };
            let message = format!("`{key}` is missing in {these} {}", self.tab.name);
            sink.error(Code::MISSING_KEY, &self.span, message).hint(self.about(key));
        }
        item
    }

    /// What a key is, and whether it may be given once for all.
    fn about(&self, name: &str) -> String {
        let Some(key) = self.tab.key(name) else { return String::new() };
        let shared = !key.identity && ["flow", "host", "link", "switch"].contains(&self.tab.name);
        if shared {
            let doc = key.doc.trim_end_matches('.');
            return format!("{name}: {doc}; or once for all in `[defaults.{}]`", self.tab.name);
        }
        format!("{name}: {}", key.doc)
    }

    /// `true` or `false`, `false` when it is not there.
    pub(crate) fn flag(&self, key: &'static str, sink: &mut Sink) -> bool {
        self.get(key).and_then(|item| item.flag(sink)).unwrap_or(false)
    }

    /// The tables of a list of tables, each without defaults.
    pub(crate) fn tables(
        &self,
        key: &'static str,
        tab: &'static Tab,
        sink: &mut Sink,
    ) -> Vec<Section<'a>> {
        let Some(list) = self.own(key).and_then(|item| item.list(sink)) else {
            return Vec::new();
        };
        list.into_iter()
            .filter_map(|item| Some(Section::new(item.value.as_table()?, item.span, tab)))
            .collect()
    }

    /// The table under `key`. What stands behind it in the defaults is merged key by key, unless
    /// the table names another kind. What a variant names is taken whole. `None`: there is none.
    pub(crate) fn table(&self, key: &'static str, tab: &'static Tab) -> Option<Section<'a>> {
        let changed = self.changes.and_then(|changes| find(changes, key));
        let kept = changed.is_none();
        let own = changed.or_else(|| self.own(key));
        let behind = self.behind.filter(|_| kept).and_then(|table| find(table, key));
        let span = own.as_ref().or(behind.as_ref())?.span.clone();
        let broken = own.as_ref().is_some_and(|item| !item.value.is_table());
        let own = own.and_then(|item| item.value.as_table());
        let behind = behind.and_then(|item| item.value.as_table());
        let kind =
            |table: &'a DeTable<'a>| find(table, "kind").and_then(|item| item.value.as_str());
        let other = own.and_then(kind).is_some_and(|own_kind| {
            behind.and_then(kind).is_some_and(|behind_kind| behind_kind != own_kind)
        });
        let behind = behind.filter(|_| !other);
        Some(Section { changes: None, own, behind, span, tab, broken })
    }

    /// The kind, and an error for every key of the table that belongs to others only.
    pub(crate) fn kind(
        &self,
        kinds: &'static [&'static str],
        sink: &mut Sink,
    ) -> Option<&'static str> {
        let kind = self.need("kind", sink)?.choice(kinds, sink)?;
        self.only_keys_of(kind, sink);
        Some(kind)
    }

    /// An error for every key of the table itself that does not belong to `kind`, and of the one
    /// behind it, where that names the same kind.
    pub(crate) fn only_keys_of(&self, kind: &str, sink: &mut Sink) {
        let names_kind = |table: &&DeTable<'_>| {
            find(table, "kind").is_some_and(|item| item.value.as_str() == Some(kind))
        };
        let behind = self.behind.filter(names_kind);
        for (name, _) in self.own.into_iter().chain(behind).flatten() {
            let Some(key) = self.tab.key(name.get_ref()) else {
                continue;
            };
            if !key.kinds.is_empty() && !key.kinds.contains(&kind) {
                let message =
                    format!("`{}` does not belong to the {} `{kind}`", key.name, self.tab.name);
                let hint = match instead(self.tab, key.name, kind) {
                    Some(instead) => instead.to_owned(),
                    None => format!("it belongs to: {}", key.kinds.join(", ")),
                };
                sink.error(Code::KEY_OF_OTHER_KIND, &name.span(), message).hint(hint);
            }
        }
    }
}

/// What a kind has in place of a key of others.
fn instead(tab: &Tab, key: &str, kind: &str) -> Option<&'static str> {
    let of_credit = matches!(tab.name, "control" | "hop") && kind == "adaptive";
    match key {
        "n3" | "target" | "allow-small-n3" | "allow-small-buffer" if of_credit => Some(
            "leave it out: flows under adaptive credit share the memory of the link, `pool = { \
             memory = ..., interval = ... }` of `[[link]]`",
        ),
        _ => None,
    }
}

fn find<'a>(table: &'a DeTable<'a>, key: &'static str) -> Option<Item<'a>> {
    let value = table.get(key)?;
    Some(Item { value: value.get_ref(), span: value.span(), key })
}

/// Checks all keys of a table and the types, units and ranges of what is under them, whether it
/// is used later or not. `part`: the table in which this one stands for many, if it does; it has
/// no keys then that tell one from another.
pub(crate) fn check_table(
    table: &DeTable<'_>,
    tab: &'static Tab,
    part: Option<&str>,
    sink: &mut Sink,
) {
    for (name, value) in table {
        let open = |key: &&Key| part.is_none() || !key.identity;
        let Some(key) = tab.key(name.get_ref()).filter(open) else {
            unknown_key(name.get_ref(), &name.span(), tab, part, sink);
            continue;
        };
        let item = Item { value: value.get_ref(), span: value.span(), key: key.name };
        check_value(&item, &key.ty, sink);
        if name.get_ref() != key.name {
            former_key(key, table, &name.span(), tab, sink);
        }
    }
}

/// A key by its former name: a warning, or an error beside its name of today.
fn former_key(
    key: &'static Key,
    table: &DeTable<'_>,
    span: &Range<usize>,
    tab: &'static Tab,
    sink: &mut Sink,
) {
    let Key { name, former, .. } = key;
    if table.contains_key(*name) {
        let message = format!("`{former}` is the former name of `{name}`, which is there as well");
        sink.error(Code::CONFLICT, span, message).hint(format!("take `{former}` out"));
    } else {
        let message = format!("`{former}` in {} is the former name of `{name}`", tab.name);
        sink.warning(Code::FORMER_FORMAT, span, message).hint(format!("write `{name}`"));
    }
}

/// No such key in a table; the hint names what is meant.
pub(crate) fn unknown_key(
    name: &str,
    span: &Range<usize>,
    tab: &'static Tab,
    part: Option<&str>,
    sink: &mut Sink,
) {
    let place = part.map_or(tab.name.to_owned(), |part| format!("{part}.{}", tab.name));
    let open = |key: &&Key| part.is_none() || !key.identity;
    let names: Vec<&str> = tab.keys.iter().filter(open).map(|key| key.name).collect();
    let mut homes = Vec::new();
    homes_of(name, &ROOT, &mut homes);
    let hint = match nearest(name, names.iter().copied()) {
        _ if !homes.is_empty() => format!("it is a key of: {}", homes.join(", ")),
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys are: {}", names.join(", ")),
    };
    let message = format!("unknown key `{name}` in {place}");
    sink.error(Code::UNKNOWN_KEY, span, message).hint(hint);
}

/// The tables, from `tab` on, that have a key of this name.
fn homes_of(name: &str, tab: &'static Tab, homes: &mut Vec<&'static str>) {
    if tab.key(name).is_some() && !homes.contains(&tab.name) {
        homes.push(tab.name);
    }
    tab.keys.iter().for_each(|key| homes_below(name, &key.ty, homes));
}

fn homes_below(name: &str, ty: &Ty, homes: &mut Vec<&'static str>) {
    match ty {
        Ty::Table(tab) | Ty::Tables(tab) => homes_of(name, tab, homes),
        Ty::AnyOf(types) => types.iter().for_each(|ty| homes_below(name, ty, homes)),
        Ty::Two(ty) | Ty::List(ty) | Ty::WordOr(_, ty) => homes_below(name, ty, homes),
        _ => {}
    }
}

/// Checks one value against what its key takes. Spans are only checked for their form here:
/// what a cell lasts is not known yet.
fn check_value(item: &Item<'_>, ty: &Ty, sink: &mut Sink) {
    let cell = Picos(1);
    match ty {
        Ty::Text | Ty::Name | Ty::Path => drop(item.text(sink)),
        Ty::Choice(words) => drop(item.choice(words, sink)),
        Ty::Count(least, most) => drop(item.count(*least, *most, sink)),
        Ty::Version => drop(item.count(0, u64::MAX, sink)),
        Ty::Number(least) => drop(item.number(*least, sink)),
        Ty::AnyNumber => drop(item.any_number(sink)),
        Ty::Probability => drop(item.probability(sink)),
        Ty::Flag => drop(item.flag(sink)),
        Ty::Span { zero } => drop(item.span(cell, *zero, sink)),
        Ty::Delay => drop(item.delay(cell, sink)),
        Ty::Rate => drop(item.rate(sink)),
        Ty::Bandwidth => drop(item.quantity(&[Sort::Rate, Sort::Share], sink)),
        Ty::Size => drop(item.size(sink)),
        Ty::Time { zero } => drop(item.time(*zero, sink)),
        Ty::Pace => drop(item.quantity(&[Sort::Rate, Sort::Pace], sink)),
        Ty::SourceRate => drop(item.quantity(&[Sort::Rate, Sort::Share, Sort::Pace], sink)),
        Ty::CellRate { share: true } => drop(item.quantity(CELL_RATES, sink)),
        Ty::CellRate { share: false } => drop(item.cell_rate(None, sink)),
        Ty::Fraction => drop(item.fraction(sink)),
        Ty::Queue => drop(item.queue(sink)),
        Ty::QueueLength => drop(item.queue_length(sink)),
        Ty::Bytes => drop(item.quantity(&[Sort::Size], sink)),
        Ty::BytesOrCells => drop(item.quantity(&[Sort::Size, Sort::Cells], sink)),
        Ty::WordOr(words, otherwise) => match item.value.as_str() {
            Some(word) if words.contains(&word) => {}
            Some(word) if Quantity::parse(word) == Err(QuantityError::NotANumber) => {
                item.unknown_choice(word, words, or_else(otherwise), sink);
            }
            _ => check_value(item, otherwise, sink),
        },
        Ty::List(element) => check_elements(item.list(sink), element, sink),
        Ty::Two(element) => check_elements(item.two(sink).map(Vec::from), element, sink),
        Ty::AnyOf(types) => {
            let number = item.value.is_integer() || item.value.is_float();
            let without_unit = || types.iter().find(|ty| number && is_quantity(ty));
            match types.iter().find(|ty| takes(ty, item.value)).or_else(without_unit) {
                Some(Ty::Choice(words)) => drop(item.choice_or(words, beside_words(types), sink)),
                Some(ty) => check_value(item, ty, sink),
                None => item.wrong_type(sink, &wanted(types)),
            }
        }
        Ty::Table(tab) | Ty::Defaults(tab) | Ty::Changes(tab) => match item.value.as_table() {
            Some(table) => check_table(table, tab, part_of(ty), sink),
            None => no_table(item, tab, sink),
        },
        Ty::Tables(_) if item.value.is_table() => {
            let message = format!("`{}` is a list of tables, not one table", item.key);
            let hint = format!("write `[[{}]]`, with two brackets", item.key);
            sink.error(Code::WRONG_TYPE, &item.span, message).hint(hint);
        }
        Ty::Tables(tab) => {
            for element in item.list(sink).unwrap_or_default() {
                match element.value.as_table() {
                    Some(table) => check_table(table, tab, None, sink),
                    None => no_table(&element, tab, sink),
                }
            }
        }
    }
}

/// The table in which a table of this type stands for many.
fn part_of(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Defaults(_) => Some("defaults"),
        Ty::Changes(_) => Some("variant"),
        _ => None,
    }
}

fn check_elements(items: Option<Vec<Item<'_>>>, ty: &Ty, sink: &mut Sink) {
    for item in items.unwrap_or_default() {
        check_value(&item, ty, sink);
    }
}

fn no_table(item: &Item<'_>, tab: &Tab, sink: &mut Sink) {
    let found = type_name(item.value);
    let message = format!("`{}` is a table, not {found}", item.key);
    let keys: Vec<&str> = tab.keys.iter().map(|key| key.name).collect();
    let hint = format!("write `{} = {{ ... }}`, with the keys {}", item.key, keys.join(", "));
    sink.error(Code::WRONG_TYPE, &item.span, message).hint(hint);
}

/// What may be there instead of a word.
fn beside_words(types: &[Ty]) -> &'static str {
    if types.iter().any(|ty| matches!(ty, Ty::Table(_))) {
        ", or a table"
    } else if types.iter().any(|ty| matches!(ty, Ty::Count(..))) {
        ", or a whole number"
    } else {
        ""
    }
}

/// What stands where none of the words does.
fn or_else(ty: &Ty) -> &'static str {
    match ty {
        Ty::Count(..) => ", or a whole number",
        Ty::Number(_) => ", or a number",
        Ty::BytesOrCells => ", or a size such as \"64 kB\"",
        _ => ", or a time such as \"50 us\"",
    }
}

/// The types that a key takes, in words.
fn wanted(types: &[Ty]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for ty in types {
        let word = match ty {
            Ty::List(_) | Ty::Two(_) | Ty::Tables(_) => "a list",
            Ty::Table(_) | Ty::Defaults(_) | Ty::Changes(_) => "a table",
            Ty::Flag => "true or false",
            Ty::Count(..) | Ty::Version => "a whole number",
            Ty::Number(_) | Ty::AnyNumber | Ty::Probability => "a number",
            _ => "a text",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

/// Whether it is a text with a unit.
fn is_quantity(ty: &Ty) -> bool {
    use Ty::{
        Bandwidth, Bytes, BytesOrCells, CellRate, Delay, Pace, Queue, Rate, Size, SourceRate,
    };
    use Ty::{Span, Time};
    let size = matches!(ty, Size | Bytes | BytesOrCells | Queue);
    let plain = size || matches!(ty, Delay | Rate | Bandwidth | Pace | SourceRate);
    plain || matches!(ty, Span { .. } | Time { .. } | CellRate { .. })
}

/// Whether a TOML type can be of this type at all.
fn takes(ty: &Ty, value: &DeValue<'_>) -> bool {
    match ty {
        Ty::List(_) | Ty::Two(_) | Ty::Tables(_) => value.is_array(),
        Ty::Table(_) | Ty::Defaults(_) => value.is_table(),
        Ty::Flag => value.is_bool(),
        Ty::Count(..) | Ty::Version | Ty::Number(_) | Ty::AnyNumber | Ty::Probability => {
            value.is_integer() || value.is_float()
        }
        _ => value.is_str(),
    }
}
