//! Arguments of `diff`, `doctor`, `explain`, `init`, `lab`, `man` and `schema`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::TextOrJson;

/// What stands below the options in the help of `hopflow lab`.
pub(crate) const LAB_HELP: &str = "\
Examples:
  hopflow lab
  hopflow lab --port 8080
  hopflow lab --bind 0.0.0.0      # all machines that reach this one can open it

Releases include the page, and so do builds with `--features lab` after
`cargo xtask lab`.";

/// `hopflow doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Remove what killed commands left here and in `runs`, or put it back.
    #[arg(long)]
    pub(crate) clean: bool,
    /// Choose the format of the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}

/// `hopflow diff`.
#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// A directory of results.
    pub(crate) a: PathBuf,
    /// Another directory of results.
    pub(crate) b: PathBuf,
    /// Choose the format of the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}

/// `hopflow explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The code from the message: HF0050, or 50. Default: list all codes.
    pub(crate) code: Option<String>,
}

/// `hopflow lab`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabArgs {
    /// Serve on port N; 0 takes a free one. Default: 4994, or the next free one.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Serve on this IP address, so that other machines reach the page; 0.0.0.0 or :: for all
    /// addresses. Default: 127.0.0.1, which only this machine reaches.
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
    /// Print the schema of results: the JSON that each command prints, and the files beside it.
    #[arg(long)]
    pub(crate) results: bool,
}

/// `hopflow init`.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file to write. Default: scenario.toml; with `--template`, NAME.toml.
    pub(crate) file: Option<PathBuf>,
    /// Write a network with known max-min fair shares instead.
    #[arg(long, value_name = "NAME", value_parser = template_names())]
    pub(crate) template: Option<String>,
}

/// `hopflow man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The directory to write to, created if missing; older pages are replaced.
    pub(crate) dir: PathBuf,
}

/// The names of the built-in scenarios.
fn template_names() -> PossibleValuesParser {
    PossibleValuesParser::new(hopflow_scenario::TEMPLATES.map(|template| template.name))
}
