//! Failures of native calls, and the exception of `hopflow.errors` that Python gets for each.
//!
//! A panic is a broken invariant of hopflow. It is caught in this file, so none crosses the border.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::{Mutex, PoisonError};

use hopflow::scenario::{ControlError, Diagnostic, Diagnostics, Severity, line_column};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use serde_json::{Value, json};

/// The message of the last panic, with its place.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Why a call has no answer.
pub(crate) enum Fault {
    /// The scenario has errors, under one control or several: `ScenarioError`.
    Scenario(Vec<Diagnostics>),
    /// An argument is wrong: `InputError`.
    Input(String),
    /// The run cannot be made: `RunError`.
    Run(String),
    /// An exception of Python, such as that of a callback.
    Python(PyErr),
    /// A bug in hopflow: `InternalError`.
    Internal(String),
}

impl From<Diagnostics> for Fault {
    fn from(wrong: Diagnostics) -> Fault {
        Fault::Scenario(vec![wrong])
    }
}

impl From<ControlError> for Fault {
    fn from(error: ControlError) -> Fault {
        match error {
            ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => wrong.into(),
            unknown @ ControlError::Unknown { .. } => Fault::Input(unknown.to_string()),
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Fault {
        Fault::Python(error)
    }
}

impl Fault {
    fn raised(self, py: Python<'_>) -> PyErr {
        let made = match self {
            Fault::Python(error) => return error,
            Fault::Scenario(wrong) => {
                let all = wrong.iter();
                let found = all
                    .clone()
                    .flat_map(|one| diagnostics(&one.items, &one.source_name, &one.source));
                let found = Value::from(found.collect::<Vec<_>>());
                let said: Vec<String> = all.map(ToString::to_string).collect();
                make(py, "_scenario_error", (said.join("\n"), found.to_string()))
            }
            Fault::Input(text) => make(py, "InputError", (text,)),
            Fault::Run(text) => make(py, "RunError", (text,)),
            Fault::Internal(text) => make(py, "_internal_error", (text,)),
        };
        made.unwrap_or_else(|error| error)
    }
}

/// An exception of `hopflow.errors`, or why it cannot be made.
pub(crate) fn make<'py>(
    py: Python<'py>,
    name: &str,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<PyErr> {
    let made: Bound<'_, PyAny> = py.import("hopflow.errors")?.getattr(name)?.call1(args)?;
    Ok(PyErr::from_value(made))
}

/// Errors and warnings as JSON; places are counted in characters, as Python counts them.
pub(crate) fn diagnostics(items: &[Diagnostic], name: &str, source: &str) -> Vec<Value> {
    items.iter().map(|item| one(item, name, source)).collect()
}

fn one(item: &Diagnostic, name: &str, source: &str) -> Value {
    let source = item.setting.as_deref().unwrap_or(source);
    let character = |byte: usize| source.get(..byte).map_or(0, |text| text.chars().count());
    let place = |label: &hopflow::scenario::Label| {
        let (line, column) = line_column(source, label.span.start);
        json!({
            "span": [character(label.span.start), character(label.span.end)],
            "line": line, "column": column, "text": label.text,
        })
    };
    json!({
        "code": item.code.to_string(),
        "severity": if item.severity == Severity::Error { "error" } else { "warning" },
        "message": item.headline(),
        "path": if item.setting.is_some() { Value::Null } else { json!(name) },
        "setting": item.setting,
        "hint": item.hint,
        "places": item.labels.iter().map(place).collect::<Vec<_>>(),
    })
}

/// Keeps the messages of panics instead of printing them.
pub(crate) fn keep_panics() {
    set_hook(Box::new(|panic| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string());
    }));
}

/// Calls `work` while other Python threads run.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    py.detach(|| caught(work)).map_err(|fault| fault.raised(py))
}

/// Calls `work`, which is short or needs Python.
pub(crate) fn attached<T>(py: Python<'_>, work: impl FnOnce() -> Result<T, Fault>) -> PyResult<T> {
    caught(work).map_err(|fault| fault.raised(py))
}

fn caught<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let said = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Fault::Internal(said.unwrap_or_else(|| "a panic that said nothing".to_owned())))
    })
}
