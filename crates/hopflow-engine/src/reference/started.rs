//! What a hop has started, in units: E, the units that a credit may not yet account for.
//!
//! A packet that starts at t and takes T on the wire is in E until t + R - T(cell) + T: R is the
//! round trip of a cell, and a packet is at the other end as its last bit is.

use std::collections::VecDeque;

use hopflow_control::credit::{PacketUnits, round_trip_of};
use hopflow_units::{Bytes, Cells, Picos, SimTime};

use crate::embed;
use hopflow_network::NetworkSpec;

/// The units that a hop has started.
#[derive(Debug)]
pub(super) struct Started {
    /// What its packets count.
    pub(super) units: PacketUnits,
    round_trip: Picos,
    cell_time: Picos,
    /// Packets that may still be in E, oldest first: until when, and their units.
    all: VecDeque<(SimTime, Cells)>,
    /// Since the start of the run.
    pub(super) total: u64,
}

impl Default for Started {
    fn default() -> Started {
        let (units, all) = (PacketUnits::CELLS, VecDeque::new());
        Started { units, round_trip: Picos::ZERO, cell_time: Picos::ZERO, all, total: 0 }
    }
}

impl Started {
    /// Of a hop under credit.
    pub(super) fn new(spec: &NetworkSpec, vc: usize, hop: usize) -> Started {
        let of = &spec.vcs[vc].hops[hop];
        Started {
            units: embed::credit::packet_units(spec, vc, hop),
            round_trip: spec.round_trip(of.link),
            cell_time: spec.cell_time(of.direction_id()),
            ..Started::default()
        }
    }

    /// Counts a packet of this size, whose transmission takes `time`, as it starts.
    pub(super) fn count(&mut self, now: SimTime, size: Bytes, time: Picos) {
        let units = self.units.of(size.0 as u32);
        let until = now.saturating_add(round_trip_of(self.round_trip, time, self.cell_time));
        self.all.push_back((until, units));
        self.total += u64::from(units.0);
    }

    /// E at `now`.
    pub(super) fn in_flight(&mut self, now: SimTime) -> Cells {
        while self.all.front().is_some_and(|(until, _)| *until <= now) {
            self.all.pop_front();
        }
        Cells(self.all.iter().map(|(_, units)| units.0).sum())
    }
}
