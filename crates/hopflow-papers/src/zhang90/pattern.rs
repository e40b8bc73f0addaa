//! Section 3.2.4: constant, Poisson and train sources side by side.
//!
//! VirtualClock makes a flow's burstiness its own: waiting is ordered constant < Poisson < train.
//! Footnote 9 says that this fades above 80 % of load. In these runs it grows, and must:
//!
//! ```text
//! constant rate AR:   stamp = arrival + Vtick, so only packets stamped within the next Vtick go
//!                     before it: work of at most (sum of AR) Vtick packets, whatever the load  (1)
//! all flows:          sum of AR x waiting does not depend on the order of service and grows
//!                     as 1 / (1 - load)                                                       (2)
//! ```
//! What (1) spares the constant flows, the bursty ones wait in addition. Under FIFO all flows meet
//! the same queue, and the ratio is near 1 at every load.
//!
//! The load is varied by the rate of all flows, from 8.75 to 11.75 packets/s, reservations with it.
//! Source: [Zhang90] 3.2.4. Differs: the last four flows are taken so that directions stay alike;
//! see `pattern.toml`. The mean length of a train and AI are those of Test-One.

use hopflow_network::SourceSpec;
use hopflow_record::Estimate;

use super::measure::{LinkSeen, Waiting, link, link_12, over, waiting, with_hops};
use super::network::{LINK_12, scheduler};
use super::{alone, burstiness};
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Run, Runs, ScenarioText};

/// Rates of the flows in packets/s; 16 of them share 200 packets/s.
const RATES: [&str; 6] = ["8.75", "9.375", "10", "10.625", "11.25", "11.75"];
/// The rate of the paper's run.
const PAPER: &str = "10";
const SEEDS: u32 = 10;
/// Seeds of the other rates.
const LOAD_SEEDS: u32 = 4;

/// The Poisson flows keep no envelope, the others do.
const FREE_POISSON: &str = "pattern-free-poisson.toml";
const POISSON: &str = "source = { kind = \"poisson\", rate = \"10 packets/s\" }";

/// What a flow sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Constant,
    Poisson,
    Train,
}

impl Pattern {
    const ALL: [Pattern; 3] = [Pattern::Constant, Pattern::Poisson, Pattern::Train];

    const fn name(self) -> &'static str {
        match self {
            Pattern::Constant => "constant",
            Pattern::Poisson => "poisson",
            Pattern::Train => "train",
        }
    }

    /// The flows of this pattern that cross this number of links between switches.
    fn flows(self, run: &Run, hops: usize) -> Vec<usize> {
        let is_mine = |vc: &usize| {
            matches!(
                (&*run.network.vcs[*vc].source, self),
                (SourceSpec::Phased { .. }, Pattern::Constant)
                    | (SourceSpec::Poisson { .. }, Pattern::Poisson)
                    | (SourceSpec::Train { .. }, Pattern::Train)
            )
        };
        with_hops(run, hops).into_iter().filter(is_mine).collect()
    }

    /// Waiting of these flows, mean over the runs.
    fn waits(self, runs: &[Run], hops: usize, value: fn(Waiting) -> f64) -> f64 {
        self.waiting(runs, hops, value).mean
    }

    /// The same over the runs.
    fn waiting(self, runs: &[Run], hops: usize, value: fn(Waiting) -> f64) -> Estimate {
        over(runs, |run| value(waiting(run, &self.flows(run, hops))))
    }
}

fn mean(waiting: Waiting) -> f64 {
    waiting.mean_ms
}

fn deviation(waiting: Waiting) -> f64 {
    waiting.deviation_ms
}

/// Section 3.2.4, its footnote 9, and burstiness (`burstiness.rs`).
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.pattern"], scenarios, measure);

fn file(rate: &str, fifo: bool) -> String {
    match (rate == PAPER, fifo) {
        (true, false) => "pattern.toml".to_owned(),
        (true, true) => "pattern-fifo.toml".to_owned(),
        (false, false) => format!("pattern-{rate}.toml"),
        (false, true) => format!("pattern-{rate}-fifo.toml"),
    }
}

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/pattern.toml").with_seeds(SEEDS);
    let both = |one: ScenarioText, rate: &str| [scheduler(&one, file(rate, true), "\"fifo\""), one];
    let other = |rate: &str| {
        let faster = format!("\"{rate} packets/s\"");
        let edits = [("\"10 packets/s\"", &*faster), ("\"620 s\"", "\"320 s\"")];
        both(base.variant(file(rate, false), &edits).with_seeds(LOAD_SEEDS), rate)
    };
    let others = RATES.iter().filter(|rate| **rate != PAPER).flat_map(|rate| other(rate));
    let own = both(base.clone(), PAPER).into_iter().chain(others);
    let free = format!("{POISSON}\nenvelope = false");
    let free = base.variant(FREE_POISSON, &[(POISSON, &*free), ("\"620 s\"", "\"320 s\"")]);
    let free = free.with_seeds(LOAD_SEEDS);
    own.chain([free]).chain(burstiness::scenarios()).chain(alone::scenarios()).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.pattern");
    let (with, fifo) = (runs.all(&file(PAPER, false)), runs.all(&file(PAPER, true)));
    let both = |runs, value: fn(&LinkSeen) -> f64| over(runs, |run| link_12(run, value));
    measured.claim("delay.util_mean", both(with, |link| link.busy));
    let queue = |link: &LinkSeen| link.over_time.mean_packets;
    measured.claim("delay.queue_over_fifo", both(with, queue).mean / both(fifo, queue).mean);
    table(&mut measured, with);
    let free = runs.all(FREE_POISSON);
    for hops in 1..=3 {
        let wait = |pattern: Pattern| pattern.waits(free, hops, mean);
        let id = format!("delay.h{hops}.wait_train_less_free_poisson");
        measured.claim(&id, wait(Pattern::Train) - wait(Pattern::Poisson));
    }
    loads(&mut measured, runs);
    measured.charts = vec![
        hops_chart(with, "delay", "mean", mean),
        hops_chart(with, "deviation", "standard deviation of", deviation),
        ratio_chart(runs),
    ];
    for (line, pattern) in Pattern::ALL.into_iter().enumerate() {
        for hops in 1..=3_u32 {
            let claim = format!("delay.{}.h{hops}.wait", pattern.name());
            let mark = Mark::new("zhang90-pattern-delay", claim).on(line);
            measured.mark(mark.at(f64::from(hops)));
        }
    }
    alone::measure(&mut measured, runs);
    burstiness::measure(&mut measured, runs);
    measured
}

/// The table of 3.2.4 and the orders in it.
fn table(measured: &mut Measured, runs: &[Run]) {
    for (kind, value) in [("wait", mean as fn(Waiting) -> f64), ("deviation", deviation)] {
        let all = Pattern::ALL.map(|p| [1, 2, 3].map(|hops| p.waiting(runs, hops, value)));
        let seen = all.map(|row| row.map(|one| one.mean));
        for ((pattern, row), runs) in Pattern::ALL.iter().zip(&seen).zip(&all) {
            for (hops, value) in (1..).zip(runs) {
                measured.claim(format!("delay.{}.h{hops}.{kind}", pattern.name()), *value);
            }
            if *pattern != Pattern::Constant || kind == "wait" {
                let id = format!("delay.{}.{kind}_least_step_by_hops", pattern.name());
                measured.claim(&id, (row[1] - row[0]).min(row[2] - row[1]));
            }
        }
        let [constant, poisson, train] = seen;
        for (index, hops) in (1..=3).enumerate() {
            let id = format!("delay.h{hops}.{kind}_poisson_less_constant");
            measured.claim(&id, poisson[index] - constant[index]);
            let id = format!("delay.h{hops}.{kind}_train_less_poisson");
            measured.claim(&id, train[index] - poisson[index]);
        }
    }
}

/// Waiting of trains over that of constant flows, one hop.
fn ratio(runs: &[Run]) -> f64 {
    Pattern::Train.waits(runs, 1, mean) / Pattern::Constant.waits(runs, 1, mean)
}

/// Footnote 9.
fn loads(measured: &mut Measured, runs: &Runs) {
    let highest = RATES[RATES.len() - 1];
    for (name, fifo) in [("virtual_clock", false), ("fifo", true)] {
        let at = |rate: &str| runs.all(&file(rate, fifo));
        measured.claim(format!("load.{name}.ratio"), ratio(at(PAPER)));
        measured.claim(format!("load.{name}.ratio_change"), ratio(at(highest)) / ratio(at(PAPER)));
        for pattern in [Pattern::Constant, Pattern::Train] {
            let wait = |rate: &str| pattern.waits(at(rate), 1, mean);
            let growth = wait(highest) / wait(RATES[0]);
            measured.claim(format!("load.{name}.{}_growth", pattern.name()), growth);
        }
    }
}

fn hops_chart(runs: &[Run], id: &str, words: &str, value: fn(Waiting) -> f64) -> Chart {
    let line = |pattern: Pattern| {
        ChartLine::straight(
            pattern.name(),
            (1..=3).map(|hops| (f64::from(hops), pattern.waits(runs, hops as usize, value))),
        )
    };
    let lines = Pattern::ALL.map(line).to_vec();
    let rows: Vec<String> = lines
        .iter()
        .map(|line| {
            let values: Vec<String> = line.points.iter().map(|p| format!("{:.2}", p.1)).collect();
            format!("{} {}", line.name, values.join(" "))
        })
        .collect();
    Chart::new(
        format!("zhang90-pattern-{id}"),
        format!("Section 3.2.4: {words} waiting by pattern"),
    )
    .caption(format!("1, 2 and 3 hops, in ms: {}. Mean of {SEEDS} seeds.", rows.join("; ")))
    .axes("links between switches", format!("{words} waiting (ms)"))
    .lines(lines)
}

fn ratio_chart(runs: &Runs) -> Chart {
    let point = |rate: &str, fifo: bool| {
        let runs = runs.all(&file(rate, fifo));
        (over(runs, |run| link(run, LINK_12[0]).busy).mean, ratio(runs))
    };
    let line = |name: &str, fifo: bool| {
        ChartLine::straight(name, RATES.iter().map(|rate| point(rate, fifo)))
    };
    Chart::new("zhang90-pattern-load", "Footnote 9: waiting of trains over that of constant flows")
        .caption(
            "VirtualClock serves constant flows before the bursts of others, and more so the more \
             of these wait; under FIFO all meet the same queue. One hop.",
        )
        .axes("utilization of Link 12", "ratio of mean waits")
        .lines([line("VirtualClock", false), line("FIFO", true)])
}
