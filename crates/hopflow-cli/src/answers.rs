//! What `size`, `compare`, `sweep`, `bundle`, `reproduce` and `diff` print as JSON, for callers
//! that hold a scenario and want a value: the Python package. Options are those of the command
//! line.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{CommandFactory as _, FromArgMatches};
use hopflow::compare::{compare as run_all, compare_seeds};
use hopflow::{Diagnostics, ManyProgressCallback, RunOptions, Scenario};
use hopflow_bundle::{Bundle, Progress};
use hopflow_papers::{ClaimResult, News, ReproduceError, Table, papers, plan, reproduce_all};
use hopflow_scenario::ScenarioFile;
use hopflow_sweep::{
    Local, Overview, Plan, StoreOptions, SweepError, SweepProgress, report, sweep as make_all,
};
use serde::Serialize;
use serde_json::Value;

use crate::args::{
    Args, BundleArgs, CompareArgs, DiffArgs, Engine, SizeArgs, SweepArgs, threads_or_all,
};
use crate::commands::compare::contenders;
use crate::commands::reproduce::{choose, is_wanted};
use crate::commands::{
    bundle as bundles, diff as differ, query as queries, size as sizes, sweep as sweeps,
};
use crate::diagnose::seeded;
use crate::fail::Fail;

/// Why there is no answer.
#[derive(Debug)]
pub enum Refused {
    /// An option or an argument is wrong.
    Input(String),
    /// A scenario is wrong, under each control that was asked for.
    Wrong(Vec<Diagnostics>),
    /// Something outside failed, such as starting threads; or a mistake of hopflow.
    Fault(String),
    /// Cancelled before the end.
    Cancelled,
}

impl From<Fail> for Refused {
    fn from(fail: Fail) -> Refused {
        match fail {
            Fail::Input(text) => Refused::Input(text),
            Fail::Fault(text) | Fail::Unwritten(text) | Fail::Starved(text) => Refused::Fault(text),
            Fail::Interrupted => Refused::Cancelled,
            Fail::Wrong(wrong) => Refused::Wrong(wrong),
            Fail::Property | Fail::Said | Fail::Ended(_) | Fail::PipeClosed => {
                Refused::Fault("it was said on stderr".to_owned())
            }
        }
    }
}

impl From<SweepError> for Refused {
    fn from(error: SweepError) -> Refused {
        match error {
            SweepError::Wrong(wrong) => Refused::Wrong(vec![wrong]),
            SweepError::Write { .. } | SweepError::Threads(_) => Refused::Fault(error.to_string()),
            other => Refused::Input(other.to_string()),
        }
    }
}

/// Observes and cancels work under way.
#[derive(Clone)]
pub struct Watch {
    /// The work stops soon after this is true.
    pub cancel: Arc<AtomicBool>,
    /// Called from any thread with the part that is done, 0 to 1.
    pub progress: Arc<dyn Fn(f64) + Send + Sync>,
}

impl Watch {
    fn options(&self) -> RunOptions {
        RunOptions { cancel: Some(Arc::clone(&self.cancel)), ..RunOptions::default() }
    }

    fn many(&self) -> ManyProgressCallback {
        let progress = Arc::clone(&self.progress);
        Arc::new(move |many| progress(many.share))
    }
}

/// `size --format json` of a scenario, or of the link that the options name.
pub fn size(scenario: Option<&Scenario>, options: &[String]) -> Result<Value, Refused> {
    let args: SizeArgs = parsed("size", options)?;
    Ok(sizes::document(scenario, &args)?)
}

/// `diff --format json` of two directories of results.
pub fn diff(options: &[String]) -> Result<Value, Refused> {
    let args: DiffArgs = parsed("diff", options)?;
    value(&differ::document(&differ::found(&args)?))
}

/// `compare --format json` of a scenario. Nothing is written.
pub fn compare(file: &ScenarioFile, options: &[String], watch: &Watch) -> Result<Value, Refused> {
    // The scenario is at hand, so what stands for its file is not read.
    let options = [&["-".to_owned()], options].concat();
    let args: CompareArgs = parsed("compare", &options)?;
    let file = seeded(file.clone(), args.scenario.seed)?;
    let (contenders, unfit) = contenders(&args, &file, &ScenarioFile::under)?;
    let threads = threads_or_all(args.output.threads);
    let (options, many) = (watch.options(), watch.many());
    if let Some(count) = args.seeds {
        let result = compare_seeds(&contenders, &options, count, threads, Some(&many));
        let result = result.map_err(Fail::input)?.beside(unfit);
        return if result.complete { value(&result.document()) } else { Err(Refused::Cancelled) };
    }
    let result = run_all(contenders, &options, threads, Some(&many));
    let result = result.map_err(Fail::input)?.beside(unfit);
    if result.complete { value(&result.document()) } else { Err(Refused::Cancelled) }
}

/// `sweep --format json` of a scenario. It goes on with what its directory has; when it is
/// cancelled, what is stored stays.
pub fn sweep(file: &ScenarioFile, options: &[String], watch: &Watch) -> Result<Value, Refused> {
    // The scenario is at hand, so what stands for its file is not read.
    let options = [&["-".to_owned()], options].concat();
    let args: SweepArgs = parsed("sweep", &options)?;
    let plan = Plan::new(sweeps::request(&args, file.clone()))?;
    let shape = plan.shape();
    let folder = sweeps::folder(&args, shape);
    if args.engine == Engine::Slurm {
        let store = plan.open(&folder, StoreOptions::default())?;
        let laid = sweeps::lay_out(&args, &store)?;
        return value(&laid.document(&folder, shape, Some(store.stale())));
    }
    let options =
        StoreOptions { rows_per_part: args.rows_per_part.get(), ..StoreOptions::default() };
    let store = plan.open(&folder, options)?;
    let on_progress = |progress: SweepProgress| {
        let (done, all) = if progress.has_rule {
            (progress.closed, progress.points)
        } else {
            (progress.stored, progress.most)
        };
        (watch.progress)(done as f64 / all.max(1) as f64);
    };
    let local = Local { threads: threads_or_all(args.threads) };
    let done = make_all(&plan, store, &local, &watch.cancel, Some(&on_progress))?;
    if !done.complete {
        return Err(Refused::Cancelled);
    }
    let overview = Overview::of(&folder, shape)?;
    report::write(&folder, shape, &overview)?;
    value(&sweeps::document(&folder, shape, &overview, Some(&done.stale)))
}

/// `bundle --format json` of a directory of results, or of a bundle with `--check`.
pub fn bundle(options: &[String], watch: &Watch) -> Result<Value, Refused> {
    let args: BundleArgs = parsed("bundle", options)?;
    if !args.check {
        return value(&bundles::made(&args)?.document());
    }
    let bundle = Bundle::read(&args.place).map_err(Fail::from)?;
    let options = bundles::check_options(&args, Arc::clone(&watch.cancel));
    let share = Arc::clone(&watch.progress);
    let on_progress: Progress = Arc::new(move |done, all| share(done as f64 / all.max(1) as f64));
    let checked =
        hopflow_bundle::check(&bundle, &options, Some(&on_progress)).map_err(Fail::from)?;
    value(&bundles::document(&args.place, &bundle, &checked))
}

/// The tables that `query` finds in directories of results: a list of `name` and `sql`, which makes
/// a view of DuckDB.
pub fn views(places: &[PathBuf]) -> Result<Value, Refused> {
    Ok(queries::tables(places)?)
}

/// What `sweep` of a scenario would make and where, for callers that have other machines make it.
pub fn sweep_plan(file: &ScenarioFile, options: &[String]) -> Result<(Plan, PathBuf), Refused> {
    let options = [&["-".to_owned()], options].concat();
    let args: SweepArgs = parsed("sweep", &options)?;
    let plan = Plan::new(sweeps::request(&args, file.clone()))?;
    let folder = sweeps::folder(&args, plan.shape());
    Ok((plan, folder))
}

/// `sweep --format json` of what a directory has, made into the dataset. It may lack runs.
pub fn sweep_collect(plan: &Plan, folder: &Path) -> Result<Value, Refused> {
    let shape = plan.shape();
    let mut store = plan.open(folder, StoreOptions::default())?;
    store.compact()?;
    let overview = Overview::of(folder, shape)?;
    value(&sweeps::document(folder, shape, &overview, Some(store.stale())))
}

/// `reproduce --format json` of papers, experiments or claims. No report is written.
pub fn reproduce(
    ids: &[String],
    threads: Option<NonZeroUsize>,
    watch: &Watch,
) -> Result<Value, Refused> {
    let papers = papers();
    let (chosen, ids) = choose(&papers, ids)?;
    let cells = |id: &str| plan().iter().filter(|p| p.experiment == id).map(|p| p.cells).sum();
    let all: u64 = chosen.iter().map(|(_, one)| -> u64 { cells(one.id()) }).sum();
    let found: Mutex<Vec<Option<Vec<ClaimResult>>>> = Mutex::new(vec![None; chosen.len()]);
    let hear = |news| match news {
        News::Piece { cells, .. } => (watch.progress)(cells as f64 / all.max(1) as f64),
        News::Experiment { experiment, found: one } => {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found[experiment] = Some(one.claims);
        }
        News::Bands { .. } => {}
    };
    let outcome = reproduce_all(&chosen, threads_or_all(threads), &watch.options(), &hear);
    outcome.map_err(|wrong| match wrong {
        ReproduceError::Cancelled => Refused::Cancelled,
        wrong => Refused::Fault(wrong.to_string()),
    })?;
    if watch.cancel.load(Ordering::Relaxed) {
        return Err(Refused::Cancelled);
    }
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let claims = found.into_iter().flatten().flatten();
    let wanted = claims.filter(|claim| is_wanted(&claim.id, &ids)).collect();
    value(&Table::new(wanted, true))
}

fn value(document: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(document).map_err(|error| Refused::Fault(error.to_string()))
}

/// The arguments of a command. What is wrong with them is reported without the usage.
fn parsed<A: FromArgMatches>(command: &str, options: &[String]) -> Result<A, Refused> {
    let words = ["hopflow", command].into_iter().chain(options.iter().map(String::as_str));
    let parsed = Args::command().try_get_matches_from(words);
    let parsed = parsed.and_then(|matches| {
        let (_, options) = matches.subcommand().expect("the second word names a command");
        A::from_arg_matches(options)
    });
    parsed.map_err(|wrong| {
        let text = wrong.to_string();
        let said = text.split("\n\nUsage").next().unwrap_or(&text);
        Refused::Input(said.trim().trim_start_matches("error: ").to_owned())
    })
}
