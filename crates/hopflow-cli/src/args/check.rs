//! Arguments of `hopflow check`.

use std::path::PathBuf;

use super::{Prose, SetArgs};

/// `hopflow check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Scenario files; `-` reads one from stdin.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Run each file and grade it by its `[expect]`: exit code 1 if an answer is not right.
    #[arg(long)]
    pub(crate) answer: bool,
    /// Grade by the `[expect]` of this scenario instead of those of the files.
    #[arg(long, value_name = "FILE", requires = "answer")]
    pub(crate) expect: Option<PathBuf>,
    /// Grade even runs that are likely not to fit in memory.
    #[arg(long, requires = "answer")]
    pub(crate) yes: bool,
    /// How the answer is printed. With JSON the mistakes are in it, and not on stderr.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
}
