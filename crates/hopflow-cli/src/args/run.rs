//! Arguments of `hopflow run`.

use std::num::NonZeroUsize;

use clap::builder::PossibleValuesParser;

#[cfg(feature = "results")]
use super::TraceArgs;
use super::{OutputArgs, ScenarioArgs};
use crate::commands::run::TABLES;

/// `hopflow run`.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,
    /// Run under this flow control: a `[[variant]]`, or a name that `compare --help` lists.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    /// Run N seeds (1 to 10000) from the seed on, and print means with 95 % intervals.
    #[arg(long, value_name = "N", value_parser = super::seeds)]
    pub(crate) seeds: Option<NonZeroUsize>,
    #[cfg(feature = "results")]
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print this table with `--format csv`. Default: vcs.
    #[arg(long, value_name = "NAME", conflicts_with = "seeds")]
    #[arg(value_parser = PossibleValuesParser::new(TABLES.map(|(name, _)| name)))]
    pub(crate) table: Option<String>,
}
