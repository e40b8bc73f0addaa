//! External machines whose algorithm is a Python class. Experimental, see
//! `hopflow/experimental.py`.
//!
//! For each class Python passes a function that makes an instance from plain values and returns its
//! methods; methods that it does not have are `None` and are never called. A call holds the lock of
//! the interpreter until it returns. An exception passes through the engine unchanged.

use std::sync::Arc;

use hopflow::control::external::{Cause, Fault as MachineFault, MachineError, Refused};
use hopflow::control::scheduler::{Answer, ExternalScheduler, Lost};
use hopflow::network::traffic::ExternalSource;
use hopflow::network::{Machine, Make, PortFacts, SourceFacts};
use hopflow::units::SimTime;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList};

use crate::fault::make;

/// Calls a method, if there is one.
macro_rules! tell {
    ($method:expr, $args:expr) => {
        match &$method {
            Some(method) => Ok(Python::attach(|py| method.call1(py, $args).map(drop))?),
            None => Ok(()),
        }
    };
}

/// A class that Python registers: role, name, version, the digest of its source or an empty text,
/// and the function that makes an instance.
pub(crate) type Registered = (String, String, u64, String, Py<PyAny>);

/// The same in the types of the engine.
pub(crate) fn machines(given: Vec<Registered>) -> Vec<Machine> {
    let machine = |(role, name, version, digest, maker): Registered| {
        let make = match role.as_str() {
            "scheduler" => {
                Make::Scheduler(Arc::new(move |port: &PortFacts<'_>| scheduler(&maker, port)))
            }
            "source" => {
                Make::Source(Arc::new(move |facts: &SourceFacts<'_>| source(&maker, facts)))
            }
            role => panic!("there is no role {role}"),
        };
        Machine { name, version, source: digest, make }
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

fn source(
    maker: &Py<PyAny>,
    facts: &SourceFacts<'_>,
) -> Result<Box<dyn ExternalSource>, MachineError> {
    let (vc, rate, seed) = (facts.vc, facts.rate.bps(), facts.seed);
    let stop = vc.stop.map(|stop| stop.0);
    let facts = (vc.name.as_str(), vc.begins().0, stop, rate, vc.source_size().most().0, seed);
    let methods = Python::attach(|py| maker.call1(py, facts)?.extract(py));
    let (next, slow_down) = methods?;
    Ok(Box::new(PythonSource { next, slow_down }))
}

/// The methods of a source.
struct PythonSource {
    next: Py<PyAny>,
    slow_down: Option<Py<PyAny>>,
}

impl ExternalSource for PythonSource {
    fn next(&mut self, last: SimTime, bytes: u32) -> Result<Option<SimTime>, MachineError> {
        Python::attach(|py| {
            let given = self.next.bind(py).call1((last.0, bytes))?;
            if given.is_none() {
                return Ok(None);
            }
            if is_whole(&given)
                && let Ok(time) = given.extract()
            {
                return Ok(Some(SimTime(time)));
            }
            Err(refused(&given, "an instant in ps (int), or None"))
        })
    }

    fn slow_down(&mut self, now: SimTime) -> Result<(), MachineError> {
        tell!(self.slow_down, (now.0,))
    }
}

/// The methods of a scheduler.
struct PythonScheduler {
    arrive: Option<Py<PyAny>>,
    next: Py<PyAny>,
    start: Option<Py<PyAny>>,
    lost: Option<Py<PyAny>>,
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
    Err(refused(given, "a flow of `ready`, None, or At(time_ps)"))
}

/// An answer whose type or range is outside the contract.
fn refused(given: &Bound<'_, PyAny>, allowed: &str) -> MachineError {
    let shown = given.repr().map_or_else(|_| "what has no repr".to_owned(), |t| t.to_string());
    Box::new(Refused(format!("it answered {shown}: answer {allowed}")))
}

/// Whether it is a whole number and not a truth value.
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

/// The exception for a machine that failed: the one that it raised, with a note of the place, or a
/// `MachineError`.
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
        make(py, "MachineError", args).unwrap_or_else(|wrong| wrong)
    })
}
