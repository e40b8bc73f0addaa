//! Pools, pauses and lanes of a stored run.

use hopflow::control::credit::LaneSpec;
use hopflow::control::pause::PauseSpec;
use hopflow::network::{LaneRule, LanesSpec, PoolSpec};
use hopflow::units::{Bytes, Picos};
use serde_json::Value;

use super::{cells, int, list};

pub(super) fn pool(value: &Value) -> Option<PoolSpec> {
    let interval = Picos(int(&value["interval_ps"])?);
    Some(PoolSpec { memory: cells(&value["memory_cells"])?, interval })
}

pub(super) fn lanes(value: &Value) -> Option<LanesSpec> {
    let mut priorities = 0;
    for priority in list(value, "priorities")? {
        priorities |= 1_u8.checked_shl(u32::try_from(priority.as_u64()?).ok()?)?;
    }
    let bytes = |key: &str| int(&value[key]).map(Bytes);
    let count = |key: &str| u32::try_from(int(&value[key])?).ok();
    let rule = match value["kind"].as_str()? {
        "pause" => LaneRule::Pause(PauseSpec {
            xoff: bytes("xoff_bytes")?,
            xon: bytes("xon_bytes")?,
            quanta: u16::try_from(int(&value["quanta"])?).ok()?,
            room: bytes("room_bytes"),
            watchdog: int(&value["watchdog_ps"]).map(Picos),
        }),
        "credit" => LaneRule::Credit(LaneSpec {
            block: bytes("block_bytes")?,
            buffer: count("buffer_blocks")?,
            update: count("update_blocks")?,
            refresh: int(&value["refresh_ps"]).map(Picos),
        }),
        _ => return None,
    };
    Some(LanesSpec { priorities, rule })
}
