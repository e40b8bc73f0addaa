//! `reproduce --bands`: what a paper leaves open, over more settings than `reproduce` runs, each
//! with enough seeds; one file an experiment, which says what wrote it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hopflow::{CONTRACT_VERSION, RunOptions};
use hopflow_papers::{
    BandFile, BandRow, Chosen, JointRow, News, Paper, ReproduceError, bands_all, bands_runs,
    joint_of_bands,
};
use hopflow_scenario::regular;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::{JOINT, tables};
use crate::Outcome;
use crate::args::{Format, ReproduceArgs, threads_or_all};
use crate::fail::Fail;
use crate::output::{self, Columns, Table, cell};
use crate::progress::{Line, cancel_on_interrupt};

/// The folder of the files, unless another is given.
const FOLDER: &str = "bands";

/// `--bands --format json`.
#[derive(Serialize, Shaped)]
#[shape(name = "BandsDocument")]
pub(crate) struct Document<'a> {
    version: u32,
    joint: Vec<JointRow>,
    bands: &'a [BandRow],
}

/// Those of the chosen experiments that have wider bands.
pub(super) fn with_bands<'a>(
    papers: &'a [Paper],
    chosen: Vec<Chosen<'a>>,
) -> Result<Vec<Chosen<'a>>, Fail> {
    let found: Vec<Chosen<'_>> =
        chosen.into_iter().filter(|(_, one)| one.bands().is_some()).collect();
    if found.is_empty() {
        let all = papers.iter().flat_map(|paper| &paper.experiments);
        let all = all.filter(|one| one.bands().is_some());
        let all: Vec<String> = all.map(|one| format!("`{}`", one.id())).collect();
        return Err(Fail::Input(format!(
            "none of these has wider bands, what it leaves open is in the usual plan: {} have some",
            all.join(", ")
        )));
    }
    Ok(found)
}

pub(super) fn bands(args: &ReproduceArgs, papers: &[Paper], chosen: &[Chosen<'_>]) -> Outcome {
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let places = places(&folder, chosen)?;
    let found = run(args, chosen)?;
    let complete = found.iter().all(Option::is_some);
    for ((_, one), (place, rows)) in chosen.iter().zip(places.iter().zip(&found)) {
        if let Some(rows) = rows {
            write(place, &file(one.id(), rows))?;
        }
    }
    let rows: Vec<BandRow> = found.into_iter().flatten().flatten().collect();
    let joint = joint_of_bands(papers, &rows);
    let table = if args.format == Format::Csv { every(&rows) } else { tables::joint(&joint) };
    let document = Document { version: CONTRACT_VERSION, joint, bands: &rows };
    output::print(args.format, &[(JOINT, table)], &document)?;
    if !complete {
        return Err(Fail::Interrupted);
    }
    if !args.quiet {
        eprintln!("Bands: {}", folder.display());
    }
    Ok(())
}

/// The file of each experiment. Nothing but a file of bands is replaced.
fn places(folder: &Path, chosen: &[Chosen<'_>]) -> Result<Vec<PathBuf>, Fail> {
    let unwritten = |cause| {
        Fail::Unwritten(format!("the folder `{}` cannot be made: {cause}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(unwritten)?;
    let place = |(_, one): &Chosen<'_>| folder.join(format!("{}.csv", one.id()));
    let places: Vec<PathBuf> = chosen.iter().map(place).collect();
    for place in &places {
        let there = place.exists().then(|| regular::read_text(place));
        if there.is_some_and(|text| !text.is_ok_and(|text| BandFile::is_one(&text))) {
            return Err(Fail::Input(format!(
                "`{}` was not written by `reproduce --bands`, so it is not replaced: choose \
                 another folder with --out",
                place.display()
            )));
        }
    }
    Ok(places)
}

/// The rows of each experiment that is done.
fn run(args: &ReproduceArgs, chosen: &[Chosen<'_>]) -> Result<Vec<Option<Vec<BandRow>>>, Fail> {
    let line = Line::new(args.quiet, bands_runs(chosen).max(1));
    let found = Mutex::new(vec![None; chosen.len()]);
    let hear = |news: News| match news {
        News::Piece { experiment, scenario, cells, .. } => {
            line.show(cells, format!("{}, {scenario}", chosen[experiment].1.id()));
        }
        News::Bands { experiment, rows } => {
            if !args.quiet {
                line.above(&format!("{}: {} values", chosen[experiment].1.id(), rows.len()));
            }
            found.lock().unwrap_or_else(PoisonError::into_inner)[experiment] = Some(rows);
        }
        News::Experiment { .. } => {}
    };
    let options =
        RunOptions { cancel: Some(Arc::clone(&cancel_on_interrupt())), ..RunOptions::default() };
    let outcome = bands_all(chosen, threads_or_all(args.threads), &options, &hear);
    line.end();
    match outcome {
        Ok(()) | Err(ReproduceError::Cancelled) => {
            Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
        }
        Err(wrong) => Err(Fail::Fault(wrong.to_string())),
    }
}

/// The file of an experiment, with the command that writes it again.
fn file(id: &str, rows: &[BandRow]) -> BandFile {
    BandFile {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        command: format!("hopflow reproduce {id} --bands"),
        rows: rows.to_vec(),
    }
}

fn write(place: &Path, file: &BandFile) -> Outcome {
    let written = regular::may_be_written(place).and_then(|()| fs::write(place, file.text()));
    written.map_err(|cause| {
        Fail::Unwritten(format!("`{}` cannot be written: {cause}", place.display()))
    })
}

/// Every value as data, in the columns of the file.
fn every(rows: &[BandRow]) -> Table {
    let columns: Columns<BandRow> = &[
        ("paper", |row| row.paper.clone()),
        ("where", |row| row.place.clone()),
        ("number", |row| row.number.clone()),
        ("setting", |row| row.setting.clone()),
        ("claim", |row| row.claim.clone()),
        ("scenario", |row| row.scenario.clone()),
        ("#seeds", |row| cell(row.seeds)),
        ("#mean", |row| cell(row.mean)),
        ("#s", |row| output::maybe(row.deviation)),
        ("#half_width", |row| output::maybe(row.half_width)),
        ("#least", |row| cell(row.printed.low)),
        ("#most", |row| cell(row.printed.high)),
        ("fit", |row| row.fit.word().to_owned()),
    ];
    Table::of(columns, rows)
}
