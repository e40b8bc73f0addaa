//! The help of every command: what a reader finds there, and that it fits a terminal.

use clap::{Command, CommandFactory as _};

use super::Args;

/// Every command and the commands below it, with what is typed.
fn all() -> Vec<(String, Command)> {
    let mut left = vec![("hopflow".to_owned(), Args::command())];
    let mut found = Vec::new();
    while let Some((typed, command)) = left.pop() {
        let below = command.get_subcommands().filter(|one| one.get_name() != "help");
        left.extend(below.map(|one| (format!("{typed} {}", one.get_name()), one.clone())));
        found.push((typed, command));
    }
    found
}

/// Claim: what stands below the options fits 80 columns, so that no example is broken where it
/// cannot be copied.
#[test]
fn examples_are_not_broken_by_the_terminal() {
    for (typed, command) in all() {
        let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in below.lines() {
            assert!(line.chars().count() <= 80, "{typed}: {line}");
        }
    }
}

/// Claim: every command has an example of itself, and one line that begins with a verb, one of this
/// list.
#[test]
fn every_command_has_an_example_and_a_verb() {
    const VERBS: [&str; 18] = [
        "Simulate",
        "Run",
        "Compare",
        "Check",
        "Pack",
        "Query",
        "Connect",
        "Draw",
        "Reproduce",
        "Compute",
        "Explain",
        "Serve",
        "Print",
        "Write",
        "Merge",
        "Make",
        "Show",
        "Put",
    ];
    for (typed, command) in all() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let verb = about.split([' ', ',']).next().unwrap_or_default();
        assert!(VERBS.contains(&verb), "{typed}: {about}");
        if typed == "hopflow" {
            continue;
        }
        let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(below.lines().any(|line| line.trim().starts_with(&typed)), "{typed}: {below}");
    }
}

/// Claim: every option says what it does in a sentence that begins with a capital, without a full
/// stop at the end, which clap takes away.
#[test]
fn every_option_says_what_it_does() {
    for (typed, command) in all() {
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let name = option.get_id();
            assert!(help.starts_with(char::is_uppercase), "{typed} {name}: {help}");
            assert!(!help.ends_with('.'), "{typed} {name}: {help}");
        }
    }
}

/// Claim: the help stays short. All of it together has no more words than this; whoever adds an
/// option takes words away elsewhere, or raises the number and says why.
#[test]
fn the_help_stays_short() {
    const MOST: usize = 5_300;
    let long = |mut command: Command| command.render_long_help().to_string();
    let words: usize = all().into_iter().map(|(_, one)| long(one).split_whitespace().count()).sum();
    assert!(words <= MOST, "{words} words");
}
