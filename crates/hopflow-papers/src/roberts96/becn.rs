//! Marking backward RM cells in place of data cells.
//!
//! The paper says that its simulations would come out the same, since the bottleneck was near the
//! destination. Here the switch is next to it: what is left is the EFCI that waits for an RM cell.
//! With the switch near the sources the loop is shorter.
//! Source: [Roberts96], the text before Figure 1.

use super::network::{LINK, TO_SWITCH, bare_blocks, later, moved, steady, three};
use super::read::{Four, Steady, acr, after_start, cycles, four, within};
use super::technique::Technique;
use crate::observe::median;
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const BECN: &str = r#"kind = "becn", high = "20 cells""#;
const EFCI: &str = r#"kind = "efci", high = "20 cells""#;
const RULES: [(&str, &str); 2] = [("efci", EFCI), ("becn", BECN)];
/// Three cell times before the destination.
const NEXT_TO_IT: f64 = 350.0;
/// Where the switch is, in cell times from the sources.
const PLACES: [(&str, f64); 2] = [("next to the destination", NEXT_TO_IT), ("near", TO_SWITCH)];
/// Starts of the fourth VC, in percent off.
const LATE_PERCENT: [i32; 10] = [-10, -8, -6, -4, -2, 2, 4, 6, 8, 10];
const DURATION: &str = "duration = \"300 ms\"";
const LASTING: &str = "duration = \"1 s\"\nwarm-up = \"100 ms\"";
/// When start-up is over, and when the fourth VC joins, in ms.
const FROM: f64 = 100.0;
const TO: f64 = 200.0;

/// BECN beside EFCI.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.becn"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let of = |base: &ScenarioText, rule| Technique::Binary.with_rule(base, "", rule);
    let mut all = Vec::new();
    for (name, rule) in RULES {
        let base = moved(&of(&bare_blocks(), rule), "", NEXT_TO_IT);
        all.extend(LATE_PERCENT.map(|off| later(&base, &blocks_file(name, off), off)));
        all.push(Technique::Binary.with_rule(&steady(), near_file(name), rule));
        let lasting = of(&three(""), rule).variant("", &[(DURATION, LASTING)]);
        for (place, away) in PLACES {
            all.push(moved(&lasting, &lasting_file(name, place), away));
        }
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.becn");
    let [efci, becn] = RULES.map(|(name, _)| medians(runs, name));
    measured.claim("utilization", becn.utilization - efci.utilization);
    measured.claim("max_queue", becn.max_queue / efci.max_queue);
    measured.claim("mean_queue", becn.mean_queue / efci.mean_queue);
    let lasting = |place| RULES.map(|(name, _)| lasting_numbers(runs, name, place));
    steady_claims(&mut measured, &lasting(PLACES[0].0));
    let [long, short] = RULES.map(|(name, _)| period(runs.one(&near_file(name))));
    measured.claim("near.period", short / long);
    measured.exhibits = vec![table(&efci, &becn), places(runs)];
    measured
}

fn blocks_file(name: &str, off: i32) -> String {
    format!("becn-blocks-{name}-late{off:+}.toml")
}

fn near_file(name: &str) -> String {
    format!("becn-near-{name}.toml")
}

fn lasting_file(name: &str, place: &str) -> String {
    if place == PLACES[0].0 {
        format!("becn-steady-{name}.toml")
    } else {
        format!("becn-steady-{name}-near.toml")
    }
}

fn lasting_numbers(runs: &Runs, name: &str, place: &str) -> Steady {
    after_start(runs.one(&lasting_file(name, place)), LINK)
}

fn table(efci: &Four, becn: &Four) -> Exhibit {
    Exhibit::new("EFCI and BECN next to the destination")
        .note("The blocks of Figure 1, medians of ten starts of the fourth VC.")
        .columns("marked", super::read::COLUMNS)
        .rows([
            ("data cells (EFCI)".to_owned(), efci.row()),
            ("backward RM cells (BECN)".to_owned(), becn.row()),
        ])
}

/// VCs that always send, with the switch at both places.
fn places(runs: &Runs) -> Exhibit {
    let rows = PLACES.into_iter().flat_map(|(place, _)| {
        RULES.map(|(name, _)| {
            let Steady { utilization, mean_queue, max_queue } = lasting_numbers(runs, name, place);
            (format!("{name}, {place}"), vec![utilization, mean_queue, max_queue])
        })
    });
    Exhibit::new("EFCI and BECN, VCs that always send")
        .note("Three VCs, after 100 ms.")
        .columns(
            "marked and where the switch is",
            [("utilization", ""), ("mean queue", "cells"), ("longest", "cells")],
        )
        .rows(rows)
}

/// VCs that always send, after start-up.
fn steady_claims(measured: &mut Measured, [efci, becn]: &[Steady; 2]) {
    measured.claim("steady.utilization", becn.utilization - efci.utilization);
    measured.claim("steady.mean_queue", becn.mean_queue / efci.mean_queue);
}

fn medians(runs: &Runs, name: &str) -> Four {
    let all = LATE_PERCENT.map(|off| four(runs.one(&blocks_file(name, off)), LINK));
    Four::each(|number| median(all.iter().map(number)))
}

fn period(run: &Run) -> f64 {
    cycles(&within(&acr(run, run.vc("VC1")), FROM, TO), TO).period
}
