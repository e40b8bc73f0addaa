//! The clocks of a group whose members lag. Each has its own type, so that they cannot be confused.
//!
//! ```text
//! key = instant + lag of the member           instant = key - lag of the member           (1)
//! ```
//! | clock    | type        | meaning                                                   |
//! |----------|-------------|-----------------------------------------------------------|
//! | instant  | [`SimTime`] | when an event happens at a node                           |
//! | key      | [`Key`]     | its position among the windows of the group               |
//! | horizon  | [`Horizon`] | the instants between which members may be run at present  |
//!
//! Where no member lags, a key equals the instant, and the horizon limits no member.

use hopflow_units::{Picos, SimTime};

/// An instant at a member plus the lag of that member, in ps. Windows are spans of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

impl Key {
    /// Before every window.
    pub(super) const FIRST: Key = Key(0);
    /// Later than every window.
    pub(super) const NEVER: Key = Key(u64::MAX);

    /// The key of an instant at a member with this lag. Eq. (1).
    #[inline]
    pub(super) const fn new(at: SimTime, lag: Picos) -> Key {
        Key(at.0.saturating_add(lag.0))
    }

    /// The instant of this key at a member with this lag; the start of the run for earlier keys.
    /// Eq. (1).
    #[inline]
    pub(super) const fn instant(self, lag: Picos) -> SimTime {
        SimTime(self.0.saturating_sub(lag.0))
    }

    /// The key `span` later.
    #[inline]
    pub(super) const fn after(self, span: Picos) -> Key {
        Key(self.0.saturating_add(span.0))
    }
}

/// The instants between which members may be run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Horizon {
    /// Everything before this instant has been run, whatever the lag.
    pub(super) floor: SimTime,
    /// No member may pass this instant yet, whatever the lag. Not before the floor.
    pub(super) end: SimTime,
}

impl Horizon {
    /// The instant up to which a member with this lag is run in a window that ends at `end`.
    #[inline]
    pub(super) fn reach(self, end: Key, lag: Picos) -> SimTime {
        end.instant(lag).clamp(self.floor, self.end)
    }

    /// Whether an instant is not before the end of the horizon.
    #[inline]
    pub(super) fn hides(self, at: SimTime) -> bool {
        at >= self.end
    }
}
