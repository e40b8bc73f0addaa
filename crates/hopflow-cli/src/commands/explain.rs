//! `hopflow explain`: what an error code means, why it happens, a file that has it, the way out.
//!
//! The texts are those of `docs/errors.md`, which is part of the program: there is no second copy.

use crate::args::ExplainArgs;
use crate::fail::Fail;
use crate::{Outcome, output};

const PAGE: &str = include_str!("../../../../docs/errors.md");

/// From this number on a code is a warning.
const FIRST_WARNING: u16 = 100;
/// The most codes that are listed for a word.
const LISTED: usize = 6;

/// The entry of one code in the page.
struct Entry {
    number: u16,
    meaning: &'static str,
    /// Paragraphs and fenced examples, in Markdown.
    body: &'static str,
}

pub(crate) fn explain(args: &ExplainArgs) -> Outcome {
    let entries = entries();
    let width = output::terminal_width().min(100);
    let text = match &args.code {
        None => list(&entries, width),
        Some(code) => {
            let wanted = number(code);
            let found = entries.iter().find(|entry| Some(entry.number) == wanted);
            page(found.ok_or_else(|| unknown(code, &entries))?, width)
        }
    };
    output::write(&text)
}

/// All entries of the page, in its order.
fn entries() -> Vec<Entry> {
    let parts = PAGE.split("\n### ").skip(1);
    let entry = |part: &'static str| {
        let part = part.split("\n## ").next().unwrap_or(part);
        let (code, rest) = part.split_once("\n\n")?;
        let (meaning, body) = rest.split_once("\n\n")?;
        Some(Entry { number: number(code)?, meaning, body })
    };
    parts.map(|part| entry(part).expect("a test reads the whole page")).collect()
}

/// The number of a code: `HF0050`, in small letters too, and `50`.
fn number(code: &str) -> Option<u16> {
    let upper = code.trim().to_ascii_uppercase();
    upper.strip_prefix("HF").unwrap_or(&upper).parse().ok()
}

/// A line for each code.
fn list(entries: &[Entry], width: usize) -> String {
    let line = |entry: &Entry| {
        let meaning = output::wrapped(entry.meaning, width, 8);
        format!("HF{:04}  {}\n", entry.number, meaning.trim_start())
    };
    entries.iter().map(line).collect()
}

/// One entry: paragraphs as wide as `width`, examples indented.
fn page(entry: &Entry, width: usize) -> String {
    let kind = if entry.number < FIRST_WARNING { "error" } else { "warning" };
    let title = format!("HF{:04} ({kind}): {}", entry.number, entry.meaning);
    let mut text = output::wrapped(&title, width, 0);
    text.push('\n');
    for (index, part) in entry.body.split("```").enumerate() {
        if index % 2 == 1 {
            let (_language, example) = part.split_once('\n').unwrap_or(("", part));
            text.push_str("\nA file with this mistake:\n\n");
            for line in example.lines() {
                text.push_str([["    ", line].concat().trim_end(), "\n"].concat().as_str());
            }
            continue;
        }
        for paragraph in part.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
            text.push('\n');
            text.push_str(&output::wrapped(paragraph, width, 0));
            text.push('\n');
        }
    }
    text
}

fn unknown(code: &str, entries: &[Entry]) -> Fail {
    let nearest = number(code).and_then(|wanted| {
        let far = |entry: &&Entry| (misread(wanted, entry.number), entry.number.abs_diff(wanted));
        entries.iter().min_by_key(far)
    });
    let hint = match nearest {
        Some(entry) => format!("did you mean HF{:04} ({})?", entry.number, entry.meaning),
        None => format!("a code looks like HF0050.{}", about(code, entries)),
    };
    Fail::Input(format!("unknown code `{code}`: {hint} `hopflow explain` lists all codes"))
}

/// The codes that have a word in their meaning or, if none has, in their text.
fn about(word: &str, entries: &[Entry]) -> String {
    let word = word.to_lowercase();
    let has = |text: &str| {
        let text = text.to_lowercase();
        word.len() > 1
            && text.split(|letter: char| !letter.is_alphanumeric()).any(|one| one == word)
    };
    let of = |part: fn(&Entry) -> &str| {
        let found = entries.iter().filter(|entry| has(part(entry)));
        found.map(|entry| format!("HF{:04}", entry.number)).collect::<Vec<_>>()
    };
    let mut found = of(|entry| entry.meaning);
    if found.is_empty() {
        found = of(|entry| entry.body);
    }
    if found.is_empty() {
        return String::new();
    }
    found.truncate(LISTED);
    format!(" Codes about it: {}.", found.join(", "))
}

/// The number of digits that differ, of four; two swapped neighbours count as one.
fn misread(a: u16, b: u16) -> usize {
    let [a, b] = [a, b].map(|number| format!("{number:04}").into_bytes());
    let differ: Vec<usize> = (0..a.len().min(b.len())).filter(|at| a[*at] != b[*at]).collect();
    match differ[..] {
        [i, j] if j == i + 1 && a[i] == b[j] && a[j] == b[i] => 1,
        _ => differ.len() + a.len().abs_diff(b.len()),
    }
}

#[cfg(test)]
mod tests;
