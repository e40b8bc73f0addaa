//! What `hopflow` alone prints: what it is, what to type first, every command, where help is.

use clap::CommandFactory as _;

use crate::args::Args;
use crate::{Outcome, left_out, output};

/// One screen of 80 columns and 24 lines at most.
const SCREEN: &str = "\
hopflow simulates, compares, sizes and explains network flow control.

Type first:
  hopflow demo             drop tail, PFC and credit side by side, in 2 seconds
  hopflow init my.toml     write a scenario to change, with every key explained
  hopflow run my.toml      run it: tables here, charts under runs/

Commands:
  simulate     run  compare  sweep  emulate  reproduce  demo  lab
  understand   why  report  diff  bundle  query  size  explain
  scenarios    init  check  schema
  this tool    doctor  completions  man  help

Help:
  hopflow COMMAND --help   the options of a command, with examples
  hopflow explain HF0050   an error code: what it means and what to do
  docs/index.md            the documentation
";

/// Prints the screen; in a program that leaves commands out, the help of those that it has.
pub(crate) fn welcome() -> Outcome {
    if left_out::nothing() {
        return output::write(SCREEN);
    }
    output::write(&Args::command().render_help().to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Claim: the screen fits a terminal of 80 columns and 24 lines.
    #[test]
    fn the_screen_fits_a_small_terminal() {
        assert!(SCREEN.lines().count() <= 24);
        let widest = SCREEN.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{widest:?}");
        assert!(SCREEN.is_ascii());
    }

    /// Claim: the groups name every command once, and no other word.
    #[test]
    fn the_groups_name_every_command_once() {
        let groups = SCREEN.split("\n\n").find(|part| part.starts_with("Commands:")).unwrap();
        let lines = groups.lines().skip(1).map(|line| line.trim_start().split_once("  ").unwrap());
        let named: Vec<&str> = lines.flat_map(|(_, names)| names.split_whitespace()).collect();
        let args = Args::command();
        let mut known: BTreeSet<&str> =
            args.get_subcommands().map(clap::Command::get_name).collect();
        for name in left_out::commands() {
            known.insert(name);
        }
        known.insert("help");
        assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(named.len(), known.len(), "each once: {named:?}");
    }
}
