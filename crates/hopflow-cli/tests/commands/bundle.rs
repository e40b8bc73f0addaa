//! Bundles as an author makes them and a committee checks them; and `query` without SQL.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{ends, example, hopflow, text};

/// Runs an example and bundles it as `a.tar`.
fn bundled(here: &Path, more: &[&str]) {
    let file = example("figure-14");
    let run = ["run", &file, "--duration", "2 ms", "-q", "--out", "a"];
    ends(here, 0, &[&run[..], more].concat());
    ends(here, 0, &["bundle", "a", "-q"]);
}

/// The files of an archive by the `tar` of the system, unpacked.
pub(super) fn unpack(here: &Path, archive: &str) -> std::path::PathBuf {
    let status = Command::new("tar").args(["xf", archive]).current_dir(here).status();
    assert!(status.expect("tar is there").success());
    let mut found = fs::read_dir(here).into_iter().flatten().flatten().map(|e| e.path());
    let is_bundle = |path: &std::path::PathBuf| {
        path.is_dir() && path.to_string_lossy().contains("/hopflow-bundle-")
    };
    found.find(is_bundle).expect("it unpacks to one folder")
}

/// Packs a folder as hopflow would, but for its sums.
pub(super) fn packed(here: &Path, folder: &Path) {
    let name = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
    let sums = "cd \"$1\" && find . -type f ! -name SHA256SUMS | sed 's|^./||' | LC_ALL=C sort | \
                xargs sha256sum > SHA256SUMS && cd .. && \
                tar --format=ustar --no-recursion -cf changed.tar $(find \"$1\" -type f | \
                LC_ALL=C sort)";
    let status = Command::new("sh").args(["-c", sums, "sh", &name]).current_dir(here).status();
    assert!(status.expect("a shell is there").success());
}

/// Claim: a run becomes one file with the same bytes wherever it is made, without times and names
/// of users; its check says that it is the same; and the command in it makes the same manifest and
/// summary again, in the folder that it unpacks to.
#[test]
fn a_run_is_bundled_checked_and_repeated() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let more = ["--control", "n23", "--seed", "9", "--warm-up", "1 ms", "--set", "title=\"A t\""];
    bundled(one.path(), &more);
    bundled(other.path(), &[&more[..], &["--threads", "1"]].concat());
    let [bytes, again] =
        [one.path(), other.path()].map(|here| fs::read(here.join("a.tar")).unwrap());
    assert!(bytes == again, "the same bytes");
    let here = one.path();
    let said = ends(here, 0, &["bundle", "--check", "a.tar"]).0;
    assert!(said.starts_with("same: ") && said.ends_with("1 of 1 runs made again\n"), "{said}");
    // A trace that was kept changes no run.
    ends(here, 0, &["run", "a/scenario.toml", "--trace", "-q", "--out", "t"]);
    ends(here, 0, &["bundle", "t", "-q"]);
    ends(here, 0, &["bundle", "--check", "t.tar"]);
    let folder = unpack(here, "a.tar");
    let card: Value =
        serde_json::from_slice(&fs::read(folder.join("bundle.json")).unwrap()).unwrap();
    let command = card["command"].as_str().unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_hopflow")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} -q")]).current_dir(&folder).env("PATH", path);
    assert!(shell.output().unwrap().status.success());
    for file in ["manifest.json", "summary.json"] {
        let [mine, theirs] = ["again", "results"].map(|of| fs::read(folder.join(of).join(file)));
        assert!(mine.unwrap() == theirs.unwrap(), "{file}");
    }
    let resolved = fs::read(folder.join("resolved.json")).unwrap();
    let resolved: Value = serde_json::from_slice(&resolved).unwrap();
    assert_eq!((&resolved["seed"], &resolved["control"]), (&9.into(), &"n23".into()));
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(readme.contains(command) && readme.starts_with("# A t\n"), "{readme}");
}

/// Claim: results that were changed are found, each as what it is: a total, a digest, a scenario; a
/// file that does not fit its sum, or is cut, is no bundle at all.
#[test]
fn what_was_changed_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    bundled(here, &[]);
    let unpacked = unpack(here, "a.tar");
    let change = |file: &str, from: &str, to: &str| {
        let path = unpacked.join(file);
        let was = fs::read_to_string(&path).unwrap();
        assert!(was.contains(from), "{file} has no {from}");
        fs::write(&path, was.replacen(from, to, 1)).unwrap();
        packed(here, &unpacked);
        fs::write(&path, was).unwrap();
        let (out, err) = ends(here, 1, &["bundle", "--check", "changed.tar"]);
        out + &err
    };
    packed(here, &unpacked);
    ends(here, 0, &["bundle", "--check", "changed.tar"]);
    let said = change("results/summary.json", "\"created_packets\": ", "\"created_packets\": 1");
    assert!(said.contains("results/summary.json: `"), "{said}");
    assert!(said.contains("created_packets`"), "{said}");
    let said = change("scenario/scenario.toml", "n3 = 155", "n3 = 154");
    assert!(said.contains("not the same") && said.contains("the digest"), "{said}");
    let json = ["bundle", "--check", "changed.tar", "--format", "json"];
    let document: Value = serde_json::from_str(&ends(here, 1, &json).0).unwrap();
    assert_eq!((&document["same"], &document["made"]), (&false.into(), &1.into()));
    assert_eq!(document["differences"][0]["what"], "the digest");
    let bytes = fs::read(here.join("a.tar")).unwrap();
    let place = bytes.windows(8).position(|some| some == b"n3 = 155").unwrap();
    let mut turned = bytes.clone();
    turned[place] = b'm';
    fs::write(here.join("turned.tar"), turned).unwrap();
    let said = ends(here, 2, &["bundle", "--check", "turned.tar"]).1;
    assert!(said.contains("`scenario/scenario.toml` in it was changed"), "{said}");
    fs::write(here.join("cut.tar"), &bytes[..bytes.len() / 2]).unwrap();
    assert!(ends(here, 2, &["bundle", "--check", "cut.tar"]).1.contains("cut off"));
}

/// Claim: a card of another version or format is refused before anything is run, and so is one
/// whose runs no command makes together.
#[test]
fn a_card_is_of_this_version() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    bundled(here, &[]);
    let unpacked = unpack(here, "a.tar");
    let refused = |file: &str, from: &str, to: &str, says: &str| {
        let path = unpacked.join(file);
        let was = fs::read_to_string(&path).unwrap();
        fs::write(&path, was.replacen(from, to, 1)).unwrap();
        packed(here, &unpacked);
        fs::write(&path, was).unwrap();
        let said = ends(here, 2, &["bundle", "--check", "changed.tar"]).1;
        assert!(said.contains(says), "{said}");
    };
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    refused("bundle.json", &version, "\"version\": \"9.9.9\"", "check it with hopflow 9.9.9");
    refused("bundle.json", "\"format\": 2", "\"format\": 7", "format 7");
    refused("bundle.json", "\"kind\": \"run\"", "\"kind\": \"sweep\"", "sweep.json");
    refused("bundle.json", "\"as-is\"", "\"as-is\", \"n23\"", "no command makes together");
}

/// Claim: several seeds, several controls and both are bundled and checked, and a sample is a part
/// of them.
#[test]
fn seeds_and_controls_are_bundled() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("controls");
    let short = ["--duration", "2 ms", "-q", "--out"];
    let compare = ["compare", &file, "--control", "as-is,drop-tail"];
    let cases: [(&str, Vec<&str>, &str); 3] = [
        ("s", vec!["run", &file, "--seeds", "3"], "3 of 3 runs"),
        ("c", compare.to_vec(), "2 of 2 runs"),
        ("d", [&compare[..], &["--seeds", "2"]].concat(), "2 of 2 seeds"),
    ];
    for (name, command, says) in cases {
        ends(here, 0, &[&command[..], &short[..], &[name]].concat());
        ends(here, 0, &["bundle", name, "-q"]);
        let archive = format!("{name}.tar");
        let said = ends(here, 0, &["bundle", "--check", &archive]).0;
        assert!(said.contains(says), "{said}");
    }
    // A sample is of the digests: its last line specifies what it did not make again.
    let only = "digests only: results/manifest.json, results/summary.json\n";
    for (archive, sample, says) in [
        ("s.tar", "2", "2 of 3 runs"),
        ("c.tar", "1", "1 of 2 runs"),
        ("d.tar", "1", "1 of 2 seeds"),
    ] {
        let said = ends(here, 0, &["bundle", "--check", archive, "--sample", sample]).0;
        assert!(said.contains(says) && said.ends_with(only), "{said}");
    }
    let whole = ["bundle", "--check", "s.tar", "--sample", "3"];
    assert!(ends(here, 0, &whole).0.ends_with("3 of 3 runs made again\n"));
}

/// Claim: a sweep that keeps series is bundled with them, its command makes their bytes again, and
/// the check tells a value that was changed, with the run and the series.
#[test]
fn series_of_a_sweep_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("x.toml"), SERIES).unwrap();
    let sweep = ["--axis", "duration=1 ms,2 ms", "--seeds", "2", "--series", "queue of * at A"];
    ends(here, 0, &[&["sweep", "x.toml", "--out", "w", "-q"], &sweep[..]].concat());
    ends(here, 0, &["bundle", "w", "-q"]);
    assert!(ends(here, 0, &["bundle", "--check", "w.tar"]).0.contains("4 of 4 runs"));
    let unpacked = unpack(here, "w.tar");
    let again = ["sweep", "scenario/scenario.toml", "--out", "again", "-q"];
    ends(&unpacked, 0, &[&again[..], &sweep].concat());
    let [mine, theirs] =
        ["again", "results"].map(|of| fs::read(unpacked.join(of).join("series.parquet")));
    assert!(mine.unwrap() == theirs.unwrap());
    fs::remove_dir_all(unpacked.join("again")).unwrap();
    change_a_value(&unpacked.join("results/series.parquet"));
    packed(here, &unpacked);
    let said = ends(here, 1, &["bundle", "--check", "changed.tar"]).0;
    assert!(said.contains("results/series.parquet: the series `queue of VC1 at A`"), "{said}");
    fs::remove_file(unpacked.join("results/series.parquet")).unwrap();
    packed(here, &unpacked);
    let said = ends(here, 2, &["bundle", "--check", "changed.tar"]).1;
    assert!(said.contains("series.parquet"), "{said}");
}

const SERIES: &str = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"424 Mb/s\"\n\
     delay = \"10 us\"\n\
         [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[link]]\n\
     between = [\"A\", \"B\"]\n[[flow]]\nname = \"VC1\"\nroute = [\"A\", \"B\"]\n\
     source = { kind = \"poisson\", rate = \"100 Mb/s\" }\n[record]\nqueues = true\n";

/// Writes the file again with another fifth value.
fn change_a_value(path: &Path) {
    use hopflow_export::parquet::{GivenColumn, GivenRows, GivenTable, GivenWriter, Kind, Value};
    let kinds = [
        ("key", Kind::Name),
        ("point", Kind::U64),
        ("replicate", Kind::U64),
        ("run_seed", Kind::U64),
        ("series", Kind::Name),
        ("unit", Kind::Name),
        ("from_ps", Kind::U64),
        ("to_ps", Kind::U64),
        ("value", Kind::F64),
    ];
    let column = |(name, kind): (&str, Kind)| {
        let (name, meaning) = (name.to_owned(), String::new());
        GivenColumn { name, kind, nullable: false, meaning }
    };
    let columns = kinds.map(column).into();
    let table = GivenTable { name: "series".to_owned(), row: String::new(), columns };
    let mut rows = GivenRows::open(path, &table).expect("a table of series");
    let mut writer = GivenWriter::new(&table, Vec::new()).expect("a table of series");
    let mut number = 0;
    while rows.advance().expect("a table of series") {
        number += 1;
        let more = f64::from(number == 5);
        let cells = kinds.iter().enumerate().map(|(place, (_, kind))| match kind {
            Kind::Name => Value::Name(rows.name(place).expect("a table of series")),
            Kind::F64 => Value::F64(rows.f64(place).expect("a table of series") + more),
            _ => Value::U64(rows.u64(place).expect("a table of series")),
        });
        writer.push(&cells.collect::<Vec<_>>()).expect("a table of series");
    }
    assert!(number > 100);
    fs::write(path, writer.close().expect("a table of series")).expect("a table of series");
}

/// Claim: a sweep is bundled with the traces that any of its points names, and its command makes
/// the same bytes of `runs.parquet`; one that was changed, or is not done, is reported. A trace
/// that has changed since the sweep is one error, and no bundle of what was not run.
#[test]
fn a_sweep_is_bundled_with_its_traces() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let scenario = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"424 Mb/s\"\n\
         delay = \"10 us\"\ncorrupt-data = 0.000001\n[[host]]\nname = \"A\"\n\
         [[host]]\nname = \"B\"\n[[link]]\n\
         between = [\"A\", \"B\"]\n[[flow]]\nname = \"VC1\"\nroute = [\"A\", \"B\"]\n\
         source = { kind = \"replay\", file = \"traces/one.csv\" }\n";
    fs::create_dir_all(here.join("lib/traces")).unwrap();
    fs::write(here.join("lib/x.toml"), scenario).unwrap();
    fs::write(here.join("lib/traces/one.csv"), "time_us\n1\n2\n").unwrap();
    fs::write(here.join("lib/traces/two.csv"), "time_us\n1\n5\n9\n").unwrap();
    let axis = "flow.VC1.source.file=\"traces/one.csv\",\"traces/two.csv\",\"none.csv\"";
    let sweep = ["sweep", "lib/x.toml", "--axis", axis, "--seeds", "2", "-q", "--out", "w"];
    // One point names a file that is not there: a row that says so.
    ends(here, 1, &sweep);
    let said = ends(here, 0, &["bundle", "w"]).1;
    assert!(said.contains("Bundle: w.tar"), "{said}");
    let said = ends(here, 0, &["bundle", "--check", "w.tar"]).0;
    assert!(said.contains("5 of 5 runs"), "{said}");
    let unpacked = unpack(here, "w.tar");
    assert!(unpacked.join("scenario/traces/two.csv").exists());
    assert!(ends(&unpacked, 0, &["sweep", "status", "results"]).1.contains("5 of 6 runs"));
    let card: Value =
        serde_json::from_slice(&fs::read(unpacked.join("bundle.json")).unwrap()).unwrap();
    assert!(!card.to_string().contains("lib/"), "{card}");
    let again = [&["sweep", "scenario/scenario.toml"], &sweep[2..7], &["--out", "again"]].concat();
    ends(&unpacked, 1, &again);
    let [mine, theirs] =
        ["again", "results"].map(|of| fs::read(unpacked.join(of).join("runs.parquet")));
    assert!(mine.unwrap() == theirs.unwrap());
    fs::remove_dir_all(unpacked.join("again")).unwrap();
    for (trace, point) in [("two", 1), ("one", 0)] {
        let path = here.join(format!("lib/traces/{trace}.csv"));
        let was = fs::read(&path).unwrap();
        fs::write(&path, "time_us\n1\n3\n4\n").unwrap();
        let said = ends(here, 2, &["bundle", "w", "--out", "other.tar"]).1;
        let start = format!("error: `w`: point {point} (flow.VC1.source.file=\"traces/{trace}.csv");
        assert!(said.starts_with(&start) && said.contains("--files DIR"), "{said}");
        assert!(!here.join("other.tar").exists());
        fs::write(&path, was).unwrap();
    }
    ends(here, 0, &["bundle", "w", "--out", "other.tar", "-q"]);
    assert_eq!(fs::read(here.join("other.tar")).unwrap(), fs::read(here.join("w.tar")).unwrap());
    // Another trace is another plan.
    fs::write(unpacked.join("scenario/traces/two.csv"), "time_us\n1\n5\n").unwrap();
    packed(here, &unpacked);
    let said = ends(here, 1, &["bundle", "--check", "changed.tar"]).0;
    assert!(said.contains("point 1") && said.contains("2 differ"), "{said}");
    fs::write(unpacked.join("scenario/traces/one.csv"), "time_us\n1\n5\n").unwrap();
    packed(here, &unpacked);
    let said = ends(here, 1, &["bundle", "--check", "changed.tar"]).0;
    assert!(said.contains("results/sweep.json: `first_key`"), "{said}");
    // A run of it does not say where its trace was.
    ends(here, 0, &["run", "lib/x.toml", "-q", "--out", "r"]);
    let said = ends(here, 2, &["bundle", "r"]).1;
    assert!(said.contains("--files") && !here.join("r.tar").exists(), "{said}");
    ends(here, 0, &["bundle", "r", "--files", "lib", "-q"]);
    ends(here, 0, &["bundle", "--check", "r.tar"]);
    fs::write(here.join("lib/traces/one.csv"), "time_us\n1\n3\n").unwrap();
    let said = ends(here, 2, &["bundle", "r", "--files", "lib", "--force"]).1;
    assert!(said.contains("is not what was run") && said.contains("last_ps"), "{said}");
    let outside = scenario.replace("traces/one.csv", "../lib/traces/one.csv");
    fs::write(here.join("lib/y.toml"), outside).unwrap();
    ends(here, 0, &["run", "lib/y.toml", "-q", "--out", "y"]);
    assert!(ends(here, 2, &["bundle", "y", "--files", "lib"]).1.contains("outside"));
}

/// Claim: what cannot be bundled or replaced is one error with the way out.
#[test]
fn wrong_places_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    bundled(here, &[]);
    fs::write(here.join("notes.txt"), "mine").unwrap();
    fs::create_dir(here.join("empty")).unwrap();
    let refused = |args: &[&str], says: &str| {
        let said = ends(here, 2, &[&["bundle"], args].concat()).1;
        assert!(said.contains(says) && said.lines().count() <= 6, "{said}");
    };
    refused(&["empty"], "not a directory of results");
    refused(&["a.tar"], "is a file");
    refused(&["a"], "`a.tar` exists");
    refused(&["a", "--out", "notes.txt", "--force"], "is not a bundle");
    refused(&["a", "--out", "empty"], "is a directory");
    refused(&["--check", "a"], "is a directory");
    refused(&["--check", "notes.txt"], "is not a bundle");
    refused(&["--check", "gone.tar"], "cannot be read");
    refused(&["a", "--sample", "3"], "--check");
    refused(&["--check", "a.tar", "--sample", "0"], "at least 1");
    ends(here, 0, &["bundle", "a", "--force", "-q"]);
    let manifest = here.join("a/manifest.json");
    let was = fs::read_to_string(&manifest).unwrap();
    for (from, to, says) in [
        ("\"complete\": true", "\"complete\": false", "interrupted"),
        (env!("CARGO_PKG_VERSION"), "0.0.9", "was made by hopflow 0.0.9"),
    ] {
        fs::write(&manifest, was.replacen(from, to, 1)).unwrap();
        refused(&["a", "--out", "b.tar"], says);
    }
    fs::remove_file(here.join("a/scenario.toml")).unwrap();
    fs::write(&manifest, was).unwrap();
    refused(&["a", "--out", "b.tar"], "scenario.toml");
    assert!(!here.join("b.tar").exists());
}

/// Claim: the program without Python says in one error how SQL is run, with the command of DuckDB
/// that does it; a directory without results is reported before that, and so is a sweep under way.
#[test]
fn a_query_needs_the_python_package() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, 0, &["run", &example("one-vc"), "-q", "--out", "runs/a"]);
    let said = ends(here, 2, &["query", "select * from flows"]).1;
    assert!(said.contains("pip install 'hopflow[sql]'"), "{said}");
    assert!(said.contains("duckdb -cmd ") && said.contains("runs/a/vcs.parquet"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    let none = tempfile::tempdir().unwrap();
    assert!(ends(none.path(), 2, &["query", "select 1"]).1.contains("there are no results here"));
    assert!(ends(here, 2, &["query", "select 1", "runs"]).1.contains("not a directory of results"));
    fs::write(here.join("runs/a/journal-00001.jsonl"), "").unwrap();
    assert!(ends(here, 2, &["query", "select 1"]).1.contains("sweep compact runs/a"));
    let help = hopflow(here, &["query", "--help"]);
    assert!(text(&help.stdout).contains("show tables"));
}
