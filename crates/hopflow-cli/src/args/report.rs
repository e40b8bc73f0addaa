//! Arguments of `hopflow report`.

use std::path::PathBuf;

use hopflow_scenario::parse_time;
use hopflow_units::Picos;

use super::{TextOrJson, place};

/// `hopflow report`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// A run directory with a trace.
    pub(crate) run: PathBuf,
    /// Draw only this VC; repeatable.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Draw only this link direction, such as "A->S"; repeatable.
    #[arg(long, value_name = "FROM->TO")]
    pub(crate) link: Vec<String>,
    /// Draw only from this time on: "1 ms".
    #[arg(long, value_parser = parse_time)]
    pub(crate) from: Option<Picos>,
    /// Draw only before this time.
    #[arg(long, value_parser = parse_time)]
    pub(crate) to: Option<Picos>,
    /// Write the page to FILE. Default: report-part.html in the run directory.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Report the page as a line on stderr, or as JSON on stdout.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TextOrJson,
}
