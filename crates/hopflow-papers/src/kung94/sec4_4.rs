//! Section 4.4: credit cells take at most 1/N2 of the reverse link.
//!
//! Source: [KMCL94] 4.4.

use crate::{Chart, ChartLine, Experiment, Measured, Runs, ScenarioText};

const FILE: &str = "sec4.4.toml";
const VALUES: std::ops::RangeInclusive<u32> = 2..=50;
/// The values of N2 with a claim of their own.
const SHOWN: [u32; 5] = [2, 5, 10, 20, 50];

/// Section 4.4.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec4.4"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/sec4.4.toml");
    let vary = |n2| {
        let control = format!("n2 = {n2}");
        base.variant(file(n2), &[("n2 = 10", &control)])
    };
    VALUES.map(|n2| if n2 == 10 { base.clone() } else { vary(n2) }).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec4.4");
    let overheads: Vec<(u32, f64)> =
        VALUES.map(|n2| (n2, runs.one(&file(n2)).busy_share("B->A"))).collect();
    let over = overheads.iter().filter(|(n2, share)| *share > 1.0 / f64::from(*n2)).count();
    let products = overheads.iter().map(|(n2, share)| share * f64::from(*n2));
    measured.claim("over_bound", over as f64);
    measured.claim("largest_product", products.fold(0.0, f64::max));
    for (n2, share) in &overheads {
        if SHOWN.contains(n2) {
            measured.claim(format!("n2_{n2}.overhead"), *share);
        }
    }
    measured.charts.push(chart(&overheads));
    measured
}

fn file(n2: u32) -> String {
    if n2 == 10 { FILE.to_owned() } else { format!("sec4.4-n2-{n2}.toml") }
}

fn chart(overheads: &[(u32, f64)]) -> Chart {
    let measured = overheads.iter().map(|(n2, share)| (f64::from(*n2), *share));
    let bound = overheads.iter().map(|(n2, _)| (f64::from(*n2), 1.0 / f64::from(*n2)));
    Chart::new("kung94-sec4-4", "Section 4.4: what credit cells cost")
        .caption("The share of the reverse link that credits of one greedy VC take.")
        .axes("N2 (cells)", "credit cells (share of the link)")
        .lines([ChartLine::straight("measured", measured), ChartLine::straight("1/N2", bound)])
}
