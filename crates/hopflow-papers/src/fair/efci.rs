//! EFCI: fair among VCs over the same links, and not to one that crosses many.

use hopflow::jain_index;

use super::network::{rates, settled, shares, under};
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const KEYS: &str = "{ kind = \"efci\", high = \"100 cells\", low = \"50 cells\" }";
const EQUAL: &str = "n-source-efci.toml";
const CHAIN: &str = "chain-efci.toml";
/// With links of 100 km.
const FAR: &str = "chain-far-efci.toml";

/// Who is beaten down.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["fair.efci"], scenarios, measure);

/// By VC, the rate over the max-min share of whole links.
fn parts(run: &Run) -> Vec<f64> {
    rates(run).iter().zip(shares(run, (1.0, 1.0))).map(|(rate, share)| rate / share).collect()
}

fn scenarios() -> Vec<ScenarioText> {
    let of = |template, file| settled(&under(template, file, KEYS));
    let chain = of("chain", CHAIN);
    let far = chain.variant(
        FAR,
        &[
            ("delay = \"1 km\"", "delay = \"100 km\""),
            ("duration = \"300 ms\"", "duration = \"2 s\""),
            ("warm-up = \"200 ms\"", "warm-up = \"500 ms\""),
        ],
    );
    vec![of("n-source", EQUAL), chain, far]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("fair.efci");
    let equal = parts(runs.one(EQUAL)).into_iter().map(|part| (part, 1.0));
    measured.claim("equal", jain_index(equal).unwrap_or(f64::NAN));
    let chain = runs.one(CHAIN);
    let far = parts(runs.one(FAR));
    let parts = parts(chain);
    let long = chain.vc("long");
    measured.claim("far", far[long]);
    let (sum, count) = (parts.iter().sum::<f64>() - parts[long], parts.len() - 1);
    measured.claim("long", parts[long]);
    measured.claim("short", sum / count as f64);
    let rows = chain.network.vcs.iter().zip(parts.iter().zip(&far));
    measured.exhibits = vec![
        Exhibit::new("The chain under EFCI")
            .note("The long VC is marked when any of six ports is congested.")
            .columns("VC", [("rate / max-min share, 1 km", ""), ("100 km", "")])
            .rows(rows.map(|(vc, (near, far))| (vc.name.clone(), vec![*near, *far]))),
    ];
    measured
}
