//! Tables of the file: which keys they hold, what is under them, what `[defaults]` adds.

use std::ops::Range;

use hopflow_control::credit::CreditScheme;
use toml::de::DeTable;

use crate::Code;
use crate::diagnostic::Sink;
use crate::tab::{Key, Tab};
use crate::value::Item;

/// The key by which a table says which of several things it describes.
pub(crate) const KIND: &str = "kind";
/// The key of a table that says whether variants change it.
pub(crate) const CONTROLLED: &str = "controlled";

/// A table, its place, what a variant changes of it, and what stands behind it.
#[derive(Clone, Debug)]
pub(crate) struct Section<'a> {
    changes: Option<&'a DeTable<'a>>,
    own: Option<&'a DeTable<'a>>,
    /// The table of the flow behind that of a hop, and the table of `[defaults]`.
    behind: [Option<&'a DeTable<'a>>; 2],
    /// The kind of which keys behind it are taken; `None`: all are.
    kind: Option<&'static str>,
    pub(crate) span: Range<usize>,
    tab: &'static Tab,
    /// The value there is no table, which has been reported.
    broken: bool,
}

impl<'a> Section<'a> {
    /// A table without defaults.
    pub(crate) fn new(own: &'a DeTable<'a>, span: Range<usize>, tab: &'static Tab) -> Section<'a> {
        Section { own: Some(own), ..Section::empty(span, tab) }
    }

    /// A table with nothing in it.
    pub(crate) fn empty(span: Range<usize>, tab: &'static Tab) -> Section<'a> {
        let behind = [None, None];
        Section { changes: None, own: None, behind, kind: None, span, tab, broken: false }
    }

    /// The same with another table's keys behind it.
    pub(crate) fn with_defaults(mut self, behind: Option<&'a DeTable<'a>>) -> Section<'a> {
        self.behind = [None, behind];
        self
    }

    /// The same with the keys that `flow` has behind its own.
    pub(crate) fn over(self, flow: Option<&Section<'a>>) -> Section<'a> {
        let behind = flow.map_or([None, None], |flow| [flow.own, flow.behind[1]]);
        Section { behind, ..self }
    }

    /// The same, of this kind: what stands behind it for other kinds is not taken.
    pub(crate) fn of_kind(self, kind: &'static str) -> Section<'a> {
        Section { kind: Some(kind), ..self }
    }

    /// The same with another table's keys before it, unless it says that it is not controlled.
    pub(crate) fn with_changes(mut self, changes: Option<&'a DeTable<'a>>) -> Section<'a> {
        self.changes = changes.filter(|_| self.is_controlled());
        self
    }

    /// Whether variants change it.
    pub(crate) fn is_controlled(&self) -> bool {
        let controlled = self.own.and_then(|own| find(own, CONTROLLED));
        controlled.is_none_or(|item| item.value.as_bool() != Some(false))
    }

    /// Whether a variant names `key`.
    pub(crate) fn is_changed(&self, key: &Key) -> bool {
        self.changes.is_some_and(|changes| find(changes, key.name).is_some())
    }

    /// What is under `key` in the table itself.
    pub(crate) fn own(&self, key: &Key) -> Option<Item<'a>> {
        debug_assert!(self.tab.key(key.name).is_some(), "no key {} in {}", key.name, self.tab.name);
        under(self.own?, key)
    }

    /// What is under `key`: in the variant, in the table itself, or behind it.
    pub(crate) fn get(&self, key: &Key) -> Option<Item<'a>> {
        let changed = self.changes.and_then(|changes| under(changes, key));
        changed.or_else(|| self.own(key)).or_else(|| {
            let is_taken = self.kind.is_none_or(|kind| key.is_of(kind));
            let mut behind = self.behind.into_iter().flatten().filter(|_| is_taken);
            behind.find_map(|table| under(table, key))
        })
    }

    /// Which of the tables of [`Section::get`] has `key`: the nearest is 0, the variant.
    pub(crate) fn layer(&self, key: &Key) -> Option<usize> {
        let [of_flow, of_defaults] = self.behind;
        let tables = [self.changes, self.own, of_flow, of_defaults];
        tables.into_iter().position(|table| table.is_some_and(|table| under(table, key).is_some()))
    }

    /// Where `key` is given, or the table.
    pub(crate) fn place(&self, key: &Key) -> Range<usize> {
        self.get(key).map_or_else(|| self.span.clone(), |item| item.span)
    }

    /// The same, by the key's name.
    pub(crate) fn place_of(&self, name: &str) -> Range<usize> {
        self.tab.key(name).map_or_else(|| self.span.clone(), |key| self.place(key))
    }

    /// As [`Section::get`], where the table may have no such key at all.
    pub(crate) fn find(&self, key: &Key) -> Option<Item<'a>> {
        self.tab.key(key.name).and_then(|key| self.get(key))
    }

    /// Its key of this name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.tab.key(name)
    }

    /// What is under `kind`.
    pub(crate) fn kind_item(&self) -> Option<Item<'a>> {
        self.get(self.key(KIND)?)
    }

    /// As [`Section::get`], an error when there is none.
    pub(crate) fn need(&self, key: &Key, sink: &mut Sink) -> Option<Item<'a>> {
        let item = self.get(key);
        if item.is_none() && !self.broken {
            let these = if self.tab.name.ends_with('s') { "these" } else { "this" };
            let message = format!("`{}` is missing in {these} {}", key.name, self.tab.name);
            sink.error(Code::MISSING_KEY, &self.span, message).hint(self.about(key));
        }
        item
    }

    /// What a key is, and whether it may be given once for all.
    fn about(&self, Key { name, doc, identity, example, .. }: &Key) -> String {
        let doc = doc.text();
        let name =
            if example.is_empty() { (*name).to_owned() } else { format!("{name} = {example}") };
        if !identity && ["flow", "host", "link", "switch"].contains(&self.tab.name) {
            let doc = doc.trim_end_matches('.');
            return format!("{name}: {doc}; or once for all in `[defaults.{}]`", self.tab.name);
        }
        format!("{name}: {doc}")
    }

    /// The tables of a list of tables, each without defaults.
    pub(crate) fn tables(&self, key: &Key, sink: &mut Sink) -> Vec<Section<'a>> {
        let Some(list) = self.own(key).and_then(|item| item.list(sink)) else {
            return Vec::new();
        };
        let table = |item: Item<'a>| Section::of_item(&item, key);
        list.into_iter().filter_map(table).collect()
    }

    /// Whether it has a list of tables under a key that is none: what they were to make is missing.
    pub(crate) fn has_unknown_tables(&self) -> bool {
        let mut keys = self.own.into_iter().flatten();
        keys.any(|(name, value)| {
            let list =
                value.get_ref().as_array().filter(|_| self.tab.key(name.get_ref()).is_none());
            list.is_some_and(|list| list.iter().any(|entry| entry.get_ref().is_table()))
        })
    }

    /// The table that an item of `key` is, without defaults. `None`: it is none.
    pub(crate) fn of_item(item: &Item<'a>, key: &Key) -> Option<Section<'a>> {
        Some(Section::new(item.value.as_table()?, item.span.clone(), key.ty.tab()?))
    }

    /// The table under `key`. What stands behind it in the defaults is merged key by key, unless
    /// the table names another kind. What a variant names is taken whole. `None`: there is none.
    pub(crate) fn table(&self, key: &Key) -> Option<Section<'a>> {
        let (name, tab) = (key.name, key.ty.tab()?);
        let changed = self.changes.and_then(|changes| find(changes, name));
        let kept = changed.is_none();
        let own = changed.or_else(|| self.own(key));
        let behind = self.behind[1].filter(|_| kept).and_then(|table| find(table, name));
        let span = own.as_ref().or(behind.as_ref())?.span.clone();
        let broken = own.as_ref().is_some_and(|item| !item.value.is_table());
        let own = own.and_then(|item| item.value.as_table());
        let behind = behind.and_then(|item| item.value.as_table());
        let kind = |table: &'a DeTable<'a>| find(table, KIND).and_then(|item| item.value.as_str());
        let other = own.and_then(kind).is_some_and(|own_kind| {
            behind.and_then(kind).is_some_and(|behind_kind| behind_kind != own_kind)
        });
        let behind = behind.filter(|_| !other);
        Some(Section { own, broken, ..Section::empty(span, tab).with_defaults(behind) })
    }

    /// The kind, and an error for every key of the table that belongs to others only.
    pub(crate) fn kind(
        &self,
        kinds: &'static [&'static str],
        sink: &mut Sink,
    ) -> Option<&'static str> {
        let kind = self.need(self.tab.key(KIND)?, sink)?.choice(kinds, sink)?;
        self.only_keys_of(kind, sink);
        Some(kind)
    }

    /// An error for every key of the table itself that does not belong to `kind`, and of the one
    /// behind it, where that names the same kind.
    pub(crate) fn only_keys_of(&self, kind: &str, sink: &mut Sink) {
        let names_kind = |table: &&DeTable<'_>| {
            find(table, KIND).is_some_and(|item| item.value.as_str() == Some(kind))
        };
        let behind = self.behind[1].filter(names_kind);
        for (name, _) in self.own.into_iter().chain(behind).flatten() {
            let Some(key) = self.tab.key(name.get_ref()) else {
                continue;
            };
            if !key.is_of(kind) {
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
    let is_control = matches!(tab.name, "control" | "hop");
    let scheme = CreditScheme::named(kind).filter(|_| is_control);
    let shares_buffer = scheme.is_some_and(|scheme| scheme.facts().shares_buffer());
    match key {
        "n3" | "target" | "allow-small-n3" | "allow-small-buffer" if shares_buffer => Some(
            "leave it out: flows under adaptive credit share the memory of the link, `pool = { \
             memory = ..., interval = ... }` of `[[link]]`",
        ),
        "gates" | "offset" if tab.name == "scheduler" => Some(
            "it belongs to: time-aware. Gates in front of another scheduler, such as a \
             credit-based shaper behind gates, are not modelled",
        ),
        _ => None,
    }
}

/// What `table` has under the key or its former name.
fn under<'a>(table: &'a DeTable<'a>, key: &Key) -> Option<Item<'a>> {
    find(table, key.name)
        .or_else(|| find(table, key.former).map(|item| Item { key: key.name, ..item }))
}

fn find<'a>(table: &'a DeTable<'a>, key: &'static str) -> Option<Item<'a>> {
    #[cfg(test)]
    looked_up::once_more();
    let value = table.get(key)?;
    Some(Item { value: value.get_ref(), span: value.span(), key })
}

/// How often a key was looked up in this thread: what a test counts.
#[cfg(test)]
pub(crate) mod looked_up {
    use std::cell::Cell;

    thread_local! { static TIMES: Cell<u64> = const { Cell::new(0) }; }

    pub(super) fn once_more() {
        TIMES.set(TIMES.get() + 1);
    }

    pub(crate) fn times() -> u64 {
        TIMES.get()
    }
}
