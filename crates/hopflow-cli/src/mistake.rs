//! Mistakes on the command line whose way out only hopflow knows: a scenario where a command
//! belongs, and a key of the scenario where an option belongs.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use hopflow_scenario::default_for_all;

/// Commands that take `--set`.
const SETS: [&str; 7] = ["run", "check", "compare", "sweep", "size", "why", "emulate"];

/// The whole message, if it is one of these mistakes. `args` begin with the name of the program.
pub(crate) fn said(wrong: &clap::Error, args: &[OsString]) -> Option<String> {
    let word = |kind| match wrong.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    match wrong.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = word(ContextKind::InvalidSubcommand)?;
            let is_file = Path::new(word).extension().is_some_and(|kind| kind == "toml")
                || Path::new(word).is_file();
            is_file.then(|| {
                format!(
                    "`{word}` is a file, not a command: `hopflow run {word}` runs it, `hopflow \
                     check {word}` checks it"
                )
            })
        }
        ErrorKind::UnknownArgument => {
            let option = word(ContextKind::InvalidArg)?;
            let command = args.get(1)?.to_str()?;
            let key = default_for_all(option.strip_prefix("--")?)?;
            SETS.contains(&command).then(|| {
                format!(
                    "`{option}` is a key of the scenario, not an option: `--set \"{key}=VALUE\"` \
                     sets it where the file leaves it out, and `hopflow {command} --help` lists \
                     the options"
                )
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::Args;

    fn of(args: &[&str]) -> Option<String> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let wrong = Args::try_parse_from(args.clone()).expect_err("it is a mistake");
        said(&wrong, &args)
    }

    /// Claim: a scenario in place of a command, and a key in place of an option, have their way
    /// out; other mistakes are left to clap. A directory is no scenario.
    #[test]
    fn a_scenario_and_a_key_have_their_way_out() {
        let said = of(&["hopflow", "my.toml"]).expect("it is known");
        assert!(said.contains("`hopflow run my.toml` runs it"), "{said}");
        let said = of(&["hopflow", "run", "my.toml", "--rate", "10"]).expect("it is known");
        assert!(said.contains("`--set \"defaults.link.rate=VALUE\"`"), "{said}");
        let said = of(&["hopflow", "run", "my.toml", "--n3", "10"]).expect("it is known");
        assert!(said.contains("`--set \"defaults.flow.control.n3=VALUE\"`"), "{said}");
        let said = of(&["hopflow", "src/lib.rs"]).expect("it is a file");
        assert!(said.starts_with("`src/lib.rs` is a file, not a command"), "{said}");
        assert_eq!(of(&["hopflow", "src"]), None);
        assert_eq!(of(&["hopflow", "rum", "my.toml"]), None);
        assert_eq!(of(&["hopflow", "run", "my.toml", "--verbose"]), None);
        assert_eq!(of(&["hopflow", "explain", "--rate"]), None);
    }
}
