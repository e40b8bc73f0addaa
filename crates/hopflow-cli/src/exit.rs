//! The exit codes of the command, each once: the help lists them, and `docs/commands.md`.

use crate::left_out;

/// The command succeeded.
pub(crate) const FINE: u8 = 0;
/// A checked property failed.
pub(crate) const PROPERTY: u8 = 1;
/// The input is wrong.
pub(crate) const INPUT: u8 = 2;
/// A mistake of hopflow, or of what it calls.
pub(crate) const FAULT: u8 = 3;
/// Results or messages for stdout could not be written.
pub(crate) const UNWRITTEN: u8 = 4;
/// `emulate`: the machine was too busy for real time.
pub(crate) const DISTURBED: u8 = 5;
/// The system gave no more memory, or no more threads.
pub(crate) const STARVED: u8 = 6;
/// Interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// All of them, with their meaning in a few words.
pub(crate) const ALL: [(u8, &str); 8] = [
    (FINE, "fine"),
    (PROPERTY, "a checked property failed"),
    (INPUT, "bad input"),
    (FAULT, "internal fault"),
    (UNWRITTEN, "results cannot be written"),
    (DISTURBED, "emulate: the machine was too busy"),
    (STARVED, "no more memory or threads"),
    (INTERRUPTED, "interrupted"),
];

/// What follows the help of the command.
pub(crate) fn help() -> String {
    let codes: Vec<String> = ALL.iter().map(|(code, what)| format!("  {code:<4} {what}")).collect();
    let left_out = left_out::help();
    format!(
        "{left_out}Exit codes:\n{}\n\nData goes to stdout, messages to stderr; a message that \
         stderr refuses is lost.\nSet NO_COLOR to print without colours.",
        codes.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Claim: the help and the page of the commands have every code once, and no other.
    #[test]
    fn every_code_is_in_the_help_and_on_the_page() {
        let page = include_str!("../../../docs/commands.md");
        let section = page.split("\n## Exit codes\n").nth(1).expect("there is a section");
        let section = section.split("\n## ").next().unwrap_or(section);
        let first =
            |line: &str| line.trim_start_matches("| ").split([' ', '|']).next()?.parse().ok();
        let documented: Vec<u8> = section.lines().filter_map(first).collect();
        let help = help();
        let helped: Vec<u8> =
            help.lines().filter_map(|line| line.strip_prefix("  ").and_then(first)).collect();
        let all: Vec<u8> = ALL.iter().map(|(code, _)| *code).collect();
        assert_eq!(helped, all, "{help}");
        assert_eq!(documented, all, "{section}");
    }

    /// Claim: the command ends with a code of the list: no file of it writes a number where a
    /// process ends.
    #[test]
    fn no_code_is_written_as_a_number() {
        let mut left = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut seen = 0;
        while let Some(path) = left.pop() {
            if path.is_dir() {
                left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for ending in ["process::exit(", "Fail::Ended(", "say(&text, "] {
                for (_, rest) in code.match_indices(ending).map(|(at, _)| code.split_at(at)) {
                    let begin = rest[ending.len()..].chars().next();
                    assert!(!begin.is_some_and(|c| c.is_ascii_digit()), "{}", path.display());
                    seen += 1;
                }
            }
        }
        assert!(seen >= 5, "{seen} places where a process ends");
    }
}
