//! The sending end of any credit scheme: may this VC start a cell now?
//!
//! ```text
//!            permission: Now, At(t), Blocked          Now:     a cell may start at once
//! on_send   ------------.                             At(t):   not before t, if nothing comes
//! on_credit ------------+--> one of the schemes       Blocked: not before the next credit
//! ```
//! Permission only changes by `on_send`, by `on_credit`, and for the schemes that look at the
//! clock (N23 continuous, N123+) at the instant that `At` names. Windows take acknowledgements
//! as credits. Not modelled: VCs that share one count. Checked by: the tests of each scheme.

use hopflow_units::{Cells, SimTime};

use super::{
    AdaptiveSender, AdditiveSender, CreditValue, CupSender, N23ContinuousSender, N23Sender,
    N123PlusSender, N123Sender, Permission, WindowSender,
};

/// The sending end of one VC on one link.
#[derive(Clone, Debug)]
pub enum Sender {
    /// No control: always allowed.
    Free,
    /// N23 with E taken when a credit arrives.
    N23(N23Sender),
    /// N23 with E taken at every instant.
    N23Continuous(Box<N23ContinuousSender>),
    /// N123.
    N123(N123Sender),
    /// N123+.
    N123Plus(Box<N123PlusSender>),
    /// Exact counters.
    Cup(CupSender),
    /// Additive credit.
    Additive(AdditiveSender),
    /// Adaptive credit.
    Adaptive(AdaptiveSender),
    /// End-to-end sliding window.
    Window(WindowSender),
}

impl Sender {
    /// Whether a cell may start, where that is plain to see; if not, [`Sender::permission`] tells.
    #[inline]
    pub const fn is_free_to_send(&self) -> bool {
        match self {
            Sender::Free => true,
            Sender::N23(s) => s.may_send(),
            _ => false,
        }
    }

    /// Whether a cell may start at `now`.
    #[inline(never)]
    pub fn permission(&self, now: SimTime) -> Permission {
        match self {
            Sender::Free => Permission::Now,
            Sender::N23(s) => when(s.may_send()),
            Sender::N23Continuous(s) => s.permission(now),
            Sender::N123(s) => when(s.may_send()),
            Sender::N123Plus(s) => s.permission(now),
            Sender::Cup(s) => when(s.may_send()),
            Sender::Additive(s) => when(s.may_send()),
            Sender::Adaptive(s) => when(s.may_send()),
            Sender::Window(s) => when(s.may_send()),
        }
    }

    /// Takes note that a cell started at `now`. Panics without permission: a broken caller.
    #[inline]
    pub fn on_send(&mut self, now: SimTime) {
        match self {
            Sender::Free => {}
            Sender::N23(s) => s.on_send(),
            _ => self.on_send_of_others(now),
        }
    }

    #[inline(never)]
    fn on_send_of_others(&mut self, now: SimTime) {
        match self {
            Sender::Free => {}
            Sender::N23(s) => s.on_send(),
            Sender::N23Continuous(s) => s.on_send(now),
            Sender::N123(s) => s.on_send(),
            Sender::N123Plus(s) => s.on_send(now),
            Sender::Cup(s) => s.on_send(),
            Sender::Additive(s) => s.on_send(),
            Sender::Adaptive(s) => s.on_send(),
            Sender::Window(s) => s.on_send(),
        }
    }

    /// Takes a credit (for a window, an acknowledgement) that arrived at `now`. `in_flight` is
    /// E, the cells that started on this VC and link in `(now - R, now]`; only N23 looks at it.
    pub fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells) {
        match self {
            Sender::Free => {}
            Sender::N23(s) => s.on_credit(value, in_flight),
            Sender::N23Continuous(s) => s.on_credit(now, value),
            Sender::N123(s) => s.on_credit(value),
            Sender::N123Plus(s) => s.on_credit(value),
            Sender::Cup(s) => s.on_credit(value),
            Sender::Additive(s) => s.on_credit(value),
            Sender::Adaptive(s) => s.on_credit(value),
            Sender::Window(s) => s.on_ack(value),
        }
    }

    /// Cells that may still start on the credit at hand, as seen at `now`: the paper's
    /// Credit_Count. `Cells(u32::MAX)` without control.
    pub fn credit_count(&self, now: SimTime) -> Cells {
        match self {
            Sender::Free => Cells(u32::MAX),
            Sender::N23(s) => s.credit_count(),
            Sender::N23Continuous(s) => s.credit_count(now),
            Sender::N123(s) => s.credit_count(),
            Sender::N123Plus(s) => s.credit_count(),
            Sender::Cup(s) => s.credit_count(),
            Sender::Additive(s) => s.credit_count(),
            Sender::Adaptive(s) => s.credit_count(),
            Sender::Window(s) => s.credit_count(),
        }
    }

    /// Whether E must be kept for this sender.
    pub const fn needs_in_flight(&self) -> bool {
        matches!(self, Sender::N23(_))
    }
}

fn when(allowed: bool) -> Permission {
    if allowed { Permission::Now } else { Permission::Blocked }
}
