//! Adaptive credit: 100 VCs share the memory behind one link, five are active in turn.
//!
//! ```text
//! M      = 4 R + 2 N cells                                                         (1)
//! static = N (N2 + R) cells                                                        (2)
//! ```
//! | symbol | meaning                                          | unit  |
//! |--------|--------------------------------------------------|-------|
//! | R      | the loop of the link, 155 here                   | cells |
//! | N      | VCs that share the memory, 100; 5 are active     |       |
//! | N2     | the most cells that a credit cell stands for, 10 | cells |
//!
//! Source: [KC95], by its abstract and citations. Time is told in loops from the instant at which a
//! turn begins, the first being loop 1. Checked by: the tests below.

use hopflow::jain_index;
use hopflow_network::HopControl;

use super::read::busy;
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const TURNS: (&str, &str) =
    ("adaptive.toml", include_str!("../../../../papers/creditnet/adaptive.toml"));
const NEWCOMER: &str = include_str!("../../../../papers/creditnet/adaptive-newcomer.toml");
const STUCK: (&str, &str) =
    ("adaptive-stuck.toml", include_str!("../../../../papers/creditnet/adaptive-stuck.toml"));
const STATIC: &str = "adaptive-static.toml";
const HALF: &str = "adaptive-half.toml";
const DOUBLE: &str = "adaptive-stuck-double.toml";
const FIFTH: &str = "adaptive-newcomer-4.toml";
const SECOND: &str = "adaptive-newcomer-1.toml";
const STATIC_FIFTH: &str = "adaptive-newcomer-static.toml";

const LINK: &str = "S1->S2";
const MEMORY: &str = "memory = \"820 cells\"";
/// R, in cell times.
const LOOP: usize = 155;
/// Loops of a turn, and turns.
const TURN: usize = 10;
const COUNT: usize = 20;
/// VCs that are active in a turn.
const ACTIVE: usize = 5;
/// When the newcomer begins, in cell times.
const COMES: usize = 20 * LOOP + 7;

/// Adaptive credit.
pub(super) struct Adaptive;

impl Experiment for Adaptive {
    fn prefixes(&self) -> &'static [&'static str] {
        &["creditnet.adaptive"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let turns = ScenarioText::new(TURNS.0, TURNS.1);
        let fifth = ScenarioText::new(FIFTH, NEWCOMER);
        let second = [("count = 4\n", "count = 1\n"), ("{+4}", "{+1}"), ("= 95\n", "= 98\n")];
        let stuck = ScenarioText::new(STUCK.0, STUCK.1);
        vec![
            fixed(&turns, STATIC),
            turns.variant(HALF, &[(MEMORY, "memory = \"510 cells\"")]),
            turns,
            fixed(&fifth, STATIC_FIFTH),
            fifth.variant(SECOND, &second),
            fifth,
            stuck.variant(DOUBLE, &[(MEMORY, "memory = \"1440 cells\"")]),
            stuck,
        ]
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        memory(&mut measured, runs);
        turns(&mut measured, "", runs.one(TURNS.0));
        turns(&mut measured, "static.", runs.one(STATIC));
        claim(&mut measured, "half.use", use_of_late_loops(runs.one(HALF)));
        let newcomers = [("fifth", FIFTH, 4), ("second", SECOND, 1), ("static", STATIC_FIFTH, 4)];
        for (id, file, others) in newcomers {
            let loops = newcomer(&cells_from(runs.one(file), "V100"), others);
            claim(&mut measured, &format!("newcomer.{id}"), loops);
        }
        let lost = newcomers.iter().map(|(_, file, _)| runs.one(file).lost_packets()).sum::<u64>();
        claim(&mut measured, "newcomer.lost", lost as f64);
        claim(&mut measured, "stuck.use", busy(runs.one(STUCK.0), LINK));
        claim(&mut measured, "stuck.double", busy(runs.one(DOUBLE), LINK));
        measured.charts = vec![turn_chart(runs), newcomer_chart(runs)];
        let upright = |chart, claim| Mark::new(chart, claim).upright();
        measured.mark(upright("creditnet-adaptive", "creditnet.adaptive.ramp_up").on(0));
        measured.mark(upright("creditnet-adaptive", "creditnet.adaptive.static.ramp_up").on(2));
        measured.mark(upright("creditnet-newcomer", "creditnet.adaptive.newcomer.fifth").on(0));
        measured.exhibits = vec![table(runs)];
        measured
    }
}

fn claim(measured: &mut Measured, id: &str, value: f64) {
    measured.claim(format!("creditnet.adaptive.{id}"), value);
}

/// The same with a share of N2 + R cells for each VC.
fn fixed(base: &ScenarioText, file: &str) -> ScenarioText {
    let pool = "pool = [{ memory = \"820 cells\" }, \"none\"]\n";
    base.variant(file, &[(pool, ""), ("kind = \"adaptive\"", "kind = \"cup\"")])
}

/// Eqs. (1) and (2), as the scenarios have them.
fn memory(measured: &mut Measured, runs: &Runs) {
    let stuck = runs.one(STUCK.0);
    let counters = &stuck.counters.directions[stuck.direction(LINK).0];
    let held = counters.pool.as_ref().map_or(f64::NAN, |pool| f64::from(pool.held_max_cells));
    let (shared, fixed) = (pool_cells(runs.one(TURNS.0)), promised(runs.one(STATIC)));
    claim(measured, "memory.held", held);
    claim(measured, "memory.static", fixed);
    claim(measured, "memory.saved", fixed / shared);
}

/// The memory that VCs share at the far end of the link, in cells.
fn pool_cells(run: &Run) -> f64 {
    let pool = run.network.direction(run.direction(LINK)).pool;
    pool.map_or(f64::NAN, |pool| f64::from(pool.memory.0))
}

/// What is promised there to each VC for itself, in cells, of all VCs.
fn promised(run: &Run) -> f64 {
    let link = run.direction(LINK);
    let hops = run.network.vcs.iter().flat_map(|vc| &vc.hops);
    let cells = hops.filter(|hop| hop.direction_id() == link).map(|hop| match hop.control {
        HopControl::Credit(credit) if hop.pooled().is_none() => f64::from(credit.buffer().0),
        _ => 0.0,
    });
    cells.sum()
}

/// How a link is used turn by turn.
fn turns(measured: &mut Measured, of: &str, run: &Run) {
    claim(measured, &format!("{of}lost"), run.lost_packets() as f64);
    let latest = all_turns(run).iter().map(ramp_up).max().unwrap_or(0);
    claim(measured, &format!("{of}ramp_up"), latest as f64);
    claim(measured, &format!("{of}jain"), least_fair(run));
}

/// Starts on the link, in cell times: of one VC, or of all.
fn starts(run: &Run, vc: &str) -> Vec<f64> {
    run.hop(vc, LINK).starts()
}

/// Cells of all VCs in each loop of each turn.
fn all_turns(run: &Run) -> Vec<[usize; TURN]> {
    let mut turns = vec![[0; TURN]; COUNT];
    for vc in 1..=ACTIVE * COUNT {
        for start in starts(run, &format!("V{vc}")) {
            let index = start as usize / LOOP;
            if let Some(turn) = turns.get_mut(index / TURN) {
                turn[index % TURN] += 1;
            }
        }
    }
    turns
}

/// The loop, counted from 1, from which on the link is full; one more than there are: never.
fn ramp_up(sent: &[usize; TURN]) -> usize {
    sent.iter().rposition(|cells| *cells < LOOP).map_or(1, |last| last + 2)
}

/// The first loop that claims look at where the ramp-up is not meant.
const LATE: usize = 4;

/// The least Jain's index of a turn, from its fifth loop on.
fn least_fair(run: &Run) -> f64 {
    let of_turn = |turn: usize| {
        let first = (turn * TURN + LATE) * LOOP;
        let last = (turn + 1) * TURN * LOOP;
        let cells = |vc: usize| {
            let starts = starts(run, &format!("V{}", turn * ACTIVE + vc + 1));
            starts.iter().filter(|t| (first..last).contains(&(**t as usize))).count() as f64
        };
        jain_index((0..ACTIVE).map(|vc| (cells(vc), 1.0))).unwrap_or(f64::NAN)
    };
    (0..COUNT).map(of_turn).fold(f64::INFINITY, f64::min)
}

/// The share of the link in use from the fifth loop of a turn on, mean over the turns.
fn use_of_late_loops(run: &Run) -> f64 {
    let turns = all_turns(run);
    let cells: usize = turns.iter().flat_map(|sent| &sent[LATE..]).sum();
    cells as f64 / (turns.len() * (TURN - LATE) * LOOP) as f64
}

/// Cells of a VC in each loop from the newcomer's first on.
fn cells_from(run: &Run, vc: &str) -> Vec<usize> {
    let end = run.hop(vc, LINK).cells(run.counters.now) as usize;
    let mut loops = vec![0; (end - COMES) / LOOP];
    for start in starts(run, vc) {
        if let Some(cells) =
            (start as usize).checked_sub(COMES).and_then(|after| loops.get_mut(after / LOOP))
        {
            *cells += 1;
        }
    }
    loops
}

/// The first loop, counted from 1, in which the newcomer has nine tenths of its share.
fn newcomer(loops: &[usize], others: usize) -> f64 {
    let share = LOOP / (others + 1);
    let found = loops.iter().position(|cells| cells * 10 >= share * 9);
    found.map_or(f64::INFINITY, |index| (index + 1) as f64)
}

fn turn_chart(runs: &Runs) -> Chart {
    let line = |name: &str, file: &str| {
        let turns = all_turns(runs.one(file));
        let mean = |index: usize| {
            let cells: usize = turns.iter().map(|sent| sent[index]).sum();
            cells as f64 / (turns.len() * LOOP) as f64
        };
        let points = (0..TURN).map(|index| ((index + 1) as f64, mean(index))).collect();
        ChartLine { name: name.to_owned(), step: false, points }
    };
    Chart {
        id: "creditnet-adaptive".to_owned(),
        title: "Five VCs take over from five others".to_owned(),
        caption: "A share that is there needs no loop to grow; it needs 20 times the memory."
            .to_owned(),
        x: "loop of the turn".to_owned(),
        y: "share of the link, mean of 20 turns".to_owned(),
        lines: vec![
            line("adaptive, 820 cells", TURNS.0),
            line("adaptive, 510 cells", HALF),
            line("static, 16,500 cells", STATIC),
        ],
    }
}

fn newcomer_chart(runs: &Runs) -> Chart {
    let line = |name: &str, file: &str| {
        let cells = cells_from(runs.one(file), "V100");
        let points = cells.iter().take(20).enumerate();
        let points = points.map(|(at, cells)| ((at + 1) as f64, *cells as f64)).collect();
        ChartLine { name: name.to_owned(), step: false, points }
    };
    Chart {
        id: "creditnet-newcomer".to_owned(),
        title: "A VC comes to a full link".to_owned(),
        caption:
            "It doubles its share every second loop: use is measured in one, and takes effect \
                  in the next."
                .to_owned(),
        x: "loops since it began".to_owned(),
        y: "its cells in the loop".to_owned(),
        lines: vec![
            line("fifth VC, adaptive", FIFTH),
            line("second VC, adaptive", SECOND),
            line("fifth VC, static", STATIC_FIFTH),
        ],
    }
}

fn table(runs: &Runs) -> Exhibit {
    let row = |name: &str, file: &str, memory: f64| {
        let run = runs.one(file);
        let sent = all_turns(run);
        let first = |index: usize| {
            let cells: usize = sent.iter().map(|turn| turn[index]).sum();
            cells as f64 / sent.len() as f64
        };
        let latest = sent.iter().map(ramp_up).max().unwrap_or(0) as f64;
        let mut numbers = vec![memory, latest];
        numbers.extend((0..LATE).map(first));
        numbers.extend([use_of_late_loops(run), least_fair(run)]);
        (name.to_owned(), numbers)
    };
    Exhibit {
        title: "100 VCs, five active in turn".to_owned(),
        note: "A loop has 155 cell times. `full from` 11: not in a turn of ten loops.".to_owned(),
        rows_are: "scheme",
        columns: vec![
            ("memory", "cells"),
            ("full from", "loop"),
            ("loop 1", "cells"),
            ("loop 2", "cells"),
            ("loop 3", "cells"),
            ("loop 4", "cells"),
            ("later", ""),
            ("Jain", ""),
        ],
        rows: vec![
            row("adaptive, 4 R + 2 N", TURNS.0, pool_cells(runs.one(TURNS.0))),
            row("adaptive, 2 R + 2 N", HALF, pool_cells(runs.one(HALF))),
            row("static, N (N2 + R)", STATIC, promised(runs.one(STATIC))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last loop that is not full is the third: full from the fourth on. One that is never
    /// full to its end is full from the one after it.
    #[test]
    fn ramp_up_ends_after_the_last_loop_that_is_not_full() {
        let mut sent = [LOOP; TURN];
        assert_eq!(ramp_up(&sent), 1);
        (sent[0], sent[2]) = (80, LOOP - 1);
        assert_eq!(ramp_up(&sent), 4);
        sent[TURN - 1] = 0;
        assert_eq!(ramp_up(&sent), TURN + 1);
    }

    /// Beside four others a share is 31 cells, nine tenths of it 27.9: reached in the third loop.
    #[test]
    fn newcomer_arrives_with_nine_tenths() {
        assert!((newcomer(&[1, 27, 28, 31], 4) - 3.0).abs() < 1e-12);
        assert!(newcomer(&[1, 2, 3], 4).is_infinite());
    }
}
