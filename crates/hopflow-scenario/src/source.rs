//! Sources: where the cells of a flow come from.

use std::cell::RefCell;

use hopflow_network::traffic::{Arrivals, Faster, NotFaster};
use hopflow_network::{SizeLaw, SourceSpec};
use hopflow_units::Rate;

use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::flow::{EXACT_PHASE, MISBEHAVES};
use crate::keys::source::{self, PACKETS, PHASE, SOURCE_KEY, SOURCE_KINDS, Sending};
use crate::replay::Traces;
use crate::section::Section;
use crate::traffic::no_law;
use crate::value::{FASTEST_BPS, Item};

/// The source of a flow with packets of this size, whose first link runs at `rate`.
pub(crate) fn read(
    flow: &Section<'_>,
    size: &SizeLaw,
    rate: Rate,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let source = match flow.table(&SOURCE_KEY) {
        Some(section) => {
            let kind = section.kind(SOURCE_KINDS, sink)?;
            let with = Sending { size, rate, traces: RefCell::new(traces) };
            source::read(kind, &section, &with, sink)?.unwrap_or(SourceSpec::Greedy)
        }
        None => SourceSpec::Greedy,
    };
    fits_record(flow, &source, sink)?;
    let Some(times) = MISBEHAVES.read(flow, &(), sink)? else { return Some(source) };
    faster(&source, times, &MISBEHAVES.item(flow)?, sink)
}

/// After how many packets the source of a flow ends; reports mistakes.
pub(crate) fn packets(flow: &Section<'_>, sink: &mut Sink) -> Result<Option<u64>, ()> {
    let Some(source) = flow.table(&SOURCE_KEY) else { return Ok(None) };
    PACKETS.read(&source, &(), sink).ok_or(())
}

/// Whether the source of a flow begins at its start to the picosecond.
pub(crate) fn keeps_to_start(flow: &Section<'_>) -> bool {
    let source = flow.table(&SOURCE_KEY);
    let has_phase = source.is_some_and(|source| PHASE.item(&source).is_some());
    has_phase || EXACT_PHASE.is_set(flow)
}

/// A record has at least as many packets as are asked for.
fn fits_record(flow: &Section<'_>, source: &SourceSpec, sink: &mut Sink) -> Option<()> {
    let Arrivals::Recorded(times) = source.arrivals() else { return Some(()) };
    let Some(packets) = packets(flow, sink).ok()?.filter(|packets| *packets > times.len() as u64)
    else {
        return Some(());
    };
    let item = PACKETS.item(&flow.table(&SOURCE_KEY)?)?;
    let range = format!("at most {}, the packets of the record", times.len());
    item.out_of_range(sink, &packets.to_string(), &range);
    None
}

/// The source at `times` times its rate.
fn faster(source: &SourceSpec, times: f64, item: &Item<'_>, sink: &mut Sink) -> Option<SourceSpec> {
    let fastest = Rate::from_bps(FASTEST_BPS)?;
    match source.faster(Faster { times, fastest }) {
        Ok(faster) => return Some(faster),
        Err(NotFaster::OutOfRange) => {
            item.fitting_rate(None, sink);
        }
        Err(NotFaster::NoLaw) => {
            no_law(item, source.facts().name, ", or set its own rate higher", sink);
        }
    }
    None
}
