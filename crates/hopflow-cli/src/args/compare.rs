//! Arguments of `hopflow compare`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::{Format, SetArgs};
use crate::commands::compare::TABLES;

/// What stands below the options in the help of `hopflow compare`.
pub(crate) const COMPARE_HELP: &str = "\
Examples:
  hopflow compare examples/controls.toml
  hopflow compare examples/controls.toml --control drop-tail,n23,cup,wfq --format markdown
  hopflow compare examples/udp-and-tcp.toml --control as-is,drop-tail --out runs/mine --force

A control is a [[variant]] of the scenario, `as-is` (the scenario as it stands), or one of these:
  drop-tail                                     no flow control: a full buffer drops
  n23, n123, n123+, cup, additive, adaptive     credit on every hop, sized by the link's loop
  pfc, lanes                                    priorities of a link paused, or with one credit each
  efci, becn, eprca, vc-counting, erica,
  erica-plus, vs-vd                             ABR sources, and what switches tell them
  round-robin, fifo, strict-priority, weighted-round-robin, deficit-round-robin, wfq, wf2q, scfq,
  sfq, virtual-clock, leap-forward, ats, cbs    the scheduler of every switch";

/// `hopflow compare`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// The scenario file; `-` reads it from stdin.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// The controls, with commas between them. Default: `as-is` and every variant of the file.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) control: Vec<String>,
    /// Worker threads; the result does not depend on them. Default: all cores.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Instead of the scenario's seed.
    #[arg(long, value_parser = super::seed)]
    pub(crate) seed: Option<u64>,
    /// Run every control under N seeds, from the seed on, and print means and paired differences to
    /// the first control, with 95 % intervals.
    #[arg(long, value_name = "N", value_parser = super::seeds, conflicts_with = "table")]
    pub(crate) seeds: Option<NonZeroUsize>,
    /// Instead of the scenario's duration: "3 ms", "20000 cells".
    #[arg(long)]
    pub(crate) duration: Option<String>,
    /// What totals leave out at the beginning: "10 s"; "0 s" for nothing. Default: as the scenario.
    #[arg(long, value_name = "TIME")]
    pub(crate) warm_up: Option<String>,
    /// The directory of results. Default: runs/NAME-compare-DIGEST8, or
    /// runs/NAME-compare-seedsN-DIGEST8.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the directory if it is a run's.
    #[arg(long)]
    pub(crate) force: bool,
    /// Keep no directory, print only.
    #[arg(long, conflicts_with_all = ["out", "force"])]
    pub(crate) no_directory: bool,
    /// Go on even if it is likely not to fit in memory.
    #[arg(long)]
    pub(crate) yes: bool,
    /// No progress line and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How the measures are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The table that `--format csv` prints. Default: controls.
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = PossibleValuesParser::new(TABLES.map(|(name, _)| name)))]
    pub(crate) table: Option<String>,
}
