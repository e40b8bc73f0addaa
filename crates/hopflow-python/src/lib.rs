//! The native part of the Python package `hopflow`. The public interface, with its documentation,
//! is in python/hopflow; this part provides what it needs, as plain values, JSON and Arrow.

mod answers;
mod fault;
mod machines;
mod page;
mod run;
mod scenario;
mod series;
mod sweeps;
mod table;
mod trace;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with its arguments, and returns its exit code. `run_sql` takes a query as JSON
/// and returns an exit code; an exception that it raises is printed.
#[pyfunction]
fn command(py: Python<'_>, args: Vec<OsString>, run_sql: Py<PyAny>) -> u8 {
    let run_sql = |query: &str| {
        Python::attach(|py| {
            let code = run_sql.call1(py, (query,)).and_then(|code| code.extract(py));
            code.unwrap_or_else(|error: PyErr| {
                error.print(py);
                3
            })
        })
    };
    py.detach(|| hopflow_cli::main_with_sql(args, Some(&run_sql)))
}

#[pymodule]
fn _hopflow(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fault::keep_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("CONTRACT_VERSION", hopflow::CONTRACT_VERSION)?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<sweeps::SweepPlan>()?;
    module.add_class::<sweeps::SweepStore>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::templates, module)?)?;
    module.add_function(wrap_pyfunction!(answers::size, module)?)?;
    module.add_function(wrap_pyfunction!(answers::diff, module)?)?;
    module.add_function(wrap_pyfunction!(answers::compare, module)?)?;
    module.add_function(wrap_pyfunction!(answers::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(answers::bundle, module)?)?;
    module.add_function(wrap_pyfunction!(answers::views, module)?)?;
    module.add_function(wrap_pyfunction!(answers::reproduce, module)?)?;
    module.add_function(wrap_pyfunction!(run::panic_for_test, module)?)
}
