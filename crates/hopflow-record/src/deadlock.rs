//! Deadlock: a cycle of buffers, each waiting for the next to have room.
//!
//! A *wait* is a lane of a link direction that is shut, or the credit of one VC on one hop that is
//! used up. It ends if cells held at the far end leave there:
//! ```text
//! wait on D -> cells at the far end of D that arrived by D (on the lane, or of the VC)
//!           -> the hop by which they leave -> free to go:  the wait will end
//!                                          -> blocked:     another wait
//! ```
//! A wait is dead if it has cells to wait for and dead waits block all of them. For a multicast
//! cell one blocked branch is enough, since the last branch frees the cell. So the dead waits are
//! the greatest set with this property; the search removes waits without it until none is left.
//! Each dead wait leads to another, so a path of dead waits returns to one that it has passed: that
//! cycle is the deadlock.
//!
//! A hop is blocked if it has been so for a settling time without a break: four times the longest
//! loop of any link, with a largest packet each way. Cells that were on their way before have
//! arrived by then.
//!
//! Source: the wait-for graph of [CES71], with any of several cells enough to go on ("or"). Not
//! modelled: ACK cells of a lane, waits for an end-to-end window, and branches of a multicast VC
//! that wait for each other: a wait for these ends the search. Checked by: `deadlock/tests.rs`.

use std::fmt::Write as _;

use hopflow_network::{
    CellKind, DirectionId, HopControl, LaneNumbers, NetworkSpec, RunCounters, VcSpec,
};
use hopflow_units::{Bytes, Picos, SimTime};

use crate::names::direction_names;

/// What cells wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// A lane of a link direction that is shut.
    Lane {
        /// The link direction.
        direction: DirectionId,
        /// The lane.
        lane: u16,
    },
    /// The credit of one VC on one of its hops.
    Credit {
        /// The VC.
        vc: usize,
        /// Its hop.
        hop: usize,
    },
}

/// One wait of a deadlock, and the cells that must leave for it to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The wait.
    pub wait: Wait,
    /// A VC whose cells are held at its far end, and cannot leave.
    pub vc: usize,
    /// The hop by which they would leave; it is blocked by the next step's wait.
    pub hop: usize,
}

/// A deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The cycle; the last step waits for the first.
    pub cycle: Vec<Step>,
    /// The instant from which on all of it is blocked.
    pub since: SimTime,
}

/// The first deadlock found in the state at the end of a run. Panics if the counters are not those
/// of `spec`.
pub fn find_deadlock(spec: &NetworkSpec, counters: &RunCounters) -> Option<Deadlock> {
    let settled = settled(spec, counters)?;
    let graph = Graph { spec, counters, lanes: LaneNumbers::new(spec), settled };
    let mut dead = graph.waits();
    loop {
        let stuck = dead.iter().copied().filter(|wait| graph.step(*wait, &dead).is_some());
        let stuck: Vec<Wait> = stuck.collect();
        if stuck.len() == dead.len() {
            break;
        }
        dead = stuck;
    }
    let mut path: Vec<Step> = Vec::new();
    let mut wait = *dead.first()?;
    while !path.iter().any(|step| step.wait == wait) {
        let step = graph.step(wait, &dead).expect("the wait is dead");
        path.push(step);
        wait = graph.wait_of(step.vc, step.hop).expect("a dead wait waits for another");
    }
    let first = path.iter().position(|step| step.wait == wait)?;
    let cycle = path.split_off(first);
    let since = cycle.iter().filter_map(|step| graph.hop(step.vc, step.hop).blocked_since).max();
    Some(Deadlock { cycle, since: since.unwrap_or(counters.now) })
}

/// One settling time before now: a hop blocked since then or longer stays blocked unless others go
/// on.
fn settled(spec: &NetworkSpec, counters: &RunCounters) -> Option<SimTime> {
    let sizes = spec.vcs.iter().map(|vc| vc.traffic.size.most());
    let largest = sizes.fold(Bytes::CELL, Bytes::max);
    let loops = (0..spec.links.len()).map(|link| {
        let both = [0, 1].map(|side| spec.transmit_time(DirectionId::new(link, side), largest).0);
        spec.loop_time(link).0.saturating_add(both[0]).saturating_add(both[1])
    });
    let span = loops.max()?.saturating_mul(4);
    counters.now.0.checked_sub(span).map(SimTime)
}

struct Graph<'a> {
    spec: &'a NetworkSpec,
    counters: &'a RunCounters,
    lanes: LaneNumbers,
    settled: SimTime,
}

impl Graph<'_> {
    fn hop(&self, vc: usize, hop: usize) -> &hopflow_network::counters::HopCounters {
        &self.counters.vcs[vc].hops[hop]
    }

    /// All waits that block a hop, in order, each once.
    fn waits(&self) -> Vec<Wait> {
        let hops = self.spec.vcs.iter().enumerate();
        let hops = hops.flat_map(|(vc, spec)| (0..spec.hops.len()).map(move |hop| (vc, hop)));
        let mut waits: Vec<Wait> = hops.filter_map(|(vc, hop)| self.wait_of(vc, hop)).collect();
        waits.sort_unstable();
        waits.dedup();
        waits
    }

    /// The wait that blocks a hop for good, if there is one.
    fn wait_of(&self, vc: usize, hop: usize) -> Option<Wait> {
        self.hop(vc, hop).blocked_since.filter(|since| *since <= self.settled)?;
        let crossed = &self.spec.vcs[vc].hops[hop];
        let direction = crossed.direction_id();
        let lanes = &self.counters.directions[direction.0].lanes;
        let shut = |lane: &u16| lanes.iter().any(|l| l.lane == *lane && l.shut_since.is_some());
        if let Some(lane) = self.lanes.of_vc(direction, vc, false).filter(shut) {
            return Some(Wait::Lane { direction, lane });
        }
        (crossed.control != HopControl::None).then_some(Wait::Credit { vc, hop })
    }

    /// The first hop for which a wait waits, if waits of `dead` block all such hops.
    fn step(&self, wait: Wait, dead: &[Wait]) -> Option<Step> {
        let mut first = None;
        for (vc, hop) in self.entries(wait) {
            let children = self.oldest_holders(vc, hop);
            if children.is_empty() {
                continue;
            }
            let is_dead = |hop: &usize| {
                self.wait_of(vc, *hop).is_some_and(|wait| dead.binary_search(&wait).is_ok())
            };
            let stuck = children.into_iter().find(is_dead)?;
            first = first.or(Some(Step { wait, vc, hop: stuck }));
        }
        first
    }

    /// The hops whose receivers hold the cells for which the wait waits.
    fn entries(&self, wait: Wait) -> Vec<(usize, usize)> {
        match wait {
            Wait::Credit { vc, hop } => vec![(vc, hop)],
            Wait::Lane { direction, lane } => {
                let hop = |(index, vc): (usize, &VcSpec)| {
                    let hop = vc.hops.iter().position(|hop| hop.direction_id() == direction)?;
                    let own = self.lanes.of_vc(direction, index, false);
                    (own == Some(lane)).then_some((index, hop))
                };
                self.spec.vcs.iter().enumerate().filter_map(hop).collect()
            }
        }
    }

    /// The hops that still have to send the oldest cell that arrived by a hop.
    fn oldest_holders(&self, vc: usize, hop: usize) -> Vec<usize> {
        let hops = &self.spec.vcs[vc].hops;
        let children = (0..hops.len()).filter(|child| hops[*child].parent == Some(hop));
        let held = |child: usize| self.hop(vc, child).fill_packets;
        let most = children.clone().map(held).max().unwrap_or(0);
        children.filter(|child| most > 0 && held(*child) == most).collect()
    }
}

impl Deadlock {
    /// A sentence that names the cycle.
    pub fn text(&self, spec: &NetworkSpec) -> String {
        let (names, lanes) = (direction_names(spec), LaneNumbers::new(spec));
        let wait = |wait: Wait| match wait {
            Wait::Lane { direction, lane } => {
                let frames = spec.direction(direction).lanes.map(|lanes| lanes.frames());
                let what = if frames == Some(CellKind::Pause) {
                    format!("priority {lane} paused")
                } else {
                    format!("no credit for {}", lanes.words(spec, direction, lane))
                };
                format!("{} ({what})", names[direction.0])
            }
            Wait::Credit { vc, hop } => {
                let direction = spec.vcs[vc].hops[hop].direction_id();
                format!("{} (no credit for {})", names[direction.0], spec.vcs[vc].name)
            }
        };
        let mut text = format!("deadlock since {}: ", Picos(self.since.0));
        for step in &self.cycle {
            let at = spec.from_node(spec.vcs[step.vc].hops[step.hop].direction_id());
            let (vc, node) = (&spec.vcs[step.vc].name, &spec.nodes[at].name);
            let _ = write!(text, "{} waits for {vc} to leave {node} by ", wait(step.wait));
        }
        if let Some(first) = self.cycle.first() {
            text.push_str(&wait(first.wait));
        }
        text
    }
}

#[cfg(test)]
mod tests;
