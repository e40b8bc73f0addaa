//! Sizes that are computed once all flows are known: XOFF and room of a pause, buffers of lanes.
//!
//! The formulas are those of `hopflow-network/src/spec/lanes/threshold.rs` (XOFF),
//! `hopflow-control/src/lane/pause/headroom.rs` (room) and `hopflow-control/src/lane/size.rs`.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_control::lane::{Threshold, headroom};
use hopflow_network::{
    CreditLanes, DirectionId, LaneRule, Limit, NetworkSpec, NoRoom, PausedLanes, ThresholdError,
    Thresholds,
};
use hopflow_units::Bytes;

use super::pause::xon_above_xoff;
use super::{Shared, Xon};
use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::shared::MOST_HELD;
use crate::naming::direction;

/// The directions that have a value to be computed.
fn asked<'l>(
    shared: &'l [[Shared; 2]],
    network: &NetworkSpec,
    is_asked: fn(&Shared) -> bool,
) -> Vec<(DirectionId, &'l Shared)> {
    let all = (0..network.direction_count()).map(DirectionId);
    let shared = all.map(|id| (id, &shared[id.link()][id.side()]));
    shared.filter(|(_, shared)| is_asked(shared)).collect()
}

/// Fills in all of them: XOFF first, since rooms follow from it.
pub(super) fn fill(network: &mut NetworkSpec, shared: &[[Shared; 2]], sink: &mut Sink) {
    thresholds(network, shared, sink);
    rooms(network, shared, sink);
    buffers(network, shared, sink);
}

fn rule(network: &mut NetworkSpec, id: DirectionId) -> Option<&mut LaneRule> {
    let lanes = &mut network.links[id.link()].directions[id.side()].lanes;
    lanes.as_mut().map(|lanes| &mut lanes.rule)
}

/// Changes thresholds. Returns them if there are any.
fn change(
    network: &mut NetworkSpec,
    id: DirectionId,
    change: impl FnOnce(&mut Threshold),
) -> Option<Threshold> {
    let rule = rule(network, id)?;
    let mut threshold = rule.threshold()?;
    change(&mut threshold);
    rule.set_threshold(threshold);
    Some(threshold)
}

fn thresholds(network: &mut NetworkSpec, shared: &[[Shared; 2]], sink: &mut Sink) {
    let asked = asked(shared, network, |shared| shared.auto.xoff.is_some());
    if asked.is_empty() {
        return;
    }
    let law = Thresholds::new(network);
    let mut found = Vec::new();
    // By place and node: the limit that needs most.
    let mut short: BTreeMap<(usize, usize), (Range<usize>, NoRoom)> = BTreeMap::new();
    for (id, shared) in asked {
        match law.xoff(id) {
            Ok(xoff) => found.push((id, shared, xoff)),
            Err(ThresholdError::TooLarge) => too_large(network, id, shared, sink),
            Err(ThresholdError::NoRoom(wrong)) => {
                let place = (shared.span.start, wrong.node);
                let worst = short.entry(place).or_insert_with(|| (shared.span.clone(), wrong));
                if worst.1.needed < wrong.needed {
                    worst.1 = wrong;
                }
            }
        }
    }
    for (span, wrong) in short.into_values() {
        no_room(network, &wrong, &span, sink);
    }
    for (id, shared, xoff) in found {
        let changed = change(network, id, |threshold| {
            threshold.xoff = xoff;
            if shared.auto.xoff == Some(Xon::Half) {
                threshold.xon = Bytes(xoff.0 / 2);
            }
        });
        if let Some(Threshold { xon, .. }) = changed.filter(|changed| changed.xon >= xoff) {
            xon_above_xoff(xon, xoff, &shared.span, sink);
        }
    }
}

fn no_room(network: &NetworkSpec, wrong: &NoRoom, span: &Range<usize>, sink: &mut Sink) {
    let NoRoom { node, limit, room, inputs, needed, needed_bytes, smallest } = *wrong;
    let of = match (limit, inputs) {
        ("vc-buffer", _) => "for an input".to_owned(),
        (_, 1) => "for 1 input and priority".to_owned(),
        (_, inputs) => format!("for {inputs} inputs and priorities, which share it alike"),
    };
    let (name, each) = (&network.nodes[node].name, needed / u64::from(inputs));
    let (message, needed) = match room {
        Limit::Packets(room) => {
            let message = format!(
                "the `{limit}` of `{name}` holds {} packets {of}: too few for a packet and the \
                 headroom of a pause, {each} each; {}",
                room.0,
                smallest.note(network, needed_bytes)
            );
            (message, format!("{needed} packets"))
        }
        Limit::Bytes(room) => {
            let message = format!(
                "the `{limit}` of `{name}` holds {} B {of}: too few for a packet and the headroom \
                 of a pause, {each} B each",
                room.0,
            );
            (message, format!("{needed} B"))
        }
    };
    let hint = format!("raise `{limit}` to \"{needed}\" or more, or give `xoff` a size");
    sink.error(Code::SMALL_BUFFER, span, message).hint(hint);
}

fn too_large(network: &NetworkSpec, id: DirectionId, shared: &Shared, sink: &mut Sink) {
    let message = format!("the headroom of `{}` is too large to compute", direction(network, id));
    sink.error(Code::TOO_MUCH, &shared.span, message);
}

fn rooms(network: &mut NetworkSpec, shared: &[[Shared; 2]], sink: &mut Sink) {
    let asked = asked(shared, network, |shared| shared.auto.room);
    if asked.is_empty() {
        return;
    }
    let lanes = PausedLanes::new(network);
    let mut found = Vec::new();
    for (id, shared) in asked {
        match beyond_xoff(&lanes, network, id) {
            Some(beyond) => found.push((id, beyond)),
            None => too_large(network, id, shared, sink),
        }
    }
    for (id, beyond) in found {
        change(network, id, |threshold| {
            threshold.room = Some(Bytes(threshold.xoff.0 + beyond.0));
        });
    }
}

/// The largest room beyond XOFF that a paused priority of a direction needs. `None`: on overflow.
pub(crate) fn beyond_xoff(
    paused: &PausedLanes<'_>,
    network: &NetworkSpec,
    id: DirectionId,
) -> Option<Bytes> {
    let lanes = network.direction(id).lanes?.each_priority();
    let beyond = lanes.map(|lane| Some(headroom(&paused.link(id, lane)).ok()?.beyond_xoff));
    let most = beyond.collect::<Option<Vec<Bytes>>>()?.into_iter().max()?;
    (most <= Bytes(MOST_HELD)).then_some(most)
}

fn buffers(network: &mut NetworkSpec, shared: &[[Shared; 2]], sink: &mut Sink) {
    let asked = asked(shared, network, |shared| shared.auto.buffer);
    if asked.is_empty() {
        return;
    }
    let lanes = CreditLanes::new(network);
    let mut found = Vec::new();
    for (id, shared) in asked {
        let Some(promise) = lanes.promise(id) else { continue };
        let most = promise.buffer_most;
        let blocks = blocks(&lanes, network, id);
        let blocks = blocks.filter(|blocks| *blocks <= u64::from(most));
        if let Some(blocks) = blocks {
            found.push((id, blocks as u32));
            continue;
        }
        let message = format!(
            "the buffer worked out for the lanes of `{}` is above {most} blocks",
            direction(network, id)
        );
        let hint = "give `block` more bytes, or `buffer` a size";
        sink.error(Code::CREDIT_BITS, &shared.span, message).hint(hint);
    }
    for (id, blocks) in found {
        if let Some(rule) = rule(network, id) {
            rule.set_buffer(blocks);
        }
    }
}

/// The size of the lanes of a direction: enough blocks that credit never holds a lane below the
/// rate of the link, and that the largest packet can be sent. `None`: on overflow.
fn blocks(lanes: &CreditLanes<'_>, network: &NetworkSpec, id: DirectionId) -> Option<u64> {
    let promise = lanes.promise(id)?;
    let rate = network.direction(id).rate;
    // A lane per destination that nothing crosses does not exist.
    let mut most = promise.least(Bytes::CELL);
    for (lane, packets) in lanes.numbers().of(id) {
        most = most.max(promise.least(packets.largest));
        if let Some(of_lane) = lanes.link(id, lane, rate) {
            most = most.max(of_lane.need().ok()?.blocks);
        }
    }
    Some(most)
}
