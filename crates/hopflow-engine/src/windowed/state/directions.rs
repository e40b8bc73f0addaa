//! Ports of link directions at their nodes, and state that VCs share there.

use std::collections::BTreeMap;

use hopflow_control::credit::Sharers;

use crate::embed::credit::Carried;
use hopflow_network::{Change, DirectionId, LaneNumbers, NetworkSpec};

/// The ports at which link directions start, and the number of ports of each node.
#[derive(Debug)]
pub(crate) struct Directions {
    pub(crate) port: Vec<u32>,
    pub(crate) count: Vec<u32>,
    /// For each direction, the VCs that share its buffer.
    pub(crate) sharers: Vec<Sharers>,
    /// For directions of which hops share credit cells, their groups.
    pub(crate) carried: BTreeMap<usize, Vec<Carried>>,
    pub(crate) lanes: LaneNumbers,
    /// For each direction, the flows of its rate control.
    pub(crate) rated: Vec<Vec<usize>>,
    /// For each direction, whether R is its true loop, it corrupts no data cell, and no credit
    /// about it is falsified.
    pub(crate) is_exact: Vec<bool>,
}

impl Directions {
    pub(crate) fn new(spec: &NetworkSpec) -> Directions {
        let mut used = vec![0; spec.nodes.len()];
        let mut port = vec![0; spec.direction_count()];
        for direction in (0..spec.direction_count()).map(DirectionId) {
            let node = spec.from_node(direction);
            port[direction.0] = used[node];
            used[node] += 1;
        }
        let (sharers, rated) = (spec.sharers(), spec.rate_flows());
        let is_exact = exact_directions(spec);
        let (carried, lanes) = (Carried::groups(spec), LaneNumbers::new(spec));
        Directions { port, count: used, sharers, carried, lanes, rated, is_exact }
    }

    /// The port by which a hop leaves.
    pub(crate) fn out(&self, direction: DirectionId) -> u32 {
        self.port[direction.0]
    }

    /// The port, at the other end, by which a hop arrives.
    pub(crate) fn into(&self, direction: DirectionId) -> u32 {
        self.port[direction.reverse().0]
    }
}

/// For each direction, whether R is its true loop, it never corrupts a data cell, and no credit
/// about it is ever falsified.
fn exact_directions(spec: &NetworkSpec) -> Vec<bool> {
    let is_exact = |direction: DirectionId| {
        let link = direction.link();
        spec.direction(direction).corrupt_data.is_zero()
            && spec.round_trip(link) == spec.loop_time(link)
    };
    let mut exact: Vec<bool> = (0..spec.direction_count()).map(DirectionId).map(is_exact).collect();
    for event in &spec.events {
        let direction = DirectionId::new(event.link, event.direction);
        match event.change {
            Change::CorruptData(_) => exact[direction.0] = false,
            Change::FalsifyNextCredits { .. } => exact[direction.reverse().0] = false,
            _ => {}
        }
    }
    exact
}
