//! Table 2: one TCP, and two, over a slow link, with credit and without.
//!
//! Without credit a burst of TCP overruns the buffer of 682 cells; several packets of a window are
//! lost, and a time-out of a second or more follows, in which the link is idle. With credit the
//! switch holds the sender back, and nothing is lost.
//! Source: [Kung97] 3, Table 2. Differs: Figure 15 is not to be had; see
//! `docs/models/creditnet.md`.

use super::read::{BUFFER, busy, goodput, hop, payload, timeouts, without_credit};
use crate::{Chart, ChartLine, Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const ONE: &str = "table2a.toml";
const ONE_TEXT: &str = include_str!("../../../../papers/creditnet/table2a.toml");
const TWO: &str = "table2b.toml";
const TWO_TEXT: &str = include_str!("../../../../papers/creditnet/table2b.toml");
const ONE_FREE: &str = "table2a-without.toml";
const TWO_FREE: &str = "table2b-without.toml";
/// Cells for each VC at a switch without credit, from the paper's to more than any window.
const BUFFERS: [u32; 6] = [682, 900, 1_100, 1_300, 1_400, 1_600];
const SLOW_A: &str = "S->H2";
const SLOW_B: &str = "S1->S2";
const TCPS: [&str; 2] = ["TCP1", "TCP2"];

/// Table 2.
pub(super) struct Table2;

impl Experiment for Table2 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["creditnet.table2"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let (one, two) = (ScenarioText::new(ONE, ONE_TEXT), ScenarioText::new(TWO, TWO_TEXT));
        let free = [without_credit(&one, ONE_FREE, BUFFER), without_credit(&two, TWO_FREE, BUFFER)];
        let curve = BUFFERS.map(|cells| {
            let buffer = format!("vc-buffer = \"{cells} cells\"");
            let edits = [("duration = \"60 s\"", "duration = \"20 s\"")];
            without_credit(&one.variant(buffer_file(cells), &edits), &buffer_file(cells), &buffer)
        });
        [one, two].into_iter().chain(free).chain(curve).collect()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let (one, two) = (runs.one(ONE), runs.one(TWO));
        let (one_free, two_free) = (runs.one(ONE_FREE), runs.one(TWO_FREE));
        let both = |run: &Run| TCPS.map(|tcp| payload(run, tcp, SLOW_B)).iter().sum::<f64>();
        let single = |run: &Run| payload(run, "TCP1", SLOW_A);
        claim(&mut measured, "one.with", single(one));
        claim(&mut measured, "one.without", single(one_free));
        claim(&mut measured, "two.with", both(two));
        claim(&mut measured, "two.without", both(two_free));
        claim(&mut measured, "two_over_one", both(two_free) / single(one_free));
        claim(&mut measured, "one.goodput", goodput(one, "TCP1"));
        claim(&mut measured, "two.goodput", TCPS.map(|tcp| goodput(two, tcp)).iter().sum());
        let shares = TCPS.map(|tcp| payload(two, tcp, SLOW_B));
        claim(&mut measured, "two.shares", shares[0].min(shares[1]) / shares[0].max(shares[1]));
        claim(&mut measured, "lost", (one.lost_packets() + two.lost_packets()) as f64);
        claim(&mut measured, "one.busy", busy(one, SLOW_A));
        claim(&mut measured, "two.busy", busy(two, SLOW_B));
        cause(&mut measured, one_free);
        let least =
            BUFFERS.into_iter().find(|cells| runs.one(&buffer_file(*cells)).lost_packets() == 0);
        claim(&mut measured, "buffer_without_loss", least.map_or(f64::NAN, f64::from));
        measured.charts = vec![curve(runs)];
        measured.exhibits = vec![table([one, two], [one_free, two_free])];
        measured
    }
}

fn claim(measured: &mut Measured, id: &str, value: f64) {
    measured.claim(format!("creditnet.table2.{id}"), value);
}

fn buffer_file(cells: u32) -> String {
    format!("table2a-buffer-{cells}.toml")
}

/// Why it is slow without credit: what is lost for each time-out, and how often one comes.
fn cause(measured: &mut Measured, run: &Run) {
    let (lost, waits) = (run.lost_packets() as f64, timeouts(run, "TCP1"));
    claim(measured, "cause.lost_per_timeout", lost / waits);
    claim(measured, "cause.cycle", super::read::seconds(run) / waits);
    claim(measured, "cause.wasted", hop(run, "TCP1", "H1->S").dropped_packets as f64 / lost);
}

fn curve(runs: &Runs) -> Chart {
    let point = |cells: u32| (f64::from(cells), goodput(runs.one(&buffer_file(cells)), "TCP1"));
    Chart {
        id: "creditnet-buffer".to_owned(),
        title: "Table 2 (a) without credit: how many cells would do".to_owned(),
        caption: "Seven segments of 192 cells fit the largest window without scaling.".to_owned(),
        x: "cells of buffer for the VC".to_owned(),
        y: "goodput of one TCP (MB/s)".to_owned(),
        lines: vec![ChartLine {
            name: "goodput".to_owned(),
            step: false,
            points: BUFFERS.into_iter().map(point).collect(),
        }],
    }
}

/// The paper's table beside ours: with credit and without, one TCP and two.
fn table(with: [&Run; 2], without: [&Run; 2]) -> Exhibit {
    let all = |run: &Run, link: &str| {
        let tcps = run.summary.connections.iter();
        let cells = tcps.clone().map(|one| payload(run, &one.name, link)).sum::<f64>();
        let bytes = tcps.clone().map(|one| goodput(run, &one.name)).sum::<f64>();
        let waits = tcps.map(|one| timeouts(run, &one.name)).sum::<f64>();
        vec![cells, bytes, run.lost_packets() as f64, waits, busy(run, link)]
    };
    let row = |name: &str, printed: f64, run: &Run, link: &str| {
        let mut numbers = vec![printed];
        numbers.extend(all(run, link));
        (name.to_owned(), numbers)
    };
    Exhibit {
        title: "Table 2".to_owned(),
        note: "Payload counts cells on the slow link, whatever became of them.".to_owned(),
        rows_are: "configuration",
        columns: vec![
            ("paper", "MB/s"),
            ("payload", "MB/s"),
            ("goodput", "MB/s"),
            ("lost", "cells"),
            ("time-outs", ""),
            ("busy", ""),
        ],
        rows: vec![
            row("(a) one TCP, without credit", 0.1, without[0], SLOW_A),
            row("(b) two TCPs, without credit", 0.2, without[1], SLOW_B),
            row("(a) one TCP, with credit", 5.7, with[0], SLOW_A),
            row("(b) two TCPs, with credit", 5.7, with[1], SLOW_B),
        ],
    }
}
