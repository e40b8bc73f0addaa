//! The tables of keys in `docs/scenario.md` are made of the schema: each key once, grouped by the
//! kinds that have it. `HOPFLOW_WRITE_SCHEMA=1 cargo test -p hopflow-scenario` writes them anew.
//!
//! ```text
//! <!-- keys: scheduler -->         all keys of the table that no other mark on the page takes
//! <!-- keys: source of tcp -->     those that only these kinds have
//! <!-- /keys -->
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use hopflow_scenario::Scenario;
use serde_json::Value;

/// The page, and what its tables of keys must be.
fn page() -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.md");
    let text = std::fs::read_to_string(&path).expect("the page is there");
    (path, text)
}

/// A mark of the page: a table of the schema, and the kinds whose keys it lists, if not all.
#[derive(Clone, Debug)]
struct Mark {
    table: String,
    kinds: Option<BTreeSet<String>>,
}

impl Mark {
    fn read(text: &str) -> Mark {
        let (table, kinds) = text.split_once(" of ").map_or((text, None), |(t, k)| (t, Some(k)));
        let kinds = kinds.map(|kinds| kinds.split(' ').map(str::to_owned).collect());
        Mark { table: table.to_owned(), kinds }
    }

    fn takes(&self, key: &Key) -> bool {
        let Some(kinds) = &self.kinds else { return true };
        !key.kinds.is_empty() && key.kinds.iter().all(|kind| kinds.contains(kind))
    }
}

/// A key as the schema has it.
struct Key {
    name: String,
    meaning: String,
    takes: String,
    kinds: Vec<String>,
    default: String,
}

const PARTS: [&str; 4] = ["Unit: ", "Only for: ", "Required: ", "Default: "];

impl Key {
    fn read(name: &str, value: &Value) -> Key {
        let text = value["description"].as_str().expect("each key has a description");
        let mut parts = BTreeMap::new();
        let mut rest = text;
        for part in PARTS.iter().rev() {
            if let Some(at) = rest.rfind(&format!(" {part}")) {
                let said = rest[at + 1 + part.len()..].trim_end_matches('.');
                parts.insert(*part, said.to_owned());
                rest = &rest[..at];
            }
        }
        let mut part = |name| parts.remove(name).unwrap_or_default();
        let default =
            if part(PARTS[2]).is_empty() { part(PARTS[3]) } else { "required".to_owned() };
        Key {
            name: name.to_owned(),
            meaning: rest.to_owned(),
            takes: takes(value, &part(PARTS[0])),
            kinds: part(PARTS[1])
                .split(", ")
                .filter(|k| !k.is_empty())
                .map(str::to_owned)
                .collect(),
            default,
        }
    }

    fn row(&self) -> String {
        let Key { name, meaning, takes, default, .. } = self;
        let cells = [format!("`{name}`"), meaning.clone(), takes.clone()];
        let cells = cells.iter().chain([default]).map(|cell| cell.replace('|', "\\|"));
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    }
}

/// What may stand at a key, in words.
fn takes(value: &Value, unit: &str) -> String {
    if let Some(all) = value["anyOf"].as_array() {
        let of = |one: &Value| match takes(one, unit) {
            pair if pair.starts_with("a pair of: ") => "a pair of these".to_owned(),
            words => words,
        };
        let mut words: Vec<String> = all.iter().map(of).collect();
        words.dedup();
        return words.join(", or ");
    }
    if let Some(words) = value["enum"].as_array() {
        let quoted = words.iter().map(|word| format!("`{}`", word.as_str().unwrap_or_default()));
        return quoted.collect::<Vec<_>>().join(" ");
    }
    let limits = |least: Option<f64>, most: Option<f64>| match (least, most) {
        // A limit that stands for no limit says nothing.
        (Some(least), Some(most)) if most < 4e9 => format!("{least} to {most}"),
        (Some(least), _) => format!("from {least}"),
        (None, _) => "any".to_owned(),
    };
    match value["type"].as_str() {
        None => "a table".to_owned(),
        Some("array") => {
            let of = takes(&value["items"], unit);
            let of = if of == "a table" { "tables".to_owned() } else { of };
            let pair = value["maxItems"] == 2 && value["minItems"] == 2;
            if pair { format!("a pair of: {of}") } else { format!("a list of: {of}") }
        }
        Some("string") => if unit.is_empty() { "text" } else { unit }.to_owned(),
        Some("boolean") => "`true` `false`".to_owned(),
        Some("integer") => limits(value["minimum"].as_f64(), value["maximum"].as_f64()),
        Some(_) => {
            let limits = limits(value["minimum"].as_f64(), value["maximum"].as_f64());
            format!("number, {limits}")
        }
    }
}

/// The table of a mark: keys of all kinds first, then those of each group of kinds.
fn written(mark: &Mark, others: &[Mark]) -> String {
    let schema = Scenario::json_schema();
    let table = if mark.table == "scenario" { &schema } else { &schema["$defs"][&mark.table] };
    let properties = table["properties"].as_object();
    let properties = properties.unwrap_or_else(|| panic!("no table `{}`", mark.table));
    let elsewhere = |key: &Key| {
        let of_kinds = others.iter().filter(|one| one.table == mark.table && one.kinds.is_some());
        mark.kinds.is_none() && of_kinds.into_iter().any(|one| one.takes(key))
    };
    let mut keys: Vec<Key> =
        properties.iter().map(|(name, value)| Key::read(name, value)).collect();
    keys.retain(|key| mark.takes(key) && !elsewhere(key));
    let kinds = table["properties"]["kind"]["enum"].as_array().cloned().unwrap_or_default();
    let place = |key: &Key| {
        let first = key.kinds.first();
        first.map(|first| kinds.iter().position(|kind| kind.as_str() == Some(first)))
    };
    keys.sort_by_key(|key| (place(key), key.kinds.clone(), key.name.clone()));
    let mut lines =
        vec!["| key | meaning | takes | default |".to_owned(), "|---|---|---|---|".to_owned()];
    let mut group: &[String] = &[];
    for key in &keys {
        if key.kinds != group {
            group = &key.kinds;
            let names: Vec<String> = group.iter().map(|kind| format!("`{kind}`")).collect();
            lines.push(format!("| *{}* | | | |", names.join(", ")));
        }
        lines.push(key.row());
    }
    lines.join("\n")
}

/// The page with all tables made anew.
fn made(text: &str) -> String {
    let marks: Vec<Mark> = (text.split("<!-- keys: ").skip(1))
        .map(|rest| Mark::read(rest.split(" -->").next().unwrap_or_default()))
        .collect();
    let mut parts = text.split("<!-- keys: ");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for (mark, part) in marks.iter().zip(parts) {
        let (head, rest) = part.split_once(" -->").expect("a mark is closed");
        let (_, behind) = rest.split_once("<!-- /keys -->").expect("a table of keys has an end");
        let table = written(mark, &marks);
        let _ = write!(page, "<!-- keys: {head} -->\n{table}\n<!-- /keys -->{behind}");
    }
    with_contents(&page)
}

/// The page with its list of sections made anew.
fn with_contents(page: &str) -> String {
    let (before, rest) = page.split_once("<!-- contents -->").expect("the page has contents");
    let (_, behind) = rest.split_once("<!-- /contents -->").expect("the contents have an end");
    let mut list = String::new();
    for line in behind.lines() {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let Some(title) = line.get(level..).filter(|_| level == 2 || level == 3) else { continue };
        let title = title.trim();
        let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
        let anchor: String = title.to_lowercase().chars().filter(kept).collect();
        let indent = "  ".repeat(level - 2);
        let _ = writeln!(list, "{indent}* [{title}](#{})", anchor.replace(' ', "-"));
    }
    format!("{before}<!-- contents -->\n{list}<!-- /contents -->{behind}")
}

/// Claim: the tables of the page are those of the schema.
#[test]
fn the_reference_is_up_to_date() {
    let (path, text) = page();
    let made = made(&text);
    if std::env::var_os("HOPFLOW_WRITE_SCHEMA").is_some() {
        std::fs::write(path, &made).expect("the page can be written");
        return;
    }
    assert!(made == text, "docs/scenario.md is out of date: HOPFLOW_WRITE_SCHEMA=1 writes it");
}

/// Claim: each key of each table is on the page once.
#[test]
fn every_key_is_there_once() {
    let schema = Scenario::json_schema();
    let tables = schema["$defs"].as_object().expect("the schema has tables");
    let tables = tables.iter().filter(|(name, _)| !name.starts_with("defaults"));
    let tables = tables.map(|(name, table)| (name.as_str(), table)).chain([("scenario", &schema)]);
    let (_, text) = page();
    let marks: Vec<Mark> = (text.split("<!-- keys: ").skip(1))
        .map(|rest| Mark::read(rest.split(" -->").next().unwrap_or_default()))
        .collect();
    for (name, table) in tables {
        let lists = marks.iter().filter(|mark| mark.table == name);
        let all: Vec<String> = lists.map(|mark| written(mark, &marks)).collect();
        for key in table["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            let is_row = |line: &&str| line.starts_with(&format!("| `{key}` |"));
            let count = all.iter().flat_map(|text| text.lines()).filter(is_row).count();
            assert_eq!(count, 1, "`{key}` of {name}");
        }
    }
}
