//! Check of a bundle: its runs are repeated, the bundle of their results is made again, and both
//! are compared, file by file and byte by byte (`files.rs`).
//!
//! A sample makes some of the runs. For several seeds or controls it compares their digests alone;
//! `manifest.json` and `summary.json`, which are of all runs together, are not made again. For a
//! sweep it compares each row, with status, key, digest, measures and series; the tables are made
//! again from the rows. A sample is spread evenly over the runs; for a sweep, over its rows in the
//! order of keys, which is that of a hash.

mod files;
mod runs;
mod sweep;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, CheckOptions, Kind, Progress};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of parts that can be repeated: runs, or seeds of several controls.
    pub all: u64,
    /// The number of parts that were repeated.
    pub made: u64,
    /// What differs from the bundle: runs in its order, then files.
    pub unlike: Vec<Unlike>,
    /// Files of which only the digests of the repeated runs were compared.
    pub digests_only: Vec<String>,
}

/// A difference from the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct Unlike {
    /// The description of the run; `None` for what is not of one run.
    pub run: Option<String>,
    /// The file; `None` for the digest of a run, which several have.
    pub file: Option<String>,
    /// What differs: the place in the file.
    pub what: String,
    /// The value in the bundle.
    pub bundled: String,
    /// The value found now.
    pub found: String,
}

/// Repeats runs of a bundle, makes its files again, and compares.
pub fn check(
    bundle: &Bundle,
    options: &CheckOptions,
    progress: Option<&Progress>,
) -> Result<Checked, BundleError> {
    let unpacked = Unpacked::new(bundle)?;
    if bundle.card().kind == Kind::Sweep {
        sweep::check(bundle, &unpacked, options, progress)
    } else {
        runs::check(bundle, &unpacked, options, progress)
    }
}

/// An error if the check was cancelled.
fn not_cancelled(cancel: &AtomicBool) -> Result<(), BundleError> {
    if cancel.load(Ordering::Relaxed) { Err(BundleError::Cancelled) } else { Ok(()) }
}

/// Calls `one` for all or a sample of `all`, on the threads of the options.
fn spread<T: Sync>(
    all: &[T],
    options: &CheckOptions,
    progress: Option<&Progress>,
    one: &(dyn Fn(&T) -> Result<Vec<Unlike>, BundleError> + Sync),
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
                    found.extend(unlike.into_iter().map(|unlike| (*place, unlike)));
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
                return Err(BundleError::Threads(why));
            }
        }
        Ok(())
    })?;
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    not_cancelled(&options.cancel)?;
    let mut unlike = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    unlike.sort_by_key(|(place, _)| *place);
    let unlike = unlike.into_iter().map(|(_, unlike)| unlike).collect();
    Ok(Checked { all: count, made: wanted, unlike, digests_only: Vec::new() })
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
