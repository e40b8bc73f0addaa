//! Warm-up: the counters of a run after its first part, and those of the whole run.
//!
//! At the end of the warm-up the counters are read, and the engine restarts the statistics that
//! cannot be subtracted later (`Engine::restart_statistics`): delays, lengths, first and last
//! deliveries, greatest values. So, from two readings, before and after,
//! ```text
//! measured = counts, spans and integrals: after - before; restarted ones: after          (1)
//! whole    = counts, spans and integrals: after; restarted ones: both combined           (2)
//! ```
//! The current state (fills, queues, in flight), the order hash, the instant of a deletion and the
//! greatest windows and round trips of TCP are those of `after` in both. (2) equals the counters of
//! a run without a warm-up, to the last bit. The list of counters
//! (`hopflow-network/src/counters.rs`) specifies the kind of each.

#[cfg(test)]
mod every_counter;

use std::ops::Range;

use hopflow_network::RunCounters;
use hopflow_network::counters::{Part, combined};
use hopflow_units::{Picos, SimTime};

/// Counters of the whole run, Eq. (2), and of the measured part, Eq. (1), at `after.now`: `before`
/// has all VCs, `after` those of `range` alone. Panics if they are from different networks, or out
/// of order.
pub(crate) fn of_vcs(
    before: &RunCounters,
    range: Range<usize>,
    after: &RunCounters,
) -> [RunCounters; 2] {
    assert!(before.now <= after.now, "the later reading comes second");
    let vcs = &before.vcs[range];
    [Part::Whole, Part::Measured].map(|part| RunCounters {
        now: after.now,
        vcs: combined(vcs, &after.vcs, part),
        directions: combined(&before.directions, &after.directions, part),
        nodes: combined(&before.nodes, &after.nodes, part),
    })
}

/// The span from the end of a warm-up to the end of the run.
pub(crate) fn span(from: SimTime, end: SimTime) -> Picos {
    if from < end { end.since(from) } else { Picos::ZERO }
}

#[cfg(test)]
mod tests {
    use hopflow_network::QueueLengths;

    use super::*;
    use crate::fixture::{T, check_conservation, digest, line, line_counters};

    /// The counters of an engine that ran [`line`] at 5 T, and then at 10 T with restarted
    /// statistics: two of four cells were delivered by 5 T, with delays 2 T; the others later.
    fn readings() -> (RunCounters, RunCounters) {
        let (mut before, mut after) = (line_counters(), line_counters());
        before.now = SimTime(5 * T);
        let (first, last) = (&mut before.vcs[0].leaves[0], &mut after.vcs[0].leaves[0]);
        (first.delivered_packets, first.delivered_bytes) = (2, 2 * 53);
        (first.delay, last.delay) = Default::default();
        (first.last, last.first) = (Some(SimTime(3 * T)), Some(SimTime(7 * T)));
        for (early, late) in [(2, 2), (2, 4)] {
            first.delay.record(early * T);
            last.delay.record(late * T);
        }
        let hop = &mut before.vcs[0].hops[1];
        (hop.sent_packets, hop.left_packets, hop.fill_max_packets) = (3, 2, 2);
        (hop.fill_area, hop.no_cell) = (u128::from(T), Picos(2 * T));
        after.vcs[0].hops[1].fill_max_packets = 1;
        before.directions[2].busy = Picos(2 * T);
        let lengths = |arrivals: [u64; 3]| {
            let mut lengths = QueueLengths::default();
            lengths.time = vec![Picos(2 * T), Picos(3 * T)];
            lengths.arrivals = arrivals.to_vec();
            Some(lengths)
        };
        before.directions[2].lengths = lengths([0, 1, 2]);
        after.directions[2].lengths = lengths([0, 1, 0]);
        (before, after)
    }

    /// Claim: counts and spans are differences, delays and lengths those of the second part.
    #[test]
    fn the_measured_part_leaves_the_warm_up_out() {
        let (before, after) = readings();
        let [_, measured] = of_vcs(&before, 0..1, &after);
        let (leaf, hop) = (&measured.vcs[0].leaves[0], &measured.vcs[0].hops[1]);
        assert_eq!((leaf.delivered_packets, leaf.delivered_bytes), (2, 106));
        assert_eq!((leaf.delay.count(), leaf.delay.mean_ps()), (2, Some(3.0 * T as f64)));
        assert_eq!((leaf.first, leaf.last), (Some(SimTime(7 * T)), Some(SimTime(9 * T))));
        assert_eq!((hop.sent_packets, hop.left_packets, hop.fill_max_packets), (3, 3, 1));
        assert_eq!(hop.fill_area, u128::from(T) * 21 / 4);
        assert_eq!(hop.no_cell, Picos(7 * T / 4));
        assert_eq!(measured.directions[2].busy, Picos(13 * T / 4));
        assert_eq!(measured.directions[2].lengths, after.directions[2].lengths);
    }

    /// Claim: put together again the two parts are the run without a warm-up: same digest, and
    /// every cell is accounted for.
    #[test]
    fn the_whole_run_is_as_without_a_warm_up() {
        let (before, after) = readings();
        let [whole, _] = of_vcs(&before, 0..1, &after);
        let lengths = whole.directions[2].lengths.clone().unwrap();
        assert_eq!(lengths.time, [Picos(4 * T), Picos(6 * T)]);
        assert_eq!(lengths.arrivals, [0, 2, 2]);
        let mut plain = line_counters();
        plain.directions[2].lengths = Some(lengths);
        assert_eq!(whole, plain);
        assert_eq!(digest(&line(), &whole), digest(&line(), &plain));
        assert_eq!(check_conservation(&line(), &whole), Ok(()));
    }
}
