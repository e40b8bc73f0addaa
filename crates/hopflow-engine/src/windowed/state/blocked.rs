//! The time that a sender has been blocked: it holds a cell and may not start it.
//!
//! It is separate from the sender and created when the sender is first blocked: a VC without
//! control never is, and a cell that passes does not check it.
//!
//! Checked by: `tests/engines_agree.rs`.

use crate::windowed::wire::NEVER;

/// The blocked time of a sender. Instants and spans in ps.
#[derive(Debug)]
pub(crate) struct Blocked {
    /// The start of the present blocked span, `NEVER` when the sender is not blocked.
    since: u64,
    /// The last blocked span: from, to.
    last: (u64, u64),
    span: u64,
    count: u64,
    /// The instant for which an eligible timer was last armed.
    armed_for: u64,
}

impl Default for Blocked {
    fn default() -> Blocked {
        Blocked { since: NEVER, last: (NEVER, NEVER), span: 0, count: 0, armed_for: NEVER }
    }
}

impl Blocked {
    /// The sender becomes blocked at `now`. Its state at the end of an instant counts: one that was
    /// blocked until the same instant has been blocked all along. Returns whether the span is new.
    pub(crate) fn begin(&mut self, now: u64) -> bool {
        if self.last.1 != now {
            self.since = now;
            return true;
        }
        self.since = self.last.0;
        let span = now - self.since;
        self.span -= span;
        self.count -= u64::from(span > 0);
        false
    }

    /// The sender is no longer blocked.
    pub(crate) fn end(&mut self, now: u64) {
        let span = now - self.since;
        self.last = (self.since, now);
        self.since = NEVER;
        self.span += span;
        self.count += u64::from(span > 0);
    }

    /// Records that a timer is requested for `at`; returns whether that differs from the last
    /// instant.
    pub(crate) fn arm(&mut self, at: u64) -> bool {
        std::mem::replace(&mut self.armed_for, at) != at
    }

    /// Returns the total blocked time and the number of spans until `now`, and the start of the
    /// present span.
    pub(crate) fn read(&self, now: u64) -> (u64, u64, Option<u64>) {
        let since = (self.since != NEVER).then_some(self.since);
        let span = since.map_or(0, |since| now - since);
        (self.span + span, self.count + u64::from(span > 0), since)
    }
}
