//! Reads the rows of any table, some at a time.

use std::fs::File;
use std::path::{Path, PathBuf};

use hopflow::scenario::regular;
use parquet::column::reader::ColumnReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::schema::types::TypePtr;

use super::schema::TableInfo;
use crate::ExportError;

/// Rows that are decoded at once.
const BATCH: usize = 1 << 13;

/// The rows of a file, some at a time.
pub(super) struct Reader {
    path: PathBuf,
    file: SerializedFileReader<File>,
    /// Row groups that are still to be read, the next one last.
    groups: Vec<usize>,
    /// The columns of the row group at hand, and the rows left in it.
    columns: Vec<ColumnReader>,
    left: usize,
}

/// Opens a file of `table` and checks that it has its columns. `times` chooses row groups by
/// the least and greatest `time_ps` in them; `None`: all.
pub(super) fn reader(
    path: &Path,
    table: &TableInfo,
    times: Option<(u64, u64)>,
) -> Result<Reader, ExportError> {
    open(path, table.name, &table.schema(), times)
}

/// The same of a table that has this name and schema.
pub(super) fn open(
    path: &Path,
    name: &str,
    schema: &TypePtr,
    times: Option<(u64, u64)>,
) -> Result<Reader, ExportError> {
    let failed = |cause: &dyn std::fmt::Display| ExportError::read(path, cause);
    let file = regular::open(path).map_err(|cause| failed(&cause))?;
    let file = SerializedFileReader::new(file).map_err(|cause| failed(&cause))?;
    let metadata = file.metadata();
    let found = metadata.file_metadata().schema_descr().root_schema();
    if !is_of(found.get_fields(), schema.get_fields()) {
        return Err(failed(&format!("its columns are not those of the table `{name}`")));
    }
    let chosen = |group: &RowGroupMetaData| times.is_none_or(|span| may_hold(group, span));
    let groups = metadata.row_groups().iter().enumerate().rev();
    let groups = groups.filter(|(_, group)| chosen(group)).map(|(index, _)| index).collect();
    Ok(Reader { path: path.to_path_buf(), file, groups, columns: Vec::new(), left: 0 })
}

/// Whether the columns `found` are the columns `wanted`. In version 1 of the contract, those that
/// count packets ended in `_cells`.
fn is_of(found: &[TypePtr], wanted: &[TypePtr]) -> bool {
    let former = |name: &str| match name.strip_suffix("_packets") {
        Some(stem) => format!("{stem}_cells"),
        None => name.to_owned(),
    };
    let is_column = |(found, wanted): (&TypePtr, &TypePtr)| {
        let (one, other) = (found.get_basic_info(), wanted.get_basic_info());
        let named = one.name() == other.name() || one.name() == former(other.name());
        named
            && one.repetition() == other.repetition()
            && one.logical_type_ref() == other.logical_type_ref()
            && found.get_physical_type() == wanted.get_physical_type()
    };
    found.len() == wanted.len() && found.iter().zip(wanted).all(is_column)
}

/// Whether a row group can have a row with a time (column 0) in `[span.0, span.1)`.
fn may_hold(group: &RowGroupMetaData, span: (u64, u64)) -> bool {
    let Some(Statistics::Int64(times)) = group.column(0).statistics() else { return true };
    match (times.min_opt(), times.max_opt()) {
        // Unsigned times are stored as the signed numbers of the same bits.
        (Some(least), Some(most)) => {
            (most.cast_unsigned()) >= span.0 && (least.cast_unsigned()) < span.1
        }
        _ => true,
    }
}

impl Iterator for Reader {
    type Item = Result<Rows, ExportError>;

    fn next(&mut self) -> Option<Result<Rows, ExportError>> {
        let rows = self.batch().map_err(|cause| ExportError::read(&self.path, cause));
        rows.transpose()
    }
}

impl Reader {
    fn batch(&mut self) -> Result<Option<Rows>, ParquetError> {
        while self.left == 0 {
            let Some(index) = self.groups.pop() else { return Ok(None) };
            let group = self.file.get_row_group(index)?;
            let rows = group.metadata().num_rows();
            self.left = usize::try_from(rows).map_err(ParquetError::from)?;
            let columns = 0..group.num_columns();
            self.columns =
                columns.map(|column| group.get_column_reader(column)).collect::<Result<_, _>>()?;
        }
        let count = self.left.min(BATCH);
        self.left -= count;
        let columns = self.columns.iter_mut().map(|column| values(column, count));
        Ok(Some(Rows { count, columns: columns.collect::<Result<_, _>>()? }))
    }
}

/// The next values of a column, one for each of `count` rows.
fn values(column: &mut ColumnReader, count: usize) -> Result<Values, ParquetError> {
    match column {
        ColumnReader::Int32ColumnReader(of) => Ok(Values::U32(of_type(of, count)?)),
        ColumnReader::Int64ColumnReader(of) => Ok(Values::U64(of_type(of, count)?)),
        ColumnReader::DoubleColumnReader(of) => Ok(Values::F64(of_type(of, count)?)),
        ColumnReader::ByteArrayColumnReader(of) => {
            let names: Vec<Option<ByteArray>> = of_type(of, count)?;
            names.iter().flatten().try_for_each(|name| name.as_utf8().map(|_| ()))?;
            Ok(Values::Name(names))
        }
        _ => unreachable!("the columns are those of the table"),
    }
}

fn of_type<T: DataType>(
    column: &mut ColumnReaderImpl<T>,
    count: usize,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (rows, _, _) = column.read_records(count, Some(&mut levels), None, &mut values)?;
    if rows != count {
        return Err(ParquetError::EOF(format!("{rows} rows where there should be {count}")));
    }
    if values.len() == count {
        return Ok(values.into_iter().map(Some).collect());
    }
    // A level is 1 where there is a value, 0 where there is none.
    let mut values = values.into_iter();
    Ok(levels.iter().map(|&level| if level == 0 { None } else { values.next() }).collect())
}

/// The values of a column in some rows.
enum Values {
    U64(Vec<Option<i64>>),
    U32(Vec<Option<i32>>),
    F64(Vec<Option<f64>>),
    Name(Vec<Option<ByteArray>>),
}

/// Rows that were read.
pub(super) struct Rows {
    count: usize,
    columns: Vec<Values>,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn u64(&self, column: usize, row: usize) -> Option<u64> {
        let Values::U64(values) = &self.columns[column] else { return None };
        values[row].map(i64::cast_unsigned)
    }

    pub(super) fn u32(&self, column: usize, row: usize) -> Option<u32> {
        let Values::U32(values) = &self.columns[column] else { return None };
        values[row].map(i32::cast_unsigned)
    }

    pub(super) fn f64(&self, column: usize, row: usize) -> Option<f64> {
        let Values::F64(values) = &self.columns[column] else { return None };
        values[row]
    }

    pub(super) fn name(&self, column: usize, row: usize) -> Option<&str> {
        let Values::Name(values) = &self.columns[column] else { return None };
        values[row].as_ref().and_then(|name| name.as_utf8().ok())
    }
}
