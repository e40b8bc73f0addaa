//! Answers by digest and by values: right at the ends of a range, wrong beyond, with the reason.

use hopflow_scenario::Scenario;

use super::*;
use crate::{RunOptions, run};

/// One VC at 106 of 424 Mb/s for 1 ms: 250 cells of 1 us, of which the last are on their way.
const BASE: &str = r#"
version = 2
duration = "1 ms"
topology = [{ kind = "star", hosts = 3, rate = "424 Mb/s", delay = "3 us" }]

[[flow]]
name = "f1"
from = "H1"
to = "H2"
exact-phase = true
source = { kind = "constant", rate = "106 Mb/s" }
"#;

fn of(table: &str) -> Grade {
    let text = format!("{BASE}{table}");
    let scenario = Scenario::from_toml(&text, "exercise.toml").unwrap();
    let result = run(&scenario, &RunOptions::default()).unwrap();
    grade(scenario.expect.as_ref().unwrap(), &result)
}

fn of_path(path: &str, range: &str) -> Mark {
    of(&format!("[[expect.values]]\npath = \"{path}\"\n{range}\n")).marks.remove(0)
}

/// Claim: a digest is right in a list and in capitals, and every other is wrong; a right digest
/// does not make up for a wrong value, nor a right value for a wrong digest.
#[test]
fn an_answer_has_the_digest_and_all_values() {
    let own = of("[expect]\ndigest = \"0000000000000000\"\n");
    assert!(!own.right && own.marks.len() == 1);
    assert!(own.marks[0].text.ends_with("which is not that of a right answer"), "{own:?}");
    let digest = own.digest.to_uppercase();
    let right = format!("[expect]\ndigest = [\"0000000000000000\", \"{digest}\"]\n");
    assert!(of(&right).right);
    let value = |most: u32| {
        format!("[[expect.values]]\npath = \"vcs/f1/created_packets\"\nmost = {most}\n")
    };
    let both = |digest: &str, most| {
        let grade = of(&format!("[expect]\ndigest = \"{digest}\"\n{}", value(most)));
        let marks: Vec<bool> = grade.marks.iter().map(|mark| mark.right).collect();
        (grade.right, marks)
    };
    assert_eq!(both(&digest, 250), (true, vec![true, true]));
    assert_eq!(both(&digest, 249), (false, vec![false, true]));
    assert_eq!(both("0000000000000000", 250), (false, vec![true, false]));
}

/// Claim: both ends of a range are right, and what is beyond is wrong. 1 ms at a cell each 4 us
/// are 250 cells.
#[test]
fn the_ends_of_a_range_are_in_it() {
    let path = "vcs/f1/created_packets";
    for (range, right, says) in [
        ("least = 250", true, "is 250, expected at least 250"),
        ("least = 250.5", false, "is 250, expected at least 250.5"),
        ("most = 250", true, "is 250, expected at most 250"),
        ("most = -1", false, "is 250, expected at most -1"),
        ("least = 250\nmost = 250", true, "is 250, expected 250"),
        ("least = 1\nmost = 249", false, "is 250, expected 1 to 249"),
    ] {
        let mark = of_path(path, range);
        assert_eq!((mark.right, mark.found), (right, Some(250.0)), "{range}");
        assert_eq!(mark.text, format!("`{path}` {says}"));
    }
    let mark = of_path(path, "least = 1\nlabel = \"cells\"");
    assert_eq!(mark.text, format!("cells: 250, expected at least 1 (`{path}`)"));
}

/// Claim: a number is printed with six digits, unless these would look right although it is wrong.
#[test]
fn a_number_is_printed_with_few_digits() {
    let expect = |least: f64| ExpectedValue {
        path: "share".to_owned(),
        least: Some(least),
        most: None,
        label: None,
    };
    let document = serde_json::json!({ "share": 0.370_910_344_111, "half": 0.999_999_96 });
    let text = |value: ExpectedValue| Mark::of_value(&value, &document).text;
    assert_eq!(text(expect(0.5)), "`share` is 0.37091, expected at least 0.5");
    assert_eq!(text(expect(0.37)), "`share` is 0.37091, expected at least 0.37");
    let half = ExpectedValue { path: "half".to_owned(), ..expect(1.0) };
    assert_eq!(text(half), "`half` is 0.99999996, expected at least 1");
    assert_eq!(short(149_760_000.0, false).to_string(), "149760000");
}

/// Claim: a time or a rate is printed in the unit that suits it, with four digits, unless these
/// would look like the other verdict: 1,597,727,834,111 ps are 1.598 s, and 210,000,000,001 ps are
/// more than 210 ms. The unit is that of the key, which may be above the number.
#[test]
fn times_and_rates_have_units() {
    let document = serde_json::json!({
        "delay_ps": { "p99": 1_597_727_834_111_u64, "max": 210_000_000_001_u64, "min": 0.5 },
        "throughput_bps": 51_608_612.3, "idle_bps": 0, "steps": 51_608_612,
    });
    let text = |path: &str, least, most| {
        let value = ExpectedValue { path: path.to_owned(), least, most, label: None };
        Mark::of_value(&value, &document).text
    };
    let most = Some(210e9);
    assert_eq!(
        text("delay_ps/p99", None, most),
        "`delay_ps/p99` is 1.598 s, expected at most 210 ms"
    );
    let max = text("delay_ps/max", None, most);
    assert_eq!(max, "`delay_ps/max` is 210.000000001 ms, expected at most 210 ms");
    let min = text("delay_ps/min", Some(0.25), Some(1e6));
    assert_eq!(min, "`delay_ps/min` is 0.5 ps, expected 0.25 ps to 1 us");
    let rate = text("throughput_bps", Some(33e6), None);
    assert_eq!(rate, "`throughput_bps` is 51.61 Mb/s, expected at least 33 Mb/s");
    assert_eq!(text("idle_bps", None, Some(0.0)), "`idle_bps` is 0 b/s, expected at most 0 b/s");
    assert_eq!(text("steps", Some(1.0), None), "`steps` is 51608612, expected at least 1");
}

/// Claim: a path goes through keys, names and places, into the scenario as it was run, too.
#[test]
fn a_path_goes_by_keys_names_and_places() {
    for (path, found) in [
        ("links/H1->S/rate_bps", 424e6),
        ("links/0/rate_bps", 424e6),
        ("nodes/S/max_packets", 1.0),
        ("vcs/f1/hops/1/dropped_packets", 0.0),
        ("manifest/scenario/duration_ps", 1e9),
    ] {
        let mark = of_path(path, "least = 0");
        assert_eq!((mark.found, mark.right), (Some(found), true), "{}", mark.text);
    }
}

/// Claim: a path that leads to no number is wrong whatever the range, and says where it ends and
/// what there is.
#[test]
fn an_unknown_path_is_reported() {
    for (path, says) in [
        ("vcs/f2/throughput_bps", "`vcs` has no `f2` (f1), expected"),
        ("vsc/f1", "the document of the run has no `vsc` (classes, counted_in, end_ps,"),
        ("vcs/f1/name", "`vcs/f1/name` is a text, not a number, expected"),
        ("vcs", "`vcs` is a list, not a number"),
        ("manifest/title", "`manifest/title` is `null`: the run has no such value, expected"),
        (
            "manifest/title/length",
            "`manifest/title` is `null`: the run has no such value, expected",
        ),
        ("vcs/f1/throughput_bps/mean", "`vcs/f1/throughput_bps` has no `mean`"),
        ("", "the document of the run has no ``"),
    ] {
        let mark = of_path(path, "least = -1e30");
        assert!(!mark.right && mark.found.is_none(), "{path}");
        assert!(mark.text.contains(says), "{}", mark.text);
    }
}

/// Claim: the table changes nothing of the run, of its digest or of the document.
#[test]
fn the_table_changes_nothing_of_the_run() {
    let document = |text: &str| {
        let scenario = Scenario::from_toml(text, "exercise.toml").unwrap();
        let result = run(&scenario, &RunOptions::default()).unwrap();
        serde_json::to_value(result.document()).unwrap()
    };
    let table = "[expect]\ntask = \"?\"\ndigest = \"0123456789abcdef\"\n";
    assert_eq!(document(BASE), document(&format!("{BASE}{table}")));
}
