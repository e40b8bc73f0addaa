//! Instants and spans of simulated time, in whole picoseconds.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A span of simulated time in picoseconds. Zero is allowed. `u64` holds 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Picos(pub u64);

impl Picos {
    /// Picoseconds in one second.
    pub const PER_SECOND: u64 = 1_000_000_000_000;
    /// No time at all.
    pub const ZERO: Picos = Picos(0);
    /// The longest representable span.
    pub const MAX: Picos = Picos(u64::MAX);

    /// A span of `picos` picoseconds.
    pub const fn from_ps(picos: u64) -> Picos {
        Picos(picos)
    }

    /// The span in picoseconds.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// A span of whole nanoseconds; `None` on overflow.
    pub const fn from_nanos(nanos: u64) -> Option<Picos> {
        scaled(nanos, 1_000)
    }

    /// A span of whole microseconds; `None` on overflow.
    pub const fn from_micros(micros: u64) -> Option<Picos> {
        scaled(micros, 1_000_000)
    }

    /// A span of whole milliseconds; `None` on overflow.
    pub const fn from_millis(millis: u64) -> Option<Picos> {
        scaled(millis, 1_000_000_000)
    }

    /// A span of whole seconds; `None` on overflow.
    pub const fn from_secs(secs: u64) -> Option<Picos> {
        scaled(secs, Picos::PER_SECOND)
    }

    /// The span in seconds, for display and for averages.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / Picos::PER_SECOND as f64
    }

    /// The sum, `None` on overflow.
    pub fn checked_add(self, other: Picos) -> Option<Picos> {
        self.0.checked_add(other.0).map(Picos)
    }

    /// `count` times this span, `None` on overflow.
    pub fn checked_mul(self, count: u64) -> Option<Picos> {
        self.0.checked_mul(count).map(Picos)
    }
}

const fn scaled(value: u64, picos: u64) -> Option<Picos> {
    match value.checked_mul(picos) {
        Some(span) => Some(Picos(span)),
        None => None,
    }
}

impl Add for Picos {
    type Output = Picos;
    fn add(self, other: Picos) -> Picos {
        Picos(self.0 + other.0)
    }
}

impl AddAssign for Picos {
    fn add_assign(&mut self, other: Picos) {
        self.0 += other.0;
    }
}

impl fmt::Display for Picos {
    /// The largest unit in which the value is at least one: `50 us`, `681.584 ns`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (Picos::PER_SECOND, "s"),
            (1_000_000_000, "ms"),
            (1_000_000, "us"),
            (1_000, "ns"),
            (1, "ps"),
        ];
        let (scale, unit) =
            UNITS.into_iter().find(|(scale, _)| self.0 >= *scale).unwrap_or((1, "ps"));
        let (whole, rest) = (self.0 / scale, self.0 % scale);
        if rest == 0 {
            return write!(f, "{whole} {unit}");
        }
        let width = scale.ilog10() as usize;
        let digits = format!("{rest:0width$}");
        write!(f, "{whole}.{} {unit}", digits.trim_end_matches('0'))
    }
}

/// An instant: picoseconds since the start of the run. The run covers `[0, duration)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(pub u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: SimTime = SimTime(0);
    /// Later than every event: "never".
    pub const NEVER: SimTime = SimTime(u64::MAX);

    /// The instant that is `picos` picoseconds after the start of the run.
    pub const fn from_ps(picos: u64) -> SimTime {
        SimTime(picos)
    }

    /// The picoseconds since the start of the run.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// The span since `earlier`. Panics when `earlier` is later: a bug in the caller.
    pub fn since(self, earlier: SimTime) -> Picos {
        assert!(self.0 >= earlier.0, "time ran backwards: {} after {}", self.0, earlier.0);
        Picos(self.0 - earlier.0)
    }

    /// This instant plus `span`; [`SimTime::NEVER`] on overflow.
    #[must_use]
    pub fn saturating_add(self, span: Picos) -> SimTime {
        SimTime(self.0.saturating_add(span.0))
    }
}

impl Add<Picos> for SimTime {
    type Output = SimTime;
    fn add(self, span: Picos) -> SimTime {
        SimTime(self.0 + span.0)
    }
}

impl Sub for SimTime {
    type Output = Picos;
    fn sub(self, earlier: SimTime) -> Picos {
        self.since(earlier)
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Picos(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a span is shown in its largest whole unit, without losing a picosecond.
    #[test]
    fn a_span_is_shown_exactly() {
        assert_eq!(Picos(50_000_000).to_string(), "50 us");
        assert_eq!(Picos(681_584).to_string(), "681.584 ns");
        assert_eq!(Picos(1).to_string(), "1 ps");
        assert_eq!(Picos(0).to_string(), "0 ps");
        assert_eq!(Picos(1_000_000_000_001).to_string(), "1.000000000001 s");
    }

    /// Claim: instants and spans are made of picoseconds, and give them back.
    #[test]
    fn picoseconds_come_back() {
        let instant = SimTime::from_ps(3_000_001);
        assert_eq!(instant.as_ps(), 3_000_001);
        assert_eq!(instant.since(SimTime::from_ps(1)), Picos::from_micros(3).expect("it fits"));
        assert_eq!(Picos::from_ps(2_000).as_ps(), 2_000);
        assert_eq!(Picos::from_ps(2_000).to_string(), "2 ns");
    }

    /// Claim: a span that does not fit 64 bits is refused, not wrapped.
    #[test]
    fn spans_past_the_range_are_refused() {
        assert_eq!(Picos::from_secs(u64::MAX / Picos::PER_SECOND + 1), None);
        assert_eq!(Picos::from_millis(3), Some(Picos(3_000_000_000)));
        assert_eq!(Picos::MAX.checked_add(Picos(1)), None);
    }
}
