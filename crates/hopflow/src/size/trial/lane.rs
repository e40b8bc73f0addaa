//! Trial of a lane: one link, whose receiver frees a packet as it arrives.
//!
//! The terms are those of `lane/size.rs`; delays and processing are the delay of the link. Under
//! CBFC the size is that of the scenario, `buffer = "auto"`.

use hopflow_network::{CreditLanes, DirectionId};
use hopflow_scenario::{Diagnostic, Scenario};
use hopflow_units::{Bytes, Picos, Rate};

use super::super::{LaneLoop, LaneNeed, lane_credit};
use super::one_link;

/// A link with lanes.
#[derive(Clone, Debug)]
pub(in super::super) struct LaneTrial {
    /// The rate of the link.
    pub(in super::super) rate: Rate,
    /// Bytes beside each packet.
    pub(in super::super) overhead: Bytes,
    /// There and back.
    delays: [Picos; 2],
    /// All packets.
    pub(in super::super) packet: Bytes,
    block: Bytes,
    /// Freed blocks for each credit; `None`: CBFC.
    update: Option<u32>,
}

impl LaneTrial {
    /// Of a lane whose credit follows freed blocks.
    pub(super) fn credit(lane: &LaneLoop) -> LaneTrial {
        let there = lane.delays.0 / 2;
        LaneTrial {
            rate: lane.rate,
            overhead: lane.link_overhead,
            delays: [Picos(there), Picos(lane.delays.0 - there)],
            packet: lane.packet,
            block: lane.block,
            update: Some(lane.update),
        }
    }

    /// Of a lane under CBFC with usual spacings.
    pub(in super::super) const fn cbfc(
        rate: Rate,
        overhead: Bytes,
        delays: [Picos; 2],
        packet: Bytes,
        block: Bytes,
    ) -> LaneTrial {
        LaneTrial { rate, overhead, delays, packet, block, update: None }
    }

    /// The least blocks that a scenario accepts.
    pub(super) fn floor(&self) -> u64 {
        let packet = self.packet.0.div_ceil(self.block.0.max(1));
        packet + u64::from(self.update.unwrap_or(1)) - 1
    }

    /// The size by the law of this network; an error says why it is refused.
    pub(in super::super) fn law(&self) -> Result<(LaneLoop, LaneNeed), String> {
        let text = self.text(Picos(1_000_000), None);
        let scenario = Scenario::from_toml(&text, "preset.toml").map_err(|wrong| {
            let all: Vec<String> = wrong.items.iter().map(Diagnostic::headline).collect();
            all.join("; ")
        })?;
        let lanes = CreditLanes::new(&scenario.network);
        let lane = lanes.link(DirectionId(0), 0, self.rate).ok_or("the lane carries nothing")?;
        let needed = lane_credit(&lane).map_err(|wrong| wrong.to_string())?;
        Ok((lane, needed))
    }

    /// The scenario with this buffer; `None`: the one of the law.
    pub(super) fn text(&self, span: Picos, buffer: Option<u64>) -> String {
        let LaneTrial { rate, overhead, delays: [there, back], packet, block, .. } = self;
        let buffer = buffer.map_or("\"auto\"".to_owned(), |blocks| blocks.to_string());
        let rule = match self.update {
            Some(update) => format!("update = {update}, allow-large-buffer = true"),
            None => "kind = \"cbfc\"".to_owned(),
        };
        let link = format!(
            "rate = \"{} b/s\"\ndelay = [\"{} ps\", \"{} ps\"]\noverhead = \"{} B\"\nlanes = {{ \
             priorities = [0], block = \"{} B\", buffer = {buffer}, {rule}, allow-small-buffer = \
             true }}",
            rate.bps(),
            there.0,
            back.0,
            overhead.0,
            block.0
        );
        one_link(span, &link, &format!("packet = \"{} B\"", packet.0))
    }
}
