//! Section 3: without errors, N23 does what CUP and additive credit do.
//!
//! Source: [KMCL94] 3. Runs the networks of Figures 14 and 17 under each scheme and compares
//! every start on every link. The memory of N123, N123+ and N23 is in `sec3/memory.rs`.

mod memory;

use crate::observe::start_differences;
use crate::{Experiment, Measured, Runs, ScenarioText};

const NETWORKS: [(&str, &str); 2] = [
    ("fig14", include_str!("../../../../papers/kung94/fig14.toml")),
    ("fig17", include_str!("../../../../papers/kung94/fig17.toml")),
];
const SCHEMES: [&str; 2] = ["cup", "additive"];

/// Section 3.
pub(super) struct Sec3;

impl Experiment for Sec3 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec3"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let mut scenarios = Vec::new();
        for (network, text) in NETWORKS {
            let base = ScenarioText::new(format!("{network}.toml"), text);
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

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        for (network, _) in NETWORKS {
            let n23 = runs.one(&format!("{network}.toml"));
            for scheme in SCHEMES {
                let other = runs.one(&format!("{network}-{scheme}.toml"));
                let differences = start_differences(n23, other) as f64;
                let id = format!("kung94.sec3.{network}.{scheme}_differences");
                measured.claim(id, differences);
            }
        }
        memory::claims(&mut measured, runs);
        measured
    }
}
