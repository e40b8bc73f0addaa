//! Claims about lanes of credit, as a user meets them: what `check` warns of, and what a run does.

use std::path::Path;

use serde_json::Value;

use super::ends;

/// Three hosts send into one over a switch that holds 20 cells.
const INCAST: &str = r#"
version = 2
duration = "100 us"
[defaults.link]
rate = "100 Gb/s"
delay = "100 m"
lanes = { priorities = [0], block = "53 B", buffer = "auto" }
[[switch]]
name = "S"
buffer = "20 cells"
[[host]]
name = "H{}"
count = 3
[[host]]
name = "R"
[[link]]
between = ["H{}", "S"]
count = 3
[[link]]
between = ["S", "R"]
[[flow]]
name = "F{}"
count = 3
from = "H{}"
to = "R"
"#;

/// 200 Gb/s over 100 m with packets of 4160 B, each 33 blocks of 128 B.
const SPACED: &str = r#"
version = 2
duration = "100 us"
warm-up = "20 us"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "200 Gb/s"
delay = "100 m"
lanes = { kind = "cbfc", priorities = [0], buffer = 231 }
[[flow]]
name = "F"
route = ["A", "B"]
packet = "4160 B"
"#;

fn written(folder: &Path, text: &str) {
    std::fs::write(folder.join("lanes.toml"), text).expect("a file");
}

/// What a message says, without its frame.
fn words(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Claim: a node that holds less than a lane promises is a warning, and packets that it loses break
/// a property of the run, as under the credit of a VC.
#[test]
fn a_node_that_holds_less_than_its_lanes_promise_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    written(here, INCAST);
    let err = words(&ends(here, 0, &["check", "lanes.toml"]).1);
    assert!(
        err.contains("HF0052") && err.contains("but `S` holds 20: packets may be lost"),
        "{err}"
    );
    assert!(err.contains("raise the buffer of the node to \"") && err.contains("more"), "{err}");
    let (out, err) = ends(here, 1, &["run", "lanes.toml", "--out", "lost"]);
    let said = words(&format!("{out} {err}"));
    assert!(said.contains("although the lane has promised room"), "{said}");
    written(here, &INCAST.replace("\"20 cells\"", "\"2 MB\""));
    let err = ends(here, 0, &["check", "lanes.toml"]).1;
    assert!(!err.contains("HF0052"), "{err}");
    ends(here, 0, &["run", "lanes.toml", "--out", "whole"]);
}

/// Claim: credits that are spaced reach a rate between those of a loop with all of the spacing and
/// with none. 7 packets are in R = 166.4 + 1000 + 2.12 ns and 256 ns of spacing, 1.42452 us: 163
/// Gb/s, or 199 without. The run lies between, and the warning says so.
#[test]
fn spaced_credits_below_the_loop_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    written(here, SPACED);
    let err = words(&ends(here, 0, &["check", "lanes.toml"]).1);
    let says = "a loop of 1.42452 us at 200 Gb/s needs 297: it carries from 163 Gb/s to 199 Gb/s";
    assert!(err.contains(says), "{err}");
    let json = ends(here, 0, &["run", "lanes.toml", "--out", "run", "--format", "json"]).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let busy = json["links"][0]["busy_share"].as_f64().unwrap();
    assert!((163.0 / 200.0..199.0 / 200.0).contains(&busy), "{busy}");
    written(here, &SPACED.replace("buffer = 231", "buffer = 297"));
    let (out, _) = ends(here, 0, &["check", "lanes.toml"]);
    assert!(out.contains("0 warnings"), "{out}");
}
