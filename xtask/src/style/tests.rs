//! Each rule is shown failing once, beside the nearest text that it lets pass.

use super::*;

/// Lines at which `rule` finds something in `text`, as a file of a library crate.
fn lines(rule: Rule, text: &str) -> Vec<usize> {
    lines_at("crates/hopflow-units/src/time.rs", rule, text)
}

fn lines_at(path: &str, rule: Rule, text: &str) -> Vec<usize> {
    rule(&Source::new(path, text)).iter().map(|finding| finding.line).collect()
}

/// From `fn` to the closing brace: 70 lines pass, 71 do not; a type `fn(u8)` is no function.
#[test]
fn function_of_71_lines_is_too_long() {
    let of = |lines: usize| format!("type F = fn (u8);\nfn f() {{{}}}\n", "\n".repeat(lines - 1));
    assert!(lines(function_length, &of(70)).is_empty());
    assert_eq!(lines(function_length, &of(71)), [2]);
}

/// 400 lines pass, 401 do not; a test module does not count, nor does a file of tests.
#[test]
fn file_of_401_lines_is_too_long() {
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(300));
    assert!(lines(file_length, &format!("{}{tests}", "\n".repeat(400))).is_empty());
    assert_eq!(lines(file_length, &"\n".repeat(401)), [401]);
    assert!(lines_at("crates/x/tests/long.rs", file_length, &"\n".repeat(401)).is_empty());
    for path in ["lab/src/Stage.svelte", "lab/src/draw.ts", "python/hopflow/run.py", "a/b.js"] {
        assert!(lines_at(path, file_length, &"\n".repeat(400)).is_empty());
        assert_eq!(lines_at(path, file_length, &"\n".repeat(401)), [401]);
    }
    assert!(lines_at("lab/tests/page.spec.ts", file_length, &"\n".repeat(401)).is_empty());
    assert!(lines_at("docs/long.md", file_length, &"\n".repeat(401)).is_empty());
}

/// Columns are characters, not bytes.
#[test]
fn line_of_101_columns_is_too_long() {
    assert!(lines(line_length, &"é".repeat(100)).is_empty());
    assert_eq!(lines(line_length, &format!("\n{}", "e".repeat(101))), [2]);
}

/// A plain comment is no opening.
#[test]
fn file_without_opening_is_found() {
    assert!(lines(opening, "//! Time.\n").is_empty());
    assert_eq!(lines(opening, "// Time.\n"), [1]);
}

/// Printing is for programs, tests and comments. The command itself has an `eprintln!` of its own,
/// and no macro of the standard library, which panics where it cannot write.
#[test]
fn printing_in_a_library_is_found() {
    let text =
        "/// println!\nfn f() {\n    println!();\n}\n#[cfg(test)]\nmod t {\n eprint!();\n}\n";
    assert_eq!(lines(printing, text), [3]);
    assert!(lines_at("xtask/src/main.rs", printing, text).is_empty());
    let command = "fn f() {\n println!();\n eprintln!();\n std::eprintln!();\n print!();\n \
                   eprint!();\n std::print!();\n std::println!();\n}\n";
    assert_eq!(lines_at("crates/hopflow-cli/src/a.rs", printing, command), [2, 4, 5, 7, 8]);
}

/// `unwrap_or` and doc examples pass.
#[test]
fn unwrap_in_product_code_is_found() {
    let text = "/// a.unwrap()\nfn f() {\n    a.unwrap_or(1);\n    a.unwrap();\n}\n";
    assert_eq!(lines(unwrap, text), [4]);
}

/// With or without a reason.
#[test]
fn ignored_test_is_found() {
    assert_eq!(lines(ignored_test, "#[test]\n#[ignore = \"slow\"]\nfn f() {}\n"), [2]);
    assert!(lines(ignored_test, "// #[ignore]\n#[test]\nfn f() {}\n").is_empty());
}

/// Only an issue number excuses it.
#[test]
fn to_do_without_issue_is_found() {
    let mark = "TODO";
    assert_eq!(lines(to_do, &format!("// {mark}: later\n")), [1]);
    assert!(
        lines(to_do, &format!("// {mark}(#7): later\nconst A: &str = \"{mark}\";\n")).is_empty()
    );
}

/// A folder of one machine is found in any file; one of the project or of a host is not.
#[test]
fn machine_path_is_found() {
    let path = format!("/{}/hopflow", "home");
    assert_eq!(lines_at("docs/a.md", machine_path, &format!("see `{path}/x`\n")), [1]);
    let fine = format!("see docs{path}/x and https://example.org{path}/x\n");
    assert!(lines_at("docs/a.md", machine_path, &fine).is_empty());
}

/// People read pages, scenarios, claims, Python, the lab and messages; text in backticks and
/// literals of tests pass.
#[test]
fn idioms_are_refused_where_people_read() {
    let found = |path: &str, text: &str| lines_at(path, super::idiom::refused, text);
    for path in [
        "README.md",
        "docs/models/n23.md",
        "examples/a.toml",
        "papers/debate/claims/debate.toml",
        "python/hopflow/runs.py",
        "lab/src/App.svelte",
    ] {
        let text = "a\nIt is told so.\n`told` retold\nWhat comes next.\n";
        assert_eq!(found(path, text), [2, 4], "{path}");
    }
    assert!(found("Cargo.toml", "told").is_empty());
    let code = "fn f() {\n    let a = \"is told\";\n    let b = \"`told`\";\n}\n\
                #[cfg(test)]\nmod t {\n const A: &str = \"told\";\n}\n";
    assert_eq!(found("crates/hopflow-scenario/src/keys/rate.rs", code), [2]);
    assert!(found("benches/src/busy.rs", code).is_empty());
}

/// Comments are held to both lists, those of tests too; literals and text in backticks pass.
#[test]
fn idioms_are_refused_in_comments() {
    let found = |path: &str, text: &str| lines_at(path, super::idiom::refused, text);
    let code = "/// It is told `told`.\nfn f() {\n    let a = \"`a`\"; // What comes next.\n}\n\
                #[cfg(test)]\nmod t {\n    /// A broken caller.\n    fn f() {}\n}\n";
    assert_eq!(found("crates/hopflow-network/src/spec.rs", code), [1, 3, 7]);
    assert_eq!(found("crates/hopflow-engine/tests/lanes.rs", code), [1, 3, 7]);
    assert_eq!(found("xtask/src/names.rs", code), [1, 3, 7]);
    assert!(found("xtask/src/names.rs", "/// Retold: `told`.\nfn f() {}\n").is_empty());
}

/// A house word is no name, nor a part of one.
#[test]
fn house_words_are_refused_in_names() {
    let found = |text: &str| lines_at("xtask/src/names.rs", super::idiom::refused, text);
    assert_eq!(found("fn is_told() {\n    told(\"told\");\n}\n"), [1, 2]);
    assert!(found("fn retold() {}\n").is_empty());
}

/// An arm, `matches!`, `let` and a second name for the enum are found; a value, a comparison and
/// the role's own files pass, and so do tests.
#[test]
fn kind_in_a_pattern_is_found() {
    let found = |line: &str| lines(kinds::matched, &format!("fn f() {{\n    {line}\n}}\n"));
    for listed in [
        "SchedulerSpec::Fifo => true,",
        "TcpVariant::Reno => true,",
        "SchedulerSpec::Tdm { frame: F { .. } } | Other => true,",
        "SchedulerSpec::Cbs if true => true,",
        "CreditScheme::Cup => true,",
        "Sender::Cup(_) => true,",
        "SourceSpec::Replay { times } => true,",
        "let is = matches!(spec, Some(SchedulerSpec::External(_)));",
        "if let SchedulerSpec::External(place) = spec {}",
        "Some(SchedulerSpec::External(_)) => true,",
        "(SchedulerSpec::External(_), _) => true,",
        "Some(Port { scheduler: SchedulerSpec::Tdm { frame }, .. }) => frame,",
        "use SchedulerSpec as S;",
        "use SchedulerSpec::{Fifo, Cbs};",
    ] {
        assert_eq!(found(listed), [2], "{listed}");
    }
    for passes in [
        "0 => SchedulerSpec::Tdm { frame },",
        "let all = [SchedulerSpec::Fifo, SchedulerSpec::Cbs];",
        "let is = spec == SchedulerSpec::RoundRobin || other;",
        "Port { scheduler: SchedulerSpec::Fifo, ..port }",
        "of(Some(SchedulerSpec::Fifo), rate)",
        "let sender = mpsc::Sender::new();",
        "SchedulerSpec::named(name).map(|spec| SchedulerSpec::Fifo)",
    ] {
        assert!(found(passes).is_empty(), "{passes}");
    }
    let text = "fn f() {\n    SchedulerSpec::Fifo => true\n}\n";
    for passes in ["crates/hopflow-control/src/scheduler/facts.rs", "crates/hopflow/tests/a.rs"] {
        assert!(lines_at(passes, kinds::matched, text).is_empty(), "{passes}");
    }
    let excepted = "benches/src/scenarios.rs";
    // It is an exception of three roles.
    let others = "    SourceSpec::Greedy => true\n    LaneRule::Pause(_) => true\n";
    let all = format!("{text}fn g() {{\n{others}}}\n");
    assert!(lines_at(excepted, kinds::matched, &all).is_empty());
    assert_eq!(lines_at(excepted, kinds::matched, text), [1, 1]);
    assert_eq!(lines_at(excepted, kinds::matched, "//! Nothing.\n"), [1, 1, 1]);
}
