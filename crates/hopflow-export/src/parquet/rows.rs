//! Writes the rows of any table: columns in memory, encoded a row group at a time.

use std::path::PathBuf;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;

use super::chunk::{Chunk, ChunkMaker};
pub(super) use super::column::Value;
use super::column::{Column, Encoded};
use super::schema::TableInfo;
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;

/// Rows in a row group: what is held in memory before it is encoded.
const ROW_GROUP: usize = 1 << 16;

/// Takes the rows of a table, one after the other.
pub(super) trait TakesRows {
    /// Adds a row. Its values have the types of the columns.
    fn push<const N: usize>(&mut self, row: [Value<'_>; N]) -> Result<(), ExportError>;
}

/// A file of a table being written.
pub(crate) struct TableFile {
    table: &'static TableInfo,
    /// The file, as errors name it.
    path: PathBuf,
    writer: SerializedFileWriter<Box<dyn Sink>>,
    chunks: ChunkMaker,
    buffers: Encoded,
    /// Rows that are not in the file yet.
    columns: Vec<Column>,
    rows: usize,
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
        let properties = Arc::new(properties(table));
        let writer = SerializedFileWriter::new(sink, table.schema(), properties);
        let writer = writer.and_then(|writer| Ok((writer, ChunkMaker::new()?)));
        match writer {
            Ok((writer, chunks)) => {
                let (buffers, columns) = (Encoded::default(), columns(table));
                Ok(TableFile { table, path, writer, chunks, buffers, columns, rows: 0 })
            }
            Err(error) => Err(ExportError::write(&path, io_cause(error))),
        }
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let written = self.try_write_group();
        written.map_err(|error| ExportError::write(&self.path, io_cause(error)))
    }

    fn try_write_group(&mut self) -> Result<(), ParquetError> {
        let filled = std::mem::replace(&mut self.columns, columns(self.table));
        self.rows = 0;
        let mut chunks = Vec::with_capacity(filled.len());
        for (index, column) in filled.iter().enumerate() {
            let description = self.writer.schema_descr().column(index);
            chunks.push(column.chunk(description, &mut self.chunks, &mut self.buffers)?);
        }
        let mut group = self.writer.next_row_group()?;
        for Chunk { bytes, close } in chunks {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the rows that are left and the end of the file.
    pub(super) fn close(mut self) -> Result<(), ExportError> {
        if self.rows > 0 {
            self.write_group()?;
        }
        let closed = self.writer.into_inner().map_err(io_cause);
        let closed = closed.and_then(|mut sink| sink.complete());
        closed.map_err(|cause| ExportError::write(&self.path, cause))
    }
}

impl TakesRows for TableFile {
    fn push<const N: usize>(&mut self, row: [Value<'_>; N]) -> Result<(), ExportError> {
        assert_eq!(self.columns.len(), N, "a row has one value for each column");
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        self.rows += 1;
        if self.rows == ROW_GROUP { self.write_group() } else { Ok(()) }
    }
}

fn columns(table: &TableInfo) -> Vec<Column> {
    table.columns.iter().map(Column::new).collect()
}

/// What is in every file of `table`: who wrote it, and the meaning of rows and columns.
pub(super) fn properties(table: &TableInfo) -> WriterProperties {
    let entries = table.metadata();
    let entries = entries.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(format!("hopflow {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(entries))
        .build()
}
