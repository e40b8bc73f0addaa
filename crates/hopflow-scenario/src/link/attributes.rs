//! What a table says of its links: rates, delays, faults, R, and what their ports do.

use std::ops::Range;

use hopflow_control::marking::MarkingSpec;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{DirectionSpec, RoundTrip, Wire};
use hopflow_units::{Bytes, Picos, Probability};

use crate::cell_time::{cell_time_of, true_loop};
use crate::diagnostic::Sink;
use crate::given::Given;
use crate::quantity::Sort;
use crate::rate::PortRate;
use crate::section::Section;
use crate::shared::{self, Shared};
use crate::value::{Item, LONGEST};
use crate::{Code, marking};

/// The most cells that may be on their way in one direction: what a delay may amount to.
const MOST_IN_FLIGHT: u64 = 10_000_000;
/// The most that a packet may take beside its own bytes.
const MOST_OVERHEAD: Bytes = Bytes(1_000);

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
        let special = |key| if trunk { section.get(key) } else { None };
        let rates = special("trunk-rate").or_else(|| section.need("rate", sink))?;
        let rates = rates.each_way(sink, |way, _, sink| way.rate(sink))?;
        let overhead = section.or("overhead", [Bytes(0); 2], |item| {
            item.each_way(sink, |way, _, sink| way.bytes(Bytes(0), MOST_OVERHEAD, sink))
        })?;
        let wires = [0, 1].map(|side| Wire { rate: rates[side], overhead: overhead[side] });
        let times = wires.map(|wire| wire.transmit_time(Bytes::CELL));
        let delay = special("trunk-delay").or_else(|| section.get("delay"));
        let span = delay.as_ref().map_or(&section.span, |delay| &delay.span).clone();
        let delays = two_spans(delay, times, true, sink)?;
        let processing = two_spans(section.get("processing"), times, false, sink)?;
        let mut chances = |key| {
            section.or(key, [Probability::ZERO; 2], |item| {
                item.each_way(sink, |way, _, sink| way.probability(sink))
            })
        };
        let corrupt_data = chances("corrupt-data")?;
        let corrupt_credits = chances("corrupt-credits")?;
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
        let allow_overbooking = section.flag("allow-overbooking", sink);
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

fn two_spans(
    item: Option<Item<'_>>,
    times: [Picos; 2],
    delay: bool,
    sink: &mut Sink,
) -> Option<[Picos; 2]> {
    let Some(item) = item else { return Some([Picos::ZERO; 2]) };
    item.each_way(sink, |way, side, sink| {
        let cell = times[side];
        let span = if delay { way.delay(cell, sink)? } else { way.span(cell, true, sink)? };
        let cells = span.0 / cell.0.max(1);
        if cells > MOST_IN_FLIGHT {
            let message = format!(
                "`{}` is {span}, long enough for {cells} cells to be on their way; \
                 {MOST_IN_FLIGHT} is the most",
                way.key
            );
            sink.error(Code::TOO_MUCH, &way.span, message);
            return None;
        }
        Some(span)
    })
}

/// R, held against the true loop.
fn round_trip(
    section: &Section<'_>,
    directions: &[DirectionSpec; 2],
    sink: &mut Sink,
) -> Option<RoundTrip> {
    let allowed = section.flag("allow-short-round-trip", sink);
    let Some(item) = section.get("round-trip") else {
        return Some(RoundTrip::Loop);
    };
    match item.text(sink)? {
        "loop" => return Some(RoundTrip::Loop),
        "measured" => return Some(RoundTrip::Measured),
        _ => {}
    }
    let quantity = item.quantity(&[Sort::Time, Sort::Cells], sink)?;
    if quantity.sort == Sort::Cells && directions[0].rate != directions[1].rate {
        let message = "`round-trip` is in cells, but the two directions differ in rate";
        sink.error(Code::WHOSE_CELLS, &item.span, message).hint("give it as a time");
        return None;
    }
    let span = item.fitting_span(quantity, cell_time_of(&directions[0]), false, sink)?;
    let true_loop = true_loop(directions);
    if span < true_loop && !allowed {
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
