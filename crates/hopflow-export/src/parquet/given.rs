//! Tables whose columns are known at run time, such as those of a sweep: as the fixed tables, but
//! written to any sink and with columns that the caller names.
//!
//! The bytes of a file depend on its columns and rows alone: no time, no host, no threads.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::file::writer::SerializedFileWriter;

use super::column::Value;
use super::reader::{self, Reader, Rows};
use super::rows::{RowGroup, properties};
use super::schema::{self, Kind};
use crate::ExportError;
use crate::error::io_cause;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenColumn {
    /// Its name; ends in its unit where it has one.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// Whether it may be empty.
    pub nullable: bool,
    /// What it tells.
    pub meaning: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenTable {
    /// The name of its schema.
    pub name: String,
    /// What one row is.
    pub row: String,
    /// Its columns, in order; no two have the same name.
    pub columns: Vec<GivenColumn>,
}

impl GivenTable {
    fn schema(&self) -> parquet::schema::types::TypePtr {
        let field =
            |column: &GivenColumn| schema::field(&column.name, column.kind, column.nullable);
        schema::schema(&self.name, self.columns.iter().map(field))
    }
}

/// A file of a table being written.
pub struct GivenWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: RowGroup,
}

impl<W: Write + Send> GivenWriter<W> {
    /// Begins a file.
    pub fn new(table: &GivenTable, sink: W) -> io::Result<GivenWriter<W>> {
        let columns = table.columns.iter();
        let texts = columns.clone().map(|column| (&*column.name, &*column.meaning));
        let properties = Arc::new(properties(schema::metadata(&table.row, texts)));
        let writer = SerializedFileWriter::new(sink, table.schema(), properties);
        let kinds = columns.map(|column| (column.kind, column.nullable)).collect();
        let group = RowGroup::new(kinds).map_err(io_cause)?;
        Ok(GivenWriter { writer: writer.map_err(io_cause)?, group })
    }

    /// Adds a row: one value for each column, of its type (asserted).
    pub fn push(&mut self, row: &[Value<'_>]) -> io::Result<()> {
        if self.group.push(row) { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> io::Result<()> {
        self.group.write(&mut self.writer).map_err(io_cause)
    }

    /// Writes the rows that are left and the end of the file; gives the sink back.
    pub fn close(mut self) -> io::Result<W> {
        self.write_group()?;
        self.writer.into_inner().map_err(io_cause)
    }
}

/// The rows of a file, some at a time.
pub struct GivenRows {
    reader: Reader,
    batch: Option<Rows>,
    next: usize,
}

impl GivenRows {
    /// Opens a file and checks that it has the columns of `table`.
    pub fn open(path: &Path, table: &GivenTable) -> Result<GivenRows, ExportError> {
        let reader = reader::open(path, &table.name, &table.schema(), None)?;
        Ok(GivenRows { reader, batch: None, next: 0 })
    }

    /// Goes to the next row; `false` after the last.
    pub fn advance(&mut self) -> Result<bool, ExportError> {
        self.next += 1;
        while self.batch.as_ref().is_none_or(|batch| self.next > batch.len()) {
            let Some(batch) = self.reader.next() else { return Ok(false) };
            (self.batch, self.next) = (Some(batch?), 1);
        }
        Ok(true)
    }

    fn of<'a, T>(&'a self, read: impl Fn(&'a Rows, usize) -> Option<T>) -> Option<T> {
        read(self.batch.as_ref()?, self.next.checked_sub(1)?)
    }

    /// The whole number of a column in this row.
    pub fn u64(&self, column: usize) -> Option<u64> {
        self.of(|rows, row| rows.u64(column, row))
    }

    /// The fraction of a column in this row.
    pub fn f64(&self, column: usize) -> Option<f64> {
        self.of(|rows, row| rows.f64(column, row))
    }

    /// The text of a column in this row.
    pub fn name(&self, column: usize) -> Option<&str> {
        self.of(|rows, row| rows.name(column, row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> GivenTable {
        let column = |name: &str, kind, nullable| {
            let meaning = format!("What {name} is.");
            GivenColumn { name: name.to_owned(), kind, nullable, meaning }
        };
        let columns = vec![
            column("point", Kind::U64, false),
            column("value_ps", Kind::F64, true),
            column("of", Kind::Name, true),
        ];
        GivenTable { name: "runs".to_owned(), row: "run".to_owned(), columns }
    }

    fn written(rows: usize) -> Vec<u8> {
        let mut writer = GivenWriter::new(&table(), Vec::new()).expect("a Vec takes all");
        for row in 0..rows {
            let value = if row % 3 == 0 { Value::Nothing } else { Value::F64(row as f64 / 7.0) };
            let name = if row % 2 == 0 { Value::Name("even") } else { Value::Nothing };
            writer.push(&[Value::U64(row as u64), value, name]).expect("a Vec takes all");
        }
        writer.close().expect("a Vec takes all")
    }

    /// Claim: what is written is read back, over several batches and row groups, and the same rows
    /// have the same bytes. A file with other columns is refused, and so is one cut short.
    #[test]
    fn rows_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.parquet");
        for count in [0, 1, 70_000] {
            let bytes = written(count);
            assert_eq!(bytes, written(count));
            std::fs::write(&path, &bytes).expect("written");
            let mut rows = GivenRows::open(&path, &table()).expect("its columns");
            for row in 0..count {
                assert!(rows.advance().expect("whole"));
                assert_eq!(rows.u64(0), Some(row as u64));
                let value = (row % 3 > 0).then_some(row as f64 / 7.0);
                assert_eq!(rows.f64(1), value);
                assert_eq!(rows.name(2), (row % 2 == 0).then_some("even"));
            }
            assert!(!rows.advance().expect("whole"));
        }
        let mut other = table();
        other.columns[1].nullable = false;
        let error = GivenRows::open(&path, &other).err().expect("other columns").to_string();
        assert!(error.contains("not those of the table `runs`"), "{error}");
        std::fs::write(&path, &written(10)[..100]).expect("written");
        assert!(GivenRows::open(&path, &table()).is_err());
    }
}
