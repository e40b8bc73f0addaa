//! Arguments of `diff`, `doctor`, `explain`, `init`, `lab` and `completions`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::Prose;

/// What stands below the options in the help of `hopflow lab`.
pub(crate) const LAB_HELP: &str = "\
Examples:
  hopflow lab
  hopflow lab --port 8080

The command has the page in it if it was built with `--features lab`, after `cargo xtask lab`.";

/// `hopflow doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Remove what killed commands left in this folder and in `runs`, or put it back.
    #[arg(long)]
    pub(crate) clean: bool,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

/// `hopflow diff`.
#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// A directory of results.
    pub(crate) a: PathBuf,
    /// Another one.
    pub(crate) b: PathBuf,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

/// `hopflow explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The code, as it is in the message: HF0050, or 50. Default: all codes, one line each.
    pub(crate) code: Option<String>,
}

/// `hopflow lab`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabArgs {
    /// Exactly this port of 127.0.0.1; 0 takes a free one. Default: 4994, or the next that is free.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
}

/// `hopflow init`.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file to write. Default: scenario.toml, or NAME.toml with `--template`.
    pub(crate) file: Option<PathBuf>,
    /// A network with known max-min fair shares, instead of the scenario with all keys explained.
    #[arg(long, value_name = "NAME", value_parser = template_names())]
    pub(crate) template: Option<String>,
}

/// `hopflow completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

/// The names of the built-in scenarios.
fn template_names() -> PossibleValuesParser {
    PossibleValuesParser::new(hopflow_scenario::TEMPLATES.map(|template| template.name))
}
