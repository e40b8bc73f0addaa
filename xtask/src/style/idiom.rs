//! Idioms that a native reader has to read twice are refused wherever people read.
//!
//! | where                                        | what is checked                             |
//! |----------------------------------------------|---------------------------------------------|
//! | pages, scenarios, claims                     | the text, by both lists                     |
//! | files of Python, TypeScript, Svelte          | the text, by both lists                     |
//! | Rust files, tests too                        | comments, by both lists; [`NAMES`]          |
//! | product code of the crates                   | string literals, by [`IDIOMS`]              |
//!
//! Code in backticks is not checked, nor idioms that a line break cuts.

use super::{finding, word};
use crate::finding::Finding;
use crate::source::{Source, extension};

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

/// Further idioms that are refused in prose, and what is written instead.
const IN_PROSE: &[(&str, &str)] = &[
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

/// Folders of scenarios and claims.
const SCENARIOS: [&str; 3] = ["examples/", "papers/", "crates/"];
/// House words that no name in Rust may be.
const NAMES: [(&str, &str); 1] = [("told", "the noun: a message, a rate, a value")];

/// Idioms where people read.
pub(super) fn refused(source: &Source) -> Vec<Finding> {
    let all = [&IDIOMS[..], IN_PROSE].concat();
    let product = |line: usize| !source.is_test_line(line);
    let any = |_: usize| true;
    let mut found = Vec::new();
    match extension(&source.path) {
        "md" | "py" | "ts" | "js" | "svelte" => {
            found.extend(in_text(source, &source.text, &all, "in text", &any));
        }
        "toml" if SCENARIOS.iter().any(|folder| source.path.starts_with(folder)) => {
            found.extend(in_text(source, &source.text, &all, "in text", &any));
        }
        "rs" => {
            found.extend(in_text(source, &source.comments, &all, "in comments", &any));
            let names = source.code.replace('_', " ");
            found.extend(in_text(source, &names, &NAMES, "in names", &any));
            if source.path.starts_with("crates/") {
                found.extend(in_text(source, &source.literals, &IDIOMS, "in messages", &product));
            }
        }
        _ => {}
    }
    found
}

/// The idioms in those lines of a text that `checked` selects; `place` says where they are.
fn in_text(
    source: &Source,
    text: &str,
    idioms: &[(&'static str, &str)],
    place: &str,
    checked: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let lower = text.to_lowercase();
    // Most texts have none: only the lines of the others are looked at one by one.
    let there = idioms.iter().filter(|(idiom, _)| lower.contains(idiom));
    for (idiom, instead) in there {
        for (line, text) in (1..).zip(lower.lines()).filter(|(line, _)| checked(*line)) {
            // Every second piece is between backticks.
            if text.split('`').step_by(2).any(|piece| holds(piece, idiom)) {
                let what = format!("`{idiom}` is refused {place}: write {instead}");
                let way_out = "plain English: the actor is the subject, the verb says what it does";
                found.push(finding(source, line, "idiom", what, way_out));
            }
        }
    }
    found.sort_by_key(|one| one.line);
    found
}

/// Whether an idiom occurs in a text as whole words.
fn holds(text: &str, idiom: &str) -> bool {
    text.match_indices(idiom).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + idiom.len()..].chars().next();
        !before.is_some_and(word) && !behind.is_some_and(word)
    })
}
