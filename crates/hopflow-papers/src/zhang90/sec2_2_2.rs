//! Section 2.2.2: how long a priority lasts for a flow that runs above its rate, and how large it
//! has to be against the epoch, the time from idle to idle.
//!
//! ```text
//! stamp of a packet that comes s after the first, at m x AR:   s m + Vtick - P           (1)
//! stamp of a flow at its rate that comes at s:                 s + Vtick                 (2)
//! (1) < (2)   until   s = P / (m - 1)                                                    (3)
//! m = 1: it precedes what has waited for less than P, so it waits at most
//!             epoch - P - (the time in which the batch came)                             (4)
//! ```
//! | symbol | meaning                                             | unit |
//! |--------|-----------------------------------------------------|------|
//! | P      | how far ahead of real time the flow's stamps begin  | s    |
//! | m      | its rate as a multiple of AR                        | -    |
//!
//! Twelve flows at their rate send a packet each, all at once, every 100 ms. A packet of the
//! priority flow that comes while three of them or more wait precedes them as long as (1) is
//! less than (2), and so waits for the end of one packet at most.
//! Source: [Zhang90] 2.2.2. The formula is not in the paper: it follows from its rules.

use super::passed::{Passed, passed, worst_ms};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const BASE: &str = "sec2.2.2.toml";
const PACKET_MS: f64 = 5.0;
/// The flow whose priority never ends.
const AT_ITS_RATE: &str = "m1";
/// The variants: name of the claims, P in s, rate in packets/s at AR = 10 packets/s.
const CASES: [(&str, u32, &str); 6] = [
    (AT_ITS_RATE, 10, "10"),
    ("m1.5", 10, "15"),
    ("m2", 10, "20"),
    ("m2_p1", 1, "20"),
    ("m3", 10, "30"),
    ("m5", 10, "50"),
];

/// P in ms of a flow at its rate, against epochs of 60 ms. Eq. (4).
const EPOCHS: [u32; 5] = [10, 20, 40, 60, 600];
/// Slower than AR and than the batches, so that its packets come at all phases of an epoch.
const ALL_PHASES: &str = "rate = \"9.97 packets/s\"";

/// Section 2.2.2.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.sec2.2.2"], scenarios, measure);

fn epoch_file(priority: u32) -> String {
    format!("sec2.2.2-epoch{priority}.toml")
}

fn file(name: &str) -> String {
    if name == "m2" { BASE.to_owned() } else { format!("sec2.2.2-{name}.toml") }
}

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec2.2.2.toml");
    let variant = |(name, priority, rate): (&str, u32, &str)| {
        let edits = [
            ("priority = \"10 s\"", format!("priority = \"{priority} s\"")),
            ("rate = \"20 packets/s\"", format!("rate = \"{rate} packets/s\"")),
        ];
        base.variant(file(name), &edits)
    };
    let epoch = |priority: u32| {
        let edits = [
            ("priority = \"10 s\"", &*format!("priority = \"{priority} ms\"")),
            ("rate = \"20 packets/s\"", ALL_PHASES),
        ];
        base.variant(epoch_file(priority), &edits)
    };
    CASES.map(variant).into_iter().chain(EPOCHS.map(epoch)).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec2.2.2");
    for (id, _, _) in CASES {
        let packets = passed(runs.one(&file(id)), "S->B");
        if id == AT_ITS_RATE {
            measured.claim(format!("{id}.waits_most"), worst_ms(of_priority(&packets)));
        } else {
            measured.claim(format!("{id}.lasts"), lost_after(&packets));
        }
        let others = packets.iter().filter(|p| p.vc != 0);
        measured.claim(format!("{id}.others_wait_most"), worst_ms(others));
    }
    for priority in EPOCHS {
        let packets = passed(runs.one(&epoch_file(priority)), "S->B");
        measured.claim(format!("epoch.p{priority}.waits_most"), worst_ms(of_priority(&packets)));
    }
    measured.charts.push(chart(runs));
    measured
}

/// The packets of flow P, the first of the file.
fn of_priority(packets: &[Passed]) -> impl Iterator<Item = &Passed> {
    packets.iter().filter(|p| p.vc == 0)
}

/// How long after the first packet of P came one that had to wait longer than for the end of one
/// packet, in s; infinite if none did.
fn lost_after(packets: &[Passed]) -> f64 {
    let first = of_priority(packets).next().expect("P sends from the start");
    let behind = of_priority(packets).find(|p| p.waited_ms() > PACKET_MS);
    behind.map_or(f64::INFINITY, |p| p.came.since(first.came).as_secs_f64())
}

fn chart(runs: &Runs) -> Chart {
    /// Packets per point: the worst of them is shown.
    const EVERY: usize = 10;
    let line = |(name, _, rate): &(&str, u32, &str)| {
        let run: &Run = runs.one(&file(name));
        let packets: Vec<Passed> = of_priority(&passed(run, "S->B")).copied().collect();
        let point = |some: &[Passed]| (some[0].came_ms() / 1e3, worst_ms(some));
        ChartLine::straight(format!("{rate} packets/s"), packets.chunks(EVERY).map(point))
    };
    let shown = CASES.iter().filter(|(name, _, _)| ["m1.5", "m2", "m5"].contains(name));
    Chart::new("zhang90-sec2-2-2", "Section 2.2.2: a priority of 10 s, used up")
        .caption(
            "AR = 10 packets/s. The faster the flow, the sooner it waits behind others; the worst \
             of every ten packets.",
        )
        .axes("time (s)", "waiting of the priority flow (ms)")
        .lines(shown.map(line))
}
