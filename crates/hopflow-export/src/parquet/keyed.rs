//! Tables of few rows, filled from the rows as JSON has them.

use hopflow::record::wire::integer;
use serde::Serialize;
use serde_json::Value as Json;

use super::rows::{TableFile, TakesRows as _, Value};
use super::schema::{ColumnInfo, Kind, TableInfo};
use super::tables::{Written, table};
use crate::directory::RunDirectory;

/// Writes the file of `info`. A column is the value of its name, or, as `tcp_segments`, what `tcp`
/// has of the name `segments`.
pub(super) fn table_of_keys<R: Serialize>(
    directory: &RunDirectory,
    info: &'static TableInfo,
    rows: impl IntoIterator<Item = R>,
) -> Written {
    table(directory, info, |file: &mut TableFile| {
        rows.into_iter().try_for_each(|row| {
            let row = serde_json::to_value(row).expect("a row is plain data");
            let cells: Vec<_> = info.columns.iter().map(|column| cell(&row, column)).collect();
            file.push(&cells)
        })
    })
}

fn cell<'a>(row: &'a Json, column: &ColumnInfo) -> Value<'a> {
    let inner = || {
        let (of, key) = column.name.split_once('_')?;
        let of = row.get(of)?;
        if of.is_null() { Some(of) } else { of.get(key) }
    };
    let value = row.get(column.name).or_else(inner);
    let value = value.unwrap_or_else(|| panic!("a row has the key {}", column.name));
    if value.is_null() {
        return Value::Nothing;
    }
    let value = match column.kind {
        Kind::F64 => value.as_f64().map(Value::F64),
        Kind::Name => value.as_str().map(Value::Name),
        Kind::U64 => integer::deserialize(value).ok().map(Value::U64),
        Kind::U32 => value.as_u64().and_then(|value| value.try_into().ok()).map(Value::U32),
    };
    value.unwrap_or_else(|| panic!("{} is of the kind of its column", column.name))
}
