//! Arguments of `hopflow why`.

use std::path::PathBuf;

use super::{SetArgs, TextOrJson};

/// `hopflow why`.
#[derive(Debug, clap::Args)]
pub(crate) struct WhyArgs {
    /// A run directory, or a scenario file to run first; `-` reads stdin.
    pub(crate) run: PathBuf,
    /// Run the scenario under this flow control: a `[[variant]]`, or a name that `compare --help`
    /// lists.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Explain only this VC; repeatable.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Also print where the time of each hop went; JSON always has it.
    #[arg(long)]
    pub(crate) hops: bool,
    /// Choose the format of the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}
