//! The clocks of a group whose members lag, each with its type, so that none is taken for another.
//!
//! ```text
//! key = instant + lag of the member           instant = key - lag of the member           (1)
//! ```
//! | clock    | type        | what it tells                                             |
//! |----------|-------------|-----------------------------------------------------------|
//! | instant  | [`SimTime`] | when something happens at a node                          |
//! | key      | [`Key`]     | where that lies among the windows of the group            |
//! | horizon  | [`Horizon`] | the instants between which members may be run at present  |
//!
//! Where no member lags, a key is the instant itself, and the horizon holds nobody back.

use hopflow_units::{Picos, SimTime};

/// An instant at a member plus the lag of that member, in ps. Windows are spans of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

impl Key {
    /// Before every window.
    pub(super) const FIRST: Key = Key(0);
    /// Later than every window.
    pub(super) const NEVER: Key = Key(u64::MAX);

    /// The key of an instant at a member that lags so far. Eq. (1).
    #[inline]
    pub(super) const fn new(at: SimTime, lag: Picos) -> Key {
        Key(at.0.saturating_add(lag.0))
    }

    /// The instant that it is at a member that lags so far; the start of the run for all before.
    /// Eq. (1).
    #[inline]
    pub(super) const fn instant(self, lag: Picos) -> SimTime {
        SimTime(self.0.saturating_sub(lag.0))
    }

    /// So much later.
    #[inline]
    pub(super) const fn after(self, span: Picos) -> Key {
        Key(self.0.saturating_add(span.0))
    }
}

/// Between which instants members may be run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Horizon {
    /// Everything before it has been run, whatever the lag.
    pub(super) floor: SimTime,
    /// Not to be passed yet, whatever the lag. Not before the floor.
    pub(super) end: SimTime,
}

impl Horizon {
    /// Up to where a member that lags so far is run in a window that ends at `end`.
    #[inline]
    pub(super) fn reach(self, end: Key, lag: Picos) -> SimTime {
        end.instant(lag).clamp(self.floor, self.end)
    }

    /// Whether an instant lies behind it.
    #[inline]
    pub(super) fn hides(self, at: SimTime) -> bool {
        at >= self.end
    }
}
