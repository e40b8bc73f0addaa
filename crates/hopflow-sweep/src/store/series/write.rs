//! Writes the series of the dataset, some runs at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use hopflow_export::parquet::{GivenWriter, Value};

use super::super::read::each_stored;
use super::table;
use crate::{Row, Shape};

/// Writes the series of `rows`, which are in order and each with their number of values. At most
/// about `at_once` values are in memory: the directory is read again for the next ones.
pub(crate) fn write_series(
    folder: &Path,
    shape: &Shape,
    rows: &[(Row, u64)],
    at_once: u64,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let mut writer = GivenWriter::new(&table(), out)?;
    let mut left = rows;
    while !left.is_empty() {
        let mut values = 0;
        let fits = |(_, count): &&(Row, u64)| {
            values += count;
            values <= at_once
        };
        let (now, later) = left.split_at(left.iter().take_while(fits).count().max(1));
        left = later;
        if now.iter().any(|(_, count)| *count > 0) {
            write_some(folder, shape, now, &mut writer)?;
        }
    }
    writer.close().map(|_| ())
}

fn write_some(
    folder: &Path,
    shape: &Shape,
    rows: &[(Row, u64)],
    writer: &mut GivenWriter<&mut (dyn Write + Send)>,
) -> io::Result<()> {
    let place = |row: &Row| shape.place(row.point, row.replicate);
    let mut found: BTreeMap<u64, Option<Row>> =
        rows.iter().map(|(row, _)| (place(row), None)).collect();
    let wanted: BTreeSet<u64> = found.keys().copied().collect();
    let read = each_stored(folder, shape, Some(&|place| wanted.contains(&place)), &mut |row| {
        if let Some(found) = found.get_mut(&place(&row)) {
            *found = Some(row);
        }
    });
    read.map_err(io::Error::other)?;
    for (row, _) in rows {
        let key = row.key.to_string();
        let found = found.get(&place(row)).and_then(Option::as_ref);
        let spans = found.map(|row| row.outcome.series()).unwrap_or_default();
        for (chosen, spans) in shape.series().iter().zip(spans) {
            for span in spans {
                writer.push(&[
                    Value::Name(&key),
                    Value::U64(row.point),
                    Value::U64(row.replicate.into()),
                    Value::U64(row.seed),
                    Value::Name(&chosen.name),
                    Value::Name(&chosen.unit),
                    Value::U64(span.from_ps),
                    Value::U64(span.to_ps),
                    Value::F64(span.value),
                ])?;
            }
        }
    }
    Ok(())
}
