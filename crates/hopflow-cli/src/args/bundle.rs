//! Arguments of `hopflow bundle`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use super::{TextOrJson, place, threads};

/// `hopflow bundle`.
#[derive(Debug, clap::Args)]
pub(crate) struct BundleArgs {
    /// The results of `run`, `compare` or `sweep`; with `--check`, a bundle.
    pub(crate) place: PathBuf,
    /// Run a bundle again and compare; exit code 1 if anything differs.
    #[arg(long)]
    pub(crate) check: bool,
    /// Check only N of the runs, spread over all.
    #[arg(long, value_name = "N", requires = "check", value_parser = sample)]
    pub(crate) sample: Option<NonZeroU64>,
    /// Check on N worker threads; the answer does not depend on N. Default: all cores.
    #[arg(long, value_name = "N", requires = "check", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Find files that the scenario names in DIR. Default: the directory of the run and the working
    /// directory; for a sweep, where its scenario was.
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    pub(crate) files: Option<PathBuf>,
    /// Write the bundle to FILE. Default: NAME.tar here, for a directory NAME.
    #[arg(long, value_name = "FILE", value_parser = place(), conflicts_with = "check")]
    pub(crate) out: Option<PathBuf>,
    /// Replace FILE if it is a bundle.
    #[arg(long, conflicts_with = "check")]
    pub(crate) force: bool,
    /// Print no progress and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Choose the format of the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}

fn sample(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "give a whole number of runs, at least 1".to_owned())
}
