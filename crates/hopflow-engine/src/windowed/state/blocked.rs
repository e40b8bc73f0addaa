//! How long a sender has been blocked: it holds a cell and may not start it.
//!
//! Kept apart from the sender and made when it is first blocked: a VC without control never is,
//! and a cell that passes does not ask.
//!
//! Checked by: `tests/engines_agree.rs`.

use crate::windowed::wire::NEVER;

/// When a sender was blocked. Instants and spans in ps.
#[derive(Debug)]
pub(crate) struct Blocked {
    /// Since when it is blocked, `NEVER` when it is not.
    since: u64,
    /// The last time that it was blocked: from, to.
    last: (u64, u64),
    span: u64,
    count: u64,
    /// For which instant an eligible timer was last armed.
    armed_for: u64,
}

impl Default for Blocked {
    fn default() -> Blocked {
        Blocked { since: NEVER, last: (NEVER, NEVER), span: 0, count: 0, armed_for: NEVER }
    }
}

impl Blocked {
    /// Becomes blocked at `now`. Whether it is blocked counts at the end of an instant: one that
    /// was blocked until this very instant has been so all along. Returns whether it is new.
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

    /// Is not blocked any more.
    pub(crate) fn end(&mut self, now: u64) {
        let span = now - self.since;
        self.last = (self.since, now);
        self.since = NEVER;
        self.span += span;
        self.count += u64::from(span > 0);
    }

    /// Takes note that a timer is wanted for `at`; returns whether that is another instant than
    /// the last.
    pub(crate) fn arm(&mut self, at: u64) -> bool {
        std::mem::replace(&mut self.armed_for, at) != at
    }

    /// For how long and how often it was blocked until `now`, and since when it is.
    pub(crate) fn read(&self, now: u64) -> (u64, u64, Option<u64>) {
        let since = (self.since != NEVER).then_some(self.since);
        let span = since.map_or(0, |since| now - since);
        (self.span + span, self.count + u64::from(span > 0), since)
    }
}
