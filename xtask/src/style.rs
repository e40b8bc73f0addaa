//! The measurable rules of style. Each is a function from one file to what it found.

mod idiom;
mod kinds;
mod reading;
mod silent;

use crate::finding::Finding;
use crate::source::{Source, extension, item_end, line_of};

/// Most lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES: usize = 70;
/// Most lines of a file, tests not counted.
const FILE_LINES: usize = 400;
/// Most columns of a line.
const COLUMNS: usize = 100;

/// What every rule looks like.
type Rule = fn(&Source) -> Vec<Finding>;

/// All rules of this file.
const RULES: [Rule; 13] = [
    function_length,
    file_length,
    line_length,
    opening,
    printing,
    unwrap,
    ignored_test,
    to_do,
    machine_path,
    idiom::refused,
    kinds::matched,
    reading::elsewhere,
    silent::skipped,
];

/// Applies all rules to one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| rule(source)).collect()
}

/// A finding of `rule` in `source`.
fn finding(
    source: &Source,
    line: usize,
    rule: &'static str,
    what: String,
    way_out: &'static str,
) -> Finding {
    Finding { file: source.path.clone(), line, rule, what, way_out }
}

/// A function has at most [`FUNCTION_LINES`] lines.
fn function_length(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (start, _) in source.code.match_indices("fn ") {
        let before = source.code[..start].chars().next_back();
        let name: String = source.code[start + 3..].chars().take_while(|c| word(*c)).collect();
        if before.is_some_and(word) || name.is_empty() {
            continue;
        }
        let Some(end) = item_end(&source.code, start) else {
            continue;
        };
        let lines = line_of(&source.code[start..], end - start);
        if lines > FUNCTION_LINES {
            let first = line_of(&source.code, start);
            let what = format!("`{name}` has {lines} lines, the most is {FUNCTION_LINES}");
            let way_out = "move a step with a name of its own into a helper below it";
            found.push(finding(source, first, "function-length", what, way_out));
        }
    }
    found
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A file of a program has at most [`FILE_LINES`] lines, its tests not counted.
fn file_length(source: &Source) -> Vec<Finding> {
    let lines = match extension(&source.path) {
        "rs" => source.product_code().count(),
        "py" | "js" | "ts" | "svelte" | "css" if !source.is_test => source.text.lines().count(),
        _ => 0,
    };
    if lines <= FILE_LINES {
        return Vec::new();
    }
    let what = format!("{lines} lines without tests, the most is {FILE_LINES}");
    let way_out = "one concept, one file: move the second concept into a file of its own";
    vec![finding(source, FILE_LINES + 1, "file-length", what, way_out)]
}

/// A line of a program has at most [`COLUMNS`] columns.
fn line_length(source: &Source) -> Vec<Finding> {
    if !matches!(extension(&source.path), "rs" | "py" | "sh" | "js" | "ts") {
        return Vec::new();
    }
    let long = source.text.lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS);
    let found = long.map(|(index, line)| {
        let what = format!("{} columns, the most is {COLUMNS}", line.chars().count());
        finding(source, index + 1, "line-length", what, "break the line or the literal")
    });
    found.collect()
}

/// Every Rust file opens with what it is about.
fn opening(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || source.text.starts_with("//! ") {
        return Vec::new();
    }
    let what = "the file does not open with `//! `".to_owned();
    let way_out = "begin with one sentence on what the file decides, and its source";
    vec![finding(source, 1, "opening", what, way_out)]
}

/// Only programs print; libraries return what they have to say.
fn printing(source: &Source) -> Vec<Finding> {
    const PROGRAMS: [&str; 4] = ["crates/hopflow-cli/", "xtask/", "benches/", "fuzz/"];
    let program = PROGRAMS.iter().any(|folder| source.path.starts_with(folder));
    let sides = ["/examples/", "/benches/"];
    let beside = sides.iter().any(|folder| source.path.contains(folder));
    let side = beside || source.path.ends_with("/build.rs");
    if source.path.starts_with("crates/hopflow-cli/src/") {
        // Its own `eprintln!` never panics.
        let calls = ["std::eprintln!", "std::eprint!", "println!", "print!", "dbg!"];
        let way_out = "messages by `eprintln!` of say.rs, data by `output`: these may not fail";
        return in_product_code(source, "printing", &calls, way_out);
    }
    if program || side {
        return Vec::new();
    }
    let calls = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];
    let way_out = "return the text, or report it through the caller; printing is for hopflow-cli";
    in_product_code(source, "printing", &calls, way_out)
}

/// Product code says why a value cannot be missing.
fn unwrap(source: &Source) -> Vec<Finding> {
    let way_out = "return a typed error, or `expect` with the reason why it cannot fail";
    in_product_code(source, "unwrap", &[".unwrap()"], way_out)
}

/// Findings for each of `words` that stands by itself in product code.
fn in_product_code(
    source: &Source,
    rule: &'static str,
    words: &[&str],
    way_out: &'static str,
) -> Vec<Finding> {
    let mut found = Vec::new();
    // Most files have none: only the lines of the others are looked at one by one.
    let words: Vec<&str> =
        words.iter().copied().filter(|text| source.code.contains(text)).collect();
    if words.is_empty() {
        return found;
    }
    for (line, code) in source.product_code() {
        for text in &words {
            let alone = |start: usize| !code[..start].chars().next_back().is_some_and(word);
            let begins_word = text.starts_with(word);
            if code.match_indices(*text).any(|(start, _)| !begins_word || alone(start)) {
                found.push(finding(source, line, rule, format!("`{text}`"), way_out));
            }
        }
    }
    found
}

/// A test runs or does not exist.
fn ignored_test(source: &Source) -> Vec<Finding> {
    let way_out = "make the test fit for every run, or delete it";
    let lines = source.code.lines().enumerate().filter(|(_, line)| line.contains("#[ignore"));
    let what = "a test that never runs checks nothing";
    lines.map(|(i, _)| finding(source, i + 1, "ignored-test", what.to_owned(), way_out)).collect()
}

/// A note on what is to be done names the issue where it is kept, as `TODO(#12)`.
fn to_do(source: &Source) -> Vec<Finding> {
    let text = if source.is_rust() { &source.comments } else { &source.text };
    if source.is_markdown() {
        return Vec::new();
    }
    let marks = ["TODO", "FIXME", "XXX"].map(|mark| (mark, text.contains(mark)));
    let marks = marks.iter().filter(|(_, is_there)| *is_there);
    let mut found = Vec::new();
    for (mark, _) in marks {
        for (index, line) in text.lines().enumerate() {
            let named = |rest: &str| rest.starts_with("(#") || rest.starts_with(" #");
            let mut marks = line.match_indices(*mark);
            if marks.any(|(at, _)| bare(line, at) && !named(&line[at + mark.len()..])) {
                let way_out = "open an issue and write its number: `(#12)`";
                found.push(finding(source, index + 1, "to-do", format!("`{mark}`"), way_out));
            }
        }
    }
    found
}

/// Whether the word at `at` is neither quoted nor a part of a longer one.
fn bare(line: &str, at: usize) -> bool {
    !line[..at].chars().next_back().is_some_and(|c| word(c) || c == '`')
}

/// No path of one person's machine.
fn machine_path(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for folder in ["work", "root", "home", "tmp", "Users", "mnt"] {
        let path = format!("/{folder}/");
        if !source.text.contains(&path) {
            continue;
        }
        for (index, line) in source.text.lines().enumerate() {
            let outer = |at: usize| line[..at].chars().next_back();
            let starts = |at: usize| !outer(at).is_some_and(|c| word(c) || "./-~*)}>".contains(c));
            if line.match_indices(&path).any(|(at, _)| starts(at)) {
                let what = format!("`{path}` exists on one machine only");
                let way_out = "write a path relative to the project, or ask for a folder";
                found.push(finding(source, index + 1, "machine-path", what, way_out));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
