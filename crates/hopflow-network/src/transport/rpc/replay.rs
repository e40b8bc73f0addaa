//! A client that makes recorded calls.
//!
//! ```text
//! call n is made at the later of: start + x_n, and the first instant             (1)
//! at which fewer than W calls are outstanding
//! ```
//! | symbol | meaning                                              | unit  |
//! |--------|------------------------------------------------------|-------|
//! | x_n    | recorded instant of call n, not before that of n - 1 | ps    |
//! | W      | most calls outstanding                               | calls |
//!
//! An open loop, except for W: replies that arrive later than in the record do not hold back the
//! calls after them. Differs: nothing. Not modelled: which call waited for which reply. Checked by:
//! `rpc/tests/replays.rs`.

use std::sync::Arc;

use hopflow_units::SimTime;

use super::message::Request;
use super::{RecordedCall, ReplaySpec};

/// The calls of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Replay {
    /// Shared, so that a copy of the client does not copy the record.
    calls: Arc<[RecordedCall]>,
    start: SimTime,
    next: usize,
    outstanding: u32,
    most: u32,
}

impl Replay {
    /// The state before the first call. Instants of the record do not decrease (asserted).
    pub(super) fn new(spec: &ReplaySpec, start: SimTime) -> Replay {
        assert!(spec.calls.is_sorted_by_key(|call| call.at), "a record does not run backwards");
        let is_in_range = |call: &RecordedCall| call.data <= 8_192;
        assert!(spec.calls.iter().all(is_in_range), "a call moves at most 8,192 bytes");
        assert!(spec.outstanding >= 1, "a client has at least one call outstanding");
        let calls = spec.calls.as_slice().into();
        Replay { calls, start, next: 0, outstanding: 0, most: spec.outstanding }
    }

    /// When it must be called; `None` while it waits for a reply or is at its end.
    pub(super) fn due(&self) -> Option<SimTime> {
        let call = self.calls.get(self.next).filter(|_| self.outstanding < self.most)?;
        Some(self.start.saturating_add(call.at))
    }

    /// The call to make now, if any.
    pub(super) fn take(&mut self, now: SimTime) -> Option<Request> {
        self.due().filter(|due| *due <= now)?;
        let RecordedCall { procedure, data, .. } = self.calls[self.next];
        self.next += 1;
        self.outstanding += 1;
        Some(Request { procedure, data })
    }

    /// One of its calls was answered.
    pub(super) fn answered(&mut self) {
        self.outstanding -= 1;
    }
}
