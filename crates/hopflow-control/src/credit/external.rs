//! A credit scheme from outside hopflow. Experimental, see [`crate::external`].
//!
//! A hop of a VC has two machines, one at each [`End`]. Credit cells are all that passes between
//! them. Each is called about its own end only:
//!
//! ```text
//! sender    on_send(now)              a cell starts
//!           on_credit(now, value, E)  a credit cell arrives
//!           credit(), not_before()    read when the machine is made, and after each call
//! receiver  on_cell(now, held)        a cell arrives, or
//!           on_freed(now, held)       leaves the buffer, or
//!           on_request(now, held)     a credit is requested: whether one falls due
//!           value(now, held)          a credit cell starts: its value, `None` if it is left out
//! ```
//! | symbol | meaning                                                             | unit  |
//! |--------|---------------------------------------------------------------------|-------|
//! | E      | cells that the VC has started in (now - R, now] on the link         | cells |
//! | held   | cells of the VC in the buffer, after the arrival or departure       | cells |
//!
//! A cell may start at t if `credit() > 0` and `t >= not_before()`. A VC has at most one credit
//! waiting at a port; another that falls due meanwhile is merged with it, and its value is read
//! when it starts. A cell that the receiver drops arrives and leaves at once.
//!
//! The receiver promises room for N2 + N3 cells, so `credit()` above N2 + N3 is a fault, and so is
//! a value above [`CreditValue::MAX`]. Cells that come to a buffer with N2 + N3 are counted like
//! those of every other scheme: lost credits and an R that is too short are part of the model.
//!
//! Checked by: `hopflow-engine/tests/external/credit.rs`, `hopflow/tests/machines.rs`.
//!
//! Not modelled: a buffer that VCs share; credits of several VCs in one credit cell; control cells
//! other than credits; the number of started cells that a request carries.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Grant, Permission, Start};
use crate::external::{Fault, Held, MachineError, refuse};

/// An end of a hop of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The upstream end, where cells wait for credit.
    Sender,
    /// The downstream end, which grants credit.
    Receiver,
}

impl End {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            End::Sender => "sender",
            End::Receiver => "receiver",
        }
    }
}

/// One end of one VC on one link, from outside hopflow. One type serves both ends, so that a scheme
/// can be read in one place.
#[allow(unused_variables, reason = "the names tell what the arguments are")]
pub trait ExternalCredit: Send {
    /// Sender: the number of cells that may start on the present credit, at most N2 + N3.
    fn credit(&self) -> u32;

    /// Sender: no cell starts before this instant, even on credit.
    fn not_before(&self) -> SimTime {
        SimTime::ZERO
    }

    /// Sender: a cell starts.
    fn on_send(&mut self, now: SimTime) -> Result<(), MachineError>;

    /// Sender: a credit cell with this value arrives. `in_flight` is E.
    fn on_credit(&mut self, now: SimTime, value: u32, in_flight: u32) -> Result<(), MachineError>;

    /// Receiver: a cell arrives; `held` counts it. Whether a credit falls due.
    fn on_cell(&mut self, now: SimTime, held: u32) -> Result<bool, MachineError> {
        Ok(false)
    }

    /// Receiver: a cell leaves the buffer; `held` does not count it. Whether a credit falls due.
    fn on_freed(&mut self, now: SimTime, held: u32) -> Result<bool, MachineError>;

    /// Receiver: the sender requests a credit, or a redundant one is due (`request-after`,
    /// `redundant-every`). Whether one falls due.
    fn on_request(&mut self, now: SimTime, held: u32) -> Result<bool, MachineError> {
        Ok(true)
    }

    /// Receiver: a credit that fell due starts. Its value of 28 bits; `None`: it is left out.
    fn value(&mut self, now: SimTime, held: u32) -> Result<Option<u32>, MachineError>;
}

/// The sending end, and what its machine answered last.
#[derive(Debug)]
pub struct ExternalSender {
    machine: Held<dyn ExternalCredit>,
    promised: Cells,
    credit: Cells,
    not_before: SimTime,
}

impl ExternalSender {
    /// It takes E, and its permission may name an instant; nothing is known of overflows.
    pub(super) const FACTS: Facts = Facts {
        grant: Grant::External,
        needs_in_flight: true,
        names_instants: true,
        ..Facts::new("external")
    };

    /// Panics: the network makes external machines, see [`ExternalSender::made`].
    pub(super) fn new(_start: Start) -> ExternalSender {
        panic!("the network makes external machines")
    }

    /// A sender at the beginning of the run, whose receiver has promised room for this number of
    /// cells.
    pub fn made(machine: Held<dyn ExternalCredit>, promised: Cells) -> ExternalSender {
        let (credit, not_before) = (Cells::ZERO, SimTime::ZERO);
        let mut made = ExternalSender { machine, promised, credit, not_before };
        made.ask(SimTime::ZERO, |_| Ok(()));
        made
    }

    /// Why the machine is no longer called.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }

    /// Calls the machine and reads what follows. Without a machine nothing starts.
    #[cold]
    #[inline(never)]
    fn ask(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalCredit) -> Result<(), MachineError>,
    ) {
        let promised = self.promised;
        let answer = self.machine.ask(now, |machine| {
            call(machine)?;
            let credit = Cells(machine.credit());
            refuse(credit > promised, || {
                format!("its credit is {credit}, but the receiver has promised room for {promised}")
            })?;
            Ok((credit, machine.not_before()))
        });
        (self.credit, self.not_before) = answer.unwrap_or((Cells::ZERO, SimTime::ZERO));
    }
}

impl Machine for ExternalSender {
    fn permission(&self, now: SimTime) -> Permission {
        match self.credit {
            Cells::ZERO => Permission::Blocked,
            _ if now < self.not_before => Permission::At(self.not_before),
            _ => Permission::Now,
        }
    }

    fn on_send(&mut self, now: SimTime, _units: Cells) {
        self.ask(now, |machine| machine.on_send(now));
    }

    fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells) {
        self.ask(now, |machine| machine.on_credit(now, value.bits(), in_flight.0));
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.credit
    }
}

/// The receiving end, beside the [`super::Receiver`] that counts its cells.
#[derive(Debug)]
pub struct ExternalReceiver {
    machine: Held<dyn ExternalCredit>,
    promised: Cells,
    is_waiting: bool,
}

impl ExternalReceiver {
    /// A receiver with an empty buffer, which has promised room for this number of cells.
    pub const fn made(machine: Held<dyn ExternalCredit>, promised: Cells) -> ExternalReceiver {
        ExternalReceiver { machine, promised, is_waiting: false }
    }

    /// The cells for which it has promised room.
    pub const fn promised(&self) -> Cells {
        self.promised
    }

    /// A cell arrives and is one of `held`. Returns whether a credit must be queued.
    pub fn on_cell(&mut self, now: SimTime, held: Cells) -> bool {
        self.falls_due(now, |machine| machine.on_cell(now, held.0))
    }

    /// A cell leaves the buffer, after which these are held. Returns whether a credit must be
    /// queued.
    pub fn on_freed(&mut self, now: SimTime, held: Cells) -> bool {
        self.falls_due(now, |machine| machine.on_freed(now, held.0))
    }

    /// A credit is requested. Returns whether one must be queued.
    pub fn on_request(&mut self, now: SimTime, held: Cells) -> bool {
        self.falls_due(now, |machine| machine.on_request(now, held.0))
    }

    /// The value of the credit cell that starts now; `None` if it is left out.
    pub fn credit_value(&mut self, now: SimTime, held: Cells) -> Option<CreditValue> {
        self.is_waiting = false;
        let value = self.machine.ask(now, |machine| {
            let value = machine.value(now, held.0)?;
            let is_long = value.is_some_and(|value| value > CreditValue::MAX.bits());
            refuse(is_long, || {
                let most = CreditValue::MAX.bits();
                format!("its credit has the value {value:?}, but a credit cell has {most} at most")
            })?;
            Ok(value)
        });
        value.flatten().map(CreditValue::from_amount)
    }

    /// Why the machine is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }

    fn falls_due(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalCredit) -> Result<bool, MachineError>,
    ) -> bool {
        let is_due = self.machine.ask(now, |machine| call(machine)).unwrap_or(false);
        let is_new = is_due && !self.is_waiting;
        self.is_waiting |= is_due;
        is_new
    }
}
