//! Sources: where the cells of a flow come from.

use hopflow_network::traffic::{Arrivals, Faster, NotFaster, shortened};
use hopflow_network::{LengthLaw, SizeLaw, SourceSpec, SpanLaw};
use hopflow_units::{Picos, Rate};

use crate::cell_time::cell_time;
use crate::diagnostic::Sink;
use crate::keys::{BURST, OFF, SOURCE, SOURCE_KINDS};
use crate::machine;
use crate::quantity::Sort;
use crate::replay::{self, Traces};
use crate::section::Section;
use crate::traffic::no_law;
use crate::value::{FASTEST_BPS, Item, LONGEST};

const LAWS: &[&str] = &["fixed", "geometric", "exponential"];

/// The source of a flow with packets of this size, whose first link runs at `rate`.
pub(crate) fn read(
    flow: &Section<'_>,
    size: &SizeLaw,
    rate: Rate,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let source = match flow.table("source", &SOURCE) {
        Some(section) => plain(&section, size, rate, traces, sink)?,
        None => SourceSpec::Greedy,
    };
    fits_record(flow, &source, sink)?;
    let Some(item) = flow.get("misbehaves") else { return Some(source) };
    let times = item.number(1.0, sink)?;
    faster(&source, times, &item, sink)
}

fn plain(
    section: &Section<'_>,
    size: &SizeLaw,
    rate: Rate,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let cell = cell_time(rate);
    let pace = |key, sink: &mut Sink| section.need(key, sink)?.pace(size, Some(rate), sink);
    let gap = |sink: &mut Sink| section.need("rate", sink)?.gap(size, rate, sink);
    match section.kind(SOURCE_KINDS, sink)? {
        "greedy" => Some(SourceSpec::Greedy),
        "every-kth" => {
            let item = section.need("k", sink)?;
            let k = item.count(1, u64::MAX, sink)?;
            let packet = rate.transmit_time(size.most());
            let span = packet.and_then(|packet| packet.checked_mul(k));
            if span.is_none_or(|span| span > LONGEST) {
                let range = "so small that packets are 100 days apart at most";
                item.out_of_range(sink, &k.to_string(), range);
                return None;
            }
            Some(SourceSpec::EveryKth { k })
        }
        "constant" => match section.get("phase").and_then(|item| item.text(sink)) {
            Some("random") => Some(SourceSpec::Phased { gap: gap(sink)? }),
            _ => Some(SourceSpec::Constant { rate: pace("rate", sink)? }),
        },
        "alternating" => {
            let [low, high] =
                ["low", "high"].map(|key| or_silence(section.need(key, sink), size, rate, sink));
            let half_period = section.need("half-period", sink)?.span(cell, false, sink);
            let (low, high, half_period) = (low.ok()?, high.ok()?, half_period?);
            if low.is_none() && high.is_none() {
                let item = section.need("high", sink)?;
                item.out_of_range(sink, "0 beside a `low` of 0", "above 0 for one of the two");
                return None;
            }
            Some(SourceSpec::Alternating { low, high, half_period })
        }
        "on-off" => {
            let burst = burst(section, sink);
            let off = off(section, cell, sink);
            let burst_first = section.flag("burst-first", sink);
            Some(SourceSpec::OnOff { burst: burst?, off: off?, burst_first })
        }
        "train" => train(section, gap(sink), sink),
        "poisson" => Some(SourceSpec::Poisson { gap: gap(sink)? }),
        "external" => {
            let item = section.need("machine", sink)?;
            Some(SourceSpec::External { machine: machine::named("source", &item, sink)? })
        }
        _ => {
            let file = section.need("file", sink)?;
            Some(SourceSpec::Replay { times: replay::times(&file, cell, traces, sink)? })
        }
    }
}

/// A rate, or `None` for silence: a rate of 0; an error when it is wrong, which is told.
fn or_silence(
    item: Option<Item<'_>>,
    size: &SizeLaw,
    link: Rate,
    sink: &mut Sink,
) -> Result<Option<Rate>, ()> {
    let item = item.ok_or(())?;
    let quantity = item.quantity(&[Sort::Rate, Sort::Share, Sort::Pace], sink).ok_or(())?;
    if quantity.value.whole() == Some(0) {
        return Ok(None);
    }
    item.pace(size, Some(link), sink).map(Some).ok_or(())
}

/// After how many packets the source of a flow ends; an error when it is wrong, which is told.
pub(crate) fn packets(flow: &Section<'_>, sink: &mut Sink) -> Result<Option<u64>, ()> {
    let source = flow.table("source", &SOURCE);
    match source.and_then(|source| source.get("packets")) {
        Some(item) => item.count(1, u64::MAX, sink).map(Some).ok_or(()),
        None => Ok(None),
    }
}

/// Whether the source of a flow begins at its start to the picosecond.
pub(crate) fn keeps_to_start(flow: &Section<'_>) -> bool {
    let source = flow.table("source", &SOURCE);
    let told = source.is_some_and(|source| source.get("phase").is_some());
    told || flow.flag("exact-phase", &mut Sink::new())
}

/// A record has at least as many packets as are asked for.
fn fits_record(flow: &Section<'_>, source: &SourceSpec, sink: &mut Sink) -> Option<()> {
    let Arrivals::Recorded(times) = source.arrivals() else { return Some(()) };
    let Some(packets) = packets(flow, sink).ok()?.filter(|packets| *packets > times.len() as u64)
    else {
        return Some(());
    };
    let item = flow.table("source", &SOURCE)?.get("packets")?;
    let range = format!("at most {}, the packets of the record", times.len());
    item.out_of_range(sink, &packets.to_string(), &range);
    None
}

/// Packet trains of mean gap g: packets are g / burstiness apart in a train of mean length L, and
/// the pause has mean L g - L g / burstiness, so that the mean rate is 1 / g.
fn train(section: &Section<'_>, gap: Option<Picos>, sink: &mut Sink) -> Option<SourceSpec> {
    let item = section.need("length", sink)?;
    let length = item.number(1.0, sink)?;
    let burstiness = section.or("burstiness", 2.0, |item| item.number(1.0, sink))?;
    let gap = gap?;
    let spacing = shortened(gap, burstiness).min(gap);
    let pause = ((gap.0 - spacing.0) as f64 * length).ceil();
    if length > 1e9 || pause > LONGEST.0 as f64 {
        let range = "at most 1e9, with pauses of at most 100 days";
        item.out_of_range(sink, &length.to_string(), range);
        return None;
    }
    Some(SourceSpec::Train { length, spacing, pause: Picos(pause as u64) })
}

/// The source at so many times its rate.
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

fn burst(section: &Section<'_>, sink: &mut Sink) -> Option<LengthLaw> {
    let item = section.need("burst", sink)?;
    let Some(law) = section.table("burst", &BURST).filter(|_| item.value.is_table()) else {
        return item.count(1, 1_000_000_000, sink).map(LengthLaw::Fixed);
    };
    let kind = law.kind(LAWS, sink)?;
    let mean = law.need("mean", sink)?;
    if kind == "fixed" {
        return mean.count(1, 1_000_000_000, sink).map(LengthLaw::Fixed);
    }
    let number = mean.number(0.0, sink)?;
    let least = if kind == "geometric" { 1.0 } else { 1e-6 };
    if number < least || number > 1e9 {
        mean.out_of_range(sink, &number.to_string(), &format!("from {least} to 1e9"));
        return None;
    }
    Some(match kind {
        "geometric" => LengthLaw::Geometric(number),
        _ => LengthLaw::Exponential(number),
    })
}

fn off(section: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<SpanLaw> {
    let item = section.need("off", sink)?;
    let Some(law) = section.table("off", &OFF).filter(|_| item.value.is_table()) else {
        return item.span(cell, false, sink).map(SpanLaw::Fixed);
    };
    let kind = law.kind(LAWS, sink)?;
    let mean = law.need("mean", sink)?;
    // Also holds the mean within the longest span.
    let span = mean.span(cell, false, sink)?;
    match kind {
        "fixed" => Some(SpanLaw::Fixed(span)),
        "exponential" => Some(SpanLaw::Exponential(span)),
        _ => {
            let cells = mean.quantity(&[Sort::Cells], sink)?;
            Some(SpanLaw::GeometricCells(cells.value.as_f64()))
        }
    }
}
