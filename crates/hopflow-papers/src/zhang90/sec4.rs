//! Section 4: the same traffic under every rival of VirtualClock, and what the text says of them.
//!
//! ```text
//! sec4/rivals.rs       Test-One and Test-Three under each scheduler and leaky bucket: two tables
//! sec4/starvation.rs   a flow pays for what it took while alone; shares of overloaded flows
//! sec4/bursts.rs       leaky buckets before FIFO; how well packets are interleaved
//! sec4/sizes.rs        packets of several sizes
//! ```
//! Source: [Zhang90] 4 and 2.4. Differs: the paper shows no run of any rival, so the numbers are
//! ours and only their order is claimed.

mod bursts;
mod rivals;
mod sizes;
mod starvation;

use crate::{Experiment, Measured, Runs, ScenarioText};

/// Section 4.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.sec4"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let parts = [rivals::scenarios, starvation::scenarios, bursts::scenarios, sizes::scenarios];
    parts.into_iter().flat_map(|part| part()).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec4");
    rivals::measure(&mut measured, runs);
    starvation::measure(&mut measured, runs);
    bursts::measure(&mut measured, runs);
    sizes::measure(&mut measured, runs);
    measured
}
