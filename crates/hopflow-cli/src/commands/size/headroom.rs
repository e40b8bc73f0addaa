//! `hopflow size`: what each priority that PFC may pause needs above its XOFF threshold.

use hopflow::size::{
    AutoXoff, CellHeadroom, Headroom, LaneSize, PausedLink, SizeError, Trial, auto_xoff, headroom,
    headroom_in_cells,
};
use hopflow_units::Bytes;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::keyed::Keyed;
use crate::args::SizeArgs;
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, maybe};

/// A pause frame on the wire: 64 bytes, 20 of preamble and gap.
const PAUSE_FRAME: Bytes = Bytes(84);

/// One line of the answer.
pub(super) struct Paused {
    /// Of a scenario: the link direction and the priority.
    place: Option<(String, u8)>,
    xoff: Option<Bytes>,
    pub(super) needed: Headroom,
    given: Option<Bytes>,
    /// What `xoff = "auto"` would take.
    pub(super) auto: AutoXoff,
    /// In the cells of a switch, where these are given.
    pub(super) in_cells: Option<CellHeadroom>,
}

impl Paused {
    /// XOFF and what is needed beyond it; without a given XOFF the latter alone.
    fn room(&self) -> u128 {
        u128::from(self.xoff.map_or(0, |xoff| xoff.0)) + u128::from(self.needed.beyond_xoff.0)
    }

    fn fits(&self, memory: Bytes) -> u64 {
        (u128::from(memory.0) / self.room()) as u64 // no more than the memory
    }
}

pub(super) fn of_lane(lane: LaneSize) -> Paused {
    let place = Some((lane.link, lane.priority));
    let LaneSize { xoff, needed, given, auto, .. } = lane;
    Paused { place, xoff: Some(xoff), needed, given, auto, in_cells: None }
}

/// A priority on the link of the arguments, and its trial.
pub(super) fn of_link(args: &SizeArgs) -> Result<(Paused, Trial), Fail> {
    let pfc = &args.pfc;
    let (Some(delay), Some(rate), Some(frame), Some(response)) =
        (args.delay, args.rate, pfc.frame, pfc.response)
    else {
        unreachable!("required by the arguments")
    };
    let interface = args.processing();
    let too_late = SizeError::PauseTooLate { delay, interface, response };
    let delay = delay.checked_mul(2).ok_or(too_late).map_err(Fail::input)?;
    let link = PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: pfc.rate_back.unwrap_or(rate),
        delay,
        interface,
        response,
        frame,
        frame_back: pfc.frame_back.unwrap_or(frame),
        pause_frame: pfc.pause_frame.unwrap_or(PAUSE_FRAME),
        frames_ahead: pfc.frames_ahead.unwrap_or(0),
    };
    let needed = headroom(&link).map_err(Fail::input)?;
    let in_cells = super::sonic::buffer_of(args).map(|buffer| headroom_in_cells(&link, &buffer));
    let in_cells = in_cells.transpose().map_err(Fail::input)?;
    let trial = Trial::of_pause(&link, &needed);
    Ok((of_terms(args, &link, needed, in_cells)?, trial))
}

/// Of the terms of a link, with the threshold and the memory of the arguments.
pub(super) fn of_terms(
    args: &SizeArgs,
    link: &PausedLink,
    needed: Headroom,
    in_cells: Option<CellHeadroom>,
) -> Result<Paused, Fail> {
    let inputs = args.pfc.inputs.unwrap_or(1);
    let auto = auto_xoff(link, &needed, args.memory, inputs).map_err(Fail::input)?;
    Ok(Paused { place: None, xoff: args.pfc.xoff, needed, given: None, auto, in_cells })
}

pub(super) fn table(memory: Option<Bytes>, paused: &[Paused]) -> Table {
    let columns: Columns<Paused> = &[
        ("link", |one| maybe(one.place.as_ref().map(|place| &place.0))),
        ("#priority", |one| maybe(one.place.as_ref().map(|place| place.1))),
        ("#XOFF bytes", |one| maybe(one.xoff.map(|xoff| xoff.0))),
        ("#headroom bytes", |one| cell(one.needed.headroom.0)),
        ("#bytes beyond XOFF", |one| cell(one.needed.beyond_xoff.0)),
        ("#room bytes", |one| maybe(one.xoff.map(|_| one.room()))),
        ("#given bytes", |one| maybe(one.given.map(|room| room.0))),
        ("#auto XOFF bytes", |one| maybe(one.auto.bytes.map(|xoff| xoff.0))),
    ];
    let mut table = Table::of(columns, paused);
    if paused.iter().any(|one| one.in_cells.is_some()) {
        let columns: Columns<CellHeadroom> = &[
            ("#buffer cells", |found| cell(found.cells)),
            ("#bytes of cells", |found| cell(found.bytes.0)),
        ];
        let found = paused.iter().filter_map(|one| one.in_cells.as_ref());
        table = table.beside(Table::of(columns, found));
    }
    if let Some(memory) = memory {
        let columns: Columns<(&Paused, Bytes)> =
            &[("#priorities that fit", |(one, memory)| cell(one.fits(*memory)))];
        table = table.beside(Table::of(columns, paused.iter().map(|one| (one, memory))));
    }
    table
}

/// The headroom of a paused priority.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct HeadroomRow<'a> {
    /// The link direction; `null` without a scenario.
    link: Option<&'a str>,
    /// The priority; `null` without a scenario.
    priority: Option<u8>,
    /// The threshold; `null` if none is given.
    xoff_bytes: Option<u64>,
    /// What may arrive after the pause was sent.
    headroom_bytes: u64,
    /// What is needed beyond XOFF: the headroom and the packet that crosses it.
    beyond_xoff_bytes: u64,
    /// XOFF and what is needed beyond it; `null` without a given XOFF.
    room_bytes: Option<u64>,
    /// The memory that the scenario gives; `null` without one.
    given_bytes: Option<u64>,
    /// How many of these fit in the memory of `--memory`; `null` without it.
    fit_priorities: Option<u64>,
    /// From the crossing of XOFF to the last bit that arrives.
    span_ps: u64,
    /// The headroom in cells of the switch's buffer; `null` without these.
    headroom_cells: Option<u64>,
    /// The same in bytes.
    cells_bytes: Option<u64>,
    /// Its formula.
    cells_formula: Option<&'a str>,
    /// The XOFF that `"auto"` takes; `null` if the share is too small for a packet.
    auto_xoff_bytes: Option<u64>,
    /// Its formula.
    auto_xoff_formula: &'a str,
    /// The formulas, and below each the numbers put in.
    formula: &'a str,
}

pub(super) fn keyed(memory: Option<Bytes>, paused: &[Paused]) -> Keyed {
    Keyed::of(paused.iter().map(|one| HeadroomRow {
        link: one.place.as_ref().map(|place| place.0.as_str()),
        priority: one.place.as_ref().map(|place| place.1),
        xoff_bytes: one.xoff.map(|xoff| xoff.0),
        headroom_bytes: one.needed.headroom.0,
        beyond_xoff_bytes: one.needed.beyond_xoff.0,
        room_bytes: one.xoff.and_then(|_| u64::try_from(one.room()).ok()),
        given_bytes: one.given.map(|room| room.0),
        fit_priorities: memory.map(|memory| one.fits(memory)),
        span_ps: one.needed.span.0,
        headroom_cells: one.in_cells.as_ref().map(|found| found.cells),
        cells_bytes: one.in_cells.as_ref().map(|found| found.bytes.0),
        cells_formula: one.in_cells.as_ref().map(|found| found.formula.as_str()),
        auto_xoff_bytes: one.auto.bytes.map(|xoff| xoff.0),
        auto_xoff_formula: &one.auto.formula,
        formula: &one.needed.formula,
    }))
}
