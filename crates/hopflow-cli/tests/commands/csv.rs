//! The tables of `--format csv`: each column is found in what rows say in JSON.

use std::collections::{BTreeMap, BTreeSet};

use super::{ends, example, hopflow, text};

/// Examples that together have everything that a table may tell, and for how long they run.
const RUNS: [(&str, &str, &[&str]); 15] = [
    ("abr-erica-plus", "3 ms", &[]),
    ("backward-rm", "120 ms", &[]),
    ("udp-and-tcp", "400 ms", &["--set", "flow.tcp1.source.transfer=\"1 kB\""]),
    ("lanes", "3 ms", &[]),
    ("per-destination", "20 us", &["--control", "per-destination"]),
    ("pfc-deadlock", "3 ms", &[]),
    ("adaptive-credit", "3 ms", &[]),
    ("virtual-clock-firewall", "30 s", &[]),
    ("tcp-over-atm", "3 ms", &[]),
    ("slow-receiver", "3 ms", &[]),
    ("fat-tree", "3 ms", &[]),
    ("traffic-classes", "3 ms", &[]),
    (
        "fat-tree",
        "50 us",
        &["--set", "defaults.switch.buffer=\"600 kB\"", "--set", "defaults.switch.alpha=1"],
    ),
    ("nfs", "500 ms", &[]),
    ("workstation", "20 ms", &[]),
];

/// Claim: every column of every table of `run` has a value in some row, so that its path is that of
/// a key of the results. A path that no row has would print an empty column.
#[test]
fn every_column_has_a_value_somewhere() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let first = example("one-vc");
    let wrong = ["run", &first, "--no-directory", "--format", "csv", "--table", "no"];
    let err = ends(here, 2, &wrong).1;
    let names = err.split("[possible values: ").nth(1).unwrap().split(']').next().unwrap();
    let mut columns: BTreeMap<&str, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for (name, duration, set) in RUNS {
        let file = example(name);
        for table in names.split(", ") {
            let run = ["run", &file, "--no-directory", "-q", "--duration", duration];
            let rest = ["--set", "warm-up=\"0 s\"", "--format", "csv", "--table", table];
            // 1: a property was violated, as in the example of a deadlock.
            let output = hopflow(here, &[&run[..], set, &rest].concat());
            assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
            let out = text(&output.stdout);
            let mut reader = ::csv::Reader::from_reader(out.as_bytes());
            let titles = reader.headers().unwrap().clone();
            let (all, filled) = columns.entry(table).or_default();
            all.extend(titles.iter().map(str::to_owned));
            for row in reader.records() {
                let row = row.unwrap();
                let cells = titles.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
                filled.extend(cells.map(|(title, _)| title.to_owned()));
            }
        }
    }
    assert_eq!(columns.len(), 17);
    for (table, (all, filled)) in columns {
        let empty: Vec<_> = all.difference(&filled).collect();
        assert!(empty.is_empty(), "no row of `{table}` has {empty:?}");
    }
}
