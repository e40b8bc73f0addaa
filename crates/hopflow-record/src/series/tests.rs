//! Means and greatest values of series that are small enough to answer by eye.

use hopflow_units::{Picos, SimTime};

use super::{Point, Quantity, Series, Shape, Unit};

fn series(shape: Shape, end: u64, points: &[(u64, f64)]) -> Series {
    Series {
        name: "test".to_string(),
        quantity: Quantity::Queue,
        vc: None,
        node: None,
        link: None,
        unit: Unit::Packets,
        shape,
        rate_bps: None,
        end: SimTime(end),
        points: points.iter().map(|&(t, value)| Point { time: SimTime(t), value }).collect(),
    }
}

fn span(from: u64, to: u64) -> std::ops::Range<SimTime> {
    SimTime(from)..SimTime(to)
}

/// Claim: a step holds until the next, also over the borders of the requested span, and the mean
/// is over time: (1 x 5 + 4 x 10 + 2 x 5) / 20 = 2.75.
#[test]
fn steps_are_weighed_by_time() {
    let steps = series(Shape::Step, 100, &[(0, 1.0), (10, 4.0), (20, 2.0)]);
    assert_eq!(steps.mean(span(5, 25)), Some(2.75));
    assert_eq!((steps.max(span(12, 18)), steps.max(span(0, 10))), (Some(4.0), Some(1.0)));
    assert_eq!(steps.mean(span(20, 1_000)), Some(2.0), "the series ends at 100");
    assert_eq!((steps.mean(span(7, 7)), steps.max(span(100, 200))), (None, None));
}

/// Claim: the last window, cut by the end of the series, counts for its own length: 15 / 35.
#[test]
fn a_cut_window_counts_for_its_length() {
    let points = [(0, 0.0), (10, 1.0), (20, 0.5), (30, 0.0)];
    let windows = series(Shape::Window(Picos(10)), 35, &points);
    assert_eq!(windows.mean(windows.whole()), Some(15.0 / 35.0));
}

/// Claim: samples are averaged over cells, not over time, and several may have one instant.
#[test]
fn samples_are_averaged_one_by_one() {
    let samples = series(Shape::Sample, 100, &[(10, 3.0), (10, 5.0), (90, 1.0)]);
    assert_eq!(samples.mean(samples.whole()), Some(3.0));
    assert_eq!(samples.mean(span(10, 90)), Some(4.0));
    assert_eq!(samples.max(span(11, 100)), Some(1.0));
    let empty = series(Shape::Sample, 100, &[]);
    assert_eq!((empty.mean(empty.whole()), empty.max(empty.whole())), (None, None));
}
