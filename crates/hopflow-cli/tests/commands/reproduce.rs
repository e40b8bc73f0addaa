//! `hopflow reproduce` as a user meets it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::ends;

fn json(here: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&ends(here, 0, args).0).expect("it is JSON")
}

/// Claim: one figure is reproduced from the command line, with a report and exit 0, and its
/// scenarios can be written and run.
#[test]
fn a_figure_is_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let args = ["reproduce", "kung94.fig14", "--format", "json", "-q"];
    let document: Value = serde_json::from_str(&ends(here, 0, &args).0).unwrap();
    let claims = document["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["id"] == "kung94.fig14.vc1.share"), "{claims:?}");
    assert!(here.join("report.html").exists());
    assert!(claims.iter().any(|claim| claim["id"] == "kung94.fig16.vc1.swing"), "{claims:?}");
    let page = std::fs::read_to_string(here.join("report.html")).unwrap();
    assert!(page.contains("Figure 14: the network"));
    let error = ends(here, 2, &["reproduce", "kung94.fig14", "--set", "flow.VC1.control.n3=77"]).1;
    let way_out = "`hopflow run DIR/kung94-fig14.toml --set flow.VC1.control.n3=77`";
    assert!(error.contains(way_out) && !error.contains("tip:"), "{error}");
    assert!(!ends(here, 2, &["size", "--length", "3"]).1.contains("-- --length"));
    let args = ["reproduce", "kung94.fig14", "--write-scenarios", "s"];
    let written = ends(here, 0, &args).0;
    let first = written.lines().next().unwrap();
    ends(here, 0, &["run", first, "--no-directory", "-q"]);
}

/// Claim: a written scenario of [Cai97] is the run whose queues are printed, so it has no warm-up:
/// a shorter run of it is one, too.
#[test]
fn written_scenarios_can_be_shortened() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let files = ends(here, 0, &["reproduce", "cai97.table1", "--write-scenarios", "s"]).0;
    for file in ["s/cai97-conf1-not-held-30.toml", "s/cai97-conf2-without-10.toml"] {
        assert!(files.lines().any(|line| line == file), "{files}");
        ends(here, 0, &["run", file, "--duration", "50 ms", "--no-directory", "-q"]);
    }
}

/// Claim: wider bands are written as a file of each experiment that names program and command, and
/// are written again in its place; nothing else is replaced. Their scenarios can be written. What
/// has none is refused with those that have some.
#[test]
fn wider_bands_are_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let command = ["reproduce", "roberts96.fig2", "--bands", "-q"];
    let table = ends(here, 0, &command).0;
    let line = table.lines().find(|line| line.contains("Figure 2")).unwrap();
    assert!(line.contains("near the destination, QT = "), "{table}");
    let file = std::fs::read_to_string(here.join("bands/roberts96.fig1.csv")).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    assert!(lines[0].starts_with("# hopflow "), "{file}");
    assert_eq!(lines[1], "# hopflow reproduce roberts96.fig1 --bands");
    assert_eq!(lines.len(), 3 + 13 * 4, "thirteen settings of four numbers");
    let document = json(here, &[&command[..], &["--format", "json", "--out", "bands"]].concat());
    assert_eq!(document["bands"].as_array().unwrap().len(), 13 * 4);
    assert_eq!(document["joint"][0]["settings"], 13);
    let csv = ends(here, 0, &[&command[..], &["--format", "csv"]].concat()).0;
    assert_eq!(csv, lines[2..].join("\n") + "\n");
    std::fs::write(here.join("bands/roberts96.fig1.csv"), "mine").unwrap();
    let error = ends(here, 2, &command).1;
    assert!(error.contains("so it is not replaced"), "{error}");
    let error = ends(here, 2, &["reproduce", "kung94", "--bands"]).1;
    assert!(error.contains("`zhang90.test2`"), "{error}");
    let args = ["reproduce", "roberts96", "--bands", "--write-scenarios", "s"];
    let written = ends(here, 0, &args).0;
    assert!(written.contains("qt70-far+0-late+0.toml"), "{written}");
}

/// Claim: the output begins with the numbers that the papers print, in text and in JSON from the
/// same counts, and every claim says its kind, when its range was written and its domain.
#[test]
fn the_headline_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ids = ["reproduce", "kung94.fig14", "zhang90.fig1", "-q"];
    let document = json(here, &[&ids[..], &["--format", "json"]].concat());
    let [row] = document["headline"].as_array().unwrap().as_slice() else { panic!("{document}") };
    let count = |key: &str| row[key].as_u64().unwrap();
    assert_eq!(row["paper"], "kung94", "the worked example of zhang90 is not printed");
    let parts =
        ["reproduced", "another_reading", "ambiguous", "fitted", "too_wide", "slips", "none"]
            .map(count);
    assert_eq!(count("printed"), parts.iter().sum::<u64>());
    assert!(count("reproduced") > 0, "{row}");
    for claim in document["claims"].as_array().unwrap() {
        let kinds = ["printed", "sentence", "derived", "own", "other-tool"];
        assert!(kinds.contains(&claim["kind"].as_str().unwrap()), "{claim}");
        assert!(["before", "after"].contains(&claim["range_written"].as_str().unwrap()));
        assert_eq!(claim["domain"].as_array().unwrap().len(), 2);
        assert!(claim.get("fitted").is_some(), "{claim}");
    }
    let numbers = document["numbers"].as_array().unwrap();
    assert_eq!(numbers.len() as u64, count("printed"));
    assert!(numbers.iter().any(|one| one["verdict"] == "reproduced" && one["claim"].is_string()));
    let table = ends(here, 0, &ids).0;
    assert!(table.starts_with("Each number printed in a paper"), "{table}");
    let line = table.lines().find(|line| line.trim_start().starts_with("kung94 ")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells[1], count("printed").to_string(), "{line}");
}

/// Claim: several experiments, and one claim of an experiment: the tables are in the order of the
/// papers and the same on any number of threads; stderr has one line for each experiment, and none
/// with `--quiet`.
#[test]
fn several_ids_are_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ids = ["reproduce", "kung94.fig14.vc1.share", "kung94.fig6", "zhang90.fig1"];
    let on = |threads: &str| ends(here, 0, &[&ids[..], &["--threads", threads]].concat());
    let (one, two) = (on("1"), on("2"));
    assert_eq!(one.0, two.0);
    let table = &one.0;
    let place = |claim: &str| table.find(claim).unwrap_or_else(|| panic!("{claim} in\n{table}"));
    let claims = ["zhang90.fig1.", "kung94.fig6.", "kung94.fig14.vc1.share"].map(place);
    assert!(claims.is_sorted(), "{claims:?}");
    assert!(!table.contains("kung94.fig14.vc2"), "only the claim that was asked for\n{table}");
    for row in ["\nzhang90: Figure 1 ", "\nkung94: Figure 6 ", "\nkung94: Figure 14, "] {
        assert_eq!(two.1.matches(row).count(), 1, "{row:?} in\n{}", two.1);
    }
    let quiet = ends(here, 0, &["reproduce", "kung94.fig6", "--quiet"]);
    assert_eq!(quiet.1, "");
}

/// Claim: `--list` runs nothing, and has the runs, the simulated time and the cells of the plan.
#[test]
fn the_experiments_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let list = json(here, &["reproduce", "--list", "kung94.fig14", "debate", "--format", "json"]);
    let ids: Vec<&Value> =
        list["experiments"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    let debate = ["debate.lan", "debate.bursts", "debate.heirs", "debate.headroom"];
    assert_eq!(ids[0], "kung94.fig14");
    assert_eq!(ids[1..], debate);
    let fig14 = &list["experiments"][0];
    assert_eq!(
        (&fig14["runs"], &fig14["title"]),
        (&Value::from(1), &Value::from("kung94: Figure 14, Figure 15, Figure 16"),)
    );
    assert!(fig14["cells"].as_u64().unwrap() > 1_000, "{fig14}");
    assert_eq!(fig14["claims"].as_array().unwrap().len(), 30, "those of all its figures");
    let table = ends(here, 0, &["reproduce", "--list"]).0;
    assert!(table.contains(" cai97.table1 "), "{table}");
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 0);
}

/// Claim: `--times` prints a row for each paper and one for all, with the seconds that each took.
#[test]
fn papers_are_timed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ids = ["reproduce", "--times", "kung94.fig14", "zhang90.fig1", "-q"];
    let times = json(here, &[&ids[..], &["--format", "json"]].concat());
    let papers = times["papers"].as_array().unwrap();
    assert_eq!((&papers[0]["paper"], &papers[1]["paper"]), (&"zhang90".into(), &"kung94".into()));
    assert_eq!(papers[1]["claims"], 30);
    for paper in papers {
        let [first, wall] = ["first_s", "wall_s"].map(|key| paper[key].as_f64().unwrap());
        assert!(0.0 <= first && first <= wall, "{paper}");
    }
    let csv = ends(here, 0, &[&ids[..], &["--format", "csv"]].concat()).0;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().last().unwrap().starts_with("all,2,43,"), "{csv}");
}

/// Claim: Ctrl-C after the first result keeps it: exit 130, the table and a page that say that they
/// are incomplete, and the complete page of before as it was.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let before = "<meta name=\"generator\" content=\"hopflow 0\"> of before";
    std::fs::write(here.join("report.html"), before).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(here).args(["reproduce", "--format", "json", "--threads", "2"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        line
    };
    assert!(line().starts_with("experiment "));
    let first = line();
    let (title, _) = first.split_once("  ").unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(rest.contains("experiments are done.\n"), "{rest}");
    assert!(rest.contains("report.incomplete.html"), "{rest}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["complete"], false);
    assert!(!document["claims"].as_array().unwrap().is_empty());
    let read = |file: &str| std::fs::read_to_string(here.join(file)).unwrap();
    assert_eq!(read("report.html"), before);
    let page = read("report.incomplete.html");
    assert!(page.contains("<title>Incomplete: "), "{}", &page[..500]);
    let (_, places) = title.split_once(": ").unwrap();
    assert!(page.contains(places), "{title} is on the page");
}
