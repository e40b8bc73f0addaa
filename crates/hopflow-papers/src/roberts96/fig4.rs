//! Figure 4, and what a longer round trip does.
//!
//! Three VCs always send, and what the bottleneck does after start-up is read: utilization, mean
//! and longest queue. Beside it the blocks of Figures 1 to 3 at the same round trips, where
//! start-up counts: TBE is as printed, so ICR = TBE / RTT falls. The plane of Figure 4 has the
//! medians of Figures 1 to 3; the figure itself is lost in the text we have.
//! Source: [Roberts96] Figure 4 and the text around Figures 1 and 3.

use super::figures::{grid_scenarios, medians};
use super::network::{LINK, bare_blocks, stretched, three};
use super::read::{Four, Steady, after_start, four};
use super::technique::{ALL, CONSTANT, Technique};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Runs, ScenarioText};

/// Round trips in ms.
const RTTS: [f64; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// That of the figures is at this place.
const TWO: usize = 4;
/// A rise of utilization that counts.
const POINT: f64 = 0.01;

/// Figure 4.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.fig4"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let mut all: Vec<ScenarioText> = ALL.into_iter().flat_map(grid_scenarios).collect();
    for rtt in RTTS {
        let lasting = lasting(rtt);
        let blocks = long_blocks(rtt);
        for technique in ALL {
            all.push(technique.of(&lasting, lasting_file(technique.name(), rtt)));
            all.push(technique.of(&blocks, blocks_file(technique.name(), rtt)));
        }
        let constant = |base, file| Technique::Counting.with_rule(base, file, CONSTANT);
        all.push(constant(&lasting, lasting_file("constant", rtt)));
        all.push(constant(&blocks, blocks_file("constant", rtt)));
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.fig4");
    let medians = ALL.map(|technique| medians(runs, technique));
    measured.claim("better", f64::from(better(&medians)));
    let counting = utilizations(runs, Technique::Counting.name());
    let bound = |of: fn(f64, f64) -> f64| counting.into_iter().reduce(of).unwrap_or(f64::NAN);
    measured.claim("counting.least", bound(f64::min));
    measured.claim("counting.greatest", bound(f64::max));
    binary(&mut measured, runs);
    measured.claim("transfer", RTTS.into_iter().filter(|rtt| !ordered(runs, *rtt)).count() as f64);
    constant(&mut measured, runs);
    measured.charts = vec![plane(&medians), by_rtt(runs), transfers(runs)];
    let counting = NAMES.iter().position(|(name, _)| *name == Technique::Counting.name());
    measured.mark(Mark { line: counting, ..Mark::new("roberts96-rtt", "counting.least") });
    measured.exhibits = vec![steady_table(runs), block_table(runs)];
    measured
}

/// Three VCs that always send, at this round trip.
fn lasting(rtt: f64) -> ScenarioText {
    let (total, warm_up) = if rtt < 4.0 { (400.0, 100.0) } else { (100.0 * rtt, 30.0 * rtt) };
    let times = format!("duration = \"{total} ms\"\nwarm-up = \"{warm_up} ms\"");
    stretched(&three(""), "", rtt).variant("", &[("duration = \"300 ms\"", &times)])
}

/// The blocks, with time enough for this round trip.
fn long_blocks(rtt: f64) -> ScenarioText {
    let duration = format!("duration = \"{} ms\"", 80.0 + 60.0 * rtt);
    stretched(&bare_blocks(), "", rtt).variant("", &[("duration = \"60 ms\"", &duration)])
}

fn lasting_file(name: &str, rtt: f64) -> String {
    format!("steady-{name}-{rtt}ms.toml")
}

fn blocks_file(name: &str, rtt: f64) -> String {
    format!("blocks-{name}-{rtt}ms.toml")
}

fn lasting_numbers(runs: &Runs, name: &str, rtt: f64) -> Steady {
    after_start(runs.one(&lasting_file(name, rtt)), LINK)
}

fn block_numbers(runs: &Runs, name: &str, rtt: f64) -> Four {
    four(runs.one(&blocks_file(name, rtt)), LINK)
}

fn utilizations(runs: &Runs, name: &str) -> [f64; RTTS.len()] {
    RTTS.map(|rtt| lasting_numbers(runs, name, rtt).utilization)
}

/// Pairs of which the later technique is better in both dimensions.
fn better(medians: &[Four; 3]) -> u32 {
    let pairs = [(0, 1), (0, 2), (1, 2)].map(|(one, other)| [&medians[one], &medians[other]]);
    let better = pairs.into_iter().filter(|[one, other]| {
        one.utilization < other.utilization && one.mean_queue > other.mean_queue
    });
    better.count() as u32
}

fn binary(measured: &mut Measured, runs: &Runs) {
    let name = Technique::Binary.name();
    let used = utilizations(runs, name);
    measured.claim("binary.fall", used[0] - used[RTTS.len() - 1]);
    let rises = used.windows(2).filter(|pair| pair[1] >= pair[0] + POINT).count();
    measured.claim("binary.rises", rises as f64);
    let queue = |place: usize| lasting_numbers(runs, name, RTTS[place]).max_queue;
    measured.claim("binary.queue", queue(RTTS.len() - 1) / queue(TWO));
}

/// Whether VC counting takes less time than the iterative technique, and that than binary marking.
fn ordered(runs: &Runs, rtt: f64) -> bool {
    let time = |technique: Technique| block_numbers(runs, technique.name(), rtt).transfer;
    let [binary, iterative, counting] = ALL.map(time);
    counting < iterative && iterative < binary
}

fn constant(measured: &mut Measured, runs: &Runs) {
    let used = lasting_numbers(runs, "constant", RTTS[TWO]).utilization;
    measured.claim("constant.utilization", used);
    let queue = |name: &str| block_numbers(runs, name, RTTS[TWO]).mean_queue;
    measured.claim("constant.queue", queue("constant") / queue(Technique::Counting.name()));
}

const NAMES: [(&str, &str); 4] = [
    ("binary", "binary marking (EFCI)"),
    ("iterative", "iterative explicit rate (EPRCA)"),
    ("counting", "VC counting"),
    ("constant", "VC counting, always 98 %"),
];

/// A line for the paper and one for us, from VC counting over the iterative technique to binary
/// marking: in order of the mean queue.
fn plane(medians: &[Four; 3]) -> Chart {
    let printed = [(10.0, 0.97), (20.0, 0.88), (104.0, 0.83)];
    let here = medians.iter().rev().map(|four| (four.mean_queue, four.utilization));
    Chart::new("roberts96-fig4", "Figure 4: utilization against mean queue")
        .caption(
            "From left to right VC counting, iterative, binary. Reconstructed; medians of 25 runs \
             each.",
        )
        .axes("mean queue (cells)", "utilization")
        .lines([ChartLine::straight("paper", printed), ChartLine::straight("here", here)])
}

fn lines(value: impl Fn(&str, f64) -> f64) -> Vec<ChartLine> {
    let line = |(name, title): (&str, &str)| {
        ChartLine::straight(title, RTTS.into_iter().map(|rtt| (rtt, value(name, rtt))))
    };
    NAMES.into_iter().map(line).collect()
}

fn by_rtt(runs: &Runs) -> Chart {
    Chart::new("roberts96-rtt", "Utilization and round trip")
        .caption("Three VCs that always send, after start-up.")
        .axes("round trip (ms)", "utilization")
        .lines(lines(|name, rtt| lasting_numbers(runs, name, rtt).utilization))
}

fn transfers(runs: &Runs) -> Chart {
    Chart::new("roberts96-transfer", "Block transfer time and round trip")
        .caption("The blocks of Figures 1 to 3, ICR = TBE / RTT.")
        .axes("round trip (ms)", "block transfer time (ms)")
        .lines(lines(|name, rtt| block_numbers(runs, name, rtt).transfer))
}

fn steady_table(runs: &Runs) -> Exhibit {
    let rows = NAMES.into_iter().flat_map(|(name, title)| {
        RTTS.map(|rtt| {
            let Steady { utilization, mean_queue, max_queue } = lasting_numbers(runs, name, rtt);
            (format!("{title}, {rtt} ms"), vec![utilization, mean_queue, max_queue])
        })
    });
    Exhibit::new("Round trips, VCs that always send")
        .note("Three VCs, after start-up.")
        .columns(
            "technique and round trip",
            [("utilization", ""), ("mean queue", "cells"), ("longest queue", "cells")],
        )
        .rows(rows)
}

fn block_table(runs: &Runs) -> Exhibit {
    let rows = NAMES.into_iter().flat_map(|(name, title)| {
        RTTS.map(|rtt| (format!("{title}, {rtt} ms"), block_numbers(runs, name, rtt).row()))
    });
    Exhibit::new("Round trips, the blocks of Figures 1 to 3")
        .note("One run each; start-up is part of it.")
        .columns("technique and round trip", super::read::COLUMNS)
        .rows(rows)
}
