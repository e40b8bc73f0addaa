//! What a table says of its links: rates, delays, faults, R, and what their ports do.

use std::ops::Range;

use hopflow_control::marking::MarkingSpec;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{DirectionSpec, RoundTrip, Wire};
use hopflow_units::Bytes;

use crate::cell_time::{cell_time_of, true_loop};
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::given::Given;
use crate::keys::Key;
use crate::keys::network::{
    ALLOW_OVERBOOKING, ALLOW_SHORT_ROUND_TRIP, CORRUPT_CREDITS, CORRUPT_DATA, DELAY, OVERHEAD,
    PROCESSING, RATE, ROUND_TRIP, TRUNK_DELAY, TRUNK_RATE,
};
use crate::quantity::Sort;
use crate::rate::PortRate;
use crate::section::Section;
use crate::shared::{self, Shared};
use crate::value::LONGEST;
use crate::{Code, marking};

/// What is alike on all links of one table.
#[derive(Clone, Debug)]
pub(crate) struct Attributes {
    pub(super) directions: [DirectionSpec; 2],
    pub(super) round_trip: RoundTrip,
    /// The link's own schedulers.
    pub(super) schedulers: [Option<Given<SchedulerSpec>>; 2],
    pub(super) shared: [Shared; 2],
    /// Rate control of the ports at its ends.
    pub(super) rates: [Option<Given<PortRate>>; 2],
    /// What the ports at its ends mark.
    pub(super) marking: Option<Given<Option<MarkingSpec>>>,
    pub(super) allow_overbooking: bool,
    /// Where the delay is given, or the table.
    pub(super) span: Range<usize>,
}

impl Attributes {
    /// Reads a link's keys; those of a trunk when `trunk`. `None` when a value is wrong.
    pub(crate) fn read(section: &Section<'_>, trunk: bool, sink: &mut Sink) -> Option<Attributes> {
        let special = |key: &Key| trunk && section.get(key).is_some();
        let rate = if special(&TRUNK_RATE.key) { TRUNK_RATE } else { RATE };
        let rates = rate.read(section, &[(); 2], sink)?;
        let overhead = OVERHEAD.read(section, &[(); 2], sink)?;
        let wires = [0, 1].map(|side| Wire { rate: rates[side], overhead: overhead[side] });
        let times = wires.map(|wire| wire.transmit_time(Bytes::CELL));
        let delay = if special(&TRUNK_DELAY.key) { TRUNK_DELAY } else { DELAY };
        let span = delay.place(section);
        let delays = delay.read(section, &times, sink)?;
        let processing = PROCESSING.read(section, &times, sink)?;
        let corrupt_data = CORRUPT_DATA.read(section, &[(); 2], sink)?;
        let corrupt_credits = CORRUPT_CREDITS.read(section, &[(); 2], sink)?;
        let mut directions = [0, 1].map(|side| DirectionSpec {
            overhead: overhead[side],
            processing: processing[side],
            corrupt_data: corrupt_data[side],
            corrupt_credits: corrupt_credits[side],
            ..DirectionSpec::new(rates[side], delays[side])
        });
        if true_loop(&directions) > LONGEST {
            let message = "the loop of a link, both delays and processings and a cell each way, is \
                           longer than 100 days";
            let hint = "lower `delay` or `processing`";
            sink.error(Code::TOO_MUCH, &span, message).hint(hint);
            return None;
        }
        let shared = shared::read(section, &directions, sink);
        let round_trip = round_trip(section, &directions, sink)?;
        let shared = shared?;
        for (direction, shared) in directions.iter_mut().zip(&shared) {
            direction.lanes = shared.lanes;
        }
        let (schedulers, rates) = (Given::of_link(section, sink), Given::of_link(section, sink));
        let marking = marking::read(section, sink);
        let allow_overbooking = ALLOW_OVERBOOKING.is_set(section);
        Some(Attributes {
            directions,
            round_trip,
            schedulers,
            shared,
            rates,
            marking,
            allow_overbooking,
            span,
        })
    }
}

/// R, held against the true loop.
fn round_trip(
    section: &Section<'_>,
    directions: &[DirectionSpec; 2],
    sink: &mut Sink,
) -> Option<RoundTrip> {
    let Some(item) = section.get(&ROUND_TRIP) else { return Some(RoundTrip::Loop) };
    match item.text(sink)? {
        "loop" => return Some(RoundTrip::Loop),
        "measured" => return Some(RoundTrip::Measured),
        _ => {}
    }
    let quantity = item.quantity(Sort::SPAN, sink)?;
    if quantity.sort == Sort::Cells && directions[0].rate != directions[1].rate {
        let message = "`round-trip` is in cells, but the two directions differ in rate";
        sink.error(Code::WHOSE_CELLS, &item.span, message).hint("give it as a time");
        return None;
    }
    let span = item.fitting_span(quantity, cell_time_of(&directions[0]), false, sink)?;
    let true_loop = true_loop(directions);
    if span < true_loop && !ALLOW_SHORT_ROUND_TRIP.is_set(section) {
        let message = format!(
            "R is {span}, shorter than the true loop of {true_loop}: N23 would count too few cells \
             as in flight, and buffers could overflow"
        );
        let hint = format!(
            "leave `round-trip` out, raise it to {true_loop}, or set `allow-short-round-trip = \
                 true`"
        );
        sink.error(Code::SHORT_ROUND_TRIP, &item.span, message).hint(hint);
        return None;
    }
    Some(RoundTrip::Fixed(span))
}
