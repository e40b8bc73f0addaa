//! The times of cells and packets: on a link, on a path, and round a loop.

use hopflow_units::{Bytes, Picos};

use super::{DirectionId, NetworkSpec, RoundTrip};

impl NetworkSpec {
    /// The time one cell takes on a link direction, rounded up to a whole picosecond.
    pub fn cell_time(&self, id: DirectionId) -> Picos {
        self.transmit_time(id, Bytes::CELL)
    }

    /// The time a packet takes on a link direction, rounded up to a whole picosecond.
    pub fn transmit_time(&self, id: DirectionId, size: Bytes) -> Picos {
        self.direction(id).wire().transmit_time(size)
    }

    /// From a packet's start to its effect at the other end.
    pub fn latency_of(&self, id: DirectionId, size: Bytes) -> Picos {
        self.transmit_time(id, size) + self.direction(id).beyond()
    }

    /// For every link direction, the least transmit time of any unit.
    pub fn least_transmit_times(&self) -> Vec<Picos> {
        let mut least = vec![Bytes::CELL; self.direction_count()];
        for vc in self.vcs.iter().filter(|vc| vc.traffic.size.least() < Bytes::CELL) {
            for hop in &vc.hops {
                let size = &mut least[hop.direction_id().0];
                *size = vc.traffic.size.least().min(*size);
            }
        }
        let time = |(id, size)| self.transmit_time(DirectionId(id), size);
        least.into_iter().enumerate().map(time).collect()
    }

    /// The delay of a packet that never waits, from its birth to its delivery at the final host of
    /// the leaf hop, with the work of both hosts.
    pub fn unloaded_delay(&self, vc: usize, leaf: usize, size: Bytes) -> Picos {
        let hops = &self.vcs[vc].hops;
        let path = std::iter::successors(Some(leaf), |hop| hops[*hop].parent);
        path.map(|hop| self.latency_of(hops[hop].direction_id(), size))
            .fold(self.unit_work(&self.vcs[vc], leaf), |sum, span| sum + span)
    }

    /// From a cell's start to its effect at the other end: cell time + delay + processing.
    pub fn latency(&self, id: DirectionId) -> Picos {
        let direction = self.direction(id);
        self.cell_time(id) + direction.delay + direction.processing
    }

    /// The true loop of a link: a cell out, a credit back.
    pub fn loop_time(&self, link: usize) -> Picos {
        self.latency(DirectionId::new(link, 0)) + self.latency(DirectionId::new(link, 1))
    }

    /// R as the senders on `link` use it (a measured R is the true loop, see `RoundTrip`).
    pub fn round_trip(&self, link: usize) -> Picos {
        match self.links[link].round_trip {
            RoundTrip::Fixed(span) => span,
            RoundTrip::Loop | RoundTrip::Measured => self.loop_time(link),
        }
    }
}
