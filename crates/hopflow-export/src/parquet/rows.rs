//! Rows of any table: columns to a file, and a file to columns.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, Float64Array, Int32Array, StringArray, UInt32Array,
    UInt64Array,
};
use arrow::datatypes::{Float64Type, Int32Type, UInt32Type, UInt64Type};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

use super::schema::{Kind, TableInfo};
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;

/// Rows in a row group: what a reader must take in at once.
const ROW_GROUP: usize = 1 << 20;

/// A column being filled.
pub(super) enum Column {
    U64(Vec<Option<u64>>),
    U32(Vec<Option<u32>>),
    F64(Vec<Option<f64>>),
    Name(NameColumn),
}

/// Text as indices into the different texts seen.
#[derive(Default)]
pub(super) struct NameColumn {
    keys: Vec<Option<i32>>,
    values: Vec<String>,
    index: BTreeMap<String, i32>,
}

impl NameColumn {
    pub(super) fn push(&mut self, name: Option<&str>) {
        let key = name.map(|name| self.index.get(name).copied().unwrap_or_else(|| self.add(name)));
        self.keys.push(key);
    }

    fn add(&mut self, name: &str) -> i32 {
        let key = i32::try_from(self.values.len()).expect("fewer than 2^31 names");
        self.values.push(name.to_owned());
        self.index.insert(name.to_owned(), key);
        key
    }
}

/// One value of a row.
pub(super) enum Value<'a> {
    U64(u64),
    U32(u32),
    F64(f64),
    Name(&'a str),
    Nothing,
}

/// A file of a table being written.
pub(super) struct TableFile<'a> {
    table: &'static TableInfo,
    directory: &'a RunDirectory,
    name: String,
    writer: ArrowWriter<Box<dyn Sink>>,
}

impl<'a> TableFile<'a> {
    /// Opens the file `name` for rows of `table`.
    pub(super) fn open(
        directory: &'a RunDirectory,
        table: &'static TableInfo,
        name: &str,
    ) -> Result<TableFile<'a>, ExportError> {
        let writer = new_writer(directory, table, name)?;
        Ok(TableFile { table, directory, name: name.to_owned(), writer })
    }

    /// Writes rows.
    pub(super) fn write(&mut self, columns: Vec<Column>) -> Result<(), ExportError> {
        let batch = batch(self.table, columns);
        let written = self.writer.write(&batch).map_err(io_cause);
        written.map_err(|cause| self.directory.failed(&self.name, cause))
    }

    /// Writes the end of the file.
    pub(super) fn close(self) -> Result<(), ExportError> {
        close_writer(self.writer, self.directory, &self.name)
    }
}

pub(super) fn new_writer(
    directory: &RunDirectory,
    table: &TableInfo,
    name: &str,
) -> Result<ArrowWriter<Box<dyn Sink>>, ExportError> {
    let sink = directory.open(name)?;
    ArrowWriter::try_new(sink, table.schema(), Some(properties(table)))
        .map_err(|error| directory.failed(name, io_cause(error)))
}

pub(super) fn close_writer(
    writer: ArrowWriter<Box<dyn Sink>>,
    directory: &RunDirectory,
    name: &str,
) -> Result<(), ExportError> {
    let closed = writer.into_inner().map_err(io_cause);
    let closed = closed.and_then(|mut sink| sink.complete());
    closed.map_err(|cause| directory.failed(name, cause))
}

/// zstd for all; differences for integers that grow or change little from row to row.
fn properties(table: &TableInfo) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(format!("hopflow {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP));
    for column in table.columns {
        let path = ColumnPath::from(column.name);
        if matches!(column.kind, Kind::U64 | Kind::U32) {
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    builder.build()
}

/// Empty columns of `table`.
pub(super) fn columns(table: &TableInfo) -> Vec<Column> {
    let of = |kind| match kind {
        Kind::U64 => Column::U64(Vec::new()),
        Kind::U32 => Column::U32(Vec::new()),
        Kind::F64 => Column::F64(Vec::new()),
        Kind::Name => Column::Name(NameColumn::default()),
    };
    table.columns.iter().map(|column| of(column.kind)).collect()
}

/// Adds a row. Its values have the types of the columns.
pub(super) fn push<const N: usize>(columns: &mut [Column], row: [Value<'_>; N]) {
    assert_eq!(columns.len(), N, "a row has one value for each column");
    for (column, value) in columns.iter_mut().zip(row) {
        match (column, value) {
            (Column::U64(all), Value::U64(value)) => all.push(Some(value)),
            (Column::U32(all), Value::U32(value)) => all.push(Some(value)),
            (Column::F64(all), Value::F64(value)) => all.push(Some(value)),
            (Column::Name(all), Value::Name(value)) => all.push(Some(value)),
            (Column::U64(all), Value::Nothing) => all.push(None),
            (Column::U32(all), Value::Nothing) => all.push(None),
            (Column::F64(all), Value::Nothing) => all.push(None),
            (Column::Name(all), Value::Nothing) => all.push(None),
            _ => unreachable!("a value has the type of its column"),
        }
    }
}

pub(super) fn batch(table: &TableInfo, columns: Vec<Column>) -> RecordBatch {
    let arrays: Vec<ArrayRef> = columns
        .into_iter()
        .map(|column| match column {
            Column::U64(all) => Arc::new(UInt64Array::from(all)) as ArrayRef,
            Column::U32(all) => Arc::new(UInt32Array::from(all)),
            Column::F64(all) => Arc::new(Float64Array::from(all)),
            Column::Name(all) => {
                let values = Arc::new(StringArray::from(all.values));
                let keys = Int32Array::from(all.keys);
                Arc::new(DictionaryArray::try_new(keys, values).expect("keys are of these values"))
            }
        })
        .collect();
    RecordBatch::try_new(table.schema(), arrays).expect("the columns are those of the table")
}

/// Opens a file of `table` and checks that it has its columns. `groups` chooses row groups by
/// the least and greatest `time_ps` in them; `None`: all.
pub(super) fn reader(
    path: &Path,
    table: &TableInfo,
    times: Option<(u64, u64)>,
) -> Result<ParquetRecordBatchReader, ExportError> {
    let file = File::open(path).map_err(|cause| ExportError::read(path, cause))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|cause| ExportError::read(path, cause))?;
    let found = builder.schema().fields().iter().map(|f| (f.name().as_str(), f.data_type()));
    let schema = table.schema();
    let wanted = schema.fields().iter().map(|f| (f.name().as_str(), f.data_type()));
    if !found.eq(wanted) {
        let cause = format!("its columns are not those of the table `{}`", table.name);
        return Err(ExportError::read(path, cause));
    }
    let builder = match times {
        None => builder,
        Some(span) => {
            let groups = builder.metadata().row_groups().iter().enumerate();
            let chosen = groups.filter(|(_, group)| may_hold(group, span)).map(|(i, _)| i);
            let chosen = chosen.collect();
            builder.with_row_groups(chosen)
        }
    };
    builder.build().map_err(|cause| ExportError::read(path, cause))
}

/// Whether a row group can have a row with a time (column 0) in `[span.0, span.1)`.
fn may_hold(group: &parquet::file::metadata::RowGroupMetaData, span: (u64, u64)) -> bool {
    use parquet::file::statistics::Statistics;
    let Some(Statistics::Int64(times)) = group.column(0).statistics() else { return true };
    match (times.min_opt(), times.max_opt()) {
        // Unsigned times are stored as the signed numbers of the same bits.
        (Some(least), Some(most)) => {
            (most.cast_unsigned()) >= span.0 && (least.cast_unsigned()) < span.1
        }
        _ => true,
    }
}

/// A batch of rows that was read.
pub(super) struct Rows(pub(super) RecordBatch);

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.0.num_rows()
    }

    pub(super) fn u64(&self, column: usize, row: usize) -> Option<u64> {
        let array = self.0.column(column).as_primitive::<UInt64Type>();
        array.is_valid(row).then(|| array.value(row))
    }

    pub(super) fn u32(&self, column: usize, row: usize) -> Option<u32> {
        let array = self.0.column(column).as_primitive::<UInt32Type>();
        array.is_valid(row).then(|| array.value(row))
    }

    pub(super) fn f64(&self, column: usize, row: usize) -> Option<f64> {
        let array = self.0.column(column).as_primitive::<Float64Type>();
        array.is_valid(row).then(|| array.value(row))
    }

    pub(super) fn name(&self, column: usize, row: usize) -> Option<&str> {
        let array = self.0.column(column).as_dictionary::<Int32Type>();
        let key = array.key(row)?;
        Some(array.values().as_string::<i32>().value(key))
    }
}
