//! Tables 1 to 3 under two readings of ERICA+, each over the averaging interval: bands, not
//! values. Source: [Cai97] 2, 3, 4.
//!
//! | reading  | a VC below its fair share | rate of a VC, without VS/VD | with VS/VD            |
//! |----------|---------------------------|-----------------------------|-----------------------|
//! | held     | rises to it first         | CCR of its RM cells         | between its RM cells  |
//! | not held | may pass it at once       | CCR of its RM cells         | over interval, at VS  |
//!
//! The paper states no averaging interval, and queues are chaotic in it. So each queue is a band:
//! the least and the greatest over [`BAND`]. Differs: most runs of the second reading end at 10 s,
//! when its switches have had their largest queues; [`LONG`] are as long as the paper's, 15 s.

use hopflow_units::Picos;

use super::network::{SOURCES, file, fullest_source, most, most_of_one, variant};
use crate::{Exhibit, Measured, Run, Runs, ScenarioText};

/// Averaging intervals of a band, in ms.
const BAND: [u32; 7] = [3, 5, 10, 15, 20, 30, 40];
/// Those of them at which the second reading runs for 15 s, as the paper's simulations do.
const LONG: [u32; 1] = [30];
/// Those of them that the tables of the first reading do not have.
const WIDE: [u32; 2] = [30, 40];
const BOTH: [bool; 2] = [false, true];

/// The text that holds a VC at its share.
pub(super) const HELD: &str = "hold-at-share = true, ";
/// The rate of a VC is measured over intervals, not between its RM cells.
pub(super) const MEASURED: (&str, &str) = ("vc-rate = \"ccr\"", "vc-rate = \"measured\"");
const WHOLE: &str = "duration = \"15 s\"";
pub(super) const SHORT: (&str, &str) = (WHOLE, "duration = \"10 s\"");
/// The summary of the runs that are as long as the paper's begins here: see `at_10_s`. Their files
/// have no warm-up, since the queues that are printed are of the whole run.
pub(super) const AT_10_S: Picos = Picos(10 * Picos::PER_SECOND);

/// A reading of ERICA+.
#[derive(Clone, Copy)]
enum Reading {
    /// What the tables have.
    Held,
    /// The second.
    NotHeld,
}

const READINGS: [Reading; 2] = [Reading::Held, Reading::NotHeld];

impl Reading {
    /// The name of a run at an interval in ms.
    fn of(self, interval: u32) -> String {
        match self {
            Reading::Held => interval.to_string(),
            Reading::NotHeld => format!("not-held-{interval}"),
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Reading::Held => "held",
            Reading::NotHeld => "not_held",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Reading::Held => "held",
            Reading::NotHeld => "not held",
        }
    }
}

/// What the experiment of the tables runs besides.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for virtual_source in BOTH {
        for conf in 1..=3 {
            all.extend(WIDE.iter().map(|ms| {
                let held = Reading::Held.of(*ms);
                variant(conf, virtual_source, *ms, &held, &[]).summed_from(AT_10_S)
            }));
            all.extend(BAND.iter().map(|ms| not_held(conf, virtual_source, *ms)));
        }
    }
    all
}

fn not_held(conf: u32, virtual_source: bool, interval: u32) -> ScenarioText {
    let name = Reading::NotHeld.of(interval);
    let is_long = LONG.contains(&interval);
    let length = (!is_long).then_some(SHORT);
    let rate = virtual_source.then_some(MEASURED);
    let edits: Vec<_> = [(HELD, "")].into_iter().chain(length).chain(rate).collect();
    let text = variant(conf, virtual_source, interval, &name, &edits);
    if is_long { text.summed_from(AT_10_S) } else { text }
}

/// The configurations of the paper.
pub(super) const CONFIGURATIONS: [u32; 3] = [1, 2, 3];

/// The rows of both readings, held and not held, over [`BAND`].
pub(super) fn rows(runs: &Runs, conf: u32, virtual_source: bool) -> [Vec<(u32, &Run)>; 2] {
    READINGS.map(|reading| row(runs, conf, virtual_source, reading))
}

/// The runs of a row over [`BAND`], each with its interval in ms.
fn row(runs: &Runs, conf: u32, virtual_source: bool, reading: Reading) -> Vec<(u32, &Run)> {
    let run = |ms: &u32| (*ms, runs.one(&file(conf, virtual_source, &reading.of(*ms))));
    BAND.iter().map(run).collect()
}

/// What waits at the fullest source at 10 s, in cells: created and not sent. A run is as long, or
/// its summary begins then. It grows all the time, so it is the largest queue until then.
fn at_10_s(run: &Run) -> f64 {
    let is_longer = run.summary.from_ps > 0;
    let waits = |source: &&str| {
        let vc = run.vc(&source.replace('S', "TCP"));
        let (all, later) = (&run.counters.vcs[vc], &run.summary.vcs[vc]);
        let hop = &all.hops[0];
        let rm_cells = hop.rate.forward_made;
        let waiting = all.created_packets + rm_cells - hop.sent_packets;
        if !is_longer {
            return waiting;
        }
        let rm_cells = later.hops[0].rate.as_ref().map_or(0, |rate| rate.forward_rm_cells);
        waiting + later.sent_packets - later.created_packets - rm_cells
    };
    SOURCES.iter().map(waits).max().unwrap_or(0) as f64
}

/// The largest queue of any source in 15 s; not a number where a run is shorter.
fn at_15_s(run: &Run) -> f64 {
    let whole = run.summary.end_ps == 15_000_000_000_000;
    if whole { fullest_source(run) } else { f64::NAN }
}

/// The paper's feedback delay x the excess of the input rate: 550 ms x 5 Mb/s, in cells.
const PRODUCT: f64 = 0.55 * 5e6 / 424.0;

/// A column of a band: a switch's queue, of all VCs or of one, or the sources'.
struct Column {
    heading: &'static str,
    of: fn(&Run) -> f64,
    /// The paper's numbers: configurations, each without virtual sources and with them. Not a
    /// number: none, or a range.
    paper: [[f64; 2]; 3],
    /// The name in claims; empty where there is none.
    claim: &'static str,
    /// Whether there are claims on it under the first reading.
    held_too: bool,
}

const NONE: f64 = f64::NAN;
const SWITCH_1: [[f64; 2]; 3] = [[3_267.0, 7_100.0], [433.0, 95.0], [384.0, 113.0]];
const SWITCH_2: [[f64; 2]; 3] = [[61_615.0, 4_700.0], [2.0, 10_200.0], [2.0, 8_000.0]];
const SWITCH_3: [[f64; 2]; 3] = [[NONE; 2], [61_094.0, 9_000.0], [61_157.0, 8_800.0]];
const SOURCE: [[f64; 2]; 3] = [[73_000.0, NONE], [74_000.0, NONE], [29_300.0, 33_000.0]];

const fn column(
    heading: &'static str,
    claim: &'static str,
    of: fn(&Run) -> f64,
    paper: [[f64; 2]; 3],
) -> Column {
    Column { heading, claim, of, paper, held_too: false }
}

const COLUMNS: [Column; 8] = [
    column("SW1", "sw1", |run| most(run, "SW1"), SWITCH_1),
    Column {
        held_too: true,
        ..column("one VC", "sw1_one", |run| most_of_one(run, "SW1"), SWITCH_1)
    },
    column("SW2", "sw2", |run| most(run, "SW2"), SWITCH_2),
    column("one VC", "", |run| most_of_one(run, "SW2"), SWITCH_2),
    column("SW3", "sw3", |run| most(run, "SW3"), SWITCH_3),
    column("one VC", "", |run| most_of_one(run, "SW3"), SWITCH_3),
    Column { held_too: true, ..column("source, 10 s", "source_10s", at_10_s, SOURCE) },
    column("source, 15 s", "source_15s", at_15_s, SOURCE),
];

/// The claims of a configuration: bands of both readings, and what waits before the bottleneck.
pub(super) fn claims(measured: &mut Measured, runs: &Runs, conf: u32) {
    for reading in READINGS {
        for virtual_source in BOTH {
            let name = if virtual_source { "with" } else { "without" };
            let row = row(runs, conf, virtual_source, reading);
            for column in COLUMNS.iter().filter(|column| is_claimed(column, conf, reading)) {
                let id = format!("table{conf}.{}.{name}.{}", reading.id(), column.claim);
                measured.band(id, band(&row, column.of));
            }
        }
    }
    before(measured, runs, conf);
}

/// In configuration 1 switch 3 is behind the slow link, and the table has no column for it.
fn is_claimed(column: &Column, conf: u32, reading: Reading) -> bool {
    let of_reading = column.held_too || matches!(reading, Reading::NotHeld);
    of_reading && !column.claim.is_empty() && (conf, column.claim) != (1, "sw3")
}

/// What a row has at each interval at which it was measured.
fn band(row: &[(u32, &Run)], of: impl Fn(&Run) -> f64) -> Vec<(String, f64)> {
    let values = row.iter().map(|(ms, run)| (format!("{ms} ms"), of(run)));
    values.filter(|(_, value)| !value.is_nan()).collect()
}

/// Not held: the queue of the switch before the bottleneck, over [`PRODUCT`], and how much more
/// it is than without virtual sources, where it is least.
fn before(measured: &mut Measured, runs: &Runs, conf: u32) {
    let switch = if conf == 1 { "SW1" } else { "SW2" };
    let [without, with] = BOTH.map(|virtual_source| {
        let row = row(runs, conf, virtual_source, Reading::NotHeld);
        band(&row, |run| most(run, switch))
    });
    let more = with.iter().zip(&without).map(|(with, without)| with.1 - without.1);
    let id = format!("table{conf}.not_held");
    measured.claim(format!("{id}.moved"), more.fold(f64::NAN, f64::min));
    let parts = with.into_iter().map(|(ms, queue)| (ms, queue / PRODUCT)).collect();
    measured.band(format!("{id}.before"), parts);
}

/// Both readings of a configuration over the interval: the paper, the band, and each run.
pub(super) fn exhibit(runs: &Runs, conf: u32) -> Exhibit {
    let mut rows = Vec::new();
    for virtual_source in BOTH {
        let paper = |column: &Column| column.paper[conf as usize - 1][usize::from(virtual_source)];
        let name = if virtual_source { "with VS/VD" } else { "without VS/VD" };
        rows.push((format!("{name}, paper"), COLUMNS.iter().map(paper).collect()));
        for reading in READINGS {
            let name = format!("{name}, {}", reading.words());
            let row = row(runs, conf, virtual_source, reading);
            let end = |worse: fn(f64, f64) -> f64| {
                let of = |column: &Column| {
                    row.iter().map(|(_, run)| (column.of)(run)).fold(f64::NAN, worse)
                };
                COLUMNS.iter().map(of).collect()
            };
            rows.push((format!("{name}, least"), end(f64::min)));
            rows.push((format!("{name}, most"), end(f64::max)));
            rows.extend(row.iter().map(|(ms, run)| {
                let numbers = COLUMNS.iter().map(|column| (column.of)(run)).collect();
                (format!("{name}, {ms} ms"), numbers)
            }));
        }
    }
    Exhibit::new(format!("Configuration {conf}: two readings over the averaging interval"))
        .note(
            "Held: a VC below its fair share rises to it first. Not held: it may pass it, and with \
             VS/VD a VC's rate is measured over an interval at its virtual source. The paper names \
             neither the rule nor an interval, so each column is a band. Of each switch all VCs \
             together, then the largest queue of one VC. The paper gives the sources of \
             configurations 1 and 2 with VS/VD as 70,000 to 160,000 and 73,500 to 154,000.",
        )
        .columns(
            "ERICA+, reading, averaging interval",
            COLUMNS.iter().map(|column| (column.heading, "cells")),
        )
        .rows(rows)
}

#[cfg(test)]
mod tests {
    use hopflow::RunOptions;

    use super::*;
    use crate::work::run_scenario;

    const SEVEN_S: Picos = Picos(7 * Picos::PER_SECOND);

    fn run(length: &str, from: Option<Picos>) -> Run {
        let text = variant(1, false, 10, "test", &[(WHOLE, length)]);
        let text = ScenarioText { summed_from: from, ..text };
        run_scenario(&text, 1, &RunOptions::default()).unwrap()
    }

    /// Claim: what waits when the summary begins is what the hosts hold at the end of a run of that
    /// length, RM cells not counted, and more waits later. The queues that are printed are those of
    /// the whole run, whenever the summary begins: what `hopflow run` prints of the file alone.
    #[test]
    fn what_waits_is_read_off_the_beginning_of_the_summary() {
        let short = run("duration = \"7 s\"", None);
        let held = |source: &&str| short.counters.nodes[short.node(source)].buffered_packets;
        let held = f64::from(SOURCES.iter().map(held).max().unwrap());
        let [long, alone] = [Some(SEVEN_S), None].map(|from| run("duration = \"8 s\"", from));
        assert!(held > 0.0);
        assert!((at_10_s(&short) - held).abs() < 0.5, "{} {held}", at_10_s(&short));
        assert!((at_10_s(&long) - held).abs() < 0.5, "{} {held}", at_10_s(&long));
        let short = held;
        assert!(fullest_source(&long) > short);
        assert!(at_15_s(&long).is_nan());
        for node in ["SW1", "SW2"] {
            let printed = alone.summary.node(node).map(|one| f64::from(one.max_packets));
            assert_eq!(printed, Some(most(&long, node)), "{node}");
        }
    }

    /// Claim: every written scenario of the tables is the one whose queues are printed: it has no
    /// warm-up, so that a shorter run of it is one, too.
    #[test]
    fn files_have_no_warm_up() {
        let all = super::super::tables::EXPERIMENT.scenarios();
        assert!(all.iter().any(|one| one.summed_from == Some(AT_10_S)));
        for one in &all {
            let read = hopflow_scenario::Scenario::from_toml(&one.text, &one.file).unwrap();
            assert_eq!(read.warm_up, Picos::ZERO, "{}", one.file);
        }
    }

    /// Claim: the readings differ in the rule and, with virtual sources, in the rate; every value
    /// of the band is run, and the first reading has the tables' rates.
    #[test]
    fn the_second_reading_drops_the_rule() {
        let all = scenarios();
        assert_eq!(all.len(), 2 * 3 * (WIDE.len() + BAND.len()));
        for scenario in &all {
            let not_held = scenario.file.contains("not-held");
            let virtual_source = !scenario.file.contains("without");
            assert_eq!(scenario.text.contains("hold-at-share = true"), !not_held);
            assert_eq!(scenario.text.contains("vs-vd = true"), virtual_source);
            let measured = scenario.text.contains("vc-rate = \"measured\"");
            assert_eq!(measured, not_held && virtual_source, "{}", scenario.file);
        }
    }
}
