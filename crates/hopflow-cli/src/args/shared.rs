//! Arguments that several commands share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use hopflow::{Diagnostics, Scenario};

use super::{Format, place, seed, threads};

/// Keys that are set before a scenario is read.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SetArgs {
    /// Set a key of the scenario, as if its file had it: "flow.VC1.control.n3=80"; may be given
    /// several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// The scenario of `run` and `compare`, and values that replace its own.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArgs {
    /// The scenario file; `-` reads it from stdin.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Instead of the scenario's seed.
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Instead of the scenario's duration: "3 ms", "20000 cells".
    #[arg(long)]
    pub(crate) duration: Option<String>,
    /// Warm-up: time at the start that totals ignore ("10 s"; "0 s" for none). Default: as the
    /// scenario.
    #[arg(long, value_name = "TIME")]
    pub(crate) warm_up: Option<String>,
    /// Go on even if it is likely not to fit in memory.
    #[arg(long)]
    pub(crate) yes: bool,
}

impl ScenarioArgs {
    /// The scenario with the values that are given here.
    pub(crate) fn put_into(&self, mut scenario: Scenario) -> Result<Scenario, Diagnostics> {
        if let Some(duration) = &self.duration {
            scenario.set_duration(duration)?;
        }
        if let Some(warm_up) = &self.warm_up {
            scenario.set_warm_up(warm_up)?;
        }
        match self.seed {
            Some(seed) => scenario.with_seed(seed),
            None => Ok(scenario),
        }
    }
}

/// How runs are made, and where results go: of `run`, `compare` and `demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Worker threads; the result does not depend on them. Default: all cores; of a single
    /// run, as many as its network keeps busy.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The directory of results. Default: in `runs`, named after the scenario and the digest: such
    /// as NAME-DIGEST8, NAME-seedsN-DIGEST8, NAME-compare-DIGEST8 or demo-DIGEST8.
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Replace the directory if it is a run's.
    #[arg(long)]
    pub(crate) force: bool,
    /// Keep no directory, print only.
    #[arg(long, conflicts_with_all = ["out", "force"])]
    pub(crate) no_directory: bool,
    /// No progress line and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How the results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
