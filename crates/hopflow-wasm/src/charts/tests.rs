//! Parts of a series keep its mean and every spike.

use hopflow::record::{Point, Quantity, Series, Shape, Unit};
use hopflow::units::SimTime;

use super::parts;

fn step(points: &[(u64, f64)], end: u64) -> Series {
    let points = points.iter().map(|&(at, value)| Point { time: SimTime(at), value }).collect();
    Series {
        name: "queue".to_owned(),
        quantity: Quantity::Queue,
        vc: None,
        node: None,
        link: None,
        unit: Unit::Packets,
        shape: Shape::Step,
        rate_bps: None,
        end: SimTime(end),
        points,
    }
}

/// Claim, by hand: 0 up to 30, 8 up to 31, 2 up to 100, in parts of 25: means 0, (5 x 0 + 8 + 19 x
/// 2) / 25 = 1.84, 2, 2; the spike of 1 ps is the greatest value of the second part.
#[test]
fn a_spike_is_never_lost() {
    let series = step(&[(0, 0.0), (30, 8.0), (31, 2.0)], 100);
    let (mean, least, most) = parts(&series, &(SimTime(0)..SimTime(100)), 4);
    assert_eq!(mean, [0.0, 1.84, 2.0, 2.0].map(Some));
    assert_eq!(least, [0.0, 0.0, 2.0, 2.0].map(Some));
    assert_eq!(most, [0.0, 8.0, 2.0, 2.0].map(Some));
}

/// Claim: if a part of the run has more parts than picoseconds, none is evaluated twice, and those
/// of zero length have no value.
#[test]
fn more_parts_than_time() {
    let series = step(&[(0, 1.0), (6, 3.0)], 100);
    let (mean, _, _) = parts(&series, &(SimTime(5)..SimTime(7)), 4);
    assert_eq!(mean.iter().flatten().count(), 2);
    assert!((mean.iter().flatten().sum::<f64>() - 4.0).abs() < 1e-9);
}
