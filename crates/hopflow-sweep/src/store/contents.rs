//! The contents of the directory of a sweep, read without a change to it.
//!
//! A run may be in two files after a crash: in a journal and in its part, in a part and in the
//! dataset, or in two batches. Rows depend on the plan alone, so the first one counts, in the order
//! dataset, parts, journals, batches.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hopflow_export::parquet::{GivenRows, GivenTable, Kind};
use hopflow_scenario::regular;

use super::series::SeriesRows;
use crate::batch::BATCHES;
use crate::series::{packed, unpacked};
use crate::{Batch, Outcome, Row, Shape, SweepError};

/// The dataset of all runs.
pub(super) const ALL: &str = "runs.parquet";
/// The folder of parts.
pub(super) const PARTS: &str = "runs";
/// Columns before those of axes.
const FIXED: usize = 7;

pub(super) fn part(folder: &Path, number: u32) -> PathBuf {
    folder.join(PARTS).join(format!("part-{number:05}.parquet"))
}

pub(super) fn journal(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("journal-{number:05}.jsonl"))
}

/// The number of a part, by the name of its file.
pub(super) fn part_number(name: &str) -> Option<u32> {
    name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()
}

/// The number of a journal, by the name of its file.
pub(super) fn journal_number(name: &str) -> Option<u32> {
    name.strip_prefix("journal-")?.strip_suffix(".jsonl")?.parse().ok()
}

/// The files that hold rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Whether the dataset exists.
    pub(super) has_all: bool,
    /// The numbers of the parts, in order.
    pub(super) parts: Vec<u32>,
    /// The numbers of the journals, in order.
    pub(super) journals: Vec<u32>,
    /// The batches, in order.
    pub(super) batches: Vec<Batch>,
}

impl Contents {
    pub(super) fn of(folder: &Path) -> Result<Contents, SweepError> {
        Ok(Contents {
            has_all: folder.join(ALL).exists(),
            parts: files(&folder.join(PARTS), &part_number)?,
            journals: files(folder, &journal_number)?,
            batches: files(&folder.join(BATCHES), &Batch::of_name)?,
        })
    }

    /// Whether the dataset is the only file of rows.
    pub(super) fn is_compact(&self) -> bool {
        *self == Contents { has_all: true, ..Contents::default() }
    }
}

/// The values of the names of a folder's files, in order; empty if the folder does not exist.
pub(super) fn files<T: Ord>(
    folder: &Path,
    of: &dyn Fn(&str) -> Option<T>,
) -> Result<Vec<T>, SweepError> {
    let entries = match fs::read_dir(folder) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|cause| SweepError::read(folder, cause))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|cause| SweepError::read(folder, cause))?;
        found.extend(of(&entry.file_name().to_string_lossy()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Selects runs, by their indices, whose series are read. Others may be without series.
pub(super) type Wanted<'w> = &'w dyn Fn(u64) -> bool;

/// Calls `each` for the rows of the dataset. `is_all`: it is the only file of rows.
pub(super) fn read_all(
    folder: &Path,
    shape: &Shape,
    wanted: Option<Wanted<'_>>,
    is_all: bool,
    each: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    let path = folder.join(ALL);
    let wanted = wanted.filter(|_| !shape.series().is_empty());
    let Some(wanted) = wanted else {
        return read_table(&path, shape, &shape.table(), &mut |row, _| {
            each(row);
            Ok(())
        });
    };
    let mut series = SeriesRows::open(folder, shape)?;
    read_table(&path, shape, &shape.table(), &mut |mut row, _| {
        let is_wanted = wanted(shape.place(row.point, row.replicate));
        if let Some(spans) = series.of(&row, is_wanted)? {
            row.outcome = row.outcome.with_series(spans);
        }
        each(row);
        Ok(())
    })?;
    if is_all { series.end() } else { Ok(()) }
}

/// Calls `each` for the rows of a part.
pub(super) fn read_part(
    path: &Path,
    shape: &Shape,
    wanted: Option<Wanted<'_>>,
    each: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    let table = shape.part_table();
    let last = table.columns.len() - 1;
    let wanted = wanted.filter(|_| !shape.series().is_empty());
    read_table(path, shape, &table, &mut |mut row, rows| {
        let is_wanted = wanted.is_some_and(|wanted| wanted(shape.place(row.point, row.replicate)));
        if is_wanted && matches!(row.outcome, Outcome::Complete { .. }) {
            let text = rows.name(last).unwrap_or_default();
            let spans = serde_json::from_str(text).ok().and_then(|packed| unpacked(&packed));
            let spans = spans.filter(|spans| spans.len() == shape.series().len());
            let wrong = || SweepError::read(path, "it has a row without its series");
            row.outcome = row.outcome.with_series(spans.ok_or_else(wrong)?);
        }
        each(row);
        Ok(())
    })
}

/// Calls `each` for the rows of a table, without their series.
fn read_table(
    path: &Path,
    shape: &Shape,
    table: &GivenTable,
    each: &mut dyn FnMut(Row, &GivenRows) -> Result<(), SweepError>,
) -> Result<(), SweepError> {
    let mut rows = GivenRows::open(path, table)?;
    let first = FIXED + shape.grid.axes().len();
    let columns = first..first + shape.measures.count();
    while rows.advance()? {
        let values = columns.clone().map(|column| rows.f64(column));
        let error = rows.name(6).map(str::to_owned);
        let outcome = Outcome::of(rows.name(4).unwrap_or_default(), rows.name(5), values, error);
        let key = rows.name(0).unwrap_or_default().parse().ok();
        let numbers = [1, 2, 3].map(|column| rows.u64(column).unwrap_or_default());
        let [point, replicate, seed] = numbers;
        let is_placed =
            point < shape.grid.points() && (1..=shape.seeds.into()).contains(&replicate);
        let (Some(outcome), Some(key), true) = (outcome, key, is_placed) else {
            return Err(SweepError::read(path, "it has a row that is none of this sweep"));
        };
        each(Row { point, replicate: replicate as u32, seed, key, outcome }, &rows)?;
    }
    Ok(())
}

/// The values of a row in the order of the columns of a part or of the dataset.
pub(super) fn with_cells<T>(
    shape: &Shape,
    row: &Row,
    is_part: bool,
    use_cells: impl FnOnce(&[hopflow_export::parquet::Value<'_>]) -> T,
) -> T {
    use hopflow_export::parquet::Value::{F64, Name, Nothing, U64};
    let (key, digest) = (row.key.to_string(), row.outcome.digest());
    let settings = shape.grid.values(row.point);
    let mut cells = vec![
        Name(&key),
        U64(row.point),
        U64(row.replicate.into()),
        U64(row.seed),
        Name(row.outcome.word()),
        digest.as_deref().map_or(Nothing, Name),
        row.outcome.error().map_or(Nothing, Name),
    ];
    debug_assert_eq!(cells.len(), FIXED);
    let axes = shape.table_kinds();
    cells.extend(axes.zip(&settings).map(|(kind, text)| match kind {
        Kind::F64 => F64(crate::axis::number_and_unit(text).map_or(f64::NAN, |(number, _)| number)),
        _ => Name(text),
    }));
    let values = (0..shape.measures.count()).map(|column| row.outcome.value(column));
    cells.extend(values.map(|value| value.map_or(Nothing, F64)));
    let has_series = is_part && !shape.series().is_empty();
    let is_run = matches!(row.outcome, Outcome::Complete { .. });
    let series = (has_series && is_run).then(|| {
        let packed = packed(row.outcome.series());
        serde_json::to_string(&packed).expect("numbers are plain data")
    });
    if has_series {
        cells.push(series.as_deref().map_or(Nothing, Name));
    }
    use_cells(&cells)
}

/// The row of a whole line, if it is a run of this sweep.
pub(super) fn placed_row(line: &str, shape: &Shape) -> Option<Row> {
    let line = line.strip_suffix('\n')?;
    let row = Row::of_line(line, shape.measures.count(), shape.series().len())?;
    let is_placed = row.point < shape.grid.points() && (1..=shape.seeds).contains(&row.replicate);
    is_placed.then_some(row)
}

/// Calls `each` for the rows of a journal. Returns the number of their bytes: the rest is a
/// truncated line.
pub(super) fn read_journal(
    path: &Path,
    shape: &Shape,
    each: &mut dyn FnMut(Row),
) -> Result<u64, SweepError> {
    let text = regular::read(path).map_err(|cause| SweepError::read(path, cause))?;
    let mut good = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let is_last = good + line.len() == text.len();
        let row = std::str::from_utf8(line).ok().and_then(|line| placed_row(line, shape));
        match row {
            Some(row) => each(row),
            None if is_last => break,
            None => {
                let number = text[..good].split(|byte| *byte == b'\n').count();
                let why = format!(
                    "line {number} is not a run of this sweep, though others follow: the file was \
                     changed. Remove this line; its run is made again"
                );
                return Err(SweepError::read(path, why));
            }
        }
        good += line.len();
    }
    Ok(good as u64)
}
