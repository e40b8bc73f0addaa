//! The `hopflow` command: arguments and printing, nothing else. The binary calls [`main_with`], a
//! program with algorithms of its own [`main_with_machines`], and the command of the Python package
//! [`main_with_sql`]; [`answers`] are for that package.
//!
//! Without its default features it has the commands that print what they find, and a program that
//! needs no more compiles less than half of the crates' code: `left_out.rs` has what each feature
//! brings.
//!
//! stdout carries data, stderr everything else (`say.rs`). Exit codes are in `exit.rs`.

#![cfg_attr(
    not(all(feature = "papers", feature = "live")),
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        clippy::large_enum_variant,
        reason = "commands that are left out use the rest"
    )
)]

#[macro_use]
mod say;

#[cfg(feature = "papers")]
pub mod answers;
mod args;
mod commands;
mod cpu;
mod diagnose;
#[cfg(feature = "papers")]
pub mod documents;
mod exit;
mod fail;
mod kept;
mod left_out;
mod machines;
mod memory;
mod mistake;
mod output;
mod progress;
mod starved;
mod welcome;

use std::ffi::OsString;

use clap::Parser as _;
use clap::error::ContextKind;
use hopflow::network::Machine;

use args::{Args, Command};
use fail::Fail;

/// Runs SQL: takes the query as JSON (`sql`, `views`, `format`, `out`), prints the answer, and
/// gives the exit code.
pub type RunSql<'r> = dyn Fn(&str) -> u8 + 'r;

/// As [`main_with_sql`], without SQL.
pub fn main_with(args: impl IntoIterator<Item = OsString>) -> u8 {
    main_with_sql(args, None)
}

/// The command with algorithms of your own: the same arguments, output and exit codes, and
/// scenarios may name `machines`, as in `scheduler = { kind = "external", machine = "NAME" }`.
/// Experimental.
///
/// It is called once, as [`main_with_sql`].
pub fn main_with_machines(args: impl IntoIterator<Item = OsString>, machines: Vec<Machine>) -> u8 {
    machines::register(machines);
    main_with(args)
}

/// Runs the command with `args`, of which the first is its own name, and gives its exit code.
///
/// The process is the command's from here on: Ctrl-C and panics are handled as a command does, and
/// both may end it. It is called once. `run_sql` is for `hopflow query`.
pub fn main_with_sql(args: impl IntoIterator<Item = OsString>, run_sql: Option<&RunSql<'_>>) -> u8 {
    fail::explain_panics();
    starved::end_with_a_code();
    let args: Vec<OsString> = args.into_iter().collect();
    let args = match Args::try_parse_from(args.clone()) {
        Ok(args) => args,
        Err(mut wrong) => {
            if let Some(said) = mistake::said(&wrong, &args) {
                return Fail::Input(said).finish(diagnose::draw_all);
            }
            // "to pass '--x' as a value, use '-- --x'": no value of ours begins so.
            wrong.remove(ContextKind::TrailingArg);
            wrong.remove(ContextKind::Suggested);
            mistake::keep_near(&mut wrong);
            return refuse(&wrong);
        }
    };
    diagnose::install(args.all_errors);
    output::install(args.all_rows);
    let outcome = args.command.as_ref();
    let outcome = outcome.map_or_else(welcome::welcome, |command| run(command, run_sql));
    match outcome {
        Ok(()) => exit::FINE,
        Err(fail) => fail.finish(diagnose::draw_all),
    }
}

/// Prints what is wrong with the arguments, or the help that was asked for.
fn refuse(wrong: &clap::Error) -> u8 {
    let plain = wrong.to_string();
    if wrong.use_stderr() && say::readable(&plain) != plain {
        // A word is too long to be shown whole, with colours or without.
        eprint!("{plain}");
    } else {
        // What cannot be printed has no reader: as `wrong.exit()` does.
        let _ = wrong.print();
    }
    if wrong.use_stderr() { exit::INPUT } else { exit::FINE }
}

fn run(command: &Command, run_sql: Option<&RunSql<'_>>) -> Outcome {
    match command {
        Command::Run(run) => commands::run::run(run),
        Command::Check(check) => commands::check::check(check),
        #[cfg(feature = "results")]
        Command::Demo(demo) => commands::demo::demo(demo),
        Command::Compare(compare) => commands::compare::compare(compare),
        #[cfg(feature = "results")]
        Command::Sweep(sweep) => commands::sweep::sweep(sweep),
        #[cfg(feature = "results")]
        Command::Bundle(bundle) => commands::bundle::bundle(bundle),
        #[cfg(feature = "results")]
        Command::Query(query) => commands::query::query(query, run_sql),
        #[cfg(feature = "live")]
        Command::Emulate(emulate) => commands::emulate::emulate(emulate),
        #[cfg(feature = "results")]
        Command::Report(report) => commands::report::report(report),
        #[cfg(feature = "papers")]
        Command::Reproduce(reproduce) => commands::reproduce::reproduce(reproduce),
        #[cfg(feature = "results")]
        Command::Size(size) => commands::size::size(size),
        Command::Why(why) => commands::why::why(why),
        #[cfg(feature = "results")]
        Command::Diff(diff) => commands::diff::diff(diff),
        Command::Explain(explain) => commands::explain::explain(explain),
        Command::Lab(lab) => commands::lab::lab(lab),
        Command::Schema(schema) => commands::small::schema(schema),
        Command::Init(init) => commands::small::init(init),
        #[cfg(feature = "results")]
        Command::Doctor(doctor) => commands::doctor::doctor(doctor),
        #[cfg(feature = "results")]
        Command::Completions(completions) => commands::completions::completions(completions),
        #[cfg(feature = "results")]
        Command::Man(man) => commands::man::man(man),
    }
}

/// The result of a command.
type Outcome = Result<(), Fail>;
