//! The `hopflow` command: arguments and printing, nothing else.
//!
//! stdout carries data, stderr everything else. Exit: 0 fine, 1 a checked property failed, 2 bad
//! input, 3 internal fault, 4 results could not be written, 130 interrupted.

mod args;
mod commands;
mod cpu;
mod diagnose;
mod fail;
mod memory;
mod output;
mod progress;
mod welcome;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ContextKind;

use args::{Args, Command};
use fail::Fail;

fn main() -> ExitCode {
    fail::explain_panics();
    let args = Args::try_parse().unwrap_or_else(|mut wrong| {
        // "to pass '--x' as a value, use '-- --x'": no value of ours begins so.
        wrong.remove(ContextKind::TrailingArg);
        wrong.remove(ContextKind::Suggested);
        wrong.exit()
    });
    diagnose::install(args.all_errors);
    let outcome = args.command.as_ref().map_or_else(welcome::welcome, run);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => fail.finish(),
    }
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Run(run) => commands::run::run(run),
        Command::Check(check) => commands::check::check(check),
        Command::Demo(demo) => commands::demo::demo(demo),
        Command::Compare(compare) => commands::compare::compare(compare),
        Command::Report(report) => commands::report::report(report),
        Command::Reproduce(reproduce) => commands::reproduce::reproduce(reproduce),
        Command::Size(size) => commands::size::size(size),
        Command::Why(why) => commands::why::why(why),
        Command::Diff(diff) => commands::diff::diff(diff),
        Command::Explain(explain) => commands::explain::explain(explain),
        Command::Lab(lab) => commands::lab::lab(lab),
        Command::Schema => commands::small::schema(),
        Command::Init(init) => commands::small::init(init),
        Command::Doctor(doctor) => commands::doctor::doctor(doctor),
        Command::Completions(completions) => commands::small::completions(completions.shell),
    }
}

/// What a command comes to.
type Outcome = Result<(), Fail>;
