//! What commands print as JSON against the schema of results, which is that of the repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hopflow::record::{Counter, HopSummary, LinkSummary, VcSummary};
use hopflow_cli::documents::schema;
use serde_json::{Value, json};

use super::{EXAMPLES, ends, hopflow, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where `value` breaks `schema`, a part of `root`. A key that the schema does not name breaks it,
/// too. Every key that is met is noted in `met`, as `TABLE.KEY`.
fn misfit(
    root: &Value,
    value: &Value,
    schema: &Value,
    at: &str,
    met: &mut BTreeSet<String>,
) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").expect("references are to `$defs`");
        let table = &root["$defs"][name];
        assert!(table.is_object(), "`$defs` has no {name}");
        let keys = value.as_object().into_iter().flat_map(|keys| keys.keys());
        met.extend(keys.map(|key| format!("{name}.{key}")));
        return misfit(root, value, table, at, met);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let tried: Vec<String> =
            choices.iter().map_while(|choice| misfit(root, value, choice, at, met)).collect();
        return (tried.len() == choices.len()).then(|| tried.join(", or "));
    }
    if let Some(words) = schema["enum"].as_array() {
        return (!words.contains(value)).then(|| format!("{at}: {value} is not of {words:?}"));
    }
    let fits = match schema["type"].as_str() {
        None => return None,
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("null") => value.is_null(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some(other) => panic!("{at}: type {other}"),
    };
    if !fits {
        return Some(format!("{at}: {value} is not {}", schema["type"]));
    }
    if schema["pattern"] == "^[0-9]+$" {
        let text = value.as_str().unwrap_or_default();
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        return (!is_digits).then(|| format!("{at}: {value} is not digits"));
    }
    if let Some(items) = value.as_array() {
        let length = schema["minItems"].as_u64();
        if length.is_some_and(|length| length != items.len() as u64) {
            return Some(format!("{at}: {} entries", items.len()));
        }
        let place = format!("{at}[]");
        return items.iter().find_map(|item| misfit(root, item, &schema["items"], &place, met));
    }
    let keys = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten();
    for key in required.filter_map(Value::as_str) {
        if !keys.contains_key(key) {
            return Some(format!("{at} has no {key}"));
        }
    }
    keys.iter().find_map(|(key, value)| {
        let place = format!("{at}.{key}");
        match (schema["properties"].get(key), schema.get("additionalProperties")) {
            (Some(schema), _) | (None, Some(schema)) => misfit(root, value, schema, &place, met),
            (None, None) => Some(format!("{place} is not in the schema")),
        }
    })
}

/// Claim: the schema in the repository is that of this program, which `schema --results` prints.
/// `HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- schema_of_results` writes it.
#[test]
fn the_schema_of_results_is_up_to_date() {
    let path = root().join("docs/result.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == text, "the schema is out of date");
    assert_eq!(ends(&root(), 0, &["schema", "--results"]).0, text);
}

/// Claim: the schema has every published counter of the lists, with its meaning; those that may be
/// left out are not required.
#[test]
fn the_schema_has_every_counter() {
    let schema = schema();
    let lists: [(&str, &[Counter]); 3] = [
        ("VcSummary", VcSummary::COUNTERS),
        ("HopSummary", HopSummary::COUNTERS),
        ("LinkSummary", LinkSummary::COUNTERS),
    ];
    for (table, counters) in lists {
        let table = &schema["$defs"][table];
        assert!(counters.len() > 4);
        for counter in counters {
            let property = &table["properties"][counter.key];
            assert_eq!(property["description"], counter.meaning, "{}", counter.key);
            let required = table["required"].as_array().unwrap();
            assert!(!counter.optional || !required.contains(&counter.key.into()));
        }
    }
}

/// Documents against the schema, and the keys that were met.
struct Fit {
    schema: Value,
    met: BTreeSet<String>,
}

impl Fit {
    fn new() -> Fit {
        Fit { schema: schema(), met: BTreeSet::new() }
    }

    /// Asserts that a text is the document of a command.
    fn fits(&mut self, of: &str, text: &str) {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{of}: {text}"));
        let documents = self.schema["anyOf"].as_array().expect("a list");
        let document = documents.iter().find(|document| document["title"] == of);
        let document = document.unwrap_or_else(|| panic!("no document {of}"));
        assert_eq!(misfit(&self.schema, &value, document, of, &mut self.met), None);
    }

    /// Asserts that some document had these keys, `TABLE.KEY`.
    fn has_met(&self, keys: &[&str]) {
        for key in keys {
            assert!(self.met.contains(*key), "no document had {key}");
        }
    }
}

/// What a command prints as JSON, whether a property fails or not.
fn printed(here: &Path, args: &[&str]) -> String {
    let output = hopflow(here, &[args, &["--format", "json"]].concat());
    let code = output.status.code();
    assert!(code == Some(0) || code == Some(1), "{args:?}: {output:?}");
    text(&output.stdout)
}

fn example(name: &str) -> String {
    format!("{EXAMPLES}/{name}.toml")
}

const SHORT: [&str; 2] = ["--set", "duration=\"2 ms\""];

/// Claim: what `run`, `run --seeds`, `compare` and `compare --seeds` print as JSON, and what they
/// write beside, is in the schema: no key lacks, no key is of another type, and none is not in the
/// schema. The runs have connections, calls, lanes, rates, coders, set-ups, processors and marks.
#[test]
fn every_run_fits_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut fit = Fit::new();
    for name in [
        "abr-erica-plus",
        "backward-rm",
        "calls",
        "cbfc",
        "dctcp-incast",
        "figure-14",
        "lanes",
        "nfs",
        "slow-receiver",
        "tcp-over-atm",
        "video",
        "workstation",
    ] {
        let text = printed(here, &["run", &example(name), "--no-directory", "-q"]);
        fit.fits("run", &text);
    }
    let read = |file: &str| std::fs::read_to_string(here.join(file)).unwrap();
    let lost = example("lost-credits");
    hopflow(here, &[&["run", &lost, "--out", "r", "-q"], &SHORT[..]].concat());
    fit.fits("run", &read("r/summary.json"));
    let seeds = [&["run", &lost, "--seeds", "2", "--out", "n", "-q"], &SHORT[..]].concat();
    fit.fits("run --seeds N", &printed(here, &seeds));
    fit.fits("run", &read("n/seed-1.json"));
    let controls = example("udp-and-tcp");
    let compare = ["compare", &controls, "--no-directory", "-q", "--set", "duration=\"50 ms\""];
    fit.fits("compare", &printed(here, &compare));
    fit.fits("compare --seeds N", &printed(here, &[&compare[..], &["--seeds", "2"]].concat()));
    fit.fits("demo", &printed(here, &["demo", "--no-directory", "-q"]));
    fit.has_met(&[
        "VcSummary.video",
        "VcSummary.set_ups",
        "HopSummary.rate",
        "LinkSummary.lanes",
        "ConnectionSummary.rpc",
        "TcpSummary.mark_cuts",
        "RunDocument.processors",
        "RunDocument.fairness",
    ]);
}

/// Claim: the same of every other command.
#[test]
fn every_other_document_fits_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut fit = Fit::new();
    let [figure, lost] = ["figure-14", "lost-credits"].map(example);
    for (out, seed) in [("r", "1"), ("q", "2")] {
        let run = ["run", &lost, "--seed", seed, "--out", out, "-q"];
        hopflow(here, &[&run[..], &SHORT].concat());
    }
    let axis = ["--axis", "event.1.corrupt-credits=0.1,7", "--out", "s", "-q"];
    let sweep = [&["sweep", &lost], &axis[..], &SHORT[..]].concat();
    fit.fits("sweep --dry-run", &printed(here, &[&sweep[..], &["--dry-run"]].concat()));
    fit.fits("sweep", &printed(here, &sweep));
    fit.fits("sweep", &printed(here, &["sweep", "status", "s", "-q"]));
    let array = ["--axis", "seed=1,2", "--engine", "slurm", "--out", "a", "-q"];
    let array = [&["sweep", &lost], &array[..], &SHORT[..]].concat();
    fit.fits("sweep --engine slurm", &printed(here, &array));
    std::fs::write(here.join("wrong.toml"), "version = 2\nduraton = \"1 ms\"\n").unwrap();
    let output = hopflow(here, &["check", "wrong.toml", &figure, "--format", "json"]);
    fit.fits("check", std::str::from_utf8(&output.stdout).unwrap());
    fit.fits("check", &printed(here, &["check", &example("fat-tree"), &example("slow-receiver")]));
    fit.fits("check", &printed(here, &["check", "--answer", &example("exercise")]));
    fit.fits("why", &printed(here, &["why", &example("dctcp-incast")]));
    fit.fits("why", &printed(here, &["why", "r"]));
    for name in ["figure-14", "lanes", "abr-erica-plus", "pfc-deadlock", "dctcp-incast"] {
        fit.fits("size", &printed(here, &["size", &example(name)]));
    }
    let path = ["size", "--window", "--rate", "10 Gb/s", "--rtt", "100 ms"];
    fit.fits("size", &printed(here, &path));
    let preset = ["size", "--preset", "fibre-channel", "--speed", "8GFC", "--length", "50 km"];
    fit.fits("size", &printed(here, &preset));
    fit.fits("size", &printed(here, &[&preset[..], &["--verify"]].concat()));
    fit.fits("diff", &printed(here, &["diff", "r", "q"]));
    fit.fits("bundle", &printed(here, &["bundle", "r", "-q"]));
    fit.fits("bundle --check", &printed(here, &["bundle", "--check", "r.tar", "-q"]));
    fit.fits("report", &printed(here, &["report", "r"]));
    fit.fits("reproduce --list", &printed(here, &["reproduce", "--list"]));
    fit.fits("reproduce", &printed(here, &["reproduce", "kung94.fig14", "--out", "page.html"]));
    let output = hopflow(here, &["doctor", "--format", "json"]);
    fit.fits("doctor", std::str::from_utf8(&output.stdout).unwrap());
    fit.has_met(&[
        "CheckedRoutes.hottest",
        "CheckedFile.answer",
        "SlowHost.host",
        "FindingPlace.line",
        "SweepFailure.command",
        "WindowRow.reached_bps",
        "LaneRow.link",
        "RateRow.vc",
        "HeadroomRow.link",
        "PublicValue.why",
        "VerifiedRun.verdict",
        "Difference.file",
        "ClaimResult.verdict",
        "Experiment.id",
    ]);
}

/// Claim: a value of another type, a key that lacks and one that is not in the schema do not fit.
#[test]
fn a_wrong_document_does_not_fit() {
    let schema = schema();
    let right = json!({
        "version": 2, "bundle": "b.tar", "kind": "run", "digest": "d", "runs": 1,
        "command": "hopflow run", "bytes": 3, "sha256": "s", "files": ["a"],
    });
    let documents = schema["anyOf"].as_array().unwrap();
    let bundle = documents.iter().find(|document| document["title"] == "bundle").unwrap();
    let fits = |value: &Value| misfit(&schema, value, bundle, "b", &mut BTreeSet::new());
    assert_eq!(fits(&right), None);
    for (key, value, says) in [
        ("files", json!([1]), "b.files[]: 1 is not \"string\""),
        ("kind", json!("walk"), "is not of"),
        ("runs", json!(0.5), "b.runs: 0.5 is not \"integer\""),
        ("color", json!("red"), "b.color is not in the schema"),
    ] {
        let mut wrong = right.clone();
        wrong[key] = value;
        let found = fits(&wrong).unwrap_or_default();
        assert!(found.contains(says), "{key}: {found}");
    }
    let mut wrong = right.clone();
    wrong.as_object_mut().unwrap().remove("digest");
    assert_eq!(fits(&wrong).as_deref(), Some("b has no digest"));
}
