//! External machines whose algorithm is a class in Python. Experimental, see
//! `hopflow/experimental.py`.
//!
//! Python gives for each class a function that makes an instance from plain values and answers its
//! methods; those that it does not have are `None` and are never called. A call takes the lock of
//! the interpreter for as long as it lasts. What it raises goes through the engine as it is.

use std::sync::Arc;

use hopflow::control::external::{Cause, Fault as MachineFault, MachineError, Refused};
use hopflow::control::scheduler::{Answer, ExternalScheduler, Lost};
use hopflow::network::{Machine, Make, PortFacts};
use hopflow::units::SimTime;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList};

/// A class that Python registers: role, name, version, what makes an instance.
pub(crate) type Registered = (String, String, u64, Py<PyAny>);

/// The same as the engine has it.
pub(crate) fn machines(given: Vec<Registered>) -> Vec<Machine> {
    let machine = |(role, name, version, maker): Registered| {
        assert_eq!(role, "scheduler", "Python knows the roles");
        let make = Make::Scheduler(Arc::new(move |port: &PortFacts<'_>| scheduler(&maker, port)));
        Machine { name, version, make }
    };
    given.into_iter().map(machine).collect()
}

fn scheduler(
    maker: &Py<PyAny>,
    port: &PortFacts<'_>,
) -> Result<Box<dyn ExternalScheduler>, MachineError> {
    let flow = |flow: &hopflow::network::FlowFacts<'_>| {
        let share = &flow.share;
        let reserved = share.reservation.map(|reservation| reservation.rate.bps());
        (flow.vc.to_owned(), flow.is_ack, share.class, share.weight, reserved, share.largest.0)
    };
    let flows: Vec<_> = port.flows.iter().map(flow).collect();
    let methods = Python::attach(|py| {
        maker.call1(py, (port.from, port.to, port.rate.bps(), flows))?.extract(py)
    });
    let (arrive, next, start, lost) = methods?;
    Ok(Box::new(PythonScheduler { arrive, next, start, lost }))
}

/// The methods of an instance.
struct PythonScheduler {
    arrive: Option<Py<PyAny>>,
    next: Py<PyAny>,
    start: Option<Py<PyAny>>,
    lost: Option<Py<PyAny>>,
}

/// Calls a method, if there is one.
macro_rules! tell {
    ($method:expr, $args:expr) => {
        match &$method {
            Some(method) => Ok(Python::attach(|py| method.call1(py, $args).map(drop))?),
            None => Ok(()),
        }
    };
}

impl ExternalScheduler for PythonScheduler {
    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Result<(), MachineError> {
        tell!(self.arrive, (flow, bytes, now.0))
    }

    fn next(&mut self, ready: &[u32], now: SimTime) -> Result<Answer, MachineError> {
        Python::attach(|py| {
            let given = self.next.bind(py).call1((PyList::new(py, ready)?, now.0))?;
            answer(&given)
        })
    }

    fn start(
        &mut self,
        flow: u32,
        bytes: u32,
        now: SimTime,
        end: SimTime,
    ) -> Result<(), MachineError> {
        tell!(self.start, (flow, bytes, now.0, end.0))
    }

    fn lost(&mut self, flow: u32, bytes: u32, which: Lost) -> Result<(), MachineError> {
        tell!(self.lost, (flow, bytes, which == Lost::Last))
    }
}

/// The number of a flow, `None`, or an `At`.
fn answer(given: &Bound<'_, PyAny>) -> Result<Answer, MachineError> {
    if given.is_none() {
        return Ok(Answer::Nothing);
    }
    if is_whole(given)
        && let Ok(flow) = given.extract()
    {
        return Ok(Answer::Flow(flow));
    }
    if let Some(time) = time_of(given)? {
        return Ok(Answer::At(time));
    }
    let text = format!(
        "it answered {}: answer a flow of `ready`, None, or At(time_ps)",
        given.repr().map_or_else(|_| "what has no repr".to_owned(), |text| text.to_string())
    );
    Err(Box::new(Refused(text)))
}

/// A whole number, which is no truth value.
fn is_whole(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PyInt>() && !given.is_instance_of::<PyBool>()
}

/// The instant of an `At`.
fn time_of(given: &Bound<'_, PyAny>) -> Result<Option<SimTime>, MachineError> {
    let at = given.py().import("hopflow.experimental")?.getattr("At")?;
    if !given.is_instance(&at)? {
        return Ok(None);
    }
    let time = given.getattr("time_ps")?;
    Ok(if is_whole(&time) { time.extract().ok().map(SimTime) } else { None })
}

/// The exception for a machine that failed: the one that it raised, with a note of where that was,
/// or a `MachineError`.
pub(crate) fn raised(fault: &MachineFault) -> PyErr {
    let MachineFault { role, machine, place, at, cause } = fault;
    Python::attach(|py| {
        if let Cause::Failed(error) = cause
            && let Some(error) = error.downcast_ref::<PyErr>()
        {
            let note = format!("in the external {role} `{machine}` at `{place}`, at {at}");
            let raised = error.clone_ref(py);
            return match raised.value(py).call_method1("add_note", (note,)) {
                Err(wrong) if !wrong.is_instance_of::<PyAttributeError>(py) => wrong,
                _ => raised,
            };
        }
        let args = (fault.to_string(), *role, machine, place, at.0);
        let made = py
            .import("hopflow.errors")
            .and_then(|errors| errors.getattr("MachineError")?.call1(args));
        made.map_or_else(|wrong| wrong, PyErr::from_value)
    })
}
