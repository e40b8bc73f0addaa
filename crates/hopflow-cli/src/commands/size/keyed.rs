//! Rows by key: what `--format json` and `--format csv` print of sizes, from one list of keys.

use std::borrow::Borrow;

use serde_json::{Map, Value};

use crate::output::{Table, bare};

/// The keys of a row, in the order of CSV, with their values.
pub(super) type Keys<'k, T> = &'k [(&'static str, fn(&T) -> Value)];

/// Rows of values.
pub(super) struct Keyed {
    keys: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Keyed {
    pub(super) fn new<T, R: Borrow<T>>(
        keys: Keys<'_, T>,
        rows: impl IntoIterator<Item = R>,
    ) -> Keyed {
        let row = |row: R| keys.iter().map(|(_, value)| value(row.borrow())).collect();
        Keyed {
            keys: keys.iter().map(|(key, _)| *key).collect(),
            rows: rows.into_iter().map(row).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As a list of objects.
    pub(super) fn document(&self) -> Value {
        let keys = || self.keys.iter().map(|key| (*key).to_owned());
        let object = |row: &Vec<Value>| keys().zip(row.iter().cloned()).collect::<Map<_, _>>();
        self.rows.iter().map(object).collect()
    }

    /// As a table, without formulas.
    pub(super) fn table(&self) -> Table {
        let kept = |key: &&str| !key.ends_with("formula");
        let keys: Vec<&str> = self.keys.iter().copied().filter(kept).collect();
        let mut table = Table::new(&keys);
        for row in &self.rows {
            let cells = self.keys.iter().zip(row).filter(|(key, _)| kept(key));
            table.row(cells.map(|(_, value)| bare(value)).collect());
        }
        table
    }
}
