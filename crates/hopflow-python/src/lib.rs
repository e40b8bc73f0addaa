//! The native part of the Python package `hopflow`. What users see, with its documentation, is in
//! python/hopflow; this hands over what it needs, as plain values, JSON and Arrow.

mod answers;
mod fault;
mod page;
mod run;
mod scenario;
mod series;
mod table;
mod trace;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with its arguments, and gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| hopflow_cli::main_with(args))
}

#[pymodule]
fn _hopflow(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fault::keep_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("CONTRACT_VERSION", hopflow::CONTRACT_VERSION)?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::templates, module)?)?;
    module.add_function(wrap_pyfunction!(answers::size, module)?)?;
    module.add_function(wrap_pyfunction!(answers::diff, module)?)?;
    module.add_function(wrap_pyfunction!(answers::compare, module)?)?;
    module.add_function(wrap_pyfunction!(answers::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(answers::reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(run::panic_for_test, module)?)
}
