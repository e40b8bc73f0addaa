//! A sweep as a bundle: its plan, its dataset, and the scenario with the files that any of its
//! points names.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use hopflow::CONTRACT_VERSION;
use hopflow::Scenario;
use hopflow_kernel::DIGEST_VERSION;
use hopflow_scenario::{AS_IS, ScenarioFile, regular};
use hopflow_sweep::{
    Outcome, Plan, Request, Row, Shape, Store, StoreOptions, SweepFile, TOTALS, each_row,
    each_whole_row, lacking, quoted, read_sweep,
};

use crate::card::FORMAT;
use crate::finish::{finish, of_this_version};
use crate::named::{Named, SCENARIO};
use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, Card, Kind};

/// The files of a sweep, below `results`.
const PLAN: &str = "sweep.json";
pub(crate) const ROWS: &str = "runs.parquet";
pub(crate) const SERIES: &str = "series.parquet";

/// Gathers the directory of a complete sweep. Without `files`, files are looked up where the sweep
/// found its scenario.
pub(crate) fn bundle(place: &Path, files: Option<&Path>) -> Result<Bundle, BundleError> {
    let shape = read_sweep(place)?;
    let stored = shape.file();
    of_this_version(place, &stored.version)?;
    if lacking(place, &shape)? > 0 || !place.join(ROWS).exists() {
        return Err(lacks(place, &shape)?);
    }
    let beside = || Path::new(&stored.file).parent().map(Path::to_path_buf).unwrap_or_default();
    let folders: Vec<PathBuf> = vec![files.map_or_else(beside, Path::to_path_buf)];
    let named = Named::new(folders);
    let mut unreadable = BTreeSet::new();
    let mut rows = 0;
    each_row(place, &shape, &mut |row| {
        rows += 1;
        if matches!(row.outcome, Outcome::Unreadable(_)) {
            unreadable.insert(row.point);
        }
    })?;
    let first = read_points(&shape, &named, &unreadable)?;
    let bundle = assembled(stored, rows, &|name| regular::read(&place.join(name)), &first, named)?;
    // A check has only the contents of the bundle.
    let unpacked = Unpacked::new(&bundle)?;
    let (plan, found) = opened(&unpacked)?;
    if let Some(differs) = stored.differs(plan.shape().file()) {
        return Err(BundleError::Input(format!(
            "the sweep cannot be made again from what the bundle has of it: {differs}"
        )));
    }
    if let Some(point) = changed(stored, &plan, &found) {
        let settings = plan.shape().settings(point).join(", ");
        return Err(BundleError::Input(format!(
            "`{}`: point {point} ({settings}) is another run now than the one that is stored: a \
             file that it names has changed. Put the former file back, or name its folder with \
             --files DIR, or repeat the command of the sweep, which runs the point again",
            place.display()
        )));
    }
    if found.len() as u64 != rows || lacking(&unpacked.folder().join("results"), plan.shape())? > 0
    {
        return Err(BundleError::Input(format!(
            "`{0}` has rows outside its {ROWS}: type `hopflow sweep compact {0}` first",
            place.display()
        )));
    }
    Ok(bundle)
}

/// The first point that reads otherwise from the bundle than where the sweep was run.
fn changed(stored: &SweepFile, plan: &Plan, rows: &[Row]) -> Option<u64> {
    if stored.first_key != plan.shape().file().first_key {
        return Some(0);
    }
    let row = if stored.may_name_files() { plan.first_stale(rows) } else { None };
    row.map(|row| row.point)
}

/// The bundle of a plan and its tables, which `read` returns by their names. `first` is the
/// scenario of the first point.
fn assembled(
    stored: &SweepFile,
    rows: u64,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    first: &Scenario,
    named: Named,
) -> Result<Bundle, BundleError> {
    let asked =
        SweepFile { file: format!("scenario/{SCENARIO}"), settings: Vec::new(), ..stored.clone() };
    let card = Card {
        format: FORMAT,
        kind: Kind::Sweep,
        title: first.title.clone(),
        version: stored.version.clone(),
        digest_version: DIGEST_VERSION,
        contract_version: CONTRACT_VERSION,
        digest: stored.key().to_string(),
        runs: rows,
        command: command(stored),
        duration_ps: first.network.duration.0,
        warm_up_ps: first.warm_up.0,
        parts: Vec::new(),
    };
    let mut bundle = Bundle::new(card);
    bundle.put(format!("results/{PLAN}"), asked.text());
    bundle.put(format!("results/{SCENARIO}"), stored.scenario.clone());
    for name in [ROWS].into_iter().chain((!stored.series.is_empty()).then_some(SERIES)) {
        let bytes = read(name).map_err(|cause| BundleError::read(Path::new(name), cause))?;
        bundle.put(format!("results/{name}"), bytes);
    }
    Ok(finish(bundle, &stored.scenario, first, named))
}

/// The bundle of a plan and its rows, whose tables are written again.
pub(crate) fn made_again(
    plan: &Plan,
    rows: Vec<Row>,
    unpacked: &Unpacked,
) -> Result<Bundle, BundleError> {
    let shape = plan.shape();
    let unreadable = rows.iter().filter(|row| matches!(row.outcome, Outcome::Unreadable(_)));
    let unreadable: BTreeSet<u64> = unreadable.map(|row| row.point).collect();
    let named = Named::new(vec![unpacked.folder().join("scenario")]);
    let first = read_points(shape, &named, &unreadable)?;
    let count = rows.len() as u64;
    let empty = Unpacked::empty()?;
    let folder = empty.folder();
    let mut store = Store::open(folder, shape, StoreOptions::default())?;
    rows.into_iter().try_for_each(|row| store.add(row))?;
    store.compact()?;
    assembled(shape.file(), count, &|name| regular::read(&folder.join(name)), &first, named)
}

/// The error of an incomplete sweep.
fn lacks(place: &Path, shape: &Shape) -> Result<BundleError, BundleError> {
    let (points, all) = (lacking(place, shape)?, shape.grid.points());
    Ok(BundleError::Input(format!(
        "`{}` is a sweep that is not done ({points} of its {all} points lack runs): repeat its \
         command to go on to its end, then bundle it",
        place.display()
    )))
}

/// Reads points with the files that they name, and returns the first. Further points are read only
/// if they may name a file.
fn read_points(
    shape: &Shape,
    named: &Named,
    unreadable: &BTreeSet<u64>,
) -> Result<Scenario, BundleError> {
    let stored = shape.file();
    let file = ScenarioFile::new(stored.scenario.clone(), stored.file.clone());
    let point = |point: u64| -> Result<Scenario, BundleError> {
        let file = file.clone().with_settings(&shape.settings(point))?;
        Ok(file.under_reading(&shape.control(point), &|path| named.read(path))?)
    };
    let first = point(0)?;
    if stored.may_name_files() {
        for number in (1..shape.grid.points()).filter(|number| !unreadable.contains(number)) {
            point(number)?;
        }
    }
    Ok(first)
}

/// The plan and the rows of an unpacked bundle.
pub(crate) fn opened(unpacked: &Unpacked) -> Result<(Plan, Vec<Row>), BundleError> {
    let results = unpacked.folder().join("results");
    let shape = read_sweep(&results)?;
    let stored = shape.file();
    let seed = stored.sweep_seed.parse().map_err(|_| {
        BundleError::Input(format!("`results/{PLAN}` of the bundle has no seed of its axes"))
    })?;
    // The stem of the file is part of the plan, and its folder contains the files that the scenario
    // names.
    let name = unpacked.folder().join("scenario").join(format!("{}.toml", stored.name));
    let plan = Plan::new(Request {
        file: ScenarioFile::new(stored.scenario.clone(), name.display().to_string()),
        settings: Vec::new(),
        control: stored.control.clone(),
        axes: stored.axes.clone(),
        sweep_seed: seed,
        seeds: stored.seeds,
        until: stored.until.clone(),
        measures: measures(stored).map(str::to_owned).collect(),
        series: stored.series.iter().map(|chosen| chosen.name.clone()).collect(),
    })?;
    // Another program may check the results, and its keys would differ.
    let plan = plan.of_program_of(stored)?;
    let mut rows = Vec::new();
    each_whole_row(&results, plan.shape(), &mut |row| rows.push(row))?;
    Ok((plan, rows))
}

/// The measures in addition to the totals.
fn measures(stored: &SweepFile) -> impl Iterator<Item = &str> {
    let is_total = |name: &str| TOTALS.iter().any(|(total, _)| *total == name);
    stored.columns.iter().map(String::as_str).filter(move |name| !is_total(name))
}

/// The command that repeats the dataset.
fn command(stored: &SweepFile) -> String {
    let mut words: Vec<String> =
        ["hopflow", "sweep", "scenario/scenario.toml"].map(str::to_owned).into();
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    stored.axes.iter().for_each(|axis| option("--axis", axis));
    if stored.control != AS_IS {
        option("--control", &stored.control);
    }
    option("--seeds", &stored.seeds.to_string());
    if let Some(until) = &stored.until {
        option("--until", until);
    }
    measures(stored).for_each(|name| option("--measure", name));
    stored.series.iter().for_each(|chosen| option("--series", &chosen.name));
    option("--sweep-seed", &stored.sweep_seed);
    option("--out", "again");
    words.join(" ")
}
