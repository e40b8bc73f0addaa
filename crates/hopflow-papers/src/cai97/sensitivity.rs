//! What [Cai97] leaves open, and what depends on it: further readings of ERICA+, its parameters,
//! and the third link of configuration 3. The two readings of the tables: `readings.rs`.

use super::network::{INTERVALS, bottleneck, file, most, slow_link, switches, variant};
use crate::observe::median;
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const HELD: &str = "hold-at-share = true, ";
const CAP: &str = "cap = \"link\"";
const SEVERAL: [u32; 3] = [5, 10, 15];

/// A reading of configuration 1: a name for files, and what differs from `conf1.toml`.
struct Reading {
    name: &'static str,
    words: &'static str,
    virtual_source: bool,
    intervals: &'static [u32],
    edits: &'static [(&'static str, &'static str)],
}

const TARGET: (&str, &str) = (CAP, "cap = \"target\"");
const READINGS: [Reading; 3] = [
    Reading {
        name: "target",
        words: "without, held, ER up to the target",
        virtual_source: false,
        intervals: &INTERVALS,
        edits: &[TARGET],
    },
    Reading {
        name: "not-held-target",
        words: "without, not held, ER up to the target",
        virtual_source: false,
        intervals: &SEVERAL,
        edits: &[(HELD, ""), TARGET],
    },
    Reading {
        name: "not-held",
        words: "with, not held, a VC's rate between its RM cells (option c)",
        virtual_source: true,
        intervals: &SEVERAL,
        edits: &[(HELD, "")],
    },
];

/// What is varied one at a time, at 10 ms: configuration, name, and what differs.
const VARIED: [(u32, &str, (&str, &str)); 7] = [
    (1, "T0 0.5 ms", (CAP, "cap = \"link\", target-delay = \"0.5 ms\"")),
    (1, "T0 5 ms", (CAP, "cap = \"link\", target-delay = \"5 ms\"")),
    (1, "a 1.5", (CAP, "cap = \"link\", a = 1.5")),
    (1, "b 1", (CAP, "cap = \"link\", b = 1.0")),
    (1, "500 cells", (CAP, "cap = \"link\", interval-cells = 500")),
    (3, "LINK2 10 us", ("delay = \"10 ms\"", "delay = \"10 us\"")),
    (3, "LINK2 100 ms", ("delay = \"10 ms\"", "delay = \"100 ms\"")),
];

/// What the paper leaves open.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["cai97.sensitivity"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for reading in &READINGS {
        let of = |ms: &u32| {
            let name = format!("{}-{ms}", reading.name);
            variant(1, reading.virtual_source, *ms, &name, reading.edits)
        };
        all.extend(reading.intervals.iter().map(of));
    }
    for (conf, name, edit) in VARIED {
        let name = file_part(name);
        let edits = [edit, ("duration = \"15 s\"", "duration = \"10 s\"")];
        all.extend([false, true].map(|row| variant(conf, row, 10, &name, &edits)));
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("cai97.sensitivity");
    for (reading, claim) in [(&READINGS[0], "target"), (&READINGS[2], "not_held.with")] {
        measured.claim(claim, median(of_reading(runs, reading).into_iter().map(queue)));
    }
    measured.exhibits = vec![readings(runs), parameters(runs)];
    measured
}

/// `T0 0.5 ms` in the name of a file.
fn file_part(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

fn of_reading<'r>(runs: &'r Runs, reading: &Reading) -> Vec<&'r Run> {
    let of =
        |ms: &u32| runs.one(&file(1, reading.virtual_source, &format!("{}-{ms}", reading.name)));
    reading.intervals.iter().map(of).collect()
}

/// The largest queue of any switch behind the first, and of that one with virtual sources too:
/// without them the first has a burst of the sources, not the bottleneck's queue.
fn queue(run: &Run) -> f64 {
    let first = usize::from(run.network.virtual_source(run.direction("SW1->SW2")).is_none());
    switches(run).iter().skip(first).map(|switch| most(run, switch)).fold(0.0, f64::max)
}

fn readings(runs: &Runs) -> Exhibit {
    let row = |reading: &Reading| {
        let of = |what: fn(&Run) -> f64| {
            let mut values: Vec<f64> = of_reading(runs, reading).into_iter().map(what).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let (first, second) = (of(|run| most(run, "SW1")), of(|run| most(run, "SW2")));
        let numbers = [&first, &second].into_iter().flat_map(|values| {
            [values[0], median(values.iter().copied()), values[values.len() - 1]]
        });
        (reading.words.to_owned(), numbers.collect())
    };
    let cells = "cells";
    Exhibit::new("Further readings of ERICA+ in configuration 1")
        .note(
            "The paper tells none of this. Least, median and most over averaging intervals. The \
             tables above have ER up to the link, held at the fair share and not.",
        )
        .columns(
            "VS/VD and reading",
            [
                ("SW1 least", cells),
                ("median", cells),
                ("most", cells),
                ("SW2 least", cells),
                ("median", cells),
                ("most", cells),
            ],
        )
        .rows(READINGS.iter().map(row))
}

fn parameters(runs: &Runs) -> Exhibit {
    let mut rows = Vec::new();
    for (conf, name, _) in VARIED {
        let mut numbers = Vec::new();
        for virtual_source in [false, true] {
            let run = runs.one(&file(conf, virtual_source, &file_part(name)));
            let queue = if virtual_source { queue(run) } else { most(run, bottleneck(conf)) };
            numbers.extend([queue, 100.0 * run.busy_share(slow_link(conf))]);
        }
        rows.push((format!("configuration {conf}, {name}"), numbers));
    }
    Exhibit::new("Parameters that the paper does not tell, one at a time")
        .note(
            "Runs of 10 s, which have slow start and the queue that it leaves, at an averaging \
             interval of 10 ms, or of 500 cells where they come first. With VS/VD the largest \
             queue of any switch.",
        )
        .columns(
            "what differs",
            [("without VS/VD", "cells"), ("link busy", "%"), ("with", "cells"), ("link busy", "%")],
        )
        .rows(rows)
}
