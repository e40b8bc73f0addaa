//! Section 3: without errors, N23 does what CUP and additive credit do.
//!
//! Source: [KMCL94] 3. Runs the networks of Figures 14 and 17 under each scheme and compares
//! every start on every link. The memory of N123, N123+ and N23 is in `sec3/memory.rs`.

mod memory;

use crate::observe::start_differences;
use crate::{Experiment, Measured, Runs, ScenarioText};

const NETWORKS: [&str; 2] = ["fig14", "fig17"];
const SCHEMES: [&str; 2] = ["cup", "additive"];

/// Section 3.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec3"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let mut scenarios = Vec::new();
    let bases = [scenario!("kung94/fig14.toml"), scenario!("kung94/fig17.toml")];
    for (network, base) in NETWORKS.into_iter().zip(bases) {
        for scheme in SCHEMES {
            let control = format!("kind = \"{scheme}\"");
            let file = format!("{network}-{scheme}.toml");
            scenarios.push(base.variant(file, &[("kind = \"n23\"", &control)]));
        }
        scenarios.push(base);
    }
    scenarios.extend(memory::scenarios());
    scenarios
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec3");
    for network in NETWORKS {
        let n23 = runs.one(&format!("{network}.toml"));
        for scheme in SCHEMES {
            let other = runs.one(&format!("{network}-{scheme}.toml"));
            let id = format!("{network}.{scheme}_differences");
            measured.claim(id, start_differences(n23, other) as f64);
        }
    }
    memory::claims(&mut measured, runs);
    measured
}
