//! Arguments of `hopflow compare`.

use std::num::NonZeroUsize;

use clap::builder::PossibleValuesParser;

use super::{OutputArgs, ScenarioArgs};
use crate::commands::compare::TABLES;

/// What stands below the options in the help of `hopflow compare`.
pub(crate) const COMPARE_HELP: &str = "\
Examples:
  hopflow compare examples/controls.toml
  hopflow compare examples/controls.toml --control drop-tail,n23,cup,wfq
  hopflow compare examples/udp-and-tcp.toml --control as-is,drop-tail --out tcp

A control is a [[variant]] of the scenario, `as-is` (the scenario as it stands),
or one of these:
  drop-tail                      no flow control: a full buffer drops
  n23, n123, n123+, cup,
  additive, adaptive             credit on every hop, sized by the link's loop
  pfc, lanes, cbfc               pause, or one credit, per priority of a link
  n23-destination                one credit per host behind a link
  efci, becn, selective, eprca,
  vc-counting, erica,
  erica-plus, vs-vd              ABR: sources obey the rate control of switches
  round-robin, fifo, wfq, wf2q,
  strict-priority, scfq, sfq,
  weighted-round-robin, ats,
  deficit-round-robin, cbs,
  virtual-clock, leap-forward    the scheduler of every switch";

/// `hopflow compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,
    /// Compare these controls. Default: `as-is` and every variant of the file.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) control: Vec<String>,
    /// Run every control under N seeds (1 to 10000) from the seed on, and print means and paired
    /// differences to the first control, with 95 % intervals.
    #[arg(long, value_name = "N", value_parser = super::seeds, conflicts_with = "table")]
    pub(crate) seeds: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print this table with `--format csv`. Default: controls.
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = PossibleValuesParser::new(TABLES.map(|(name, _)| name)))]
    pub(crate) table: Option<String>,
}
