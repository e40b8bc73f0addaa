//! Sweeps that go on after what they read has changed, and runs of several seeds where nothing is
//! random.

use std::path::Path;

use serde_json::Value;

use super::ends;

/// A flow that replays a file, over 100 Mb/s; nothing is random.
fn scenario(here: &Path) {
    let text = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"100 Mb/s\"\n\
         delay = \"1 us\"\n[[host]]\nname = \"A\"\n[[switch]]\nname = \"S\"\n\
         [[host]]\nname = \"B\"\n[[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\n\
         between = [\"S\", \"B\"]\n[[flow]]\nname = \"F\"\nroute = [\"A\", \"S\", \"B\"]\n\
         source = { kind = \"replay\", file = \"t.csv\" }\n";
    std::fs::write(here.join("s.toml"), text).expect("it works");
    for name in ["t.csv", "u.csv"] {
        times(here, name, 3);
    }
}

fn times(here: &Path, name: &str, packets: u64) {
    let lines: Vec<String> = (0..packets).map(|k| format!("{}\n", 10 * k)).collect();
    let lines = lines.concat();
    std::fs::write(here.join(name), format!("time_us\n{lines}")).expect("it works");
}

const FILES: &str = "flow.F.source.file=t.csv,u.csv";

/// The rates of the points. A cell has 424 bits, so k cells in 1 ms are 0.424 k Mb/s.
fn rates(here: &Path, args: &[&str]) -> (Vec<f64>, Value) {
    let json = ends(here, 0, &[args, &["-q", "--format", "json"]].concat()).0;
    let document: Value = serde_json::from_str(&json).expect("it works");
    let points = document["estimates"].as_array().expect("it works").iter();
    let mean =
        |point: &Value| point["measures"]["throughput_bps"]["mean"].as_f64().expect("it works");
    (points.map(mean).collect(), document)
}

/// Claim, by hand: three cells in 1 ms are 1.272 Mb/s, five are 2.12 Mb/s. After a change of the
/// file that only the second point names, the same command runs that point again and says so; so
/// does `compact`, which leaves it out, and a worker of a job array is given it. `--force` begins
/// anew.
#[test]
fn a_changed_file_is_run_again() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    scenario(here);
    let sweep = ["sweep", "s.toml", "--axis", FILES, "--out", "o"];
    let (found, document) = rates(here, &sweep);
    assert_eq!(found, [1.272e6, 1.272e6]);
    assert_eq!(document["stale"], serde_json::json!({"program": 0, "input": 0, "why": null}));
    times(here, "u.csv", 5);
    let (found, document) = rates(here, &sweep);
    assert_eq!((found, document["stale"]["input"].as_u64()), (vec![1.272e6, 2.12e6], Some(1)));
    assert!(document["stale"]["why"].as_str().expect("it works").contains("other contents"));
    times(here, "u.csv", 4);
    let said = ends(here, 0, &["sweep", "compact", "o"]).1;
    assert!(said.contains("note: 1 stored runs are stale") && said.contains("1 runs: "), "{said}");
    assert!(said.contains("Runs lack"), "{said}");
    let (_, said) = ends(here, 0, &sweep);
    assert!(said.contains("1 runs in") && said.contains("1 were there before"), "{said}");
    times(here, "u.csv", 2);
    let (_, said) = ends(here, 0, &sweep);
    let why = "1 stored runs are stale and are run again: 1 differ in what they read";
    assert_eq!(said.matches(why).count(), 2, "at the beginning and in the last line: {said}");
    times(here, "u.csv", 5);
    let slurm = [&sweep[..], &["--engine", "slurm", "--tasks", "1"]].concat();
    assert!(ends(here, 0, &slurm).1.contains("1 batches for 1 tasks"));
    ends(here, 0, &["sweep", "batch", "o", "--task", "0", "--of", "1"]);
    ends(here, 0, &["sweep", "compact", "o", "-q"]);
    assert_eq!(rates(here, &sweep).0, [1.272e6, 2.12e6]);
    let (out, said) = ends(here, 0, &["sweep", "status", "o", "-q"]);
    assert!(out.contains("u.csv") && said.is_empty(), "{said}");
    let other = ["sweep", "s.toml", "--axis", "flow.F.source.file=u.csv", "--out", "o"];
    assert!(ends(here, 2, &other).1.contains("holds another sweep"));
    assert_eq!(rates(here, &[&other[..], &["--force"]].concat()).0, [2.12e6]);
}

/// Claim: rows of another program are run again, and the command says how many; a plan of another
/// program is refused by a worker.
#[test]
fn another_program_runs_again() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    scenario(here);
    let sweep = ["sweep", "s.toml", "--axis", FILES, "--out", "o"];
    let bytes = || std::fs::read(here.join("o/runs.parquet")).expect("it works");
    ends(here, 0, &sweep);
    let expected = bytes();
    let file = here.join("o/sweep.json");
    let text = std::fs::read_to_string(&file).expect("it works");
    let plan: Value = serde_json::from_str(&text).expect("it works");
    let program = plan["program"].as_str().expect("it works");
    let version = format!("hopflow {}, sources ", env!("CARGO_PKG_VERSION"));
    assert!(program.starts_with(&version), "{program}");
    std::fs::write(&file, text.replace(program, "hopflow 0.0.9, commit 0123")).expect("it works");
    let said = ends(here, 2, &["sweep", "batch", "o", "--task", "0", "--of", "1"]).1;
    assert!(said.contains("commit 0123") && said.contains("install the same"), "{said}");
    // Its own rows are of this program, whatever the plan says.
    let (_, said) = ends(here, 0, &sweep);
    assert!(said.contains("0 runs in") && !said.contains("stale"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).expect("it works"), text);
    assert!(bytes() == expected);
}

/// Claim: `sweep` makes one run at each point where nothing is random, and `run --seeds` one run;
/// both say so, and neither prints an interval.
#[test]
fn seeds_without_chance_are_one_run() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    scenario(here);
    let sweep = ["sweep", "s.toml", "--axis", FILES, "--out", "o", "--seeds", "10"];
    let (table, said) = ends(here, 0, &sweep);
    assert!(said.contains("2 runs in") && !table.contains('\u{b1}'), "{table}{said}");
    assert!(said.contains("Nothing is random: all 10 seeds give the same run"), "{said}");
    assert!(ends(here, 0, &["sweep", "status", "o"]).1.contains("2 of 2 runs"));
    let page = std::fs::read_to_string(here.join("o/report.html")).expect("it works");
    assert!(page.contains("Nothing is random") && !page.contains("95 % confidence"));
    let corrupt = [&sweep[..4], &["--set", "defaults.link.corrupt-data=0.1"]].concat();
    let corrupt = [&corrupt[..], &["--out", "p", "--seeds", "10"]].concat();
    let (table, said) = ends(here, 0, &corrupt);
    assert!(said.contains("20 runs in") && table.contains('\u{b1}'), "{table}{said}");
    assert!(!said.contains("Nothing is random"), "{said}");
    let run = ["run", "s.toml", "--seeds", "300", "--no-directory"];
    let (_, said) = ends(here, 0, &run);
    assert!(said.contains("Nothing is random: two seeds gave the same run"), "{said}");
    let json = ends(here, 0, &[&run[..], &["-q", "--format", "json"]].concat()).0;
    let document: Value = serde_json::from_str(&json).expect("it works");
    assert_eq!(
        (&document["seeds"], &document["manifest"]["certain"]),
        (&vec!["1"].into(), &true.into())
    );
    assert!(document["estimates"][0]["interval"].is_null());
}

/// Claim: an axis of values that are no scenario is one warning before the first run, also of a dry
/// run, and none when the sweep goes on: the rows say it then.
#[test]
fn an_axis_of_wrong_values_is_one_warning() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    scenario(here);
    let axis = "flow.F.priority=0..29/30";
    let (_, said) = ends(here, 1, &["sweep", "s.toml", "--axis", axis, "--out", "o"]);
    assert_eq!(said.matches("warning: `--axis").count(), 1, "{said}");
    assert!(said.contains("of 20 values that were tried, 14 are no valid scenario"), "{said}");
    let dry = ["sweep", "s.toml", "--axis", axis, "--out", "o", "--dry-run"];
    assert_eq!(ends(here, 0, &dry).1.matches("warning: `--axis").count(), 1);
    let (_, said) = ends(here, 1, &["sweep", "s.toml", "--axis", axis, "--out", "o"]);
    assert!(said.contains("0 runs in") && !said.contains("warning: `--axis"), "{said}");
    let force = ["sweep", "s.toml", "--axis", axis, "--out", "o", "--force"];
    std::fs::write(here.join("o/letter.txt"), "dear").expect("it works");
    let (_, said) = ends(here, 2, &force);
    assert!(said.contains("error: `letter.txt` in `o` is not of the sweep"), "{said}");
    std::fs::remove_file(here.join("o/letter.txt")).expect("it works");
    let (_, said) = ends(here, 1, &force);
    assert!(said.contains("30 runs in"), "nothing was lost or kept: {said}");
    assert_eq!(said.matches("warning: `--axis").count(), 1, "{said}");
    let fine = ["sweep", "s.toml", "--axis", "flow.F.weight=1..30/30", "--out", "p"];
    assert!(!ends(here, 0, &fine).1.contains("warning"));
}

/// Claim: an axis of fractions on a key of whole numbers is one error before anything is written,
/// also with `--dry-run`, and with `--force` before the sweep of the directory is removed.
#[test]
fn an_axis_of_fractions_on_whole_numbers_is_refused() {
    let folder = tempfile::tempdir().expect("it works");
    let here = folder.path();
    scenario(here);
    let axis = "flow.F.weight=log 1..155.0/30";
    let sweep = ["sweep", "s.toml", "--axis", axis, "--out", "o"];
    for args in [&sweep[..], &[&sweep[..], &["--dry-run"]].concat()] {
        let (said, why) = ends(here, 2, args);
        assert!(said.is_empty(), "{said}");
        assert!(
            why.contains("29 of 30 values are fractions, which the key does not take"),
            "{why}"
        );
        assert!(why.contains("write both ends of the range without a decimal point"), "{why}");
        assert!(!here.join("o").exists());
    }
    let whole = ["sweep", "s.toml", "--axis", "flow.F.weight=1,2", "--out", "o", "-q"];
    ends(here, 0, &whole);
    ends(here, 2, &[&sweep[..], &["--force"]].concat());
    assert!(here.join("o/runs.parquet").is_file());
}
