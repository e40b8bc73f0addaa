//! The scenarios in a folder, for who names none or one that is not there.

use std::fs;
use std::path::Path;

use hopflow_scenario::{nearest, regular};

/// The most entries of a folder that are looked at.
const MOST_SEEN: usize = 1_000;
/// The most files that are listed.
const LISTED: usize = 6;

/// The way out if a file is not there: a name that is near, those that there are, or a new one.
pub(crate) fn instead_of(missing: &Path) -> Option<String> {
    let name = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let found = scenarios(folder);
    let stem = |name: &'_ str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let stems: Vec<String> = found.iter().map(|name| stem(name)).collect();
    // Without `.toml`, which all have in common.
    let near = nearest(&stem(name), stems.iter().map(String::as_str));
    let near = near.and_then(|near| stems.iter().position(|one| one == near));
    if let Some(near) = near.map(|at| &found[at]) {
        return Some(format!("did you mean `{}`?", missing.with_file_name(near).display()));
    }
    let there = if folder == Path::new(".") {
        "here".to_owned()
    } else {
        format!("in {}", folder.display())
    };
    if !found.is_empty() {
        return Some(format!("the scenarios {there}: {}", listed(&found)));
    }
    let is_new = is_toml(missing) && folder.is_dir();
    is_new.then(|| format!("`hopflow init {}` writes a scenario to change", missing.display()))
}

/// The scenarios in a folder, by name in order.
pub(super) fn scenarios(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.take(MOST_SEEN).filter_map(|entry| Some(entry.ok()?.path()));
    let is_scenario = |path: &std::path::PathBuf| {
        is_toml(path)
            && regular::read_text(path).is_ok_and(|text| {
                text.lines().any(|line| line.trim_start().starts_with("[[flow]]"))
            })
    };
    let named = |path: std::path::PathBuf| Some(path.file_name()?.to_str()?.to_owned());
    let mut names: Vec<String> = paths.filter(is_scenario).filter_map(named).collect();
    names.sort_unstable();
    names
}

/// The first of them.
pub(super) fn listed(names: &[String]) -> String {
    let more = if names.len() > LISTED { ", ..." } else { "" };
    format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
}

pub(super) fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "toml")
}
