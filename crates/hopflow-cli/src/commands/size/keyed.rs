//! Rows by key: what `--format json` and `--format csv` print of sizes, from one struct for each
//! kind of row. CSV has its keys in their order.

use std::marker::PhantomData;

use hopflow_units::shape::{Key, Shape, Shaped};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::output::{Table, bare};

/// Rows of values.
pub(super) struct Keyed {
    keys: Vec<Key>,
    rows: Vec<Value>,
}

/// The rows as a list of JSON, each of which is an `R`.
#[derive(Debug)]
pub(crate) struct Rows<R>(Vec<Value>, PhantomData<fn() -> R>);

impl<R> Serialize for Rows<R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<R: Shaped> Shaped for Rows<R> {
    fn shape() -> Shape {
        <[R]>::shape()
    }
}

impl Keyed {
    pub(super) fn of<R: Serialize + Shaped>(rows: impl IntoIterator<Item = R>) -> Keyed {
        let value = |row: R| serde_json::to_value(row).expect("a row is plain data");
        Keyed { keys: R::shape().into_keys(), rows: rows.into_iter().map(value).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As a list of objects.
    pub(super) fn document<R>(self) -> Rows<R> {
        Rows(self.rows, PhantomData)
    }

    /// As a table, without formulas.
    pub(super) fn table(&self) -> Table {
        let kept = self.keys.iter().map(|key| key.name).filter(|key| !key.ends_with("formula"));
        let keys: Vec<&str> = kept.collect();
        let mut table = Table::new(&keys);
        for row in &self.rows {
            table.row(keys.iter().map(|key| bare(&row[*key])).collect());
        }
        table
    }
}
