//! Arguments of `hopflow why`.

use std::path::PathBuf;

use super::{Prose, SetArgs};

/// `hopflow why`.
#[derive(Debug, clap::Args)]
pub(crate) struct WhyArgs {
    /// A run directory, or a scenario file that is run first; `-` reads it from stdin.
    pub(crate) run: PathBuf,
    /// Run the scenario under a control: a `[[variant]]` of it, or one that `compare` knows.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Only this VC; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Also print for each hop of a VC where its time went (JSON always has it).
    #[arg(long)]
    pub(crate) hops: bool,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}
