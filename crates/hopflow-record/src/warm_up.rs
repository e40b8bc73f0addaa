//! Warm-up: what a run counts after its first part, and what it counted in all.
//!
//! At the end of the warm-up the counters are read, and the engine forgets what cannot be
//! subtracted later (`Engine::restart_statistics`): delays, lengths, first and last deliveries,
//! greatest values. So of two readings, before and after,
//! ```text
//! measured = counts, spans and integrals: after - before; the forgettable: after         (1)
//! whole    = counts, spans and integrals: after; the forgettable: both together          (2)
//! ```
//! What holds now (fills, queues, in flight), the order hash and the instant of a deletion are
//! those of `after` in both. (2) is what a run without a warm-up counts, to the last bit.

mod endpoints;
#[cfg(test)]
mod every_counter;

use std::ops::Range;

use hopflow_network::counters::{
    DirectionCounters, HopCounters, LaneCounters, LeafCounters, NodeCounters, PoolCounters,
    RateCounters, VcCounters,
};
use hopflow_network::{DelayHistogram, QueueLengths, RunCounters};
use hopflow_units::{Picos, SimTime};

/// Counters of the time between two readings, `after` with restarted statistics. Eq. (1). Its
/// `now` is that of `after`. Panics when they are of different networks, or out of order.
#[must_use]
pub fn measured_since(before: &RunCounters, after: &RunCounters) -> RunCounters {
    combine(before, &before.vcs, after, &Part::MEASURED)
}

/// Counters of the whole run, from its two readings. Eq. (2).
#[must_use]
pub fn whole_run(before: &RunCounters, after: &RunCounters) -> RunCounters {
    combine(before, &before.vcs, after, &Part::WHOLE)
}

/// Counters of the whole run and of what was measured: `before` has all VCs, `after` those of
/// `range` alone.
pub(crate) fn of_vcs(
    before: &RunCounters,
    range: Range<usize>,
    after: &RunCounters,
) -> [RunCounters; 2] {
    [Part::WHOLE, Part::MEASURED]
        .map(|part| combine(before, &before.vcs[range.clone()], after, &part))
}

/// How each sort of counter is put together.
struct Part {
    count: fn(u64, u64) -> u64,
    area: fn(u128, u128) -> u128,
    most: fn(u32, u32) -> u32,
    most_held: fn(u64, u64) -> u64,
    leaf: fn(&LeafCounters, &LeafCounters) -> LeafCounters,
    lengths: fn(&QueueLengths, &QueueLengths) -> QueueLengths,
    delay: fn(&DelayHistogram, &DelayHistogram) -> DelayHistogram,
}

impl Part {
    const MEASURED: Part = Part {
        count: |before, after| after - before,
        area: |before, after| after - before,
        most: |_, after| after,
        most_held: |_, after| after,
        leaf: |before, after| LeafCounters {
            delivered_packets: after.delivered_packets - before.delivered_packets,
            delivered_bytes: after.delivered_bytes - before.delivered_bytes,
            ..after.clone()
        },
        lengths: |_, after| after.clone(),
        delay: |_, after| after.clone(),
    };

    const WHOLE: Part = Part {
        count: |_, after| after,
        area: |_, after| after,
        most: u32::max,
        most_held: u64::max,
        leaf: whole_leaf,
        lengths: whole_lengths,
        delay: endpoints::merged,
    };

    fn span(&self, before: Picos, after: Picos) -> Picos {
        Picos((self.count)(before.0, after.0))
    }
}

fn combine(
    before: &RunCounters,
    vcs_before: &[VcCounters],
    after: &RunCounters,
    part: &Part,
) -> RunCounters {
    assert!(before.now <= after.now, "the later reading comes second");
    let same = vcs_before.len() == after.vcs.len()
        && before.directions.len() == after.directions.len()
        && before.nodes.len() == after.nodes.len();
    assert!(same, "counters of another network");
    RunCounters {
        now: after.now,
        vcs: vcs_before.iter().zip(&after.vcs).map(|(b, a)| vc(b, a, part)).collect(),
        directions: before
            .directions
            .iter()
            .zip(&after.directions)
            .map(|(b, a)| direction(b, a, part))
            .collect(),
        nodes: before.nodes.iter().zip(&after.nodes).map(|(b, a)| node(b, a, part)).collect(),
    }
}

fn vc(before: &VcCounters, after: &VcCounters, part: &Part) -> VcCounters {
    let count = part.count;
    VcCounters {
        created_packets: count(before.created_packets, after.created_packets),
        policed_packets: count(before.policed_packets, after.policed_packets),
        sent_frames: count(before.sent_frames, after.sent_frames),
        endpoint: before
            .endpoint
            .as_ref()
            .zip(after.endpoint.as_ref())
            .map(|(b, a)| endpoints::endpoint(b, a, part)),
        hops: before.hops.iter().zip(&after.hops).map(|(b, a)| hop(b, a, part)).collect(),
        leaves: before.leaves.iter().zip(&after.leaves).map(|(b, a)| leaf(b, a, part)).collect(),
        ack_cells: count(before.ack_cells, after.ack_cells),
        acked_cells: count(before.acked_cells, after.acked_cells),
    }
}

fn leaf(before: &LeafCounters, after: &LeafCounters, part: &Part) -> LeafCounters {
    let packets = before.packets.as_ref().zip(after.packets.as_ref());
    let packets = packets.map(|(b, a)| endpoints::packets(b, a, part));
    LeafCounters { packets, ..(part.leaf)(before, after) }
}

fn hop(before: &HopCounters, after: &HopCounters, part: &Part) -> HopCounters {
    let count = |of: fn(&HopCounters) -> u64| (part.count)(of(before), of(after));
    HopCounters {
        sent_packets: count(|h| h.sent_packets),
        left_packets: count(|h| h.left_packets),
        fill_packets: after.fill_packets,
        fill_max_packets: (part.most)(before.fill_max_packets, after.fill_max_packets),
        fill_area: (part.area)(before.fill_area, after.fill_area),
        no_cell: part.span(before.no_cell, after.no_cell),
        no_credit: part.span(before.no_credit, after.no_credit),
        no_credit_count: count(|h| h.no_credit_count),
        blocked_since: after.blocked_since,
        given_up_packets: count(|h| h.given_up_packets),
        pushed_out_packets: count(|h| h.pushed_out_packets),
        slow_down_messages: count(|h| h.slow_down_messages),
        deleted: after.deleted,
        request_cells: count(|h| h.request_cells),
        credits_taken: count(|h| h.credits_taken),
        credits_corrupted: count(|h| h.credits_corrupted),
        received_packets: count(|h| h.received_packets),
        corrupted_packets: count(|h| h.corrupted_packets),
        dropped_packets: count(|h| h.dropped_packets),
        overrun_packets: count(|h| h.overrun_packets),
        credits_sent: count(|h| h.credits_sent),
        credits_left_out: count(|h| h.credits_left_out),
        allocation_cells: after.allocation_cells,
        rate: RateCounters {
            forward_made: count(|h| h.rate.forward_made),
            turned_around: count(|h| h.rate.turned_around),
            backward_taken: count(|h| h.rate.backward_taken),
            acr: after.rate.acr,
        },
    }
}

fn direction(
    before: &DirectionCounters,
    after: &DirectionCounters,
    part: &Part,
) -> DirectionCounters {
    let lengths = before.lengths.as_ref().zip(after.lengths.as_ref());
    DirectionCounters {
        data_packets: (part.count)(before.data_packets, after.data_packets),
        control_packets: (part.count)(before.control_packets, after.control_packets),
        busy: part.span(before.busy, after.busy),
        queue_packets: after.queue_packets,
        queue_max_packets: (part.most)(before.queue_max_packets, after.queue_max_packets),
        lengths: lengths.map(|(b, a)| (part.lengths)(b, a)),
        pool: pool(before.pool.as_ref(), after.pool.as_ref(), part),
        data_in_flight: after.data_in_flight,
        control_in_flight: after.control_in_flight,
        lanes: before.lanes.iter().zip(&after.lanes).map(|(b, a)| lane(b, a, part)).collect(),
        fair_rate: after.fair_rate,
        hash: after.hash,
    }
}

fn lane(before: &LaneCounters, after: &LaneCounters, part: &Part) -> LaneCounters {
    let count = |of: fn(&LaneCounters) -> u64| (part.count)(of(before), of(after));
    LaneCounters {
        lane: after.lane,
        shut: part.span(before.shut, after.shut),
        shut_count: count(|l| l.shut_count),
        shut_since: after.shut_since,
        pauses_sent: count(|l| l.pauses_sent),
        frames_sent: count(|l| l.frames_sent),
        frames_taken: count(|l| l.frames_taken),
        frames_corrupted: count(|l| l.frames_corrupted),
        held_max: (part.most_held)(before.held_max, after.held_max),
        watchdog_packets: count(|l| l.watchdog_packets),
    }
}

fn pool(
    before: Option<&PoolCounters>,
    after: Option<&PoolCounters>,
    part: &Part,
) -> Option<PoolCounters> {
    let (before, after) = before.zip(after)?;
    Some(PoolCounters {
        held_cells: after.held_cells,
        held_max_cells: (part.most)(before.held_max_cells, after.held_max_cells),
    })
}

fn node(before: &NodeCounters, after: &NodeCounters, part: &Part) -> NodeCounters {
    NodeCounters {
        buffered_packets: after.buffered_packets,
        buffered_max_packets: (part.most)(before.buffered_max_packets, after.buffered_max_packets),
        buffered_area: (part.area)(before.buffered_area, after.buffered_area),
    }
}

fn whole_leaf(before: &LeafCounters, after: &LeafCounters) -> LeafCounters {
    let mut leaf = after.clone();
    leaf.first = before.first.or(after.first);
    leaf.last = after.last.or(before.last);
    leaf.delay = before.delay.clone();
    leaf.delay.merge(&after.delay);
    leaf.waiting = match (&before.waiting, &after.waiting) {
        (Some(before), Some(after)) => {
            let mut waiting = before.clone();
            waiting.merge(after);
            Some(waiting)
        }
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    leaf
}

fn whole_lengths(before: &QueueLengths, after: &QueueLengths) -> QueueLengths {
    let mut lengths = after.clone();
    add(&mut lengths.time, &before.time, |sum, span| *sum += span);
    add(&mut lengths.arrivals, &before.arrivals, |sum, count| *sum += count);
    lengths
}

fn add<T: Copy + Default>(sums: &mut Vec<T>, more: &[T], add: fn(&mut T, T)) {
    if sums.len() < more.len() {
        sums.resize(more.len(), T::default());
    }
    sums.iter_mut().zip(more).for_each(|(sum, one)| add(sum, *one));
}

/// The span from the end of a warm-up to the end of the run.
pub(crate) fn span(from: SimTime, end: SimTime) -> Picos {
    if from < end { end.since(from) } else { Picos::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{T, line, line_counters};
    use crate::{check_conservation, digest};

    /// What an engine would have counted in [`line`] by 5 T, and then by 10 T with statistics
    /// restarted: two of four cells were delivered by then, with delays 2 T; the rest after.
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
        let measured = measured_since(&before, &after);
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
        let whole = whole_run(&before, &after);
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
