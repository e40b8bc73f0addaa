//! Writes the rows of any table: columns in memory, encoded a row group at a time.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;

use super::chunk::{Chunk, ChunkMaker};
pub(super) use super::column::Value;
use super::column::{Column, Encoded};
use super::schema::{Kind, TableInfo};
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;

/// Rows in a row group: what is held in memory before it is encoded.
const ROW_GROUP: usize = 1 << 16;

/// Takes the rows of a table, one after the other.
pub(super) trait TakesRows {
    /// Adds a row. Its values have the types of the columns.
    fn push(&mut self, row: &[Value<'_>]) -> Result<(), ExportError>;
}

/// Rows that are not in the file yet.
pub(super) struct RowGroup {
    kinds: Vec<(Kind, bool)>,
    chunks: ChunkMaker,
    buffers: Encoded,
    columns: Vec<Column>,
    rows: usize,
}

impl RowGroup {
    /// Of columns of these kinds, and whether each may be empty.
    pub(super) fn new(kinds: Vec<(Kind, bool)>) -> Result<RowGroup, ParquetError> {
        let (chunks, buffers) = (ChunkMaker::new()?, Encoded::default());
        let columns = empty(&kinds);
        Ok(RowGroup { kinds, chunks, buffers, columns, rows: 0 })
    }

    /// Adds a row, whose values have the types of the columns; whether it is full then.
    pub(super) fn push(&mut self, row: &[Value<'_>]) -> bool {
        assert_eq!(self.columns.len(), row.len(), "a row has one value for each column");
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(*value);
        }
        self.rows += 1;
        self.rows == ROW_GROUP
    }

    /// Moves the rows there are to the file.
    pub(super) fn write<W: Write + Send>(
        &mut self,
        writer: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let filled = std::mem::replace(&mut self.columns, empty(&self.kinds));
        self.rows = 0;
        let mut chunks = Vec::with_capacity(filled.len());
        for (index, column) in filled.iter().enumerate() {
            let description = writer.schema_descr().column(index);
            chunks.push(column.chunk(description, &mut self.chunks, &mut self.buffers)?);
        }
        let mut group = writer.next_row_group()?;
        for Chunk { bytes, close } in chunks {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        Ok(())
    }
}

fn empty(kinds: &[(Kind, bool)]) -> Vec<Column> {
    kinds.iter().map(|(kind, is_nullable)| Column::new(*kind, *is_nullable)).collect()
}

/// A file of a table being written.
pub(crate) struct TableFile {
    /// The file, as errors name it.
    path: PathBuf,
    writer: SerializedFileWriter<Box<dyn Sink>>,
    group: RowGroup,
}

impl TableFile {
    /// Opens the file of `table`.
    pub(super) fn open(
        directory: &RunDirectory,
        table: &'static TableInfo,
    ) -> Result<TableFile, ExportError> {
        let name = format!("{}.parquet", table.name);
        let sink = directory.open(&name)?;
        let path = directory.target().join(&name);
        let properties = Arc::new(properties(table.metadata()));
        let writer = SerializedFileWriter::new(sink, table.schema(), properties);
        let kinds = table.columns.iter().map(|column| (column.kind, column.nullable)).collect();
        let writer = writer.and_then(|writer| Ok((writer, RowGroup::new(kinds)?)));
        match writer {
            Ok((writer, group)) => Ok(TableFile { path, writer, group }),
            Err(error) => Err(ExportError::write(&path, io_cause(error))),
        }
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let written = self.group.write(&mut self.writer);
        written.map_err(|error| ExportError::write(&self.path, io_cause(error)))
    }

    /// Writes the rows that are left and the end of the file.
    pub(super) fn close(mut self) -> Result<(), ExportError> {
        self.write_group()?;
        let closed = self.writer.into_inner().map_err(io_cause);
        let closed = closed.and_then(|mut sink| sink.complete());
        closed.map_err(|cause| ExportError::write(&self.path, cause))
    }
}

impl TakesRows for TableFile {
    fn push(&mut self, row: &[Value<'_>]) -> Result<(), ExportError> {
        if self.group.push(row) { self.write_group() } else { Ok(()) }
    }
}

/// What is in every file of a table: who wrote it, and the meaning of rows and columns.
pub(super) fn properties(metadata: Vec<(String, String)>) -> WriterProperties {
    let entries = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(format!("hopflow {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(entries))
        .build()
}
