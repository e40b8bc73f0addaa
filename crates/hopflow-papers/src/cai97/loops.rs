//! What depends on the previous loop, in the runs of Tables 1 to 3 under both readings: queues
//! behind a switch with VS/VD over what is known when it is connected, LINK2 of 5 and of 10 ms, and
//! what VS/VD does to the throughput. Source: [Cai97] 4, and its conclusion.
//!
//! The queue of a port is that of its switch, [`most`]: one port of each has a queue. What is known
//! of it is printed by `hopflow size` and comes from the same function, `size_rates`.

use hopflow::size::{RateSize, size_rates};

use super::bursts::delivered;
use super::network::{most, switches};
use super::readings::{CONFIGURATIONS, rows};
use crate::observe::{least, median};
use crate::{Measured, Run, Runs};

/// The claims.
pub(super) fn claims(measured: &mut Measured, runs: &Runs) {
    let with = CONFIGURATIONS.iter().flat_map(|conf| rows(runs, *conf, true));
    let with: Vec<&Run> = with.flatten().map(|(_, run)| run).collect();
    let most_over = |from: usize, known: fn(&RateSize) -> Option<u64>| {
        with.iter().map(|run| over_known(run, from, known)).fold(0.0, f64::max)
    };
    let product = most_over(1, |size| size.of_loop.as_ref().map(|known| known.product));
    measured.claim("loop.product", product);
    let intervals = most_over(0, |size| size.of_loop.as_ref().map(|known| known.cells));
    measured.claim("loop.intervals", intervals);
    let longer = link2(runs);
    measured.claim("loop.link2.median", median(longer.iter().copied()));
    measured.claim("loop.link2.least", least(longer));
    let parts = CONFIGURATIONS.iter().flat_map(|conf| throughput(runs, *conf));
    measured.claim("loop.throughput", least(parts));
}

/// The greatest queue of a switch, from that number on, over what is known of its port. Panics if
/// nothing is known of a switch: then the claim would be about nothing.
fn over_known(run: &Run, from: usize, known: fn(&RateSize) -> Option<u64>) -> f64 {
    let sizes = size_rates(&run.network).expect("the queues of the paper are counted in cells");
    let part = |switch: &String| {
        let ports = sizes.iter().filter(|size| size.link.starts_with(&format!("{switch}->")));
        let cells = ports.filter_map(known).max()?;
        Some(most(run, switch) / cells as f64)
    };
    let all = switches(run);
    // Behind the slow link no more comes than goes: the last switch has a bound.
    let inner = &all[from..all.len() - 1];
    let parts: Vec<f64> = inner.iter().filter_map(part).collect();
    assert_eq!(parts.len(), inner.len(), "what is known of {inner:?}");
    parts.into_iter().fold(0.0, f64::max)
}

/// Not held: switch 3 of configuration 3 less that of configuration 2, at each interval.
fn link2(runs: &Runs) -> Vec<f64> {
    let [_, two] = rows(runs, 2, true);
    let [_, three] = rows(runs, 3, true);
    let pairs = two.into_iter().zip(three);
    pairs.map(|((_, two), (_, three))| most(three, "SW3") - most(two, "SW3")).collect()
}

/// Not held: data cells delivered with VS/VD over those without, at each interval.
fn throughput(runs: &Runs, conf: u32) -> Vec<f64> {
    let [_, with] = rows(runs, conf, true);
    let [_, without] = rows(runs, conf, false);
    let pairs = with.into_iter().zip(without);
    pairs.map(|((_, with), (_, without))| delivered(with) / delivered(without)).collect()
}
