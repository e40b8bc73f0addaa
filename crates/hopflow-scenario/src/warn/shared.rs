//! Pauses, lanes and shared buffers that probably do not act as intended.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{
    CreditLanes, DirectionId, LanesSpec, Limit, NetworkSpec, NodeKind, PausedLanes,
};
use hopflow_units::Bytes;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::naming::direction;
use crate::shared::beyond_xoff;

/// For each place of the file the finding with the greatest amount, and how many findings it has.
#[derive(Default)]
struct Worst(BTreeMap<(usize, usize), (u64, String, usize)>);

impl Worst {
    fn add(&mut self, place: &Range<usize>, amount: u64, text: impl FnOnce() -> String) {
        let (most, worst, count) = self.0.entry((place.start, place.end)).or_default();
        *count += 1;
        if amount > *most {
            (*most, *worst) = (amount, text());
        }
    }

    /// A warning for each place; `does`: what the worst does `most`.
    fn warn(self, code: Code, does: &str, hint: impl Fn(u64) -> String, sink: &mut Sink) {
        for ((start, end), (amount, text, count)) in self.0 {
            let message = match count {
                1 => text,
                _ => format!("{text} (and {} more; this one {does} most)", count - 1),
            };
            sink.warning(code, &(start..end), message).hint(hint(amount));
        }
    }
}

/// Rooms that are too small for the data that arrives before a pause takes effect.
pub(super) fn headroom(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let limited = |id: DirectionId| {
        let threshold = network.direction(id).lanes?.rule.threshold()?;
        Some((id, threshold.xoff, threshold.room?))
    };
    let all = (0..network.direction_count()).map(DirectionId);
    let limited: Vec<_> = all.filter_map(limited).collect();
    if limited.is_empty() {
        return;
    }
    let lanes = PausedLanes::new(network);
    let mut worst = Worst::default();
    for (id, xoff, room) in limited {
        let mut held = network.direction(id).lanes.into_iter().flat_map(LanesSpec::each_priority);
        if !held.any(|lane| lanes.is_used(id, lane)) {
            continue;
        }
        let Some(beyond) = beyond_xoff(&lanes, network, id) else { continue };
        let needed = xoff.0 + beyond.0;
        if room.0 < needed {
            let place = &built.links.shared[id.link()][id.side()].size_span;
            worst.add(place, needed, || {
                format!(
                    "the room at the end of `{}` is {} B, but {} B may come above XOFF of {} B \
                     before a pause takes effect: packets may be dropped{}",
                    direction(network, id),
                    room.0,
                    beyond.0,
                    xoff.0,
                    never_paused(&lanes, id, xoff, room).unwrap_or_default()
                )
            });
        }
    }
    let hint = |needed| format!("raise `room` to {needed} B, or write `room = \"auto\"`");
    worst.warn(Code::SMALL_HEADROOM, "needs", hint, sink);
}

/// What a warning says of a lane whose XOFF is never reached. A packet that does not fit the room
/// is dropped before it counts, so packets of one size hold whole multiples of it.
fn never_paused(
    lanes: &PausedLanes<'_>,
    id: DirectionId,
    xoff: Bytes,
    room: Bytes,
) -> Option<String> {
    let all = lanes.network().direction(id).lanes?.each_priority();
    let of_lane = |lane| {
        let size = lanes.only_size(id, lane)?;
        let most = room.0 / size.0 * size.0;
        (most < xoff.0).then(|| {
            format!(
                ". Its packets of {} B fill at most {most} B of the room, and the next is dropped \
                 before it counts: priority {lane} never reaches XOFF, so no pause is ever sent",
                size.0
            )
        })
    };
    all.into_iter().find_map(of_lane)
}

/// Lanes that promise more than the node at their end holds, so that it loses packets: in bytes
/// where its limit is in bytes, else in packets, of which the smallest are the most.
pub(super) fn beyond_buffer(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let lanes = CreditLanes::new(network);
    let (mut of_packets, mut of_bytes) = (Worst::default(), Worst::default());
    for (id, lane, promise) in lanes.used() {
        let node = network.to_node(id);
        let Some(smallest) = lanes.smallest(id, lane) else { continue };
        let name = &network.nodes[node].name;
        let place = &built.links.shared[id.link()][id.side()].size_span;
        let rooms = rooms_of(network, node);
        let packets = rooms.iter().filter_map(|room| room.packets()).min();
        let promised = u64::from(promise.buffer) / promise.blocks(smallest.size);
        if let Some(room) = packets.filter(|room| promised > u64::from(room.0)) {
            of_packets.add(place, promised, || {
                format!(
                    "{} of `{}` promises room for {promised} packets, but `{name}` holds \
                     {}: packets may be lost there; {}",
                    lanes.numbers().words(network, id, lane),
                    direction(network, id),
                    room.0,
                    smallest.note(network, u64::from(promise.buffer) * promise.block.0)
                )
            });
            continue;
        }
        let bytes = rooms.iter().filter_map(|room| room.bytes()).min();
        let memory = lanes.memory(id, lane, promise);
        if let Some(room) = bytes.filter(|room| memory > room.0) {
            of_bytes.add(place, memory, || {
                format!(
                    "{} of `{}` promises {} blocks of {} B, which take up to {memory} B, \
                     but `{name}` holds {} B: packets may be lost there",
                    lanes.numbers().words(network, id, lane),
                    direction(network, id),
                    promise.buffer,
                    promise.block.0,
                    room.0,
                )
            });
        }
    }
    let hint = |amount: u64, unit: &str| {
        format!("raise the buffer of the node to \"{amount} {unit}\", or lower `buffer` of `lanes`")
    };
    let code = Code::SMALL_BUFFER;
    of_packets.warn(code, "promises", |promised| hint(promised, "packets"), sink);
    of_bytes.warn(code, "promises", |memory| hint(memory, "B"), sink);
}

/// The limits that a node has for packets that it forwards.
fn rooms_of(network: &NetworkSpec, node: usize) -> Vec<Limit> {
    let spec = &network.nodes[node];
    let own = spec.limits().into_iter().map(|(_, limit)| limit);
    let all = own.chain([network.receive_buffer(node)]).flatten();
    all.filter(|_| spec.kind == NodeKind::Switch).collect()
}

/// Shared buffers without flows, and held priorities that no flow has, on any link of their key.
pub(super) fn unused(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut crossing = vec![0_u8; network.direction_count()];
    for vc in &network.vcs {
        for hop in &vc.hops {
            crossing[hop.direction_id().0] |= 1 << vc.priority;
        }
    }
    // By place: the key, and whether a flow makes use of it.
    let mut places: BTreeMap<(usize, usize), (&str, bool)> = BTreeMap::new();
    let mut note = |span: &Range<usize>, key: &'static str, used: bool| {
        places.entry((span.start, span.end)).or_insert((key, false)).1 |= used;
    };
    for id in (0..network.direction_count()).map(DirectionId) {
        let shared = &built.links.shared[id.link()][id.side()];
        if let Some(keys) = &shared.buffer_keys {
            note(&keys.span, "pool", network.direction(id).shared_buffer.is_some());
        }
        if let Some(lanes) = shared.lanes {
            let table = lanes.rule.facts().table;
            note(&shared.span, table, crossing[id.0] & lanes.priorities != 0);
        }
    }
    for ((start, end), (key, _)) in places.into_iter().filter(|(_, (_, used))| !used) {
        let (message, hint) = if key == "pool" {
            let hint = "give flows `control = { kind = \"adaptive\" }`, or leave `pool` out";
            ("no flow under adaptive credit shares this `pool`".to_owned(), hint)
        } else {
            let hint = "flows have priority 0 by default; a pair is `[there, back]`, as \
                        `between` names the nodes";
            (format!("no flow of a priority of this `{key}` crosses its links"), hint)
        };
        sink.warning(Code::UNUSED_CONTROL, &(start..end), message).hint(hint);
    }
}
