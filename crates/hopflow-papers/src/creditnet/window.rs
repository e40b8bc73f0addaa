//! A TCP window that is too large: no harm with credit, much without. Source: [Kung97] 3.

use super::read::{BUFFER, goodput, without_credit};
use crate::observe::least;
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Runs, ScenarioText};

/// Segments of 9,140 bytes in the window.
const WINDOWS: [u32; 9] = [1, 2, 3, 4, 6, 8, 16, 32, 64];
/// From here on a window fills the slow link with credit.
const ENOUGH: u32 = 2;
/// The buffer without credit holds 682 / 192 = 3.55 packets and one is being sent.
const TOO_LARGE: u32 = 6;

/// The window.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["creditnet.window"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("creditnet/table2a.toml");
    let sizes = WINDOWS.into_iter().flat_map(|window| {
        let sized = format!("mtu = \"9180 B\", window = \"{} B\"", window * 9_140);
        let edits =
            [("mtu = \"9180 B\"", sized.as_str()), ("duration = \"60 s\"", "duration = \"10 s\"")];
        let with = base.variant(file(true, window), &edits);
        let without = without_credit(&with, &file(false, window), BUFFER);
        [with, without]
    });
    sizes.collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.window");
    let of = |credit, window| goodput(runs.one(&file(credit, window)), "TCP1");
    let from = |least: u32| WINDOWS.into_iter().filter(move |window| *window >= least);
    measured.claim("with.least", least(from(ENOUGH).map(|window| of(true, window))));
    let best = from(TOO_LARGE).map(|window| of(false, window)).fold(0.0, f64::max);
    measured.claim("without.most", best);
    let lost: u64 = WINDOWS.into_iter().map(|w| runs.one(&file(true, w)).lost_packets()).sum();
    measured.claim("with.lost", lost as f64);
    let line = |name: &str, credit| {
        ChartLine::straight(name, WINDOWS.into_iter().map(|w| (f64::from(w), of(credit, w))))
    };
    measured.charts = vec![
        Chart::new("creditnet-window", "A window that is too large")
            .caption("With credit what is too much waits in the host.")
            .axes("window (segments of 9,140 bytes)", "goodput (MB/s)")
            .lines([line("with credit", true), line("without credit", false)]),
    ];
    let mark = |claim, line, from| {
        Mark::new("creditnet-window", claim).on(line).between(f64::from(from), f64::INFINITY)
    };
    measured.mark(mark("with.least", 0, ENOUGH));
    measured.mark(mark("without.most", 1, TOO_LARGE));
    measured
}

fn file(credit: bool, window: u32) -> String {
    format!("window-{window}{}.toml", if credit { "" } else { "-without" })
}
