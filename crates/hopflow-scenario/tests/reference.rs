//! The tables of keys in `docs/scenario.md` are made of the schema: each key once, grouped by the
//! kinds that have it; keys that an earlier table explains are named in one row that refers to it.
//! `HOPFLOW_WRITE_SCHEMA=1 cargo test -p hopflow-scenario` writes them anew.
//!
//! ```text
//! <!-- keys: scheduler -->         all keys of the table that no other mark on the page takes
//! <!-- keys: source of tcp -->     those that only these kinds have
//! <!-- /keys -->
//! ```
//!
//! Examples of this page and of all others are read as scenarios (`documents.rs`).

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
#[derive(Clone)]
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

/// A table of the schema.
fn table<'s>(schema: &'s Value, name: &str) -> &'s Value {
    if name == "scenario" { schema } else { &schema["$defs"][name] }
}

/// The keys of a mark that stands at this place among all marks.
fn keys_of(schema: &Value, marks: &[Mark], place: usize) -> Vec<Key> {
    let mark = &marks[place];
    let properties = table(schema, &mark.table)["properties"].as_object();
    let properties = properties.unwrap_or_else(|| panic!("no table `{}`", mark.table));
    let elsewhere = |key: &Key| {
        let of_kinds = marks.iter().filter(|one| one.table == mark.table && one.kinds.is_some());
        mark.kinds.is_none() && of_kinds.into_iter().any(|one| one.takes(key))
    };
    let mut keys: Vec<Key> =
        properties.iter().map(|(name, value)| Key::read(name, value)).collect();
    keys.retain(|key| mark.takes(key) && !elsewhere(key));
    keys
}

/// Takes the keys that an earlier table of the page explains out of `keys`, and writes them as one
/// row that refers to that table. A single key is left where it is.
fn referred(schema: &Value, marks: &[Mark], place: usize, keys: &mut Vec<Key>) -> Vec<String> {
    let mut rows = Vec::new();
    for (earlier, mark) in marks[..place].iter().enumerate() {
        let theirs = keys_of(schema, marks, earlier);
        let same = |key: &Key| {
            theirs.iter().find(|their| {
                their.name == key.name
                    && their.meaning == key.meaning
                    && their.takes == key.takes
                    && their.kinds == key.kinds
            })
        };
        let shared: Vec<Key> = keys.iter().filter(|key| same(key).is_some()).cloned().collect();
        if mark.table == marks[place].table || shared.len() < 2 {
            continue;
        }
        let is_equal = |key: &Key| same(key).is_some_and(|their| their.default == key.default);
        let default = match shared.as_slice() {
            all if all.iter().all(is_equal) => "as there",
            [first, rest @ ..] if rest.iter().all(|key| key.default == first.default) => {
                &first.default
            }
            _ => continue,
        };
        keys.retain(|key| shared.iter().all(|one| one.name != key.name));
        let names: Vec<String> = shared.iter().map(|key| format!("`{}`", key.name)).collect();
        let (names, table) = (names.join(", "), &mark.table);
        rows.push(format!("| {names} | as in [`{table}`](#{table}) | as there | {default} |"));
    }
    rows
}

/// The table of a mark: keys of all kinds first, then those of each group of kinds, then those that
/// an earlier table explains.
fn written(marks: &[Mark], place: usize) -> String {
    let schema = Scenario::json_schema();
    let mut keys = keys_of(&schema, marks, place);
    let referred = referred(&schema, marks, place, &mut keys);
    let table = table(&schema, &marks[place].table);
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
    lines.extend(referred);
    lines.join("\n")
}

/// The marks of the page, in order.
fn marks_of(text: &str) -> Vec<Mark> {
    let marks = text.split("<!-- keys: ").skip(1);
    marks.map(|rest| Mark::read(rest.split(" -->").next().unwrap_or_default())).collect()
}

/// The page with all tables made anew.
fn made(text: &str) -> String {
    let marks = marks_of(text);
    let mut parts = text.split("<!-- keys: ");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for (place, part) in parts.enumerate() {
        let (head, rest) = part.split_once(" -->").expect("a mark is closed");
        let (_, behind) = rest.split_once("<!-- /keys -->").expect("a table of keys has an end");
        let table = written(&marks, place);
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
        let Some(title) = line.get(level..).filter(|_| (2..=4).contains(&level)) else { continue };
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

/// Claim: each key of each table is on the page once, by its own row or in one that refers to an
/// earlier table.
#[test]
fn every_key_is_there_once() {
    let schema = Scenario::json_schema();
    let tables = schema["$defs"].as_object().expect("the schema has tables");
    let tables = tables.iter().filter(|(name, _)| !name.starts_with("defaults"));
    let tables = tables.map(|(name, table)| (name.as_str(), table)).chain([("scenario", &schema)]);
    let marks = marks_of(&page().1);
    for (name, table) in tables {
        let lists = (0..marks.len()).filter(|place| marks[*place].table == name);
        let all: Vec<String> = lists.map(|place| written(&marks, place)).collect();
        for key in table["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            let names = |line: &&str| {
                let cell = line.split(" | ").next().unwrap_or_default();
                cell.trim_start_matches("| ").split(", ").any(|name| name == format!("`{key}`"))
            };
            let count = all.iter().flat_map(|text| text.lines()).filter(names).count();
            assert_eq!(count, 1, "`{key}` of {name}");
        }
    }
}

/// The parts of the page, each from a heading to the next.
fn sections(text: &str) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            *section += line;
            *section += "\n";
        }
    }
    sections
}

/// Claim: a section with a table of keys has one, and an example.
#[test]
fn every_section_has_one_table_and_an_example() {
    for section in sections(&page().1) {
        let heading = section.lines().next().unwrap_or_default();
        match section.matches("<!-- keys: ").count() {
            0 => {}
            1 => assert!(section.contains("```toml\n"), "{heading} has no example"),
            several => panic!("{heading} has {several} tables of keys"),
        }
    }
}
