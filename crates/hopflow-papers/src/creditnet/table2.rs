//! Table 2: one TCP, and two, over a slow link, with credit and without.
//!
//! Without credit a burst of TCP overruns the buffer of 682 cells; several packets of a window are
//! lost, and a time-out of a second or more follows, in which the link is idle. With credit the
//! switch holds the sender back, and nothing is lost.
//! Source: [Kung97] 3, Table 2. Differs: Figure 15 is not to be had; see
//! `docs/models/creditnet.md`.

use super::primary;
use super::read::{BUFFER, busy, goodput, hop, payload, timeouts, without_credit};
use crate::exhibit::Value;
use crate::{Chart, ChartLine, Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const ONE: &str = "table2a.toml";
const TWO: &str = "table2b.toml";
const ONE_FREE: &str = "table2a-without.toml";
const TWO_FREE: &str = "table2b-without.toml";
/// Cells for each VC at a switch without credit, from the paper's to more than any window.
const BUFFERS: [u32; 6] = [682, 900, 1_100, 1_300, 1_400, 1_600];
const SLOW_A: &str = "S->H2";
const SLOW_B: &str = "S1->S2";
const TCPS: [&str; 2] = ["TCP1", "TCP2"];
/// Start phases in TCP's clock of 500 ms, in ms: when a burst ends decides which tick repeats it.
const PHASES: [u32; 5] = [0, 100, 200, 300, 400];

/// Table 2.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["creditnet.table2"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let (one, two) = (scenario!("creditnet/table2a.toml"), scenario!("creditnet/table2b.toml"));
    let primary = primary::scenarios(&one, &two);
    let free = [without_credit(&one, ONE_FREE, BUFFER), without_credit(&two, TWO_FREE, BUFFER)];
    let curve = BUFFERS.map(|cells| {
        let buffer = format!("vc-buffer = \"{cells} cells\"");
        let edits = [("duration = \"60 s\"", "duration = \"20 s\"")];
        without_credit(&one.variant(buffer_file(cells), &edits), &buffer_file(cells), &buffer)
    });
    let phases = phases(&free);
    [one, two].into_iter().chain(free).chain(curve).chain(phases).chain(primary).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.table2");
    let (one, two) = (runs.one(ONE), runs.one(TWO));
    let (one_free, two_free) = (runs.one(ONE_FREE), runs.one(TWO_FREE));
    measured.claim("one.with", single(one));
    measured.claim("one.without", single(one_free));
    measured.claim("two.with", both(two));
    measured.claim("two.without", both(two_free));
    primary::claims(&mut measured, runs, [SLOW_A, SLOW_B]);
    measured.band("two_over_one", two_over_one(runs));
    measured.claim("one.goodput", goodput(one, "TCP1"));
    measured.claim("two.goodput", TCPS.map(|tcp| goodput(two, tcp)).iter().sum::<f64>());
    let shares = TCPS.map(|tcp| payload(two, tcp, SLOW_B));
    measured.claim("two.shares", shares[0].min(shares[1]) / shares[0].max(shares[1]));
    measured.claim("lost", (one.lost_packets() + two.lost_packets()) as f64);
    measured.claim("one.busy", busy(one, SLOW_A));
    measured.claim("two.busy", busy(two, SLOW_B));
    cause(&mut measured, one_free);
    let least =
        BUFFERS.into_iter().find(|cells| runs.one(&buffer_file(*cells)).lost_packets() == 0);
    measured.claim("buffer_without_loss", least.map_or(f64::NAN, f64::from));
    measured.charts = vec![curve(runs)];
    measured.exhibits = vec![table([one, two], [one_free, two_free]), phase_table(runs)];
    measured
}

fn buffer_file(cells: u32) -> String {
    format!("table2a-buffer-{cells}.toml")
}

/// What one TCP puts on the slow link, in MB/s.
fn single(run: &Run) -> f64 {
    payload(run, "TCP1", SLOW_A)
}

/// What two TCPs put on the slow link, in MB/s.
fn both(run: &Run) -> f64 {
    TCPS.map(|tcp| payload(run, tcp, SLOW_B)).iter().sum()
}

fn one_at(phase: u32) -> String {
    format!("table2a-without-at-{phase}.toml")
}

fn two_at(first: u32, second: u32) -> String {
    format!("table2b-without-at-{first}-{second}.toml")
}

/// One TCP at each start phase, and two at each pair, without credit.
fn phases([one, two]: &[ScenarioText; 2]) -> Vec<ScenarioText> {
    let at = |base: &ScenarioText, file: String, starts: &[u32]| {
        let edits: Vec<(String, String)> = TCPS
            .iter()
            .zip(starts)
            .map(|(tcp, phase)| {
                let name = format!("name = \"{tcp}\"\n");
                (name.clone(), format!("{name}start = \"{phase} ms\"\n"))
            })
            .collect();
        base.variant(file, &edits)
    };
    let mut all = Vec::new();
    for first in PHASES {
        all.push(at(one, one_at(first), &[first]));
        all.extend(PHASES.map(|second| at(two, two_at(first, second), &[first, second])));
    }
    all
}

/// Two TCPs at each pair of start phases over one at the phase of the first.
fn two_over_one(runs: &Runs) -> Vec<(String, f64)> {
    let pair = |first: u32, second: u32| {
        let ratio = both(runs.one(&two_at(first, second))) / single(runs.one(&one_at(first)));
        (format!("starts at {first} and {second} ms"), ratio)
    };
    PHASES.iter().flat_map(|first| PHASES.map(|second| pair(*first, second))).collect()
}

/// What [`two_over_one`] is worked out from.
fn phase_table(runs: &Runs) -> Exhibit {
    let row = |first: u32| {
        let mut numbers = vec![single(runs.one(&one_at(first)))];
        numbers.extend(PHASES.map(|second| both(runs.one(&two_at(first, second)))));
        (format!("{first} ms"), numbers)
    };
    Exhibit::new("Without credit, over the start phase")
        .note(
            "TCP's clock ticks every 500 ms and decides when it sends again, so payload depends on \
             the phase in it at which a TCP starts. One TCP, then two, of which the second starts \
             at the time in the heading.",
        )
        .columns(
            "start of the first TCP",
            [
                ("one TCP", "MB/s"),
                ("0 ms", "MB/s"),
                ("100 ms", "MB/s"),
                ("200 ms", "MB/s"),
                ("300 ms", "MB/s"),
                ("400 ms", "MB/s"),
            ],
        )
        .rows(PHASES.into_iter().map(row))
}

/// Why it is slow without credit: what is lost for each time-out, and how often one comes.
fn cause(measured: &mut Measured, run: &Run) {
    let (lost, waits) = (run.lost_packets() as f64, timeouts(run, "TCP1"));
    measured.claim("cause.lost_per_timeout", lost / waits);
    measured.claim("cause.cycle", super::read::seconds(run) / waits);
    measured.claim("cause.wasted", hop(run, "TCP1", "H1->S").dropped_packets as f64 / lost);
}

fn curve(runs: &Runs) -> Chart {
    let point = |cells: u32| (f64::from(cells), goodput(runs.one(&buffer_file(cells)), "TCP1"));
    Chart::new("creditnet-buffer", "Table 2 (a) without credit: how many cells would do")
        .caption("Seven segments of 192 cells fit the largest window without scaling.")
        .axes("cells of buffer for the VC", "goodput of one TCP (MB/s)")
        .lines([ChartLine::straight("goodput", BUFFERS.into_iter().map(point))])
}

/// The paper's table beside ours: with credit and without, one TCP and two.
fn table(with: [&Run; 2], without: [&Run; 2]) -> Exhibit {
    let tcps = |run: &Run, of: &dyn Fn(&str) -> f64| -> f64 {
        run.summary.connections.iter().map(|one| of(&one.name)).sum()
    };
    let values: [Value<'_, (f64, &Run, &str)>; 6] = [
        ("paper", "MB/s", &|(printed, ..)| *printed),
        ("payload", "MB/s", &|(_, run, link)| tcps(run, &|tcp| payload(run, tcp, link))),
        ("goodput", "MB/s", &|(_, run, _)| tcps(run, &|tcp| goodput(run, tcp))),
        ("lost", "cells", &|(_, run, _)| run.lost_packets() as f64),
        ("time-outs", "", &|(_, run, _)| tcps(run, &|tcp| timeouts(run, tcp))),
        ("busy", "", &|(_, run, link)| busy(run, link)),
    ];
    let rows = [
        ("(a) one TCP, without credit", (0.1, without[0], SLOW_A)),
        ("(b) two TCPs, without credit", (0.2, without[1], SLOW_B)),
        ("(a) one TCP, with credit", (5.7, with[0], SLOW_A)),
        ("(b) two TCPs, with credit", (5.7, with[1], SLOW_B)),
    ];
    Exhibit::new("Table 2")
        .note("Payload counts cells on the slow link, whatever became of them.")
        .of("configuration", &values, rows.map(|(name, row)| (name.to_owned(), row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: one TCP runs at each phase and two at each pair, with the starts that the file says.
    #[test]
    fn every_pair_of_phases_is_run() {
        let all = scenarios();
        let found = |file: &str| all.iter().find(|one| one.file == file).unwrap();
        let phases = all.iter().filter(|one| one.file.contains("-without-at-"));
        assert_eq!(phases.count(), 5 + 5 * 5);
        let one = &found("table2a-without-at-300.toml").text;
        assert!(one.contains("name = \"TCP1\"\nstart = \"300 ms\"\n"));
        let two = &found("table2b-without-at-100-400.toml").text;
        assert!(two.contains("name = \"TCP1\"\nstart = \"100 ms\"\n"));
        assert!(two.contains("name = \"TCP2\"\nstart = \"400 ms\"\n"));
        assert!(!two.contains("n23"), "without credit");
    }
}
