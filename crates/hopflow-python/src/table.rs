//! Tables as Arrow: columns that readers access without a copy, through the PyCapsule interface.
//!
//! Names, order and types of the columns are those of [`hopflow_export::parquet::TABLES`], which
//! also describes the Parquet files of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, StringBuilder, StringDictionaryBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int8Type, Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use hopflow::record::Summary;
use hopflow_export::parquet::{ColumnInfo, Kind, TableInfo, Value, rows_of};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList};

use crate::fault::{Fault, attached};

/// Batches of one schema. Columns are shared by all copies and all readers.
#[pyclass(frozen, module = "hopflow._hopflow", name = "Table")]
#[derive(Clone)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Table {
        Table { schema, batches }
    }

    /// The place of a column.
    fn place(&self, column: &str) -> Result<usize, Fault> {
        let place = self.schema.fields().iter().position(|field| field.name() == column);
        place.ok_or_else(|| {
            let known = self.columns().join(", ");
            Fault::Input(format!("there is no column `{column}`: the columns are {known}"))
        })
    }
}

#[pymethods]
impl Table {
    /// A stream of the batches, from the first one at each call.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore a request for other types; the reader then casts.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = attached(py, || {
            let schema = FFI_ArrowSchema::try_from(&*self.schema);
            schema.map_err(|error| Fault::Internal(error.to_string()))
        })?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The meaning of each column, by its name.
    fn meanings(&self) -> BTreeMap<String, String> {
        let meaning = |field: &Field| field.metadata().get("description").cloned();
        let fields = self.schema.fields().iter();
        fields.map(|field| (field.name().clone(), meaning(field).unwrap_or_default())).collect()
    }

    /// The same rows with some of the columns, which both tables share.
    #[pyo3(signature = (*columns))]
    fn select(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Table> {
        attached(py, || {
            let places = columns.iter().map(|column| self.place(column));
            let places = places.collect::<Result<Vec<usize>, Fault>>()?;
            let wrong = |error: arrow_schema::ArrowError| Fault::Internal(error.to_string());
            let batches = self.batches.iter().map(|batch| batch.project(&places));
            let batches = batches.collect::<Result<_, _>>().map_err(wrong)?;
            Ok(Table::new(Arc::new(self.schema.project(&places).map_err(wrong)?), batches))
        })
    }

    /// Some of the rows, which both tables share: at most `count` from `first` on.
    fn rows(&self, first: usize, count: usize) -> Table {
        let (mut skipped, mut left) = (first, count);
        let mut batches = Vec::new();
        for batch in &self.batches {
            let begin = skipped.min(batch.num_rows());
            let length = left.min(batch.num_rows() - begin);
            skipped -= begin;
            left -= length;
            if length > 0 {
                batches.push(batch.slice(begin, length));
            }
        }
        Table::new(Arc::clone(&self.schema), batches)
    }

    /// The values of a column of numbers as bytes of this machine, with the name that numpy has for
    /// their type, and a byte for each: whether there is a value. `None` for texts.
    #[allow(clippy::type_complexity)]
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        column: &str,
    ) -> PyResult<Option<(Bound<'py, PyBytes>, &'static str, Bound<'py, PyBytes>)>> {
        let place = attached(py, || self.place(column))?;
        let columns = || self.batches.iter().map(|batch| batch.column(place));
        let (name, size) = match self.schema.field(place).data_type() {
            DataType::UInt64 => ("u8", 8),
            DataType::UInt32 => ("u4", 4),
            DataType::Float64 => ("f8", 8),
            _ => return Ok(None),
        };
        let rows = self.__len__();
        let values = PyBytes::new_with(py, rows * size, |bytes| {
            let mut at = 0;
            for column in columns() {
                let data = column.to_data();
                let (from, length) = (data.offset() * size, data.len() * size);
                let part = &data.buffers()[0].as_slice()[from..from + length];
                bytes[at..at + length].copy_from_slice(part);
                at += length;
            }
            Ok(())
        })?;
        let there = PyBytes::new_with(py, rows, |bytes| {
            let all = columns().flat_map(|column| (0..column.len()).map(|at| column.is_valid(at)));
            bytes.iter_mut().zip(all).for_each(|(byte, is_valid)| *byte = u8::from(is_valid));
            Ok(())
        })?;
        Ok(Some((values, name, there)))
    }

    /// The values of a column as a Python list.
    fn values<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyList>> {
        let place = attached(py, || self.place(column))?;
        let all = PyList::empty(py);
        for batch in &self.batches {
            append(&all, batch.column(place))?;
        }
        Ok(all)
    }
}

/// Adds the values of a column.
fn append(all: &Bound<'_, PyList>, column: &ArrayRef) -> PyResult<()> {
    macro_rules! numbers {
        ($type:ty) => {
            column.as_primitive::<$type>().iter().try_for_each(|value| all.append(value))
        };
    }
    match column.data_type() {
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::Float64 => numbers!(Float64Type),
        DataType::Utf8 => texts(all, column.as_string::<i32>().iter()),
        DataType::Dictionary(key, _) if **key == DataType::Int8 => {
            let names = column.as_dictionary::<Int8Type>();
            let words = names.downcast_dict::<StringArray>().expect("all dictionaries are of text");
            texts(all, words.into_iter())
        }
        _ => {
            let names = column.as_dictionary::<Int32Type>();
            let words = names.downcast_dict::<StringArray>().expect("all dictionaries are of text");
            texts(all, words.into_iter())
        }
    }
}

fn texts<'a>(
    all: &Bound<'_, PyList>,
    mut texts: impl Iterator<Item = Option<&'a str>>,
) -> PyResult<()> {
    texts.try_for_each(|text| all.append(text))
}

/// A column as an Arrow field, with its meaning.
pub(crate) fn field(column: &ColumnInfo, names: &DataType) -> Field {
    let kind = match column.kind {
        Kind::U64 => DataType::UInt64,
        Kind::U32 => DataType::UInt32,
        Kind::F64 => DataType::Float64,
        Kind::Name => names.clone(),
    };
    let meaning = [("description".to_owned(), column.meaning.to_owned())];
    Field::new(column.name, kind, column.nullable).with_metadata(meaning)
}

/// Texts with many repetitions, as dictionary-encoded numbers.
pub(crate) fn repeated(key: DataType) -> DataType {
    DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8))
}

/// A table of totals, with plain texts.
pub(crate) fn totals_table(table: &TableInfo, summary: &Summary) -> Table {
    let mut rows = Rows::new(table.columns, false);
    rows_of(table, summary, &mut |row| rows.push(row));
    rows.finish()
}

/// Columns that are filled row by row.
pub(crate) struct Rows {
    schema: SchemaRef,
    columns: Vec<Column>,
}

enum Column {
    U64(UInt64Builder),
    U32(UInt32Builder),
    F64(Float64Builder),
    Text(StringBuilder),
    Repeated(StringDictionaryBuilder<Int32Type>),
}

impl Rows {
    /// No rows; `repeats`: texts are dictionary-encoded.
    pub(crate) fn new(columns: &[ColumnInfo], repeats: bool) -> Rows {
        let names = if repeats { repeated(DataType::Int32) } else { DataType::Utf8 };
        let fields: Vec<Field> = columns.iter().map(|column| field(column, &names)).collect();
        let column = |column: &ColumnInfo| match column.kind {
            Kind::U64 => Column::U64(UInt64Builder::new()),
            Kind::U32 => Column::U32(UInt32Builder::new()),
            Kind::F64 => Column::F64(Float64Builder::new()),
            Kind::Name if repeats => Column::Repeated(StringDictionaryBuilder::new()),
            Kind::Name => Column::Text(StringBuilder::new()),
        };
        Rows {
            schema: Arc::new(Schema::new(fields)),
            columns: columns.iter().map(column).collect(),
        }
    }

    /// Adds a row whose values have the types of the columns.
    pub(crate) fn push(&mut self, row: &[Value<'_>]) {
        assert_eq!(self.columns.len(), row.len(), "a row has one value for each column");
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (Column::U64(all), Value::U64(value)) => all.append_value(*value),
                (Column::U32(all), Value::U32(value)) => all.append_value(*value),
                (Column::F64(all), Value::F64(value)) => all.append_value(*value),
                (Column::Text(all), Value::Name(text)) => all.append_value(text),
                (Column::Repeated(all), Value::Name(text)) => all.append_value(text),
                (Column::U64(all), Value::Nothing) => all.append_null(),
                (Column::U32(all), Value::Nothing) => all.append_null(),
                (Column::F64(all), Value::Nothing) => all.append_null(),
                (Column::Text(all), Value::Nothing) => all.append_null(),
                (Column::Repeated(all), Value::Nothing) => all.append_null(),
                (_, value) => panic!("a value of the type of its column, not {value:?}"),
            }
        }
    }

    /// The table with all rows.
    pub(crate) fn finish(self) -> Table {
        let array = |column: Column| -> ArrayRef {
            match column {
                Column::U64(mut all) => Arc::new(all.finish()),
                Column::U32(mut all) => Arc::new(all.finish()),
                Column::F64(mut all) => Arc::new(all.finish()),
                Column::Text(mut all) => Arc::new(all.finish()),
                Column::Repeated(mut all) => Arc::new(all.finish()),
            }
        };
        let columns = self.columns.into_iter().map(array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        let batch = batch.expect("columns of one length and of the types of the schema");
        Table::new(self.schema, vec![batch])
    }
}
