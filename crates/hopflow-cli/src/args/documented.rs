//! Every command line of every document, read by the parser of the program.
//!
//! A command line is
//! * in a block of code: `hopflow` and a word after it, at the beginning of a line or behind a
//!   prompt, a blank, a pipe or a list; it ends as in a shell. Blocks of HTML, TOML, Python and
//!   Rust have none, but a notebook has lines that begin with `!`;
//! * in a scenario or a shell script: a line of a comment, `#   hopflow ...`, up to two blanks, or
//!   `"$HOPFLOW" ...`;
//! * in a sentence: text between backquotes that begins with `hopflow` and a word; in the table of
//!   commands.md without `hopflow`. It may leave out what is required, because it names a command
//!   or an option. `[X]`, `X...` and `...` are as in a synopsis, and `a|b` is `a`;
//! * in the help of a command: its examples.
//!
//! A word of capitals is a placeholder: one is put in where a number or a word of a list is wanted.

// Documents name commands of all features.
#![cfg(feature = "papers")]

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};

use super::Args;

/// A command line in a document.
#[derive(Debug)]
struct Line {
    file: String,
    at: usize,
    text: String,
    /// Whether it is in a sentence.
    is_named: bool,
}

/// The folders of documents, and the endings of their files.
const PLACES: [(&str, &[&str]); 7] = [
    ("docs", &["md", "sh"]),
    ("examples", &["md", "toml", "py"]),
    ("papers", &["md", "toml"]),
    ("python", &["md", "py"]),
    ("benches", &["md"]),
    ("lab/src", &["ts", "svelte"]),
    ("crates/hopflow-scenario/src", &["toml"]),
];
/// What is in none of them. The changelog is left out: it is of the commands of its time.
const ALONE: [&str; 3] = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "node_modules" && name != "target" {
                files_below(&path, endings, found);
            }
        } else if path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)) {
            found.push(path);
        }
    }
}

/// The command lines of a block of code, each with the number of its line, from 0. A line that ends
/// in a backslash goes on.
fn in_code(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in code.lines().enumerate() {
        let (first, text) = match open.take() {
            Some((first, begun)) => (first, begun + " " + line.trim()),
            None => (number, line.to_owned()),
        };
        match text.trim_end().strip_suffix('\\') {
            Some(begun) => open = Some((first, begun.trim_end().to_owned())),
            None => found.extend(calls(&text).map(|call| (first, call.to_owned()))),
        }
    }
    found
}

/// What follows each `hopflow` of a line that is a word of its own.
fn calls(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("hopflow ").filter_map(|(at, word)| {
        let before = line[..at].chars().next_back();
        let is_word = before.is_none_or(|before| " \t|(;&!`'".contains(before));
        let rest = &line[at + word.len()..];
        let goes_on = rest.starts_with(|first: char| first.is_ascii_lowercase() || first == '-');
        (is_word && goes_on).then_some(rest)
    })
}

/// Spans of code in a paragraph, each with the number of its line, from 0.
fn spans(paragraph: &str) -> impl Iterator<Item = (usize, String)> {
    let mark = if paragraph.contains("``") { "``" } else { "`" };
    let mut line = 0;
    paragraph.split(mark).enumerate().filter_map(move |(place, span)| {
        let first = line;
        line += span.matches('\n').count();
        (place % 2 == 1).then(|| (first, span.replace('\n', " ")))
    })
}

/// The command lines of the prose that begins at a line.
fn in_prose(prose: &str, is_list: bool) -> Vec<(usize, String)> {
    let names: Vec<String> =
        Args::command().get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let mut found = Vec::new();
    let mut start = 0;
    for paragraph in prose.split_inclusive("\n\n") {
        for (line, span) in spans(paragraph) {
            let called = span.trim().strip_prefix("hopflow ");
            let first = span.split(' ').next().unwrap_or_default();
            let row = paragraph.lines().nth(line).unwrap_or_default();
            let is_row = is_list && row.split(" | ").next().unwrap_or_default().contains(&span);
            let listed = (is_row && names.iter().any(|name| name == first)).then_some(&*span);
            if let Some(text) = called.or(listed) {
                found.push((start + line, text.to_owned()));
            }
        }
        start += paragraph.matches('\n').count();
    }
    found
}

/// The command lines of a file.
fn lines_of(file: &str, text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut add = |from: usize, is_named, lines: Vec<(usize, String)>| {
        found.extend(lines.into_iter().map(|(line, text)| Line {
            file: file.to_owned(),
            at: from + line + 1,
            text,
            is_named,
        }));
    };
    match file.rsplit('.').next() {
        Some("md") => {
            for (from, language, part) in parts(text) {
                match language.as_deref() {
                    None => add(from, true, in_prose(&part, file == "docs/commands.md")),
                    Some("html" | "toml" | "rust") => {}
                    Some(language)
                        if language == "python" || language.starts_with("{code-cell}") =>
                    {
                        let shell = part.lines().map(|line| line.strip_prefix('!').unwrap_or(""));
                        add(from, false, in_code(&shell.collect::<Vec<_>>().join("\n")));
                    }
                    Some(_) => add(from, false, in_code(&part)),
                }
            }
        }
        Some("toml" | "sh") => {
            let called = text.replace("\"$HOPFLOW\" ", "hopflow ");
            let code = called.lines().map(|line| match line.strip_prefix("#   hopflow ") {
                Some(call) => format!("hopflow {}", call.split("  ").next().unwrap_or_default()),
                None if line.starts_with('#') => String::new(),
                None => line.to_owned(),
            });
            add(0, false, in_code(&code.collect::<Vec<_>>().join("\n")));
            let prose = text.lines().map(|line| line.strip_prefix('#').unwrap_or(""));
            add(0, true, in_prose(&prose.collect::<Vec<_>>().join("\n"), false));
        }
        // Comments and texts of programs.
        _ => {
            for (line, text) in text.lines().enumerate() {
                add(line, true, in_prose(text, false));
            }
        }
    }
    found
}

/// The parts of a page: where each begins, the language of a block of code, and the text.
fn parts(text: &str) -> Vec<(usize, Option<String>, String)> {
    let mut parts = vec![(0, None, String::new())];
    let mut fence: Option<usize> = None;
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let ticks = bare.len() - bare.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => {
                fence = Some(ticks);
                parts.push((number + 1, Some(bare[ticks..].trim().to_owned()), String::new()));
            }
            Some(open) if ticks >= open && bare[ticks..].trim().is_empty() => {
                fence = None;
                parts.push((number + 1, None, String::new()));
            }
            _ => {
                let (.., part) = parts.last_mut().expect("it begins with one");
                part.push_str(line);
                part.push('\n');
            }
        }
    }
    parts
}

/// The words of a command as a shell makes them, up to the end of the command. `None`: a quote is
/// not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '|' | ';' | '&' | '>' | '<' | '`' | ')') => break,
            (None, '#') if word.is_none() => break,
            (None, ' ' | '\t') => words.extend(word.take()),
            (_, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The words of a synopsis: what may be left out or repeated is there once, and of words to choose
/// from, the first.
fn once(text: &str) -> String {
    let one = |word: &str| {
        if word == "|" {
            return Some(word.to_owned());
        }
        let word = word.replace("\\|", "|");
        let word = word.trim_start_matches('[').replace("...]", "").replace(']', "");
        word.trim_end_matches("...").trim_end_matches(',').split('|').next().map(str::to_owned)
    };
    text.split(' ').filter_map(one).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_placeholder(word: &str) -> bool {
    word.chars().any(|one| one.is_ascii_uppercase()) && !word.chars().any(char::is_lowercase)
}

/// Why the parser refuses a command line; `None`: it does not.
fn refused(line: &Line) -> Option<String> {
    let text = if line.is_named { once(&line.text) } else { line.text.clone() };
    let Some(mut words) = words(&text) else { return Some("a quote is not closed".to_owned()) };
    words.insert(0, "hopflow".to_owned());
    // Each turn puts something in for a word.
    for _ in 0..20 {
        let Err(error) = Args::try_parse_from(&words) else { return None };
        let context = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.clone()),
            Some(ContextValue::Strings(texts)) => texts.first().cloned(),
            _ => None,
        };
        let put = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return None,
            ErrorKind::MissingRequiredArgument if line.is_named => return None,
            ErrorKind::InvalidSubcommand => {
                context(ContextKind::InvalidSubcommand).map(|word| (word, "run".to_owned()))
            }
            ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
                let value = context(ContextKind::ValidValue).unwrap_or_else(|| "1".to_owned());
                context(ContextKind::InvalidValue).map(|word| (word, value))
            }
            _ => None,
        };
        match put {
            // An option of a sentence, without its value: what stands before it is right.
            Some((word, _)) if word.is_empty() && line.is_named => return None,
            Some((word, value)) if is_placeholder(&word) => {
                let Some(place) = words.iter().position(|one| *one == word) else {
                    return Some(error.to_string());
                };
                words[place] = value;
            }
            _ => return Some(error.to_string()),
        }
    }
    Some("it has too many placeholders".to_owned())
}

fn all() -> Vec<Line> {
    let root = root();
    let mut paths: Vec<PathBuf> = ALONE.iter().map(|name| root.join(name)).collect();
    for (folder, endings) in PLACES {
        files_below(&root.join(folder), endings, &mut paths);
    }
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.strip_prefix(&root).expect("it is below").to_string_lossy().into_owned();
        found.extend(lines_of(&name, &text));
    }
    let program = Args::command();
    for command in program.get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for (line, text) in in_code(&help) {
            let file = format!("the help of {}", command.get_name());
            found.push(Line { file, at: line + 1, text, is_named: false });
        }
    }
    found
}

/// Claim: every command line of every document is one that the program takes.
#[test]
fn every_documented_command_is_one_of_the_program() {
    let lines = all();
    let count = |is_named| lines.iter().filter(|line| line.is_named == is_named).count();
    assert!(count(false) >= 120 && count(true) >= 150, "{} {}", count(false), count(true));
    let wrong: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            let why = refused(line)?;
            Some(format!("{}:{}: hopflow {}\n{why}", line.file, line.at, line.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Claim: a command line is found wherever it is, with its line, and a wrong one is refused: an
/// option or a command that does not exist, a value that is none, a missing file in code.
#[test]
fn a_wrong_command_is_found() {
    let page = "# Title\n\n\
        See `hopflow why DIR --flow mine`, or `hopflow\nrunn a.toml`; `hopflow run\n\
        --seeds` is fine, and so is `hopflow run FILE --seeds N [--yes]`.\n\n\
        ```sh\n$ hopflow run \\\n    a.toml --sed 1   # a seed\n\
        cat a | hopflow run - && sudo hopflow run\n```\n\n\
        ```html\n<b>hopflow lab</b>\n```\n\n\
        ```console\nhopflow run a.toml --seed x > b\n```\n";
    let lines = lines_of("a.md", page);
    let wrong: Vec<(usize, String)> = lines
        .iter()
        .filter_map(|line| Some((line.at, refused(line)?.lines().next()?.to_owned())))
        .collect();
    let at: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines.len(), 8, "{lines:?}");
    assert_eq!(at, [3, 3, 8, 10, 18], "{wrong:?}");
    for (place, says) in
        [(0, "'--flow'"), (1, "'runn'"), (2, "'--sed'"), (3, "not provided"), (4, "'x'")]
    {
        assert!(wrong[place].1.contains(says), "{wrong:?}");
    }
    let scenario = "# Try it:\n#   hopflow run a.toml    as it is\n#   hopflow ran a.toml\n# Or \
         `hopflow chek`.\nversion = 2\n";
    let lines = lines_of("a.toml", scenario);
    let at: Vec<usize> = lines.iter().filter(|one| refused(one).is_some()).map(|l| l.at).collect();
    assert_eq!((lines.len(), at), (3, vec![3, 4]), "{lines:?}");
    let listed =
        "| `run FILE --seeds N` | runs |\n| `flow.x` | `run` |\n| `explain [CODE]` | a |\n";
    let lines = lines_of("docs/commands.md", listed);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| refused(line).is_none()));
}
