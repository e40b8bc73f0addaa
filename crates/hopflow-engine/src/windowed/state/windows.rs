//! The windows of a network, and the units that can be unread in them.

use hopflow_kernel::WindowPlan;
use hopflow_units::Picos;

use hopflow_network::{DirectionId, NetworkSpec};

/// The windows of a network.
pub(crate) struct Windows {
    pub(crate) plan: WindowPlan,
    /// For each direction, whether nothing ever starts on it.
    pub(crate) silent: Vec<bool>,
}

impl Windows {
    /// The most units that can be unread at once: those started in the latency, and in the window
    /// by which the sender may be ahead of the reader, at most one per `least` transmit time.
    pub(crate) fn units_unread(&self, spec: &NetworkSpec, id: DirectionId, least: Picos) -> usize {
        let mut span = spec.direction(id).beyond() + least;
        if !self.silent[id.0] {
            let ahead = self.plan.window_between(spec.from_node(id), spec.to_node(id));
            span = Picos(span.0.saturating_add(ahead.0));
        }
        (span.0 / least.0) as usize + 4
    }
}
