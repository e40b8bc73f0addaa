//! Views: the tables for SQL, one for each kind of Parquet file in the directories.
//!
//! ```text
//! vcs.parquet          view `vcs`, and `flows` is another name of it
//! trace-NNNNN.parquet  view `trace`, of all parts
//! NAME.parquet         view NAME
//! ```
//! A view of several directories has all their rows; columns that a directory lacks are null.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::fail::Fail;

/// A view: its name, and the statement of DuckDB that makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct View {
    /// What SQL calls it.
    pub(crate) name: String,
    /// `create view ...`, without a semicolon.
    pub(crate) sql: String,
}

/// The directory and the files of a view, in order.
type Files = BTreeMap<String, Vec<(String, Vec<String>)>>;

/// The views of directories of results; without one, of those that are found here.
pub(crate) fn views(places: &[PathBuf]) -> Result<Vec<View>, Fail> {
    let found = if places.is_empty() { found_here()? } else { places.to_vec() };
    let mut files = Files::new();
    for place in &found {
        for (name, paths) in tables_of(place)? {
            files.entry(name).or_default().push((place.display().to_string(), paths));
        }
    }
    let mut views: Vec<View> = files.iter().map(|(name, files)| view(name, files)).collect();
    if files.contains_key("vcs") && !files.contains_key("flows") {
        let sql = "create view \"flows\" as select * from \"vcs\"".to_owned();
        views.push(View { name: "flows".to_owned(), sql });
    }
    Ok(views)
}

fn view(name: &str, files: &[(String, Vec<String>)]) -> View {
    let text = |word: &str| format!("'{}'", word.replace('\'', "''"));
    let select = |(place, paths): &(String, Vec<String>)| {
        let paths: Vec<String> = paths.iter().map(|path| text(path)).collect();
        let (place, paths) = (text(place), paths.join(", "));
        format!("select {place} as directory, * from read_parquet([{paths}])")
    };
    let selects: Vec<String> = files.iter().map(select).collect();
    let (quoted, all) = (name.replace('"', "\"\""), selects.join(" union all by name "));
    View { name: name.to_owned(), sql: format!("create view \"{quoted}\" as {all}") }
}

/// The tables of a directory by name, with their files in order.
fn tables_of(place: &Path) -> Result<BTreeMap<String, Vec<String>>, Fail> {
    let shown = place.display();
    let failed = |cause| Fail::Input(format!("`{shown}` cannot be read: {cause}"));
    if !is_results(place) {
        return Err(Fail::Input(format!(
            "`{shown}` is not a directory of results (it has no manifest.json and no sweep.json): \
             name one that `hopflow run`, `compare` or `sweep` wrote"
        )));
    }
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(place).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        if path.extension().is_some_and(|kind| kind == "jsonl") && stem.starts_with("journal-") {
            return Err(Fail::Input(format!(
                "`{shown}` is a sweep that is under way or was stopped, with runs outside its \
                 runs.parquet: repeat its command to go on, or type `hopflow sweep compact \
                 {shown}` to query what there is"
            )));
        }
        if !path.is_file() || path.extension().is_none_or(|kind| kind != "parquet") {
            continue;
        }
        let name = if stem.starts_with("trace-") { "trace".to_owned() } else { stem };
        tables.entry(name).or_default().push(path.display().to_string());
    }
    if tables.is_empty() {
        return Err(Fail::Input(format!("`{shown}` has no Parquet file: its runs are not done")));
    }
    for paths in tables.values_mut() {
        paths.sort();
    }
    Ok(tables)
}

fn is_results(place: &Path) -> bool {
    place.join("manifest.json").is_file() || place.join("sweep.json").is_file()
}

/// The working directory if it has results; else all in `runs` and `sweeps`, in order.
fn found_here() -> Result<Vec<PathBuf>, Fail> {
    if is_results(Path::new(".")) {
        return Ok(vec![PathBuf::from(".")]);
    }
    let mut found = Vec::new();
    for folder in ["runs", "sweeps"] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_hidden = |path: &Path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
        };
        found.extend(
            entries.map(|entry| entry.path()).filter(|path| is_results(path) && !is_hidden(path)),
        );
    }
    found.sort();
    if found.is_empty() {
        return Err(Fail::input(
            "there are no results here, in `runs` or in `sweeps`: name a directory that \
             `hopflow run`, `compare` or `sweep` wrote",
        ));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: names and paths with quotes reach SQL as they are.
    #[test]
    fn quotes_are_doubled() {
        let one = view("a\"b", &[("it's".into(), vec!["it's/x.parquet".into()])]);
        let sql = "create view \"a\"\"b\" as select 'it''s' as directory, * from \
                   read_parquet(['it''s/x.parquet'])";
        assert_eq!(one.sql, sql);
    }
}
