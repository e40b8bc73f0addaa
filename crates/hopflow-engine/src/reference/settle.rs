//! The state since the last change is added to the integrals of a hop or a node, before the next
//! one.

use super::ReferenceEngine;
use super::unit::HopId;

impl ReferenceEngine {
    /// Adds the state of a hop up to now to its integrals, before a change.
    pub(super) fn touch(&mut self, id: HopId) {
        let (now, fill) = (self.now, self.fill(id));
        let hop = self.hop_mut(id);
        hop.counters = hop.counted(now, fill);
        hop.blocked_counted |= hop.blocked_since.is_some_and(|since| since < now);
        hop.settled = now;
        self.touched.insert(id);
    }

    /// The same for the cells held at a node.
    pub(super) fn settle_node(&mut self, node: usize) {
        let now = self.now;
        let node = &mut self.nodes[node];
        node.counters = node.counted(now);
        node.settled = now;
    }
}
