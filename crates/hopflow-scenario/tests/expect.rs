//! `[expect]`: the expected results, and mistakes in the table, each reported at its place.

use hopflow_scenario::{Code, ExpectedValue, Scenario, ScenarioFile};

const BASE: &str = r#"version = 2
duration = "1 ms"
[[topology]]
kind = "star"
hosts = 3
rate = "424 Mb/s"
[[flow]]
name = "f1"
from = "H1"
to = "H2"
"#;

const TABLE: &str = r#"
[expect]
task = "Fill the link."
digest = ["0123456789ABCDEF", "fedcba9876543210"]
[[expect.values]]
path = "links/S->H2/busy_share"
least = 0.9
label = "the last link"
[[expect.values]]
path = "vcs/f1/throughput_bps"
least = -1
most = 1e13
"#;

/// Claim: the table is read as it is written, a digest in lower case. Numbers may be negative and
/// outside the ranges of other keys. The resolved scenario is the same without the table.
#[test]
fn the_table_is_read() {
    let text = format!("{BASE}{TABLE}");
    let scenario = Scenario::from_toml(&text, "exercise.toml").unwrap();
    let expect = scenario.expect.as_ref().unwrap();
    assert_eq!(expect.task.as_deref(), Some("Fill the link."));
    assert_eq!(expect.digests, ["0123456789abcdef", "fedcba9876543210"]);
    let value = |path: &str, least, most, label: Option<&str>| ExpectedValue {
        path: path.to_owned(),
        least,
        most,
        label: label.map(str::to_owned),
    };
    assert_eq!(
        expect.values,
        [
            value("links/S->H2/busy_share", Some(0.9), None, Some("the last link")),
            value("vcs/f1/throughput_bps", Some(-1.0), Some(1e13), None),
        ]
    );
    let without = Scenario::from_toml(BASE, "plain.toml").unwrap();
    assert_eq!(scenario.resolved(), without.resolved());
    assert_eq!(Scenario { expect: None, ..scenario }, without);
}

/// Claim: a setting changes the table and its values like any other.
#[test]
fn a_setting_reaches_the_table() {
    let file = ScenarioFile::new(format!("{BASE}{TABLE}"), "exercise.toml");
    let settings = ["expect.digest=00000000000000aa", "expect.values.2.most=7"];
    let file = file.with_settings(&settings.map(str::to_owned)).unwrap();
    let expect = file.read().unwrap().expect.unwrap();
    assert_eq!(expect.digests, ["00000000000000aa"]);
    assert_eq!(expect.values[1].most, Some(7.0));
}

/// Claim: each mistake is one error at its place, with the values and the way out.
#[test]
fn a_mistake_is_reported_at_its_place() {
    for (table, code, place, says, way_out) in [
        (
            "[expect]\ntask = \"?\"\n",
            Code::EXPECTS_NOTHING,
            "[expect]",
            "neither a `digest` nor `[[expect.values]]`",
            "`hopflow run` prints",
        ),
        (
            "[[expect.values]]\npath = \"end_ps\"\n",
            Code::EXPECTS_NOTHING,
            "[[expect.values]]",
            "neither a `least` nor a `most`",
            "both may be the same",
        ),
        (
            "[expect]\ndigest = \"0123456789abcdeg\"\n",
            Code::BAD_DIGEST,
            "\"0123456789abcdeg\"",
            "`0123456789abcdeg` is not a digest",
            "the whole digest",
        ),
        (
            "[[expect.values]]\npath = \"end_ps\"\nmost = 1.50\nleast = 2\n",
            Code::BOUNDS,
            "2",
            "`least` is 2, above `most`, which is 1.50",
            "exchange them",
        ),
        (
            "[expect]\ndigset = \"0123456789abcdef\"\nvalues = [{ path = \"a\", most = 1 }]\n",
            Code::UNKNOWN_KEY,
            "digset",
            "unknown key `digset` in expect",
            "`digest`",
        ),
    ] {
        let text = format!("{BASE}{table}");
        let wrong = Scenario::from_toml(&text, "exercise.toml").unwrap_err();
        let [one] = wrong.items.as_slice() else { panic!("{table}\ngave {wrong}") };
        assert_eq!((one.code, &text[one.labels[0].span.clone()]), (code, place), "{wrong}");
        assert!(one.message.contains(says), "{wrong}");
        assert!(one.hint.as_deref().unwrap_or_default().contains(way_out), "{wrong}");
    }
    let plain = ScenarioFile::new(BASE, "plain.toml");
    let wrong = plain.expected(&plain.read().unwrap()).unwrap_err();
    assert_eq!((wrong.items.len(), wrong.items[0].code), (1, Code::EXPECTS_NOTHING));
    assert!(wrong.to_string().contains("--expect FILE"), "{wrong}");
}
