//! ERICA with MaxAlloc and without, where a VC is held upstream and another comes late.

use super::network::{rates, settled, under};
use crate::{Experiment, Measured, Run, Runs, ScenarioText};

const WITHOUT: &str = "stall-without.toml";
const WITH: &str = "stall-with.toml";
const LAST: &str = "[[flow]]\nname = \"VC17\"\n";

/// Whether late comers get their share.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["fair.stall"], scenarios, measure);

fn late(file: &str, delta: &str) -> ScenarioText {
    let keys = format!("{{ kind = \"erica\", delta = {delta} }}");
    let text = settled(&under("upstream-bottleneck", file, &keys));
    text.variant(file, &[(LAST, &format!("{LAST}start = \"100 ms\"\n"))])
}

/// VC16's rate over VC17's, and VC17's in Mb/s, RM cells included.
fn last_two(run: &Run) -> (f64, f64) {
    let rates = rates(run);
    let of = |name| rates[run.vc(name)];
    (of("VC16") / of("VC17"), of("VC17") / 1e6 * 32.0 / 31.0)
}

fn scenarios() -> Vec<ScenarioText> {
    vec![late(WITHOUT, "\"none\""), late(WITH, "0.1")]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("fair.stall");
    let (ratio, rate) = last_two(runs.one(WITH));
    measured.claim("without", last_two(runs.one(WITHOUT)).0);
    measured.claim("with", ratio);
    measured.claim("band", rate);
    measured
}
