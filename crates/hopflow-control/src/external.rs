//! External machines: algorithms from outside hopflow, behind a trait object.
//!
//! Experimental: the traits may change in any version. Each role whose machines may be external has
//! its own trait ([`crate::scheduler::ExternalScheduler`]), and one variant of its enum, which no
//! built-in machine reaches. The variant keeps the machine in a [`Held`], which calls it. The
//! following holds for all of them:
//!
//! ```text
//! a machine gets instants and sizes as arguments, and answers           it has no clock
//! calls come in the order of docs/models/order.md                       in both engines alike
//! the same arguments must give the same answers                         no draws of its own
//! an error, a panic, an answer outside the contract  ->  a Fault; it is never called again
//! ```
//! After a fault the run continues without the machine until its holder checks, and has no result.
//! The fault that is reported does not depend on the engine, its threads or the calls that advance
//! the run: the earliest instant decides, then the place.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hopflow_units::SimTime;
use thiserror::Error;

/// The error that an external machine returns.
pub type MachineError = Box<dyn std::error::Error + Send + Sync>;

/// Why a run with an external machine has no result.
#[derive(Clone, Debug, Error)]
#[error("the external {role} `{machine}` at `{place}`, at {at}: {cause}")]
pub struct Fault {
    /// The role of the machine, such as `scheduler`.
    pub role: &'static str,
    /// The name of the machine.
    pub machine: String,
    /// Where it is used: `FROM->TO`, or the name of a VC.
    pub place: String,
    /// The last instant that it was given.
    pub at: SimTime,
    /// What it did.
    pub cause: Cause,
}

/// What an external machine did.
#[derive(Clone, Debug, Error)]
pub enum Cause {
    /// It returned an error, whose type its author knows.
    #[error("it failed: {0}")]
    Failed(Arc<dyn std::error::Error + Send + Sync>),
    /// It panicked with this message.
    #[error("it panicked: {0}")]
    Panicked(String),
    /// Its answer is outside the contract: the answer, and what is allowed.
    #[error("{0}")]
    Answered(String),
}

/// The error of a machine whose answer cannot even be passed to the engine; it is reported as
/// [`Cause::Answered`].
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// An external machine at the place where it is used, until it fails.
pub struct Held<M: ?Sized> {
    machine: Option<Box<M>>,
    role: &'static str,
    name: String,
    place: String,
    fault: Option<Fault>,
}

impl<M: ?Sized> Held<M> {
    /// The machine `name` of a role, used at `place` from `start` on. `made` is the machine, or why
    /// it could not be made.
    pub fn new(
        role: &'static str,
        name: &str,
        place: String,
        start: SimTime,
        made: Result<Box<M>, Cause>,
    ) -> Held<M> {
        let mut held = Held { machine: None, role, name: name.to_owned(), place, fault: None };
        match made {
            Ok(machine) => held.machine = Some(machine),
            Err(cause) => held.fail(start, cause),
        }
        held
    }

    /// Calls the machine. `None`: it failed now or before, or was dismissed. An answer outside of
    /// the contract is the error [`Refused`].
    pub fn ask<T>(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut M) -> Result<T, MachineError>,
    ) -> Option<T> {
        let machine = self.machine.as_mut()?;
        guarded(|| call(machine)).map_err(|cause| self.fail(now, cause)).ok()
    }

    /// Whether it may be called.
    pub fn is_there(&self) -> bool {
        self.machine.is_some()
    }

    /// Ends it without a fault.
    pub fn dismiss(&mut self) {
        self.machine = None;
    }

    /// Why it is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    fn fail(&mut self, at: SimTime, cause: Cause) {
        let (machine, place) = (self.name.clone(), self.place.clone());
        self.machine = None;
        self.fault = Some(Fault { role: self.role, machine, place, at, cause });
    }
}

impl<M: ?Sized> fmt::Debug for Held<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at {}", self.role, self.name, self.place)
    }
}

/// The error of an answer outside of the contract, if it is.
pub fn refuse(is_wrong: bool, text: impl FnOnce() -> String) -> Result<(), MachineError> {
    if is_wrong { Err(Box::new(Refused(text()))) } else { Ok(()) }
}

impl Fault {
    /// The one of all faults of a run that is reported.
    pub fn first_of<'f>(faults: impl Iterator<Item = &'f Fault>) -> Option<Fault> {
        faults.min_by_key(|fault| (fault.at, fault.role, &fault.place)).cloned()
    }
}

impl PartialEq for Fault {
    fn eq(&self, other: &Fault) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Fault {}

/// The result of calling a machine, or the cause of its failure. Panics are caught here.
pub fn guarded<T>(call: impl FnOnce() -> Result<T, MachineError>) -> Result<T, Cause> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(given)) => Ok(given),
        Ok(Err(error)) => match error.downcast::<Refused>() {
            Ok(refused) => Err(Cause::Answered(refused.0)),
            Err(error) => Err(Cause::Failed(error.into())),
        },
        Err(panic) => Err(Cause::Panicked(said(&*panic))),
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "nothing".to_owned())
}
