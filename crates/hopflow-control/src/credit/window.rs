//! End-to-end sliding window: at most W cells unacknowledged between source and final host.
//!
//! ```text
//! usable = W - (Tx - Ack)                                                        (1)
//! ```
//! | symbol           | meaning                                               | unit  |
//! |------------------|-------------------------------------------------------|-------|
//! | W, `window`      | the window                                            | cells |
//! | Tx, `sent_cells` | cells the source has started                          | cells |
//! | Ack              | the next cell expected, from the last acknowledgement | cells |
//! | usable, `credit_count` | cells that may still start                      | cells |
//!
//! An acknowledgement is cumulative: it covers every cell before its number, so the next one
//! repairs the loss of earlier ones. An older one changes nothing. Numbers travel modulo 2^28 and
//! are compared in serial arithmetic [RFC1982], exact while W is below 2^27.
//!
//! The law is that of CUP (`cup.rs`), but over the whole path: any buffer on the path may hold all
//! W cells, and the loop includes all queueing delay. The rate of a window is in `window/law.rs`.
//!
//! Source: the sliding window of [RFC793], with a fixed W. Differs: counts cells, not bytes. Not
//! modelled: retransmission. Cells lost at the end of a burst hold their part of the window for
//! ever, and when the last acknowledgement that could arrive is lost, the VC stalls. Checked by:
//! `window/tests.rs`, `docs/models/window.md`.

mod law;

use hopflow_units::{Cells, SimTime};

use super::CreditValue;
use super::machine::Machine;

pub use law::{WindowLoop, WindowUpdate};

/// The sending end of an end-to-end window.
#[derive(Clone, Copy, Debug)]
pub struct WindowSender {
    window: Cells,
    sent_cells: u64,
    /// Tx - Ack: cells sent and not yet acknowledged.
    outstanding: Cells,
}

impl WindowSender {
    /// A sender with a window of this number of cells, below 2^27 (asserted).
    pub const fn new(window: Cells) -> WindowSender {
        assert!(window.0 <= CreditValue::MAX_DISTANCE, "serial arithmetic needs less than 2^27");
        WindowSender { window, sent_cells: 0, outstanding: Cells::ZERO }
    }
}

impl Machine for WindowSender {
    fn on_send(&mut self, _now: SimTime, _units: Cells) {
        assert!(self.outstanding < self.window, "a cell left a full window");
        self.sent_cells += 1;
        self.outstanding += Cells::ONE;
    }

    /// Takes an acknowledgement of every cell before this number; an older one changes nothing. Eq.
    /// (1). Panics when it is ahead of the cells sent: a bug in the caller.
    fn on_credit(&mut self, _now: SimTime, next_expected: CreditValue, _in_flight: Cells) {
        let outstanding = next_expected.behind(self.sent_cells);
        assert!(
            outstanding <= CreditValue::MAX_DISTANCE,
            "a cell was acknowledged that was never sent"
        );
        let outstanding = Cells(outstanding);
        self.outstanding = self.outstanding.min(outstanding);
    }

    /// The usable window.
    fn credit_count(&self, _now: SimTime) -> Cells {
        self.window.saturating_sub(self.outstanding)
    }
}

#[cfg(test)]
mod tests;
