//! Section 2.3.2: why a source needs an envelope, what it costs, and what overbooking does.
//!
//! ```text
//! Sum_n = sum of D_i,  D_i = P_i - AIR        VirtualClock - real time = Sum_n Vtick     (1)
//! Var(Sum_n) = n Var(D_i);  Poisson: Var(D_i) = AIR                                      (2)
//! P(lead > a by t) = 1 - (4 / pi) sum_k (-1)^k / (2k+1) exp(-(2k+1)^2 pi^2 t / (8 AR a^2))  (3)
//! ```
//! | symbol | meaning                                                     | unit    |
//! |--------|-------------------------------------------------------------|---------|
//! | P_i    | packets of a Poisson source in its i-th interval of AI      | packets |
//! | a      | a threshold                                                 | s       |
//!
//! The resets at checks hold the walk above zero, as a wall would: (3) is the chance that a
//! Brownian motion between such a wall and `a` has come to `a`, with the variance t / AR of the
//! lead. It goes to 1 for every a, so no fixed threshold distinguishes fast flows from honest ones.
//!
//! Source: [Zhang90] 2.3.2, its Eqs. (1) to (5). Differs: its Eq. (6) adds up the intervals with
//! D_i > 0 only; a clock that is reset when it is behind is ahead by less than that.
//! Meters without a network: see `metered.rs`; overbooking: `sec2.3.2.toml`.

use hopflow_control::scheduler::MeterCheck;
use hopflow_network::SourceSpec;
use hopflow_units::{Picos, SimTime};

use super::measure::{over, throughput, waiting};
use super::metered::{Lone, gap, train};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const SECOND: u64 = Picos::PER_SECOND;
const HOUR: u64 = 3_600 * SECOND;
/// "AR = 5 packets/second, AI = 10 seconds".
const AR: u64 = 5;
const AI: u64 = 10;
/// Flows that walk, and for how many hours the longest.
const WALKERS: u64 = 100;
const HOURS: [u64; 3] = [1, 4, 16];
/// Thresholds in AI.
const THRESHOLDS: [u64; 4] = [1, 2, 4, 8];
/// AIR of the flows whose loss is measured, at 10 packets/s.
const AIRS: [u64; 9] = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];
const LOSERS: u64 = 20;
const LOSS_SPAN: SimTime = SimTime(10_000 * SECOND);
/// What F reserves, in packets/s.
const DECLARED: [&str; 5] = ["10.0", "12.5", "15.0", "20.0", "30.0"];
/// F reserves 20 packets/s, but sends exactly what it sends when it reserves 10.
const SAME_TRAFFIC: &str = "sec2.3.2-20-same-traffic.toml";
const KEEPS_ITS_TRAFFIC: &str =
    "rate = \"20 packets/s\" }\nenvelope = { packets = 200, interval = \"20 s\" }";
const SEEDS: u32 = 8;

/// Section 2.3.2.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.sec2.3.2"], scenarios, measure);

fn file(declared: &str) -> String {
    if declared == DECLARED[0] {
        "sec2.3.2.toml".to_owned()
    } else {
        format!("sec2.3.2-{}.toml", declared.trim_end_matches(".0"))
    }
}

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec2.3.2.toml").with_seeds(SEEDS);
    let more = DECLARED[1..].iter().map(|rate| {
        let declared = format!("rate = \"{rate} packets/s\"");
        base.variant(file(rate), &[("rate = \"10.0 packets/s\"", &declared)])
    });
    let same = base.variant(SAME_TRAFFIC, &[("rate = \"10.0 packets/s\" }", KEEPS_ITS_TRAFFIC)]);
    [base.clone(), same].into_iter().chain(more).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec2.3.2");
    variance(&mut measured);
    let passed = thresholds(&mut measured);
    envelope(&mut measured);
    let losses = losses(&mut measured);
    overbooking(&mut measured, runs);
    same_traffic(&mut measured, runs);
    measured.charts = vec![passed, losses, overbooking_chart(runs)];
    measured
}

fn poisson(per_second: u64, seconds: u64, envelope: bool) -> Lone {
    let source = SourceSpec::Poisson { gap: gap(per_second) };
    Lone { per_second, interval: Picos(seconds * SECOND), source, envelope }
}

fn trains(per_second: u64, seconds: u64, envelope: bool) -> Lone {
    let source = train(per_second, 2.0, 2.0);
    Lone { per_second, interval: Picos(seconds * SECOND), source, envelope }
}

/// Eq. (2): the mean square of Sum_n over n, in packets^2 per interval, after 90 and 360 intervals.
fn variance(measured: &mut Measured) {
    /// More walkers than elsewhere, for an hour: a variance needs many.
    const WALKERS: u64 = 400;
    let lone = poisson(AR, AI, false);
    let intervals = [90_u64, 360];
    let mut squares = [0.0; 2];
    for seed in 1..=WALKERS {
        let ends = intervals.map(|n| SimTime(n * lone.interval.0));
        let mut counts = [0_u64; 2];
        for now in lone.births("walker", seed, ends[1]) {
            counts[0] += u64::from(now < ends[0]);
            counts[1] += 1;
        }
        for ((square, count), n) in squares.iter_mut().zip(counts).zip(intervals) {
            let sum = count as f64 - (n * lone.air()) as f64;
            *square += sum * sum / WALKERS as f64;
        }
    }
    let per_interval = [squares[0] / intervals[0] as f64, squares[1] / intervals[1] as f64];
    measured.claim("walk.variance_90", per_interval[0]);
    measured.claim("walk.variance_360", per_interval[1]);
}

/// The share of walkers whose lead has passed each threshold at some check, by hours.
fn thresholds(measured: &mut Measured) -> Chart {
    let firsts: Vec<[Option<SimTime>; 4]> = (1..=WALKERS).map(first_passages).collect();
    let mut lines = Vec::new();
    for (index, times) in THRESHOLDS.into_iter().enumerate() {
        let mut found: Vec<SimTime> = firsts.iter().filter_map(|first| first[index]).collect();
        found.sort_unstable();
        for hours in HOURS {
            let count = found.partition_point(|at| *at < SimTime(hours * HOUR));
            measured.claim(format!("passed.t{times}.h{hours}"), count as f64 / WALKERS as f64);
        }
        let point = |(count, at): (usize, &SimTime)| {
            (at.0 as f64 / HOUR as f64, (count + 1) as f64 / WALKERS as f64)
        };
        let points = found.iter().enumerate().map(point);
        lines.push(ChartLine::steps(format!("T = {times} AI"), points));
    }
    Chart::new(
        "zhang90-sec2-3-2",
        "Section 2.3.2: honest flows found too fast, without an envelope",
    )
    .caption(format!(
        "{WALKERS} Poisson flows at their rate, AR = 5 packets/s, AI = 10 s. No threshold holds \
         for ever."
    ))
    .axes("time (h)", "flows found too fast so far (share)")
    .lines(lines)
}

/// When a walker's lead is first above each threshold at a check.
fn first_passages(seed: u64) -> [Option<SimTime>; 4] {
    let lone = poisson(AR, AI, false);
    let last = SimTime(HOURS[HOURS.len() - 1] * HOUR);
    let ahead = THRESHOLDS.map(|times| i128::from(times * lone.interval.0));
    let mut first = [None; 4];
    for (now, reading) in lone.readings("walker", seed, MeterCheck::EveryAir, None, last) {
        if !reading.checked {
            continue;
        }
        for (first, ahead) in first.iter_mut().zip(ahead) {
            if first.is_none() && reading.lead_ps > ahead {
                *first = Some(now);
            }
        }
    }
    first
}

/// With the envelope: how many are flagged, and how far the clocks run ahead at most, in AI.
fn envelope(measured: &mut Measured) {
    let last = SimTime(4 * HOUR);
    for (name, lone) in [
        ("poisson", poisson(AR, AI, true)),
        ("train", trains(AR, AI, true)),
        ("train_ai5", trains(10, 5, true)),
        ("train_ai20", trains(10, 20, true)),
    ] {
        let seen = (1..=WALKERS / 4)
            .map(|seed| lone.metered("walker", seed, MeterCheck::EveryAir, None, last));
        let (mut flagged, mut lead) = (0_u64, 0.0_f64);
        for seen in seen {
            flagged += u64::from(seen.flags > 0);
            lead = lead.max(seen.lead_max_s);
        }
        measured.claim(format!("envelope.{name}.flagged"), flagged as f64);
        measured.claim(format!("envelope.{name}.lead_most"), lead / lone.interval.as_secs_f64());
    }
}

/// Packets of some flows at 10 packets/s, with an envelope of `air` packets or without one.
fn sent(of: fn(u64, u64, bool) -> Lone, air: Option<u64>) -> f64 {
    let mut lone = of(10, 1, air.is_some());
    if let Some(air) = air {
        lone.interval = Picos(air * gap(10).0);
    }
    let births = (1..=LOSERS).map(|seed| lone.births("loser", seed, LOSS_SPAN).count());
    births.sum::<usize>() as f64
}

fn losses(measured: &mut Measured) -> Chart {
    let line = |name: &str, of: fn(u64, u64, bool) -> Lone| {
        let free = sent(of, None);
        let lost = |air: u64| (air as f64, 1.0 - sent(of, Some(air)) / free);
        ChartLine::straight(name, AIRS.map(lost))
    };
    let lines = vec![line("packet trains", trains), line("Poisson", poisson)];
    let train = &lines[0].points;
    let band = train.iter().map(|(air, lost)| (format!("AIR = {air}"), *lost));
    measured.band("lost.trains", band.collect());
    measured.claim("lost.air2000", train.last().expect("nine values of AIR").1);
    let rises = |points: &[(f64, f64)]| points.windows(2).filter(|w| w[1].1 >= w[0].1).count();
    measured.claim("lost.train_rises", rises(train) as f64);
    measured.claim("lost.poisson_air2000", lines[1].points.last().expect("nine values of AIR").1);
    Chart::new("zhang90-sec2-3-2-lost", "Section 2.3.2: throughput lost to the envelope")
        .caption(
            "A larger AI cuts off less. Poisson flows also keep half the average gap between any \
             two packets, which no AI gives back.",
        )
        .axes("AIR (packets)", "packets lost to the envelope (share)")
        .lines(lines)
}

/// A value at the rate that F declares, mean over the seeds.
fn seen(runs: &Runs, declared: &str, value: impl Fn(&Run) -> f64) -> f64 {
    over(runs.all(&file(declared)), value).mean
}

fn others(run: &Run) -> Vec<usize> {
    (1..run.network.vcs.len()).collect()
}

fn overbooking(measured: &mut Measured, runs: &Runs) {
    let base = DECLARED[0];
    let own = |declared| seen(runs, declared, |run| waiting(run, &[0]).mean_ms);
    let rest = |declared| seen(runs, declared, |run| waiting(run, &others(run)).mean_ms);
    measured.claim("overbook.own_wait", own(base));
    for declared in &DECLARED[1..] {
        let id = format!("overbook.r{}", declared.trim_end_matches(".0"));
        measured.claim(format!("{id}.own_wait_ratio"), own(declared) / own(base));
        measured.claim(format!("{id}.others_wait_ratio"), rest(declared) / rest(base));
        let sent = |declared| seen(runs, declared, |run| throughput(run, &[0]));
        measured.claim(format!("{id}.own_gain"), sent(declared) - sent(base));
        let sent = |declared| seen(runs, declared, |run| throughput(run, &others(run)));
        measured.claim(format!("{id}.others_gain"), sent(declared) - sent(base));
    }
}

/// With the same packets at the same instants, the order of service only shares out the waiting.
fn same_traffic(measured: &mut Measured, runs: &Runs) {
    let (base, same) = (runs.all(&file(DECLARED[0])), runs.all(SAME_TRAFFIC));
    let everyone = |run: &Run| (0..run.network.vcs.len()).collect();
    for (name, vcs) in
        [("own", (|_| vec![0]) as fn(&Run) -> Vec<usize>), ("others", others), ("all", everyone)]
    {
        let wait = |runs: &[Run]| over(runs, |run| waiting(run, &vcs(run)).mean_ms).mean;
        measured.claim(format!("overbook.same_traffic.{name}_wait_ratio"), wait(same) / wait(base));
    }
}

fn overbooking_chart(runs: &Runs) -> Chart {
    let line = |name: &str, vcs: fn(&Run) -> Vec<usize>| {
        ChartLine::straight(
            name,
            DECLARED.iter().map(|declared| {
                let rate: f64 = declared.parse().expect("a number of packets/s");
                (rate, seen(runs, declared, |run| waiting(run, &vcs(run)).mean_ms))
            }),
        )
    };
    Chart::new(
        "zhang90-sec2-3-2-overbooking",
        "Section 2.3.2: a flow that reserves more than its mean of 10 packets/s",
    )
    .caption("It buys itself a shorter wait. What it no longer waits, the seventeen others do.")
    .axes("reserved by F (packets/s)", "mean waiting (ms)")
    .lines([line("F", |_| vec![0]), line("the others", others)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a lead has to pass the lower threshold before it passes the higher one.
    #[test]
    fn higher_thresholds_are_passed_later() {
        for seed in 1..=5 {
            let found: Vec<SimTime> = first_passages(seed).into_iter().flatten().collect();
            assert!(!found.is_empty() && found.is_sorted(), "{found:?}");
        }
    }

    /// Claim: an envelope that a flow never fills costs a train nothing, for its packets are
    /// never closer than the least gap. Poisson flows lose 1 - 1 / (1/2 + exp(-1/2)) = 9.63 %
    /// to that gap alone (exp(-1/2) = .606531); three standard errors of 2 million packets are
    /// .3 %.
    #[test]
    fn least_gap_alone_costs_poisson_flows_only() {
        let never_full = Some(10_000_000);
        assert!((sent(trains, never_full) - sent(trains, None)).abs() < 0.5);
        let kept = sent(poisson, never_full) / sent(poisson, None);
        assert!((kept - 1.0 / (0.5 + 0.606_531)).abs() < 0.003, "{kept}");
    }
}
