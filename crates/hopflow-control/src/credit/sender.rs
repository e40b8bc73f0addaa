//! The sending end of any credit scheme: may this VC start a packet now?
//!
//! ```text
//!            permission: Now, At(t), Blocked          Now:     a cell may start at once
//! on_send   ------------.                             At(t):   not before t, without an event
//! on_credit ------------+--> one of the schemes       Blocked: not before the next credit
//! ```
//! Permission changes only by `on_send`, by `on_credit`, and, for the schemes that depend on time
//! (N23 continuous, N123+), at the instant that `At` names. Windows treat acknowledgements as
//! credits. What packets count: `units.rs`. Not modelled: VCs that share one count. Checked by: the
//! tests of each scheme.

use hopflow_units::{Cells, SimTime};

use super::external::ExternalSender;
use super::machine::Machine;
use super::{CreditValue, ExternalCredit, Permission, Sender, of_each};
use crate::external::{Fault, Held};

impl Sender {
    /// The sending end of a scheme from outside hopflow, see [`ExternalSender::made`].
    pub fn external(machine: Held<dyn ExternalCredit>, promised: Cells) -> Sender {
        Sender::External(Box::new(ExternalSender::made(machine, promised)))
    }

    /// Why an external machine is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        if let Sender::External(sender) = self { sender.fault() } else { None }
    }

    /// Whether a cell may start, if this follows without `now`; otherwise ask
    /// [`Sender::permission`].
    #[inline]
    pub const fn is_free_to_send(&self) -> bool {
        match self {
            Sender::Free => true,
            Sender::N23(s) => s.credit_count.0 > 0,
            _ => false,
        }
    }

    /// Whether a cell may start at `now`.
    #[inline(never)]
    pub fn permission(&self, now: SimTime) -> Permission {
        of_each!(self, Permission::Now, s => s.permission(now))
    }

    /// Counts a packet of this size that started at `now`. Panics without permission: a bug in the
    /// caller.
    #[inline]
    pub fn on_send(&mut self, now: SimTime, bytes: u32) {
        match self {
            Sender::Free => {}
            Sender::N23(s) => s.on_send(now, Cells::ONE),
            _ => self.on_send_of_others(now, bytes),
        }
    }

    #[inline(never)]
    fn on_send_of_others(&mut self, now: SimTime, bytes: u32) {
        self.spend(now, self.units_of(bytes));
    }

    /// Counts a packet of this many units.
    pub(super) fn spend(&mut self, now: SimTime, units: Cells) {
        of_each!(self, (), s => s.on_send(now, units));
    }

    /// The units that a packet of this size takes; one where every packet is a unit.
    pub fn units_of(&self, bytes: u32) -> Cells {
        if let Sender::InUnits(of) = self { of.units.of(bytes) } else { Cells::ONE }
    }

    /// Units started, of a VC that has started this number of packets.
    pub fn sent_units(&self, packets: u64) -> u64 {
        if let Sender::InUnits(of) = self { of.sent() } else { packets }
    }

    /// Takes a credit (for a window, an acknowledgement) that arrived at `now`. `in_flight` is E,
    /// the units that started on this VC and link in `(now - R, now]`; only the schemes that need
    /// it read it.
    pub fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells) {
        of_each!(self, (), s => s.on_credit(now, value, in_flight));
    }

    /// Units that may still start on the current credit, as of `now`: the paper's Credit_Count.
    /// `Cells(u32::MAX)` without control.
    pub fn credit_count(&self, now: SimTime) -> Cells {
        of_each!(self, Cells(u32::MAX), s => s.credit_count(now))
    }
}
