//! End-to-end sliding window: at most W cells unacknowledged between source and final host.

use hopflow_units::Cells;

use super::CreditValue;

/// The sending end of an end-to-end window.
#[derive(Clone, Copy, Debug)]
pub struct WindowSender {
    window: Cells,
    sent_cells: u64,
    outstanding: Cells,
}

impl WindowSender {
    /// A sender with a window of so many cells.
    pub const fn new(window: Cells) -> WindowSender {
        WindowSender { window, sent_cells: 0, outstanding: Cells::ZERO }
    }

    /// Whether a cell may start.
    pub const fn may_send(&self) -> bool {
        self.outstanding.0 < self.window.0
    }

    /// Takes note of a start. Panics with a full window.
    pub fn on_send(&mut self) {
        assert!(self.may_send(), "a cell left a full window");
        self.sent_cells += 1;
        self.outstanding += Cells::ONE;
    }

    /// Takes an acknowledgement of every cell before this number; an older one changes nothing.
    pub fn on_ack(&mut self, next_expected: CreditValue) {
        let outstanding = Cells(next_expected.behind(self.sent_cells));
        self.outstanding = self.outstanding.min(outstanding);
    }

    /// W - (sent - acknowledged).
    pub const fn credit_count(&self) -> Cells {
        self.window.saturating_sub(self.outstanding)
    }
}
