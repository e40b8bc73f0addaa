//! What a flow pays for service while it was alone, and shares of overloaded flows.
//!
//! ```text
//! VirtualClock: outage = r2 / C x T x (C / r1 - 1)                                      (1)
//! ```
//! | symbol | meaning                                                          | unit |
//! |--------|------------------------------------------------------------------|------|
//! | C      | rate of the link                                                 | b/s  |
//! | r1, r2 | reserved rates of the first and the second flow                  | b/s  |
//! | T      | how long the first flow was backlogged alone                     | s    |
//!
//! *Why.* In T the first flow sends C T / L packets, each of which moves its auxVC by L / r1, to
//! T C / r1. The second begins with stamps from T on, L / r2 apart. Until its stamps have caught
//! up it sends r2 T (C / r1 - 1) / L packets, each taking L / C. Fair queueing remembers nothing
//! of the time before: no outage.
//!
//! Source: [Zhang90] 4.2 for the comparison; [SVC97] for the flaw.

use crate::{Chart, ChartLine, Measured, Run, Runs, ScenarioText};

const FILE: &str = "sec4-starvation.toml";
pub(super) const CLOCK: &str =
    "scheduler = { kind = \"virtual-clock\", messages = false, delete-after = 1000000 }";
const FIRST: &str = "route = [\"A1\", \"S\", \"B\"]\nreservation = { rate = \"200 kb/s\" }";
const SECOND: &str = "route = [\"A2\", \"S\", \"B\"]\nreservation = { rate = \"200 kb/s\" }";
const LATE: &str = "start = \"1 s\"\n";
/// A packet of 250 bytes on the link of 400 kb/s, in ms.
const SLOT_MS: f64 = 5.0;
/// How long the first flow is alone, in slots.
const ALONE: f64 = 200.0;

/// Schedulers that must not know the outage: key in ids and files, TOML.
const FAIR: [(&str, &str); 7] = [
    ("leap-forward", "\"leap-forward\""),
    ("wfq", "\"wfq\""),
    ("wf2q", "\"wf2q\""),
    ("scfq", "\"scfq\""),
    ("sfq", "\"sfq\""),
    ("deficit-round-robin", "{ kind = \"deficit-round-robin\", quantum = \"250 B\" }"),
    ("weighted-round-robin", "\"weighted-round-robin\""),
];
/// Reserved by the first flow, in kb/s and in percent of the link.
const RESERVED: [(&str, u32); 3] = [("200", 50), ("100", 25), ("300", 75)];
/// Schedulers whose shares under overload are compared.
const SHARES: [(&str, &str); 4] = [
    ("virtual-clock", CLOCK),
    ("wfq", "scheduler = \"wfq\""),
    ("round-robin", "scheduler = \"round-robin\""),
    ("fifo", "scheduler = \"fifo\""),
];

fn reserved_file(percent: u32) -> String {
    if percent == 50 { FILE.to_owned() } else { format!("sec4-starvation-{percent}.toml") }
}

fn fair_file(key: &str) -> String {
    format!("sec4-starvation-{key}.toml")
}

fn shares_file(key: &str) -> String {
    format!("sec4-shares-{key}.toml")
}

/// The base with this much reserved by the first flow; the second has the rest of 400 kb/s.
fn reserving(base: &ScenarioText, file: String, first: &str) -> ScenarioText {
    let kbps: u32 = first.parse().expect("a rate is a number");
    let one = FIRST.replace("200 kb/s", &format!("{kbps} kb/s"));
    let two = SECOND.replace("200 kb/s", &format!("{} kb/s", 400 - kbps));
    base.variant(file, &[(FIRST, &one), (SECOND, &two)])
}

pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec4-starvation.toml");
    let clocks =
        RESERVED.iter().map(|(kbps, percent)| reserving(&base, reserved_file(*percent), kbps));
    let fair = FAIR.iter().map(|(key, toml)| {
        base.variant(fair_file(key), &[(CLOCK, &format!("scheduler = {toml}"))])
    });
    let shares = SHARES.iter().map(|(key, line)| {
        let both = base.variant(shares_file(key), &[(LATE, ""), (CLOCK, *line)]);
        reserving(&both, shares_file(key), "300")
    });
    clocks.chain(fair).chain(shares).collect()
}

/// The longest time between two starts of the first flow, less its own packet, in slots.
fn outage(run: &Run) -> f64 {
    let starts = starts(run, "first");
    let gaps = starts.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.fold(0.0, f64::max) / SLOT_MS - 1.0
}

/// When packets of a flow start on the link, in ms.
fn starts(run: &Run, flow: &str) -> Vec<f64> {
    let hop = run.hop(flow, "S->B");
    let cell_ms = run.network.cell_time(run.direction("S->B")).0 as f64 / 1e9;
    hop.starts().into_iter().map(|cells| cells * cell_ms).collect()
}

/// Eq. (1), in slots, with the share of the link that the first flow has reserved.
fn closed_form(first: f64) -> f64 {
    (1.0 - first) * ALONE * (1.0 / first - 1.0)
}

pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    for (_, percent) in RESERVED {
        let seen = outage(runs.one(&reserved_file(percent)));
        measured.claim(format!("starvation.r{percent}.outage"), seen);
        let off = seen - closed_form(f64::from(percent) / 100.0);
        measured.claim(format!("starvation.r{percent}.off"), off);
    }
    for (key, _) in FAIR {
        measured.claim(format!("starvation.{key}.outage"), outage(runs.one(&fair_file(key))));
    }
    for (key, _) in SHARES {
        let run = runs.one(&shares_file(key));
        // The first flow has reserved three times what the second has; the second half of the run.
        let half = run.counters.now.0 as f64 / 2e9;
        let count = |flow: &str| starts(run, flow).into_iter().filter(|t| *t > half).count();
        measured.claim(format!("shares.{key}"), count("first") as f64 / count("second") as f64);
    }
    measured.charts.push(chart(runs));
}

fn chart(runs: &Runs) -> Chart {
    /// Packets from one point of a curve to the next.
    const EVERY: usize = 5;
    let line = |name: &str, file: &str, flow: &str| {
        ChartLine::straight(
            name,
            starts(runs.one(file), flow)
                .into_iter()
                .enumerate()
                .step_by(EVERY)
                .map(|(count, time)| (time / 1e3, count as f64)),
        )
    };
    Chart::new("zhang90-sec4-starvation", "A flow pays for what it took while it was alone")
        .caption(
            "Both flows have half of the link. The second begins at 1 s; under VirtualClock the \
             first then gets nothing for half a second.",
        )
        .axes("time (s)", "packets served")
        .lines([
            line("first, VirtualClock", FILE, "first"),
            line("second, VirtualClock", FILE, "second"),
            line("first, WFQ", &fair_file("wfq"), "first"),
            line("second, WFQ", &fair_file("wfq"), "second"),
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the link each and 200 slots alone: 0.5 x 200 x (2 - 1) = 100 slots. A quarter:
    /// 0.75 x 200 x 3 = 450. Three quarters: 0.25 x 200 / 3 = 16.7.
    #[test]
    fn closed_form_is_the_debt() {
        assert!((closed_form(0.5) - 100.0).abs() < 1e-9);
        assert!((closed_form(0.25) - 450.0).abs() < 1e-9);
        assert!((closed_form(0.75) - 16.666_666).abs() < 1e-5);
    }
}
