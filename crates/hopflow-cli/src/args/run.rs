//! Arguments of `hopflow run`.

use std::num::NonZeroUsize;

use clap::builder::PossibleValuesParser;
use hopflow::network::CellKind;
use hopflow_export::TraceFormat;
use hopflow_scenario::TraceChoice;

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
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print this table with `--format csv`. Default: vcs.
    #[arg(long, value_name = "NAME", conflicts_with = "seeds")]
    #[arg(value_parser = PossibleValuesParser::new(TABLES.map(|(name, _)| name)))]
    pub(crate) table: Option<String>,
}

/// Which rows of the trace a run keeps, instead of those that the scenario names.
#[derive(Debug, clap::Args)]
#[group(id = "traces", multiple = true, conflicts_with_all = ["seeds", "no_directory"])]
pub(crate) struct TraceArgs {
    /// Record a trace even if the scenario asks for none; `--trace-*` options filter it.
    #[arg(long)]
    pub(crate) trace: bool,
    /// Trace only these flows.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) trace_flow: Vec<String>,
    /// Trace only these link directions: "S->B", or both: "S<->B".
    #[arg(long, value_name = "LINK,...", value_delimiter = ',')]
    pub(crate) trace_link: Vec<String>,
    /// Trace only these kinds of units.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(CellKind::WORDS))]
    pub(crate) trace_kind: Vec<String>,
    /// Trace only from this time on: "1 ms", "2000 cells".
    #[arg(long, value_name = "TIME")]
    pub(crate) trace_from: Option<String>,
    /// Trace only before this time.
    #[arg(long, value_name = "TIME")]
    pub(crate) trace_to: Option<String>,
    /// Write the trace in these formats: `pcapng` for Wireshark, `perfetto` for ui.perfetto.dev.
    /// Default: parquet.
    #[arg(long, value_name = "FORMAT,...", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(TraceFormat::WORDS))]
    pub(crate) trace_format: Vec<String>,
}

impl TraceArgs {
    /// What is asked for; `None`: what the scenario says.
    pub(crate) fn choice(&self) -> Option<TraceChoice> {
        let choice = TraceChoice {
            flows: self.trace_flow.clone(),
            links: self.trace_link.clone(),
            kinds: self.trace_kind.clone(),
            from: self.trace_from.clone(),
            to: self.trace_to.clone(),
        };
        (self.trace || choice != TraceChoice::default()).then_some(choice)
    }

    /// The forms in which the trace is written; empty: none is asked for.
    pub(crate) fn formats(&self) -> Vec<TraceFormat> {
        self.trace_format.iter().filter_map(|word| TraceFormat::of(word)).collect()
    }
}
