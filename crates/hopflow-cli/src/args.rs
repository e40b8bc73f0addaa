//! Arguments of every command.

mod bundle;
mod check;
mod compare;
#[cfg(feature = "results")]
mod completions;
#[cfg(test)]
mod documented;
mod emulate;
mod format;
#[cfg(test)]
mod helps;
mod query;
mod report;
mod reproduce;
mod run;
mod shared;
#[cfg(feature = "results")]
mod size;
mod small;
#[cfg(feature = "results")]
mod sweep;
#[cfg(feature = "results")]
mod trace;
mod why;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Parser, Subcommand};

use crate::exit;

pub(crate) use bundle::BundleArgs;
pub(crate) use check::CheckArgs;
use compare::COMPARE_HELP;
pub(crate) use compare::CompareArgs;
#[cfg(feature = "results")]
pub(crate) use completions::CompletionsArgs;
use emulate::EMULATE_HELP;
pub(crate) use emulate::{EmulateArgs, ProfileName};
pub(crate) use format::{Format, TextOrJson};
use query::QUERY_HELP;
pub(crate) use query::{QueryArgs, QueryFormat};
pub(crate) use report::ReportArgs;
use reproduce::REPRODUCE_HELP;
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use run::RunArgs;
pub(crate) use shared::{OutputArgs, ScenarioArgs, SetArgs};
#[cfg(feature = "results")]
pub(crate) use size::{SIZE_TABLES, SizeArgs, UpdateArg};
use small::LAB_HELP;
pub(crate) use small::{DiffArgs, DoctorArgs, ExplainArgs, InitArgs, LabArgs, ManArgs, SchemaArgs};
#[cfg(feature = "results")]
use sweep::SWEEP_HELP;
#[cfg(feature = "results")]
pub(crate) use sweep::{BatchArgs, Engine, StoredArgs, SweepAction, SweepArgs};
#[cfg(feature = "results")]
pub(crate) use trace::TraceArgs;
pub(crate) use why::WhyArgs;

/// Simulate, compare, size and explain network flow control.
#[derive(Debug, Parser)]
#[command(name = "hopflow", version, after_help = exit::help(), max_term_width = 100)]
pub(crate) struct Args {
    /// Show every error and warning, not only the first 20.
    #[arg(long, global = true, display_order = LAST)]
    pub(crate) all_errors: bool,
    /// Show every row of a table, not only the worst 20.
    #[arg(long, global = true, display_order = LAST)]
    pub(crate) all_rows: bool,
    /// `None`: the first screen is printed.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Behind the options of a command, before `--help`.
const LAST: usize = 900;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario and keep its results in a directory.
    #[command(after_help = "Examples:
  hopflow run examples/figure-14.toml
  hopflow run examples/figure-14.toml --duration \"5 ms\" --seed 7 --out mine
  hopflow run examples/figure-14.toml --no-directory --format json
  hopflow run examples/figure-14.toml --no-directory --format csv --table links
  hopflow run examples/figure-14.toml --set flow.VC1.control.n3=80
  hopflow run examples/incast.toml --warm-up \"1 ms\" --seeds 10
  hopflow run examples/figure-14.toml --trace-link \"S<->B\" --trace-to \"1 ms\"
  hopflow run examples/figure-14.toml --trace --trace-format pcapng --out trace

See also: check (before a run); why, report, diff, query, bundle (after it).")]
    Run(RunArgs),
    /// Compare drop tail, PFC and credit in two seconds: what one flow gets beside an incast.
    #[cfg(feature = "results")]
    #[command(after_help = "Examples:
  hopflow demo
  hopflow demo --no-directory --format json")]
    Demo(OutputArgs),
    /// Check scenarios without running them; grade answers to exercises.
    #[command(after_help = "Examples:
  hopflow check examples/*.toml
  hopflow check --format json examples/figure-14.toml
  hopflow check --answer examples/exercise.toml || echo 'not yet right'
  hopflow check --answer --expect examples/exercise.toml examples/one-vc.toml \\
      || echo 'nor this'

See also: explain (an error code), schema (completion in an editor).")]
    Check(CheckArgs),
    /// Run a scenario under several flow controls and compare them in one table and one report.
    #[command(after_help = COMPARE_HELP)]
    Compare(CompareArgs),
    /// Run a scenario over ranges of keys and seeds, into a dataset that can be continued.
    #[cfg(feature = "results")]
    #[command(after_help = SWEEP_HELP)]
    Sweep(SweepArgs),
    /// Pack results into one file that anyone can check by running them again.
    #[cfg(feature = "results")]
    #[command(after_help = "Examples:
  hopflow run examples/figure-14.toml --seed 3 --out for-committee
  hopflow bundle for-committee
  hopflow bundle --check for-committee.tar
  hopflow bundle sweeps/n3 --out n3.tar
  hopflow bundle --check n3.tar --sample 5")]
    Bundle(BundleArgs),
    /// Query the tables of runs and the rows of sweeps with SQL.
    #[cfg(feature = "results")]
    #[command(after_help = QUERY_HELP)]
    Query(QueryArgs),
    /// Connect real Linux hosts through the simulated network of a scenario, in real time.
    #[cfg(feature = "live")]
    #[command(after_help = EMULATE_HELP)]
    Emulate(EmulateArgs),
    /// Draw the charts of part of a run, from its recorded trace.
    #[cfg(feature = "results")]
    #[command(after_help = "Example:
  hopflow run examples/figure-14.toml --trace --out figure-14
  hopflow report figure-14 --vc VC1 --from \"1 ms\" --to \"2 ms\" --out part.html")]
    Report(ReportArgs),
    /// Reproduce the papers: run their experiments, judge every claim, write a report.
    #[cfg(feature = "papers")]
    #[command(after_help = REPRODUCE_HELP)]
    Reproduce(ReproduceArgs),
    /// Compute the credit, window or PFC headroom that a link, a path or a scenario needs.
    #[cfg(feature = "results")]
    #[command(after_help = "Examples:
  hopflow size --delay \"10 km\" --rate \"622.08 Mb/s\" --memory \"1 MB\"
  hopflow size examples/figure-14.toml --target \"100 Mb/s\"
  hopflow size --rate \"400 Gb/s\" --delay \"300 m\" --packet \"4096 B\"
  hopflow size --lanes --rate \"400 Gb/s\" --delay \"300 m\" --packet \"4096 B\"
  hopflow size --window \"4194304 B\" --rate \"10 Gb/s\" --rtt \"100 ms\"
  hopflow size --pfc --delay \"100 m\" --rate \"10 Gb/s\" --frame \"2320 B\" \\
               --frame-back \"9236 B\" --processing \"819.2 ns\" \\
               --response \"3072 ns\"
  hopflow size --preset pfc --speed 400G --length \"100 m\" --verify
  hopflow size --preset fibre-channel --speed 8GFC --length \"50 km\" --verify
  hopflow size --preset infiniband --speed NDR --length \"300 m\"
  hopflow size --preset cbfc --speed 800G --length \"500 m\" --packet \"9216 B\"
  hopflow size --preset n23 --speed OC-12 --length \"10 km\" --verify")]
    Size(SizeArgs),
    /// Explain what limited each VC and where its cells waited or were lost.
    #[command(after_help = "Examples:
  hopflow why examples/figure-14.toml
  hopflow why examples/victim.toml --control pfc --vc victim")]
    Why(WhyArgs),
    /// Compare two directories of results and show where they first differ.
    #[cfg(feature = "results")]
    #[command(after_help = "Example:
  hopflow run examples/incast.toml --out a -q --threads 1
  hopflow run examples/incast.toml --out b -q --threads 2
  hopflow diff a b")]
    Diff(DiffArgs),
    /// Explain an error code: its meaning, cause, an example, the way out.
    #[command(after_help = "Examples:
  hopflow explain HF0050
  hopflow explain")]
    Explain(ExplainArgs),
    /// Serve the lab, a page that animates networks in a browser.
    #[command(after_help = LAB_HELP)]
    Lab(LabArgs),
    /// Print the JSON Schema of scenario files, or of the JSON that commands print.
    #[command(after_help = "Examples:
  hopflow schema > scenario.schema.json
  hopflow schema --results > result.schema.json")]
    Schema(SchemaArgs),
    /// Write a commented scenario to start from; replaces no file.
    #[command(after_help = "\
Examples:
  hopflow init mine.toml && hopflow check mine.toml
  hopflow init --template parking-lot && hopflow run parking-lot.toml

The first line of the file names scenario.schema.json, which `hopflow schema`
prints: with this file beside it, editors complete and explain keys.")]
    Init(InitArgs),
    /// Check whether hopflow works on this machine: version, cores, disk, digests.
    #[cfg(feature = "results")]
    #[command(after_help = "Example:\n  hopflow doctor --format json")]
    Doctor(DoctorArgs),
    /// Print completion rules for a shell.
    #[cfg(feature = "results")]
    #[command(after_help = "Example:\n  hopflow completions bash > hopflow.bash")]
    Completions(CompletionsArgs),
    /// Write man pages for hopflow and each command.
    #[cfg(feature = "results")]
    #[command(after_help = "Example:
  hopflow man ~/.local/share/man/man1

Then `man hopflow-run` shows the page of run.")]
    Man(ManArgs),
}

/// The most seeds, because their results are held until all are done.
const MOST_SEEDS: usize = 10_000;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a whole number of threads, at least 1".to_owned())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("give a whole number, 0 to {}", u64::MAX))
}

fn seeds(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|seeds: &NonZeroUsize| seeds.get() <= MOST_SEEDS);
    number.ok_or_else(|| format!("give a whole number of seeds, 1 to {MOST_SEEDS}"))
}

/// A place where results go, without a slash or a dot at its end: `d/.` is `d`.
fn place() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| path.components().collect())
}

/// The number of threads that is given, or of all cores.
pub(crate) fn threads_or_all(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(all)
}
