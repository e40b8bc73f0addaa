//! Packets of several sizes under VirtualClock: Vtick from the size of each packet.
//!
//! ```text
//! Vtick of a packet = its size / reserved rate                                          (1)
//! waiting of a flow at its rate <= Vtick + largest packet / C - its own / C             (2)
//! ```
//! With (1) overloaded flows share a link by what they reserved in bits, whatever their packets; in
//! turns of packets they share it by the sizes. Source: [Zhang90] 2.2 and 2.4; (2) is derived here:
//! the stamp of a packet is the arrival of the next one, and a packet starts at most one largest
//! packet after its stamp.

use super::starvation::CLOCK;
use crate::observe::greatest;
use crate::zhang90::measure::waiting;
use crate::{Measured, Run, Runs, ScenarioText};

const FILE: &str = "sec4-sizes.toml";
const TURNS: &str = "sec4-sizes-round-robin.toml";
const WITHIN: &str = "sec4-sizes-within.toml";
const LINK: &str = "S->B";
/// The flow of 50 bytes at its reserved rate.
const SMALL: (&str, &str) = (
    "packet = \"50 B\"",
    "packet = \"50 B\"\nsource = { kind = \"constant\", rate = \"80 kb/s\" }",
);

pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec4-sizes.toml");
    let turns = base.variant(TURNS, &[(CLOCK, "scheduler = \"round-robin\"")]);
    let within = base.variant(WITHIN, &[SMALL]);
    vec![base, turns, within]
}

/// The greatest distance of a flow's rate in bits from its reservation, as a part of it, in the
/// second half of a run.
fn rate_off(run: &Run) -> f64 {
    let cell_s = run.network.cell_time(run.direction(LINK)).0 as f64 / 1e12;
    let half = run.counters.now.0 as f64 / 2e12;
    let off = |vc: usize| {
        let spec = &run.network.vcs[vc];
        let reserved = spec.reservation.map_or(f64::NAN, |one| one.rate.bps() as f64);
        let starts = run.hop(&spec.name, LINK).starts();
        let count = starts.iter().filter(|start| **start * cell_s > half).count();
        let bits = spec.traffic.size.most().bits() as f64 * count as f64;
        (bits / half / reserved - 1.0).abs()
    };
    greatest((0..run.network.vcs.len()).map(off))
}

pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    measured.claim("sizes.rate_off", rate_off(runs.one(FILE)));
    measured.claim("sizes.round_robin_off", rate_off(runs.one(TURNS)));
    let within = runs.one(WITHIN);
    let most = waiting(within, &[within.vc("small")]).max_ms;
    measured.claim("sizes.within.waiting_most", most);
}
