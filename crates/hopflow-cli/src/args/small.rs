//! Arguments of `diff`, `doctor`, `explain`, `init`, `lab`, `completions` and `man`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::Prose;

/// What stands below the options in the help of `hopflow lab`.
pub(crate) const LAB_HELP: &str = "\
Examples:
  hopflow lab
  hopflow lab --port 8080
  hopflow lab --bind 0.0.0.0      # to a classroom: all machines that reach this one

The command of a release has the page in it, from the archive and from the wheel. Another one has it
if it was built with `--features lab`, after `cargo xtask lab`.";

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
    /// Exactly this port; 0 takes a free one. Default: 4994, or the next that is free.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// The IP address of this machine that is served, so that others reach the page; 0.0.0.0 or ::
    /// is all. Default: 127.0.0.1, which no other machine reaches.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) bind: Option<IpAddr>,
}

/// An IP address of this machine, or all of them.
fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| {
        "write an IP address of this machine, such as 192.168.1.20, without a port (`--port` has \
         it); 0.0.0.0 is all of them"
            .to_owned()
    })
}

/// `hopflow schema`.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// That of results: what `--format json` of each command prints, and the files beside it.
    #[arg(long)]
    pub(crate) results: bool,
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

/// `hopflow man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The directory of the pages. It is made where it does not exist; pages of an earlier version
    /// are replaced.
    pub(crate) dir: PathBuf,
}

/// The names of the built-in scenarios.
fn template_names() -> PossibleValuesParser {
    PossibleValuesParser::new(hopflow_scenario::TEMPLATES.map(|template| template.name))
}
