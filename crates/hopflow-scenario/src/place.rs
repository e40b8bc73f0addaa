//! Places of nodes and flows in the file: of their names, and of the keys that they have from their
//! own table, from `[defaults]` or from a variant. A mistake that a default spreads to many is one
//! mistake, at the place of the default.

use std::ops::Range;

use crate::section::Section;
use crate::tab::Key;

/// The places of one table.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    name: Range<usize>,
    keys: Vec<(&'static str, Range<usize>)>,
}

impl Places {
    /// Of the table whose name is at `name`, with these of its keys.
    pub(crate) fn of(section: &Section<'_>, name: &Range<usize>, keys: &[Key]) -> Places {
        let place = |key: &Key| Some((key.name, section.get(key)?.span));
        Places { name: name.clone(), keys: keys.iter().filter_map(place).collect() }
    }

    /// The same with one more key.
    pub(crate) fn and(mut self, key: &'static str, span: Range<usize>) -> Places {
        self.keys.push((key, span));
        self
    }

    /// The same, of a table whose name is elsewhere.
    pub(crate) fn named(mut self, name: &Range<usize>) -> Places {
        self.name = name.clone();
        self
    }
}

/// The places of all flows, or of all nodes: those of one table are kept once.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    tables: Vec<Places>,
    of: Vec<u32>,
}

impl Origins {
    /// A table from which some are made.
    pub(crate) fn table(&mut self, places: Places) -> u32 {
        self.tables.push(places);
        self.tables.len() as u32 - 1
    }

    /// Where the name of this table is.
    pub(crate) fn place(&self, table: u32) -> &Range<usize> {
        &self.tables[table as usize].name
    }

    /// One more is made, from this table.
    pub(crate) fn push(&mut self, table: u32) {
        self.of.push(table);
    }

    /// Where it is named.
    pub(crate) fn name(&self, index: usize) -> &Range<usize> {
        &self.tables[self.of[index] as usize].name
    }

    /// Whether it has this key.
    pub(crate) fn has(&self, index: usize, key: &Key) -> bool {
        self.tables[self.of[index] as usize].keys.iter().any(|(name, _)| *name == key.name)
    }

    /// Where it has this key from, or where it is named if it has none.
    pub(crate) fn key(&self, index: usize, key: &Key) -> &Range<usize> {
        let places = &self.tables[self.of[index] as usize];
        places
            .keys
            .iter()
            .find(|(name, _)| *name == key.name)
            .map_or(&places.name, |(_, span)| span)
    }
}
