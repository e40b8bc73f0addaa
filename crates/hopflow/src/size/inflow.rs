//! The greatest arrivals at a port, if no control delays them: lines, rates and bursts.
//!
//! ```text
//! P       = min(PCR, rates of the links before the port)                                (1)
//! line    = the lesser of the link's rate and sum(P); its burst is 1 cell or sum(b)     (2)
//! queue  <= sum of the bursts of all lines, if sum of their rates <= C                  (3)
//! wait   <= (queue - 1) T if queue = 1 or n = 1, else n queue T                         (4)
//! b       = 1 + sum over the ports before of P x wait                                   (5)
//! ```
//! | symbol | meaning                                                      | unit    |
//! |--------|--------------------------------------------------------------|---------|
//! | C, T   | rate of the port's link; 1/C, rounded up to a picosecond     | cells/s |
//! | n      | VCs that leave by the port                                   | 1       |
//! | b      | cells of a VC in any span t are at most P t + b              | cells   |
//!
//! A *line* is the arrivals at the port by one link, or from one paced source. (4) holds for round
//! robin and for first in, first out. Source: the bounds of network calculus, derived here.
//! Not modelled: packets that are not cells; schedulers, credit, lanes: `None` for these.
//! Checked by: `hopflow/tests/abr/queue_bound.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::Guarantee;
use hopflow_network::{DirectionId, HopControl, NetworkSpec, RoundTrip, Segment, SizeLaw};
use hopflow_units::Picos;

/// Seconds of a span.
pub(super) fn seconds(span: Picos) -> f64 {
    span.0 as f64 / Picos::PER_SECOND as f64
}

/// By line (a link, or a single source): VCs, each with its hop.
type Lines = BTreeMap<(Option<DirectionId>, usize), Vec<(usize, usize)>>;

/// The inflow of all ports of a network.
pub(super) struct Inflow<'a> {
    pub(super) network: &'a NetworkSpec,
    /// By direction: VCs whose data uses it, each with its hop.
    users: Vec<Vec<(usize, usize)>>,
    /// By direction: (3), after it was requested; infinite without a bound. It is infinite while it
    /// is computed, so a cycle of ports has no bound.
    queues: Vec<Option<f64>>,
}

impl<'a> Inflow<'a> {
    pub(super) fn new(network: &'a NetworkSpec) -> Inflow<'a> {
        let mut users = vec![Vec::new(); network.direction_count()];
        for (vc, spec) in network.vcs.iter().enumerate() {
            let hops = spec.hops.iter().enumerate();
            hops.for_each(|(hop, at)| users[at.direction_id().0].push((vc, hop)));
        }
        let queues = vec![None; users.len()];
        Inflow { network, users, queues }
    }

    /// VCs whose data uses a direction, each with its hop.
    pub(super) fn users(&self, id: DirectionId) -> &[(usize, usize)] {
        &self.users[id.0]
    }

    /// The number of VCs with ACKs or backward RM cells along a direction.
    pub(super) fn backward(&self, id: DirectionId) -> usize {
        let users = self.users(id.reverse()).iter();
        users.filter(|(vc, _)| self.network.vcs[*vc].has_way_back()).count()
    }

    /// C, in cells a second.
    pub(super) fn rate(&self, id: DirectionId) -> f64 {
        1.0 / seconds(self.network.cell_time(id))
    }

    /// P of a VC before one of its hops. Eq. (1).
    pub(super) fn peak(&self, vc: usize, hop: usize) -> f64 {
        let spec = &self.network.vcs[vc];
        let parents = |hop: &usize| spec.hops[*hop].parent;
        let before = std::iter::successors(spec.hops[hop].parent.or(Some(hop)), parents);
        let links = before.map(|hop| self.rate(spec.hops[hop].direction_id()));
        let pcr = spec.rate.as_ref().map_or(f64::MAX, |abr| abr.pcr.get());
        links.fold(pcr, f64::min)
    }

    /// Whether the port serves cells by round robin or first in, first out, and its link has no
    /// other traffic.
    pub(super) fn is_plain(&self, id: DirectionId) -> bool {
        let (network, direction) = (self.network, self.network.direction(id));
        let both = self.users(id).iter().chain(self.users(id.reverse()));
        let free = |(vc, hop): &(usize, usize)| {
            let spec = &network.vcs[*vc];
            spec.hops[*hop].control == HopControl::None && spec.traffic.size == SizeLaw::CELL
        };
        let mut priorities = self.users(id).iter().map(|(vc, _)| network.vcs[*vc].priority);
        let first = priorities.next();
        let shared = direction.lanes.or(network.direction(id.reverse()).lanes);
        matches!(direction.scheduler.guarantee(), Guarantee::RoundRobin | Guarantee::Fifo)
            && shared.is_none()
            && network.links[id.link()].round_trip != RoundTrip::Measured
            && both.clone().all(free)
            && priorities.all(|priority| Some(priority) == first)
            && self.backward(id) == 0
    }

    /// Whether loops end at the port.
    pub(super) fn is_virtual(&self, id: DirectionId) -> bool {
        let control = self.network.direction(id).rate_control;
        control.is_some_and(|control| matches!(control.segment, Segment::Virtual(_)))
    }

    /// The most cells that wait at the port, without the one in transmission; `None` if arrivals
    /// may exceed the rate of its link. Eq. (3).
    pub(super) fn queue(&mut self, id: DirectionId) -> Option<f64> {
        if let Some(known) = self.queues[id.0] {
            return Some(known).filter(|queue| queue.is_finite());
        }
        self.queues[id.0] = Some(f64::INFINITY);
        let queue = if self.is_plain(id) && !self.is_virtual(id) { self.sum(id) } else { None };
        self.queues[id.0] = Some(queue.unwrap_or(f64::INFINITY));
        queue
    }

    /// Eqs. (2) and (3).
    fn sum(&mut self, id: DirectionId) -> Option<f64> {
        let mut lines = Lines::new();
        for &(vc, hop) in self.users(id) {
            let hops = &self.network.vcs[vc].hops;
            let before = hops[hop].parent.map(|parent| hops[parent].direction_id());
            let key = (before, if before.is_some() { 0 } else { vc });
            lines.entry(key).or_default().push((vc, hop));
        }
        let mut found = Vec::new();
        for ((before, _), vcs) in lines {
            let rate: f64 = vcs.iter().map(|(vc, hop)| self.peak(*vc, *hop)).sum();
            let burst = vcs.iter().map(|(vc, hop)| self.burst(*vc, *hop)).sum::<Option<f64>>();
            let of_link = before.map(|before| (self.rate(before), 1.0));
            found.push((of_link, burst.map(|burst| (rate, burst))));
        }
        let fits = |lines: Option<Vec<(f64, f64)>>| {
            let lines = lines?;
            let rate: f64 = lines.iter().map(|line| line.0).sum();
            (rate <= self.rate(id)).then(|| lines.iter().map(|line| line.1).sum::<f64>())
        };
        let by_link = found.iter().map(|(link, vcs)| link.or(*vcs)).collect();
        let by_vcs = found.iter().map(|(link, vcs)| match (link, vcs) {
            (Some(link), Some(vcs)) => Some(if vcs.0 <= link.0 { *vcs } else { *link }),
            (link, vcs) => link.or(*vcs),
        });
        fits(by_link).or_else(|| fits(by_vcs.collect()))
    }

    /// The longest wait of a cell at a port, in seconds. Eq. (4).
    pub(super) fn wait(&mut self, id: DirectionId) -> Option<f64> {
        let (queue, vcs) = (self.queue(id)?, self.users(id).len());
        let cells = match vcs {
            _ if queue <= 1.0 => 0.0,
            1 => queue - 1.0,
            _ => vcs as f64 * queue,
        };
        Some(cells * seconds(self.network.cell_time(id)))
    }

    /// b of a VC before one of its hops; `None` if it is unknown. Eq. (5).
    pub(super) fn burst(&mut self, vc: usize, hop: usize) -> Option<f64> {
        let spec = &self.network.vcs[vc];
        match spec.hops[hop].parent {
            None => spec.rate.is_some().then_some(1.0),
            Some(parent) => {
                let before = spec.hops[parent].direction_id();
                let burst = self.burst(vc, parent)?;
                Some(burst + self.peak(vc, hop) * self.wait(before)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hopflow_network::{LinkSpec, SourceSpec};
    use hopflow_testing::{NetworkBuilder, plain_direction};

    use super::*;

    /// VCs from hosts with links of 30 Mb/s, over a link of 100 Mb/s between two switches.
    fn merged(vcs: usize) -> NetworkSpec {
        let mut network = NetworkBuilder::new(1);
        let (s, t, b) = (network.switch("S"), network.switch("T"), network.host("B"));
        let link = |network: &mut NetworkBuilder, ends: [usize; 2], mbps: u64| {
            let direction = plain_direction(mbps * 1_000_000, Picos::ZERO);
            let directions = [direction.clone(), direction];
            network.link_of(LinkSpec { ends, directions, round_trip: RoundTrip::Loop });
        };
        link(&mut network, [s, t], 100);
        link(&mut network, [t, b], 100);
        for vc in 0..vcs {
            let host = network.host(&format!("H{vc}"));
            link(&mut network, [host, s], 30);
            let route = [host, s, t, b];
            network.vc(&format!("{vc}"), &route, HopControl::None, SourceSpec::Greedy);
        }
        network.spec
    }

    /// Claim, Eqs. (2) to (4) by hand: three links of 30 Mb/s bring at most a cell each at once. So
    /// three cells wait at a link of 100 Mb/s, and each of them for at most 3 turns of 3 cells of
    /// 4.24 us: 38.16 us. One link brings one cell at a time, which does not wait. Nor does any at
    /// the next link, where all come by one link of its rate.
    #[test]
    fn waits_by_hand() {
        for (vcs, queue, micros) in [(3, 3.0, 38.16), (1, 1.0, 0.0)] {
            let network = merged(vcs);
            let mut inflow = Inflow::new(&network);
            let [first, next] = [0, 1].map(|link| DirectionId::new(link, 0));
            assert_eq!(inflow.queue(first), Some(queue), "{vcs}");
            let wait = inflow.wait(first).expect("the links fit");
            assert!((wait * 1e6 - micros).abs() < 1e-9, "{vcs}: {wait}");
            assert_eq!((inflow.queue(next), inflow.wait(next)), (Some(1.0), Some(0.0)), "{vcs}");
        }
    }
}
