//! Equal paths as the command shows them: eight flows at 90 % between the pods of a fat tree.

use super::*;

const FAT_TREE: &str = r#"
version = 2
duration = "50 us"
[[topology]]
kind = "fat-tree"
k = 4
rate = "400 Gb/s"
delay = "500 ns"
[[flow]]
name = "F{}"
count = 8
from = "H{}"
to = "H{+8}"
packet = "1500 B"
source = { kind = "constant", rate = "360 Gb/s" }
exact-phase = true
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tree.toml"), FAT_TREE).expect("it can be written");
    folder
}

/// The lines that begin with this.
fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().map(str::trim).filter(|line| line.starts_with(start)).collect()
}

/// Claim: `check` names the rule, its seed, and the hottest link with its flows, and warns of the
/// collision; it does not say that all is fine without a warning.
#[test]
fn check_names_the_hottest_link() {
    let folder = folder();
    let here = folder.path();
    let (out, err) = ends(here, 0, &["check", "tree.toml"]);
    let words = "  routes: ecmp by seed 1; 8 of 8 VCs have equal paths\n  hottest link under equal \
                 paths: P1E1->P1A1 at 180 % of its rate (2 VCs: F1, F2); split evenly, the fullest \
                 would be at 90 %\n";
    assert!(out.contains(words), "{out}");
    assert!(!out.contains("0 warnings"), "{out}");
    assert!(err.contains("HF0113") && err.contains("2 flows collide on `P1E1->P1A1`"), "{err}");
    let (out, _) = ends(here, 0, &["check", "tree.toml", "--set", "routing=first"]);
    assert!(out.contains("P1A1->C1 at 360 % of its rate (4 VCs: F1, F2, F3, F4)"), "{out}");
    assert!(out.contains("1 warning;"), "{out}");
    let (out, err) = ends(here, 0, &["check", "tree.toml", "--set", "routing=d-mod-k"]);
    assert!(out.contains("0 warnings;") && err.is_empty(), "{out}{err}");
    let words = "  routes: d-mod-k; 8 of 8 VCs have equal paths\n  hottest link under equal paths: \
                 P1E1->P1A1 at 90 % of its rate (1 VC: F1); split evenly, the fullest would be at \
                 90 %\n";
    assert!(out.contains(words), "{out}");
}

/// Claim: `check` says which sources draw a phase, by which seed, and what turns it off; nothing
/// where none does.
#[test]
fn check_names_sources_with_phases() {
    let folder = folder();
    let here = folder.path();
    let exact = ends(here, 0, &["check", "tree.toml"]).0;
    assert!(!exact.contains("phases:"), "{exact}");
    let drawn = FAT_TREE.replace("exact-phase = true", "exact-phase = false");
    std::fs::write(here.join("drawn.toml"), drawn).unwrap();
    let (out, _) = ends(here, 0, &["check", "drawn.toml", "--set", "seed=7"]);
    let words = "  phases: sources of equal packet gaps begin at random within one gap after their \
                 start, by seed 7: 8 VCs: F1, F2, F3, F4, F5, F6, F7, F8; `exact-phase = true` \
                 turns it off\n";
    assert!(out.contains(words), "{out}");
    let json = ends(here, 0, &["check", "drawn.toml", "--format", "json"]).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["files"][0]["vcs_with_phases"], 8);
}

/// Claim: JSON of `check` has the same.
#[test]
fn check_has_routes_in_json() {
    let folder = folder();
    let arguments = ["check", "tree.toml", "--set", "route-seed=7", "--format", "json"];
    let found: Value = serde_json::from_str(&ends(folder.path(), 0, &arguments).0).unwrap();
    let routing = &found["files"][0]["routing"];
    assert_eq!((&routing["kind"], &routing["seed"]), (&"ecmp".into(), &"7".into()));
    assert_eq!((&routing["pinned"], &routing["vcs_with_equal_paths"]), (&true.into(), &8.into()));
    let hottest = &routing["hottest"];
    assert_eq!(hottest["link"], "P2A1->C1");
    assert_eq!(hottest["vcs"], serde_json::json!(["F6", "F7", "F8"]));
    for (key, value) in [("load", 2.7), ("even_load", 0.9)] {
        assert!((hottest[key].as_f64().unwrap() - value).abs() < 1e-9, "{hottest}");
    }
}

/// Claim: `run` says that shares are those on these routes, and has beside them what an even split
/// gives, which is all that is offered. It never shows the shares alone.
#[test]
fn shares_are_on_these_routes() {
    let folder = folder();
    let here = folder.path();
    let (out, _) = ends(here, 0, &["run", "tree.toml", "--no-directory"]);
    assert!(out.contains("Max-min fair shares on these routes: Jain index"), "{out}");
    assert!(!out.contains("Max-min fair shares: Jain index"), "{out}");
    assert!(out.contains("share if split evenly"), "{out}");
    let row = |line: &&str| line.contains("P1E1->P1A1") && line.ends_with("360 Gb/s");
    assert_eq!(lines(&out, "F1 ").iter().filter(|line| row(line)).count(), 1, "{out}");
    let share = |line: &&str| line.contains("200 Gb/s");
    assert_eq!(lines(&out, "F2 ").iter().filter(|line| share(line)).count(), 1, "{out}");
    let even = ["run", "tree.toml", "--no-directory", "--set", "routing=d-mod-k"];
    let (out, _) = ends(here, 0, &even);
    // Nothing is contested: no shares, and each flow has what it offers but for its first packets.
    assert!(!out.contains("fair shares"), "{out}");
    assert!(lines(&out, "F8 ")[0].contains("337.2 Gb/s"), "{out}");
}

/// Claim: the scenario that is kept with results repeats their routes, also those of `--seed`.
#[test]
fn the_kept_scenario_repeats_the_routes() {
    let folder = folder();
    let here = folder.path();
    let routes = |run: &str| {
        let text = std::fs::read_to_string(here.join(run).join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let scenario = &manifest["scenario"];
        assert_eq!(scenario["routing"]["seed"], 7);
        let hops = scenario["flows"].as_array().unwrap().iter().map(|flow| flow["hops"].clone());
        (manifest["digest"].clone(), hops.collect::<Vec<Value>>())
    };
    ends(here, 0, &["run", "tree.toml", "--seed", "7", "--out", "first"]);
    ends(here, 0, &["run", "first/scenario.toml", "--out", "again"]);
    assert_eq!(routes("first"), routes("again"));
    ends(here, 0, &["run", "tree.toml", "--set", "route-seed=7", "--out", "pinned"]);
    assert_eq!(routes("first"), routes("pinned"));
    // Beyond what a file can hold, the seed still chooses.
    ends(here, 0, &["run", "tree.toml", "--seed", "18446744073709551615", "--no-directory"]);
}
