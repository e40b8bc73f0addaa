//! A rate rule from outside hopflow. Experimental, see [`crate::external`].
//!
//! The port counts its cells; the machine receives the calls of an [`ExternalRateRule`]. Flows are
//! numbered 0, 1, ... at the port; `queue` has the meaning of the other rules:
//!
//! ```text
//! arrive(now, flow, queue)         a cell of a flow joined the queue, which counts it
//! arrive_other(now)                a cell of other traffic joined the port
//! forward(now, flow, rm, queue)    an FRM joined, after its `arrive`
//! backward(now, flow, rm, queue)   a BRM passes: ER may be lowered, CI and NI set
//! start(now, flow, queue)          a data cell starts: whether its EFCI is set
//! on_timer(now, queue)             the instant of `next_timer` has come
//! ```
//! `next_timer` is read when the machine is made, after `arrive` and after `on_timer`. It answers
//! an instant later than the present, or stays at one that `arrive` meets before `on_timer`:
//! anything else is a fault. So is a change of an RM cell that no switch may make: a raised ER, a
//! cleared CI or NI, any other field.
//!
//! Checked by: `hopflow-engine/tests/external/rate.rs`.

use hopflow_units::{CellRate, SimTime};
use serde::{Deserialize, Serialize};

use super::{Algorithm, Facts, RateMistake, RmCell, Rule, is_only_slower};
use crate::external::{Fault, Held, MachineError, refuse};

/// The rate rule of one port, from outside hopflow. What it does not implement does nothing.
#[allow(unused_variables, reason = "the names tell what the arguments are")]
pub trait ExternalRateRule: Send {
    /// A cell of a flow, data or FRM, joined the queue of the port, which counts it.
    fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) -> Result<(), MachineError> {
        Ok(())
    }

    /// A cell of other traffic joined the port.
    fn arrive_other(&mut self, now: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    /// An FRM joined the queue, after its [`ExternalRateRule::arrive`]. It may be marked.
    fn forward(
        &mut self,
        now: SimTime,
        flow: u32,
        rm: &mut RmCell,
        queue: u64,
    ) -> Result<(), MachineError> {
        Ok(())
    }

    /// A BRM of a flow passes. It may be marked.
    fn backward(
        &mut self,
        now: SimTime,
        flow: u32,
        rm: &mut RmCell,
        queue: u64,
    ) -> Result<(), MachineError> {
        Ok(())
    }

    /// Whether the data cell that starts gets EFCI; the queue still counts it.
    fn start(&mut self, now: SimTime, flow: u32, queue: u64) -> Result<bool, MachineError> {
        Ok(false)
    }

    /// The instant of [`ExternalRateRule::next_timer`] has come.
    fn on_timer(&mut self, now: SimTime, queue: u64) -> Result<(), MachineError> {
        Ok(())
    }

    /// When [`ExternalRateRule::on_timer`] is due, later than now; an instant that was answered
    /// before and has come may stay until that call. `None`: never.
    fn next_timer(&self) -> Option<SimTime> {
        None
    }

    /// What the rule considers the fair rate, for traces and results.
    fn reading(&self) -> Option<CellRate> {
        None
    }
}

/// The place of the machine in the list of the network, which results do not have: they have its
/// name and version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalSpec {
    /// The index.
    #[serde(skip)]
    pub place: u16,
}

impl ExternalSpec {
    #[expect(clippy::unused_self, reason = "the list of rules asks each spec")]
    pub(super) const fn mistakes(self) -> Vec<RateMistake> {
        Vec::new()
    }
}

/// The machine of a port, and what it answered last.
#[derive(Debug)]
pub struct External {
    machine: Held<dyn ExternalRateRule>,
    next: Option<SimTime>,
    reading: Option<CellRate>,
}

impl External {
    /// The rule of an idle port, from the beginning of the run on.
    pub fn made(machine: Held<dyn ExternalRateRule>) -> External {
        let mut made = External { machine, next: None, reading: None };
        made.ask_timed(SimTime::ZERO, |_| Ok(()));
        made
    }

    /// Why the machine is no longer called.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }

    #[cold]
    #[inline(never)]
    fn ask<T>(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalRateRule) -> Result<T, MachineError>,
    ) -> Option<T> {
        let reading = &mut self.reading;
        self.machine.ask(now, |machine| {
            let answer = call(machine)?;
            *reading = machine.reading();
            Ok(answer)
        })
    }

    /// Calls the machine, after which its timer may be another. A cell may join at the very instant
    /// of the timer, which expires after that.
    #[cold]
    #[inline(never)]
    fn ask_timed(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalRateRule) -> Result<(), MachineError>,
    ) {
        let pending = self.next.take();
        let next = self.ask(now, |machine| {
            call(machine)?;
            let next = machine.next_timer();
            if let Some(at) = next.filter(|_| next != pending) {
                refuse(at <= now, || {
                    format!("its timer is due at {at}, but it is {now}: answer a later instant")
                })?;
            }
            Ok(next)
        });
        self.next = next.flatten();
    }

    /// Lets the machine mark an RM cell, which stays as it is if the machine fails.
    #[cold]
    #[inline(never)]
    fn mark(
        &mut self,
        now: SimTime,
        rm: &mut RmCell,
        call: impl FnOnce(&mut dyn ExternalRateRule, &mut RmCell) -> Result<(), MachineError>,
    ) {
        let before = *rm;
        let marked = self.ask(now, |machine| {
            let mut after = before;
            call(machine, &mut after)?;
            refuse(!is_only_slower(&before, &after), || {
                format!("it changed {before:?} to {after:?}: only lower ER, set CI or set NI")
            })?;
            Ok(after)
        });
        *rm = marked.unwrap_or(before);
    }
}

impl Rule for External {
    type Spec = ExternalSpec;
    /// It may lower ER, so results have ER; nothing is known of shares and times.
    const FACTS: Facts = Facts { sets_er: true, ..Facts::new("external") };

    /// Panics: the network makes external machines, see [`External::made`].
    fn new(_spec: ExternalSpec, _link: CellRate, _flows: u32) -> External {
        panic!("the network makes external machines")
    }
}

impl Algorithm for External {
    fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) {
        self.ask_timed(now, |machine| machine.arrive(now, flow, queue));
    }

    fn arrive_other(&mut self, now: SimTime) {
        self.ask(now, |machine| machine.arrive_other(now));
    }

    fn forward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        self.mark(now, rm, |machine, rm| machine.forward(now, flow, rm, queue));
    }

    fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        self.mark(now, rm, |machine, rm| machine.backward(now, flow, rm, queue));
    }

    fn start(&mut self, now: SimTime, flow: u32, queue: u64) -> bool {
        self.ask(now, |machine| machine.start(now, flow, queue)).unwrap_or(false)
    }

    fn next_timer(&self) -> Option<SimTime> {
        self.next
    }

    fn on_timer(&mut self, now: SimTime, queue: u64) {
        self.next = None;
        self.ask_timed(now, |machine| machine.on_timer(now, queue));
    }

    fn reading(&self) -> Option<CellRate> {
        self.reading
    }
}
