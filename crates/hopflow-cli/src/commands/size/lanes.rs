//! `hopflow size`: the credits of lanes.

use hopflow::control::lane::LaneCreditSpec;
use hopflow::size::{LaneCredit, LaneLoop, LaneNeed, SizeError, Trial, beyond_device, lane_credit};
use hopflow_units::shape::Shaped;
use hopflow_units::{Bytes, Picos, Rate};
use serde::Serialize;

use super::keyed::Keyed;
use crate::args::{SizeArgs, UpdateArg};
use crate::fail::Fail;
use crate::output::{Table, cell};

/// The packet of a link if none is given: the largest of [IBA].
const PACKET: Bytes = Bytes(4_096);

/// The lane of a scenario.
pub(super) struct Place {
    /// The link direction.
    link: String,
    priority: u8,
    /// Of a lane per destination.
    destination: Option<String>,
}

impl Place {
    /// Begins a sentence.
    fn words(&self) -> String {
        match &self.destination {
            Some(to) => format!("The lane to `{to}` of `{}`: ", self.link),
            None => format!("Lane {} of `{}`: ", self.priority, self.link),
        }
    }
}

/// One line of the answer.
pub(super) struct Lane {
    /// Of a scenario.
    place: Option<Place>,
    packet: Bytes,
    block: Bytes,
    update: u32,
    pub(super) needed: LaneNeed,
    given: Option<u32>,
    /// The most that a device of this block promises, if the need is above it, and the rate in b/s
    /// that the lane carries with that.
    beyond: Option<(u32, u64)>,
}

impl Lane {
    pub(super) fn of_scenario(lane: LaneCredit) -> Lane {
        let LaneCredit { link, priority, destination, block, packet, update, .. } = lane;
        let LaneCredit { needed, given, beyond, .. } = lane;
        let place = Some(Place { link, priority, destination });
        Lane { place, packet, block, update, needed, given: Some(given), beyond }
    }

    /// Of the terms of a link, with the most blocks that a device promises.
    pub(super) fn of_terms(lane: &LaneLoop, needed: LaneNeed, most: Option<u32>) -> Lane {
        let beyond = beyond_device(lane, most, &needed);
        let LaneLoop { packet, block, update, .. } = *lane;
        Lane { place: None, packet, block, update, needed, given: None, beyond }
    }

    /// What to say of a need that no device can promise.
    pub(super) fn note(&self) -> Option<String> {
        let (most, reached) = self.beyond?;
        let place = self.place.as_ref().map_or_else(String::new, Place::words);
        // As in the warning.
        let carried = Rate::text(reached, 3, "nothing");
        Some(format!(
            "{place}{} blocks are more than an InfiniBand device promises: its totals have 12 \
             bits, for {most} blocks of 64 B at most. With these the lane carries {carried}.",
            self.needed.blocks
        ))
    }

    fn fits(&self, memory: Bytes) -> u64 {
        memory.0 / self.needed.bytes.0.max(1)
    }
}

/// A lane on the link of the arguments: towards an end that frees a packet as it arrives. And its
/// trial.
pub(super) fn of_link(args: &SizeArgs) -> Result<(Lane, Trial), Fail> {
    let (Some(delay), Some(rate)) = (args.delay, args.rate) else {
        unreachable!("looked at before")
    };
    let given = &args.lanes;
    let packet = given.packet.unwrap_or(PACKET);
    let block = given.block.unwrap_or(LaneCreditSpec::USUAL_BLOCK);
    let update = match given.update {
        None => LaneCreditSpec::USUAL_UPDATE,
        Some(UpdateArg::After(blocks)) => blocks,
        Some(UpdateArg::Half) => {
            return Err(Fail::input("`--update half` is of windows: give a number of blocks"));
        }
    };
    let delays = delay.checked_mul(2).and_then(|delays| delays.checked_add(args.processing()));
    let too_large = SizeError::LaneTooLarge { delays: delay, rate };
    let overhead = given.overhead.unwrap_or(Bytes(0));
    let time = |size: Bytes| {
        let size = Bytes(size.0.saturating_add(overhead.0));
        rate.transmit_time(size).ok_or(too_large).map_err(Fail::input)
    };
    let lane = LaneLoop {
        rate,
        link_overhead: overhead,
        target: args.target.unwrap_or(rate),
        delays: delays.ok_or(too_large).map_err(Fail::input)?,
        hold: given.hold.unwrap_or(Picos::ZERO),
        wait: given.packet_back.map_or(Ok(Picos::ZERO), time)?,
        credit: time(Bytes::CELL)?,
        packet,
        largest: packet,
        densest: packet,
        densest_on_link: packet,
        block,
        overhead: 0,
        update,
    };
    let needed = lane_credit(&lane).map_err(Fail::input)?;
    let trial = Trial::of_lane(&lane, &needed, "blocks");
    Ok((Lane::of_terms(&lane, needed, LaneCreditSpec::device_most(block)), trial))
}

pub(super) fn table(args: &SizeArgs, lanes: &[Lane]) -> Table {
    let of_scenario = args.file.is_some();
    let places = || lanes.iter().filter_map(|lane| lane.place.as_ref());
    let has_destinations = places().any(|place| place.destination.is_some());
    let names: &[&str] = match (of_scenario, has_destinations) {
        (false, _) => &[],
        (true, false) => &["link", "#priority"],
        (true, true) => &["link", "#priority", "destination"],
    };
    let amounts =
        ["#packet bytes", "#block bytes", "#update blocks", "#credits (blocks)", "#bytes"];
    let mut table = Table::new(&[names, &amounts].concat());
    if of_scenario {
        table.column("#given blocks");
    }
    if args.memory.is_some() {
        table.column("#lanes that fit");
    }
    for lane in lanes {
        let mut row: Vec<String> = Vec::new();
        if let Some(Place { link, priority, destination }) = &lane.place {
            row.extend([link.clone(), priority.to_string()]);
            row.extend(has_destinations.then(|| destination.clone().unwrap_or_default()));
        }
        row.extend([cell(lane.packet.0), cell(lane.block.0), cell(lane.update)]);
        row.extend([cell(lane.needed.blocks), cell(lane.needed.bytes.0)]);
        row.extend(lane.given.map(cell));
        row.extend(args.memory.map(|memory| cell(lane.fits(memory))));
        table.row(row);
    }
    table
}

/// The credits of a lane.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct LaneRow<'a> {
    /// The link direction; `null` without a scenario.
    link: Option<&'a str>,
    /// The priority; `null` without a scenario.
    priority: Option<u8>,
    /// Where the packets of the lane end; `null` if it is not per destination.
    destination: Option<&'a str>,
    /// Its largest packet.
    packet_bytes: u64,
    /// The unit of its credits.
    block_bytes: u64,
    /// After how many freed blocks an update comes.
    update_blocks: u32,
    /// The credits that it needs.
    credits_blocks: u64,
    /// The same in bytes.
    credits_bytes: u64,
    /// The credits that the scenario gives; `null` without one.
    given_blocks: Option<u32>,
    /// How many of these fit in the memory of `--memory`; `null` without it.
    fit_lanes: Option<u64>,
    /// R of the link.
    round_trip_ps: u64,
    /// The formulas, and below each the numbers put in.
    formula: &'a str,
}

pub(super) fn keyed(memory: Option<Bytes>, lanes: &[Lane]) -> Keyed {
    Keyed::of(lanes.iter().map(|lane| LaneRow {
        link: lane.place.as_ref().map(|place| place.link.as_str()),
        priority: lane.place.as_ref().map(|place| place.priority),
        destination: lane.place.as_ref().and_then(|place| place.destination.as_deref()),
        packet_bytes: lane.packet.0,
        block_bytes: lane.block.0,
        update_blocks: lane.update,
        credits_blocks: lane.needed.blocks,
        credits_bytes: lane.needed.bytes.0,
        given_blocks: lane.given,
        fit_lanes: memory.map(|memory| lane.fits(memory)),
        round_trip_ps: lane.needed.round_trip.0,
        formula: &lane.needed.formula,
    }))
}
