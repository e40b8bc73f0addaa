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
//! Source: [KC95], by its abstract and citations. Time is counted in loops from the beginning of a
//! turn, the first being loop 1. Checked by: the tests below.

use hopflow::jain_index;
use hopflow_network::HopControl;

use super::read::busy;
use crate::observe::least;
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const TURNS: &str = "adaptive.toml";
const STUCK: &str = "adaptive-stuck.toml";
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
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["creditnet.adaptive"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let turns = scenario!("creditnet/adaptive.toml");
    let fifth =
        ScenarioText { file: FIFTH.to_owned(), ..scenario!("creditnet/adaptive-newcomer.toml") };
    let second = [("count = 4\n", "count = 1\n"), ("{+4}", "{+1}"), ("= 95\n", "= 98\n")];
    let stuck = scenario!("creditnet/adaptive-stuck.toml");
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

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.adaptive");
    memory(&mut measured, runs);
    turns(&mut measured, "", runs.one(TURNS));
    turns(&mut measured, "static.", runs.one(STATIC));
    measured.claim("half.use", use_of_late_loops(runs.one(HALF)));
    let newcomers = [("fifth", FIFTH, 4), ("second", SECOND, 1), ("static", STATIC_FIFTH, 4)];
    for (id, file, others) in newcomers {
        let loops = newcomer(&cells_from(runs.one(file), "V100"), others);
        measured.claim(format!("newcomer.{id}"), loops);
    }
    let lost = newcomers.iter().map(|(_, file, _)| runs.one(file).lost_packets()).sum::<u64>();
    measured.claim("newcomer.lost", lost as f64);
    measured.claim("stuck.use", busy(runs.one(STUCK), LINK));
    measured.claim("stuck.double", busy(runs.one(DOUBLE), LINK));
    measured.charts = vec![turn_chart(runs), newcomer_chart(runs)];
    let upright = |chart, claim| Mark::new(chart, claim).upright();
    measured.mark(upright("creditnet-adaptive", "ramp_up").on(0));
    measured.mark(upright("creditnet-adaptive", "static.ramp_up").on(2));
    measured.mark(upright("creditnet-newcomer", "newcomer.fifth").on(0));
    measured.exhibits = vec![table(runs)];
    measured
}

/// The same with a share of N2 + R cells for each VC.
fn fixed(base: &ScenarioText, file: &str) -> ScenarioText {
    let pool = "pool = [{ memory = \"820 cells\" }, \"none\"]\n";
    base.variant(file, &[(pool, ""), ("kind = \"adaptive\"", "kind = \"cup\"")])
}

/// Eqs. (1) and (2), as the scenarios have them.
fn memory(measured: &mut Measured, runs: &Runs) {
    let stuck = runs.one(STUCK);
    let counters = &stuck.counters.directions[stuck.direction(LINK).0];
    let held =
        counters.shared_buffer.as_ref().map_or(f64::NAN, |buffer| f64::from(buffer.held_max_cells));
    let (shared, fixed) = (shared_cells(runs.one(TURNS)), promised(runs.one(STATIC)));
    measured.claim("memory.held", held);
    measured.claim("memory.static", fixed);
    measured.claim("memory.saved", fixed / shared);
}

/// The memory that VCs share at the far end of the link, in cells.
fn shared_cells(run: &Run) -> f64 {
    let buffer = run.network.direction(run.direction(LINK)).shared_buffer;
    buffer.map_or(f64::NAN, |buffer| f64::from(buffer.memory.0))
}

/// What is promised there to each VC for itself, in cells, of all VCs.
fn promised(run: &Run) -> f64 {
    let link = run.direction(LINK);
    let hops = run.network.vcs.iter().flat_map(|vc| &vc.hops);
    let cells = hops.filter(|hop| hop.direction_id() == link).map(|hop| match hop.control {
        HopControl::Credit(credit) if hop.shared_credit().is_none() => f64::from(credit.buffer().0),
        _ => 0.0,
    });
    cells.sum()
}

/// How a link is used turn by turn.
fn turns(measured: &mut Measured, of: &str, run: &Run) {
    measured.claim(format!("{of}lost"), run.lost_packets() as f64);
    let latest = all_turns(run).iter().map(ramp_up).max().unwrap_or(0);
    measured.claim(format!("{of}ramp_up"), latest as f64);
    measured.claim(format!("{of}jain"), least_fair(run));
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
    least((0..COUNT).map(of_turn))
}

/// The share of the link in use from the fifth loop of a turn on, mean over the turns.
fn use_of_late_loops(run: &Run) -> f64 {
    let turns = all_turns(run);
    let cells: usize = turns.iter().flat_map(|sent| &sent[LATE..]).sum();
    cells as f64 / (turns.len() * (TURN - LATE) * LOOP) as f64
}

/// Cells of a VC in each loop from the newcomer's first on.
fn cells_from(run: &Run, vc: &str) -> Vec<usize> {
    let end = run.hop(vc, LINK).end() as usize;
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
        ChartLine::straight(name, (0..TURN).map(|index| ((index + 1) as f64, mean(index))))
    };
    Chart::new("creditnet-adaptive", "Five VCs take over from five others")
        .caption("A share that is there needs no loop to grow; it needs 20 times the memory.")
        .axes("loop of the turn", "share of the link, mean of 20 turns")
        .lines([
            line("adaptive, 820 cells", TURNS),
            line("adaptive, 510 cells", HALF),
            line("static, 16,500 cells", STATIC),
        ])
}

fn newcomer_chart(runs: &Runs) -> Chart {
    let line = |name: &str, file: &str| {
        let cells = cells_from(runs.one(file), "V100");
        let points = cells.iter().take(20).enumerate();
        ChartLine::straight(name, points.map(|(at, cells)| ((at + 1) as f64, *cells as f64)))
    };
    Chart::new("creditnet-newcomer", "A VC comes to a full link")
        .caption(
            "It doubles its share every second loop: use is measured in one, and takes effect in \
             the next.",
        )
        .axes("loops since it began", "its cells in the loop")
        .lines([
            line("fifth VC, adaptive", FIFTH),
            line("second VC, adaptive", SECOND),
            line("fifth VC, static", STATIC_FIFTH),
        ])
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
    Exhibit::new("100 VCs, five active in turn")
        .note("A loop has 155 cell times. `full from` 11: not in a turn of ten loops.")
        .columns(
            "scheme",
            [
                ("memory", "cells"),
                ("full from", "loop"),
                ("loop 1", "cells"),
                ("loop 2", "cells"),
                ("loop 3", "cells"),
                ("loop 4", "cells"),
                ("later", ""),
                ("Jain", ""),
            ],
        )
        .rows([
            row("adaptive, 4 R + 2 N", TURNS, shared_cells(runs.one(TURNS))),
            row("adaptive, 2 R + 2 N", HALF, shared_cells(runs.one(HALF))),
            row("static, N (N2 + R)", STATIC, promised(runs.one(STATIC))),
        ])
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
