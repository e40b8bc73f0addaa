//! Arguments of `hopflow run` and `emulate` on the trace.

use clap::builder::PossibleValuesParser;
use hopflow::Scenario;
use hopflow::network::CellKind;
use hopflow_export::TraceFormat;
use hopflow_scenario::TraceChoice;

use crate::fail::Fail;

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
    /// The scenario with the trace that is asked for here, instead of its own.
    pub(crate) fn put_into(&self, mut scenario: Scenario) -> Result<Scenario, Fail> {
        if let Some(choice) = self.choice() {
            scenario.set_trace(&choice)?;
        }
        if !self.trace_format.is_empty() && scenario.record.trace.is_none() {
            return Err(Fail::input(
                "--trace-format: nothing is traced. Add `--trace`, or `trace = true` under \
                 [record] in the scenario",
            ));
        }
        Ok(scenario)
    }

    /// What is asked for; `None`: what the scenario says.
    fn choice(&self) -> Option<TraceChoice> {
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
