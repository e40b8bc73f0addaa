//! Arguments of every command.

mod bundle;
mod emulate;
mod query;
mod reproduce;
mod size;
mod small;
mod sweep;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use hopflow::network::CellKind;
use hopflow_export::TraceFormat;
use hopflow_scenario::{TraceChoice, parse_time};
use hopflow_units::Picos;

use crate::commands::compare::TABLES as COMPARE_TABLES;
use crate::commands::run::TABLES as RUN_TABLES;
pub(crate) use bundle::BundleArgs;
use emulate::EMULATE_HELP;
pub(crate) use emulate::{EmulateArgs, ProfileName};
use query::QUERY_HELP;
pub(crate) use query::{QueryArgs, QueryFormat};
use reproduce::REPRODUCE_HELP;
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use size::SizeArgs;
pub(crate) use small::{DemoArgs, DiffArgs, DoctorArgs, ExplainArgs, LabArgs};
use sweep::SWEEP_HELP;
pub(crate) use sweep::{BatchArgs, Engine, StoredArgs, SweepAction, SweepArgs};

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 a checked property failed, 2 bad input, 3 internal fault, 130 interrupted.
stdout carries data, stderr everything else. NO_COLOR is obeyed.";

const COMPARE_HELP: &str = "\
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

const LAB_HELP: &str = "\
Examples:
  hopflow lab
  hopflow lab --port 8080

The command has the page in it if it was built with `--features lab`, after `cargo xtask lab`.";

/// Simulates, compares, sizes and explains network flow control.
#[derive(Debug, Parser)]
#[command(name = "hopflow", version, about, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Args {
    /// Show every error and warning of a scenario instead of the first 20.
    #[arg(long, global = true)]
    pub(crate) all_errors: bool,
    /// `None`: the first screen is printed.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario and keep its results in a directory.
    #[command(after_help = "Examples:
  hopflow run examples/figure-14.toml
  hopflow run examples/figure-14.toml --duration \"5 ms\" --seed 7 --out runs/mine --force
  hopflow run examples/figure-14.toml --no-directory --format json
  hopflow run examples/figure-14.toml --no-directory --format csv --table links
  hopflow run examples/figure-14.toml --set flow.VC1.control.n3=80 --set \"duration=1 ms\"
  hopflow run examples/incast.toml --warm-up \"1 ms\" --seeds 10
  hopflow run examples/figure-14.toml --trace-link \"S<->B\" --trace-to \"1 ms\"
  hopflow run examples/figure-14.toml --trace --trace-format pcapng --out capture")]
    Run(RunArgs),
    /// Show one victim flow beside an incast under drop tail, PFC and credit, in two seconds.
    #[command(after_help = "Examples:
  hopflow demo
  hopflow demo --no-directory --format json")]
    Demo(DemoArgs),
    /// Check scenarios without running them; grade answers to exercises.
    #[command(after_help = "Examples:
  hopflow check examples/*.toml
  hopflow check --format json examples/figure-14.toml
  hopflow check --answer examples/exercise.toml || echo 'not yet right'
  hopflow check --answer --expect examples/exercise.toml examples/one-vc.toml || echo 'nor this'")]
    Check(CheckArgs),
    /// Run a scenario under several controls: one table, one report with their curves.
    #[command(after_help = COMPARE_HELP)]
    Compare(CompareArgs),
    /// Run a scenario at many points and seeds, into a dataset that goes on where it was.
    #[command(after_help = SWEEP_HELP)]
    Sweep(SweepArgs),
    /// Put results into one file that says how to make them again, or check such a file.
    #[command(after_help = "Examples:
  hopflow run examples/figure-14.toml --seed 3 --out for-committee
  hopflow bundle for-committee
  hopflow bundle --check for-committee.tar
  hopflow bundle sweeps/n3 --out n3.tar
  hopflow bundle --check n3.tar --sample 5")]
    Bundle(BundleArgs),
    /// Run SQL over results: the tables of runs, the rows of sweeps.
    #[command(after_help = QUERY_HELP)]
    Query(QueryArgs),
    /// Put real Linux hosts behind the network of a scenario, in real time.
    #[command(after_help = EMULATE_HELP)]
    Emulate(EmulateArgs),
    /// Make the charts of a run again, from its recorded trace.
    #[command(after_help = "Example:
  hopflow run examples/figure-14.toml --trace --out figure-14
  hopflow report figure-14 --vc VC1 --from \"1 ms\" --to \"2 ms\" --out part.html")]
    Report(ReportArgs),
    /// Reproduce the papers: run their experiments, judge every claim, write a report.
    #[command(after_help = REPRODUCE_HELP)]
    Reproduce(ReproduceArgs),
    /// Size credit, windows and headroom of PFC, of one link or of every hop of a scenario.
    #[command(after_help = "Examples:
  hopflow size --delay \"10 km\" --rate \"622.08 Mb/s\" --processing \"5 us\" --memory \"1 MB\"
  hopflow size examples/figure-14.toml --target \"100 Mb/s\"
  hopflow size --lanes --rate \"400 Gb/s\" --delay \"300 m\" --packet \"4096 B\"
  hopflow size --pfc --delay \"100 m\" --rate \"10 Gb/s\" --frame \"2320 B\" \\
               --frame-back \"9236 B\" --processing \"819.2 ns\" \\
               --response \"3072 ns\"")]
    Size(SizeArgs),
    /// Say what limited each VC and where its cells waited or were lost.
    #[command(after_help = "Examples:
  hopflow why examples/figure-14.toml
  hopflow why examples/victim.toml --control pfc --vc victim")]
    Why(WhyArgs),
    /// Compare two directories of results: the same, or the first event, key and table cell that
    /// differ.
    #[command(after_help = "Example:
  hopflow run examples/incast.toml --out a -q --threads 1
  hopflow run examples/incast.toml --out b -q --threads 2
  hopflow diff a b")]
    Diff(DiffArgs),
    /// Explain an error code: meaning, cause, a file with the mistake, the way out.
    #[command(after_help = "Examples:
  hopflow explain HF0050
  hopflow explain")]
    Explain(ExplainArgs),
    /// Show networks at work in a browser: serves the page of the lab to this machine.
    #[command(after_help = LAB_HELP)]
    Lab(LabArgs),
    /// Print the JSON Schema of scenario files.
    #[command(after_help = "Example:\n  hopflow schema > scenario.schema.json")]
    Schema,
    /// Write a commented scenario to begin with; never overwrites.
    #[command(after_help = "Examples:
  hopflow init mine.toml && hopflow check mine.toml
  hopflow init --template parking-lot && hopflow run parking-lot.toml")]
    Init(InitArgs),
    /// Look whether hopflow works here: version, cores, disk, digests.
    #[command(after_help = "Example:\n  hopflow doctor --format json")]
    Doctor(DoctorArgs),
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  hopflow completions bash > hopflow.bash")]
    Completions(CompletionsArgs),
}

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns, as wide as the terminal.
    #[default]
    Table,
    /// One JSON document.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown table.
    Markdown,
}

/// How a command that answers in sentences prints them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Prose {
    /// Lines of text.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// The most seeds: their results are held until all are done.
const MOST_SEEDS: usize = 10_000;

/// Keys that are set before a scenario is read.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SetArgs {
    /// Set a key of the scenario, as if its file had it: "flow.VC1.control.n3=80"; may be given
    /// several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// `hopflow run`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The scenario file; `-` reads it from stdin.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Put it under a control first: a `[[variant]]` of it, or one that `compare` knows.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    /// Worker threads; the result does not depend on them. Default: as many cores as the network
    /// keeps busy; with `--seeds`, all.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Instead of the scenario's seed.
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Instead of the scenario's duration: "3 ms", "20000 cells".
    #[arg(long)]
    pub(crate) duration: Option<String>,
    /// What totals leave out at the beginning: "10 s"; "0 s" for nothing. Default: as the scenario.
    #[arg(long, value_name = "TIME")]
    pub(crate) warm_up: Option<String>,
    /// Run N seeds side by side, from the seed on, and print means with confidence intervals.
    #[arg(long, value_name = "N", value_parser = seeds)]
    pub(crate) seeds: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
    /// The directory of results. Default: runs/NAME-DIGEST8, or runs/NAME-seedsN-DIGEST8.
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
    /// How the results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The table that `--format csv` prints. Default: vcs.
    #[arg(long, value_name = "NAME", conflicts_with = "seeds")]
    #[arg(value_parser = PossibleValuesParser::new(RUN_TABLES))]
    pub(crate) table: Option<String>,
}

/// Which rows of the trace a run keeps, instead of those that the scenario names.
#[derive(Debug, clap::Args)]
#[group(id = "traces", multiple = true, conflicts_with_all = ["seeds", "no_directory"])]
pub(crate) struct TraceArgs {
    /// Keep a trace, whatever the scenario says: all of it, or what meets all options below.
    #[arg(long)]
    pub(crate) trace: bool,
    /// Of the trace, keep rows of these flows.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) trace_flow: Vec<String>,
    /// Of the trace, keep rows on these link directions: "S->B", or both: "S<->B".
    #[arg(long, value_name = "LINK,...", value_delimiter = ',')]
    pub(crate) trace_link: Vec<String>,
    /// Of the trace, keep rows about these kinds of units.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(CellKind::WORDS))]
    pub(crate) trace_kind: Vec<String>,
    /// Of the trace, keep rows from this time on: "1 ms", "2000 cells".
    #[arg(long, value_name = "TIME")]
    pub(crate) trace_from: Option<String>,
    /// Of the trace, keep rows before this time.
    #[arg(long, value_name = "TIME")]
    pub(crate) trace_to: Option<String>,
    /// The formats of the trace, also of one that the scenario asks for; `pcapng` is for
    /// Wireshark, `perfetto` for ui.perfetto.dev. Default: parquet.
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
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Instead of the scenario's seed.
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Run every control under N seeds, from the seed on, and print means and paired differences to
    /// the first control, with 95 % intervals.
    #[arg(long, value_name = "N", value_parser = seeds, conflicts_with = "table")]
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
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(COMPARE_TABLES))]
    pub(crate) table: Option<String>,
}

/// `hopflow check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Scenario files; `-` reads one from stdin.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Run each file and grade it by its `[expect]`: exit code 1 if an answer is not right.
    #[arg(long)]
    pub(crate) answer: bool,
    /// Grade by the `[expect]` of this scenario instead of those of the files.
    #[arg(long, value_name = "FILE", requires = "answer")]
    pub(crate) expect: Option<PathBuf>,
    /// Grade even runs that are likely not to fit in memory.
    #[arg(long, requires = "answer")]
    pub(crate) yes: bool,
    /// How the answer is printed. With JSON the mistakes are in it, and not on stderr.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
}

/// `hopflow report`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// A run directory.
    pub(crate) run: PathBuf,
    /// Only this VC; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Only this link direction, such as "A->S"; may be given several times.
    #[arg(long, value_name = "FROM->TO")]
    pub(crate) link: Vec<String>,
    /// Only from this time on: "1 ms".
    #[arg(long, value_parser = parse_time)]
    pub(crate) from: Option<Picos>,
    /// Only before this time.
    #[arg(long, value_parser = parse_time)]
    pub(crate) to: Option<Picos>,
    /// The page to write. Default: report-part.html in the run directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What is printed about the page: a line on stderr, or a JSON document on stdout.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

/// `hopflow why`.
#[derive(Debug, clap::Args)]
pub(crate) struct WhyArgs {
    /// A run directory, or a scenario file that is run first; `-` reads it from stdin.
    pub(crate) run: PathBuf,
    /// Run the scenario under a control: a `[[variant]]` of it, or one that `compare` knows.
    #[arg(long, value_name = "NAME", default_value = hopflow_scenario::AS_IS)]
    pub(crate) control: String,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Only this VC; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) vc: Vec<String>,
    /// Also print for each hop of a VC where its time went (JSON always has it).
    #[arg(long)]
    pub(crate) hops: bool,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

/// `hopflow init`.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file to write. Default: scenario.toml, or NAME.toml with `--template`.
    pub(crate) file: Option<PathBuf>,
    /// A network with known max-min fair shares, instead of the scenario with all keys explained.
    #[arg(long, value_name = "NAME", value_parser = template_names())]
    pub(crate) template: Option<String>,
}

/// `hopflow completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

/// The names of the built-in scenarios.
fn template_names() -> PossibleValuesParser {
    PossibleValuesParser::new(hopflow_scenario::TEMPLATES.map(|template| template.name))
}

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

/// The threads asked for, or all cores.
pub(crate) fn threads_or_all(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(all)
}
