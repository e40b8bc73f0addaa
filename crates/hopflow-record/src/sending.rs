//! Sending time: the time for which packets of each VC were in transmission on each hop.
//!
//! ```text
//! fixed size      sending = packets left x T + part                                      (1)
//! varying sizes   sending = rest of the link's busy time, shared                         (2)
//! ```
//! T is the time of one packet, and `part` that of a packet still in transmission: the link's busy
//! time without all completed units. So (1) is exact. Varying sizes are not counted per hop: if one
//! VC of a link has varying sizes, it gets the rest, exact except for one packet; several of them
//! share the rest by packets started x mean size, which is only approximate.

use hopflow_network::counters::{HopCounters, VcCounters};
use hopflow_network::{DirectionId, HopSpec, NetworkSpec, RunCounters, SizeLaw, VcSpec};
use hopflow_units::{Bytes, Picos};

/// The sending time of one VC on one hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sending {
    pub(crate) time: Picos,
    /// Whether it is exact, see Eq. (1).
    pub(crate) exact: bool,
}

/// The packets of all VCs, by link direction.
#[derive(Debug)]
pub(crate) struct Lines(Vec<Line>);

#[derive(Clone, Debug, Default)]
struct Line {
    /// Data cells started.
    sent: u64,
    /// The time of all packets of fixed size that have left, in ps.
    done: u128,
    /// The sum of packets started x mean size over VCs whose sizes vary.
    weights: f64,
}

impl Lines {
    /// No packets, before any VC.
    pub(crate) fn new(spec: &NetworkSpec) -> Lines {
        Lines(vec![Line::default(); spec.direction_count()])
    }

    /// Adds the VCs of `spec` and `counters`.
    pub(crate) fn take(&mut self, spec: &NetworkSpec, counters: &RunCounters) {
        for (vc, count) in spec.vcs.iter().zip(&counters.vcs) {
            for (hop, count) in vc.hops.iter().zip(&count.hops) {
                let line = &mut self.0[hop.direction_id().0];
                line.sent += count.sent_packets;
                match vc.traffic.size.fixed() {
                    Some(size) => line.done += done(spec, hop, size, count.left_packets),
                    None => line.weights += weight(vc, count),
                }
            }
        }
    }

    /// After all VCs, the sending time of each can be computed.
    pub(crate) fn close(self, spec: &NetworkSpec, counters: &RunCounters) -> Times {
        let rests = (0..self.0.len()).map(|id| self.rest(DirectionId(id), spec, counters));
        Times { rests: rests.collect(), lines: self.0 }
    }

    /// The rest of the busy time of a link direction, in ps.
    fn rest(&self, id: DirectionId, spec: &NetworkSpec, counters: &RunCounters) -> u128 {
        let (line, direction) = (&self.0[id.0], &counters.directions[id.0]);
        // ACK and control cells; a cell in transmission is counted as completed.
        let cells = direction.data_packets.saturating_sub(line.sent) + direction.control_packets;
        let known = u128::from(cells) * u128::from(spec.cell_time(id).0) + line.done;
        u128::from(direction.busy.0).saturating_sub(known)
    }
}

/// The sums from which the sending times of any VC are computed.
#[derive(Debug)]
pub(crate) struct Times {
    lines: Vec<Line>,
    /// By link direction, the rest of its busy time, in ps.
    rests: Vec<u128>,
}

impl Times {
    /// The sending times of VCs, per hop.
    pub(crate) fn of(&self, spec: &NetworkSpec, counts: &[VcCounters]) -> Vec<Vec<Sending>> {
        let vcs = spec.vcs.iter().zip(counts);
        let times = vcs.map(|(vc, count)| {
            let hops = vc.hops.iter().zip(&count.hops);
            let times = hops.map(|(hop, count)| {
                let id = hop.direction_id().0;
                self.lines[id].time(spec, vc, hop, count, self.rests[id])
            });
            times.collect()
        });
        times.collect()
    }
}

impl Line {
    fn time(
        &self,
        spec: &NetworkSpec,
        vc: &VcSpec,
        hop: &HopSpec,
        count: &HopCounters,
        rest: u128,
    ) -> Sending {
        let alone = self.weights == 0.0;
        match vc.traffic.size.fixed() {
            Some(size) => {
                // At most one unit is in transmission: the rest is its part.
                let part = if count.sent_packets > count.left_packets && alone { rest } else { 0 };
                let time = picos(done(spec, hop, size, count.left_packets) + part);
                Sending { time, exact: alone }
            }
            None if alone => Sending { time: Picos::ZERO, exact: true },
            None => {
                let share = rest as f64 * (weight(vc, count) / self.weights);
                Sending { time: picos(share as u128), exact: false }
            }
        }
    }
}

/// The time of a number of packets on a hop, in ps.
fn done(spec: &NetworkSpec, hop: &HopSpec, size: Bytes, packets: u64) -> u128 {
    u128::from(packets) * u128::from(spec.transmit_time(hop.direction_id(), size).0)
}

/// Packets started x mean size.
fn weight(vc: &VcSpec, count: &HopCounters) -> f64 {
    count.sent_packets as f64 * mean_size(&vc.traffic.size)
}

/// The mean size of a packet, in bytes.
fn mean_size(sizes: &SizeLaw) -> f64 {
    match sizes {
        SizeLaw::Fixed(size) => size.0 as f64,
        SizeLaw::Uniform { least, most } => f64::midpoint(least.0 as f64, most.0 as f64),
        SizeLaw::Mix(sizes) => {
            let all: f64 = sizes.iter().map(|(_, weight)| f64::from(*weight)).sum();
            sizes.iter().map(|(size, weight)| size.0 as f64 * f64::from(*weight)).sum::<f64>() / all
        }
    }
}

fn picos(time: u128) -> Picos {
    Picos(u64::try_from(time).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{T, line, line_counters, sending_times};

    /// Claim: at 10 T the first hop has sent 7 cells and half of the eighth, the second 5 and a
    /// quarter of the sixth.
    #[test]
    fn the_part_under_way_counts() {
        let times = sending_times(&line(), &line_counters());
        let exact = |time| Sending { time: Picos(time), exact: true };
        assert_eq!(times, [[exact(15 * T / 2), exact(21 * T / 4)]]);
    }

    /// Claim: the part of a packet in transmission belongs to its VC alone. Another VC, of 106
    /// bytes, has sent 2 packets in 4 T of the same link and has none in transmission.
    #[test]
    fn the_part_is_of_one_vc() {
        let (mut spec, mut counters) = (line(), line_counters());
        let (mut other, mut count) = (spec.vcs[0].clone(), counters.vcs[0].clone());
        other.traffic.size = SizeLaw::Fixed(Bytes(106));
        (count.hops[0].sent_packets, count.hops[0].left_packets) = (2, 2);
        spec.vcs.push(other);
        counters.vcs.push(count);
        counters.directions[0].data_packets += 2;
        counters.directions[0].busy += Picos(4 * T);
        let times = sending_times(&spec, &counters);
        let exact = |time| Sending { time: Picos(time), exact: true };
        assert_eq!((times[0][0], times[1][0]), (exact(15 * T / 2), exact(4 * T)));
    }

    /// Claim: packets of 106 bytes take twice as long; if sizes vary, a VC has all of the link's
    /// busy time, and two VCs share it by packets x mean size.
    #[test]
    fn sizes_count() {
        let (mut spec, mut counters) = (line(), line_counters());
        spec.vcs[0].traffic.size = SizeLaw::Fixed(Bytes(106));
        counters.directions[0].busy = Picos(15 * T);
        assert_eq!(sending_times(&spec, &counters)[0][0].time, Picos(15 * T));
        spec.vcs[0].traffic.size = SizeLaw::Uniform { least: Bytes(53), most: Bytes(159) };
        let alone = sending_times(&spec, &counters)[0][0];
        assert_eq!(alone, Sending { time: Picos(15 * T), exact: false });
        let mut other = spec.vcs[0].clone();
        other.traffic.size = SizeLaw::Mix(vec![(Bytes(53), 1), (Bytes(5), 1), (Bytes(101), 1)]);
        spec.vcs.push(other);
        counters.vcs.push(counters.vcs[0].clone());
        let times = sending_times(&spec, &counters);
        assert_eq!((times[0][0].time, times[1][0].time), (Picos(10 * T), Picos(5 * T)));
    }
}
