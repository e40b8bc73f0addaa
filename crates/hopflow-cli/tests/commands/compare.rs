//! `hopflow compare` as a user sees it: golden outputs, each with a sentence that must appear and
//! one that must not.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{ends, example};

/// Three CUBIC flows into one geostationary link: 270 ms one way, 20 Mb/s.
const GEO: &str = r#"version = 2
title = "Three CUBIC flows over a geostationary link"
duration = "20 s"
[defaults.link]
rate = "50 Mb/s"
delay = "1 ms"
[defaults.switch]
buffer = "4000 cells"
[[host]]
name = "A{}"
count = 3
[[host]]
name = "B"
[[switch]]
name = "S{}"
count = 2
[[link]]
between = ["A{}", "S1"]
count = 3
rate = "100 Mb/s"
[[link]]
between = ["S1", "S2"]
rate = "20 Mb/s"
delay = "270 ms"
[[link]]
between = ["S2", "B"]
[[flow]]
name = "tcp{}"
count = 3
from = "A{}"
to = "B"
framing = "aal5"
source = { kind = "tcp", variant = "cubic", window = "4 MB" }
"#;

/// What was printed is what the file `golden/NAME.txt` holds; `HOPFLOW_WRITE_GOLDEN` writes it.
/// The time that runs took is left out.
fn golden(name: &str, out: &str, err: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/golden");
    let path: PathBuf = folder.join(format!("{name}.txt"));
    let is_kept = |line: &&str| !line.contains("of simulated time each, in ");
    let kept: Vec<&str> = err.lines().filter(is_kept).collect();
    let lines = out.lines().chain(kept).map(str::trim_end);
    let printed = lines.collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("HOPFLOW_WRITE_GOLDEN").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder of the repository");
        std::fs::write(&path, &printed).expect("written");
    }
    let expected = std::fs::read_to_string(&path).expect("it was written once");
    assert_eq!(printed, expected, "HOPFLOW_WRITE_GOLDEN=1 writes {}", path.display());
}

fn document(here: &Path, args: &[&str]) -> Value {
    let json = ["--no-directory", "-q", "--format", "json"];
    serde_json::from_str(&ends(here, 0, &[args, &json].concat()).0).expect("JSON")
}

/// Claim: the comparison of the README. Drop tail loses 38 %; PFC and credit have sizes and lose
/// nothing, so no note says that a lossless control lost.
#[test]
fn the_comparison_of_the_readme() {
    let folder = tempfile::tempdir().unwrap();
    let compare = ["compare", &example("victim"), "--no-directory"];
    let (out, err) = ends(folder.path(), 0, &compare);
    golden("victim", &out, &err);
    assert!(out.contains("38.44 %") && !err.contains("should lose nothing"), "{out}{err}");
}

/// Claim: the built-in PFC is sized: it lost 29 % of this traffic with XOFF at 100 cells. Fair
/// queueing of flows with one weight and one size is the run of round robin, which is reported.
#[test]
fn pfc_is_sized_and_a_scheduler_that_changes_nothing_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let controls = "--control=none,n23,adaptive,pfc,lanes,wfq,efci";
    let compare = ["compare", &example("controls"), "--no-directory", controls];
    let (out, err) = ends(folder.path(), 0, &compare);
    golden("controls", &out, &err);
    let exact = ["compare", &example("controls"), "--no-directory", "--control=none,wfq"];
    let exact = [&exact[..], &["--set", "jitter=exact"]].concat();
    let (_, same) = ends(folder.path(), 0, &exact);
    assert!(same.contains("`drop-tail` and `wfq` made the same run"), "{same}");
    assert!(!err.contains("`pfc` should lose nothing"), "{err}");
    let lost = |control: &str| {
        let row = out.lines().find(|line| line.trim_start().starts_with(control)).unwrap();
        row.split_whitespace().nth(5).unwrap().to_owned()
    };
    assert_eq!([lost("pfc"), lost("lanes"), lost("n23")], ["0", "0", "0"].map(str::to_owned));
}

/// Claim: over a satellite a control that does not fit has a row with its need in all, which is
/// more than the error has for one VC; the others run, and the exit code is 0. With the memory that
/// is reported as needed, it fits and loses nothing.
#[test]
fn a_control_that_does_not_fit_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("geo.toml"), GEO).unwrap();
    let controls = "--control=drop-tail,n23,vs-vd";
    let (out, err) = ends(here, 0, &["compare", "geo.toml", controls, "--no-directory"]);
    golden("geo", &out, &err);
    assert!(err.contains("It needs 77904 packets at `S1` in all."), "{err}");
    assert!(!err.contains("nothing was run or written"), "{err}");
    let all = document(here, &["compare", "geo.toml", controls, "--duration", "1 s"]);
    assert_eq!(all["unfit"][0]["needs"][0]["packets"], 77_904);
    assert_eq!(all["manifest"]["controls"], serde_json::json!(["drop-tail", "vs-vd"]));
    let notes = |all: &Value| {
        let notes = all["notes"].as_array().expect("a list").iter();
        notes.map(|note| note["cause"].as_str().expect("a word").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(notes(&all), ["admission", "does-not-fit"]);
    let room = ["--set", "defaults.switch.buffer=77904 cells", "--duration", "4 s"];
    let all = document(here, &[&["compare", "geo.toml", "--control=n23"][..], &room].concat());
    assert_eq!(all["unfit"], Value::Array(vec![]));
    assert!(notes(&all).iter().all(|cause| cause == "admission"), "{}", all["notes"]);
    assert_eq!(all["controls"][0]["lost_packets"], 0);
    let none = ["compare", "geo.toml", "--control=n23,pfc", "--no-directory"];
    let (out, err) = ends(here, 2, &none);
    assert!(out.is_empty() && err.contains("nothing was run or written"), "{out}{err}");
}

/// Claim: a mistake of the scenario itself is one error, however many controls are asked for.
#[test]
fn a_mistake_of_the_scenario_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let wrong = GEO.replace("[[switch]]\n", "[[switch]]\nbuffer = \"4 km\"\n");
    std::fs::write(here.join("wrong.toml"), wrong).unwrap();
    let controls = "--control=drop-tail,vs-vd,fifo";
    let (out, err) = ends(here, 2, &["compare", "wrong.toml", controls, "--no-directory"]);
    assert!(out.is_empty() && err.matches("4 km").count() <= 2, "{out}{err}");
    assert_eq!(err.matches("nothing was run or written").count(), 1, "{err}");
}

/// Claim: rows of TCP are those that each run tells alone, all connections together; and a control
/// that holds packets back holds them at their hosts: VS/VD has eight times the delay of drop tail,
/// but less than 275 ms of it in the network, where light takes 272 and cells 0.1.
#[test]
fn tcp_and_where_delay_is_spent_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("geo.toml"), GEO).unwrap();
    let compare = ["compare", "geo.toml", "--control=drop-tail,vs-vd", "-q", "--format", "json"];
    let all = ends(here, 0, &[&compare[..], &["--out", "all"]].concat()).0;
    let all: Value = serde_json::from_str(&all).unwrap();
    let run = ["run", "geo.toml", "--control=drop-tail", "--no-directory", "-q", "--format=json"];
    let alone: Value = serde_json::from_str(&ends(here, 0, &run).0).unwrap();
    let connections = alone["connections"].as_array().unwrap();
    let sum =
        |key: &str| connections.iter().map(|one| one["tcp"][key].as_f64().unwrap()).sum::<f64>();
    let tcp = &all["controls"][0]["tcp"];
    assert_eq!(tcp["connections"], 3);
    for key in ["goodput_bps", "segments", "retransmitted_segments", "timeouts"] {
        let total = tcp[key].as_f64().unwrap();
        assert!((total - sum(key)).abs() <= 1e-9 * total, "{key}: {total}");
    }
    assert!(tcp["retransmitted_segments"].as_u64().unwrap() > 0);
    let of = |control: usize, key: &str| all["controls"][control][key].as_f64().unwrap() / 1e9;
    assert!(of(1, "delay_mean_ps") > 8.0 * of(0, "delay_mean_ps"));
    assert!((272.0..275.0).contains(&of(1, "delay_network_ps")));
    let parts = of(1, "delay_host_ps") + of(1, "delay_network_ps");
    assert!((parts - of(1, "delay_mean_ps")).abs() < 1e-6, "{parts}");
    let page = std::fs::read_to_string(here.join("all/report.html")).unwrap();
    for part in ["Where delay is spent", "TCP connections together", "sent again"] {
        assert!(page.contains(part), "{part}");
    }
}

/// Claim: under several seeds each seed is the comparison that it gives alone, on any number of
/// threads; differences are to the first control, and the directory, CSV and report have them.
#[test]
fn several_seeds_are_compared_in_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("victim");
    let compare = ["compare", &file, "--duration", "1 ms", "--control", "as-is,credit"];
    let json = ["-q", "--format", "json", "--seeds", "3"];
    let with = |more: &[&str]| ends(here, 0, &[&compare[..], more].concat());
    let all = with(&[&json[..], &["--out", "three", "--threads", "1"]].concat()).0;
    assert_eq!(all, with(&[&json[..], &["--no-directory", "--threads", "4"]].concat()).0);
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["manifest"]["seeds"], serde_json::json!(["1", "2", "3"]));
    let alone = document(here, &[&compare[..], &["--seed", "2"]].concat());
    let stored = std::fs::read_to_string(here.join("three/seed-2.json")).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored["manifest"]["digest"], alone["manifest"]["digest"]);
    assert_eq!(stored["controls"][1]["delay_mean_ps"], alone["controls"][1]["delay_mean_ps"]);
    let rows = all["estimates"].as_array().unwrap();
    let row = |control: &str, quantity: &str| {
        let is_it = |row: &&Value| row["control"] == control && row["quantity"] == quantity;
        rows.iter().find(is_it).unwrap()
    };
    let lost = row("credit", "lost_share");
    assert_eq!(lost["values"], serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(lost["difference"]["differs"], true);
    let first = row("as-is", "lost_share");
    let less = lost["difference"]["mean"].as_f64().unwrap() + first["mean"].as_f64().unwrap();
    assert!(less.abs() < 1e-12 && first["difference"].is_null(), "{less}");
    for name in ["manifest.json", "differences.parquet", "values.parquet", "scenario.toml"] {
        assert!(here.join("three").join(name).exists(), "{name}");
    }
    let page = std::fs::read_to_string(here.join("three/report.html")).unwrap();
    assert!(page.contains("less as-is") && page.contains("Differences are paired"));
    assert!(ends(here, 2, &["report", "three"]).1.contains("several"));
    let (out, err) = with(&["--seeds", "2", "--no-directory"]);
    assert!(out.contains("less as-is") && out.contains("Sizes"), "{out}");
    assert!(!err.contains("nothing in the scenario is random"), "{err}");
    assert!(err.contains("Used: busy share of `"), "{err}");
    let csv = with(&["--seeds", "2", "--no-directory", "-q", "--format", "csv"]).0;
    assert!(csv.starts_with("control,quantity,count,mean,deviation,half_width,pairs,"), "{csv}");
    let same = ["compare", &example("controls"), "--control=n23", "--seeds=2", "--no-directory"];
    let exact = ["--set", "defaults.flow.exact-phase=true"];
    let err = ends(here, 0, &[&same[..], &exact].concat()).1;
    assert!(err.contains("All seeds gave the same runs"), "{err}");
    let wrong = ends(here, 2, &[&compare[..], &["--seeds", "0"]].concat()).1;
    assert!(wrong.contains("whole number of seeds"), "{wrong}");
}

/// A host that takes a quarter of its link and holds 100 packets, beside a victim.
const SLOW: &str = r#"version = 2
duration = "2 ms"
[defaults.link]
rate = "10 Gb/s"
delay = "1 us"

[defaults.switch]
buffer = "1280 cells"
[[link]]
between = ["A", "S"]
[[link]]
between = ["V", "S"]
[[link]]
between = ["S", "B"]
[[link]]
between = ["S", "W"]
[[host]]
name = "A"
[[host]]
name = "V"
[[host]]
name = "W"
[[switch]]
name = "S"
[[host]]
name = "B"
drain = "25 %"
receive-buffer = "100 cells"

[[flow]]
name = "a"
from = "A"
to = "B"
source = { kind = "greedy" }
[[flow]]
name = "b"
from = "V"
to = "W"
source = { kind = "greedy" }
"#;

/// Claim: sizes know the room of a slow host: PFC sized by the network loses nothing there, where
/// it lost 37 % with XOFF above the receive buffer; lanes that promise more than it holds say so.
#[test]
fn sizes_know_the_receive_buffer_of_a_slow_host() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("slow.toml"), SLOW).unwrap();
    let all = document(here, &["compare", "slow.toml", "--control=drop-tail,pfc"]);
    assert!(all["controls"][0]["lost_share"].as_f64().unwrap() > 0.3, "{all}");
    for one in all["controls"].as_array().unwrap() {
        let nodes = one["switches"].as_array().unwrap();
        let needed = |kind: &str| {
            let of = nodes.iter().filter(|node| node["kind"] == kind);
            of.map(|node| node["needed_packets"].as_u64().unwrap()).max().unwrap()
        };
        assert_eq!(one["needed_packets"], needed("switch"), "{one}");
        assert!(needed("host") > 0, "{one}");
    }
    assert_eq!(all["controls"][1]["lost_packets"], 0);
    let small = SLOW.replace("receive-buffer = \"100 cells\"", "receive-buffer = \"30 cells\"");
    assert_ne!(small, SLOW);
    std::fs::write(here.join("small.toml"), small).unwrap();
    // A loss breaks a property, so the exit code is 1.
    let json = ["--no-directory", "-q", "--format", "json"];
    let compare = [&["compare", "small.toml", "--control=lanes"][..], &json].concat();
    let lanes: Value = serde_json::from_str(&ends(here, 1, &compare).0).expect("JSON");
    let causes: Vec<&str> =
        lanes["notes"].as_array().unwrap().iter().map(|n| n["cause"].as_str().unwrap()).collect();
    assert!(causes.contains(&"over-promised") && causes.contains(&"lossless-lost"), "{causes:?}");
}
