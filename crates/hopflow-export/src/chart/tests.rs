//! Claims about charts: thinning is honest, pictures are well formed, numbers are short.

use proptest::prelude::*;

use super::*;

fn step(points: Vec<(f64, f64)>) -> Line {
    Line { name: "VC1".to_owned(), kind: LineKind::Step, points, axis: Side::Left, look: None }
}

/// A million points of a sawtooth with one spike up and one down: 720 columns keep both spikes,
/// at most four points a column, the first and the last point.
#[test]
fn thinning_keeps_a_spike_of_one_point_in_a_million() {
    let mut points: Vec<(f64, f64)> =
        (0..1_000_000).map(|i| (f64::from(i), f64::from(100 + i % 7))).collect();
    points[123_456].1 = 999.0;
    points[654_321].1 = 1.0;
    let kept = thin(&points, LineKind::Step, (0.0, 999_999.0), 720);
    assert!(kept.len() <= 4 * 722);
    assert!(kept.contains(&(123_456.0, 999.0)));
    assert!(kept.contains(&(654_321.0, 1.0)));
    assert_eq!(kept.first(), points.first());
    assert_eq!(kept.last(), points.last());
}

proptest! {
    /// Every kept point is one of those given, in their order; in every column the least and the
    /// greatest value are among them. Oracle: a scan of all points for each column.
    #[test]
    fn thinning_keeps_the_extremes_of_every_column(
        values in proptest::collection::vec(-50_i32..50, 1..400),
        columns in 1_usize..20,
    ) {
        let points: Vec<(f64, f64)> =
            values.iter().enumerate().map(|(i, v)| (i as f64, f64::from(*v))).collect();
        let end = points.len() as f64;
        let kept = thin(&points, LineKind::Line, (0.0, end), columns);
        prop_assert!(kept.len() <= 4 * (columns + 2));
        prop_assert!(kept.windows(2).all(|p| p[0].0 < p[1].0));
        prop_assert!(kept.iter().all(|p| points.contains(p)));
        for column in 0..columns {
            let width = end / columns as f64;
            let inside = |p: &&(f64, f64)| (p.0 / width).floor() as usize == column;
            let of = |all: &[(f64, f64)]| {
                all.iter().filter(inside).map(|p| p.1).fold(None, |span: Option<(f64, f64)>, v| {
                    Some(span.map_or((v, v), |s| (s.0.min(v), s.1.max(v))))
                })
            };
            prop_assert_eq!(of(&kept), of(&points));
        }
    }
}

/// A cut keeps the point before its beginning, whose value still holds there.
#[test]
fn a_step_line_enters_the_chart_with_the_value_it_held() {
    let points = [(0.0, 5.0), (10.0, 7.0), (20.0, 9.0), (30.0, 11.0)];
    let kept = thin(&points, LineKind::Step, (12.0, 18.0), 100);
    assert_eq!(kept, [(10.0, 7.0), (20.0, 9.0)]);
    let dots = thin(&points, LineKind::Points, (12.0, 18.0), 100);
    assert!(dots.is_empty());
}

/// Worked example: 0 to 10 by 0 to 10 on a plot of 636 x 242 units at (66, 10). The step line
/// 0 -> 5 -> 10 starts at the lower left corner (66, 252), goes right to the middle, up to half
/// height, right to the end and up.
#[test]
fn a_step_line_is_drawn_where_it_belongs() {
    let figure = Figure {
        id: "a".to_owned(),
        x: Axis::new("time", "s").from_to(0.0, 10.0),
        y: Axis::new("queue", "cells").from_to(0.0, 10.0),
        series: vec![step(vec![(0.0, 0.0), (5.0, 5.0), (10.0, 10.0)])],
        ..Figure::default()
    };
    assert_eq!(draw::plot_area(&figure), [66, 10, 636, 242]);
    let picture = figure.picture(720);
    let path = "<path class=\"s s0\" d=\"";
    let found = picture.find(path).expect("the series is in the picture");
    let line: Vec<f64> = picture[found + path.len()..]
        .split('"')
        .next()
        .expect("a path ends")
        .split(['M', ' ', 'h', 'v'])
        .filter_map(|n| n.parse().ok())
        .collect();
    let expected = [66.0, 252.0, 318.0, -121.0, 318.0, -121.0];
    assert_eq!(line.len(), expected.len(), "{}", &picture[found..]);
    // `plotters` places the last pixel of a range one pixel (a tenth of a unit) short.
    for (got, want) in line.iter().zip(expected) {
        assert!((got - want).abs() <= 0.25, "{line:?}");
    }
}

/// Awkward input gives a picture all the same: no points, one point, equal values, NaN.
#[test]
fn a_chart_of_little_or_odd_data_is_still_drawn() {
    let cases: [Vec<(f64, f64)>; 5] = [
        vec![],
        vec![(3.0, 0.0)],
        vec![(1.0, 4.0), (1.0, 4.0)],
        vec![(0.0, f64::NAN), (f64::INFINITY, 1.0), (1.0, 2.0)],
        vec![(0.0, -3.0), (1.0, -9.0)],
    ];
    for points in cases {
        for kind in [LineKind::Step, LineKind::Line, LineKind::Points, LineKind::Bars] {
            let line = Line { kind, ..step(points.clone()) };
            let figure = Figure { id: "odd".to_owned(), series: vec![line], ..Figure::default() };
            let picture = figure.picture(100);
            assert!(picture.ends_with("</svg>"));
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
            let ranges = figure.ranges();
            assert!(ranges.x.0 < ranges.x.1 && ranges.y.0 < ranges.y.1);
        }
    }
}

/// Both vertical axes have their own numbers, once each.
#[test]
fn a_second_axis_has_its_own_labels() {
    let figure = Figure {
        id: "two".to_owned(),
        x: Axis::new("time", "s").from_to(0.0, 1.0),
        y: Axis::new("queue", "cells").from_to(0.0, 3.0),
        y_right: Some(Axis::new("delay", "us").from_to(0.0, 7000.0)),
        series: vec![
            step(vec![(0.0, 1.0)]),
            Line { axis: Side::Right, ..step(vec![(0.0, 3500.0)]) },
        ],
        ..Figure::default()
    };
    let picture = figure.picture(100);
    for label in [">3</text>", ">6,000</text>", ">queue (cells)</text>", ">delay (us)</text>"] {
        assert_eq!(picture.matches(label).count(), 1, "{label}");
    }
    let half_way = picture.matches("d=\"M66 131").count();
    assert_eq!(half_way, 1, "3500 of 7000 is half way up: 10 + 242 / 2 = 131");
}

#[test]
fn numbers_are_short_and_exact() {
    assert_eq!(plain_number(20_000.0, 0), "20,000");
    assert_eq!(plain_number(0.5, 3), "0.5");
    assert_eq!(plain_number(-1234.25, 2), "\u{2212}1,234.25");
    assert_eq!(plain_number(-0.0001, 2), "0");
    assert_eq!(plain_number(f64::NAN, 2), "\u{2013}");
    assert_eq!(json_number(3.0).to_string(), "3");
    assert_eq!(json_number(1.0 / 3.0).to_string(), "0.333333333");
    assert_eq!(json_number(123_456_789_012.0).to_string(), "123456789000");
    assert_eq!(number::decimals_of(1.0), 1);
    assert_eq!(number::decimals_of(2000.0), 0);
}

/// Claim: sixteen lines of a figure each have a look of their own, and none has that of what is
/// behind the others or of less interest.
#[test]
fn sixteen_lines_are_told_apart() {
    let series = (0..16).map(|_| step(vec![(0.0, 0.0)])).collect();
    let figure = Figure { series, ..Figure::default() };
    let looks: std::collections::BTreeSet<usize> = (0..16).map(|line| figure.look(line)).collect();
    assert_eq!(looks.len(), 16);
    assert!(!looks.contains(&Line::BACKGROUND) && !looks.contains(&Line::MINOR));
    let sheet = include_str!("../report/report.css");
    for look in looks {
        assert!(sheet.contains(&format!(".s{look} {{ --c: ")), "{look} has a colour");
    }
}
