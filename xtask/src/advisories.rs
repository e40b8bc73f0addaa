//! Licences and sources of what is linked, and known vulnerabilities, as steps of `cargo xtask test
//! --all`.
//!
//! cargo-deny judges crates, npm the packages of the page. Each asks a database elsewhere. Where
//! the tool or its database cannot be had, the step is skipped with that reason: nothing passes
//! that did not run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::steps::{Chore, root};

/// cargo-deny is installed here where the machine has none.
const TOOLS: &str = "target/tools";
/// The version of cargo-deny that reads deny.toml.
const CARGO_DENY: &str = "cargo-deny@0.20.2";
const LICENCES: &str = "licences and sources of what is linked";
const CRATES: &str = "known vulnerabilities of crates";
const PACKAGES: &str = "known vulnerabilities of npm packages";

/// The steps.
pub(crate) fn steps(chore: &mut Chore) -> Result<()> {
    match tool(chore) {
        Some(deny) => crates(chore, &deny)?,
        None => {
            for title in [LICENCES, CRATES] {
                chore.skip(title, "cargo-deny is not installed and cannot be installed here");
            }
        }
    }
    packages(chore)
}

/// cargo-deny: that of the machine, or one that is installed below the target folder.
fn tool(chore: &mut Chore) -> Option<PathBuf> {
    let works = |program: &Path| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let own = root().join(TOOLS).join("bin/cargo-deny");
    if works(Path::new("cargo-deny")) {
        return Some("cargo-deny".into());
    }
    if !works(&own) {
        let install = ["install", CARGO_DENY, "--locked", "--quiet", "--root", TOOLS];
        chore.cargo("cargo-deny", &install).ok()?;
    }
    Some(own)
}

fn crates(chore: &mut Chore, program: &Path) -> Result<()> {
    let deny = |what: &'static [&'static str]| {
        let mut command = Command::new(program);
        let status = command.args(["--all-features", "check"]).args(what).current_dir(root());
        let status = status.status().context("start cargo-deny")?;
        if status.success() { Ok(()) } else { bail!("cargo-deny gave {status}") }
    };
    chore.step(LICENCES, "cargo deny check bans licenses sources", || {
        deny(&["bans", "licenses", "sources"])
    })?;
    let fetched = Command::new(program).args(["fetch", "db"]).current_dir(root()).output();
    if fetched.is_ok_and(|output| output.status.success()) {
        chore.step(CRATES, "cargo deny check advisories", || deny(&["advisories"]))
    } else {
        chore.skip(CRATES, "the database of RustSec cannot be fetched here");
        Ok(())
    }
}

/// What the registry of npm knows of the packages in `lab/package-lock.json`.
fn packages(chore: &mut Chore) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args(["audit", "--json", "--package-lock-only"]).current_dir(root().join("lab"));
    let Ok(output) = npm.output() else {
        chore.skip(PACKAGES, "npm is not installed");
        return Ok(());
    };
    match judged(&String::from_utf8_lossy(&output.stdout)) {
        Ok(found) => chore.step(PACKAGES, "cd lab && npm audit", || {
            if found.is_empty() { Ok(()) } else { bail!("npm reports {}", found.join(", ")) }
        }),
        Err(why) => {
            chore.skip(PACKAGES, &format!("the registry gives no advisories here: {why}"));
            Ok(())
        }
    }
}

/// The packages with a known vulnerability in the answer of `npm audit --json`; or why it has none.
fn judged(answer: &str) -> Result<Vec<String>, String> {
    let answer: Value = serde_json::from_str(answer).map_err(|_| "npm gave no JSON".to_owned())?;
    let Some(found) = answer["vulnerabilities"].as_object() else {
        let said = answer["message"].as_str().or_else(|| answer["error"]["summary"].as_str());
        return Err(said.unwrap_or("no list of vulnerabilities").trim().to_owned());
    };
    Ok(found.iter().map(|(name, one)| format!("{name} ({})", word(&one["severity"]))).collect())
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("no severity")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a list of vulnerabilities is judged, an empty one is good; an answer without a list
    /// is no verdict, and its reason is kept.
    #[test]
    fn an_answer_without_a_list_is_no_verdict() {
        let bad = r#"{"vulnerabilities": {"a": {"severity": "high"}, "b": {}}}"#;
        assert_eq!(judged(bad), Ok(vec!["a (high)".to_owned(), "b (no severity)".to_owned()]));
        assert_eq!(judged(r#"{"vulnerabilities": {}}"#), Ok(Vec::new()));
        let refused = r#"{"message": "405 Method Not Allowed", "statusCode": 405}"#;
        assert_eq!(judged(refused), Err("405 Method Not Allowed".to_owned()));
        assert!(judged("").is_err() && judged("{}").is_err());
    }
}
