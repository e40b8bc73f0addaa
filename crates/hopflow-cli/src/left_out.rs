//! What a program leaves out that is built with fewer features than the command: what each feature
//! brings, and what to write in `Cargo.toml` for it.

/// A feature of this package, and what its commands and options are called.
struct Feature {
    name: &'static str,
    /// Whether this program has it.
    is_built: bool,
    commands: &'static [&'static str],
    options: &'static [&'static str],
}

/// All that a program may leave out, except `lab`, which the command itself leaves out as well.
const FEATURES: [Feature; 3] = [
    Feature {
        name: "results",
        is_built: cfg!(feature = "results"),
        commands: &[
            "sweep",
            "report",
            "diff",
            "bundle",
            "query",
            "demo",
            "size",
            "doctor",
            "completions",
            "man",
        ],
        options: &[
            "--out",
            "--force",
            "--trace",
            "--trace-flow",
            "--trace-link",
            "--trace-kind",
            "--trace-from",
            "--trace-to",
            "--trace-format",
        ],
    },
    Feature {
        name: "papers",
        is_built: cfg!(feature = "papers"),
        commands: &["reproduce"],
        options: &[],
    },
    Feature {
        name: "live",
        is_built: cfg!(feature = "live"),
        commands: &["emulate"],
        options: &[],
    },
];

/// Whether all of them are there.
pub(crate) fn nothing() -> bool {
    FEATURES.iter().all(|feature| feature.is_built)
}

/// The message for a command, or an option with its dashes, that is left out; `None`: it is not one
/// of those.
pub(crate) fn message(name: &str) -> Option<String> {
    let brings = |one: &&Feature| one.commands.contains(&name) || one.options.contains(&name);
    let feature = FEATURES.iter().find(brings).filter(|feature| !feature.is_built)?;
    Some(refusal(&format!("this program has no `{name}`. To have it"), feature.name))
}

/// The commands of all features.
#[cfg(test)]
pub(crate) fn commands() -> impl Iterator<Item = &'static str> {
    FEATURES.iter().flat_map(|feature| feature.commands.iter().copied())
}

/// `what`, and how the feature is added to those that the program has.
pub(crate) fn refusal(what: &str, feature: &str) -> String {
    let has = |one: &&Feature| one.is_built || one.name == feature;
    let names = FEATURES.iter().filter(has).map(|one| format!("\"{}\"", one.name));
    let names: Vec<String> = names.collect();
    format!(
        "{what}, build it with the feature `{feature}` of hopflow-cli. In its Cargo.toml:\n    \
         hopflow-cli = {{ ..., default-features = false, features = [{}] }}",
        names.join(", ")
    )
}

/// What follows the help of a program that leaves something out.
pub(crate) fn help() -> String {
    let missing = FEATURES.iter().filter(|feature| !feature.is_built);
    let lines: Vec<String> = missing
        .map(|feature| format!("\n  {:<8} {}", feature.name, feature.commands.join(" ")))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("Left out of this program, by features of hopflow-cli:{}\n\n", lines.concat())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Args;

    /// Claim: the program has the commands and options of the features that it is built with, and
    /// none of the others, for which the message names the feature and the line to write.
    #[test]
    fn the_list_has_what_each_feature_brings() {
        let program = Args::command();
        let run = program.find_subcommand("run").expect("every program has it");
        for feature in &FEATURES {
            for &name in feature.commands {
                let is_there = program.find_subcommand(name).is_some();
                assert_eq!(is_there, feature.is_built, "{name}");
                assert_eq!(message(name).is_none(), feature.is_built, "{name}");
            }
            for &name in feature.options {
                let long = name.strip_prefix("--");
                let is_there = run.get_arguments().any(|option| option.get_long() == long);
                assert_eq!(is_there, feature.is_built, "{name}");
                assert_eq!(message(name).is_none(), feature.is_built, "{name}");
            }
        }
        assert_eq!(message("run"), None);
        assert_eq!(message("--quiet"), None);
    }

    /// Claim: the line keeps the features that the program has.
    #[test]
    fn the_line_to_write_keeps_what_is_there() {
        let said = refusal("this program has no `reproduce`. To have it", "papers");
        let built = FEATURES.iter().filter(|one| one.is_built || one.name == "papers");
        let line = said.lines().nth(1).expect("the line to write");
        assert!(said.contains("the feature `papers` of hopflow-cli"), "{said}");
        for feature in built {
            assert!(line.contains(&format!("\"{}\"", feature.name)), "{said}");
        }
    }
}
