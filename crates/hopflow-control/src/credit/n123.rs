//! N123: as N23, but the sender does not subtract E; a third zone N1 absorbs what is in flight.

use hopflow_units::Cells;

use super::CreditValue;

/// The sending end of N123.
#[derive(Clone, Copy, Debug)]
pub struct N123Sender {
    credit_count: Cells,
}

impl N123Sender {
    /// A sender with the initial credit N2 + N3.
    pub const fn new(initial: Cells) -> N123Sender {
        N123Sender { credit_count: initial }
    }

    /// Whether a cell may start.
    pub const fn may_send(&self) -> bool {
        self.credit_count.0 > 0
    }

    /// Spends one credit. Panics at zero.
    pub fn on_send(&mut self) {
        assert!(self.credit_count > Cells::ZERO, "N123 sent a cell without credit");
        self.credit_count -= Cells::ONE;
    }

    /// Sets the count to C.
    pub fn on_credit(&mut self, value: CreditValue) {
        self.credit_count = Cells(value.bits());
    }

    /// The credit count.
    pub const fn credit_count(&self) -> Cells {
        self.credit_count
    }
}
