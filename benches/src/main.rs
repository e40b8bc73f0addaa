//! Benchmarks of the engines: the windowed engine on 1, 2 and all threads and the boxed reference
//! engine, interleaved in one process, medians.
//!
//! A cell-hop is any unit that starts on a link, data or control. Set-up is outside the timed
//! region. The reference engine runs a shorter stretch of the same network, so that a round takes
//! seconds; figures are per cell-hop. `--instructions` counts instructions instead; see
//! docs/engine.md. `--schedulers` measures the schedulers of ports without a network around them,
//! `--peers` other simulators on the same workloads, `--busy` threads beside other work,
//! `--command` the whole command from start to exit.

mod busy;
mod command;
mod digests;
mod growth;
mod guard;
mod instructions;
mod once;
mod peers;
mod scenarios;
mod schedulers;
mod workloads;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, TraceFilter};
use hopflow_units::SimTime;

use workloads::Workload;

/// Measures the engines.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Args {
    /// Only this workload; several with commas.
    #[arg(long, value_parser = workload_names(), value_delimiter = ',')]
    workload: Vec<&'static Workload>,
    /// The number of rounds, whose median is reported.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=99))]
    rounds: u32,
    /// Divides the size of every workload.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    divide: u64,
    /// How the table is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Measure the schedulers alone, at 10, 1,000 and 100,000 flows on one port.
    #[arg(long, conflicts_with_all = ["workload", "instructions", "once"])]
    schedulers: bool,
    /// Count instructions per cell-hop under callgrind instead of timing.
    #[arg(long, group = "two_builds")]
    instructions: bool,
    /// Run `--workload` once on one thread and print its cell-hops; as JSON, also how long it took.
    #[arg(long, requires = "workload")]
    once: bool,
    /// The number of data cells for `--once`, instead of full size.
    #[arg(long, requires = "once", value_parser = clap::value_parser!(u64).range(1..))]
    cells: Option<u64>,
    /// Compare the digests of all workloads, small, with `benches/pins/digests.txt`.
    #[arg(long, conflicts_with_all = ["workload", "schedulers", "instructions", "once"])]
    digests: bool,
    /// Compare instructions per cell-hop of 14 workloads with `benches/pins/instructions.txt`.
    #[arg(long, conflicts_with_all = ["workload", "schedulers", "instructions", "once", "digests"])]
    guard: bool,
    /// Rewrite the pins of `--digests` or `--guard`, whose commit must state the reason.
    #[arg(long)]
    renew: bool,
    /// Measure how time and memory grow with hosts, VCs, flows, cells and threads.
    #[arg(long, conflicts_with_all = ["workload", "schedulers", "instructions", "once", "digests"])]
    growth: bool,
    /// Write the workloads that a scenario file can express into benches/scenarios.
    #[arg(long)]
    scenarios: bool,
    /// One point of `--growth`, as `hosts fabric-n23 64`.
    #[arg(long, hide = true)]
    point: Option<String>,
    /// Compare threads, in runs 8 times as long, beside this number of loops that keep cores busy.
    #[arg(long, conflicts_with_all = ["schedulers", "instructions", "once", "digests", "guard"])]
    busy: Option<usize>,
    /// Measure hopflow and the other simulators that are installed, interleaved.
    #[arg(long, conflicts_with_all = ["schedulers", "instructions", "once", "format"])]
    peers: bool,
    /// Begin no round of `--peers` that would end later than this number of minutes.
    #[arg(long, requires = "peers")]
    minutes: Option<f64>,
    /// First fetch the other simulators into target/peers.
    #[arg(long, requires = "peers")]
    install: bool,
    /// Measure the CPU time of the whole command, release build, on 1,000 flows and 1,024 hosts.
    #[arg(
        long,
        conflicts_with_all = ["workload", "schedulers", "once", "peers"],
        group = "two_builds"
    )]
    command: bool,
    /// With `--command`: another build of the command, which runs alternately with this one. With
    /// `--instructions`: another build of this program; all instructions of both are counted.
    #[arg(long, requires = "two_builds")]
    against: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Markdown, which is legible as plain text.
    #[default]
    Markdown,
    /// One JSON document.
    Json,
}

fn main() -> ExitCode {
    match chore(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("error: {wrong}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments request.
fn chore(args: &Args) -> Result<(), String> {
    let all = || workloads::ALL.iter().collect();
    let chosen = if args.workload.is_empty() { all() } else { args.workload.clone() };
    if args.once {
        let cells = args.cells.unwrap_or(chosen[0].full_size / args.divide);
        once::run(chosen[0], cells, args.format);
        return Ok(());
    }
    if args.peers {
        let Args { install, rounds, divide, minutes, .. } = *args;
        let only = args.workload.clone();
        return peers::run(&peers::Request { install, only, rounds, divide, minutes });
    }
    if let Some(busy) = args.busy {
        busy::run(&chosen, busy, args.rounds, args.divide);
        return Ok(());
    }
    if args.schedulers {
        schedulers::run(args.rounds, args.divide, args.format);
        return Ok(());
    }
    if args.digests {
        return digests::run(args.renew);
    }
    if let Some(point) = &args.point {
        return growth::one(point);
    }
    if args.command {
        return command::run(args.rounds, args.against.as_deref());
    }
    if args.scenarios {
        return scenarios::run();
    }
    if args.growth {
        return growth::run(args.rounds);
    }
    if args.guard {
        return guard::run(args.renew);
    }
    if args.instructions {
        return match &args.against {
            Some(before) => instructions::compare(&chosen, before),
            None => count(&chosen),
        };
    }
    let mut rows = Vec::new();
    for workload in chosen {
        rows.push(measure(workload, args)?);
    }
    print(&rows, args.format);
    Ok(())
}

fn count(chosen: &[&Workload]) -> Result<(), String> {
    println!("| workload | instructions per cell-hop |\n|---|---:|");
    for workload in chosen {
        let count = instructions::per_hop(workload)?;
        println!("| {} | {count:.0} |", workload.name);
    }
    Ok(())
}

/// The workloads by their names, which `--help` lists.
fn workload_names() -> impl TypedValueParser<Value = &'static Workload> {
    let names = PossibleValuesParser::new(workloads::ALL.iter().map(|workload| workload.name));
    names.map(|name| workloads::named(&name).expect("it is one of the names"))
}

/// The measurements of one workload.
struct Row {
    workload: &'static Workload,
    hops: u64,
    /// Nanoseconds per cell-hop of the reference engine.
    reference: f64,
    /// Threads and nanoseconds per cell-hop of the windowed engine.
    windowed: Vec<(usize, f64)>,
    /// Reference over windowed on one thread, in the same round.
    ratio: f64,
}

fn measure(workload: &'static Workload, args: &Args) -> Result<Row, String> {
    let spec = workload.network(workload.full_size / args.divide);
    let short = workload.short_network(args.divide);
    digests::of(workload.name, &short)?;
    let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut counts = vec![1, 2, all];
    counts.dedup();
    let mut reference = Vec::new();
    let mut ratios = Vec::new();
    let mut windowed = vec![Vec::new(); counts.len()];
    let mut cell_hops = 0;
    for _ in 0..args.rounds {
        let slow = timed(ReferenceEngine::new(&short, TraceFilter::none()), &short).0;
        for (times, threads) in windowed.iter_mut().zip(&counts) {
            let engine = WindowedEngine::new(&spec, TraceFilter::none(), *threads);
            let (nanos, hops) = timed(engine, &spec);
            times.push(nanos);
            cell_hops = hops;
        }
        reference.push(slow);
        ratios.push(slow / windowed[0][windowed[0].len() - 1]);
    }
    let windowed = counts.into_iter().zip(windowed.into_iter().map(median)).collect();
    let (reference, ratio) = (median(reference), median(ratios));
    Ok(Row { workload, hops: cell_hops, reference, windowed, ratio })
}

/// Nanoseconds per cell-hop, and cell-hops.
fn timed(mut engine: impl Engine, spec: &NetworkSpec) -> (f64, u64) {
    let start = Instant::now();
    engine.run_until(SimTime(spec.duration.0));
    let nanos = start.elapsed().as_secs_f64() * 1e9;
    let hops = hops(&engine);
    (nanos / hops.max(1) as f64, hops)
}

/// The root of the project.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("the benchmarks are a folder of the project")
}

fn hops(engine: &impl Engine) -> u64 {
    engine.started_packets()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print(rows: &[Row], format: Format) {
    let speed = |nanos: f64| 1e3 / nanos;
    match format {
        Format::Json => {
            let row = |row: &Row| {
                let windowed = row.windowed.iter().map(|(threads, nanos)| {
                    serde_json::json!({ "threads": threads, "ns_per_cell_hop": nanos })
                });
                serde_json::json!({
                    "workload": row.workload.name, "cell_hops": row.hops,
                    "reference_ns_per_cell_hop": row.reference,
                    "windowed": windowed.collect::<Vec<_>>(), "ratio": row.ratio,
                })
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            println!("{:#}", serde_json::json!({ "version": 1, "rows": rows }));
        }
        Format::Markdown => {
            println!(
                "| workload | cell-hops | reference | windowed, M cell-hops/s by threads | ratio |"
            );
            println!("|---|---:|---:|---|---:|");
            for row in rows {
                let by_threads = row
                    .windowed
                    .iter()
                    .map(|(threads, nanos)| format!("{threads}: {:.1}", speed(*nanos)))
                    .collect::<Vec<_>>()
                    .join(", ");
                println!(
                    "| {} | {} | {:.2} | {by_threads} | {:.1} |",
                    row.workload.name,
                    row.hops,
                    speed(row.reference),
                    row.ratio
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the median of an odd count is the middle one.
    #[test]
    fn the_median_is_the_middle() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
