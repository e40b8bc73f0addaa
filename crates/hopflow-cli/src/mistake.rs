//! Mistakes on the command line whose way out only hopflow knows: another program's word for a
//! command or an option, a scenario where a command belongs, a key of the scenario where an option
//! belongs, a file that was left out or is one too many, what this program leaves out.

mod here;

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};
use hopflow_scenario::{default_for_all, nearest};

use crate::args::Args;
use crate::left_out;

pub(crate) use here::instead_of;

/// Commands that take `--set`.
const SETS: [&str; 7] = ["run", "check", "compare", "sweep", "size", "why", "emulate"];

/// What others call our commands.
const COMMANDS: [(&str, &str); 8] = [
    ("simulate", "run"),
    ("sim", "run"),
    ("start", "run"),
    ("validate", "check"),
    ("lint", "check"),
    ("new", "init"),
    ("plot", "report"),
    ("replay", "run"),
];

/// What others call our options.
const OPTIONS: [(&str, &str); 15] = [
    ("--flow", "--vc"),
    ("--until", "--duration"),
    ("--time", "--duration"),
    ("--output", "--out"),
    ("-o", "--out"),
    ("--json", "--format json"),
    ("--csv", "--format csv"),
    ("--markdown", "--format markdown"),
    ("--controls", "--control"),
    ("--variant", "--control"),
    ("--jobs", "--threads"),
    ("-j", "--threads"),
    ("--vary", AXIS),
    ("--param", AXIS),
    ("--grid", AXIS),
];

/// The option of a sweep, whose value needs its form.
const AXIS: &str = "--axis";

/// The whole message, if it is one of these mistakes. `args` begin with the name of the program.
pub(crate) fn said(wrong: &clap::Error, args: &[OsString]) -> Option<String> {
    let word = |kind| match wrong.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        Some(ContextValue::Strings(words)) => words.first().map(String::as_str),
        _ => None,
    };
    let command = || args.get(1)?.to_str();
    match wrong.kind() {
        ErrorKind::InvalidSubcommand => no_command(word(ContextKind::InvalidSubcommand)?),
        ErrorKind::MissingRequiredArgument => no_file(command()?, word(ContextKind::InvalidArg)?),
        ErrorKind::UnknownArgument => {
            let (command, argument) = (command()?, word(ContextKind::InvalidArg)?);
            if argument.starts_with('-') {
                no_option(command, argument)
            } else {
                one_too_many(command, argument)
            }
        }
        ErrorKind::InvalidValue => {
            let (argument, value) =
                (word(ContextKind::InvalidArg)?, word(ContextKind::InvalidValue)?);
            no_value(command()?, argument, value)
        }
        _ => None,
    }
}

/// A word that is no command.
fn no_command(word: &str) -> Option<String> {
    if let Some(said) = left_out::message(word) {
        return Some(said);
    }
    let is_file =
        Path::new(word).extension().is_some_and(|kind| kind == "toml") || Path::new(word).is_file();
    if is_file {
        return Some(format!(
            "`{word}` is a file, not a command: `hopflow run {word}` runs it, `hopflow check \
             {word}` checks it"
        ));
    }
    let program = Args::command();
    let other = COMMANDS.iter().find(|(other, _)| *other == word).map(|(_, ours)| *ours);
    // A program without some features has not all commands.
    let other = other.filter(|ours| program.find_subcommand(ours).is_some());
    let near = other.or_else(|| nearest(word, program.get_subcommands().map(Command::get_name)))?;
    Some(format!(
        "`{word}` is not a command: did you mean `hopflow {near}`? `hopflow --help` lists all"
    ))
}

/// A command without its scenario.
fn no_file(command: &str, missing: &str) -> Option<String> {
    let wants = match missing.trim_end_matches("...") {
        "<FILE>" | "<FILES>" => "a scenario file",
        "<RUN>" if command == "why" => "a scenario file or a run directory",
        _ => return None,
    };
    let found = here::scenarios(Path::new("."));
    let way_out = match found.first() {
        Some(first) => {
            format!("here: {}; for example `hopflow {command} {first}`", here::listed(&found))
        }
        None => "`hopflow init my.toml` writes one".to_owned(),
    };
    Some(format!("`hopflow {command}` needs {wants}; {way_out}"))
}

/// An option that the command does not have.
fn no_option(command: &str, option: &str) -> Option<String> {
    if let Some(said) = left_out::message(option) {
        return Some(said);
    }
    let program = Args::command();
    let command = program.find_subcommand(command)?;
    let name = command.get_name();
    if let Some((_, ours)) = OPTIONS.iter().find(|(other, _)| *other == option)
        && takes(command, ours)
    {
        let form = if *ours == AXIS { " \"KEY=FROM..TO/COUNT\"" } else { "" };
        return Some(format!(
            "`{option}` is not an option of `hopflow {name}`: did you mean `{ours}{form}`?"
        ));
    }
    let key = default_for_all(option.strip_prefix("--")?)?;
    SETS.contains(&name).then(|| {
        format!(
            "`{option}` is a key of the scenario, not an option: `--set \"{key}=VALUE\"` sets it \
             where the file leaves it out, and `hopflow {name} --help` lists the options"
        )
    })
}

/// Whether a command takes an option, and its value if there is one.
fn takes(command: &Command, option: &str) -> bool {
    let (option, value) = option.split_once(' ').unwrap_or((option, ""));
    let name = option.trim_start_matches('-');
    let Some(found) = command.get_arguments().find(|arg| arg.get_long() == Some(name)) else {
        return false;
    };
    value.is_empty() || found.get_possible_values().iter().any(|one| one.get_name() == value)
}

/// A word more than the command takes.
fn one_too_many(command: &str, word: &str) -> Option<String> {
    if !SETS.contains(&command) {
        return None;
    }
    if word.contains('=') {
        return Some(format!(
            "`{word}` is not an option: `--set \"{word}\"` sets this key of the scenario"
        ));
    }
    (here::is_toml(Path::new(word))).then(|| {
        format!(
            "`hopflow {command}` takes one scenario, and `{word}` is a second one: repeat the \
             command for it; `hopflow check` takes several files"
        )
    })
}

/// A value that an option does not take, where the nearest one misleads.
fn no_value(command: &str, argument: &str, value: &str) -> Option<String> {
    let program = Args::command();
    let command = program.find_subcommand(command)?;
    let yaml = matches!(value.to_lowercase().as_str(), "yaml" | "yml");
    if argument.starts_with("--format") && yaml && takes(command, "--format json") {
        return Some(format!(
            "there is no `--format {value}`: `--format json` prints JSON, which YAML readers read"
        ));
    }
    (command.get_name() == "completions").then(|| {
        let shells = command.get_positionals().flat_map(clap::Arg::get_possible_values);
        let shells: Vec<String> = shells.map(|shell| shell.get_name().to_owned()).collect();
        format!("there are no completions for `{value}`, but for: {}", shells.join(", "))
    })
}

/// Takes out of a message what is not near: `--all-rows` is no other spelling of `--rows`.
pub(crate) fn keep_near(wrong: &mut clap::Error) {
    let word = |wrong: &clap::Error, kind| match wrong.get(kind) {
        Some(ContextValue::String(word)) => Some(word.trim_start_matches('-').to_owned()),
        _ => None,
    };
    for (written, meant) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let (Some(written), Some(near)) = (word(wrong, written), word(wrong, meant)) else {
            continue;
        };
        if nearest(&written, [near.as_str()].into_iter()).is_none() {
            wrong.remove(meant);
            // It has the option that was suggested.
            wrong.remove(ContextKind::Usage);
        }
    }
}

#[cfg(test)]
mod tests;
