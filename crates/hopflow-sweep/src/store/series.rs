//! The series beside the dataset: a row a value, in the order of the rows of the dataset, then of
//! the series as `sweep.json` has them, then of time.
//!
//! It is written before the dataset. So after a crash between the two it may have values of runs
//! that the dataset has not yet: those are still in parts, journals or batches, with their series.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hopflow_export::parquet::{GivenColumn, GivenRows, GivenTable, GivenWriter, Kind, Value};

use super::read::each_row_of;
use crate::{Row, RunKey, Shape, Span, Spans, SweepError};

/// The series of all runs.
pub(super) const SERIES: &str = "series.parquet";

/// The columns of the file.
fn table() -> GivenTable {
    let column = |name: &str, kind, meaning: &str| {
        let (name, meaning) = (name.to_owned(), meaning.to_owned());
        GivenColumn { name, kind, nullable: false, meaning }
    };
    let columns = vec![
        column("key", Kind::Name, "The key of the run, 32 hexadecimal digits."),
        column("point", Kind::U64, "The point, from 0 on."),
        column("replicate", Kind::U64, "Which seed of the point, from 1 on."),
        column("run_seed", Kind::U64, "The seed."),
        column("series", Kind::Name, "Its name, such as: queue of VC1 at S."),
        column("unit", Kind::Name, "Unit of the value: share (of the link's rate), packets, ps."),
        column("from_ps", Kind::U64, "From when the value holds; of a window its start."),
        column("to_ps", Kind::U64, "Until when, exclusive; of a sample its instant."),
        column("value", Kind::F64, "How much, in the unit; of a window the average."),
    ];
    let row = "value of a series of a run".to_owned();
    GivenTable { name: "series".to_owned(), row, columns }
}

/// Writes the series of `rows`, which are in order and have so many values each. At most about
/// `at_once` of them are in memory: the directory is read again for the next ones.
pub(super) fn write_series(
    folder: &Path,
    shape: &Shape,
    (rows, at_once): (&[(Row, u64)], u64),
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
    let wanted: std::collections::BTreeSet<u64> = found.keys().copied().collect();
    each_row_of(folder, shape, &|place| wanted.contains(&place), &mut |row| {
        if let Some(found) = found.get_mut(&place(&row)) {
            *found = Some(row);
        }
    })
    .map_err(io::Error::other)?;
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

/// The series beside the dataset, read along with its rows.
pub(super) struct SeriesRows {
    path: PathBuf,
    rows: GivenRows,
    places: BTreeMap<String, usize>,
    /// The run of the value that is next; `None`: there is none left.
    next: Option<(RunKey, u64, u64)>,
    /// Whether there were values of runs that were not asked for.
    skipped: bool,
}

impl SeriesRows {
    pub(super) fn open(folder: &Path, shape: &Shape) -> Result<SeriesRows, SweepError> {
        let path = folder.join(SERIES);
        let rows = GivenRows::open(&path, &table())?;
        let names = shape.series().iter().enumerate();
        let places = names.map(|(place, chosen)| (chosen.name.clone(), place)).collect();
        let mut opened = SeriesRows { path, rows, places, next: None, skipped: false };
        opened.advance()?;
        Ok(opened)
    }

    fn advance(&mut self) -> Result<(), SweepError> {
        self.next = None;
        if self.rows.advance()? {
            let key = self.rows.name(0).and_then(|key| key.parse().ok());
            let run = key.zip(self.rows.u64(1)).zip(self.rows.u64(2));
            let ((key, point), replicate) = run.ok_or_else(|| self.wrong())?;
            self.next = Some((key, point, replicate));
        }
        Ok(())
    }

    fn wrong(&self) -> SweepError {
        SweepError::read(&self.path, "it has a value that is of no run of this sweep")
    }

    /// The series of the next row of the dataset; `None` if they are not wanted.
    pub(super) fn of(&mut self, row: &Row, is_wanted: bool) -> Result<Option<Spans>, SweepError> {
        let run = (row.key, row.point, u64::from(row.replicate));
        let mut found: Vec<Vec<Span>> = vec![Vec::new(); self.places.len()];
        while let Some(next) = self.next.filter(|next| *next <= run) {
            self.skipped |= next < run;
            if next == run && is_wanted {
                let place = self.rows.name(4).and_then(|name| self.places.get(name)).copied();
                let times = self.rows.u64(6).zip(self.rows.u64(7)).zip(self.rows.f64(8));
                let (place, ((from_ps, to_ps), value)) =
                    place.zip(times).ok_or_else(|| self.wrong())?;
                let spans = &mut found[place];
                if from_ps > to_ps || spans.last().is_some_and(|last| last.to_ps > from_ps) {
                    return Err(self.wrong());
                }
                spans.push(Span { from_ps, to_ps, value });
            }
            self.advance()?;
        }
        Ok(is_wanted.then(|| found.into_iter().map(Vec::into_boxed_slice).collect()))
    }

    /// After the last row, where the dataset is all there is: that no value is of another run.
    pub(super) fn end(self) -> Result<(), SweepError> {
        if self.skipped || self.next.is_some() {
            let why = "it has values of runs that are not in runs.parquet: one of the two was \
                       changed";
            return Err(SweepError::read(&self.path, why));
        }
        Ok(())
    }
}
