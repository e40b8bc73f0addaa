//! InfiniBand: the credits of a virtual lane, in blocks of 64 B.
//!
//! The law is that of `lane/size.rs`. A device promises at most 2,048 blocks, since its totals have
//! 12 bits [IBA]; the longest link that they fill follows from (2) of that file, solved for R:
//! ```text
//! reach = ((K + 1 - m) x T - T(packet) - T(credit) - processing) / 2 / 5 ns         (1)
//! ```
//! with K = floor(2048 / b) packets. Rates are those of four lanes, as the line code leaves them
//! (8b/10b up to QDR, 64b/66b from FDR on; common knowledge). Not modelled: headers of packets,
//! which `packet` may hold. Checked by: `preset/tests.rs`.

use hopflow_control::lane::LaneCreditSpec;
use hopflow_units::Bytes;

use super::super::{LaneLoop, PICOS_PER_METRE};
use super::{PresetError, PresetLink, PresetSize, Speed, device_most, gbps, lane_loop, of_lane};

/// Speeds of four lanes.
pub(super) const SPEEDS: [Speed; 8] = [
    Speed { name: "SDR", rate_bps: gbps(8_000), line: "4 x 2.5 GBd, 8b/10b" },
    Speed { name: "DDR", rate_bps: gbps(16_000), line: "4 x 5 GBd, 8b/10b" },
    Speed { name: "QDR", rate_bps: gbps(32_000), line: "4 x 10 GBd, 8b/10b" },
    Speed { name: "FDR", rate_bps: 54_545_454_545, line: "4 x 14.0625 GBd, 64b/66b" },
    Speed { name: "EDR", rate_bps: gbps(100_000), line: "4 x 25.78125 GBd, 64b/66b" },
    Speed { name: "HDR", rate_bps: gbps(200_000), line: "4 x 50 Gb/s" },
    Speed { name: "NDR", rate_bps: gbps(400_000), line: "4 x 100 Gb/s" },
    Speed { name: "XDR", rate_bps: gbps(800_000), line: "4 x 200 Gb/s" },
];

/// The largest MTU.
pub(super) const PACKET: Bytes = Bytes(4_096);

/// What a lane needs.
pub(super) fn size(speed: Speed, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
    let packet = link.packet.unwrap_or(PACKET);
    let block = LaneCreditSpec::USUAL_BLOCK;
    let lane = lane_loop(speed, link, packet, block, LaneCreditSpec::USUAL_UPDATE)?;
    let most = device_most(block);
    let mut answer = of_lane(speed, lane, "blocks", most)?;
    answer.notes = vec![format!("{} carries {}: {}.", speed.name, speed.rate(), speed.line)];
    if let Some(reach) = most.and_then(|most| reach_metres(&lane, most)) {
        answer.notes.push(format!(
            "The 2048 blocks that a device promises at most ([IBA]) fill a link of up to {reach} m \
             with these packets."
        ));
    }
    Ok(answer)
}

/// Eq. (1), in whole metres; `None` if no link is short enough.
fn reach_metres(lane: &LaneLoop, most: u32) -> Option<u64> {
    let b = lane.packet.0.div_ceil(lane.block.0);
    let per_credit = u64::from(lane.update).div_ceil(b);
    let packets = (u64::from(most) / b + 1).checked_sub(per_credit)?;
    let on_link = Bytes(lane.packet.0.checked_add(lane.link_overhead.0)?);
    let gap = lane.rate.transmit_time(on_link)?;
    let span = gap.checked_mul(packets)?.0.checked_sub(gap.0)?.checked_sub(lane.credit.0)?;
    Some(span / 2 / PICOS_PER_METRE)
}
