//! The input of the window plan: which node can affect which, and how soon.
//!
//! A direction of a link is *silent* when nothing can ever start on it (`state/crossing.rs`). So
//! nodes that only send wait for no other node. On any other direction, a unit takes effect no
//! sooner than the smallest one that can cross it.
//!
//! Checked by: nodes assert that no unit arrives in their past; `tests/engines_agree.rs`.

use hopflow_kernel::{Reach, WindowPlan};

use crate::windowed::state::crossing::Crossing;
use crate::windowed::state::windows::Windows;
use hopflow_network::{DirectionId, NetworkSpec};

impl Windows {
    /// The windows of a network on up to `threads` threads.
    pub(crate) fn new(spec: &NetworkSpec, threads: usize) -> Windows {
        let crossings = Crossing::all(spec);
        let reach = |(id, crossing): (usize, &Crossing)| {
            let (id, spacing) = (DirectionId(id), crossing.least()?);
            let spacing = spec.transmit_time(id, spacing);
            let latency = spacing + spec.direction(id).beyond();
            Some(Reach { from: spec.from_node(id), to: spec.to_node(id), latency, spacing })
        };
        let reaches: Vec<Reach> = crossings.iter().enumerate().filter_map(reach).collect();
        let plan = WindowPlan::new(spec.nodes.len(), &reaches, threads);
        Windows { plan, crossings }
    }
}
