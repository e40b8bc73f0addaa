//! A list of kinds exists once, in the file of its role. Whoever asks elsewhere which kind it is
//! misses a fact: the role gives it, so that a new kind is a new file and not an edit of ten.
//!
//! What is found is a kind in a pattern: an arm of a `match`, `matches!`, `let`; and a second name
//! for the enum, which would hide one. A comparison with one kind is no list.
//!
//! Not looked at: tests, and names that a `use` of a kind itself brings in.

use super::{finding, word};
use crate::finding::Finding;
use crate::source::{Source, line_of};

/// A role whose kinds are listed once.
struct Role {
    /// The enums with one variant for each kind: of specifications, and of machines.
    enums: &'static [&'static str],
    /// Its file and folder begin with this.
    home: &'static str,
    /// Files that still match, and why. The list only gets shorter.
    exceptions: &'static [(&'static str, &'static str)],
}

const ROLES: [Role; 7] = [
    Role {
        enums: &["SchedulerSpec", "Scheduler"],
        home: "crates/hopflow-control/src/scheduler",
        exceptions: &[(
            "benches/src/scenarios.rs",
            "writes the parameters of the two kinds it measures",
        )],
    },
    Role {
        enums: &["CreditScheme", "Sender"],
        home: "crates/hopflow-control/src/credit",
        exceptions: &[],
    },
    Role {
        enums: &["MarkingRule", "Marker"],
        home: "crates/hopflow-control/src/marking",
        exceptions: &[],
    },
    Role {
        enums: &["RateRule", "RateControl"],
        home: "crates/hopflow-control/src/rate",
        exceptions: &[],
    },
    Role {
        enums: &["TcpVariant", "Congestion"],
        home: "crates/hopflow-network/src/transport/tcp/congestion",
        exceptions: &[],
    },
    Role {
        enums: &["SourceSpec"],
        home: "crates/hopflow-network/src/traffic",
        exceptions: &[
            ("benches/src/scenarios.rs", "writes the parameters of the three kinds it measures"),
            (
                "crates/hopflow-papers/src/zhang90/pattern.rs",
                "chooses the three kinds that its claims compare",
            ),
        ],
    },
    Role {
        enums: &["LaneRule", "LaneSender", "LaneReceiver"],
        home: "crates/hopflow-control/src/lane",
        exceptions: &[
            ("benches/src/scenarios.rs", "writes the parameters of the kind it measures"),
            ("crates/hopflow-testing/src/lanes.rs", "makes CBFC of credits on purpose"),
        ],
    },
];

/// Kinds in patterns outside of their role, and exceptions that are none any more.
pub(super) fn matched(source: &Source) -> Vec<Finding> {
    let elsewhere = ROLES.iter().filter(|role| !source.path.starts_with(role.home));
    elsewhere.flat_map(|role| matched_of(role, source)).collect()
}

fn matched_of(role: &Role, source: &Source) -> Vec<Finding> {
    // Most files name none, which a plain search shows faster.
    let there = role.enums.iter().filter(|name| source.code.contains(*name));
    let names = there.flat_map(|name| {
        let places = source.code.match_indices(name);
        places.filter(|(at, _)| is_listed(&source.code, *at, name)).map(|(at, _)| at)
    });
    let mut lines: Vec<usize> = names.map(|at| line_of(&source.code, at)).collect();
    lines.sort_unstable();
    lines.retain(|line| !source.is_test_line(*line));
    lines.dedup();
    let excepted = role.exceptions.iter().any(|(path, _)| source.path == *path);
    if excepted && lines.is_empty() {
        let what = format!("matches no `{}` any more", role.enums[0]);
        let way_out = "take it off the exceptions in xtask/src/style/kinds.rs";
        return vec![finding(source, 1, "kinds", what, way_out)];
    }
    let what = format!("asks which kind of `{}` it is", role.enums[0]);
    let way_out = "ask its `facts()` or `guarantee()`; what is missing there is added";
    let found = |line: &usize| finding(source, *line, "kinds", what.clone(), way_out);
    lines.iter().filter(|_| !excepted).map(found).collect()
}

/// Whether the name of the enum at `at` begins a pattern, or gives the enum or its kinds a name.
fn is_listed(code: &str, at: usize, name: &str) -> bool {
    let (before, behind) = (&code[..at], &code[at + name.len()..]);
    if before.ends_with(word) {
        return false;
    }
    let Some(kind) = behind.strip_prefix("::") else {
        return behind.starts_with(" as ");
    };
    if kind.starts_with(['{', '*']) {
        return true;
    }
    let statement = &before[before.rfind([';', '{', '}']).map_or(0, |end| end + 1)..];
    let is_bound = statement.rfind("let ").is_some_and(|at| !statement[at..].contains('='));
    let next = after(kind);
    // A kind may be in `Some(...)`, in a tuple, or in a field with others left out.
    let outer = next.trim_start_matches([')', ' ', ',', '_']);
    let is_inside = outer.starts_with("=>") || outer.starts_with(".. }");
    let is_arm = next.starts_with("=>") || next.starts_with("if ");
    let is_one_of_many = next.starts_with('|') && !next.starts_with("||");
    is_inside || is_arm || is_one_of_many || is_bound || statement.contains("matches!(")
}

/// The text after a kind and its parameters.
fn after(kind: &str) -> &str {
    let rest = kind.trim_start_matches(word).trim_start();
    let (open, close) = match rest.chars().next() {
        Some('{') => ('{', '}'),
        Some('(') => ('(', ')'),
        _ => return rest,
    };
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        depth += usize::from(c == open);
        depth -= usize::from(c == close);
        if depth == 0 {
            return rest[at + 1..].trim_start();
        }
    }
    ""
}
