//! Additive credit: each credit adds to the count; a lost credit leaks for ever.

use hopflow_units::Cells;

use super::CreditValue;

/// The sending end of additive credit.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveSender {
    credit_count: Cells,
}

impl AdditiveSender {
    /// A sender with the initial credit N2 + N3.
    pub const fn new(initial: Cells) -> AdditiveSender {
        AdditiveSender { credit_count: initial }
    }

    /// Whether a cell may start.
    pub const fn may_send(&self) -> bool {
        self.credit_count.0 > 0
    }

    /// Spends one credit. Panics at zero.
    pub fn on_send(&mut self) {
        assert!(self.credit_count > Cells::ZERO, "additive credit sent a cell without credit");
        self.credit_count -= Cells::ONE;
    }

    /// Adds the cells freed since the last credit.
    pub fn on_credit(&mut self, value: CreditValue) {
        self.credit_count += Cells(value.bits());
    }

    /// The credit count.
    pub const fn credit_count(&self) -> Cells {
        self.credit_count
    }
}
