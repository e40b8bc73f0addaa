//! The debate of 1994 to 1997 on ATM flow control, credit against rate, as numbers: one LAN and one
//! WAN under the controls of both camps, drop tail and PFC, with one table for each.
//!
//! ```text
//! rate(v)   = mean over the last two fifths of the run                                  (1)
//! beat-down = mean rate of L1, L2 / mean rate of the others, which cross one link       (2)
//! J         = (sum rate)^2 / (n sum rate^2), as a sixth of a link is fair for all       (3)
//! used(l)   = sum of rates of the VCs over l / rate of l                                (4)
//! ramp-up   = instant from which all rates have settled - start of L2                   (5)
//! ```
//! Scenarios are `papers/debate/lan.toml` and `wan.toml`; controls are their variants, run as
//! `hopflow compare` does. Claims are in `papers/debate/claims/`; `docs/models/debate.md` explains.
//! `bursts.rs` has the same networks with bursty sources, `heirs.rs` what today's controls did with
//! two arguments, `headroom.rs` what PFC asks of a switch against public tables.

mod bursts;
mod headroom;
mod heirs;
#[cfg(test)]
pub(crate) mod picture;
mod read;
mod table;

use crate::{Experiment, Measured, Paper, Runs, ScenarioText};
use read::Read;

/// The scenarios: the part of claim ids, the file and its text.
const NETWORKS: [(&str, &str, &str); 2] = [
    ("lan", "lan.toml", include_str!("../../../papers/debate/lan.toml")),
    ("wan", "wan.toml", include_str!("../../../papers/debate/wan.toml")),
];

const CLAIMS: &[&str] = &[
    include_str!("../../../papers/debate/claims/debate.toml"),
    include_str!("../../../papers/debate/claims/bursts.toml"),
    include_str!("../../../papers/debate/claims/heirs.toml"),
    include_str!("../../../papers/debate/claims/headroom.toml"),
];

const EXPERIMENTS: &[Experiment] =
    &[EXPERIMENT, bursts::EXPERIMENT, heirs::EXPERIMENT, headroom::EXPERIMENT];

/// The claims and experiments.
pub fn paper() -> Paper {
    Paper::of("debate", CLAIMS, None, EXPERIMENTS)
}

/// Both networks under all controls.
const EXPERIMENT: Experiment =
    Experiment::new(&["debate.lan", "debate.wan"], scenarios, measure).comparing(scenarios);

/// As they stand, without control.
fn scenarios() -> Vec<ScenarioText> {
    NETWORKS.map(|(_, file, text)| ScenarioText::new(file, text)).to_vec()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("debate");
    for (id, file, text) in NETWORKS {
        let comparison = runs.comparison(file);
        let read = Read::new(&runs.one(file).network, text, comparison);
        read.claims(&mut measured, id);
        measured.exhibits.push(table::table(id, comparison, &read));
        measured.charts.push(table::chart(id, comparison));
    }
    measured
}

#[cfg(test)]
mod tests;
