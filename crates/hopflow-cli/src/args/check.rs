//! Arguments of `hopflow check`.

use std::path::PathBuf;

use super::{SetArgs, TextOrJson};

/// `hopflow check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Scenario files; `-` reads one from stdin.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Run each file and grade it by its `[expect]`; exit code 1 if an answer is not right.
    #[arg(long)]
    pub(crate) answer: bool,
    /// Grade by the `[expect]` of FILE instead.
    #[arg(long, value_name = "FILE", requires = "answer")]
    pub(crate) expect: Option<PathBuf>,
    /// Grade even if memory is likely not to suffice.
    #[arg(long, requires = "answer")]
    pub(crate) yes: bool,
    /// Choose the format of the answer; `json` includes the mistakes, which stderr then omits.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
}
