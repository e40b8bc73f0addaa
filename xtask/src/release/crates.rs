//! The third-party crates that are linked into a release, and the licences in their sources.
//!
//! `cargo tree` lists the linked crates: its features are those of the build, and macros that run
//! only in the compiler are omitted. `cargo metadata` gives licence, authors and folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::notice::{Key, Package, Packages, Place};
use crate::cost::names;
use crate::steps::{output, root};

/// The target of the engine in the page.
const BROWSER: &str = "wasm32-unknown-unknown";

/// The crates inside the command, the wheel and, with `lab`, the page, for `target`.
pub(super) fn crates(target: &str, lab: bool) -> Result<Packages> {
    let features: &[&str] = if lab { &["--features", "lab"] } else { &[] };
    let mut packages = Packages::new();
    let known = known(target, if lab { &["--features", "hopflow-cli/lab"] } else { &[] })?;
    add(&mut packages, Place::Command, &tree("hopflow-cli", target, features)?, &known)?;
    add(&mut packages, Place::Wheel, &tree("hopflow-python", target, features)?, &known)?;
    if lab {
        let page = tree("hopflow-wasm", BROWSER, &[])?;
        add(&mut packages, Place::Page, &page, &self::known(BROWSER, &[])?)?;
    }
    Ok(packages)
}

/// The folders of the crates of the project that are in the page.
pub(super) fn of_the_page() -> Result<Vec<PathBuf>> {
    let names = names(&tree("hopflow-wasm", BROWSER, &[])?);
    let names = names.iter().filter_map(|name| name.split(' ').next());
    let folders = names.map(|name| root().join("crates").join(name));
    Ok(folders.filter(|folder| folder.is_dir()).collect())
}

/// What `cargo tree` lists of normal dependencies.
fn tree(package: &str, target: &str, features: &[&str]) -> Result<String> {
    let tree = ["tree", "--locked", "--package", package, "--target", target];
    let form = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe"];
    output(&[&tree[..], &form, &["--format", "{p}"], features].concat())
}

/// The packages of the lock file that may be built for `target`, by `name vVERSION`.
fn known(target: &str, features: &[&str]) -> Result<BTreeMap<String, Value>> {
    let ask = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
    let text = output(&[&ask[..], features].concat())?;
    let metadata: Value = serde_json::from_str(&text).context("read what cargo knows")?;
    let all = metadata["packages"].as_array().context("cargo lists no packages")?;
    let name = |one: &Value| format!("{} v{}", word(&one["name"]), word(&one["version"]));
    Ok(all.iter().map(|one| (name(one), one.clone())).collect())
}

/// Adds what `tree` lists, but not the crates of the project itself.
fn add(
    packages: &mut Packages,
    place: Place,
    tree: &str,
    known: &BTreeMap<String, Value>,
) -> Result<()> {
    for name in names(tree) {
        let one = known.get(&name).with_context(|| format!("cargo does not know `{name}`"))?;
        if one["source"].is_null() {
            continue;
        }
        let key: Key = (word(&one["name"]), word(&one["version"]), false);
        if !packages.contains_key(&key) {
            packages.insert(key.clone(), package(one)?);
        }
        packages.get_mut(&key).expect("it is there").places.insert(place);
    }
    Ok(())
}

fn package(one: &Value) -> Result<Package> {
    let manifest = word(&one["manifest_path"]);
    let folder = Path::new(&manifest).parent().context("a manifest without a folder")?;
    let mut texts = texts(folder)?;
    if let Some(file) = one["license_file"].as_str().filter(|_| texts.is_empty()) {
        let text = fs::read(folder.join(file)).with_context(|| format!("read {file}"))?;
        texts.push((file.to_owned(), String::from_utf8_lossy(&text).into_owned()));
    }
    let authors = one["authors"].as_array().into_iter().flatten().map(word).collect();
    let (licence, repository) = (word(&one["license"]), word(&one["repository"]));
    Ok(Package { licence, repository, authors, texts, ..Package::default() })
}

/// A text of JSON; nothing is the empty text.
pub(super) fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The files of `folder` that hold a licence, a copyright or a notice, in the order of names. Files
/// in a folder such as `LICENSES` count too.
pub(super) fn texts(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in sorted(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !tells_licence(&name) {
            continue;
        }
        let inside = if path.is_dir() { sorted(&path)? } else { vec![path] };
        for file in inside.iter().filter(|file| file.is_file()) {
            let text = fs::read(file).with_context(|| format!("read {}", file.display()))?;
            let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
            let text = String::from_utf8_lossy(&text).into_owned();
            found.push((name.replace('\\', "/"), text));
        }
    }
    Ok(found)
}

fn sorted(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let list = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    let mut paths = list.map(|one| Ok(one?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether a file of this name holds a licence; source code with such a name does not.
fn tells_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    let begins = ["license", "licence", "copying", "copyright", "notice", "unlicense"];
    let code = [".rs", ".py", ".js", ".ts", ".json", ".toml", ".yml", ".html", ".hbs"];
    begins.iter().any(|begin| name.starts_with(begin))
        && !code.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the usual names of licence files are found, in any case; source code is not.
    #[test]
    fn names_of_licence_files() {
        for good in ["LICENSE", "LICENSE-MIT", "license.md", "COPYING", "UNLICENSE", "NOTICE.txt"] {
            assert!(tells_licence(good), "{good}");
        }
        for bad in ["license.rs", "README.md", "Cargo.toml", "notices.json", "src"] {
            assert!(!tells_licence(bad), "{bad}");
        }
    }

    /// Claim: a crate in two places stands once with both, those of the project are left out, and a
    /// crate that cargo lists but does not know is an error.
    #[test]
    fn places_are_joined() {
        let own = format!("{}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let of = |name: &str, source: Value| {
            let one = serde_json::json!({ "name": name, "version": "1.0.0", "license": "MIT",
                "source": source, "manifest_path": own, "authors": ["A"] });
            (format!("{name} v1.0.0"), one)
        };
        let known = BTreeMap::from([of("a", "registry".into()), of("own", Value::Null)]);
        let mut packages = Packages::new();
        let tree = "own v1.0.0 (/own)\na v1.0.0\na v1.0.0\n";
        add(&mut packages, Place::Wheel, tree, &known).expect("all are known");
        add(&mut packages, Place::Command, tree, &known).expect("all are known");
        assert_eq!(packages.len(), 1);
        let (key, package) = packages.first_key_value().expect("one is there");
        assert_eq!(key.0, "a");
        assert!(package.places.iter().eq(&[Place::Command, Place::Wheel]), "{package:?}");
        let error = add(&mut packages, Place::Page, "b v2.0.0\n", &known).expect_err("b is new");
        assert!(error.to_string().contains("`b v2.0.0`"), "{error}");
    }

    /// Claim: the page has the engine and not the command, whose changes leave it as it is.
    #[test]
    fn the_page_has_the_crates_of_its_engine() {
        let folders = of_the_page().expect("cargo lists them");
        let has = |name: &str| folders.iter().any(|folder| folder.ends_with(name));
        assert!(has("hopflow-wasm") && has("hopflow-engine") && has("hopflow"), "{folders:?}");
        assert!(!has("hopflow-cli") && !has("hopflow-python"), "{folders:?}");
    }

    /// Claim: of the crates linked here, each one's licence is one that deny.toml allows.
    #[test]
    fn licences_of_what_is_linked_are_allowed() {
        use super::super::{ALLOWED, expression::allow_list, notice::refused};
        let packages = crates(&crate::release::host().expect("rustc tells its target"), false);
        let packages = packages.expect("cargo lists what is linked");
        assert!(packages.len() > 50, "{} crates", packages.len());
        assert_eq!(refused(&packages, &allow_list(ALLOWED)), [""; 0]);
    }
}
