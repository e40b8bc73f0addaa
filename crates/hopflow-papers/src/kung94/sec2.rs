//! Section 2: a host with a HIPPI interface of 800 Mb/s, whose burst of 10 ms takes a large part of
//! a link and is gone.
//!
//! Without flow control the part of the burst that the link behind the switch does not take is lost
//! but for the buffer; under N23 it waits at the host.
//! Source: [KMCL94] 2.

use crate::observe::sliding_share;
use crate::{Chart, ChartLine, Experiment, Hop, Measured, Run, Runs, ScenarioText};

const FILE: &str = "sec2-hippi.toml";
const UNCONTROLLED: &str = "sec2-hippi-uncontrolled.toml";
const OUT: &str = "S->B";
/// 10 ms, in ps.
const SPAN: f64 = 1e10;

/// Section 2.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec2"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/sec2-hippi.toml");
    let edits = [
        ("control = { kind = \"n23\", n2 = 10, n3 = 23 }", "control = { kind = \"none\" }"),
        ("name = \"S\"\n", "name = \"S\"\nvc-buffer = \"33 cells\"\n"),
    ];
    vec![base.clone(), base.variant(UNCONTROLLED, &edits)]
}

fn measure(runs: &Runs) -> Measured {
    let (held, loose) = (runs.one(FILE), runs.one(UNCONTROLLED));
    let hop = held.hop("VC", OUT);
    let (starts, span) = (hop.starts(), span(held));
    let first = starts.first().copied().unwrap_or(f64::NAN);
    let mut measured = Measured::of("kung94.sec2.hippi");
    measured.claim("share", hop.share(first, first + span));
    measured.claim("after", hop.share(first + 2.0 * span, first + 3.0 * span));
    measured.claim("lost", held.lost_packets() as f64);
    measured.claim("uncontrolled_lost", loose.lost_packets() as f64);
    measured.charts.push(chart(&hop, &loose.hop("VC", OUT)));
    measured
}

/// 10 ms in whole cell times of the link behind the switch.
fn span(run: &Run) -> f64 {
    (SPAN / run.network.cell_time(run.direction(OUT)).0 as f64).floor()
}

fn chart(held: &Hop<'_>, loose: &Hop<'_>) -> Chart {
    let window = 500.0;
    let line = |name, hop: &Hop<'_>| {
        let share = sliding_share(&hop.starts(), window, 0.0, hop.end());
        ChartLine::straight(name, share)
    };
    Chart::new("kung94-sec2-hippi", "Section 2: a burst of 800 Mb/s for 10 ms on 622 Mb/s")
        .caption("Over 500 cell times. Under N23 what the link does not take waits at the host.")
        .axes("time (cell times)", "share of the link")
        .lines([line("N23", held), line("no control", loose)])
}
