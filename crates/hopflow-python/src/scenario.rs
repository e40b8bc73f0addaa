//! A scenario that was read and checked, as Python holds it.

use std::path::PathBuf;

use hopflow::scenario::{AS_IS, ScenarioFile, TEMPLATES, known_controls};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::fault::{Fault, attached, detached, diagnostics};
use crate::machines::{Registered, machines as registered};

/// A scenario under one control. It never changes, so several threads may run it.
#[pyclass(frozen, module = "hopflow._hopflow", name = "Scenario")]
pub(crate) struct Scenario {
    pub(crate) file: ScenarioFile,
    pub(crate) control: String,
    pub(crate) read: hopflow::Scenario,
}

impl Scenario {
    fn new(file: ScenarioFile, control: &str) -> Result<Scenario, Fault> {
        let read = file.under(control)?;
        Ok(Scenario { file, control: control.to_owned(), read })
    }
}

#[pymethods]
impl Scenario {
    /// Reads the file at `path`.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, machines: Vec<Registered>) -> PyResult<Scenario> {
        detached(py, || {
            let file = ScenarioFile::load(&path)?;
            Scenario::new(file.with_machines(registered(machines)), AS_IS)
        })
    }

    /// Reads `text`; `name` is used in messages, and files that it names are looked up in its
    /// folder.
    #[staticmethod]
    fn loads(
        py: Python<'_>,
        text: String,
        name: String,
        machines: Vec<Registered>,
    ) -> PyResult<Scenario> {
        detached(py, || {
            let file = ScenarioFile::new(text, name);
            Scenario::new(file.with_machines(registered(machines)), AS_IS)
        })
    }

    /// The same with settings as of `--set` put into the text.
    fn with_settings(&self, py: Python<'_>, settings: Vec<String>) -> PyResult<Scenario> {
        detached(py, || Scenario::new(self.file.clone().with_settings(&settings)?, &self.control))
    }

    /// The same under a control.
    fn under(&self, py: Python<'_>, control: &str) -> PyResult<Scenario> {
        detached(py, || Scenario::new(self.file.clone(), control))
    }

    #[getter]
    fn text(&self) -> &str {
        self.file.text()
    }

    #[getter]
    fn name(&self) -> &str {
        self.file.name()
    }

    #[getter]
    fn control(&self) -> &str {
        &self.control
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.read.title.as_deref()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.read.network.seed
    }

    #[getter]
    fn duration_ps(&self) -> u64 {
        self.read.network.duration.0
    }

    /// The names of hosts and switches, and of flows.
    fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let network = &self.read.network;
        let nodes = network.nodes.iter().map(|node| node.name.as_str()).collect();
        (nodes, network.vcs.iter().map(|vc| vc.name.as_str()).collect())
    }

    /// Every control that the scenario can run under.
    fn controls(&self) -> Vec<String> {
        known_controls(&self.file.variants()).into_iter().map(str::to_owned).collect()
    }

    /// Warnings as JSON.
    fn warnings(&self, py: Python<'_>) -> PyResult<String> {
        attached(py, || {
            let (name, source) =
                (self.file.name_under(&self.control), self.file.text_under(&self.control));
            Ok(Value::from(diagnostics(&self.read.warnings, &name, &source)).to_string())
        })
    }
}

/// The built-in scenarios by name, the one of `hopflow init` first.
#[pyfunction]
pub(crate) fn templates(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let known = PyDict::new(py);
    known.set_item("scenario", hopflow::Scenario::template())?;
    TEMPLATES.iter().try_for_each(|template| known.set_item(template.name, template.text))?;
    Ok(known)
}
