//! Figures 1 to 3: one network under binary marking, the iterative explicit rate and VC counting.
//!
//! The paper prints four numbers under each figure and states RTT, TBE, RDF and AIR, but no
//! network. Here it is a reconstruction that all twelve numbers fit; two times in it are free,
//! the distance to the switch and the start of the fourth VC. Each number is the median over 25
//! runs in which both are changed by up to 10 % either way.
//! Source: [Roberts96] Figures 1 to 3; the reconstruction is in `docs/models/roberts96.md`.

use hopflow_control::rate::{EprcaSpec, MacrSpec};

use super::far;
use super::network::{
    LINK, RTT_MS, TO_FAR_SWITCH, TO_SWITCH, bare_blocks, blocks, grid, later, moved, percent,
    steady,
};
use super::read::{
    COLUMNS, Curve, Cycles, Four, acr, cycles, er, four, macr, mean, ms, queue, spread, within,
};
use super::technique::{ALL, EPRCA_QT, Technique};
use crate::observe::{least, median};
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

/// The steady scenario: start-up is over, the fourth VC starts, the end. In ms.
const FROM: f64 = 100.0;
const STEP: f64 = 200.0;
const END: f64 = 300.0;
/// Other distances, in cell times.
const DISTANCES: [f64; 6] = [106.0, 115.0, 135.0, 150.0, 176.0, TO_FAR_SWITCH];
/// Other thresholds in place of that of a technique.
const THRESHOLDS: [(Technique, &str, &str); 8] = [
    (Technique::Binary, "high = \"20 cells\"", "high = \"10 cells\""),
    (Technique::Binary, "high = \"20 cells\"", "high = \"30 cells\""),
    (Technique::Iterative, "qt = \"1 cells\"", "qt = \"0 cells\""),
    (Technique::Iterative, "qt = \"1 cells\"", "qt = \"3 cells\""),
    (Technique::Iterative, "qt = \"1 cells\"", "qt = \"10 cells\""),
    (Technique::Iterative, "qt = \"1 cells\"", "qt = \"1 cells\", av = \"1/64\""),
    (Technique::Counting, "low = \"1 cells\"", "low = \"1 cells\", high = \"2 cells\""),
    (Technique::Counting, "active = \"2 ms\"", "active = \"100 ms\""),
];

/// Figures 1 to 3.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["roberts96.fig1", "roberts96.fig2", "roberts96.fig3"], scenarios, measure)
        .banded(far::BANDS);

fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for technique in ALL {
        let bare = technique.of(&bare_blocks(), "");
        all.extend(grid_scenarios(technique));
        let distances = DISTANCES.map(|away| moved(&bare, &distance_file(technique, away), away));
        all.extend(distances);
        all.push(technique.of(&blocks(), blocks_file(technique)));
        all.push(technique.of(&steady(), steady_file(technique)));
    }
    all.push(moved(&Technique::Iterative.of(&steady(), ""), STEADY_FAR, TO_FAR_SWITCH));
    for (index, (technique, old, new)) in THRESHOLDS.into_iter().enumerate() {
        let bare = technique.of(&bare_blocks(), "");
        all.push(bare.variant(threshold_file(index), &[(old, new)]));
    }
    all.extend(far::scenarios());
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96");
    let medians = ALL.map(|technique| medians(runs, technique));
    for (figure, numbers) in (1..).zip(&medians) {
        four_claims(&mut measured, figure, numbers);
    }
    order(&mut measured, &medians);
    oscillation(&mut measured, runs);
    let lag = |technique| lag(runs.one(&steady_file(technique)), technique);
    measured.claim("fig2.macr_lag", lag(Technique::Iterative));
    measured.claim("fig3.rate_lag", lag(Technique::Counting));
    let charts = |technique| charts(runs.one(&blocks_file(technique)), technique);
    measured.charts = ALL.into_iter().flat_map(charts).collect();
    for (figure, technique) in (1..).zip(ALL) {
        for of in ["max_queue", "mean_queue"] {
            let chart = format!("roberts96-{}-queue", technique.name());
            measured.mark(Mark::new(chart, format!("fig{figure}.{of}")));
        }
    }
    measured.exhibits = vec![spreads(runs), sensitivity(runs)];
    far::claims(&mut measured, runs);
    measured
}

const STEADY_FAR: &str = "steady-iterative-far.toml";

fn blocks_file(technique: Technique) -> String {
    file_of("blocks", technique)
}

fn steady_file(technique: Technique) -> String {
    file_of("steady", technique)
}

fn file_of(sources: &str, technique: Technique) -> String {
    match technique {
        Technique::Binary => format!("{sources}.toml"),
        other => format!("{sources}-{}.toml", other.name()),
    }
}

fn grid_file(technique: Technique, far: i32, late: i32) -> String {
    format!("blocks-{}-far{far:+}-late{late:+}.toml", technique.name())
}

fn distance_file(technique: Technique, away: f64) -> String {
    format!("blocks-{}-{away}.toml", technique.name())
}

fn threshold_file(index: usize) -> String {
    format!("blocks-threshold-{index}.toml")
}

/// The blocks with the two free times changed.
pub(super) fn grid_scenarios(technique: Technique) -> Vec<ScenarioText> {
    let bare = technique.of(&bare_blocks(), "");
    let changed = |(far, late)| {
        let file = grid_file(technique, far, late);
        later(&moved(&bare, &file, TO_SWITCH * percent(far)), &file, late)
    };
    grid().map(changed).collect()
}

/// The four numbers of every run of the grid.
fn all_four(runs: &Runs, technique: Technique) -> Vec<Four> {
    grid().map(|(far, late)| four(runs.one(&grid_file(technique, far, late)), LINK)).collect()
}

/// The medians of utilization, transfer, longest and mean queue.
pub(super) fn medians(runs: &Runs, technique: Technique) -> Four {
    let all = all_four(runs, technique);
    Four::each(|number| median(all.iter().map(number)))
}

fn four_claims(measured: &mut Measured, figure: usize, numbers: &Four) {
    let mut claim = |id: &str, value| measured.claim(format!("fig{figure}.{id}"), value);
    claim("utilization", numbers.utilization);
    claim("transfer", numbers.transfer);
    claim("max_queue", numbers.max_queue);
    claim("mean_queue", numbers.mean_queue);
    claim("work", numbers.utilization * numbers.transfer);
}

/// The claims that compare the figures.
fn order(measured: &mut Measured, [binary, iterative, counting]: &[Four; 3]) {
    let above = |one: &Four, other: &Four| one.utilization - other.utilization;
    let part = |one: &Four, other: &Four| one.mean_queue / other.mean_queue;
    measured.claim("fig2.over_fig1", above(iterative, binary));
    measured.claim("fig2.queue_part", part(iterative, binary));
    measured.claim("fig3.over_fig2", above(counting, iterative));
    measured.claim("fig3.queue_part", part(counting, iterative));
    let work = [binary, iterative, counting].map(|four| four.utilization * four.transfer);
    let (low, high) = (work.into_iter().reduce(f64::min), work.into_iter().reduce(f64::max));
    let middle = work.iter().sum::<f64>() / 3.0;
    let spread = low.zip(high).map_or(f64::NAN, |(low, high)| (high - low) / middle);
    measured.claim("fig3.work_spread", spread);
}

/// ACR of the first VC in the steady scenario, between start-up and the fourth VC.
fn steady_acr(run: &Run) -> Curve {
    within(&acr(run, run.vc("VC1")), FROM, STEP)
}

fn oscillation(measured: &mut Measured, runs: &Runs) {
    let files = [
        ("fig1", steady_file(Technique::Binary)),
        ("fig2", steady_file(Technique::Iterative)),
        ("fig2.far", STEADY_FAR.to_owned()),
    ];
    for (id, file) in files {
        let Cycles { swing, period } = cycles(&steady_acr(runs.one(&file)), STEP);
        measured.claim(format!("{id}.swing"), swing);
        measured.claim(format!("{id}.period"), period / RTT_MS);
    }
    let counting = steady_acr(runs.one(&steady_file(Technique::Counting)));
    measured.claim("fig3.swing", spread(&counting, STEP));
}

/// The rate that the switch computes for a VC: MACR, or the ER that it sends to the first.
fn switch_rate(run: &Run, technique: Technique) -> Curve {
    match technique {
        Technique::Iterative => macr(run, LINK, MacrSpec::default(), EPRCA_QT),
        Technique::Binary | Technique::Counting => er(run, run.vc("VC1")),
    }
}

/// From the start of the fourth VC until the mean of that rate over one round trip is half of the
/// way to where it is at the end, in ms.
fn lag(run: &Run, technique: Technique) -> f64 {
    let curve = switch_rate(run, technique);
    let settled = |from: f64, to: f64| mean(&within(&curve, from, to), to);
    let (before, after) = (settled(STEP - 50.0, STEP), settled(END - 50.0, END));
    let half = f64::midpoint(before, after);
    let later = (1..1_000).map(|step| f64::from(step) / 10.0);
    let mut lags = later.filter(|lag| settled(STEP + lag - RTT_MS, STEP + lag) <= half);
    lags.next().unwrap_or(f64::NAN)
}

/// Rates and queue over time while the blocks last.
fn charts(run: &Run, technique: Technique) -> [Chart; 2] {
    let all = run.network.cell_time(run.direction(LINK)).0 as f64 / 1e12;
    let end = run.counters.vcs.iter().filter_map(|vc| vc.leaves[0].last).max().map_or(0.0, ms);
    let share = |curve: Curve| -> Curve {
        let inside = curve.into_iter().filter(|point| point.0 <= end);
        inside.map(|(time, rate)| (time, rate * all)).collect()
    };
    let (first, fourth) = (run.vc("VC1"), run.vc("VC4"));
    let mut rates = vec![
        ChartLine::steps("ACR of VC1", share(acr(run, first))),
        ChartLine::steps("ACR of VC4", share(acr(run, fourth))),
        ChartLine::steps("ER given to VC1", share(er(run, first))),
    ];
    if technique == Technique::Iterative {
        let macr = macr(run, LINK, EprcaSpec::default().average, EPRCA_QT);
        rates.push(ChartLine::steps("MACR", share(macr)));
    }
    let name = technique.name();
    let title = technique.title();
    let x = "time (ms)".to_owned();
    [
        Chart::new(format!("roberts96-{name}-rates"), format!("Rates, {title}"))
            .caption("Reconstructed. ACR as the source has it, ER as it leaves the switch.")
            .axes(x.clone(), "share of the link")
            .lines(rates),
        Chart::new(format!("roberts96-{name}-queue"), format!("Queue at the bottleneck, {title}"))
            .caption("Reconstructed. The cell in transmission counts.")
            .axes(x, "cells")
            .lines([ChartLine::steps("queue", queue(run, LINK))]),
    ]
}

/// What the two free times do to the numbers.
fn spreads(runs: &Runs) -> Exhibit {
    let mut rows = vec![
        ("Figure 1 as printed".to_owned(), vec![0.83, 34.0, 332.0, 104.0]),
        ("Figure 2 as printed".to_owned(), vec![0.88, 32.0, 125.0, 20.0]),
        ("Figure 3 as printed".to_owned(), vec![0.97, 29.0, 125.0, 10.0]),
    ];
    for technique in ALL {
        let all = all_four(runs, technique);
        let least = Four::each(|number| least(all.iter().map(number)));
        let most = Four::each(|number| all.iter().map(number).fold(0.0, f64::max));
        let named = [("least", least), ("median", medians(runs, technique)), ("greatest", most)];
        for (name, four) in named {
            rows.push((format!("{}, {name}", technique.title()), four.row()));
        }
    }
    Exhibit::new("Figures 1 to 3: 25 runs each")
        .note(
            "The distance to the switch and the start of the fourth VC are changed by -10 to 10 %. \
             Each number has its own least, median and greatest.",
        )
        .columns("technique", COLUMNS)
        .rows(rows)
}

/// What else was tried.
fn sensitivity(runs: &Runs) -> Exhibit {
    let distances = ALL.into_iter().flat_map(|technique| {
        DISTANCES.map(|away| {
            let numbers = four(runs.one(&distance_file(technique, away)), LINK);
            (format!("{}, switch {away} cell times away", technique.title()), numbers.row())
        })
    });
    let thresholds = THRESHOLDS.into_iter().enumerate().map(|(index, (technique, _, new))| {
        let numbers = four(runs.one(&threshold_file(index)), LINK);
        (format!("{}, {}", technique.title(), new.replace('"', "")), numbers.row())
    });
    Exhibit::new("Figures 1 to 3: other distances and thresholds")
        .note("One run each, all else as chosen: 125 cell times, 20 cells, 1 cell, 1 and 5 cells.")
        .columns("changed", COLUMNS)
        .rows(distances.chain(thresholds))
}

#[cfg(test)]
mod tests {
    use hopflow::{EngineKind, RunOptions};

    use super::*;
    use crate::run_scenario;

    /// MACR worked out again from the trace ends where the switch's own register does, and the
    /// queue from the trace has the longest that was counted.
    #[test]
    fn a_trace_tells_macr_and_the_queue() {
        let scenario = Technique::Iterative.of(&blocks(), "traced.toml");
        let run = run_scenario(&scenario, 1, &RunOptions::default()).unwrap();
        let port = &run.counters.directions[run.direction(LINK).0];
        let last = switch_rate(&run, Technique::Iterative).last().map(|point| point.1.floor());
        assert_eq!(last, port.fair_rate.map(|rate| rate as f64));
        let longest = queue(&run, LINK).into_iter().map(|point| point.1).fold(0.0, f64::max);
        assert!((longest - f64::from(port.queue_max_packets)).abs() < 0.5);
    }

    /// A switch that is moved to where it stands gives the same run: the loop is kept.
    #[test]
    fn moving_keeps_the_loop() {
        let base = bare_blocks();
        let there = moved(&base, "there.toml", TO_SWITCH);
        let digest =
            |text: &ScenarioText| run_scenario(text, 1, &RunOptions::default()).unwrap().digest;
        assert_eq!(digest(&base), digest(&there));
    }

    /// Both engines give the same run of the blocks under every technique.
    #[test]
    fn engines_agree_on_the_blocks() {
        for technique in ALL {
            let scenario = technique.of(&bare_blocks(), "engines.toml");
            let digest = |engine| {
                let options = RunOptions { engine, ..RunOptions::default() };
                run_scenario(&scenario, 1, &options).unwrap().digest
            };
            assert_eq!(
                digest(EngineKind::Windowed),
                digest(EngineKind::Reference),
                "{technique:?}"
            );
        }
    }
}
