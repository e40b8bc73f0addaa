//! Idioms that a native reader has to read twice are refused where users read (in the README and
//! most pages, in help texts, in messages), and in comments of the folders that are free of them.
//!
//! | where                                        | what is checked                         |
//! |----------------------------------------------|-----------------------------------------|
//! | README.md, the pages of [`PAGES`]            | the prose                               |
//! | `hopflow-cli/src/args.rs` and `args/`        | comments: they are the help texts       |
//! | product code of the crates in [`CRATES`]     | string literals                         |
//! | Rust files below the prefixes of [`CLEAN`]   | comments, also by [`IN_COMMENTS`]; tests too |
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

/// Paths whose comments are held to both lists: prefixes, of folders or files. Only grows.
const CLEAN: &[&str] = &[
    "benches/",
    "crates/hopflow-bundle/",
    "crates/hopflow-cli/",
    "crates/hopflow-control/src/credit",
    "crates/hopflow-control/src/external.rs",
    "crates/hopflow-control/src/lane",
    "crates/hopflow-control/src/lib.rs",
    "crates/hopflow-control/src/policing",
    "crates/hopflow-control/src/scheduler",
    "crates/hopflow-engine/",
    "crates/hopflow-figures/",
    "crates/hopflow-kernel/",
    "crates/hopflow-lab/",
    "crates/hopflow-live/",
    "crates/hopflow-network/",
    "crates/hopflow-papers/",
    "crates/hopflow-python/",
    "crates/hopflow-record/src/conservation",
    "crates/hopflow-record/src/digest.rs",
    "crates/hopflow-record/src/estimate",
    "crates/hopflow-record/src/fixture.rs",
    "crates/hopflow-record/src/gather.rs",
    "crates/hopflow-record/src/lib.rs",
    "crates/hopflow-record/src/names.rs",
    "crates/hopflow-record/src/properties.rs",
    "crates/hopflow-record/src/recorder",
    "crates/hopflow-record/src/rows",
    "crates/hopflow-record/src/sending.rs",
    "crates/hopflow-record/src/series",
    "crates/hopflow-record/src/spec.rs",
    "crates/hopflow-record/src/summary",
    "crates/hopflow-record/src/warm_up",
    "crates/hopflow-record/src/watch",
    "crates/hopflow-record/src/wire.rs",
    "crates/hopflow-record/tests/",
    "crates/hopflow-scenario/src/a",
    "crates/hopflow-scenario/src/b",
    "crates/hopflow-scenario/src/ce",
    "crates/hopflow-scenario/src/checks.rs",
    "crates/hopflow-scenario/src/checks/b",
    "crates/hopflow-scenario/src/checks/p",
    "crates/hopflow-scenario/src/checks/r",
    "crates/hopflow-scenario/src/co",
    "crates/hopflow-scenario/src/d",
    "crates/hopflow-scenario/src/e",
    "crates/hopflow-scenario/src/f",
    "crates/hopflow-scenario/src/h",
    "crates/hopflow-scenario/src/k",
    "crates/hopflow-scenario/src/l",
    "crates/hopflow-scenario/src/m",
    "crates/hopflow-scenario/src/n",
    "crates/hopflow-scenario/src/o",
    "crates/hopflow-scenario/src/p",
    "crates/hopflow-scenario/src/q",
    "crates/hopflow-scenario/src/r",
    "crates/hopflow-scenario/src/sc",
    "crates/hopflow-scenario/src/se",
    "crates/hopflow-scenario/src/so",
    "crates/hopflow-scenario/src/t",
    "crates/hopflow-scenario/src/v",
    "crates/hopflow-scenario/src/warn.rs",
    "crates/hopflow-scenario/src/warn/c",
    "crates/hopflow-scenario/src/warn/m",
    "crates/hopflow-scenario/src/warn/p",
    "crates/hopflow-scenario/src/warn/r",
    "crates/hopflow-sweep/",
    "crates/hopflow-units/",
    "crates/hopflow-wasm/",
    "crates/hopflow/src/bounds",
    "crates/hopflow/src/columns.rs",
    "crates/hopflow/src/compare.rs",
    "crates/hopflow/src/compare/measure.rs",
    "crates/hopflow/src/compare/observe.rs",
    "crates/hopflow/src/compare/se",
    "crates/hopflow/src/compare/t",
    "crates/hopflow/src/fairness",
    "crates/hopflow/src/grade",
    "crates/hopflow/src/lib.rs",
    "crates/hopflow/src/load.rs",
    "crates/hopflow/src/manifest.rs",
    "crates/hopflow/src/many",
    "crates/hopflow/src/memory.rs",
    "crates/hopflow/src/options.rs",
    "crates/hopflow/src/platform",
    "crates/hopflow/src/result.rs",
    "crates/hopflow/src/row_sink.rs",
    "crates/hopflow/src/row_slice.rs",
    "crates/hopflow/src/rows",
    "crates/hopflow/src/run",
    "crates/hopflow/src/seeds.rs",
    "crates/hopflow/src/session",
    "crates/hopflow/src/size.rs",
    "crates/hopflow/src/size/cells",
    "crates/hopflow/src/size/credits",
    "crates/hopflow/src/size/hops.rs",
    "crates/hopflow/src/size/inflow.rs",
    "crates/hopflow/src/size/pause",
    "crates/hopflow/src/size/queue_bound",
    "crates/hopflow/src/size/rates.rs",
    "crates/hopflow/src/size/sonic",
    "crates/hopflow/src/size/tests.rs",
    "crates/hopflow/src/size/windows.rs",
    "crates/hopflow/src/slice.rs",
    "crates/hopflow/src/slow_hosts.rs",
    "crates/hopflow/src/threads.rs",
    "crates/hopflow/src/why",
    "crates/hopflow/tests/",
    "examples/",
    "fuzz/",
    "xtask/",
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
/// Places, for findings.
const READ: &str = "where users read";
const COMMENTS: &str = "in comments here";

/// Idioms where users read, and in comments that are free of them by now.
pub(super) fn refused(source: &Source) -> Vec<Finding> {
    let under = |prefixes: &[&str]| prefixes.iter().any(|p| source.path.starts_with(p));
    let page = source.path == "README.md" || PAGES.contains(&source.path.as_str());
    let product = under(&CRATES) && !source.path.starts_with(KEYS);
    let read = |line: usize| !source.is_test_line(line);
    let mut found = Vec::new();
    if page {
        found.extend(in_text(source, &source.text, &IDIOMS, READ, &read));
    } else if source.is_rust() && product {
        found.extend(in_text(source, &source.literals, &IDIOMS, READ, &read));
    }
    if source.is_rust() && source.path.starts_with(HELP) {
        found.extend(in_text(source, &source.comments, &IDIOMS, READ, &read));
    }
    if source.is_rust() && under(CLEAN) {
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
