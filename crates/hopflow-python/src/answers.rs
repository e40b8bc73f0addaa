//! The answers of the commands `size`, `compare`, `sweep`, `bundle`, `reproduce` and `diff`, as
//! JSON; and work in other threads while this one serves Python.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use hopflow_cli::answers::{self, Refused, Watch};
use pyo3::prelude::*;
use serde_json::Value;

use crate::fault::{Fault, detached};
use crate::scenario::Scenario;

/// How often Python is served.
const LOOK: Duration = Duration::from_millis(100);

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        match refused {
            Refused::Input(text) => Fault::Input(text),
            Refused::Wrong(wrong) => Fault::Scenario(wrong),
            Refused::Fault(text) => Fault::Run(text),
            Refused::Cancelled => Fault::Internal("cancelled, and nobody asked for it".to_owned()),
        }
    }
}

/// Calls `work` in another thread. About ten times a second this thread lets Python handle signals,
/// and passes `progress` the fraction done and 1. An exception of either stops the work and is
/// returned.
fn watched(
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<Value, Refused> + Send,
) -> Result<String, Fault> {
    let (cancel, share) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let reported = Arc::clone(&share);
    let watch = Watch {
        cancel: Arc::clone(&cancel),
        progress: Arc::new(move |done: f64| reported.store(done.to_bits(), Ordering::Relaxed)),
    };
    let tell = |done: f64| {
        Python::attach(|py| {
            py.check_signals()?;
            progress.map_or(Ok(()), |progress| progress.call1(py, (done, 1.0)).map(drop))
        })
    };
    tell(0.0)?;
    let mut raised = None;
    let answer = thread::scope(|scope| {
        // The sender is dropped with the thread, even when that panics.
        let (alive, ended) = channel::<()>();
        let worker = scope.spawn(move || {
            let answer = work(&watch);
            drop(alive);
            answer
        });
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let done = f64::from_bits(share.load(Ordering::Relaxed));
            if raised.is_none()
                && let Err(error) = tell(done)
            {
                cancel.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    if let Some(error) = raised {
        return Err(error.into());
    }
    let answer = answer?.to_string();
    tell(1.0)?;
    Ok(answer)
}

/// `size --format json`.
#[pyfunction]
pub(crate) fn size(
    py: Python<'_>,
    scenario: Option<&Scenario>,
    options: Vec<String>,
) -> PyResult<String> {
    let scenario = scenario.map(|scenario| &scenario.read);
    detached(py, || Ok(answers::size(scenario, &options)?.to_string()))
}

/// `diff --format json`.
#[pyfunction]
pub(crate) fn diff(py: Python<'_>, options: Vec<String>) -> PyResult<String> {
    detached(py, || Ok(answers::diff(&options)?.to_string()))
}

/// `compare --format json`.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    scenario: &Scenario,
    options: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    detached(py, || {
        watched(progress.as_ref(), |watch| answers::compare(&scenario.file, &options, watch))
    })
}

/// `sweep --format json`.
#[pyfunction]
pub(crate) fn sweep(
    py: Python<'_>,
    scenario: &Scenario,
    options: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let options = [options, vec![format!("--control={}", scenario.control)]].concat();
    detached(py, || {
        watched(progress.as_ref(), |watch| answers::sweep(&scenario.file, &options, watch))
    })
}

/// `bundle --format json`, with and without `--check`.
#[pyfunction]
pub(crate) fn bundle(
    py: Python<'_>,
    options: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    detached(py, || watched(progress.as_ref(), |watch| answers::bundle(&options, watch)))
}

/// The tables that `query` finds in directories, as JSON.
#[pyfunction]
pub(crate) fn views(py: Python<'_>, places: Vec<PathBuf>) -> PyResult<String> {
    detached(py, || Ok(answers::views(&places)?.to_string()))
}

/// `reproduce --format json`.
#[pyfunction]
pub(crate) fn reproduce(
    py: Python<'_>,
    ids: Vec<String>,
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    detached(py, || watched(progress.as_ref(), |watch| answers::reproduce(&ids, threads, watch)))
}
