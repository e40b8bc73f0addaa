//! Arguments of `hopflow bundle`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use super::{Prose, place, threads};

/// `hopflow bundle`.
#[derive(Debug, clap::Args)]
pub(crate) struct BundleArgs {
    /// A directory that `run`, `compare` or `sweep` left; with `--check`, a bundle.
    pub(crate) place: PathBuf,
    /// Make the runs of a bundle again and compare: exit code 1 if anything differs.
    #[arg(long)]
    pub(crate) check: bool,
    /// With `--check`: make N of the runs, spread over all. Default: all.
    #[arg(long, value_name = "N", requires = "check", value_parser = sample)]
    pub(crate) sample: Option<NonZeroU64>,
    /// With `--check`: worker threads; the answer does not depend on them. Default: all cores.
    #[arg(long, value_name = "N", requires = "check", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Where files that the scenario names are. Default: the directory of the run and the working
    /// directory; for a sweep, where its scenario was.
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    pub(crate) files: Option<PathBuf>,
    /// The file to write. Default: NAME.tar in the working directory, for a directory NAME.
    #[arg(long, value_name = "FILE", value_parser = place(), conflicts_with = "check")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it is a bundle.
    #[arg(long, conflicts_with = "check")]
    pub(crate) force: bool,
    /// No progress line and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

fn sample(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "give a whole number of runs, at least 1".to_owned())
}
