//! The windows of a network, and the units that can be unread in them.

use hopflow_kernel::WindowPlan;
use hopflow_units::{Bytes, Picos};

use super::crossing::Crossing;
use hopflow_network::{DirectionId, NetworkSpec};

/// The windows of a network.
pub(crate) struct Windows {
    pub(crate) plan: WindowPlan,
    /// For each direction, what can cross it.
    pub(crate) crossings: Vec<Crossing>,
}

impl Windows {
    /// The most units that can be unread at once: those started in the latency, and in the window
    /// by which the sender may be ahead of the reader, at most one per transmit time of `least`.
    pub(crate) fn units_unread(&self, spec: &NetworkSpec, id: DirectionId, least: Bytes) -> usize {
        units(self.span(spec, id), spec.transmit_time(id, least))
    }

    /// The most slots of a ring that can be in use at once: as many as the units that take the most
    /// slots in their transmit time. Where both packets and control units cross, the first and the
    /// last of them may be of the other kind.
    pub(crate) fn most_slots(&self, spec: &NetworkSpec, id: DirectionId) -> usize {
        let Crossing { packets, packet_slots, control_slots } = self.crossings[id.0];
        let packets = packets.map(|[least, _]| self.packet_slots(spec, id, least));
        let control = || control_slots * self.units_unread(spec, id, Bytes::CELL);
        match (packets, (control_slots > 0).then(control)) {
            (Some(packets), Some(control)) => {
                packets.max(control) + 2 * packet_slots.max(control_slots)
            }
            (slots, None) | (None, slots) => slots.unwrap_or(0),
        }
    }

    /// The most slots of packets of one size that can be in use at once.
    pub(crate) fn packet_slots(&self, spec: &NetworkSpec, id: DirectionId, size: Bytes) -> usize {
        self.crossings[id.0].packet_slots * self.units_unread(spec, id, size)
    }

    /// The span, ended by the last start, in which units start that can be unread: all of it but
    /// their transmit time.
    fn span(&self, spec: &NetworkSpec, id: DirectionId) -> Picos {
        let beyond = spec.direction(id).beyond();
        if self.crossings[id.0].least().is_none() {
            return beyond;
        }
        let ahead = self.plan.window_between(spec.from_node(id), spec.to_node(id));
        Picos(beyond.0.saturating_add(ahead.0))
    }
}

/// The most units of this transmit time that start in a span and in the transmit time before it.
fn units(span: Picos, time: Picos) -> usize {
    (span.0.saturating_add(time.0) / time.0) as usize + 4
}
