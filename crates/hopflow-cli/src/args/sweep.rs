//! Arguments of `hopflow sweep`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::{Format, MOST_SEEDS, SetArgs, place, threads};

/// What stands below the options in the help of `hopflow sweep`.
pub(crate) const SWEEP_HELP: &str = "\
Axes:
  --axis \"flow.VC1.control.n3=10,20,40\"     these values
  --axis \"flow.VC1.control.n3=10..100/10\"   10 values from 10 to 100
  --axis \"defaults.link.delay=log 1..1000 us/7\"
                                            7 values at equal ratios
  --axis \"event.loss.corrupt-data=0,0.01\"   of the [[event]] with name = \"loss\"
  --axis \"KEY=random 1..100/50\"             50 draws; `log-random` for ratios
  --axis \"control=as-is,drop-tail,n23\"      controls, as for `compare`
Axes are crossed; random ones advance together.

Repeat the command to continue a sweep that was stopped; it runs only what is
not stored. Exit code 1: a run failed or broke a property.

Examples:
  hopflow sweep examples/figure-14.toml --out sweeps/n3 \\
      --axis \"flow.VC1.control.n3=10..100/10\"
  hopflow sweep status sweeps/n3
  hopflow sweep examples/figure-14.toml --out sweeps/queues \\
      --axis \"flow.VC1.control.n3=10..100/10\" --series \"queue of * at S\"
  hopflow sweep examples/incast.toml --axis \"control=drop-tail,n23\" --dry-run
  hopflow sweep examples/figure-14.toml --engine slurm --tasks 5 \\
      --axis \"flow.VC1.control.n3=10..100/10\" --out sweeps/array
  hopflow sweep examples/figure-14.toml --axis \"flow.VC1.control.n3=10,20\" \\
      --until \"throughput_bps within 1 %\" --seeds 100";

/// `hopflow sweep`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[expect(clippy::struct_excessive_bools, reason = "options that are given or not, each alone")]
pub(crate) struct SweepArgs {
    /// What to do with a sweep that is there.
    #[command(subcommand)]
    pub(crate) action: Option<SweepAction>,
    /// The scenario file; `-` reads stdin.
    #[arg(required = true)]
    pub(crate) file: Option<PathBuf>,
    /// Vary a key, written as for `--set`, over these values; repeatable.
    #[arg(long, value_name = "KEY=VALUES")]
    pub(crate) axis: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Run all points under this flow control: a `[[variant]]`, or a name that `compare --help`
    /// lists.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    /// Run N seeds (1 to 10000) at each point, from the scenario's on; with `--until`, at most N.
    #[arg(long, value_name = "N", value_parser = seeds, default_value = "1")]
    pub(crate) seeds: NonZeroU32,
    /// Stop adding seeds to a point when half its 95 % interval is within a share of the mean:
    /// "throughput_bps within 1 %".
    #[arg(long, value_name = "RULE")]
    pub(crate) until: Option<String>,
    /// Also keep a measure of VCs, links or queues, such as "vc/*/throughput_bps"; repeatable.
    /// Totals are always kept.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) measure: Vec<String>,
    /// Also keep a series of `[record]`, such as "queue of * at S"; repeatable.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) series: Vec<String>,
    /// Seed random axes with N.
    #[arg(long, value_name = "N", value_parser = super::seed, default_value = "1")]
    pub(crate) sweep_seed: u64,
    /// Write the dataset to DIR. Default: sweeps/NAME-KEY8.
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub(crate) out: Option<PathBuf>,
    /// Start anew: remove the sweep in DIR.
    #[arg(long)]
    pub(crate) force: bool,
    /// Make N runs at a time; results do not depend on N. Default: all cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Run on this machine, or write a job array for a cluster and run nothing.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
    /// Print the points; run and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run even if memory is likely not to suffice.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Print no progress and no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Choose the format of the points.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Rows of a journal before it becomes a part: for tests.
    #[arg(long, value_name = "N", hide = true, default_value_t = rows_per_part())]
    pub(crate) rows_per_part: NonZeroUsize,
}

/// How a job array is laid out.
#[derive(Debug, clap::Args)]
pub(crate) struct SlurmArgs {
    /// Split the Slurm job array into N tasks: 1 to 100000.
    #[arg(long, value_name = "N", value_parser = tasks, default_value = "100")]
    pub(crate) tasks: NonZeroU32,
    /// Call hopflow by COMMAND in Slurm tasks. Default: this program.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) program: Option<String>,
    /// Submit the Slurm job array by sbatch.
    #[arg(long)]
    pub(crate) submit: bool,
}

/// Who makes the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// This machine.
    #[default]
    Local,
    /// A job array of Slurm.
    Slurm,
}

/// What to do with a sweep that is there.
#[derive(Debug, Subcommand)]
pub(crate) enum SweepAction {
    /// Merge the rows of a sweep into its runs.parquet; write the report once all runs are done.
    #[command(after_help = "Example:\n  hopflow sweep compact sweeps/n3")]
    Compact(StoredArgs),
    /// Make the runs of one task of a job array, as `slurm.sbatch` does.
    #[command(after_help = "Example:\n  hopflow sweep batch sweeps/n3 --task 0 --of 100")]
    Batch(BatchArgs),
    /// Print the progress of a sweep, also while it runs.
    #[command(after_help = "Example:\n  hopflow sweep status sweeps/n3")]
    Status(StoredArgs),
}

/// A sweep that is there.
#[derive(Debug, clap::Args)]
pub(crate) struct StoredArgs {
    /// The directory of the sweep.
    pub(crate) folder: PathBuf,
    /// Choose the format of the points.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Print no closing words.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// One task of a job array.
#[derive(Debug, clap::Args)]
pub(crate) struct BatchArgs {
    /// The directory of the sweep.
    pub(crate) folder: PathBuf,
    /// The number of the task, from 0.
    #[arg(long, value_name = "K")]
    pub(crate) task: u32,
    /// The number of all tasks: 1 to 100000.
    #[arg(long, value_name = "N", value_parser = tasks)]
    pub(crate) of: NonZeroU32,
}

fn tasks(text: &str) -> Result<NonZeroU32, String> {
    let number = text.parse().ok().filter(|tasks: &NonZeroU32| tasks.get() <= 100_000);
    number.ok_or_else(|| "give a whole number of tasks, 1 to 100000".to_owned())
}

fn rows_per_part() -> NonZeroUsize {
    NonZeroUsize::new(hopflow_sweep::ROWS_PER_PART).unwrap_or(NonZeroUsize::MIN)
}

fn seeds(text: &str) -> Result<NonZeroU32, String> {
    let number = text.parse().ok().filter(|seeds: &NonZeroU32| seeds.get() <= MOST_SEEDS as u32);
    number.ok_or_else(|| format!("give a whole number of seeds, 1 to {MOST_SEEDS}"))
}
