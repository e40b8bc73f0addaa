//! Tests of plans, and the plan that other tests use.

use super::*;

pub(crate) const SCENARIO: &str = r#"
version = 2
duration = "1 ms"
seed = 7
[defaults.link]
rate = "424 Mb/s"
delay = "10 us"
[[host]]
name = "A"
[[switch]]
name = "S"
[[host]]
name = "B"
[[link]]
between = ["A", "S"]
[[link]]
between = ["S", "B"]
[[flow]]
name = "VC1"
route = ["A", "S", "B"]
source = { kind = "constant", rate = "200 Mb/s" }
"#;

/// The text with a link whose rare corruption makes runs of two seeds two runs.
pub(crate) fn with_chance(text: &str) -> String {
    let link = "between = [\"S\", \"B\"]\n";
    assert!(text.contains(link));
    text.replace(link, &format!("{link}corrupt-data = 0.000001\n"))
}

pub(crate) fn request(text: &str, axes: &[&str], seeds: u32) -> Request {
    Request {
        file: ScenarioFile::new(text, "one.toml"),
        settings: Vec::new(),
        control: AS_IS.to_owned(),
        axes: axes.iter().map(|axis| (*axis).to_owned()).collect(),
        sweep_seed: 1,
        seeds,
        until: None,
        measures: Vec::new(),
        series: Vec::new(),
    }
}

pub(crate) fn plan(axes: &[&str], seeds: u32) -> Plan {
    Plan::new(request(&with_chance(SCENARIO), axes, seeds))
        .unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The scenario with all series recorded.
pub(crate) fn recording() -> String {
    let all = "throughput = true\nqueues = true\ncredits = true\nrates = true\ndelays = true\n";
    format!("{SCENARIO}\n[record]\n{all}")
}

/// A plan that keeps series: a step, windows and samples.
pub(crate) fn plan_with_series(axes: &[&str], seeds: u32) -> Plan {
    let series = ["queue of VC1 at S", "everything on S->B", "delay of *"];
    let series = series.map(str::to_owned).into();
    let asked = Request { series, ..request(&with_chance(&recording()), axes, seeds) };
    Plan::new(asked).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Claim: a point is the scenario with its settings, under its control; the reason why a point is
/// not a valid scenario has one line.
#[test]
fn a_point_is_what_set_makes_of_it() {
    let axes = ["flow.VC1.source.rate=100 Mb/s,nonsense", "control=as-is,drop-tail"];
    let plan = plan(&axes, 1);
    let under = plan.point(1).unwrap();
    let settings = ["flow.VC1.source.rate=100 Mb/s".to_owned()];
    let file = ScenarioFile::new(with_chance(SCENARIO), "one.toml");
    let file = file.with_settings(&settings).unwrap();
    assert_eq!(under, file.under("drop-tail").unwrap());
    assert_eq!(*plan.first(), file.under("as-is").unwrap());
    let why = plan.point(2).unwrap_err();
    assert!(why.contains("nonsense") && !why.contains('\n'), "{why}");
}

/// Claim: a wrong key is one error of the whole sweep, with its place in the setting; so are an
/// unknown control, anywhere in the axis, and a rule that one seed cannot meet.
#[test]
fn what_is_wrong_is_reported_at_once() {
    let wrong = |axes: &[&str]| Plan::new(request(SCENARIO, axes, 1)).unwrap_err();
    let error = wrong(&["flow.VC1.wieght=1,2"]);
    let SweepError::Wrong(diagnostics) = &error else { panic!("{error}") };
    assert_eq!(diagnostics.source, "flow.VC1.wieght=1");
    let error = wrong(&["control=as-is,drop-tial"]).to_string();
    assert!(error.contains("drop-tail"), "{error}");
    let control = "drop-tail".to_owned();
    let both = Request { control, ..request(SCENARIO, &["control=as-is,n23"], 1) };
    assert!(Plan::new(both).unwrap_err().to_string().contains("exclude"));
    let until = Some("jain within 1 %".to_owned());
    let one = Request { until, ..request(SCENARIO, &[], 1) };
    assert!(Plan::new(one).unwrap_err().to_string().contains("two seeds"));
}

/// Claim: a plan of a million points takes no time, and any of them can be read: the plan has no
/// list of points. (Clone and comparison of its axes take no memory for points.)
#[test]
fn a_million_points_are_planned_lazily() {
    let axes = ["duration=1001..2000 us/1000", "flow.VC1.source.rate=1..1000 kb/s/1000"];
    let plan = plan(&axes, 10);
    assert_eq!(plan.shape().grid.points(), 1_000_000);
    assert_eq!(plan.shape().most_runs(), 10_000_000);
    let last = plan.point(999_999).unwrap();
    assert_eq!(last.network.duration, hopflow::units::Picos(2_000_000_000));
    assert_eq!(plan.shape().settings(999_999)[1], "flow.VC1.source.rate=1000 kb/s");
}

/// Claim: the rule's measure is a column; the error of an unknown measure lists a similar one.
#[test]
fn the_measure_of_a_rule_is_a_column() {
    let until = Some("vc/VC1/delay_mean_ps within 1 %".to_owned());
    let plan = Plan::new(Request { until, ..request(SCENARIO, &[], 5) }).unwrap();
    let shape = plan.shape();
    assert_eq!(shape.rule_column(), Some(shape.measures.count() - 1));
    let until = Some("vc/VC2/delay_mean_ps within 1 %".to_owned());
    let error = Plan::new(Request { until, ..request(SCENARIO, &[], 5) }).unwrap_err().to_string();
    assert!(error.contains("did you mean `vc/VC1/delay_mean_ps`"), "{error}");
}

/// Claim: the text of a plan without series is that of versions without series, and it reads back;
/// with series it has their names, and another selection is another sweep.
#[test]
fn series_are_part_of_the_plan() {
    let bare = plan(&["seed=1,2"], 2).shape().file().clone();
    assert!(!bare.text().contains("series"));
    assert_eq!(serde_json::from_str::<SweepFile>(&bare.text()).unwrap(), bare);
    let with = plan_with_series(&["seed=1,2"], 2).shape().file().clone();
    let names: Vec<&str> = with.series.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["queue of VC1 at S", "everything on S->B", "delay of VC1 to B"]);
    assert_eq!(serde_json::from_str::<SweepFile>(&with.text()).unwrap(), with);
    let fewer = SweepFile { series: with.series[..1].to_vec(), ..with.clone() };
    assert_ne!(fewer.key(), with.key());
    let said = with.differs(&SweepFile { series: Vec::new(), ..with.clone() }).unwrap();
    assert!(said.contains("--series is `queue of VC1 at S; every") && said.contains("none"));
    let series = vec!["queue of VC9 at S".to_owned()];
    let wrong = Request { series, ..request(&recording(), &[], 1) };
    let wrong = Plan::new(wrong).unwrap_err().to_string();
    assert!(wrong.contains("did you mean `queue of VC1 at S`"), "{wrong}");
}

/// Claim: an axis of values out of their range is in doubt before the first run, though its first
/// value is fine: of the priorities 0, 15, 31, ..., tried along it, only 0 is one. An axis of good
/// values is not, whatever the other one has.
#[test]
fn an_axis_of_wrong_values_is_in_doubt() {
    let [wrong, fine] = ["flow.VC1.priority=0..299/300", "duration=1 ms,2 ms"];
    let found = plan(&[fine, wrong], 1).doubts();
    let [doubt] = &found[..] else { panic!("{found:?}") };
    assert_eq!((doubt.axis.as_str(), doubt.tried, doubt.wrong), (wrong, 20, 19));
    assert!(doubt.why.starts_with("duration=1 ms, flow.VC1.priority=15: "), "{doubt:?}");
    assert!(!doubt.why.contains('\n'), "{doubt:?}");
    assert_eq!(plan(&[fine, "flow.VC1.weight=1..300/300"], 1).doubts(), []);
}

/// Claim: fractions on a key of whole numbers are one error, with their number, the first of them
/// and the way out, though the first value is whole; also behind another axis, and in a list.
/// Fractions that the key takes, texts and numbers with a unit are none.
#[test]
fn fractions_on_a_key_of_whole_numbers_are_refused() {
    let refused = |axes: &[&str]| {
        let plan = Plan::new(request(SCENARIO, axes, 1));
        plan.err().map(|error| error.to_string())
    };
    let range = "flow.VC1.weight=log 1..155.0/300";
    let why = refused(&["duration=1 ms,2 ms", range]).unwrap();
    for part in [
        "--axis `flow.VC1.weight=log 1..155.0/300`: 299 of 300 values are fractions",
        "such as 1.0170107: HF0005: `weight` is a whole number, not 1.0170107",
        "write both ends of the range without a decimal point",
    ] {
        assert!(why.contains(part), "{why}");
    }
    let why = refused(&["flow.VC1.weight=1,2,2.5"]).unwrap();
    assert!(why.contains("1 of 3 values are fractions") && why.contains("give whole"), "{why}");
    for fine in [
        "flow.VC1.weight=log 1..155/9",
        "link.A->S.corrupt-data=0,0.5",
        "duration=1 ms,1.5 ms",
        "flow.VC1.priority=0,9",
        "seed=7",
    ] {
        assert_eq!(refused(&[fine]), None, "{fine}");
    }
}
