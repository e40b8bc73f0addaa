//! Arguments of `hopflow reproduce`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::{Format, place, threads};

/// What stands below the options in the help of `hopflow reproduce`.
pub(crate) const REPRODUCE_HELP: &str = "\
Each result is reported when it is done: one line per experiment on stderr, and the page grows.
Ctrl-C keeps what is done. A complete page is never replaced by an incomplete one.

To change an experiment, write its scenarios with --write-scenarios and run them with --set.

Examples:
  hopflow reproduce
  hopflow reproduce --list
  hopflow reproduce kung94.fig14 --format markdown
  hopflow reproduce zhang90.fig1 kung94.fig6 kung94.fig14.vc1.share
  hopflow reproduce creditnet --numbers --format markdown
  hopflow reproduce --write-scenarios scenarios
  hopflow reproduce roberts96 --bands";

/// `hopflow reproduce`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, clap::Args)]
pub(crate) struct ReproduceArgs {
    /// Papers, experiments or claims: kung94, kung94.fig14, kung94.fig14.vc1.share. Default:
    /// everything.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// List the experiments with the size of their runs; nothing is run.
    #[arg(long, conflicts_with_all = ["times", "write_scenarios", "summary"])]
    pub(crate) list: bool,
    /// Run one paper after the other, and print how long each takes instead of its claims.
    #[arg(long, conflicts_with_all = ["write_scenarios", "summary"])]
    pub(crate) times: bool,
    /// Worker threads; the result does not depend on them. Default: all cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Run wider bands instead: what a paper leaves open, over more settings, each with ten seeds,
    /// or one where a run has no chance. Some CPU minutes a paper.
    #[arg(long, conflicts_with_all = ["list", "times", "summary"])]
    pub(crate) bands: bool,
    /// The report to write, default `report.html`, replaced when all is done; of --bands the
    /// folder of the files, default `bands`.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Write the scenarios of the experiments to this directory instead of running them.
    #[arg(long, value_name = "DIR")]
    pub(crate) write_scenarios: Option<PathBuf>,
    /// Print one line per experiment instead of one per claim (not with JSON).
    #[arg(long)]
    pub(crate) summary: bool,
    /// Print one line per printed number instead of one per claim: its verdict with the reason, its
    /// primary reading, and the claims, files and seeds that measure it (JSON has both).
    #[arg(long, conflicts_with_all = ["list", "times", "bands", "write_scenarios"])]
    pub(crate) numbers: bool,
    /// Refused: a claim is about the values of the paper.
    #[arg(long, value_name = "KEY=VALUE", hide = true)]
    pub(crate) set: Option<String>,
    /// No progress line, no results on the way and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How the claims are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

impl ReproduceArgs {
    /// The file of the report.
    pub(crate) fn report(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("report.html"))
    }
}
