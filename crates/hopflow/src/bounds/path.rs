//! From hop to hop: the arrivals of a flow at each port, and its total delay.
//!
//! ```text
//! servers in a row, crossed by a flow with the bucket (sigma, rho):
//!   D = sigma g + (sum of v of the largest packet, but for the greatest of them)
//!       + sum of (e + propagation + processing),   g = the greatest of all v / L   (1)
//! a port with a span of its own: D + span + propagation + processing             (2)
//! arrivals after them have the bucket delayed by D - (least delay)               (3)
//! a switch that admits with jitter: 0 to 16 times the largest of its packets     (4)
//! ```
//! (1) counts the burst once. A packet ends at the first port by e_1 + max over j of (a_j + the
//! v_1 of packets j to itself), and so on. If these are combined, the packets from j on are divided
//! among the ports, and only the packet at each joint counts at two ports. It may be assigned to
//! either port, so all ports but one count one packet more than their part: the greatest v may be
//! left out. Of several buckets the one with the least D counts; its rho must not exceed 1 / g. If
//! it does only because times are rounded up, the rounding of the whole run is added.
//!
//! A greedy packet is born as it first starts: its first hop takes its own time, and the arrivals
//! at the next hop are one packet and the rate of that link.
//!
//! A port with a span depends on the arrivals of all its flows, and so on the ports before. Ports
//! are processed in topological order; if they depend on each other in a cycle, there is no bound.
//!
//! (4) is the most of G in (3) of `docs/models/jitter.md`. Packets of one input and output keep
//! their order, so none waits for longer because of another. They may be admitted closer than
//! their link brings them: in a span, at most those that arrived in it and in (4) before it.
//!
//! Source: [LB01] for servers in a row (there the last v is left out), [Cruz91] for (3).
//! Checked by: `tests.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::counters::DirectionCounters;
use hopflow_network::{DirectionId, MOST_JITTER, NetworkSpec};
use hopflow_record::Hindrances;

use super::Reason;
use super::class::{Crossing, Feed, Inputs, crossings, is_shared};
use super::contract::{Bucket, Contract, at_queue, per_picosecond};
use super::curve::Curve;
use super::port::{Member, Port, ports};
use super::server::servers;
use super::walk::{Crossed, Walk, rate_text};

/// The beginning of a reason that is caused by another flow.
const UNBOUNDED: &str = "nothing bounds what";

/// The state from which the bounds of a network are computed.
pub(super) struct Network<'a> {
    spec: &'a NetworkSpec,
    ports: Vec<Port<'a>>,
    contracts: Vec<Contract>,
    /// Per VC and hop.
    crossings: Vec<Vec<Result<Crossing, Reason>>>,
    /// By direction: how much later packets may be admitted where they arrive, in ps. Eq. (4)
    late: Vec<f64>,
    /// The length of the run, in ps.
    run: f64,
}

/// By direction, Eq. (4), for the largest packet of the ports of its far end.
fn lateness(spec: &NetworkSpec, ports: &[Port<'_>]) -> Vec<f64> {
    let admits = spec.admits_with_jitter();
    let ids = || (0..ports.len()).map(DirectionId);
    let mut longest = vec![0.0_f64; admits.len()];
    for id in ids() {
        let here = ports[id.0].longest(|_| true).most;
        for node in [spec.from_node(id), spec.to_node(id)] {
            longest[node] = longest[node].max(here);
        }
    }
    let late = |node: usize| if admits[node] { MOST_JITTER as f64 * longest[node] } else { 0.0 };
    ids().map(|id| late(spec.to_node(id))).collect()
}

impl<'a> Network<'a> {
    /// Computes the promises of all ports.
    pub(super) fn new(
        spec: &'a NetworkSpec,
        directions: &[DirectionCounters],
        hindrances: &Hindrances,
    ) -> Network<'a> {
        let run = spec.duration.0 as f64;
        let first = |vc: &hopflow_network::VcSpec| spec.direction(vc.hops[0].direction_id()).rate;
        let unseen = Reason::from("");
        let ports = ports(spec, directions, hindrances);
        let mut network = Network {
            spec,
            late: lateness(spec, &ports),
            ports,
            contracts: spec.vcs.iter().map(|vc| at_queue(spec, vc, first(vc), run)).collect(),
            crossings: spec.vcs.iter().map(|vc| vec![Err(unseen.clone()); vc.hops.len()]).collect(),
            run,
        };
        let shared: Vec<bool> = network.ports.iter().map(is_shared).collect();
        let crossed = |port: &Port<'_>| !port.members.is_empty();
        for (port, depends) in shared.iter().enumerate() {
            if *depends || !crossed(&network.ports[port]) {
                continue;
            }
            let found = if network.ports[port].scheduler == SchedulerSpec::RoundRobin {
                crossings(&network.ports[port], &Inputs::default(), run)
            } else {
                let found = servers(&network.ports[port], run).into_iter();
                found.map(|server| server.map(Crossing::Server)).collect()
            };
            network.keep(port, found);
        }
        network.cross_shared(&shared);
        network
    }

    /// Stores the promises of a port to its flows.
    fn keep(&mut self, port: usize, found: Vec<Result<Crossing, Reason>>) {
        let port = &self.ports[port];
        let mut held: BTreeMap<&str, Reason> = BTreeMap::new();
        let deleted = Reason::from(format!("it was deleted as a known flow of `{}`", port.name));
        for (member, found) in port.members.iter().zip(found) {
            let Some(hop) = member.hop else { continue };
            let name = &port.name;
            self.crossings[member.vc as usize][hop as usize] = match &port.shut {
                Some(reason) => Err(reason.clone()),
                None => match member.held {
                    Some(holder) => {
                        let text = || format!("{holder} may hold it back on `{name}`").into();
                        Err(held.entry(holder).or_insert_with(text).clone())
                    }
                    None if member.deleted => Err(deleted.clone()),
                    None => found,
                },
            };
        }
    }

    /// Processes the ports whose promises depend on other ports, in topological order.
    fn cross_shared(&mut self, shared: &[bool]) {
        let mut behind = vec![Vec::new(); self.ports.len()];
        let mut waits_for = vec![0_u32; self.ports.len()];
        for (vc, vc_spec) in self.spec.vcs.iter().enumerate() {
            for hop in 0..vc_spec.hops.len() {
                let port = vc_spec.hops[hop].direction_id().0;
                let mut above = self.above(vc, hop).map(|hop| vc_spec.hops[hop].direction_id().0);
                let nearest = above.find(|port| shared[*port]);
                if let (true, Some(nearest)) = (shared[port], nearest) {
                    behind[nearest].push(port);
                    waits_for[port] += 1;
                }
            }
        }
        let free = |port: &usize| shared[*port] && waits_for[*port] == 0;
        let mut free: Vec<usize> = (0..self.ports.len()).filter(free).collect();
        let mut done = vec![false; self.ports.len()];
        while let Some(port) = free.pop() {
            done[port] = true;
            self.cross(port);
            for next in &behind[port] {
                waits_for[*next] -= 1;
                if waits_for[*next] == 0 {
                    free.push(*next);
                }
            }
        }
        for port in (0..self.ports.len()).filter(|port| shared[*port] && !done[*port]) {
            let reason = format!(
                "`{}` and other ports depend on each other in a ring",
                self.ports[port].name
            );
            let none = vec![Err(reason.into()); self.ports[port].members.len()];
            self.keep(port, none);
        }
    }

    /// The hops before this one, from the last to the first.
    fn above(&self, vc: usize, hop: usize) -> impl Iterator<Item = usize> {
        let hops = &self.spec.vcs[vc].hops;
        std::iter::successors(hops[hop].parent, |hop| hops[*hop].parent)
    }

    fn cross(&mut self, port: usize) {
        let members = &self.ports[port].members;
        let feed = |feed: usize| {
            let port = &self.ports[feed];
            let (rate, late) = (per_picosecond(port.rate), self.late[feed]);
            Feed { port: feed, rate, late, scheduler: port.scheduler.clone() }
        };
        let inputs = Inputs {
            curves: members.iter().map(|member| self.arrival(port, member)).collect(),
            feeds: members
                .iter()
                .map(|member| member.feed.map(|port| feed(port as usize)))
                .collect(),
        };
        let port_of = &self.ports[port];
        let found = crossings(port_of, &inputs, self.run);
        self.keep(port, found);
    }

    /// The arrival curve of a flow at a port.
    fn arrival(&self, port: usize, member: &Member<'_>) -> Result<Curve, Reason> {
        let (vc, name) = (&self.spec.vcs[member.vc as usize].name, &self.ports[port].name);
        let unbounded = |reason: &str| -> Reason {
            if reason.starts_with(UNBOUNDED) {
                return reason.into();
            }
            format!("{UNBOUNDED} `{vc}` brings to `{name}`: {reason}").into()
        };
        let Some(hop) = member.hop else {
            return Err(unbounded("they are ACKs"));
        };
        if let Some(holder) = member.held {
            return Err(unbounded(&format!("{holder} decides")));
        }
        self.arrive(member.vc as usize, hop as usize)
            .map(|buckets| Curve::of(&buckets))
            .map_err(|reason| unbounded(&reason))
    }

    /// The buckets of a flow at the beginning of a hop.
    fn arrive(&self, vc: usize, hop: usize) -> Result<Vec<Bucket>, Reason> {
        let mut path: Vec<usize> = self.above(vc, hop).collect();
        path.reverse();
        let buckets = self.walk(vc, &path)?.arrived();
        if buckets.is_empty() { Err(self.contracts[vc].lacks.into()) } else { Ok(buckets) }
    }

    /// The greatest delay of a flow from birth to the final host after `leaf`, in ps.
    pub(super) fn delay(&self, vc: usize, leaf: usize) -> Result<f64, Reason> {
        let mut path: Vec<usize> = self.above(vc, leaf).collect();
        path.reverse();
        path.push(leaf);
        let total = self.walk(vc, &path)?.total;
        // Outward, for errors of floating-point numbers: 2^-53 in each of some 10^5 terms.
        Ok((total * (1.0 + 1e-10) + self.run * 1e-15).ceil() + 1.0)
    }

    /// The origin of the bound of a VC, in words.
    pub(super) fn why(&self, vc: usize) -> String {
        let calmest = self.contracts[vc].buckets.iter().min_by(|a, b| a.rho.total_cmp(&b.rho));
        let sends = calmest.map_or("whatever it sends".to_owned(), |bucket| {
            let bytes = (bucket.sigma / 8.0).ceil();
            if bucket.rho > 0.0 {
                format!("bursts of {bytes} bytes at {}", rate_text(bucket.rho))
            } else {
                format!("{bytes} bytes in all")
            }
        });
        let mut kinds: Vec<&str> = Vec::new();
        for hop in &self.spec.vcs[vc].hops {
            let port = &self.ports[hop.direction_id().0];
            let kind = port.scheduler.facts().words;
            if port.members.len() > 1 && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            return format!("{sends}, alone on its path");
        }
        format!("{sends}, over {}", kinds.join(" and "))
    }

    fn walk(&self, vc: usize, path: &[usize]) -> Result<Walk<'_>, Reason> {
        let (spec, contract) = (&self.spec.vcs[vc], &self.contracts[vc]);
        // What a port on the way lacks takes precedence over what the flow lacks.
        let first = usize::from(spec.source.is_greedy());
        for hop in path.iter().filter(|hop| **hop >= first) {
            self.crossings[vc][*hop].as_ref().map_err(Reason::clone)?;
        }
        let mut walk = Walk::new(&self.ports, contract, self.run);
        for hop in path {
            let id = spec.hops[*hop].direction_id();
            let beyond = self.spec.direction(id).beyond().0 as f64;
            let least = self.spec.transmit_time(id, spec.traffic.size.least()).0 as f64 + beyond;
            if *hop == 0 && spec.source.is_greedy() {
                let size = spec.traffic.size.most();
                let longest = self.spec.transmit_time(id, size).0 as f64;
                walk.take(longest + beyond, least);
                let rho = per_picosecond(self.spec.direction(id).rate);
                walk.restart(vec![Bucket { sigma: size.bits() as f64, rho }]);
                walk.wait(self.late[id.0])?;
                continue;
            }
            match self.crossings[vc][*hop].clone()? {
                Crossing::Server(server) => {
                    walk.serve(Crossed { server, port: id.0, beyond }, least)?;
                }
                Crossing::Span(span) => {
                    walk.end_row()?;
                    walk.take(span + beyond, least);
                }
                Crossing::Shaped { wait, span, bucket } => {
                    walk.end_row()?;
                    walk.total += wait;
                    walk.restart(vec![bucket]);
                    walk.take(span + beyond, least);
                }
            }
            walk.wait(self.late[id.0])?;
        }
        walk.end_row()?;
        Ok(walk)
    }
}
