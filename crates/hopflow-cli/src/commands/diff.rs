//! `hopflow diff A B`: the same results, or where they differ first.

use hopflow::CONTRACT_VERSION;
use hopflow_export::{Difference, Differences, differences};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::args::{DiffArgs, TextOrJson};
use crate::fail::Fail;
use crate::{Outcome, output};

pub(crate) fn diff(args: &DiffArgs) -> Outcome {
    let found = found(args)?;
    match args.format {
        TextOrJson::Json => output::print_json(&document(&found))?,
        TextOrJson::Text => output::write(&words(&found))?,
    }
    if found.differences.is_empty() { Ok(()) } else { Err(Fail::Property) }
}

/// What differs between the two directories.
pub(crate) fn found(args: &DiffArgs) -> Result<Differences, Fail> {
    for path in [&args.a, &args.b] {
        if path.is_file() {
            return Err(Fail::Input(format!(
                "`{0}` is a file: give two directories of results, such as \
                 `hopflow run {0} --trace --out DIR` makes",
                path.display()
            )));
        }
    }
    differences(&args.a, &args.b).map_err(Fail::input)
}

/// What `diff --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct DiffDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// Whether the directories are the same.
    same: bool,
    #[serde(flatten)]
    found: &'a Differences,
}

/// What `--format json` prints.
pub(crate) fn document(found: &Differences) -> DiffDocument<'_> {
    DiffDocument { version: CONTRACT_VERSION, same: found.differences.is_empty(), found }
}

fn words(found: &Differences) -> String {
    let [a, b] = &found.digests;
    if found.differences.is_empty() {
        return format!("same: digest {a}, {} files compared\n", found.files);
    }
    let digests = if a == b {
        format!("the same digest {a}, but what was kept differs:\n")
    } else {
        format!("digests {a} and {b}; the first differences of each file:\n")
    };
    let versions = match found.versions {
        [Some(a), Some(b)] if a != b => format!(
            "They are of versions {a} and {b} of the contract, in which keys have other names \
             (docs/results.md, Versions).\n"
        ),
        _ => String::new(),
    };
    let lines = found.differences.iter().map(line);
    [versions, digests].into_iter().chain(lines).collect()
}

fn line(one: &Difference) -> String {
    let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
    let place = if one.place.is_empty() { String::new() } else { format!(", {}", one.place) };
    let more = match one.more {
        0 => String::new(),
        more => format!("    and {more} more in this file\n"),
    };
    format!("  {}{place}:\n    {}\n    {}\n{more}", one.file, shown(&one.a), shown(&one.b))
}
