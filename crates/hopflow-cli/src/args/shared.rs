//! Arguments that several commands share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use hopflow::{Diagnostics, Scenario};

use super::{Format, place, seed, threads};

/// Keys that are set before a scenario is read.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SetArgs {
    /// Set a key of the scenario: "flow.VC1.control.n3=80"; repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// The scenario of `run` and `compare`, and values that replace its own.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArgs {
    /// The scenario file; `-` reads stdin.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Replace the scenario's seed: 0 to 2^64 - 1.
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Replace the scenario's duration: "3 ms", "20000 cells".
    #[arg(long)]
    pub(crate) duration: Option<String>,
    /// Replace the warm-up, the time at the start that totals ignore: "10 s"; "0 s" for none.
    #[arg(long, value_name = "TIME")]
    pub(crate) warm_up: Option<String>,
    /// Run even if memory is likely not to suffice.
    #[arg(long)]
    pub(crate) yes: bool,
}

impl ScenarioArgs {
    /// The scenario with the times that are given here; its file has the seed.
    pub(crate) fn put_into(&self, mut scenario: Scenario) -> Result<Scenario, Diagnostics> {
        if let Some(duration) = &self.duration {
            scenario.set_duration(duration).map_err(|wrong| of_option(wrong, "--duration"))?;
        }
        if let Some(warm_up) = &self.warm_up {
            scenario.set_warm_up(warm_up).map_err(|wrong| of_option(wrong, "--warm-up"))?;
        }
        Ok(scenario)
    }
}

/// What is wrong with the value of an option, which is its place.
fn of_option(wrong: Diagnostics, option: &str) -> Diagnostics {
    Diagnostics { source_name: option.to_owned(), ..wrong }
}

/// How runs are made, and where results go: of `run`, `compare` and `demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Use N worker threads; results do not depend on N. Default: all cores; for a single run, as
    /// many as its network keeps busy.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Write results to DIR. Default: a directory in `runs`, named after the scenario and the
    /// digest, such as NAME-DIGEST8 or NAME-compare-DIGEST8.
    #[cfg(feature = "results")]
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Replace DIR if it holds results.
    #[cfg(feature = "results")]
    #[arg(long)]
    pub(crate) force: bool,
    /// Write no directory, only print.
    #[arg(long)]
    #[cfg_attr(feature = "results", arg(conflicts_with_all = ["out", "force"]))]
    pub(crate) no_directory: bool,
    /// Print no progress and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Choose the format of the results.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
