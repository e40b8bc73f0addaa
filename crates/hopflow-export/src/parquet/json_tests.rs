//! Claim: every cell of every table of a run is the value that JSON has, for each column by name.
//!
//! A column is found in the JSON of its row by its name, or by the names of the way to it:
//! `delay_mean_ps` is `mean` in `delay_ps`, `time_p50_packets` is `p50_packets` in `time`. What has
//! another name in JSON is listed in [`OTHERWISE`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use hopflow::compare::{self, Contender};
use hopflow::control::external::MachineError;
use hopflow::control::marking::{ExternalMarker, PacketAtPort};
use hopflow::network::Machine;
use hopflow::scenario::ScenarioFile;
use hopflow::{RunOptions, Scenario};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

use super::schema::{CONTROLS, HOPS, LINKS, PORTS, QUEUES, SWITCHES, TableInfo, VCS};
use crate::{RunDirectory, RunWriter, write_comparison};

/// Column, and what JSON calls it.
const OTHERWISE: [(&str, &str); 7] = [
    ("vc", "name"),
    ("link", "name"),
    ("window_busy_share_mean", "utilization_mean"),
    ("window_busy_share_deviation", "utilization_deviation"),
    ("window_ps", "utilization_window_ps"),
    ("turned_around_rm_cells", "rate_turned_around_rm_cells"),
    ("fair_cells_per_second", "rate_fair_cells_per_second"),
];

/// Examples that with [`SPLIT`] and [`MARKED`] fill every column.
const EXAMPLES: [&str; 11] = [
    "calls",
    "false-credits",
    "shared-credits",
    "controls",
    "abr-erica-plus",
    "backward-rm",
    "mixed-sizes",
    "lost-credits",
    "victim",
    "delay-bounds",
    "virtual-clock-firewall",
];

/// Equal paths that collide, and a policer.
const SPLIT: &str = r#"
version = 2
duration = "1 ms"
[[topology]]
kind = "fat-tree"
k = 4
rate = "1 Gb/s"
[[flow]]
name = "F{}"
count = 4
from = "H{}"
to = "H{+8}"
source = { kind = "poisson", rate = "900 Mb/s" }
policing = { kind = "token-bucket", rate = "600 Mb/s", burst = "1000 B" }
"#;

/// A transfer whose packets are marked, by a marker of this file.
const MARKED: &str = r#"
version = 2
duration = "50 ms"
[[topology]]
kind = "star"
hosts = 2
rate = "100 Mb/s"
delay = "10 us"
[defaults.switch]
marking = { kind = "external", machine = "tenth" }
[[flow]]
name = "F"
from = "H1"
to = "H2"
source = { kind = "tcp", variant = "newreno-ecn", transfer = "100 kB" }
"#;

/// Marks every tenth packet.
struct Tenth(u32);

impl ExternalMarker for Tenth {
    fn marks(&mut self, _: &PacketAtPort) -> Result<bool, MachineError> {
        self.0 += 1;
        Ok(self.0.is_multiple_of(10))
    }
}

/// The values of an object by name; those of objects in it by all names that a column may have.
fn flat(value: &Value) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    for (key, value) in value.as_object().expect("a row is an object") {
        if let Value::Object(_) = value {
            for (inner, value) in self::flat(value) {
                flat.insert(format!("{key}_{inner}"), value.clone());
                if let Some(stem) = key.strip_suffix("_ps") {
                    flat.insert(format!("{stem}_{inner}_ps"), value.clone());
                }
                flat.entry(inner).or_insert(value);
            }
        } else {
            flat.insert(key.clone(), value.clone());
        }
    }
    flat
}

fn is_same(cell: &Field, json: &Value) -> bool {
    match cell {
        Field::Null => json.is_null(),
        Field::Str(text) => json.as_str() == Some(text),
        Field::Double(number) => json.as_f64() == Some(*number),
        Field::ULong(number) => json.as_u64() == Some(*number),
        Field::UInt(number) => json.as_u64() == Some(u64::from(*number)),
        other => panic!("a column of another type: {other:?}"),
    }
}

/// Compares a table with rows of JSON; gives the columns that had a value.
fn same(path: &Path, table: &TableInfo, rows: &[Value]) -> BTreeSet<&'static str> {
    let file = File::open(path.join(format!("{}.parquet", table.name))).expect("there");
    let file = SerializedFileReader::new(file).expect("readable");
    let cells: Vec<_> =
        file.get_row_iter(None).expect("rows").map(|row| row.expect("one")).collect();
    assert_eq!(cells.len(), rows.len(), "{}", table.name);
    let mut filled = BTreeSet::new();
    for (row, json) in cells.iter().zip(rows) {
        let json = flat(json);
        for ((name, cell), info) in row.get_column_iter().zip(table.columns) {
            assert_eq!(name, info.name);
            let other = OTHERWISE.iter().find(|(column, _)| column == name).map(|one| one.1);
            let value = json.get(name).or_else(|| json.get(other?)).unwrap_or(&Value::Null);
            // JSON leaves out what is zero where few runs have it.
            let zero = value.is_null() && matches!(cell, Field::ULong(0));
            assert!(is_same(cell, value) || zero, "{} {name}: {cell} is {value}", table.name);
            if !value.is_null() {
                filled.insert(info.name);
            }
        }
    }
    filled
}

#[test]
fn every_cell_is_what_json_says() {
    let mut filled: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let tables = [&VCS, &HOPS, &LINKS, &QUEUES, &PORTS];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let load = |name: &str| Scenario::load(&folder.join(name).with_extension("toml"));
    let scenarios = EXAMPLES.map(|name| load(name).expect("a valid example"));
    let split = Scenario::from_toml(SPLIT, "split.toml").expect("a valid scenario");
    let tenth = Machine::marker("tenth", 1, |_| Ok(Tenth(0)));
    let marked = ScenarioFile::new(MARKED, "marked.toml").with_machines(vec![tenth]);
    let marked = marked.read().expect("a valid scenario");
    for scenario in scenarios.into_iter().chain([split, marked]) {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("run");
        let writer = RunWriter::create(&target, false, &scenario.network).expect("created");
        let options = RunOptions { keep_vcs: true, ..RunOptions::default() };
        let result = hopflow::run(&scenario, &options).expect("it runs");
        let path = writer.finish(&scenario.network, &result, &[]).expect("written");
        let json = serde_json::to_value(result.document()).expect("plain data");
        let list = |key: &str| json[key].as_array().expect("a list").clone();
        let vcs = list("vcs");
        let hops = vcs.iter().flat_map(|vc| {
            vc["hops"].as_array().expect("a list").iter().map(|hop| {
                let mut hop = hop.clone();
                hop["vc"] = vc["name"].clone();
                hop
            })
        });
        let rows = [vcs.clone(), hops.collect(), list("links"), list("queues"), list("ports")];
        for (table, rows) in tables.iter().zip(&rows) {
            filled.entry(table.name).or_default().extend(same(&path, table, rows));
        }
    }
    for table in tables {
        let empty = table.columns.iter().map(|column| column.name);
        let empty: Vec<_> = empty.filter(|name| !filled[table.name].contains(name)).collect();
        assert!(empty.is_empty(), "{}: {empty:?} had no value in any run", table.name);
    }
}

/// Claim: the same of the tables of a comparison. Every column has a value under some control but
/// two: rates of TCP do not settle, and no transfer of the example ends.
#[test]
fn every_cell_of_a_comparison_is_what_json_says() {
    let example = include_str!("../../../../examples/udp-and-tcp.toml");
    // Switches that count the bytes of their memory.
    let text = example.replace("[[switch]]\n", "[[switch]]\ncell = \"64 B\"\n");
    let file = ScenarioFile::new(&text, "udp-and-tcp.toml");
    let contender = |name: &str| {
        let mut scenario = file.under(name).expect("it fits");
        scenario.set_duration("300 ms").expect("a duration");
        Contender { name: name.to_owned(), title: None, scenario }
    };
    let contenders = ["as-is", "drop-tail"].map(contender).to_vec();
    let one = std::num::NonZeroUsize::MIN;
    let all = compare::compare(contenders, &RunOptions::default(), one, None).expect("it runs");
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("all");
    let directory = RunDirectory::create(&target, false).expect("created");
    let path = write_comparison(directory, &target, &all).expect("written");
    let json = serde_json::to_value(all.document()).expect("plain data");
    let controls = json["controls"].as_array().expect("a list").clone();
    let switches = controls.iter().flat_map(|control| {
        control["switches"].as_array().expect("a list").iter().map(|switch| {
            let mut switch = switch.clone();
            switch["control"] = control["control"].clone();
            switch
        })
    });
    let switches: Vec<Value> = switches.collect();
    let filled = [same(&path, &CONTROLS, &controls), same(&path, &SWITCHES, &switches)];
    for (table, filled) in [&CONTROLS, &SWITCHES].into_iter().zip(filled) {
        let names = table.columns.iter().map(|column| column.name);
        let empty: Vec<_> = names.filter(|name| !filled.contains(name)).collect();
        let none = ["settled_ps", "tcp_completion_ps"];
        let expected = if table.name == "controls" { &none[..] } else { &[] };
        assert_eq!(empty, expected, "{}", table.name);
    }
}
