//! The documentation of the crates: every link in it leads somewhere.
//!
//! `[KMCL94]` in a comment cites a key of `docs/references.md`. To rustdoc it is a link that leads
//! nowhere, so `Cargo.toml` allows broken links and this step finds those that are no citations.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::finding::Finding;
use crate::steps::{Chore, cargo, root};

const ARGS: [&str; 5] =
    ["doc", "--workspace", "--no-deps", "--document-private-items", "--message-format=json"];
const FLAGS: &str = "--force-warn rustdoc::broken_intra_doc_links";

/// The step of `cargo xtask test`.
pub(crate) fn step(chore: &mut Chore) -> Result<()> {
    let repeat = format!("RUSTDOCFLAGS=\"{FLAGS}\" cargo {}", ARGS.join(" "));
    chore.step("documentation of the crates, without warnings", &repeat, || {
        let mut command = Command::new(cargo());
        command.args(ARGS).env("RUSTDOCFLAGS", FLAGS).current_dir(root());
        let output = command.stderr(Stdio::inherit()).output().context("start cargo doc")?;
        let references = fs::read_to_string(root().join("docs/references.md"));
        let references = references.context("read docs/references.md")?;
        let keys = keys(&references);
        let text = String::from_utf8(output.stdout).context("cargo doc printed no text")?;
        let found = findings(&text, &keys);
        for finding in &found {
            eprintln!("{finding}");
        }
        match (output.status.success(), found.len()) {
            (true, 0) => Ok(()),
            (true, count) => bail!("rustdoc warns in {count} places"),
            (false, _) => bail!("cargo doc gave {}", output.status),
        }
    })
}

/// The keys of `* [KEY] ...`.
fn keys(references: &str) -> BTreeSet<&str> {
    let entries = references.lines().filter_map(|line| line.strip_prefix("* ["));
    entries.filter_map(|entry| Some(entry.split_once(']')?.0)).collect()
}

/// What rustdoc reports, without citations.
fn findings(json: &str, keys: &BTreeSet<&str>) -> Vec<Finding> {
    let messages = json.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found: BTreeSet<Finding> = messages.filter_map(|message| finding(&message, keys)).collect();
    found.into_iter().collect()
}

fn finding(message: &Value, keys: &BTreeSet<&str>) -> Option<Finding> {
    let message = message.get("message")?;
    let what = message["message"].as_str()?;
    let link = what.strip_prefix("unresolved link to `").and_then(|rest| rest.strip_suffix('`'));
    let span = message["spans"].as_array()?.first()?;
    if link.is_some_and(|link| keys.contains(link)) {
        return None;
    }
    Some(Finding {
        file: span["file_name"].as_str()?.to_owned(),
        line: span["line_start"].as_u64()? as usize,
        rule: "rustdoc",
        what: what.to_owned(),
        way_out: "mend the link, escape the bracket, or add the source to docs/references.md",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a citation is no finding; another broken link and any other warning is one.
    #[test]
    fn citations_are_no_broken_links() {
        let keys = keys("# References\n\n* [KMCL94] H. T. Kung: ...\n  more\n");
        assert_eq!(keys, BTreeSet::from(["KMCL94"]));
        let message = |text: &str| {
            let span = r#"[{"file_name":"a.rs","line_start":3}]"#;
            format!(r#"{{"message":{{"message":"{text}","spans":{span}}}}}"#)
        };
        let text = [
            message("unresolved link to `KMCL94`"),
            message("unresolved link to `Kung`"),
            message("`thin` is both a function and a module"),
            "{\"reason\":\"build-finished\",\"success\":true}".to_owned(),
        ]
        .join("\n");
        let found = findings(&text, &keys);
        let whats: Vec<&str> = found.iter().map(|finding| &*finding.what).collect();
        assert_eq!(whats, ["`thin` is both a function and a module", "unresolved link to `Kung`"]);
    }
}
