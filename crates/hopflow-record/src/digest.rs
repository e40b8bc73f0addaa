//! Digest: one 64-bit number for a whole run. Two runs with the same digest started the same
//! units at the same instants and counted the same.
//!
//! What is folded in, in this order: [`DIGEST_VERSION`], the instant of the reading, every link
//! direction in file order (its order hash, then its counters), every VC (its counters, its
//! hops, its final hosts), every node, every external machine (role, name, version). It does not
//! depend on what was recorded (so lengths of queues are not folded in), on a warm-up, on the
//! number of threads or on the engine.

use hopflow_kernel::{DIGEST_VERSION, OrderHash};
use hopflow_network::counters::{
    DirectionCounters, HopCounters, LaneCounters, LeafCounters, NodeCounters, RateCounters,
    VcCounters,
};
use hopflow_network::{DelayHistogram, Machine, NetworkSpec, RunCounters};
use hopflow_units::SimTime;

/// The digest of a run. Panics when the counters are not those of `spec`.
pub fn digest(spec: &NetworkSpec, counters: &RunCounters) -> u64 {
    assert_eq!(counters.directions.len(), spec.direction_count(), "counters of another network");
    assert_eq!(counters.vcs.len(), spec.vcs.len(), "counters of another network");
    let mut digest = Digest::new(counters);
    digest.take(&counters.vcs);
    digest.finish(counters, &spec.machines)
}

/// A digest being made from the counters of some VCs at a time, in order.
#[derive(Debug)]
pub(crate) struct Digest(OrderHash);

impl Digest {
    /// Of a run with these counters, those of its VCs apart.
    pub(crate) fn new(counters: &RunCounters) -> Digest {
        let mut hash = OrderHash::default();
        hash.word(u64::from(DIGEST_VERSION));
        hash.word(counters.now.0);
        for direction in &counters.directions {
            fold_direction(&mut hash, direction);
        }
        Digest(hash)
    }

    /// Takes the next VCs in.
    pub(crate) fn take(&mut self, vcs: &[VcCounters]) {
        for vc in vcs {
            fold_vc(&mut self.0, vc);
        }
    }

    /// All VCs are in: the digest. Without external machines there is nothing to tell of them, and
    /// digests are as they were before there were any.
    pub(crate) fn finish(mut self, counters: &RunCounters, machines: &[Machine]) -> u64 {
        for node in &counters.nodes {
            let NodeCounters { buffered_packets, buffered_max_packets, buffered_area } = node;
            self.0.word(u64::from(*buffered_packets));
            self.0.word(u64::from(*buffered_max_packets));
            fold_wide(&mut self.0, *buffered_area);
        }
        for Machine { name, version, make, source: _ } in machines {
            for text in [make.role(), name] {
                self.0.word(text.len() as u64);
                text.bytes().for_each(|byte| self.0.word(u64::from(byte)));
            }
            self.0.word(*version);
        }
        self.0.value()
    }
}

/// One number for several runs, from their digests in order.
pub fn digest_of_all(digests: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = OrderHash::default();
    for digest in digests {
        hash.word(digest);
    }
    hash.value()
}

fn fold_direction(hash: &mut OrderHash, direction: &DirectionCounters) {
    for word in [
        direction.hash,
        direction.data_packets,
        direction.control_packets,
        direction.busy.0,
        u64::from(direction.queue_packets),
        u64::from(direction.queue_max_packets),
        direction.data_in_flight,
        direction.control_in_flight,
    ] {
        hash.word(word);
    }
    for lane in &direction.lanes {
        fold_lane(hash, lane);
    }
}

fn fold_lane(hash: &mut OrderHash, lane: &LaneCounters) {
    for word in [
        u64::from(lane.lane),
        lane.shut.0,
        lane.shut_count,
        lane.frames_sent,
        lane.pauses_sent,
        lane.frames_taken,
        lane.frames_corrupted,
        lane.watchdog_packets,
    ] {
        hash.word(word);
    }
}

fn fold_vc(hash: &mut OrderHash, vc: &VcCounters) {
    hash.word(vc.created_packets);
    hash.word(vc.policed_packets);
    hash.word(vc.ack_cells);
    hash.word(vc.acked_cells);
    for hop in &vc.hops {
        fold_hop(hash, hop);
    }
    for leaf in &vc.leaves {
        fold_leaf(hash, leaf);
    }
}

fn fold_hop(hash: &mut OrderHash, hop: &HopCounters) {
    for word in [
        hop.sent_packets,
        hop.left_packets,
        u64::from(hop.fill_packets),
        u64::from(hop.fill_max_packets),
        hop.no_cell.0,
        hop.no_credit.0,
        hop.no_credit_count,
        hop.given_up_packets,
        hop.pushed_out_packets,
        hop.slow_down_messages,
        hop.deleted.unwrap_or(SimTime::NEVER).0,
        hop.request_cells,
        hop.credits_taken,
        hop.credits_corrupted,
        hop.received_packets,
        hop.corrupted_packets,
        hop.dropped_packets,
        hop.overrun_packets,
        hop.credits_sent,
        hop.credits_left_out,
    ] {
        hash.word(word);
    }
    fold_wide(hash, hop.fill_area);
    let RateCounters { forward_made, turned_around, backward_taken, acr } = hop.rate;
    // Without rate control there is nothing to tell, and digests are as they were before it.
    if hop.rate != RateCounters::default() {
        for word in [forward_made, turned_around, backward_taken, acr] {
            hash.word(word);
        }
    }
}

fn fold_leaf(hash: &mut OrderHash, leaf: &LeafCounters) {
    hash.word(leaf.delivered_packets);
    hash.word(leaf.delivered_bytes);
    hash.word(leaf.first.unwrap_or(SimTime::NEVER).0);
    hash.word(leaf.last.unwrap_or(SimTime::NEVER).0);
    fold_delays(hash, &leaf.delay);
    if let Some(waiting) = &leaf.waiting {
        fold_delays(hash, waiting);
    }
}

fn fold_delays(hash: &mut OrderHash, delays: &DelayHistogram) {
    hash.word(delays.min_ps().unwrap_or(0));
    hash.word(delays.max_ps().unwrap_or(0));
    hash.word(delays.mean_ps().unwrap_or(0.0).to_bits());
    for (from, _, count) in delays.buckets() {
        hash.word(from);
        hash.word(count);
    }
}

fn fold_wide(hash: &mut OrderHash, value: u128) {
    hash.word((value >> 64) as u64);
    hash.word(value as u64);
}
