//! Tables of the file: which keys they hold, what is under them, what `[defaults]` adds.

use std::ops::Range;

use hopflow_control::credit::CreditScheme;
use toml::de::DeTable;

use crate::Code;
use crate::diagnostic::Sink;
use crate::tab::Tab;
use crate::value::Item;

/// A table, its place, what a variant changes of it, and the table of `[defaults]` behind it.
#[derive(Clone, Debug)]
pub(crate) struct Section<'a> {
    changes: Option<&'a DeTable<'a>>,
    own: Option<&'a DeTable<'a>>,
    behind: Option<&'a DeTable<'a>>,
    pub(crate) span: Range<usize>,
    tab: &'static Tab,
    /// The value there is no table, which has been reported.
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

    /// What `read` makes of what is under `key`; `default` where nothing is.
    pub(crate) fn or<T>(
        &self,
        key: &'static str,
        default: T,
        read: impl FnOnce(Item<'a>) -> Option<T>,
    ) -> Option<T> {
        self.get(key).map_or(Some(default), read)
    }

    /// Where `key` is given, or the table.
    pub(crate) fn place(&self, key: &'static str) -> Range<usize> {
        self.get(key).map_or_else(|| self.span.clone(), |item| item.span)
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
            let doc = key.doc.text();
            let doc = doc.trim_end_matches('.');
            return format!("{name}: {doc}; or once for all in `[defaults.{}]`", self.tab.name);
        }
        format!("{name}: {}", key.doc.text())
    }

    /// `true` or `false`, `false` when it is not there.
    pub(crate) fn flag(&self, key: &'static str, sink: &mut Sink) -> bool {
        self.get(key).and_then(|item| item.flag(sink)).unwrap_or(false)
    }

    /// Whether it is there and `false`.
    pub(crate) fn is_off(&self, key: &'static str) -> bool {
        self.get(key).is_some_and(|item| item.value.as_bool() == Some(false))
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
    let is_control = matches!(tab.name, "control" | "hop");
    let scheme = CreditScheme::named(kind).filter(|_| is_control);
    let shares_buffer = scheme.is_some_and(|scheme| scheme.facts().shares_buffer());
    match key {
        "n3" | "target" | "allow-small-n3" | "allow-small-buffer" if shares_buffer => Some(
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
