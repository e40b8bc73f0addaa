//! Idioms that a native reader has to read twice are refused where users read (in the README and
//! most pages, in messages), and in comments, some of which are help texts.
//!
//! | where                                        | what is checked                         |
//! |----------------------------------------------|-----------------------------------------|
//! | README.md, the pages of [`PAGES`]            | the prose                               |
//! | product code of the crates in [`CRATES`]     | string literals                         |
//! | Rust files, tests too                        | comments, also by [`IN_COMMENTS`]       |
//!
//! Code in backticks is not checked, nor are the descriptions of keys, which `docs/scenario.md`
//! repeats, nor idioms that a line break cuts.

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

/// Further idioms that are refused in comments, and what is written instead.
const IN_COMMENTS: &[(&str, &str)] = &[
    ("so much", "the amount, or a symbol"),
    ("so often", "how often"),
    ("as they come", "in order of arrival"),
    ("no say", "no effect"),
    ("stands still", "stalls, or does not advance"),
    ("stand still", "stall, or do not advance"),
    ("put in line", "queued"),
    ("puts in line", "queues"),
    ("gets in line", "is queued"),
    ("get in line", "are queued"),
    ("goes first", "is served first, or precedes"),
    ("go first", "are served first, or precede"),
    ("took in", "accepted, or received"),
    ("takes note", "records"),
    ("past the range", "on overflow"),
    ("broken caller", "a bug in the caller"),
    ("obviously right", "slow and simple"),
    ("obvious way", "a slow model"),
    ("obvious model", "the slow and simple model"),
    ("has to say", "contains, or has changed"),
    ("own affair", "decided by ..."),
    ("what comes", "arrivals, or arriving packets"),
    ("what came", "what arrived, by its name"),
    ("what holds", "the state"),
    ("what is told", "what is reported, by its name"),
    ("by whoever", "by any ... that"),
    ("reckoned", "computed"),
];

/// The pages, beside the README, that are held to it.
const PAGES: [&str; 10] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/howto/own-algorithm.md",
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
/// Places, for findings.
const READ: &str = "where users read";
const COMMENTS: &str = "in comments";

/// Idioms where users read, and in comments.
pub(super) fn refused(source: &Source) -> Vec<Finding> {
    let page = source.path == "README.md" || PAGES.contains(&source.path.as_str());
    let in_crates = CRATES.iter().any(|folder| source.path.starts_with(folder));
    let product = in_crates && !source.path.starts_with(KEYS);
    let read = |line: usize| !source.is_test_line(line);
    let mut found = Vec::new();
    if page {
        found.extend(in_text(source, &source.text, &IDIOMS, READ, &read));
    } else if source.is_rust() && product {
        found.extend(in_text(source, &source.literals, &IDIOMS, READ, &read));
    }
    if source.is_rust() {
        let idioms = [&IDIOMS[..], IN_COMMENTS].concat();
        found.extend(in_text(source, &source.comments, &idioms, COMMENTS, &|_| true));
    }
    found
}

/// The idioms in those lines of a text that `checked` selects; `place` says where they are.
fn in_text(
    source: &Source,
    text: &str,
    idioms: &[(&str, &str)],
    place: &str,
    checked: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(line, _)| checked(*line)) {
        // Every second piece is between backticks.
        let lower = text.to_lowercase();
        let prose: Vec<&str> = lower.split('`').step_by(2).collect();
        for (idiom, instead) in idioms {
            if prose.iter().any(|piece| holds(piece, idiom)) {
                let what = format!("`{idiom}` is refused {place}: write {instead}");
                let way_out = "plain English: the actor is the subject, the verb says what it does";
                found.push(finding(source, line, "idiom", what, way_out));
            }
        }
    }
    found
}

/// Whether an idiom occurs in a text as whole words; the name of a value, `{told}`, does not count.
fn holds(text: &str, idiom: &str) -> bool {
    text.match_indices(idiom).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + idiom.len()..].chars().next();
        !before.is_some_and(|c| word(c) || c == '{') && !behind.is_some_and(word)
    })
}
