//! Runs: a session that advances step by step, and its result.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use hopflow::network::NetworkSpec;
use hopflow::record::{Series, Summary};
use hopflow::{
    CONTRACT_VERSION, Manifest, ResultDocument, RunError, RunOptions, RunResult, Session,
};
use hopflow_export::parquet::TABLES;
use pyo3::prelude::*;
use serde_json::Value;

use crate::fault::{Fault, attached, detached};
use crate::machines::raised;
use crate::page;
use crate::scenario::Scenario;
use crate::series::series_table;
use crate::table::{Table, totals_table};
use crate::trace::TraceColumns;

/// The result of a run. It never changes, so several threads may read it.
#[pyclass(frozen, module = "hopflow._hopflow", name = "Run")]
pub(crate) struct Run {
    network: NetworkSpec,
    summary: Summary,
    series: Vec<Series>,
    manifest: Manifest,
    trace: Table,
    /// The tables of totals, by their place among all tables, each made on first use.
    totals: [OnceLock<Table>; TABLES.len()],
}

impl From<RunError> for Fault {
    fn from(wrong: RunError) -> Fault {
        match wrong {
            RunError::Routes(wrong) => Fault::Scenario(vec![*wrong]),
            RunError::Machine(fault) => Fault::Python(raised(&fault)),
            wrong => Fault::Run(wrong.to_string()),
        }
    }
}

/// The options of a run.
struct Wish {
    seed: Option<u64>,
    threads: Option<NonZeroUsize>,
    until: Option<String>,
    progress: Option<Py<PyAny>>,
}

/// Runs a scenario to its end. The lock of the interpreter is released meanwhile; after each step
/// it is taken for signals and for `progress`, which is called with ps.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    scenario: &Scenario,
    seed: Option<u64>,
    threads: Option<NonZeroUsize>,
    until: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Run> {
    let wish = Wish { seed, threads, until, progress };
    detached(py, || run_as(scenario, &wish))
}

fn run_as(scenario: &Scenario, wish: &Wish) -> Result<Run, Fault> {
    let mut scenario = match wish.seed {
        Some(seed) => scenario.file.clone().with_seed(seed)?.under(&scenario.control)?,
        None => scenario.read.clone(),
    };
    if let Some(until) = &wish.until {
        scenario.set_duration(until)?;
    }
    let threads = wish.threads.unwrap_or_else(|| useful_threads(&scenario));
    // Python machines share one lock: more threads would only wait for each other.
    let is_alone = !scenario.network.machines.is_empty();
    let threads = if is_alone { NonZeroUsize::MIN } else { threads };
    let options = RunOptions { threads, ..RunOptions::default() };
    let mut session = Session::new(&scenario, &options)?;
    let mut trace = TraceColumns::new(session.network());
    tell(&session, wish.progress.as_ref())?;
    while !session.is_over() {
        session.advance(&mut |rows| trace.extend(rows));
        if let Some(fault) = session.fault() {
            return Err(Fault::Python(raised(&fault)));
        }
        tell(&session, wish.progress.as_ref())?;
    }
    let network = session.network().clone();
    let (RunResult { summary, series, manifest, .. }, _) = session.finish();
    let trace = trace.finish();
    let totals = [const { OnceLock::new() }; TABLES.len()];
    Ok(Run { network, summary, series, manifest, trace, totals })
}

/// As in the command: all cores that are of use.
fn useful_threads(scenario: &hopflow::Scenario) -> NonZeroUsize {
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    hopflow::useful_threads(&scenario.network, all)
}

/// Lets Python handle signals, such as Ctrl-C, and reports the progress of the run.
fn tell(session: &Session, progress: Option<&Py<PyAny>>) -> Result<(), Fault> {
    Python::attach(|py| {
        py.check_signals()?;
        if let Some(progress) = progress {
            progress.call1(py, (session.now().0, session.end().0))?;
        }
        Ok(())
    })
}

#[pymethods]
impl Run {
    #[getter]
    fn digest(&self) -> &str {
        &self.manifest.digest
    }

    /// The document of `run --format json`, as JSON.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || {
            let (manifest, summary) = (&self.manifest, &self.summary);
            let document = ResultDocument { version: CONTRACT_VERSION, manifest, summary };
            let text = serde_json::to_string(&document);
            text.map_err(|error| Fault::Internal(error.to_string()))
        })
    }

    /// The entries of `sentences` of `why --format json`, as JSON.
    fn why(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || {
            let notes = hopflow::why(&self.summary);
            Ok(Value::from(notes.iter().map(hopflow::Note::value).collect::<Vec<_>>()).to_string())
        })
    }

    /// Properties that the run broke, as sentences.
    fn violations(&self) -> Vec<String> {
        self.summary.violations.iter().map(|one| one.text.clone()).collect()
    }

    /// A table of totals, by the name of its file.
    fn totals(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        detached(py, || {
            let place = TABLES.iter().position(|table| table.name == name);
            let Some(place) =
                place.filter(|&place| !["series", "trace"].contains(&TABLES[place].name))
            else {
                return Err(Fault::Input(format!("there is no table `{name}`")));
            };
            let made =
                self.totals[place].get_or_init(|| totals_table(TABLES[place], &self.summary));
            Ok(made.clone())
        })
    }

    /// The series with this name, or all of them.
    fn series(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Table> {
        detached(py, || series_table(&self.series, name))
    }

    /// The names of the series.
    fn series_names(&self) -> Vec<&str> {
        self.series.iter().map(|series| series.name.as_str()).collect()
    }

    /// The recorded events.
    #[getter]
    fn trace(&self) -> Table {
        self.trace.clone()
    }

    /// An HTML fragment with pictures as SVG.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(page::page(&self.network, &self.summary, &self.series, &self.manifest)))
    }
}

/// Panics, so that a test can observe how that is handled.
#[pyfunction]
pub(crate) fn panic_for_test(py: Python<'_>) -> PyResult<()> {
    attached(py, || panic!("asked for by a test"))
}
