//! The input of the window plan: which node can affect which, and how soon.
//!
//! A direction of a link is *silent* when nothing can ever start on it: no VC crosses it, and those
//! that cross the link the other way send nothing back, neither credit nor ACK, RM cell or pause.
//! So nodes that only send wait for no other node.
//!
//! Checked by: nodes assert that no unit arrives in their past; `tests/engines_agree.rs`.

use hopflow_kernel::{Reach, WindowPlan};
use hopflow_units::Picos;

use crate::windowed::fifo::{FifoNodes, answers};
use crate::windowed::state::windows::Windows;
use hopflow_network::{DirectionId, HopControl, NetworkSpec, RoundTrip};

impl Windows {
    /// The windows of a network on up to `threads` threads.
    pub(crate) fn new(spec: &NetworkSpec, fifo_nodes: &FifoNodes, threads: usize) -> Windows {
        let mut silent = silent(spec);
        let mut times = spec.least_transmit_times();
        let ids = || (0..spec.direction_count()).map(DirectionId);
        for id in ids() {
            if let Some(time) = fifo_nodes.least_time(spec, id) {
                times[id.0] = time;
                silent[id.0] |= time == Picos::MAX;
            }
        }
        let reach = |id: DirectionId| Reach {
            from: spec.from_node(id),
            to: spec.to_node(id),
            latency: times[id.0] + spec.direction(id).beyond(),
            spacing: times[id.0],
        };
        let reaches: Vec<Reach> = ids().filter(|id| !silent[id.0]).map(reach).collect();
        let plan = WindowPlan::new(spec.nodes.len(), &reaches, threads);
        Windows { plan, silent }
    }
}

/// For each direction, whether nothing ever starts on it.
fn silent(spec: &NetworkSpec) -> Vec<bool> {
    let is_bare = |id: DirectionId| {
        let direction = spec.direction(id);
        direction.lanes.is_none()
            && direction.shared_buffer.is_none()
            && direction.rate_control.is_none()
    };
    let mut silent: Vec<bool> = (0..spec.direction_count())
        .map(DirectionId)
        .map(|id| {
            let measures = spec.links[id.link()].round_trip == RoundTrip::Measured;
            !measures && is_bare(id) && is_bare(id.reverse())
        })
        .collect();
    for vc in &spec.vcs {
        let answers = answers(spec, vc);
        for hop in &vc.hops {
            let id = hop.direction_id();
            silent[id.0] = false;
            if answers || hop.control != HopControl::None {
                silent[id.reverse().0] = false;
            }
        }
    }
    silent
}
