//! Sweeps whose runs are made by other processes: the plan on both sides, and the store on one.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hopflow_cli::answers::{self, Refused};
use hopflow_sweep::{Batch, Plan, Row, Store, StoreOptions, SweepError};
use pyo3::prelude::*;

use crate::fault::{Fault, detached};
use crate::machines::{Registered, machines as registered};
use crate::scenario::Scenario;

impl From<SweepError> for Fault {
    fn from(error: SweepError) -> Fault {
        Refused::from(error).into()
    }
}

/// The plan of a sweep. It never changes, so threads may share it.
#[pyclass(frozen, module = "hopflow._hopflow")]
pub(crate) struct SweepPlan {
    plan: Plan,
    folder: PathBuf,
    cancel: Arc<AtomicBool>,
}

impl SweepPlan {
    fn of(plan: Plan, folder: PathBuf) -> SweepPlan {
        SweepPlan { plan, folder, cancel: Arc::default() }
    }
}

#[pymethods]
impl SweepPlan {
    /// From a scenario and the options of `hopflow sweep`.
    #[new]
    fn new(py: Python<'_>, scenario: &Scenario, options: Vec<String>) -> PyResult<SweepPlan> {
        let options = [options, vec![format!("--control={}", scenario.control)]].concat();
        detached(py, || {
            let (plan, folder) = answers::sweep_plan(&scenario.file, &options)?;
            Ok(SweepPlan::of(plan, folder))
        })
    }

    /// From the text of `sweep.json`, in another process.
    #[staticmethod]
    fn again(
        py: Python<'_>,
        text: &str,
        beside: PathBuf,
        machines: Vec<Registered>,
    ) -> PyResult<SweepPlan> {
        detached(py, || {
            let file = serde_json::from_str(text)
                .map_err(|cause| Fault::Input(format!("the plan of a sweep: {cause}")))?;
            let plan = Plan::again_with(file, &beside, registered(machines))?;
            Ok(SweepPlan::of(plan, PathBuf::new()))
        })
    }

    /// The text of `sweep.json`.
    #[getter]
    fn text(&self) -> String {
        self.plan.shape().file().text()
    }

    /// The default directory of the sweep.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The seed of the first run of a point, and the command that repeats it. `kept` is the file of
    /// the scenario if the scenario was made in Python.
    fn command(&self, point: u64, kept: &str) -> (u64, String) {
        let shape = self.plan.shape();
        let read = self.plan.point(point);
        let seed = read.map_or(self.plan.first().network.seed, |read| read.network.seed);
        (seed, shape.command(point, seed, kept))
    }

    /// The result lines of a batch of points.
    fn batch(&self, py: Python<'_>, first: u64, end: u64) -> PyResult<String> {
        detached(py, || {
            let rows = Batch { first, end }.make(&self.plan, &self.cancel)?;
            let rows = rows.ok_or_else(|| Fault::Run("the sweep was stopped".to_owned()))?;
            Ok(rows.iter().map(Row::line).collect())
        })
    }

    /// Cancels the batches that are running.
    fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Makes the dataset from the contents of a directory, and describes it.
    fn collect(&self, py: Python<'_>, folder: PathBuf) -> PyResult<String> {
        detached(py, || Ok(answers::sweep_collect(&self.plan, &folder)?.to_string()))
    }
}

/// The directory of a sweep, held until it is dropped.
#[pyclass(frozen, module = "hopflow._hopflow")]
pub(crate) struct SweepStore(Mutex<Store>);

impl SweepStore {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Store) -> Result<T, SweepError> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(work(&mut store)?)
        })
    }
}

#[pymethods]
impl SweepStore {
    /// Opens or begins the directory.
    #[new]
    fn new(py: Python<'_>, plan: &SweepPlan, folder: PathBuf) -> PyResult<SweepStore> {
        detached(py, || {
            let store = plan.plan.open(&folder, StoreOptions::default())?;
            Ok(SweepStore(Mutex::new(store)))
        })
    }

    /// The next consecutive points from `begin` on that lack a run, at most `most`.
    fn next_batch(&self, py: Python<'_>, begin: u64, most: u64) -> PyResult<Option<(u64, u64)>> {
        self.with(py, |store| {
            Ok(store.next_batch(begin, most).map(|batch| (batch.first, batch.end)))
        })
    }

    /// The number of stored runs that were stale because of another program, and because of what
    /// their points read; and the reason.
    #[getter]
    fn stale(&self, py: Python<'_>) -> PyResult<(u64, u64, Option<String>)> {
        self.with(py, |store| {
            let stale = store.stale();
            let why = (stale.rows() > 0).then(|| stale.to_string());
            Ok((stale.program, stale.input, why))
        })
    }

    /// Stores the lines of a batch; returns the number of new runs.
    fn add(&self, py: Python<'_>, lines: &str) -> PyResult<u64> {
        self.with(py, |store| store.add_lines(lines))
    }
}
