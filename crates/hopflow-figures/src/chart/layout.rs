//! The positions of the parts of a figure in its picture.

use super::axis::{Ticks, ticks};
use super::path::tenths;
use super::{Figure, Line, Ranges, Side};

/// Width of a picture, in its units (CSS pixels at full size).
pub const WIDTH: u32 = 1080;
/// Height of a picture, in the same units.
pub const HEIGHT: u32 = 320;

pub(super) const TOP: u32 = 28;
pub(super) const BOTTOM: u32 = 44;
/// Width of a digit at an axis, in units.
const DIGIT: f64 = 7.0;
/// The most steps of a vertical axis.
const STEPS: usize = 6;
/// The least units of each step of the horizontal axis.
pub(super) const STEP_EVERY: u32 = 110;

/// The positions of the parts of a figure.
pub(crate) struct Layout {
    /// Left edge, top edge, width and height of the area of the lines, in units.
    pub(crate) plot: [u32; 4],
    pub(crate) ranges: Ranges,
    pub(super) left: Ticks,
    pub(super) right: Option<Ticks>,
}

impl Layout {
    pub(crate) fn of(figure: &Figure) -> Layout {
        let ranges = figure.ranges();
        let left = ticks(ranges.y, STEPS);
        let right = ranges.y_right.map(|range| ticks(range, STEPS));
        let room = |ticks: &Ticks| {
            let longest = ticks.texts().map(|text| text.chars().count()).max().unwrap_or(0);
            (DIGIT * longest as f64).ceil() as u32 + 14
        };
        let (from, to) = (room(&left).max(36), right.as_ref().map_or(16, room));
        let plot = [from, TOP, WIDTH - from - to, HEIGHT - TOP - BOTTOM];
        Layout { plot, ranges, left, right }
    }

    /// The horizontal position of `x`, in tenths of a unit.
    pub(super) fn across(&self, x: f64) -> i32 {
        let (low, high) = self.ranges.x;
        tenths(f64::from(self.plot[0]) + f64::from(self.plot[2]) * (x - low) / (high - low))
    }

    /// The position of `y` on an axis, in tenths of a unit from the top.
    pub(super) fn down(&self, y: f64, (low, high): (f64, f64)) -> i32 {
        let [_, top, _, height] = self.plot.map(f64::from);
        tenths(top + height * (high - y) / (high - low))
    }

    /// The vertical axis of a line.
    pub(super) fn axis_of(&self, line: &Line) -> (f64, f64) {
        self.ranges.y_right.filter(|_| line.axis == Side::Right).unwrap_or(self.ranges.y)
    }
}
