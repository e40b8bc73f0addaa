//! Builds the rings of records, for the link directions that units with records can cross.

use hopflow_kernel::{GrowingReader, GrowingWriter, growing_ring};
use hopflow_units::Bytes;

use crate::windowed::state::records::PortRecords;
use crate::windowed::state::windows::Windows;
use crate::windowed::wire::record::record_slots;
use hopflow_network::{DirectionId, HopSpec, NetworkSpec, VcSpec};

/// The hops of VCs whose units can carry records, with the slots of the longest one.
fn hops(spec: &NetworkSpec) -> impl Iterator<Item = (DirectionId, usize)> {
    let slots = |vc: &'_ VcSpec| Some(record_slots(vc)).filter(|slots| *slots > 0);
    let vcs = spec.vcs.iter().filter_map(move |vc| Some((vc, slots(vc)?)));
    vcs.flat_map(|(vc, slots)| vc.hops.iter().map(HopSpec::direction_id).map(move |id| (id, slots)))
}

/// For each node, whether units can carry records there, or a port has an algorithm that needs
/// them.
pub(super) fn nodes_with_records(spec: &NetworkSpec) -> Vec<bool> {
    let mut found = vec![false; spec.nodes.len()];
    for (id, _) in hops(spec) {
        found[spec.from_node(id)] = true;
        found[spec.to_node(id)] = true;
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        found[spec.from_node(id)] |= spec.direction(id).rate_control.is_some();
    }
    found
}

/// The slots with which a ring of records begins.
const FIRST: usize = 7;

/// Rings of records, by link direction.
pub(super) type RecordRings = Vec<(Option<GrowingWriter>, Option<GrowingReader>)>;

/// A ring for each direction that units with records can cross; none for the others.
pub(super) fn record_rings(spec: &NetworkSpec, windows: &Windows) -> RecordRings {
    let mut most = vec![0; spec.direction_count()];
    for (id, slots) in hops(spec) {
        for id in [id, id.reverse()] {
            most[id.0] = slots.max(most[id.0]);
        }
    }
    let made = |id: DirectionId, slots: usize| {
        let packets = windows.crossings[id.0].packets;
        let least = packets.map_or(Bytes::CELL, |[least, _]| least);
        // Few units have a record.
        let most = slots * windows.units_unread(spec, id, least);
        let (writer, reader) = growing_ring(most.min(FIRST), most);
        (Some(writer), Some(reader))
    };
    let ids = (0..spec.direction_count()).map(DirectionId);
    ids.zip(most)
        .map(|(id, slots)| if slots > 0 { made(id, slots) } else { (None, None) })
        .collect()
}

/// The rings of a port, if units with records can cross its link.
pub(super) fn port_records(id: DirectionId, rings: &mut RecordRings) -> Option<Box<PortRecords>> {
    let (output, input) = (rings[id.0].0.take()?, rings[id.reverse().0].1.take()?);
    Some(Box::new(PortRecords::new(output, input)))
}
