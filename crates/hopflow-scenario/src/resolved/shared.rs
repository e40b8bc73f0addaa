//! Pools, pauses and lanes, written out.

use hopflow_network::{LaneRule, LanesSpec, PoolSpec};
use serde_json::{Value, json};

use super::int;

pub(super) fn pool(pool: &PoolSpec) -> Value {
    json!({ "interval_ps": int(pool.interval.0), "memory_cells": pool.memory.0 })
}

pub(super) fn lanes(spec: &LanesSpec) -> Value {
    let priorities: Vec<u8> = spec.lanes().collect();
    match spec.rule {
        LaneRule::Pause(pause) => json!({
            "kind": "pause",
            "priorities": priorities,
            "quanta": pause.quanta,
            "room_bytes": pause.room.map(|bytes| int(bytes.0)),
            "watchdog_ps": pause.watchdog.map(|span| int(span.0)),
            "xoff_bytes": int(pause.xoff.0),
            "xon_bytes": int(pause.xon.0),
        }),
        LaneRule::Credit(lane) => json!({
            "block_bytes": int(lane.block.0),
            "buffer_blocks": lane.buffer,
            "kind": "credit",
            "priorities": priorities,
            "refresh_ps": lane.refresh.map(|span| int(span.0)),
            "update_blocks": lane.update,
        }),
    }
}
