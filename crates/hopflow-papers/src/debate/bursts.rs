//! The debate with bursty sources: what the controls make of the same bursts.
//!
//! ```text
//! later   = mean over seeds of (mean delay under a control - mean delay under N23)      (1)
//! carried = mean over seeds of (delivered under a control / delivered under N23)        (2)
//! ```
//! Delays are from the instant at which a source has a cell to its last bit at the other end. Under
//! one seed all controls have the same bursts, so (1) and (2) leave out the chance that all share.
//! Scenarios are those of the debate with another source; claims:
//! `papers/debate/claims/bursts.toml`.

use hopflow::compare::{Comparison, ControlRun};
use hopflow_record::{Estimate, VcSummary};

use super::NETWORKS;
use super::read::{AS_IS, LONG, run_of};
use super::table::{name, place};
use crate::exhibit::Value;
use crate::{Exhibit, Experiment, Measured, Runs, ScenarioText};

const SEEDS: u32 = 10;
/// The control that others are compared with.
const N23: &str = "n23";
const MS: f64 = 1e9;
/// The link in the middle.
const MIDDLE: &str = "S2->S3";

/// Every VC has bursts at the rate of the link.
const FLOW: (&str, &str) = (
    "[defaults.flow]\nexact-phase = true\n",
    "[defaults.flow]\nsource = { kind = \"on-off\", burst = { kind = \"geometric\", mean = 200 }, \
     off = { kind = \"exponential\", mean = \"1300 cells\" } }\n",
);
/// For each network: its duration, the start of L2, and what they become.
const TIMES: [[(&str, &str); 2]; 2] = [
    [
        ("duration = \"100 ms\"", "duration = \"60 ms\"\nwarm-up = \"10 ms\""),
        ("start = \"40 ms\"\n", ""),
    ],
    [
        ("duration = \"1 s\"", "duration = \"120 ms\"\nwarm-up = \"20 ms\""),
        ("start = \"400 ms\"\n", ""),
    ],
];

/// Both networks with bursts, under all controls.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["debate.bursts"], Vec::new, measure).comparing(scenarios);

fn scenarios() -> Vec<ScenarioText> {
    let networks = NETWORKS.into_iter().zip(TIMES);
    let with_bursts = networks.map(|((id, name, text), times)| {
        let base = ScenarioText::new(name, text).with_seeds(SEEDS);
        base.variant(file(id), &[&[FLOW], &times[..]].concat())
    });
    with_bursts.collect()
}

fn file(id: &str) -> String {
    format!("{id}-bursts.toml")
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("debate.bursts");
    for (id, ..) in NETWORKS {
        let bursts = Bursts(runs.comparisons(&file(id)));
        bursts.claims(&mut measured, id);
        measured.exhibits.push(bursts.table(id));
    }
    measured
}

/// The comparisons of one network, by seed.
struct Bursts<'a>(&'a [Comparison]);

impl<'a> Bursts<'a> {
    /// A number of a control and of N23 under the same seed, for each seed.
    fn paired(
        &self,
        control: &str,
        value: impl Fn(&ControlRun) -> f64,
        with: impl Fn(f64, f64) -> f64,
    ) -> Estimate {
        let pair = |one: &Comparison| with(value(run_of(one, control)), value(run_of(one, N23)));
        Estimate::of(self.0.iter().map(pair)).expect("there are seeds")
    }

    /// A number of a control, for each seed.
    fn each(
        &'a self,
        control: &'a str,
        value: impl Fn(&ControlRun) -> f64 + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        self.0.iter().map(move |one| value(run_of(one, control)))
    }

    fn mean(&self, control: &str, value: impl Fn(&ControlRun) -> f64) -> Estimate {
        Estimate::of(self.each(control, value)).expect("there are seeds")
    }

    /// Eq. (1), in ms.
    fn later(&self, control: &str) -> Estimate {
        self.paired(control, delay, |one, n23| one - n23)
    }

    /// Eq. (2).
    fn carried(&self, control: &str) -> Estimate {
        self.paired(control, |run| run.measures.throughput_bps, |one, n23| one / n23)
    }

    fn claims(&self, measured: &mut Measured, id: &str) {
        let mut claim =
            |name: String, value: Estimate| measured.claim(format!("{id}.{name}"), value);
        for control in [N23, "adaptive", "pfc"] {
            claim(
                format!("{control}.lost"),
                sum(self.each(control, |run| run.measures.lost_packets as f64)),
            );
        }
        claim("none.lost_share".to_owned(), self.mean(AS_IS, lost_share));
        for control in ["adaptive", "pfc", "efci", "eprca", "vc-counting", "erica-plus", "vs-vd"] {
            claim(format!("{control}.later"), self.later(control));
        }
        claim("n23.used".to_owned(), self.mean(N23, used));
        for control in ["vc-counting", "efci"] {
            claim(format!("{control}.carried"), self.carried(control));
        }
        if id == "wan" {
            let ratio = self.paired("efci", beatdown, |one, n23| one / n23);
            claim("efci.beatdown".to_owned(), ratio);
        }
        for control in [N23, "vc-counting"] {
            claim(format!("{control}.needed"), most(self.each(control, needed)));
        }
    }

    fn table(&self, id: &str) -> Exhibit {
        let mean = |value: Estimate| value.mean;
        let values: [Value<'_, &str>; 7] = [
            ("lost", "%", &|control| 100.0 * mean(self.mean(control, lost_share))),
            ("carried", "", &|control| mean(self.carried(control))),
            ("long / others", "", &|control| {
                mean(self.paired(control, beatdown, |one, n23| one / n23))
            }),
            ("needed", "cells", &|control| most(self.each(control, needed)).mean),
            ("delay, mean", "ms", &|control| mean(self.mean(control, delay))),
            ("later", "ms", &|control| mean(self.later(control))),
            ("delay, 99 %", "ms", &|control| {
                mean(self.mean(control, |run| run.measures.delay_p99_ps.map_or(f64::NAN, in_ms)))
            }),
        ];
        let controls = self.0[0].runs.iter();
        let rows = controls.map(|run| (name(run), run.measures.control.as_str()));
        Exhibit::new(format!("The debate in a {} with bursts", place(id)))
            .note(format!(
                "Means of {SEEDS} seeds. Carried and long / others are over those of N23 with the \
                 same bursts, later is the mean delay less that of N23. Needed: the most of all \
                 seeds that a switch holds when it has room for everything.",
            ))
            .of("control", &values, rows)
    }
}

fn sum(values: impl Iterator<Item = f64>) -> Estimate {
    Estimate::of([values.sum()]).expect("one value")
}

fn most(values: impl Iterator<Item = f64>) -> Estimate {
    Estimate::of([values.fold(0.0, f64::max)]).expect("one value")
}

fn in_ms(ps: u64) -> f64 {
    ps as f64 / MS
}

fn delay(run: &ControlRun) -> f64 {
    run.measures.delay_mean_ps.map_or(f64::NAN, |ps| ps / MS)
}

fn lost_share(run: &ControlRun) -> f64 {
    run.measures.lost_share
}

fn needed(run: &ControlRun) -> f64 {
    run.measures.needed_packets as f64
}

/// What is delivered over S2->S3, as a part of it.
fn used(run: &ControlRun) -> f64 {
    let crosses = |vc: &&VcSummary| vc.hops.iter().any(|hop| hop.link == MIDDLE);
    let sum: f64 = run.summary.vcs.iter().filter(crosses).map(|vc| vc.throughput_bps).sum();
    let link = run.summary.link(MIDDLE).expect("a link of the debate");
    sum / link.rate_bps as f64
}

/// The mean rate of the long VCs over that of the others.
fn beatdown(run: &ControlRun) -> f64 {
    let (long, short): (Vec<&VcSummary>, Vec<&VcSummary>) =
        run.summary.vcs.iter().partition(|vc| LONG.contains(&vc.name.as_str()));
    let mean =
        |vcs: &[&VcSummary]| vcs.iter().map(|vc| vc.throughput_bps).sum::<f64>() / vcs.len() as f64;
    mean(&long) / mean(&short)
}

#[cfg(test)]
mod tests {
    use hopflow::RunOptions;

    use super::*;
    use crate::plan::plan;
    use crate::work::{Done, Piece, pieces};

    /// Claim: each seed of each network is a piece of its own. Under one seed all nine controls
    /// have the same bursts, so sources create the same cells, which greedy sources would not;
    /// another seed has others.
    #[test]
    fn all_controls_have_the_same_bursts() {
        let pieces = pieces(&EXPERIMENT, &plan());
        assert_eq!(pieces.len(), NETWORKS.len() * SEEDS as usize);
        let created = |piece: &Piece| {
            let Piece::Comparison(text, seed) = piece else { panic!("{piece:?} compares nothing") };
            let text = text.variant("short.toml", &[("\"60 ms\"", "\"12 ms\"")]);
            let done = Piece::Comparison(text, *seed).done(&RunOptions::default());
            let Done::Comparison(done) = done.expect("it runs") else { panic!("no comparison") };
            let created: Vec<u64> =
                done.runs.iter().map(|run| run.measures.created_packets).collect();
            assert_eq!(created.len(), 9);
            assert!(created[0] > 0 && created.iter().all(|one| *one == created[0]), "{created:?}");
            created[0]
        };
        assert_ne!(created(&pieces[0].1), created(&pieces[1].1));
    }
}
