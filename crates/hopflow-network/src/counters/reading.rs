//! How two readings of a counter are combined. For `most`, `least`, `first` and `all`, the later
//! reading covers only the time after the warm-up (`Engine::restart_statistics`).
//!
//! | kind    | what it is                           | measured            | whole run         |
//! |---------|--------------------------------------|---------------------|-------------------|
//! | `count` | a count, a span, an integral         | after less before   | after             |
//! | `now`   | the state at the reading             | after               | after             |
//! | `most`  | a greatest value, a last instant     | after               | the greater       |
//! | `least` | a least value, if there is any       | after               | the lesser        |
//! | `first` | a first instant                      | after               | before, or after  |
//! | `all`   | a distribution                       | after               | both together     |
//! | `each`  | counters with a list of their own    | line by line        | line by line      |

use hopflow_units::Picos;

use crate::delay::DelayHistogram;
use crate::lengths::QueueLengths;

/// The part of a run that two readings describe, one at the end of the warm-up and one later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The part after the warm-up.
    Measured,
    /// The whole run.
    Whole,
}

/// Counters that can be combined from two readings.
pub trait Combined: Sized {
    /// The counters of `part` of a run, from its two readings. Panics if they are of different
    /// networks, or out of order.
    #[must_use]
    fn combined(before: &Self, after: &Self, part: Part) -> Self;
}

/// The kinds of counters.
pub(crate) mod kind {
    use super::{Combined, Minus, Part, Together};

    pub(crate) fn count<T: Minus>(before: &T, after: &T, part: Part) -> T {
        match part {
            Part::Measured => after.minus(before),
            Part::Whole => *after,
        }
    }

    pub(crate) fn now<T: Clone>(_: &T, after: &T, _: Part) -> T {
        after.clone()
    }

    pub(crate) fn most<T: Copy + Ord>(before: &T, after: &T, part: Part) -> T {
        match part {
            Part::Measured => *after,
            Part::Whole => *before.max(after),
        }
    }

    #[expect(clippy::ref_option, reason = "all kinds take references")]
    pub(crate) fn least<T: Copy + Ord>(
        before: &Option<T>,
        after: &Option<T>,
        part: Part,
    ) -> Option<T> {
        match part {
            Part::Measured => *after,
            Part::Whole => [*before, *after].into_iter().flatten().min(),
        }
    }

    pub(crate) fn all<T: Together>(before: &T, after: &T, part: Part) -> T {
        match part {
            Part::Measured => after.clone(),
            Part::Whole => before.together(after),
        }
    }

    #[expect(clippy::ref_option, reason = "all kinds take references")]
    pub(crate) fn first<T: Copy>(before: &Option<T>, after: &Option<T>, part: Part) -> Option<T> {
        match part {
            Part::Measured => *after,
            Part::Whole => before.or(*after),
        }
    }

    pub(crate) fn each<T: Combined>(before: &T, after: &T, part: Part) -> T {
        T::combined(before, after, part)
    }
}

/// Counters that can be subtracted.
pub(crate) trait Minus: Copy {
    fn minus(&self, before: &Self) -> Self;
}

impl Minus for u64 {
    fn minus(&self, before: &u64) -> u64 {
        self - before
    }
}

impl Minus for u128 {
    fn minus(&self, before: &u128) -> u128 {
        self - before
    }
}

impl Minus for Picos {
    fn minus(&self, before: &Picos) -> Picos {
        Picos(self.0 - before.0)
    }
}

/// A distribution that can be merged from two parts of a run.
pub(crate) trait Together: Clone {
    fn together(&self, after: &Self) -> Self;
}

impl Together for DelayHistogram {
    fn together(&self, after: &DelayHistogram) -> DelayHistogram {
        let mut both = self.clone();
        both.merge(after);
        both
    }
}

impl Together for QueueLengths {
    fn together(&self, after: &QueueLengths) -> QueueLengths {
        let mut both = after.clone();
        both.merge(self);
        both
    }
}

impl<T: Together> Together for Option<T> {
    fn together(&self, after: &Option<T>) -> Option<T> {
        match (self, after) {
            (Some(before), Some(after)) => Some(before.together(after)),
            (one, other) => one.clone().or_else(|| other.clone()),
        }
    }
}

impl<T: Combined> Combined for Option<T> {
    fn combined(before: &Option<T>, after: &Option<T>, part: Part) -> Option<T> {
        before.as_ref().zip(after.as_ref()).map(|(before, after)| T::combined(before, after, part))
    }
}

impl<T: Combined> Combined for Vec<T> {
    fn combined(before: &Vec<T>, after: &Vec<T>, part: Part) -> Vec<T> {
        combined(before, after, part)
    }
}

/// The counters of `part` of a run, one by one. Panics if they are of different networks.
#[must_use]
pub fn combined<T: Combined>(before: &[T], after: &[T], part: Part) -> Vec<T> {
    assert_eq!(before.len(), after.len(), "counters of another network");
    before.iter().zip(after).map(|(before, after)| T::combined(before, after, part)).collect()
}
