//! CUP: credit by exact counters; a lost credit is healed by the next.

use hopflow_units::Cells;

use super::CreditValue;

/// The sending end of CUP.
#[derive(Clone, Copy, Debug)]
pub struct CupSender {
    allocation: Cells,
    sent_cells: u64,
    /// Cells sent and not yet known to be forwarded.
    outstanding: Cells,
}

impl CupSender {
    /// A sender with an allocation of so many cells.
    pub const fn new(allocation: Cells) -> CupSender {
        CupSender { allocation, sent_cells: 0, outstanding: Cells::ZERO }
    }

    /// Whether a cell may start.
    pub const fn may_send(&self) -> bool {
        self.outstanding.0 < self.allocation.0
    }

    /// Takes note of a start. Panics without credit.
    pub fn on_send(&mut self) {
        assert!(self.may_send(), "CUP sent a cell without credit");
        self.sent_cells += 1;
        self.outstanding += Cells::ONE;
    }

    /// Takes the receiver's running total of forwarded cells.
    pub fn on_credit(&mut self, forwarded: CreditValue) {
        self.outstanding = Cells(forwarded.behind(self.sent_cells));
    }

    /// allocation - (Tx - Fwd).
    pub const fn credit_count(&self) -> Cells {
        self.allocation.saturating_sub(self.outstanding)
    }
}
