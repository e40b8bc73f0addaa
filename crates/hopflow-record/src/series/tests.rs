//! The queries of claims, on series that are small enough to answer by eye.

use hopflow_units::{Picos, SimTime};

use super::{Piece, Point, Quantity, Series, Shape, Unit};

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
    assert_eq!((steps.min(span(12, 18)), steps.max(span(12, 18))), (Some(4.0), Some(4.0)));
    assert_eq!((steps.min(span(0, 100)), steps.max(span(0, 10))), (Some(1.0), Some(1.0)));
    assert_eq!(steps.mean(span(20, 1_000)), Some(2.0), "the series ends at 100");
    assert_eq!((steps.mean(span(7, 7)), steps.max(span(100, 200))), (None, None));
    assert_eq!((steps.value_at(SimTime(9)), steps.value_at(SimTime(10))), (Some(1.0), Some(4.0)));
    assert_eq!(steps.value_at(SimTime(100)), None);
    assert_eq!(steps.first_above(span(0, 100), 1.5), Some(SimTime(10)));
    assert_eq!(steps.first_above(span(15, 100), 3.0), Some(SimTime(15)));
    assert_eq!(steps.first_below(span(10, 100), 3.0), Some(SimTime(20)));
    assert_eq!(steps.first_above(span(0, 100), 4.0), None);
    assert_eq!(steps.settled(span(0, 100), |value| value > 1.5), Some(SimTime(10)));
    assert_eq!(steps.settled(span(0, 100), |value| value > 2.5), None);
}

/// Claim: only windows that are wholly in the span are checked.
#[test]
fn cut_windows_are_not_judged() {
    let points = [(0, 0.0), (10, 1.0), (20, 0.5), (30, 0.0)];
    let windows = series(Shape::Window(Picos(10)), 35, &points);
    let full = |value: f64| value >= 1.0;
    let piece = Piece { from: SimTime(20), to: SimTime(30), value: 0.5 };
    assert_eq!(windows.failing(span(5, 35), full), [piece]);
    assert_eq!(windows.failing(span(0, 40), full).len(), 2);
    assert_eq!(windows.mean(windows.whole()), Some(15.0 / 35.0));
}

/// Claim: samples are averaged over cells, not over time, and several may have one instant.
#[test]
fn samples_are_averaged_one_by_one() {
    let samples = series(Shape::Sample, 100, &[(10, 3.0), (10, 5.0), (90, 1.0)]);
    assert_eq!(samples.mean(samples.whole()), Some(3.0));
    assert_eq!(samples.mean(span(10, 90)), Some(4.0));
    assert_eq!(samples.max(span(11, 100)), Some(1.0));
    assert_eq!(samples.failing(span(0, 100), |value| value < 4.0).len(), 1);
    let empty = series(Shape::Sample, 100, &[]);
    assert_eq!((empty.mean(empty.whole()), empty.value_at(SimTime(5))), (None, None));
}
