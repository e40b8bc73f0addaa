//! Which packages of npm the page of the lab may hold: what its files import, and what these need.
//!
//! The bundler leaves out what is not used, so the list may be longer than what is inside. `vite`
//! and `rolldown` bundle the page and put a few lines of their own into it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::crates::{texts, word};
use super::notice::{Package, Packages, Place};

/// They bundle the page; of what they need themselves, nothing is in it.
const BUNDLERS: [&str; 2] = ["vite", "rolldown"];
const FOLDER: &str = "node_modules/";

/// The packages of the page in the folder `lab`.
pub(super) fn npm(lab: &Path) -> Result<Packages> {
    let lock = fs::read_to_string(lab.join("package-lock.json")).context("package-lock.json")?;
    let lock: Value = serde_json::from_str(&lock).context("read package-lock.json")?;
    let mut imports = BTreeSet::new();
    read(&lab.join("src"), &mut imports)?;
    let mut all = closure(&lock["packages"], &imports)?;
    all.extend(BUNDLERS.map(|name| format!("{FOLDER}{name}")));
    let mut packages = Packages::new();
    for path in all {
        let one = &lock["packages"][&path];
        let folder = lab.join(&path);
        let about = fs::read_to_string(folder.join("package.json"));
        let about = about.with_context(|| {
            format!("lab/{path} is not there: `cargo xtask lab` puts it there with the page")
        })?;
        let about: Value = serde_json::from_str(&about).with_context(|| path.clone())?;
        let name = path.rsplit(FOLDER).next().unwrap_or_default().to_owned();
        packages.insert((name, word(&one["version"]), true), package(one, &about, &folder)?);
    }
    Ok(packages)
}

fn package(locked: &Value, about: &Value, folder: &Path) -> Result<Package> {
    let either = |value: &Value, key: &str| {
        value.as_str().or_else(|| value[key].as_str()).unwrap_or_default().to_owned()
    };
    let authors = either(&about["author"], "name");
    Ok(Package {
        licence: word(&locked["license"]),
        repository: either(&about["repository"], "url"),
        authors: Some(authors).filter(|name| !name.is_empty()).into_iter().collect(),
        places: BTreeSet::from([Place::Page]),
        texts: texts(folder)?,
    })
}

/// The packages that the files below `folder` import.
fn read(folder: &Path, imports: &mut BTreeSet<String>) -> Result<()> {
    let list = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    for one in list {
        let path = one?.path();
        if path.is_dir() {
            read(&path, imports)?;
        } else if path.extension().is_some_and(|it| it == "ts" || it == "svelte") {
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("read {}", path.display()))?;
            imports.extend(text.lines().filter_map(imported).map(str::to_owned));
        }
    }
    Ok(())
}

/// The package that a line imports; files of the page itself begin with a dot.
fn imported(line: &str) -> Option<&str> {
    let after = ["from '", "import '", "import('"];
    let (_, rest) = after.iter().find_map(|word| line.split_once(word))?;
    let path = rest.split('\'').next()?;
    let named = path.starts_with(|c: char| c == '@' || c.is_ascii_lowercase());
    // The name of a scope, such as `@codemirror/view`, has two parts.
    let parts = if path.starts_with('@') { 2 } else { 1 };
    let end = path.match_indices('/').nth(parts - 1).map_or(path.len(), |(at, _)| at);
    named.then(|| &path[..end])
}

/// The packages named, and all that they need, as their paths in the lock file.
fn closure(packages: &Value, names: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let mut open: Vec<(String, String)> =
        names.iter().map(|name| (String::new(), name.clone())).collect();
    let mut all = BTreeSet::new();
    while let Some((from, name)) = open.pop() {
        let path = resolved(packages, &from, &name)
            .with_context(|| format!("package-lock.json does not have `{name}`"))?;
        if !all.insert(path.clone()) {
            continue;
        }
        let needs = packages[&path]["dependencies"].as_object().into_iter().flatten();
        open.extend(needs.map(|(name, _)| (path.clone(), name.clone())));
    }
    Ok(all)
}

/// Where Node.js finds `name` from the package at `from`: in its own folder, or in one above.
fn resolved(packages: &Value, from: &str, name: &str) -> Option<String> {
    let mut place = from;
    loop {
        let slash = if place.is_empty() { "" } else { "/" };
        let path = format!("{place}{slash}{FOLDER}{name}");
        if packages[&path].is_object() {
            return Some(path);
        }
        if place.is_empty() {
            return None;
        }
        place = place.rfind(FOLDER).map_or("", |at| place[..at].trim_end_matches('/'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a package is named by its first part, or two with a scope; own files are not.
    #[test]
    fn imports_are_read() {
        assert_eq!(
            imported("import { a } from '@codemirror/legacy-modes/mode/toml';"),
            Some("@codemirror/legacy-modes")
        );
        assert_eq!(imported("  import 'uplot/dist/uPlot.min.css';"), Some("uplot"));
        assert_eq!(imported("const m = await import('marked');"), Some("marked"));
        assert_eq!(imported("import { b } from './b';"), None);
        assert_eq!(imported("let from = 'A';"), None);
    }

    /// Claim: what a package needs is found, nearest first; what is missing is an error.
    #[test]
    fn needs_are_followed() {
        let packages = serde_json::json!({
            "node_modules/a": { "dependencies": { "b": "1", "@s/c": "1" } },
            "node_modules/a/node_modules/b": { "dependencies": { "d": "1", "e": "1" } },
            "node_modules/a/node_modules/e": {}, "node_modules/e": {},
            "node_modules/b": {}, "node_modules/@s/c": {}, "node_modules/d": {},
            "node_modules/unused": {},
        });
        let names = BTreeSet::from(["a".to_owned()]);
        let all: Vec<String> = closure(&packages, &names).expect("all there").into_iter().collect();
        let wanted = ["@s/c", "a", "a/node_modules/b", "a/node_modules/e", "d"]
            .map(|name| format!("{FOLDER}{name}"));
        assert_eq!(all, wanted);
        let names = BTreeSet::from(["missing".to_owned()]);
        assert!(closure(&packages, &names).is_err());
    }
}
