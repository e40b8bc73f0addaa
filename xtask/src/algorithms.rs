//! Where the kinds of a role are named: the files that its next kind would touch.
//!
//! A role has one list of its kinds, made by a macro ([`LISTS`]). A product file names a kind by an
//! enum of the role (`Enum::Kind`), by its name in scenarios as a whole literal (`"kind"`), or
//! because the kind is its subject: `kind.rs`, or what is below `kind/`. Not counted: tests, and
//! what [`APART`] lists.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use crate::finding::Finding;
use crate::source::Source;

/// What is not counted: claims choose kinds on purpose, and so do networks of tests; words that
/// others use for a kind are optional, and so is what is nearest to a name that is not modelled.
const APART: [&str; 4] = [
    "crates/hopflow-papers/",
    "crates/hopflow-testing/",
    "crates/hopflow-scenario/src/value/words.rs",
    "crates/hopflow-scenario/src/not_modelled.rs",
];

/// The list of a role.
struct List {
    role: &'static str,
    /// The file of the list, and the macro that makes the role of it.
    file: &'static str,
    made_by: &'static str,
    /// The enums with one variant for each kind.
    enums: &'static [&'static str],
}

const LISTS: [List; 7] = [
    List {
        role: "credit scheme",
        file: "crates/hopflow-control/src/credit.rs",
        made_by: "credit_schemes!",
        enums: &["CreditScheme", "Sender"],
    },
    List {
        role: "lane rule",
        file: "crates/hopflow-control/src/lane.rs",
        made_by: "lane_rules!",
        enums: &["LaneRule", "LaneSender", "LaneReceiver"],
    },
    List {
        role: "scheduler",
        file: "crates/hopflow-control/src/scheduler.rs",
        made_by: "schedulers!",
        enums: &["SchedulerSpec", "Scheduler"],
    },
    List {
        role: "marker",
        file: "crates/hopflow-control/src/marking.rs",
        made_by: "markers!",
        enums: &["MarkingRule", "Marker"],
    },
    List {
        role: "rate rule",
        file: "crates/hopflow-control/src/rate.rs",
        made_by: "rate_rules!",
        enums: &["RateRule", "RateControl"],
    },
    List {
        role: "congestion control",
        file: "crates/hopflow-network/src/transport/tcp/congestion.rs",
        made_by: "congestions!",
        enums: &["TcpVariant", "Congestion"],
    },
    List {
        role: "source",
        file: "crates/hopflow-network/src/traffic.rs",
        made_by: "sources!",
        enums: &["SourceSpec", "Plan"],
    },
];

/// Files that may name a kind, those about it counted as one.
const MOST: usize = 5;
/// Kinds that more files name, and why.
const SPREAD: [(&str, &str); 7] = [
    ("N23", "is varied by the scheme that takes E at every instant, and is first on a cell's way"),
    ("RoundRobin", "is what a port does without a scheduler, and the engine does it by itself"),
    ("Greedy", "is the default, and its cells are made by the engine as they start"),
    ("Replay", "is also the word for calls that are recorded, and for a file of the command"),
    (
        "Pause",
        "is also the word for its frame and for its table, which is the only one of its kind",
    ),
    ("Credit", "is also the word for the credit of a VC: in control, series, notes and pictures"),
    ("External", "is not an algorithm: those who hold the machines ask for their places"),
];

/// One kind of a role, and the product files that name it.
pub(crate) struct Named {
    pub(crate) role: &'static str,
    pub(crate) kind: String,
    /// The files about it.
    pub(crate) own: BTreeSet<String>,
    /// The list of its role, and all other files that name it.
    pub(crate) others: BTreeSet<String>,
}

impl Named {
    /// How many files name it, those about it counted as one.
    pub(crate) fn count(&self) -> usize {
        usize::from(!self.own.is_empty()) + self.others.len()
    }
}

/// Kinds that more than [`MOST`] files name, and exceptions that are none any more.
pub(crate) fn check(sources: &[Source]) -> Result<Vec<Finding>> {
    let sources: Vec<&Source> = sources.iter().collect();
    Ok(named(&sources)?.iter().filter_map(of_spread).collect())
}

fn of_spread(named: &Named) -> Option<Finding> {
    let (count, others) = (named.count(), named.others.iter().cloned().collect::<Vec<_>>());
    let excepted = SPREAD.iter().any(|(kind, _)| *kind == named.kind);
    let (what, way_out) = match (count > MOST, excepted) {
        (true, false) => (
            format!("{count} files name `{}`, more than {MOST}: {}", named.kind, others.join(", ")),
            "ask its `facts()` there; what is missing there is added",
        ),
        (false, true) => (
            format!("only {count} files name `{}`", named.kind),
            "take it off the exceptions in xtask/src/algorithms.rs",
        ),
        _ => return None,
    };
    let file = LISTS.iter().find(|list| list.role == named.role)?.file.to_owned();
    Some(Finding { file, line: 1, rule: "spread", what, way_out })
}

/// All kinds of all roles.
pub(crate) fn named(sources: &[&Source]) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    let files: Vec<File> = sources.iter().filter_map(|source| File::read(source)).collect();
    for list in &LISTS {
        let home = sources.iter().find(|source| source.path == list.file);
        let home = home.with_context(|| format!("the list of kinds is not in {}", list.file))?;
        let kinds = kinds_of(&home.code, list.made_by)
            .with_context(|| format!("{} has no list `{}`", list.file, list.made_by))?;
        for kind in kinds {
            let naming = files.iter().filter(|file| file.names(list, &kind));
            let (own, others): (Vec<&File>, Vec<&File>) =
                naming.partition(|file| is_subject(file.path, list, &kind));
            let [own, others] =
                [own, others].map(|files| files.iter().map(|file| file.path.to_owned()).collect());
            all.push(Named { role: list.role, kind, own, others });
        }
    }
    Ok(all)
}

/// The kinds of the list that `made_by` makes a role of: each begins a line of its body.
fn kinds_of(code: &str, made_by: &str) -> Option<Vec<String>> {
    let start = code.find(&format!("\n{made_by} {{"))?;
    let body = &code[start..];
    let body = &body[..body.find("\n}")?];
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_uppercase());
    let word = |line: &str| line.chars().take_while(|c| c.is_alphanumeric()).collect();
    Some(lines.filter(begins).map(word).collect())
}

/// What a product file of the crates may name kinds by, read once for all kinds.
struct File<'a> {
    path: &'a str,
    /// What stands between two quotes of a line.
    literals: BTreeSet<&'a str>,
    /// The words on both sides of each `::`.
    variants: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> File<'a> {
    /// `None` of what is not counted.
    fn read(source: &'a Source) -> Option<File<'a>> {
        let in_crates = source.path.starts_with("crates/") && source.path.contains("/src/");
        let is_apart = APART.iter().any(|start| source.path.starts_with(start));
        if !in_crates || !source.is_rust() || is_apart {
            return None;
        }
        source.product_code().next()?;
        let inside = source.literals.lines().zip(source.text.lines()).enumerate();
        let literals = inside.filter(|(index, (inside, _))| {
            !inside.trim_start().is_empty() && !source.is_test_line(index + 1)
        });
        let literals = literals.flat_map(|(_, (_, text))| text.split('"').skip(1)).collect();
        let variants = source.product_code().flat_map(|(_, line)| variants(line)).collect();
        Some(File { path: &source.path, literals, variants })
    }

    /// Whether it names a kind.
    fn names(&self, list: &List, kind: &str) -> bool {
        self.path == list.file || is_subject(self.path, list, kind) || self.is_used(list, kind)
    }

    /// Whether it has an enum's variant of this kind, or its name in scenarios.
    fn is_used(&self, list: &List, kind: &str) -> bool {
        ["-", ""].iter().any(|by| self.literals.contains(joined(kind, by).as_str()))
            || list.enums.iter().any(|name| self.variants.contains(&(*name, kind)))
    }
}

/// Whether a file is about this kind.
fn is_subject(path: &str, list: &List, kind: &str) -> bool {
    let home = list.file.trim_end_matches(".rs");
    let Some(below) = path.strip_prefix(home) else { return false };
    ["_", ""]
        .map(|by| joined(kind, by))
        .iter()
        .any(|name| below == format!("/{name}.rs") || below.starts_with(&format!("/{name}/")))
}

/// The pairs of words in a line that `::` joins.
fn variants(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices("::").map(move |(at, sign)| {
        let (before, behind) = (&line[..at], &line[at + sign.len()..]);
        let name = &before[before.trim_end_matches(is_part).len()..];
        (name, &behind[..behind.len() - behind.trim_start_matches(is_part).len()])
    })
}

/// `TimeAware` as `time_aware`, `time-aware` or `timeaware`; a digit begins no word.
fn joined(kind: &str, by: &str) -> String {
    let mut name = String::new();
    for c in kind.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push_str(by);
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "crates/hopflow-control/src/marking.rs";

    fn is_named(path: &str, text: &str) -> bool {
        let list = LISTS.iter().find(|list| list.file == LIST).unwrap();
        let source = Source::new(path, text);
        File::read(&source).is_some_and(|file| file.names(list, "TwoStep"))
    }

    /// A kind may be named by its own files and four others; an exception must be one.
    #[test]
    fn kinds_that_are_spread_are_found() {
        let named = |kind: &str, others: u8| Named {
            role: "marker",
            kind: kind.to_owned(),
            own: ["a", "b"].map(str::to_owned).into(),
            others: (0..others).map(|n| n.to_string()).collect(),
        };
        assert_eq!(of_spread(&named("TwoStep", 4)), None);
        assert!(of_spread(&named("TwoStep", 5)).unwrap().what.starts_with("6 files name"));
        assert_eq!(of_spread(&named("External", 5)), None);
        assert!(of_spread(&named("External", 4)).unwrap().what.starts_with("only 5 files"));
    }

    /// A list is read by the lines that begin a kind, whatever its parameters and comments.
    #[test]
    fn kinds_are_read() {
        let code =
            "\nmarkers! {\n    Step(at: u32),\n    TwoStep {\n        low: u32,\n    },\n}\n";
        assert_eq!(kinds_of(code, "markers!").unwrap(), ["Step", "TwoStep"]);
        assert_eq!(kinds_of(code, "schedulers!"), None);
    }

    /// An enum's variant, a whole literal, and the file of the kind name it; a longer word, a part
    /// of a literal, a comment, a test and a claim do not.
    #[test]
    fn names_are_found() {
        let variant = "fn f() -> Marker { Marker::TwoStep(g()) }\n";
        assert!(is_named("crates/a/src/b.rs", variant));
        assert!(is_named("crates/a/src/b.rs", "const A: &str = \"two-step\";\n"));
        assert!(is_named("crates/hopflow-control/src/marking/two_step.rs", "fn f() {}\n"));
        assert!(is_named("crates/hopflow-control/src/marking/twostep.rs", "fn f() {}\n"));
        assert!(!is_named("crates/a/src/b.rs", "fn f() { Marker::TwoSteps }\n"));
        assert!(!is_named("crates/a/src/b.rs", "const A: &str = \"a two-step\";\n"));
        assert!(!is_named("crates/a/src/b.rs", "// Marker::TwoStep\nfn f() {}\n"));
        assert!(!is_named("crates/a/tests/b.rs", variant));
        assert!(!is_named("crates/hopflow-papers/src/b.rs", variant));
    }
}
