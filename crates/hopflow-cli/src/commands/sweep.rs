//! `hopflow sweep`: a scenario at many points, into a directory in which it can continue.

mod document;
mod slurm;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hopflow_scenario::{SETTING, ScenarioFile};
use hopflow_sweep::{
    Done, Doubt, Local, Overview, Plan, Request, Shape, Stale, Store, StoreOptions, SweepError,
    SweepProgress, discard, read_sweep, report, sweep as run_all,
};

use crate::args::{Engine, Format, StoredArgs, SweepAction, SweepArgs, threads_or_all};
use crate::fail::Fail;
use crate::machines::registered;
use crate::output::number;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, memory, output};
pub(crate) use document::{SweepDocument, SweepPlan, document};
pub(crate) use slurm::{ArrayDocument, lay_out};

/// The most points in a table for people.
const MOST_ROWS: usize = 40;

pub(crate) fn sweep(args: &SweepArgs) -> Outcome {
    match (&args.action, &args.file) {
        (Some(SweepAction::Compact(stored)), _) => compact(stored),
        (Some(SweepAction::Status(stored)), _) => status(stored),
        (Some(SweepAction::Batch(task)), _) => slurm::batch(task),
        (None, Some(file)) => begin(args, file),
        (None, None) => Err(Fail::input("name a scenario: hopflow sweep FILE --axis KEY=VALUES")),
    }
}

fn begin(args: &SweepArgs, path: &Path) -> Outcome {
    let file = diagnose::load_file(path, &args.settings)?;
    let plan = Plan::new(request(args, file.clone())).map_err(failed)?;
    let shape = plan.shape();
    diagnose::draw_warnings(plan.first(), &file, &shape.control(0));
    let folder = folder(args, shape);
    if args.dry_run {
        plan.doubts().iter().for_each(tell_doubt);
        return dry_run(args, shape, &folder);
    }
    if args.engine == Engine::Slurm {
        let store = opened(args, &plan, &folder)?;
        return lay_out(args, &store)?.tell(args, &folder, shape);
    }
    let threads = threads_or_all(args.threads);
    let most = usize::try_from(shape.most_runs()).unwrap_or(usize::MAX);
    memory::fits(file.name(), plan.first(), threads.get().min(most), args.yes, args.quiet)?;
    let store = opened(args, &plan, &folder)?;
    if store.count() > 0 && !args.quiet {
        let (stored, most) = (store.count(), shape.most_runs());
        eprintln!("`{}` has {stored} runs of {most}: going on from there.", folder.display());
    }
    let (done, took) = run(args, &plan, store)?;
    tell(args, &folder, shape, &done, took)
}

/// Opens the directory, or begins it anew with `--force`. Values of axes are tried before the first
/// run: a sweep that goes on has rows of them.
fn opened(args: &SweepArgs, plan: &Plan, folder: &Path) -> Result<Store, Fail> {
    if args.force {
        discard(folder).map_err(failed)?;
    }
    let options =
        StoreOptions { rows_per_part: args.rows_per_part.get(), ..StoreOptions::default() };
    let store = plan.open(folder, options).map_err(failed)?;
    tell_stale(store.stale(), args.quiet);
    if store.count() == 0 {
        plan.doubts().iter().for_each(tell_doubt);
    }
    Ok(store)
}

/// Reports an axis of which values are not valid.
fn tell_doubt(doubt: &Doubt) {
    eprintln!(
        "warning: `--axis {}`: of {} values that were tried, {} are no valid scenario, such as {}. \
         Their points become rows `unreadable`.",
        doubt.axis, doubt.tried, doubt.wrong, doubt.why,
    );
}

/// Reports stored runs that are run again.
fn tell_stale(stale: &Stale, quiet: bool) {
    if stale.rows() > 0 && !quiet {
        eprintln!("note: {stale}.");
    }
}

/// Reports points that have one run, because nothing is random there.
fn tell_certain(shape: &Shape, overview: &Overview) {
    if overview.certain > 0 && shape.seeds > 1 {
        let (certain, all) = (overview.certain, overview.points);
        let at = if certain == all {
            "Nothing is random".to_owned()
        } else {
            format!("Nothing is random at {certain} of {all} points")
        };
        eprintln!(
            "{at}: all {} seeds give the same run, so one was made at each point, without an \
             interval.",
            shape.seeds
        );
    }
}

/// The request of the arguments, for a file that has its settings.
pub(crate) fn request(args: &SweepArgs, file: ScenarioFile) -> Request {
    Request {
        file,
        settings: args.settings.set.clone(),
        control: args.control.clone(),
        axes: args.axis.clone(),
        sweep_seed: args.sweep_seed,
        seeds: args.seeds.get(),
        until: args.until.clone(),
        measures: args.measure.clone(),
        series: args.series.clone(),
    }
}

/// Where a sweep is kept.
pub(crate) fn folder(args: &SweepArgs, shape: &Shape) -> PathBuf {
    let named = || {
        let file = shape.file();
        Path::new("sweeps").join(format!("{}-{}", file.name, file.key().short()))
    };
    args.out.clone().unwrap_or_else(named)
}

/// Makes the runs, with a progress line.
fn run(args: &SweepArgs, plan: &Plan, store: Store) -> Result<(Done, Duration), Fail> {
    let shape = plan.shape();
    let before = store.count();
    let left = match shape.rule {
        Some(_) => shape.grid.points(),
        None => shape.most_runs().saturating_sub(before),
    };
    let line = Line::new(args.quiet, left);
    let start = Instant::now();
    let on_progress = |progress: SweepProgress| {
        let seconds = start.elapsed().as_secs_f64().max(1e-9);
        let speed = number(progress.made as f64 / seconds, 1);
        if progress.has_rule {
            let SweepProgress { closed, points, stored, .. } = progress;
            let text = format!("{closed} of {points} points, {stored} runs  {speed} runs/s");
            line.show(closed, text);
        } else {
            let text = format!("{} of {} runs  {speed} runs/s", progress.stored, progress.most);
            line.show(progress.made, text);
        }
    };
    let cancel = cancel_on_interrupt();
    let local = Local { threads: threads_or_all(args.threads) };
    let done = run_all(plan, store, &local, &Arc::clone(&cancel), Some(&on_progress));
    line.end();
    Ok((done.map_err(failed)?, start.elapsed()))
}

fn tell(args: &SweepArgs, folder: &Path, shape: &Shape, done: &Done, took: Duration) -> Outcome {
    let overview = Overview::of(folder, shape).map_err(failed)?;
    if !done.complete {
        if !args.quiet {
            let (stored, most) = (overview.rows, shape.most_runs());
            eprintln!(
                "Interrupted: {stored} of {most} runs are stored in `{}`. Repeat the command to go \
                 on from there.",
                folder.display()
            );
        }
        return Err(Fail::Interrupted);
    }
    report::write(folder, shape, &overview).map_err(failed)?;
    print(args.format, folder, shape, &overview, Some(&done.stale), args.quiet)?;
    tell_failures(folder, shape, &overview);
    if !args.quiet {
        tell_certain(shape, &overview);
        let seconds = took.as_secs_f64();
        let speed = number(done.made as f64 / seconds.max(1e-9), 1);
        let before = match done.before {
            0 => String::new(),
            before => format!(", {before} were there before"),
        };
        let stale = match done.stale.rows() {
            0 => String::new(),
            _ => format!(" {}.", done.stale),
        };
        eprintln!("{} runs in {seconds:.2} s ({speed} runs/s){before}.{stale}", done.made);
        let series = match shape.series().len() {
            0 => String::new(),
            _ => format!(", {}/series.parquet", folder.display()),
        };
        eprintln!("Results: {0}/report.html and {0}/runs.parquet{series}", folder.display());
    }
    if overview.failed > 0 { Err(Fail::Property) } else { Ok(()) }
}

/// Reports every run that failed, with the command that repeats it, and points that do not meet the
/// rule.
fn tell_failures(folder: &Path, shape: &Shape, overview: &Overview) {
    let kept = folder.join("scenario.toml").display().to_string();
    for failure in &overview.failures {
        let command = shape.command(failure.point, failure.seed, &kept);
        eprintln!("{}: point {}: {}\n    {command}", failure.status, failure.point, failure.why);
    }
    let more = overview.failed - overview.failures.len() as u64;
    if more > 0 {
        eprintln!("and {more} more: they have no `complete` in the column `status`.");
    }
    if let (Some(rule), false) = (&shape.rule, overview.unmet.is_empty()) {
        let points: Vec<String> = overview.unmet.iter().take(20).map(u64::to_string).collect();
        let more = overview.unmet.len() - points.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        eprintln!(
            "note: {} seeds are not enough for `{}` at the points {}{more}: give more --seeds, or \
             a wider share",
            shape.seeds,
            rule.text(),
            points.join(", ")
        );
    }
}

fn print(
    format: Format,
    folder: &Path,
    shape: &Shape,
    overview: &Overview,
    stale: Option<&Stale>,
    quiet: bool,
) -> Outcome {
    match format {
        Format::Json => output::print_json(&document(folder, shape, overview, stale)),
        Format::Csv => output::print_csv(&table::data(shape, overview)),
        Format::Table | Format::Markdown => {
            let points = overview.estimated.len();
            if points == 0 {
                return Ok(());
            }
            if points > MOST_ROWS && !quiet {
                eprintln!("The first {MOST_ROWS} of {points} points; all are in runs.parquet.");
            }
            let table = table::for_people(shape, overview, MOST_ROWS);
            output::print(format, &[("", table)], &())
        }
    }
}

fn dry_run(args: &SweepArgs, shape: &Shape, folder: &Path) -> Outcome {
    let (points, most) = (shape.grid.points(), shape.most_runs());
    match args.format {
        Format::Json => output::print_json(&document::plan(folder, shape))?,
        _ => output::print(args.format, &[("", table::points(shape, MOST_ROWS as u64))], &())?,
    }
    if !args.quiet {
        if points > MOST_ROWS as u64 {
            eprintln!("The first {MOST_ROWS} of {points} points.");
        }
        let at_most = if shape.rule.is_some() { "at most " } else { "" };
        eprintln!(
            "{points} points, {at_most}{most} runs, into `{}`. Nothing was run or written.",
            folder.display()
        );
    }
    Ok(())
}

fn status(args: &StoredArgs) -> Outcome {
    let shape = read_sweep(&args.folder).map_err(failed)?;
    let overview = Overview::of(&args.folder, &shape).map_err(failed)?;
    print(args.format, &args.folder, &shape, &overview, None, args.quiet)?;
    tell_failures(&args.folder, &shape, &overview);
    if args.quiet {
        return Ok(());
    }
    eprintln!(
        "{} of {}{} runs are stored, of {} of {} points.",
        overview.rows,
        if shape.rule.is_some() { "at most " } else { "" },
        shape.most_runs() - overview.certain * u64::from(shape.seeds - 1),
        overview.points,
        shape.grid.points()
    );
    Ok(())
}

fn compact(args: &StoredArgs) -> Outcome {
    let shape = read_sweep(&args.folder).map_err(failed)?;
    let mut store = stored(&args.folder, &shape, args.quiet)?;
    let path: PathBuf = store.compact().map_err(failed)?;
    if !args.quiet {
        eprintln!("{} runs: {}", store.count(), path.display());
    }
    if store.next_batch(0, 1).is_some() {
        eprintln!("Runs lack: the command of the sweep makes them.");
        return Ok(());
    }
    let overview = Overview::of(&args.folder, &shape).map_err(failed)?;
    report::write(&args.folder, &shape, &overview).map_err(failed)?;
    tell_failures(&args.folder, &shape, &overview);
    Ok(())
}

/// Opens a sweep that is there. Where its points may name files, rows of other contents of these
/// are left out, if the files are here.
fn stored(folder: &Path, shape: &Shape, quiet: bool) -> Result<Store, Fail> {
    let options = StoreOptions::default();
    if shape.file().may_name_files() {
        match Plan::again_with(shape.file().clone(), Path::new(""), registered()) {
            Ok(plan) => {
                let store = plan.open(folder, options).map_err(failed)?;
                tell_stale(store.stale(), quiet);
                return Ok(store);
            }
            Err(why) => eprintln!(
                "note: the runs were not compared with the files that their points name: {why}"
            ),
        }
    }
    Store::open(folder, shape, options).map_err(failed)
}

/// The failure of the command for a failure of a sweep.
fn failed(error: SweepError) -> Fail {
    match error {
        SweepError::Wrong(wrong) => {
            diagnose::draw_all(&wrong);
            if wrong.source_name == SETTING {
                eprintln!("This setting is a value of an `--axis`, or one of `--set`.");
            }
            Fail::Said
        }
        SweepError::Write { .. } => Fail::Unwritten(error.to_string()),
        SweepError::Threads(why) => Fail::Starved(why),
        other => Fail::input(other),
    }
}
