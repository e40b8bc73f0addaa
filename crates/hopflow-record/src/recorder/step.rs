//! Builds a step series from changes: the last change at an instant counts, and an unchanged value
//! adds no point.

use hopflow_units::SimTime;

use crate::Point;

/// A step series that is being built.
pub(super) struct StepBuilder {
    points: Vec<Point>,
    /// The value of the last point.
    last: Option<u64>,
    /// The latest change, not yet a point; `None` before the first.
    time: SimTime,
    value: Option<u64>,
}

impl StepBuilder {
    /// A series with this value from instant 0 on.
    pub(super) fn new(value: u64) -> StepBuilder {
        StepBuilder { value: Some(value), ..StepBuilder::empty() }
    }

    /// A series without a value before its first change.
    pub(super) fn empty() -> StepBuilder {
        StepBuilder { points: Vec::new(), last: None, time: SimTime::ZERO, value: None }
    }

    /// The value changes at `time`, which never decreases.
    pub(super) fn set(&mut self, time: SimTime, value: u64) {
        if time != self.time {
            self.flush();
            self.time = time;
        }
        self.value = Some(value);
    }

    /// The points so far.
    pub(super) fn finish(mut self) -> Vec<Point> {
        self.flush();
        self.points
    }

    fn flush(&mut self) {
        if let Some(value) = self.value.filter(|_| self.last != self.value) {
            self.points.push(Point { time: self.time, value: value as f64 });
            self.last = self.value;
        }
    }
}
