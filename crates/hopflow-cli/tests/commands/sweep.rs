//! Sweeps as a user meets them: laid out, run, killed, gone on with, looked at.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use hopflow_sweep::{Outcome, each_row, each_whole_row, read_sweep};
use serde_json::Value;

use super::{ends, example, wait_for};

/// Small, and with losses that are drawn: about a millisecond of work.
fn scenario(here: &Path) {
    let text = "version = 2\nduration = \"1 ms\"\nseed = 7\n[defaults.link]\nrate = \"424 Mb/s\"\n\
         delay = \"10 us\"\ncorrupt-data = 0.05\n[[host]]\nname = \"A\"\n[[switch]]\nname = \"S\"\n\
         buffer = \"20 cells\"\n\
         [[host]]\nname = \"B\"\n[[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\n\
         between = [\"S\", \"B\"]\n[[flow]]\nname = \"VC1\"\nroute = [\"A\", \"S\", \"B\"]\n\
         source = { kind = \"constant\", rate = \"200 Mb/s\" }\n";
    std::fs::write(here.join("one.toml"), text).expect("a folder to write to");
}

const RATES: &str = "flow.VC1.source.rate=10..400 Mb/s/40";

/// Claim: a sweep prints its points and leaves a dataset, whose rows are the runs that `run` makes;
/// the same command again has nothing to do; another plan for the directory is refused; status and
/// compact know it.
#[test]
fn a_sweep_is_run_and_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let axes = ["--axis", "flow.VC1.source.rate=100 Mb/s,200 Mb/s", "--seeds", "3"];
    let sweep = [&["sweep", "one.toml", "--out", "s"][..], &axes].concat();
    let (table, said) = ends(here, 0, &sweep);
    assert!(table.contains("\u{b1}") && table.contains("200 Mb/s"), "{table}");
    assert!(said.contains("6 runs in"), "{said}");
    for file in ["sweep.json", "scenario.toml", "runs.parquet", "report.html"] {
        assert!(here.join("s").join(file).exists(), "{file}");
    }
    let bytes = std::fs::read(here.join("s/runs.parquet")).unwrap();
    assert!(ends(here, 0, &sweep).1.contains("0 runs in"));
    let shape = read_sweep(&here.join("s")).unwrap();
    let mut digests = Vec::new();
    each_row(&here.join("s"), &shape, &mut |row| {
        let Outcome::Complete { digest, .. } = &row.outcome else { panic!("{row:?}") };
        let (set, seed) = (shape.settings(row.point).swap_remove(0), row.seed.to_string());
        let run = ["run", "one.toml", "--set", &set, "--seed", &seed, "--no-directory", "-q"];
        let json = ends(here, 0, &[&run[..], &["--format", "json"]].concat()).0;
        let document: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(document["manifest"]["digest"], format!("{digest:016x}"));
        digests.push(*digest);
    })
    .unwrap();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 6);
    let again = [&["sweep", "one.toml", "--out", "t", "--threads", "1"][..], &axes].concat();
    ends(here, 0, &again);
    assert!(std::fs::read(here.join("t/runs.parquet")).unwrap() == bytes);
    let other = ["sweep", "one.toml", "--out", "s", "--seeds", "4"];
    let said = ends(here, 2, &other).1;
    assert!(said.contains("holds another sweep") && said.contains("--out"), "{said}");
    assert!(ends(here, 0, &["sweep", "status", "s"]).1.contains("6 of 6 runs"));
    assert!(ends(here, 0, &["sweep", "compact", "s"]).1.contains("6 runs: "));
    let json = ends(here, 0, &[&sweep[..], &["--format", "json", "-q"]].concat()).0;
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&document["rows"], &document["points"]), (&6.into(), &2.into()));
    let measured = &document["estimates"][1]["measures"]["throughput_bps"];
    assert_eq!(measured["count"], 3);
    let csv = ends(here, 0, &[&sweep[..], &["--format", "csv", "-q"]].concat()).0;
    assert_eq!(csv.lines().count(), 3);
}

/// Claim: `--series` keeps the series of each run that `[record]` and its names choose: those that
/// the run itself writes, value by value, and no others. The points are those without them.
#[test]
fn series_are_kept_of_each_run() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let record = ["--set", "record.queues=true", "--set", "record.delays=true"];
    let sweep = ["sweep", "one.toml", "--axis", "duration=1 ms,2 ms", "--seeds", "2"];
    let series = ["--series", "queue of * at S", "--series", "delay of *"];
    let with = [&sweep[..], &record, &series, &["--out", "s"]].concat();
    assert!(ends(here, 0, &with).1.contains("s/series.parquet"));
    let shape = read_sweep(&here.join("s")).unwrap();
    let names: Vec<&str> = shape.series().iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["queue of VC1 at S", "delay of VC1 to B"]);
    let mut rows = 0;
    each_whole_row(&here.join("s"), &shape, &mut |row| {
        let (set, seed) = (shape.settings(row.point).swap_remove(0), row.seed.to_string());
        let run =
            ["run", "one.toml", "--set", &set, "--seed", &seed, "--out", "r", "--force", "-q"];
        ends(here, 0, &[&run[..], &record].concat());
        let theirs = hopflow_export::parquet::read_series(&here.join("r")).unwrap();
        for (name, mine) in names.iter().zip(row.outcome.series()) {
            let series = theirs.iter().find(|one| one.name == *name).unwrap();
            let pieces: Vec<_> = series.pieces(series.whole()).collect();
            assert!(pieces.len() > 10);
            let mine: Vec<_> = mine.iter().map(|s| (s.from_ps, s.to_ps, s.value)).collect();
            let theirs: Vec<_> = pieces.iter().map(|p| (p.from.0, p.to.0, p.value)).collect();
            assert_eq!(mine, theirs);
        }
        rows += 1;
    })
    .unwrap();
    assert_eq!(rows, 4);
    let json = ends(here, 0, &[&with[..], &["--format", "json", "-q"]].concat()).0;
    let document: Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!({ "name": "delay of VC1 to B", "unit": "ps" });
    assert_eq!(document["series"][1], expected);
    let said = ends(here, 2, &[&sweep[..], &record, &["--out", "s"]].concat()).1;
    assert!(said.contains("its --series is `queue of VC1 at S"), "{said}");
    ends(here, 0, &[&sweep[..], &record, &["--out", "bare"]].concat());
    let [one, other] = ["s", "bare"].map(|of| std::fs::read(here.join(of).join("runs.parquet")));
    assert!(one.unwrap() == other.unwrap());
}

/// Claim: `--dry-run` shows the points of a million at once, and writes nothing; the name of the
/// directory is in it.
#[test]
fn a_dry_run_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let (long, rate) = ("duration=1001..2000 us/1000", "flow.VC1.source.rate=1..1000 kb/s/1000");
    let million = ["sweep", "one.toml", "--dry-run", "--axis", long, "--axis", rate];
    let (table, said) = ends(here, 0, &million);
    assert!(said.contains("1000000 points") && said.contains("sweeps/one-"), "{said}");
    assert_eq!(table.lines().filter(|line| line.contains("1001 us")).count(), 40);
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 1);
}

/// Claim: every mistake is one error with its way out, before anything is written.
#[test]
fn a_mistake_is_reported_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let cases: [(&[&str], &str); 10] = [
        (&["--axis", "flow.VC1.source.raet=1 Mb/s,2 Mb/s"], "rate"),
        (&["--axis", "flow.VC1.weight=1..5/10"], "give fewer"),
        (&["--axis", "flow.VC1.weight"], "KEY=VALUES"),
        (&["--axis", "control=as-is,drop-tial"], "drop-tail"),
        (&["--measure", "vc/VC2/throughput_bps"], "vc/VC1/throughput_bps"),
        (&["--series", "queue of VC1 at S"], "record.queues=true"),
        (&["--set", "record.queues=true", "--series", "q* at T"], "queue of VC1 at S"),
        (&["--until", "jain below 1"], "within SHARE %"),
        (&["--seeds", "0"], "1 to 10000"),
        (&["--axis", "duration=1..1000001 us/1000001"], "1000000"),
    ];
    for (args, said) in cases {
        let (_, err) = ends(here, 2, &[&["sweep", "one.toml"][..], args].concat());
        assert!(err.contains(said), "{args:?}: {err}");
    }
    assert!(ends(here, 2, &["sweep"]).1.contains("needs a scenario file"));
    assert!(ends(here, 2, &["sweep", "status", "."]).1.contains("name the directory of a sweep"));
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 1);
}

/// Claim: failures are rows; they are listed with a command, which fails in the same way, and the
/// exit code is 1. The other points are run.
#[test]
fn a_failure_is_listed_with_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let axis = "flow.VC1.source.rate=100 Mb/s,none at all";
    let (table, said) = ends(here, 1, &["sweep", "one.toml", "--out", "s", "--axis", axis]);
    assert!(table.contains("100 Mb/s"), "{table}");
    let command = "hopflow run one.toml --set 'flow.VC1.source.rate=none at all' --seed 7";
    assert!(said.contains("unreadable: point 1: ") && said.contains(command), "{said}");
    let repeat = ["run", "one.toml", "--set", "flow.VC1.source.rate=none at all", "--seed", "7"];
    assert!(ends(here, 2, &repeat).1.contains("none at all"));
}

/// Claim: a rule ends points early, the points that do not meet it are listed, and what it measures
/// is a column.
#[test]
fn a_rule_ends_points() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let rule = ["--until", "vc/VC1/throughput_bps within 3 %", "--seeds", "40", "--out", "s"];
    let sweep = [&["sweep", "one.toml", "--format", "json"][..], &rule].concat();
    let json = ends(here, 0, &sweep).0;
    let document: Value = serde_json::from_str(&json).unwrap();
    let rows = document["rows"].as_u64().unwrap();
    assert!((2..40).contains(&rows), "{rows}");
    let measured = &document["estimates"][0]["measures"]["vc/VC1/throughput_bps"];
    let (half, mean) = (measured["half_width"].as_f64(), measured["mean"].as_f64());
    assert!(half.unwrap() <= 0.03 * mean.unwrap());
    let narrow = ["--until", "throughput_bps within 0.001 %", "--seeds", "3", "--out", "t"];
    let said = ends(here, 0, &[&["sweep", "one.toml"][..], &narrow].concat()).1;
    assert!(said.contains("3 seeds are not enough") && said.contains("points 0"), "{said}");
}

/// Claim: the examples of the help are good plans.
#[test]
fn the_examples_of_the_help_are_plans() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let figure = example("figure-14");
    let incast = example("incast");
    let tens = ["--axis", "flow.VC1.control.n3=10..100/10", "--seeds", "5", "--dry-run"];
    assert!(ends(here, 0, &[&["sweep", &figure][..], &tens].concat()).1.contains("50 runs"));
    let controls = ["--axis", "control=drop-tail,n23,pfc", "--dry-run"];
    assert!(ends(here, 0, &[&["sweep", &incast][..], &controls].concat()).1.contains("3 points"));
}

fn start(here: &Path, folder: &str, seeds: &str, series: bool) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.args(["sweep", "one.toml", "--axis", RATES, "--out", folder, "-q"]);
    command.args(["--seeds", seeds, "--rows-per-part", "23", "--format", "json"]);
    if series {
        command.args(["--set", "record.queues=true", "--series", "queue of * at S"]);
    }
    command.current_dir(here).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the command was built")
}

/// What is stored, read as it is.
fn stored(folder: &Path) -> BTreeSet<(u64, u32)> {
    let mut all = BTreeSet::new();
    let Ok(shape) = read_sweep(folder) else { return all };
    each_row(folder, &shape, &mut |row| {
        assert!(all.insert((row.point, row.replicate)), "stored twice");
    })
    .unwrap_or_else(|error| panic!("{error}"));
    all
}

/// Claim: the command, killed (not asked to stop) at moments spread over the whole sweep, while
/// parts are made and while the dataset is, loses no run that was stored, and in the end has the
/// bytes of a sweep that was never killed. What is stored only grows, and each kill costs at most
/// the runs under way: the number of rows at a kill is at least that which was seen before it.
#[test]
fn a_killed_sweep_goes_on() {
    [false, true].into_iter().for_each(killed);
}

fn killed(series: bool) {
    let kills: u64 = std::env::var("HOPFLOW_KILLS").map_or(8, |n| n.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    scenario(here);
    let seeds = (2 * kills).min(100);
    let (total, seeds) = (40 * seeds, seeds.to_string());
    assert!(start(here, "whole", &seeds, series).wait().expect("it ends").success());
    let files = |folder: &str| {
        ["runs.parquet", "series.parquet"]
            .map(|name| std::fs::read(here.join(folder).join(name)).ok())
    };
    let expected = files("whole");
    assert_eq!([true, series], expected.each_ref().map(Option::is_some));
    let place = here.join("killed");
    let mut before = BTreeSet::new();
    let mut least = 0;
    for kill in 0..kills {
        let mut child = start(here, "killed", &seeds, series);
        // The last kills wait for the making of the dataset, the others for a share of the runs.
        let target = if kill + 2 >= kills { total } else { kill * total / (kills - 2).max(1) };
        let making = |name: &str| place.join(name).exists();
        let mut reached = || {
            if target == total {
                return ["series.tmp", "runs.tmp", "runs.parquet"].into_iter().any(making);
            }
            least = least.max(stored(&place).len());
            least as u64 >= target
        };
        wait_for(&mut child, "the share of the runs", |child| {
            reached() || child.try_wait().expect("it is ours").is_some()
        });
        // SIGKILL, or what ends a process at once elsewhere.
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        let now = stored(&place);
        assert!(now.is_superset(&before), "kill {kill} lost {:?}", before.difference(&now));
        assert!(now.len() >= least, "{} rows, and {least} were seen", now.len());
        before = now;
    }
    assert!(start(here, "killed", &seeds, series).wait().expect("it ends").success());
    assert_eq!(stored(&place).len() as u64, total);
    assert!(files("killed") == expected);
    let mut names: Vec<_> = std::fs::read_dir(&place)
        .expect("a folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    names.sort();
    let left = ["runs.parquet", "scenario.toml", "sweep.json"];
    assert!(left.iter().all(|file| names.iter().any(|name| name == file)));
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("journal")), "{names:?}");
}

/// Claim: `--engine slurm` runs nothing and writes the array; its tasks, given by hand, make what
/// `compact` collects to the bytes of the local sweep, with the report; a task that is none, and
/// sbatch where there is none, are reported.
#[test]
fn a_job_array_is_laid_out_and_collected() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let sweep = |more: &[&str]| {
        let all = ["sweep", "one.toml", "--axis", RATES, "--out"];
        [&all[..], more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |code: i32, words: &[String]| {
        ends(here, code, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(0, &sweep(&["local", "-q"]));
    let slurm = sweep(&["far", "--engine", "slurm", "--tasks", "3"]);
    let (printed, said) = run(0, &[&slurm[..], &["--format".into(), "json".into()]].concat());
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&document["batches"], &document["tasks"]), (&40.into(), &3.into()));
    assert!(
        said.contains("sbatch far/slurm.sbatch") && said.contains("sweep compact far"),
        "{said}"
    );
    for (task, made) in [("2", 13), ("0", 14), ("2", 0)] {
        let said = ends(here, 0, &["sweep", "batch", "far", "--task", task, "--of", "3"]).1;
        assert!(said.contains(&format!("{made} batches made")), "{said}");
    }
    assert!(ends(here, 0, &["sweep", "status", "far"]).1.contains("27 of 40 runs"));
    assert!(ends(here, 0, &["sweep", "compact", "far"]).1.contains("Runs lack"));
    ends(here, 0, &["sweep", "batch", "far", "--task", "1", "--of", "3"]);
    ends(here, 0, &["sweep", "compact", "far"]);
    let bytes = |name: &str| std::fs::read(here.join(name).join("runs.parquet")).unwrap();
    assert!(bytes("local") == bytes("far"));
    assert!(here.join("far/report.html").exists());
    assert!(run(0, &slurm).1.contains("No run lacks"));
    let said = ends(here, 2, &["sweep", "batch", "far", "--task", "3", "--of", "3"]).1;
    assert!(said.contains("0 to 3 - 1"), "{said}");
    let said = ends(here, 2, &["sweep", "batch", "local", "--task", "0", "--of", "3"]).1;
    assert!(said.contains("batches.txt") && said.contains("--engine slurm"), "{said}");
}

/// Claim: on a full disk the command ends with 4 and says how many runs are safe; these are in the
/// journal, and once there is room the same command makes the others, to the bytes of a sweep that
/// was never stopped.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_run() {
    let may =
        Command::new("unshare").args(["--user", "--map-root-user", "--mount", "true"]).status();
    if !may.is_ok_and(|status| status.success()) {
        let why = "no file system of one's own can be mounted here";
        hopflow_testing::skip("a_full_disk_loses_no_run", why);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scenario(here);
    let whole = ["sweep", "one.toml", "--axis", RATES, "--seeds", "5", "-q", "--out", "whole"];
    ends(here, 0, &whole);
    std::fs::create_dir(here.join("small")).unwrap();
    // A file system that the shell takes along when it ends.
    let script = "mount -t tmpfs -o size=32k none small && cp one.toml small && cd small\n\
         sweep() { \"$HOPFLOW\" sweep one.toml --axis \"$AXIS\" --seeds 5 -q --out full; }\n\
         sweep >/dev/null 2>../said; echo $? >../code; wc -l <full/journal-00001.jsonl >../lines\n\
         mount -o remount,size=16m . && sweep >/dev/null && cp full/runs.parquet ..\n";
    let mut shell = Command::new("unshare");
    shell.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-e",
        "-c",
        &format!("set +e\n{script}"),
    ]);
    shell.env("HOPFLOW", env!("CARGO_BIN_EXE_hopflow")).env("AXIS", RATES).env("NO_COLOR", "1");
    let output = shell.current_dir(here).output().expect("there is a shell");
    let read = |name: &str| std::fs::read_to_string(here.join(name)).unwrap();
    let said = read("said");
    assert_eq!(read("code").trim(), "4", "{said}{output:?}");
    let lines: u64 = read("lines").trim().parse().unwrap();
    assert!((1..200).contains(&lines), "{lines} lines");
    assert!(said.contains(&format!("All {lines} runs")), "{lines} lines, but {said}");
    let [one, other] =
        ["runs.parquet", "whole/runs.parquet"].map(|name| std::fs::read(here.join(name)));
    assert!(one.unwrap() == other.unwrap(), "other bytes");
}
