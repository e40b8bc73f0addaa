//! One buffer for all VCs of a link, against credit per VC: head-of-line blocking and deadlock.
//!
//! In the network of Figures 17 to 19 of [KMCL94] VC2 gets the 2/3 of a link that VC1 leaves. With
//! one credit for both, or with PFC, it gets no more than VC1, which is held to 1/3 further on. In
//! a ring of three switches, one buffer for all VCs is a deadlock: each link waits for the next.
//! Source: [KMCL94] 7.3 for credit per VC; the rest follows from it and is not in a paper.

use hopflow_record::find_deadlock;
use hopflow_units::Bytes;

use super::read::{busy, share};
use crate::observe::throughput;
use crate::{Chart, ChartLine, Exhibit, Experiment, Mark, Measured, Run, Runs, ScenarioText};

/// What both scenarios have with credit per VC.
const PER_VC: &str = "control = { kind = \"n23\"";
const LINK: &str = "rate = \"424 Mb/s\" # A cell time is 1 us.\n";
const MIDDLE: &str = "S1->S2";
const ROUND: [&str; 3] = ["S1->S2", "S2->S3", "S3->S1"];

/// Shares under each control: part of the claim's id, file, and what it is.
const CONTROLS: [(&str, &str, &str); 3] = [
    ("vc", "hol.toml", "credit per VC"),
    ("lane", "hol-lane.toml", "one credit for all"),
    ("pfc", "hol-pfc.toml", "PFC"),
];
/// With too little room above XOFF.
const SHORT: &str = "hol-pfc-short.toml";
/// The rings.
const RINGS: [(&str, &str, &str); 4] = [
    ("vc", "ring.toml", "credit per VC, 108 cells each"),
    ("small", "ring-small.toml", "credit per VC, 20 cells each"),
    ("lane", "ring-lane.toml", "one credit for all, 20 cells"),
    ("pfc", "ring-pfc.toml", "PFC, XOFF at 20 cells"),
];

/// Head-of-line blocking and deadlock.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["creditnet.hol"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let hol = scenario!("creditnet/hol.toml");
    let pfc = shared(&hol, CONTROLS[2].1, &pause(165, 155));
    let short = pfc.variant(SHORT, &[("room = \"auto\"", "room = \"175 cells\"")]);
    let ring = scenario!("creditnet/ring.toml");
    vec![
        shared(&hol, CONTROLS[1].1, &lanes(165, 10)),
        pfc,
        short,
        hol,
        shared(&ring, RINGS[2].1, &lanes(20, 4)),
        shared(&ring, RINGS[3].1, &pause(20, 10)),
        ring.variant(RINGS[1].1, &[("n3 = 104 }", "n3 = 16 }")]),
        ring,
    ]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.hol");
    for (id, file, _) in CONTROLS {
        victims(&mut measured, id, runs.one(file));
    }
    let pfc = runs.one(CONTROLS[2].1);
    let lane = &pfc.counters.directions[pfc.direction(MIDDLE).0].lanes[0];
    measured.claim("pfc.held", (lane.held_max / Bytes::CELL.0) as f64);
    measured.claim("pfc.short.lost", runs.one(SHORT).lost_packets() as f64);
    let lost: u64 = RINGS.iter().map(|(_, file, _)| runs.one(file).lost_packets()).sum();
    measured.claim("ring.lost", lost as f64);
    for (id, file, _) in RINGS {
        ring(&mut measured, id, runs.one(file));
    }
    measured.charts = vec![chart(runs)];
    for (line, (id, ..)) in CONTROLS.into_iter().enumerate() {
        let claim = format!("{id}.vc2.share");
        measured.mark(Mark::new("creditnet-hol", claim).on(line).between(3_000.0, f64::INFINITY));
    }
    measured.exhibits = vec![shares(runs), rings(runs)];
    measured
}

/// The same network without control of VCs, and `keys` for every link instead.
fn shared(base: &ScenarioText, file: &str, keys: &str) -> ScenarioText {
    let links = format!("{LINK}{keys}\n");
    base.variant(file, &[(PER_VC, "# control = { kind = \"n23\""), (LINK, &links)])
}

fn lanes(buffer: u32, update: u32) -> String {
    format!(
        "lanes = {{ priorities = [0], block = \"53 B\", buffer = {buffer}, update = {update} }}"
    )
}

fn pause(xoff: u32, xon: u32) -> String {
    format!(
        "pause = {{ priorities = [0], xoff = \"{xoff} cells\", xon = \"{xon} cells\", \
         quanta = 1000, room = \"auto\" }}"
    )
}

/// What VC1 and VC2 get of the link that they share.
fn victims(measured: &mut Measured, id: &str, run: &Run) {
    measured.claim(format!("{id}.vc1.share"), share(run, "VC1", MIDDLE));
    measured.claim(format!("{id}.vc2.share"), share(run, "VC2", MIDDLE));
    measured.claim(format!("{id}.busy"), busy(run, MIDDLE));
    measured.claim(format!("{id}.lost"), run.lost_packets() as f64);
}

/// Cells delivered after the warm-up.
fn delivered(run: &Run) -> f64 {
    run.summary.vcs.iter().map(|vc| vc.received_packets).sum::<u64>() as f64
}

/// Whether a ring is deadlocked, and which links the message names.
fn ring(measured: &mut Measured, id: &str, run: &Run) {
    measured.claim(format!("ring.{id}.delivered"), delivered(run));
    let deadlock = find_deadlock(&run.network, &run.counters);
    let waits = deadlock.as_ref().map_or(0, |found| found.cycle.len());
    measured.claim(format!("ring.{id}.circle"), waits as f64);
    if let Some(found) = deadlock {
        let text = found.text(&run.network);
        let named = ROUND.iter().filter(|link| text.contains(&format!("{link} ("))).count();
        measured.claim(format!("ring.{id}.named"), named as f64);
    }
}

fn chart(runs: &Runs) -> Chart {
    let line = |(_, file, name): (&str, &str, &str)| {
        let hop = runs.one(file).hop("VC2", MIDDLE);
        ChartLine::straight(name, throughput(&hop.starts(), 100.0, 6_000.0))
    };
    Chart::new("creditnet-hol", "VC2 on the link that it shares with a VC that is held up")
        .caption("With credit per VC it takes the 2/3 that VC1 leaves; else 1/3, as VC1.")
        .axes("time (cell times)", "share of S1->S2, 100 cell times")
        .lines(CONTROLS.map(line))
}

fn shares(runs: &Runs) -> Exhibit {
    let row = |(_, file, name): (&str, &str, &str)| {
        let run = runs.one(file);
        let of = |vc| share(run, vc, MIDDLE);
        (name.to_owned(), vec![of("VC1"), of("VC2"), busy(run, MIDDLE), run.lost_packets() as f64])
    };
    Exhibit::new("Who is held up with whom")
        .note("VC1 has a third of its way out of S2; VC2 has a way out of its own.")
        .columns("control", [("VC1", ""), ("VC2", ""), ("S1->S2 busy", ""), ("lost", "cells")])
        .rows(CONTROLS.map(row))
}

fn rings(runs: &Runs) -> Exhibit {
    let found = |run: &Run| find_deadlock(&run.network, &run.counters);
    let row = |(_, file, name): (&str, &str, &str)| {
        let run = runs.one(file);
        let waits = found(run).map_or(0, |deadlock| deadlock.cycle.len());
        (name.to_owned(), vec![delivered(run), waits as f64])
    };
    let stuck = runs.one(RINGS[3].1);
    let sentence = found(stuck).map_or_else(String::new, |one| one.text(&stuck.network));
    Exhibit::new("Three switches in a ring")
        .note(format!("What `why` says under PFC: {sentence}."))
        .columns("control", [("delivered in the second half", "cells"), ("waits in a circle", "")])
        .rows(RINGS.map(row))
}
