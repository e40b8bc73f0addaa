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

/// Worked example: 0 to 10 by 0 to 10 on a plot of 1028 x 248 units at (36, 28). The step line
/// 0 -> 5 -> 10 starts at the lower left corner (36, 276), goes right to the middle, up to half
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
    assert_eq!(layout::Layout::of(&figure).plot, [36, 28, 1028, 248]);
    let picture = figure.picture(720);
    assert!(
        picture.contains("<path class=\"s s0\" d=\"M36 276h514v-124h514v-124\"/>"),
        "{picture}"
    );
}

/// Claim: a sawtooth of 10,280 teeth is one band from its least to its greatest value with a line
/// in the middle, of a fiftieth of the text of its points; the legend reports the band.
#[test]
fn a_line_too_dense_to_draw_is_a_band() {
    // 257 buckets of 80 teeth.
    let teeth = (0..20_560).map(|i| (f64::from(i), f64::from(i % 2) * 8.0)).collect();
    let figure = Figure {
        x: Axis::new("time", "s").from_to(0.0, 20_560.0),
        y: Axis::new("queue", "cells").from_to(0.0, 10.0),
        series: vec![step(teeth)],
        ..Figure::default()
    };
    let picture = figure.picture(720);
    let found = picture.split("<path class=\"a s0\" d=\"").nth(1).expect("a band");
    assert!(found.starts_with("M36 77.6h1028"), "the top at 28 + 248 x 2 / 10: {}", &found[..40]);
    assert!(picture.contains("<path class=\"s s0\" d=\"M38 176.8h"), "the mean is 4: {picture}");
    assert!(picture.len() < 4_000, "{} bytes", picture.len());
    assert!(figure.has_bands());
    let means = Figure { only_means: true, ..figure.clone() };
    let drawn = means.picture(720);
    assert!(!drawn.contains("class=\"a s0\"") && drawn.contains("d=\"M38 176.8h"), "{drawn}");
    assert_eq!((&means.data(9)["means"], &figure.data(9)["means"]), (&true.into(), &false.into()));
    let data = figure.data(100);
    let means = data["lines"][0]["mean"].as_array().expect("the script needs the means");
    assert!(
        means.iter().all(|mean| mean.as_f64().is_some_and(|m| (m - 4.0).abs() < 0.01)),
        "{means:?}"
    );
}

/// Claim: a line equal to an earlier one is reported, and has dashes between which the first, which
/// is whole, is visible; a short transient has a separate chart with the same vertical axis.
#[test]
fn equal_lines_and_transients_are_marked() {
    let points: Vec<(f64, f64)> =
        (0..5_000).map(|x| (f64::from(x), if x < 60 { 50.0 } else { f64::from(x % 3) })).collect();
    let named = |name: &str| Line { name: name.to_owned(), ..step(points.clone()) };
    let figure = Figure {
        id: "q".to_owned(),
        x: Axis::new("time", "cell times").from_to(0.0, 5_000.0),
        series: vec![named("VC1"), named("VC2")],
        ..Figure::default()
    };
    assert_eq!(figure.same_as(), ["", " (same as VC1)"]);
    let picture = figure.picture(720);
    let second = "<path class=\"s s1\" style=\"stroke-dasharray:14 14;stroke-dashoffset:-14\"";
    assert!(picture.contains("<path class=\"s s0\" d=") && picture.contains(second));
    let start = figure.start().expect("60 of 5,000 is too short to see");
    assert_eq!((start.id.as_str(), start.x.range), ("q-start", Some((0.0, 200.0))));
    assert_eq!(start.y.range, Some(figure.ranges().y));
    assert!(start.start().is_none());
    // A third line that is alike adds nothing; one that differs for a while is whole.
    let third = Figure { series: vec![named("VC1"); 3], ..figure.clone() };
    assert!(third.start().is_none());
    let mut other = points.clone();
    other[..56].iter_mut().for_each(|point| point.1 = 20.0);
    other[1_000..1_500].iter_mut().for_each(|point| point.1 = 30.0);
    let other = Line { name: "VC3".to_owned(), ..step(other) };
    let mixed = Figure { series: vec![named("VC1"), named("VC2"), other], ..figure };
    assert_eq!(mixed.same_as()[2], "");
    assert!(mixed.picture(720).contains("<path class=\"s s2\" d=") && mixed.start().is_some());
}

/// Claim: figures of one quantity share the vertical axis that the greatest value of all needs.
#[test]
fn figures_of_one_quantity_share_their_scale() {
    let figure = |most: f64| Figure {
        series: vec![step(vec![(0.0, 0.0), (1.0, most)])],
        ..Figure::default()
    };
    let alone = figure(8.0).ranges().y;
    let mut all = [figure(3.0), figure(8.0), figure(1.0)];
    assert_ne!(all[0].ranges().y, alone);
    Figure::share_scale(&mut all);
    assert!(alone.1 > 8.0 && all.iter().all(|figure| figure.ranges().y == alone));
}

/// Claim: the values of a paper are a band, a line, or a mark at one place, each with its label, in
/// the picture and in the data of the script. Positions: 0 to 10 is 1000 units wide and 248 high.
#[test]
fn marks_are_bands_lines_and_points() {
    let band = |range, span| Band { range, span, label: "paper".to_owned(), ..Band::default() };
    let figure = Figure {
        x: Axis::new("length", "km").from_to(0.0, 10.0),
        y: Axis::new("N3", "cells").from_to(0.0, 10.0),
        bands: vec![
            band((2.0, 4.0), None),
            band((5.0, 5.0), None),
            band((1.0, 9.0), Some((5.0, 5.0))),
            band((7.0, 7.0), Some((5.0, 5.0))),
            band((8.0, f64::INFINITY), Some((0.0, 5.0))),
        ],
        ..Figure::default()
    };
    let picture = figure.picture(100);
    let has = |text: &str| assert!(picture.contains(text), "{text} in {picture}");
    has("<rect class=\"band\" x=\"36\" y=\"176.8\" width=\"1028\" height=\"49.6\"/>");
    has("<path class=\"mark\" d=\"M36 152h1028\"/>");
    has("<path class=\"whisker\" d=\"M550 52.8v198.4M545 52.8h10M545 251.2h10\"/>");
    has("<path class=\"point\" d=\"M550 96.4l6 6l-6 6l-6-6l6-6\"/>");
    has("<rect class=\"band\" x=\"36\" y=\"28\" width=\"514\" height=\"49.6\"/>");
    assert_eq!(picture.matches(">paper</text>").count(), 5);
    let data = figure.data(100);
    assert_eq!(data["bands"][4]["range"].to_string(), "[8,null]");
    assert_eq!(data["bands"][2]["span"].to_string(), "[5,5]");
}

/// Claim: any input gives a picture: no points, one point, equal values, NaN.
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
    let half_way = picture.matches("class=\"s s1\" d=\"M36 152h").count();
    assert_eq!(half_way, 1, "3500 of 7000 is half way up: 28 + 248 / 2 = 152");
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
    assert_eq!(number::short_json(1.0 / 3.0).to_string(), "0.33333");
}
