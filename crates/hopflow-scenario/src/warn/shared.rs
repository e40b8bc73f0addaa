//! Pauses, lanes and shared buffers that probably do not act as intended.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{DirectionId, LanesSpec, PausedLanes};

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::naming::direction;
use crate::shared::beyond_xoff;

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
    // By place: the direction that needs most, what it has and what it needs; how many are short.
    let mut places: BTreeMap<(usize, usize), (u64, String, usize)> = BTreeMap::new();
    for (id, xoff, room) in limited {
        let mut held = network.direction(id).lanes.into_iter().flat_map(LanesSpec::lanes);
        if !held.any(|lane| lanes.is_used(id, lane)) {
            continue;
        }
        let Some(beyond) = beyond_xoff(&lanes, network, id) else { continue };
        let needed = xoff.0 + beyond.0;
        if room.0 < needed {
            let span = &built.links.shared[id.link()][id.side()].size_span;
            let (most, text, count) = places.entry((span.start, span.end)).or_default();
            *count += 1;
            if needed <= *most {
                continue;
            }
            *most = needed;
            *text = format!(
                "the room at the end of `{}` is {} B, but {} B may come above XOFF of {} B before \
                 a pause takes effect: packets may be dropped",
                direction(network, id),
                room.0,
                beyond.0,
                xoff.0
            );
        }
    }
    for ((start, end), (needed, text, count)) in places {
        let message = match count {
            1 => text,
            _ => format!("{text} (and {} more; this one needs most)", count - 1),
        };
        let hint = format!("raise `room` to {needed} B, or write `room = \"auto\"`");
        sink.warning(Code::SMALL_HEADROOM, &(start..end), message).hint(hint);
    }
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
            let hint = "flows have priority 0 unless they say otherwise; a pair is \
                        `[there, back]`, as `between` names the nodes";
            (format!("no flow of a priority of this `{key}` crosses its links"), hint)
        };
        sink.warning(Code::UNUSED_CONTROL, &(start..end), message).hint(hint);
    }
}
