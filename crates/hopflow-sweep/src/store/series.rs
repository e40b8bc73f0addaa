//! The series of the dataset: a row for each value, in the order of the rows of the dataset, then
//! of the series in `sweep.json`, then of time.
//!
//! The file is written before the dataset, by `series/write.rs`. So after a crash between the two
//! it may have values of runs that are not yet in the dataset: these are still in parts, journals
//! or batches, with their series.

pub(super) mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hopflow_export::parquet::{GivenColumn, GivenRows, GivenTable, Kind};

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

/// The series of the dataset, read together with its rows.
pub(super) struct SeriesRows {
    path: PathBuf,
    rows: GivenRows,
    places: BTreeMap<String, usize>,
    /// The run of the next value; `None`: there are no more.
    next: Option<(RunKey, u64, u64)>,
    /// Whether there were values of runs that are not in the dataset.
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
        SweepError::read(&self.path, "it has a value of a run that is not in this sweep")
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

    /// Called after the last row, if the dataset is the only file of rows: checks that no value
    /// belongs to another run.
    pub(super) fn end(self) -> Result<(), SweepError> {
        if self.skipped || self.next.is_some() {
            let why = "it has values of runs that are not in runs.parquet: one of the two was \
                       changed";
            return Err(SweepError::read(&self.path, why));
        }
        Ok(())
    }
}
