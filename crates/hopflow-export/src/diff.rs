//! Where two directories of results differ first: file by file, the first key, event or table cell.
//!
//! ```text
//! manifest.json           what was run, and the digest
//! scenario.toml           the first line that differs
//! trace-*.parquet         the first event that differs
//! summary.json, *.json    the first keys that differ, and how many do
//! *.parquet               the first row that differs
//! ```
//! Everything is compared by value, so the same results written by different versions of hopflow,
//! or packed otherwise, do not differ. Pages are not compared: they show what the rest says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hopflow::scenario::regular;
use hopflow_units::shape::Shaped;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Row;
use serde::Serialize;
use serde_json::Value;

use crate::ExportError;
use crate::run::{MANIFEST, SUMMARY};

/// Keys of a JSON file that are listed; the rest is counted.
const LISTED: usize = 3;

/// A place at which two directories differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct Difference {
    /// The file.
    pub file: String,
    /// The place in it: a key, a line, a row with what it is about; empty for the whole file.
    pub place: String,
    /// What the first directory has; `None`: nothing.
    pub a: Option<String>,
    /// What the second has.
    pub b: Option<String>,
    /// Further differences of this file that are not listed, of those that were counted.
    pub more: u64,
}

/// What two directories of results have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct Differences {
    /// The digest of each.
    pub digests: [String; 2],
    /// The version of the contract of each, as its `summary.json` says.
    pub versions: [Option<u64>; 2],
    /// Files that were compared.
    pub files: usize,
    /// Where they differ, in the order of the list above; empty: nowhere.
    pub differences: Vec<Difference>,
}

/// Compares two directories of results.
pub fn differences(a: &Path, b: &Path) -> Result<Differences, ExportError> {
    let digests = [digest(a)?, digest(b)?];
    let versions = [version(a), version(b)];
    let names: BTreeSet<(u8, String)> = names(a)?.into_iter().chain(names(b)?).collect();
    let mut found = Vec::new();
    for (_, name) in &names {
        let paths = [a, b].map(|folder| folder.join(name));
        match paths.each_ref().map(|path| path.exists()) {
            [true, true] => found.extend(file(name, &paths[0], &paths[1])?),
            [in_a, in_b] => {
                let there = |is: bool| Some(if is { "a file" } else { "no file" }.to_owned());
                let whole = at(String::new(), there(in_a), there(in_b));
                found.push(Difference { file: name.clone(), ..whole });
            }
        }
    }
    Ok(Differences { digests, versions, files: names.len(), differences: found })
}

fn digest(folder: &Path) -> Result<String, ExportError> {
    let path = folder.join(MANIFEST);
    if !path.exists() {
        return Err(ExportError::NoRun { path: folder.to_path_buf() });
    }
    let manifest = json(&path)?;
    let digest = manifest.get("digest").and_then(Value::as_str);
    digest.map(str::to_owned).ok_or_else(|| ExportError::read(&path, "it has no digest"))
}

/// The version of the contract of a directory, if its summary says it.
fn version(folder: &Path) -> Option<u64> {
    json(&folder.join(SUMMARY)).ok()?["version"].as_u64()
}

/// The files to compare, each with its place in the order.
fn names(folder: &Path) -> Result<Vec<(u8, String)>, ExportError> {
    let failed = |cause| ExportError::read(folder, cause);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        let extension = Path::new(&name).extension().and_then(|extension| extension.to_str());
        let order = match (name.as_str(), extension) {
            (MANIFEST, _) => 0,
            ("scenario.toml", _) => 1,
            (_, Some("parquet")) if name.starts_with("trace") => 2,
            (_, Some("json")) => 3,
            (_, Some("parquet")) => 4,
            _ => continue,
        };
        names.push((order, name));
    }
    Ok(names)
}

fn file(name: &str, a: &Path, b: &Path) -> Result<Vec<Difference>, ExportError> {
    let mut found = match a.extension().and_then(|extension| extension.to_str()) {
        Some("json") => keys(&json(a)?, &json(b)?),
        Some("parquet") => table_difference(a, b)?.into_iter().collect(),
        _ => lines(&text(a)?, &text(b)?).into_iter().collect(),
    };
    for one in &mut found {
        name.clone_into(&mut one.file);
    }
    Ok(found)
}

fn text(path: &Path) -> Result<String, ExportError> {
    regular::read_text(path).map_err(|cause| ExportError::read(path, cause))
}

fn json(path: &Path) -> Result<Value, ExportError> {
    serde_json::from_str(&text(path)?).map_err(|cause| ExportError::read(path, cause))
}

fn at(place: String, a: Option<String>, b: Option<String>) -> Difference {
    Difference { file: String::new(), place, a, b, more: 0 }
}

/// The first line that differs.
fn lines(a: &str, b: &str) -> Option<Difference> {
    let (mut a, mut b) = (a.lines(), b.lines());
    (1..u64::MAX)
        .map_while(|line| match (a.next(), b.next()) {
            (None, None) => None,
            (a, b) => Some((line, a, b)),
        })
        .find(|(_, a, b)| a != b)
        .map(|(line, a, b)| at(format!("line {line}"), a.map(str::to_owned), b.map(str::to_owned)))
}

/// The first keys that differ, with the number of the others in the last.
fn keys(a: &Value, b: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    walk("", Some(a), Some(b), &mut found);
    let more = found.len().saturating_sub(LISTED) as u64;
    found.truncate(LISTED);
    if let Some(last) = found.last_mut() {
        last.more = more;
    }
    found
}

fn walk(place: &str, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    match (a, b) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let names: Vec<&String> =
                a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))).collect();
            for name in names {
                let dot = if place.is_empty() { "" } else { "." };
                walk(&format!("{place}{dot}{name}"), a.get(name), b.get(name), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                let (a, b) = (a.get(index), b.get(index));
                walk(&format!("{place}[{}]", label(index, a.or(b))), a, b, found);
            }
        }
        _ if a == b => {}
        _ => found.push(at(place.to_owned(), a.map(shown), b.map(shown))),
    }
}

/// What an element of a list is called: by its name where it has one.
fn label(index: usize, element: Option<&Value>) -> String {
    let name = |key: &str| Some(element?.get(key)?.as_str()?.to_owned());
    ["name", "link", "vc", "node"].into_iter().find_map(name).unwrap_or_else(|| index.to_string())
}

/// A value in a line, shortened.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain("...".chars()).collect()
}

/// The first row that differs between two Parquet files: its columns, those that differ as `a / b`.
pub fn table_difference(a: &Path, b: &Path) -> Result<Option<Difference>, ExportError> {
    let open = |path: &Path| {
        let failed = |cause: &dyn ToString| ExportError::read(path, cause.to_string());
        let file = regular::open(path).map_err(|cause| failed(&cause))?;
        SerializedFileReader::new(file).map_err(|cause| failed(&cause))
    };
    let files = (open(a)?, open(b)?);
    let failed = |path: &Path, cause| ExportError::read(path, cause);
    let mut in_a = files.0.get_row_iter(None).map_err(|cause| failed(a, cause))?;
    let mut in_b = files.1.get_row_iter(None).map_err(|cause| failed(b, cause))?;
    for number in 0_u64.. {
        let row_a = in_a.next().transpose().map_err(|cause| failed(a, cause))?;
        let row_b = in_b.next().transpose().map_err(|cause| failed(b, cause))?;
        match (row_a, row_b) {
            (None, None) => return Ok(None),
            (Some(row_a), Some(row_b)) => {
                if row_a == row_b {
                    continue;
                }
                // Not a number is no number but the same text.
                let (a, b) = (cells(&row_a), cells(&row_b));
                if a != b {
                    return Ok(Some(row_difference(number, &a, &b)));
                }
            }
            (a, b) => {
                let line = |row: &Row| joined(&cells(row));
                let (a, b) = (a.as_ref().map(line), b.as_ref().map(line));
                return Ok(Some(at(format!("row {number}"), a, b)));
            }
        }
    }
    unreachable!("a file has fewer than 2^64 rows")
}

/// Name and value of each column.
fn cells(row: &Row) -> Vec<(String, String)> {
    row.get_column_iter().map(|(name, field)| (name.clone(), field.to_string())).collect()
}

fn joined(cells: &[(String, String)]) -> String {
    let cells: Vec<String> = cells.iter().map(|(name, value)| format!("{name} {value}")).collect();
    cells.join(", ")
}

/// Where a row differs: what it is about are its texts and numbers that do not differ.
fn row_difference(number: u64, a: &[(String, String)], b: &[(String, String)]) -> Difference {
    let only = |these: &[(String, String)], others: &[(String, String)]| -> String {
        let differ: Vec<_> = these.iter().filter(|cell| !others.contains(cell)).cloned().collect();
        joined(&differ)
    };
    // Texts are quoted: names of VCs, links and kinds.
    let about: Vec<_> =
        a.iter().filter(|cell| b.contains(cell) && cell.1.starts_with('"')).cloned().collect();
    let about = if about.is_empty() { String::new() } else { format!(" ({})", joined(&about)) };
    at(format!("row {number}{about}"), Some(only(a, b)), Some(only(b, a)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Claim: keys are named by the names of what they are in, the first are listed and the others
    /// counted; a key that one has alone differs too.
    #[test]
    fn keys_that_differ_are_named() {
        let a = json!({ "vcs": [{ "name": "VC1", "lost": "3" }, { "name": "VC2", "x": [1, 2] }] });
        let b = json!({ "vcs": [{ "name": "VC1", "lost": "4" }, { "name": "VC2", "x": [1] }] });
        let found = keys(&a, &b);
        let places: Vec<_> = found.iter().map(|one| (&*one.place, &one.a, &one.b)).collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            places,
            [
                ("vcs[VC1].lost", &some("\"3\""), &some("\"4\"")),
                ("vcs[VC2].x[1]", &some("2"), &None),
            ]
        );
        assert_eq!(keys(&a, &a), []);
        let many = |value: i32| json!([value, value, value, value, value]);
        let found = keys(&many(1), &many(2));
        assert_eq!((found.len(), found[2].more), (3, 2));
    }

    /// Claim: the first line that differs, or that only one has.
    #[test]
    fn the_first_line_that_differs_is_found() {
        let found = lines("a\nb\nc", "a\nx\nc").unwrap();
        assert_eq!(
            (&*found.place, found.a.as_deref(), found.b.as_deref()),
            ("line 2", Some("b"), Some("x"))
        );
        assert_eq!(lines("a\nb", "a").unwrap().b, None);
        assert_eq!(lines("a\n", "a"), None);
    }
}
