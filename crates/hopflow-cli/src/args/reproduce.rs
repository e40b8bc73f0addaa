//! Arguments of `hopflow reproduce`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::{Format, place, threads};

/// What stands below the options in the help of `hopflow reproduce`.
pub(crate) const REPRODUCE_HELP: &str = "\
Examples:
  hopflow reproduce
  hopflow reproduce --list
  hopflow reproduce kung94.fig14 --format markdown
  hopflow reproduce zhang90.fig1 kung94.fig6 kung94.fig14.vc1.share
  hopflow reproduce creditnet --numbers --format markdown
  hopflow reproduce --write-scenarios scenarios
  hopflow reproduce roberts96 --bands

stderr gets a line when an experiment is done, and the page grows. Ctrl-C keeps
what is done; an incomplete page never replaces a complete one.
To change an experiment, write its scenarios and run them with --set.";

/// `hopflow reproduce`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, clap::Args)]
pub(crate) struct ReproduceArgs {
    /// The papers, experiments or claims: kung94, kung94.fig14, kung94.fig14.vc1.share. Default:
    /// all.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// List the experiments with the size of their runs; run nothing.
    #[arg(long, conflicts_with_all = ["times", "write_scenarios", "summary"])]
    pub(crate) list: bool,
    /// Run one paper after the other and print its time instead of its claims.
    #[arg(long, conflicts_with_all = ["write_scenarios", "summary"])]
    pub(crate) times: bool,
    /// Use N worker threads; results do not depend on N. Default: all cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Run what a paper leaves open over more settings and ten seeds (one if nothing is random);
    /// takes CPU minutes per paper.
    #[arg(long, conflicts_with_all = ["list", "times", "summary"])]
    pub(crate) bands: bool,
    /// Write the report to FILE, or the files of --bands to this folder. Default: report.html, or
    /// bands.
    #[arg(long, value_name = "FILE", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Write the scenarios of the experiments to DIR; run nothing.
    #[arg(long, value_name = "DIR")]
    pub(crate) write_scenarios: Option<PathBuf>,
    /// Print one line per experiment instead of one per claim (not with JSON).
    #[arg(long)]
    pub(crate) summary: bool,
    /// Print one line per number that a paper prints instead of one per claim: its verdict and
    /// reason, its primary reading, and the claims, files and seeds that measure it (JSON has
    /// both).
    #[arg(long, conflicts_with_all = ["list", "times", "bands", "write_scenarios"])]
    pub(crate) numbers: bool,
    /// Refused: a claim is about the values of the paper.
    #[arg(long, value_name = "KEY=VALUE", hide = true)]
    pub(crate) set: Option<String>,
    /// Print no progress, no early results and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Choose the format of the claims.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

impl ReproduceArgs {
    /// The file of the report.
    pub(crate) fn report(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("report.html"))
    }
}
