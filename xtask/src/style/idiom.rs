//! Idioms that a reader from another language has to read twice are refused where users read: in
//! the README and most pages, in help texts, and in messages.
//!
//! | where                                        | what is looked at                       |
//! |----------------------------------------------|-----------------------------------------|
//! | README.md, the pages of [`PAGES`]            | the prose; code in backticks is not     |
//! | `hopflow-cli/src/args.rs` and `args/`        | comments too: they are the help texts   |
//! | product code of the crates in [`CRATES`]     | string literals                         |
//!
//! Not looked at: the descriptions of keys, which `docs/scenario.md` repeats, and idioms that a
//! line break cuts.

use super::{finding, word};
use crate::finding::Finding;
use crate::source::Source;

/// An idiom, and what is written instead.
const IDIOMS: [(&str, &str); 12] = [
    ("told", "reported, specified, given"),
    ("so many", "the number, or `N`"),
    ("of such", "`these`"),
    ("is no key of", "`unknown key ... in ...`"),
    ("no length", "`length must be finite`"),
    ("by turns", "alternately"),
    ("as it comes", "in order of arrival"),
    ("goes before", "takes precedence over"),
    ("go before", "take precedence over"),
    ("seldom", "rarely"),
    ("has a say", "decides"),
    ("have a say", "decide"),
];

/// The pages, beside the README, that are held to it.
const PAGES: [&str; 7] = [
    "docs/index.md",
    "docs/build.md",
    "docs/commands.md",
    "docs/compare.md",
    "docs/errors.md",
    "docs/report.md",
    "docs/results.md",
];
/// The crates whose string literals users read.
const CRATES: [&str; 3] = ["crates/hopflow-cli/", "crates/hopflow-scenario/", "crates/hopflow/"];
/// The descriptions of keys.
const KEYS: &str = "crates/hopflow-scenario/src/keys";
/// The help texts.
const HELP: &str = "crates/hopflow-cli/src/args";

/// Idioms where users read.
pub(super) fn refused(source: &Source) -> Vec<Finding> {
    let page = source.path == "README.md" || PAGES.contains(&source.path.as_str());
    let product = CRATES.iter().any(|folder| source.path.starts_with(folder));
    let mut found = Vec::new();
    if page {
        found.extend(in_text(source, &source.text));
    } else if product && source.is_rust() && !source.path.starts_with(KEYS) {
        found.extend(in_text(source, &source.literals));
        if source.path.starts_with(HELP) {
            found.extend(in_text(source, &source.comments));
        }
    }
    found
}

fn in_text(source: &Source, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(line, _)| !source.is_test_line(*line)) {
        // Every second piece is between backticks.
        let lower = text.to_lowercase();
        let prose: Vec<&str> = lower.split('`').step_by(2).collect();
        for (idiom, instead) in IDIOMS {
            if prose.iter().any(|piece| holds(piece, idiom)) {
                let what = format!("`{idiom}` is refused where users read: write {instead}");
                let way_out = "plain English: the actor is the subject, the verb says what it does";
                found.push(finding(source, line, "idiom", what, way_out));
            }
        }
    }
    found
}

/// Whether an idiom is in a text as words of their own; the name of a value, `{told}`, is none.
fn holds(text: &str, idiom: &str) -> bool {
    text.match_indices(idiom).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + idiom.len()..].chars().next();
        !before.is_some_and(|c| word(c) || c == '{') && !behind.is_some_and(word)
    })
}
