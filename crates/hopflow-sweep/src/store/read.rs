//! Reads a stored sweep without a change to its directory, also while it is written.

use std::collections::BTreeSet;
use std::path::Path;

use hopflow_scenario::regular;

use super::PLAN;
use super::contents::{Contents, Wanted, journal, part, read_all, read_journal, read_part};
use crate::{Row, Shape, SweepError, SweepFile};

/// The most attempts at reading files that change meanwhile; parts are removed less often.
const MOST_TRIES: u32 = 1_000;

pub(super) fn plan_of(folder: &Path) -> Result<SweepFile, SweepError> {
    let path = folder.join(PLAN);
    let text = regular::read_text(&path).map_err(|cause| {
        SweepError::read(&path, format!("{cause}; name the directory of a sweep"))
    })?;
    serde_json::from_str(&text).map_err(|cause| SweepError::read(&path, cause))
}

/// The plan of a stored sweep. One that does not name its program, as those of hopflow 0.2.0, is an
/// error, because none of the rows would be its own.
pub fn read_sweep(folder: &Path) -> Result<Shape, SweepError> {
    let file = plan_of(folder)?;
    let wrong = |why| SweepError::read(&folder.join(PLAN), why);
    if file.program.is_empty() {
        return Err(wrong(format!(
            "it does not name the program that made the rows: use hopflow {}, or repeat the \
             command of the sweep, which makes its runs again",
            file.version
        )));
    }
    Shape::read(file).map_err(wrong)
}

/// Calls `each` for every stored run, each once and without its series, without a change to the
/// directory, also while it is written. Until the dataset is built, rows beyond the number of seeds
/// that a rule needs may be among them.
pub fn each_row(
    folder: &Path,
    shape: &Shape,
    each: &mut dyn FnMut(&Row),
) -> Result<(), SweepError> {
    each_stored(folder, shape, None, &mut |row| each(&row.bare()))
}

/// Like [`each_row`], with the series.
pub fn each_whole_row(
    folder: &Path,
    shape: &Shape,
    each: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    each_stored(folder, shape, Some(&|_| true), each)
}

/// Like [`each_row`], with the series of the wanted runs; of others some may have series too.
pub(super) fn each_stored(
    folder: &Path,
    shape: &Shape,
    wanted: Option<Wanted<'_>>,
    each: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    let mut seen = BTreeSet::new();
    each_in(folder, shape, wanted, &mut |row: Row| {
        let is_own = row.key.is_of(shape.program());
        if is_own && seen.insert(shape.place(row.point, row.replicate)) {
            each(row);
        }
    })
}

/// Calls `each` for every row of any program, some of them more than once.
pub(super) fn each_of_any(
    folder: &Path,
    shape: &Shape,
    each: &mut dyn FnMut(&Row),
) -> Result<(), SweepError> {
    each_in(folder, shape, None, &mut |row| each(&row.bare()))
}

/// Calls `take` for every row of every file, some of them more than once.
fn each_in(
    folder: &Path,
    shape: &Shape,
    wanted: Option<Wanted<'_>>,
    take: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    let mut again = 0;
    loop {
        let contents = Contents::of(folder)?;
        let read = read_stored(folder, shape, &contents, wanted, take);
        // A journal has just become a part, or parts have become the dataset.
        if read.is_err() && again < MOST_TRIES && Contents::of(folder)? != contents {
            again += 1;
            continue;
        }
        return read;
    }
}

fn read_stored(
    folder: &Path,
    shape: &Shape,
    contents: &Contents,
    wanted: Option<Wanted<'_>>,
    take: &mut dyn FnMut(Row),
) -> Result<(), SweepError> {
    if contents.has_all {
        read_all(folder, shape, wanted, contents.is_compact(), take)?;
    }
    for number in &contents.parts {
        read_part(&part(folder, *number), shape, wanted, take)?;
    }
    let journals = contents.journals.iter().map(|number| journal(folder, *number));
    let batches = contents.batches.iter().map(|batch| batch.path(folder));
    for path in journals.chain(batches) {
        read_journal(&path, shape, take)?;
    }
    Ok(())
}
