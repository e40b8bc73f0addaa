//! Whether hopflow wrote what is at a place, by content: only that is ever replaced.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use hopflow::scenario::regular;
use serde::Deserialize;

use crate::trace_format::{PACKETS, TIMELINE};

/// What every page of hopflow has within its first bytes.
const GENERATOR: &str = "<meta name=\"generator\" content=\"hopflow ";
const HEAD_BYTES: u64 = 4096;

/// What manifests of one run, of several seeds and of several controls have in common.
#[derive(Deserialize)]
struct AnyManifest {
    digest: String,
    complete: bool,
    #[serde(rename = "version")]
    _version: String,
    /// A string in version 1 of the contract.
    #[serde(rename = "duration_ps", with = "hopflow::record::wire::integer")]
    _duration: u64,
}

/// What is at a place where results are to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum There {
    /// Nothing, or an empty directory.
    Nothing,
    /// Results of hopflow, and whether they are complete.
    Results { complete: bool },
    /// Something else: why it is not to be replaced.
    Other(String),
}

/// What is at `target`.
pub(super) fn there(target: &Path) -> There {
    let Ok(metadata) = fs::symlink_metadata(target) else { return There::Nothing };
    if metadata.is_symlink() {
        return There::Other("it is a link: name the directory that it leads to".to_owned());
    }
    if !metadata.is_dir() {
        return There::Other("it is not a directory".to_owned());
    }
    let entries = match fs::read_dir(target).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(cause) => return There::Other(cause.to_string()),
    };
    if entries.is_empty() {
        return There::Nothing;
    }
    let Some(complete) = manifest_says(&target.join("manifest.json")) else {
        let why = "it is not a run directory (no manifest.json of hopflow is in it)";
        return There::Other(why.to_owned());
    };
    match entries.iter().find(|entry| !is_ours(&entry.path())) {
        None => There::Results { complete },
        Some(entry) => There::Other(format!(
            "`{}` in it is not of hopflow, and would be lost",
            entry.file_name().display()
        )),
    }
}

/// Whether the results are complete by their manifest; `None` if it is not one of hopflow.
fn manifest_says(file: &Path) -> Option<bool> {
    let manifest: AnyManifest = serde_json::from_slice(&regular::read(file).ok()?).ok()?;
    let is_digest = manifest.digest.len() == 16
        && manifest.digest.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_digest.then_some(manifest.complete)
}

/// Whether a file of a run directory is one that hopflow writes.
fn is_ours(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_numbered = |start: &str| {
        let number = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(".json"));
        number.is_some_and(|number| number.parse::<u64>().is_ok())
    };
    file.is_file()
        && (["manifest.json", "summary.json", "scenario.toml", PACKETS, TIMELINE]
            .contains(&name.as_str())
            || is_numbered("control-")
            || is_numbered("seed-")
            || file.extension().is_some_and(|extension| extension == "parquet")
            || is_page(file))
}

/// Whether a file is a page that hopflow wrote.
pub fn is_page(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = regular::open(file).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(GENERATOR)
}
