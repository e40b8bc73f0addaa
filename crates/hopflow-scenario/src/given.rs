//! What a node or a link gives its ports, such as a scheduler: read from a kind or a table.
//!
//! A node gives all its ports the same. A link gives the ports at its two ends the same, or each
//! its own by `[there, back]`, and takes precedence, unless a variant gives it to the node.

use std::ops::Range;

use crate::Code;
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::{Key, Tab};
use crate::value::Item;

/// What a port has and where it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given<T> {
    pub(crate) spec: T,
    pub(crate) span: Range<usize>,
    /// Whether a variant gives it, so that it takes precedence over what the scenario gives.
    pub(crate) is_change: bool,
    /// Whether it was given for this direction alone.
    pub(crate) alone: bool,
}

/// What a kind or a table chooses.
pub(crate) trait Chosen: Clone + Default {
    /// The key, of which a node and a link may have different descriptions.
    const KEY: &'static Key;

    /// The table that the key takes.
    fn tab() -> &'static Tab {
        Self::KEY.ty.tab().expect("the key takes a table")
    }

    /// What a table of this kind says.
    fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<Self>;
}

impl<T: Clone> Given<T> {
    /// What a link gives, or else a node.
    pub(crate) fn first(of_link: Option<&Given<T>>, of_node: &Given<T>) -> Given<T> {
        let own = of_link.filter(|own| own.is_change || !of_node.is_change);
        own.unwrap_or(of_node).clone()
    }
}

impl<T: Chosen> Given<T> {
    /// What a node gives its ports: its own, or that of `[defaults]`. The default where it gives
    /// none, or where it is wrong.
    pub(crate) fn of_node(section: &Section<'_>, sink: &mut Sink) -> Given<T> {
        let given = section.find(T::KEY).and_then(|item| Given::read(section, &item, sink));
        Given { is_change: section.is_changed(T::KEY), ..given.unwrap_or_default() }
    }

    /// What a link gives the ports at its two ends, if it does.
    pub(crate) fn of_link(section: &Section<'_>, sink: &mut Sink) -> [Option<Given<T>>; 2] {
        let Some(item) = section.get(T::KEY) else { return [None, None] };
        let is_change = section.is_changed(T::KEY);
        if !item.value.is_array() {
            let both = Given::read(section, &item, sink).map(|both| Given { is_change, ..both });
            return [both.clone(), both];
        }
        let marked = |given| Given { is_change, alone: true, ..given };
        match item.two(sink) {
            Some(ways) => ways.map(|way| Given::by_itself(&way, sink).map(marked)),
            None => [None, None],
        }
    }

    /// What is under the key; a table has that of `[defaults]` behind it.
    pub(crate) fn read(
        section: &Section<'_>,
        item: &Item<'_>,
        sink: &mut Sink,
    ) -> Option<Given<T>> {
        if item.value.is_table() {
            return Given::of_table(&section.table(T::KEY)?, sink);
        }
        Given::by_itself(item, sink)
    }

    /// A kind or a table with nothing behind it.
    fn by_itself(item: &Item<'_>, sink: &mut Sink) -> Option<Given<T>> {
        if let Some(table) = Section::of_item(item, T::KEY) {
            return Given::of_table(&table, sink);
        }
        let tab = T::tab();
        let kind = item.choice(tab.kinds, sink)?;
        let table = Section::empty(item.span.clone(), tab);
        if T::of_table(kind, &table, &mut Sink::new()).is_none() {
            let Tab { name, .. } = tab;
            let message =
                format!("the {} `{kind}` needs more than its name", name.replace('-', " "));
            let more = tab.such_as(kind).unwrap_or_default();
            let hint = format!("write `{name} = {{ kind = \"{kind}\", {more} }}`");
            sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
            return None;
        }
        Given::of_kind(kind, &table, sink)
    }

    fn of_table(table: &Section<'_>, sink: &mut Sink) -> Option<Given<T>> {
        Given::of_kind(table.kind(T::tab().kinds, sink)?, table, sink)
    }

    fn of_kind(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<Given<T>> {
        let spec = T::of_table(kind, table, sink)?;
        Some(Given { spec, span: table.span.clone(), is_change: false, alone: false })
    }
}
