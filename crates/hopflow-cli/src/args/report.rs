//! Arguments of `hopflow report`.

use std::path::PathBuf;

use hopflow_scenario::parse_time;
use hopflow_units::Picos;

use super::{Prose, place};

/// `hopflow report`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// A run directory.
    pub(crate) run: PathBuf,
    /// Only this VC; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Only this link direction, such as "A->S"; may be given several times.
    #[arg(long, value_name = "FROM->TO")]
    pub(crate) link: Vec<String>,
    /// Only from this time on: "1 ms".
    #[arg(long, value_parser = parse_time)]
    pub(crate) from: Option<Picos>,
    /// Only before this time.
    #[arg(long, value_parser = parse_time)]
    pub(crate) to: Option<Picos>,
    /// The page to write. Default: report-part.html in the run directory.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// What is printed about the page: a line on stderr, or a JSON document on stdout.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}
