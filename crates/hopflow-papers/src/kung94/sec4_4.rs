//! Section 4.4: credit cells take at most 1/N2 of the reverse link.
//!
//! Source: [KMCL94] 4.4.

use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "sec4.4.toml";
const TEXT: &str = include_str!("../../../../papers/kung94/sec4.4.toml");
const VALUES: std::ops::RangeInclusive<u32> = 2..=50;
/// The values of N2 with a claim of their own.
const SHOWN: [u32; 5] = [2, 5, 10, 20, 50];

/// Section 4.4.
pub(super) struct Sec44;

impl Experiment for Sec44 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec4.4"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let base = ScenarioText::new(FILE, TEXT);
        let vary = |n2| {
            let control = format!("n2 = {n2}");
            base.variant(file(n2), &[("n2 = 10", &control)])
        };
        VALUES.map(|n2| if n2 == 10 { base.clone() } else { vary(n2) }).collect()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let overheads: Vec<(u32, f64)> =
            VALUES.map(|n2| (n2, overhead(runs.one(&file(n2))))).collect();
        let over = overheads.iter().filter(|(n2, share)| *share > 1.0 / f64::from(*n2)).count();
        let products = overheads.iter().map(|(n2, share)| share * f64::from(*n2));
        measured.claim("kung94.sec4.4.over_bound", over as f64);
        measured.claim("kung94.sec4.4.largest_product", products.fold(0.0, f64::max));
        for (n2, share) in &overheads {
            if SHOWN.contains(n2) {
                measured.claim(format!("kung94.sec4.4.n2_{n2}.overhead"), *share);
            }
        }
        measured.charts.push(chart(&overheads));
        measured
    }
}

fn file(n2: u32) -> String {
    if n2 == 10 { FILE.to_owned() } else { format!("sec4.4-n2-{n2}.toml") }
}

/// The share of time in which the reverse link carries credit cells.
fn overhead(run: &Run) -> f64 {
    let reverse = &run.counters.directions[run.direction("B->A").0];
    reverse.busy.0 as f64 / run.counters.now.0 as f64
}

fn chart(overheads: &[(u32, f64)]) -> Chart {
    let measured = overheads.iter().map(|(n2, share)| (f64::from(*n2), *share)).collect();
    let bound = overheads.iter().map(|(n2, _)| (f64::from(*n2), 1.0 / f64::from(*n2))).collect();
    let line = |name: &str, points| ChartLine { name: name.to_owned(), step: false, points };
    Chart {
        id: "kung94-sec4-4".to_owned(),
        title: "Section 4.4: what credit cells cost".to_owned(),
        caption: "The share of the reverse link that credits of one greedy VC take.".to_owned(),
        x: "N2 (cells)".to_owned(),
        y: "credit cells (share of the link)".to_owned(),
        lines: vec![line("measured", measured), line("1/N2", bound)],
    }
}
