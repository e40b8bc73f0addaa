//! Check of a bundle: its runs are repeated, and compared with their results in the bundle.
//!
//! For a run: the digest, and every number of its `summary.json`. For several seeds or controls:
//! the digest of each. For a sweep: each row, with status, key, digest and measures, and its
//! series. A sample is spread evenly over the runs; for a sweep, over its rows in the order of
//! keys, which is that of a hash.

mod runs;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use hopflow_sweep::{Row, Shape, Span, again};
use serde::Serialize;

use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, Card, Kind, sweep};

/// A callback that receives the number of runs made so far, and that of all runs to make.
pub type Progress<'t> = dyn Fn(u64, u64) + Sync + 't;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The number of runs to repeat; `None`: all.
    pub sample: Option<u64>,
    /// Threads in all.
    pub threads: NonZeroUsize,
    /// Cancels the check when true.
    pub cancel: Arc<AtomicBool>,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of parts that can be repeated: runs, or seeds of several controls.
    pub all: u64,
    /// The number of parts that were repeated.
    pub made: u64,
    /// Those that differ from the bundle, in its order.
    pub unlike: Vec<Unlike>,
}

/// A difference from the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unlike {
    /// The description of the run.
    pub run: String,
    /// What differs.
    pub what: String,
    /// The value in the bundle.
    pub bundled: String,
    /// The value found now.
    pub found: String,
}

/// Repeats runs of a bundle, and compares.
pub fn check(
    bundle: &Bundle,
    options: &CheckOptions,
    progress: Option<&Progress<'_>>,
) -> Result<Checked, BundleError> {
    let unpacked = Unpacked::new(bundle)?;
    if bundle.card().kind != Kind::Sweep {
        return runs::check(bundle, &unpacked, options, progress);
    }
    let (plan, rows) = sweep::opened(&unpacked)?;
    let stated = [plan.shape().file().key().to_string(), rows.len().to_string()];
    let Card { digest, runs, .. } = bundle.card();
    if stated != [digest.clone(), runs.to_string()] {
        return Err(not_one(&format!("key and rows are {}", stated.join(", "))));
    }
    let one = |row: &Row| {
        let made = again(&plan, row.point, row.replicate, &options.cancel);
        Ok(made_of(&options.cancel)?
            .then(|| unlike_row(plan.shape(), row, made.as_ref()))
            .flatten())
    };
    spread(&rows, options, progress, &one)
}

/// The error of a bundle whose card does not match its results.
fn not_one(results: &str) -> BundleError {
    BundleError::Input(format!(
        "`bundle.json` is not of the results beside it: there, {results}. It was changed"
    ))
}

/// True, unless the check was cancelled.
fn made_of(cancel: &AtomicBool) -> Result<bool, BundleError> {
    if cancel.load(Ordering::Relaxed) { Err(BundleError::Cancelled) } else { Ok(true) }
}

fn unlike_row(shape: &Shape, row: &Row, made: Option<&Row>) -> Option<Unlike> {
    let run = format!("point {}, seed {}", row.point, row.seed);
    let line = |row: &Row| row.clone().bare().line().trim_end().to_owned();
    let found = made.map_or_else(|| "nothing".to_owned(), line);
    let bundled = line(row);
    if bundled != found {
        return Some(Unlike { run, what: "the row".to_owned(), bundled, found });
    }
    let of = |row: &Row| row.outcome.series().to_vec();
    let (bundled, found) = (of(row), made.map(of).unwrap_or_default());
    let differs = |place: &usize| bundled.get(*place) != found.get(*place);
    let place = (0..shape.series().len()).find(differs)?;
    let of = |all: &[Box<[Span]>]| all.get(place).cloned().unwrap_or_default();
    let [bundled, found] = [of(&bundled), of(&found)];
    let both = bundled.iter().zip(&*found);
    let first = both.take_while(|(one, other)| one == other).count();
    let in_words = |spans: &[Span]| match spans.get(first) {
        Some(Span { from_ps, to_ps, value }) => format!("{value} from {from_ps} to {to_ps} ps"),
        None => format!("no value after the first {first}"),
    };
    let what = format!("the series `{}`", shape.series()[place].name);
    Some(Unlike { run, what, bundled: in_words(&bundled), found: in_words(&found) })
}

/// Calls `one` for all or a sample of `all`, on the threads of the options.
fn spread<T: Sync>(
    all: &[T],
    options: &CheckOptions,
    progress: Option<&Progress<'_>>,
    one: &(dyn Fn(&T) -> Result<Option<Unlike>, BundleError> + Sync),
) -> Result<Checked, BundleError> {
    let count = all.len() as u64;
    let wanted = options.sample.unwrap_or(count).min(count);
    let places: Vec<usize> = (0..wanted).map(|k| place_of(k, wanted, count) as usize).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let found = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    let work = || {
        while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
            let is_over = failed.lock().unwrap_or_else(PoisonError::into_inner).is_some();
            if is_over || options.cancel.load(Ordering::Relaxed) {
                return;
            }
            match one(&all[*place]) {
                Ok(unlike) => {
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.extend(unlike.map(|unlike| (*place, unlike)));
                }
                Err(error) => {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = progress {
                progress(done, wanted);
            }
        }
    };
    let threads = options.threads.get().min(places.len().max(1));
    thread::scope(|scope| {
        for number in 1..=threads {
            let worker = thread::Builder::new().name(format!("check-{number}"));
            // With one worker the check continues, more slowly than requested.
            if let (Err(cause), true) = (worker.spawn_scoped(scope, work), number == 1) {
                let why = format!("no thread can be started for the runs: {cause}");
                return Err(BundleError::Fault(why));
            }
        }
        Ok(())
    })?;
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    made_of(&options.cancel)?;
    let mut unlike = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    unlike.sort_by_key(|(place, _)| *place);
    let unlike = unlike.into_iter().map(|(_, unlike)| unlike).collect();
    Ok(Checked { all: count, made: wanted, unlike })
}

/// The place of the k-th of `wanted` among `count`: floor(k count / wanted).
fn place_of(k: u64, wanted: u64, count: u64) -> u64 {
    (u128::from(k) * u128::from(count) / u128::from(wanted)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a sample takes different places from first to last part, each once; all takes all.
    #[test]
    fn a_sample_is_spread_evenly() {
        let places = |wanted: u64, count: u64| -> Vec<u64> {
            (0..wanted).map(|k| place_of(k, wanted, count)).collect()
        };
        assert_eq!(places(3, 10), [0, 3, 6]);
        assert_eq!(places(4, 4), [0, 1, 2, 3]);
        assert_eq!(places(1, 7), [0]);
    }
}
