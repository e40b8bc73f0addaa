//! Windowed executor: runs each node alone for a whole window, on any number of threads.
//!
//! Whatever passes between two nodes takes at least the latency of the link between them. So in a
//! window no longer than that a node cannot be affected by what the other does in that window, and
//! the order in which they are run cannot matter: results do not depend on the number of threads.
//! ```text
//! window k:   |----- L -----|          start(k+1) = max(end(k), earliest instant any node knows)
//! node A      run............
//! node B      run............          units written in window k are due at or after end(k)
//! ```
//! There is no global event queue. `plan.rs` tells which nodes share a clock and how long windows
//! are, `group.rs` runs nodes that share one, `team.rs` deals chunks of nodes to threads, and
//! `pace.rs` measures how many threads pay. Only nodes are run whose time has come or that get
//! something: an idle node costs memory and no time, and idle time is jumped over.

mod group;
mod pace;
mod plan;
mod team;

use std::sync::Arc;

use hopflow_units::SimTime;

use group::{Group, Member};
use plan::MemberPlan;
use team::Team;

pub use pace::Pace;
pub use plan::{Reach, WindowPlan};

/// A node as the executor sees it.
pub trait WindowNode: Send + 'static {
    /// Runs everything at this node before `end`. For each link on which it wrote, it tells `sent`
    /// when the first of it arrives.
    fn run_window(&mut self, end: SimTime, sent: &mut Sent) -> Next;
}

/// What a node knows at the end of its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// When it has something to do, as far as it knows; not before the end of the window.
    /// [`SimTime::NEVER`] stands for nothing.
    pub own: SimTime,
    /// Units that it took in: a measure of the work done.
    pub units: u64,
}

/// Who gets something, and when.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// By node, its place in the order of the executor.
    places: Arc<[u32]>,
    /// Places and instants in ps.
    arrivals: Vec<(u32, u64)>,
}

impl Sent {
    /// A node gets something at `due`, and perhaps more later.
    #[inline]
    pub fn to(&mut self, node: u32, due: SimTime) {
        self.arrivals.push((self.places[node as usize], due.0));
    }
}

/// Nodes and the clocks of their windows.
#[derive(Debug)]
pub struct WindowExecutor<N> {
    team: Team<N>,
    /// By node, its place in the order in which nodes are run.
    places: Arc<[u32]>,
    /// Everything before this instant has been run.
    now: SimTime,
}

impl<N: WindowNode> WindowExecutor<N> {
    /// An executor over `nodes`, in the order of the plan, with the windows of `plan`.
    pub fn new(nodes: Vec<N>, plan: &WindowPlan) -> WindowExecutor<N> {
        let places: Arc<[u32]> = plan.places().into();
        assert_eq!(places.len(), nodes.len(), "the plan is for these nodes");
        let mut nodes: Vec<Option<N>> = nodes.into_iter().map(Some).collect();
        let mut first = 0;
        let mut groups = Vec::new();
        for chunk in 0..plan.chunks {
            let group = build(plan, chunk, &mut nodes, (first, &places));
            first = group.places().1 as usize;
            groups.push(group);
        }
        let sent = Sent { places: places.clone(), arrivals: Vec::new() };
        let team = Team::new(groups, &sent, plan.lookahead, plan.threads());
        WindowExecutor { team, places, now: SimTime::ZERO }
    }

    /// How many threads run the next windows. The result does not depend on it.
    pub fn set_pace(&mut self, pace: Pace) {
        self.team.set_pace(pace);
    }

    /// Runs everything before `end`.
    pub fn run_until(&mut self, end: SimTime) {
        assert!(end >= self.now, "time does not run backwards");
        self.team.run_until(end.0);
        self.now = end;
    }

    /// Calls `look` on every node, in order.
    pub fn for_each(&self, mut look: impl FnMut(&N)) {
        self.team.with_nodes(|nodes| {
            for place in &self.places[..] {
                look(nodes[*place as usize]);
            }
        });
    }

    /// Calls `change` on every node, in order.
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut N)) {
        let places = &self.places;
        self.team.with_nodes_mut(|mut nodes| {
            for place in &places[..] {
                change(nodes[*place as usize]);
            }
        });
    }
}

/// The nodes of a group and of the groups in it. `first`: the place of the first.
fn build<N: WindowNode>(
    plan: &WindowPlan,
    group: usize,
    nodes: &mut [Option<N>],
    (first, places): (usize, &Arc<[u32]>),
) -> Group<N> {
    let group = &plan.groups[group];
    let (mut members, mut place) = (Vec::new(), first);
    for member in &group.members {
        match *member {
            MemberPlan::Node(node) => {
                members.push(Member::Node(nodes[node].take().expect("a node has one place")));
                place += 1;
            }
            MemberPlan::Group(child) => {
                let child = build(plan, child, nodes, (place, places));
                place = child.places().1 as usize;
                members.push(Member::Group(Box::new(child)));
            }
        }
    }
    let sent = Sent { places: places.clone(), arrivals: Vec::new() };
    Group::new(members, first, group.lookahead, (SimTime::ZERO, sent))
}

#[cfg(test)]
mod tests;
