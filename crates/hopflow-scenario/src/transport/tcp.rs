//! TCP: the keys of a source of that kind.

use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use hopflow_units::{Bytes, Picos, SimTime};

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::source::MACHINE;
use crate::keys::tcp::{
    ACK_DELAY, ACK_RULE, AT, BYTES, FAST_TICK, FIRST_SEQUENCE, GRANULARITY, HEADER, IMPATIENT,
    INITIAL_WINDOW, LARGEST_TRANSFER, MIN_RTO, MOST_TRANSFERS, MSS, MTU, NAGLE, RTTVAR_FACTOR,
    TICK, TRANSFERS, VARIANT, WINDOW, WINDOW_SCALE, ack_delay, acks_word,
};
use crate::machine;
use crate::section::Section;
use crate::value::Item;

/// The connection that a source table tells.
pub(super) fn read(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<TcpSpec> {
    let preset = preset(source, sink)?;
    let header = HEADER.read(source, &cell, sink)?;
    let mss = mss(source, header, preset.mss, sink)?;
    let (window, scale) = window(source, mss, preset.window, sink)?;
    let timers = timers(source, preset.timers, cell, sink)?;
    let acks = acks(source, &preset, cell, sink)?;
    let initial_window = INITIAL_WINDOW.read_or(preset.initial_window, source, &cell, sink)?;
    let nagle = NAGLE.read(source, &cell, sink)?;
    let first = FIRST_SEQUENCE.read(source, &cell, sink)?;
    let given = IMPATIENT.item(source);
    if let Some(item) = given.filter(|_| !preset.variant.facts().partial_acks) {
        let able = TcpVariant::FACTS.iter().filter(|facts| facts.partial_acks);
        let names: Vec<&str> = able.map(|facts| facts.name).collect();
        of_other(&item, &format!("`variant` is `{}`", names.join("` or `")), sink);
        return None;
    }
    let impatient = IMPATIENT.read(source, &cell, sink)?;
    let transfer = transfer(source, cell, sink)?;
    let spec = TcpSpec { header, mss, window, scale, timers, acks, initial_window, ..preset };
    let spec = TcpSpec { nagle, impatient, first, transfer, ..spec };
    if let Err(error) = spec.validate() {
        sink.error(Code::OUT_OF_RANGE, &source.span, error.to_string());
        return None;
    }
    Some(spec)
}

fn preset(source: &Section<'_>, sink: &mut Sink) -> Option<TcpSpec> {
    if let Some(variant) = TcpVariant::named(VARIANT.read(source, &(), sink)?) {
        if let Some(item) = source.own(&MACHINE.key) {
            of_other(&item, "`variant` is `external`", sink);
            return None;
        }
        return Some(TcpSpec::new(variant));
    }
    let place = machine::of_table("congestion control", source, sink)?;
    Some(TcpSpec::new(TcpVariant::External(place)))
}

/// `mss`, or what `mtu` leaves of it.
fn mss(source: &Section<'_>, header: u32, preset: u32, sink: &mut Sink) -> Option<u32> {
    match (MSS.item(source), MTU.item(source)) {
        (Some(mss), Some(_)) => {
            let message = "`mss` and `mtu` exclude each other: `mss` is `mtu` less the headers";
            sink.error(Code::CONFLICT, &mss.span, message).hint("keep one of them");
            None
        }
        (None, Some(item)) => {
            let header = u64::from(header);
            let mtu = item.bytes(Bytes(header + 1), Bytes(65_495 + header), sink)?;
            Some((mtu.0 - header) as u32)
        }
        _ => MSS.read_or(preset, source, &(), sink),
    }
}

/// The window and its scale: the least scale that tells it, where none is given.
fn window(source: &Section<'_>, mss: u32, preset: u32, sink: &mut Sink) -> Option<(u32, u32)> {
    let window = WINDOW.read_or(preset, source, &(), sink)?;
    let least = (0..14).find(|scale| window <= 65_535 << scale).unwrap_or(14);
    let scale = WINDOW_SCALE.read_or(least, source, &(), sink)?;
    let advertised = window >> scale << scale;
    let (message, hint) = if window > 65_535 << scale {
        let message = format!(
            "the window is {window} B, but with a scale of {scale} at most {} B fit its field",
            65_535_u32 << scale
        );
        (message, "leave `window-scale` out: the least that fits is taken".to_owned())
    } else if advertised < mss {
        let least = mss.div_ceil(1 << scale) << scale;
        let message =
            format!("the window is sent as {advertised} B, less than one full segment of {mss} B");
        (message, format!("raise `window` to {least} B or more, or lower `mss`"))
    } else {
        return Some((window, scale));
    };
    sink.error(Code::WINDOW_OF_TCP, &WINDOW.place(source), message).hint(hint);
    None
}

/// `tick` chooses whole ticks, `granularity` exact round trips.
fn timers(
    source: &Section<'_>,
    preset: TcpTimers,
    cell: Picos,
    sink: &mut Sink,
) -> Option<TcpTimers> {
    let (tick, granularity) = (TICK.item(source), GRANULARITY.item(source));
    let min_rto = MIN_RTO.read(source, &cell, sink)?;
    let rules = match (&tick, &granularity, preset) {
        (Some(tick), Some(_), _) => {
            let message = "`tick` and `granularity` exclude each other";
            sink.error(Code::CONFLICT, &tick.span, message).hint("keep one of them");
            return None;
        }
        (Some(_), None, _) => Ok(TICK.read(source, &cell, sink)?),
        (None, Some(_), _) => Err(GRANULARITY.read(source, &cell, sink)?),
        (None, None, TcpTimers::Ticks { tick, .. }) => Ok(tick),
        (None, None, TcpTimers::Fine { granularity, .. }) => Err(granularity),
    };
    match rules {
        Ok(tick) => {
            let min_ticks = match min_rto {
                Some(min) => ticks(min, tick, &MIN_RTO.item(source)?, sink)?,
                None => 2,
            };
            let rttvar_factor = RTTVAR_FACTOR.read(source, &cell, sink)?;
            Some(TcpTimers::Ticks { tick, min_ticks, rttvar_factor })
        }
        Err(granularity) => {
            if let Some(item) = RTTVAR_FACTOR.item(source) {
                of_other(&item, "`tick` is given", sink);
                return None;
            }
            let min = min_rto.unwrap_or(Picos(Picos::PER_SECOND / 5));
            Some(TcpTimers::Fine { granularity, min })
        }
    }
}

/// A time-out in whole ticks, rounded up.
fn ticks(min: Picos, tick: Picos, item: &Item<'_>, sink: &mut Sink) -> Option<u32> {
    let ticks = u32::try_from(min.0.div_ceil(tick.0)).ok().filter(|ticks| *ticks <= 1_000_000);
    if ticks.is_none() {
        item.out_of_range(sink, &min.to_string(), "at most 1000000 ticks");
    }
    ticks
}

fn acks(source: &Section<'_>, preset: &TcpSpec, cell: Picos, sink: &mut Sink) -> Option<TcpAcks> {
    let kind = ACK_RULE.read_or(acks_word(preset.acks), source, &cell, sink)?;
    for (key, of) in [(FAST_TICK, "window-moves"), (ACK_DELAY, "every-second")] {
        if let Some(item) = source.own(&key.key).filter(|_| kind != of) {
            of_other(&item, &format!("`acks` is `{of}`"), sink);
            return None;
        }
    }
    Some(match kind {
        "every-segment" => TcpAcks::EverySegment,
        "window-moves" => TcpAcks::WindowMoves { tick: FAST_TICK.read(source, &cell, sink)? },
        _ => {
            let delay = ack_delay(preset.variant.facts());
            TcpAcks::EverySecond { delay: ACK_DELAY.read_or(delay, source, &cell, sink)? }
        }
    })
}

/// A key that rules only where something else is chosen.
fn of_other(item: &Item<'_>, when: &str, sink: &mut Sink) {
    let message = format!("`{}` has an effect only if {when}", item.key);
    let hint = format!("leave `{}` out", item.key);
    sink.error(Code::KEY_OF_OTHER_KIND, &item.span, message).hint(hint);
}

fn transfer(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<Transfer> {
    let Some(item) = source.get(&TRANSFERS) else { return Some(Transfer::Infinite) };
    if item.value.as_str() == Some("infinite") {
        return Some(Transfer::Infinite);
    }
    let most = Bytes(LARGEST_TRANSFER);
    if !item.value.is_array() {
        return Some(Transfer::Bytes(item.bytes(Bytes(1), most, sink)?.0));
    }
    let list = item.list(sink)?;
    if list.is_empty() || list.len() > MOST_TRANSFERS {
        let message =
            format!("`transfer` has {} entries, but takes 1 to {MOST_TRANSFERS}", list.len());
        sink.error(Code::OUT_OF_RANGE, &item.span, message);
        return None;
    }
    let mut entries: Vec<(SimTime, u64)> = Vec::with_capacity(list.len());
    let mut total = 0_u64;
    for one in list {
        let table = Section::of_item(&one, &TRANSFERS)?;
        let at = SimTime(AT.read(&table, &cell, sink)?.0);
        let bytes = BYTES.read(&table, &cell, sink)?.0;
        if let Some((last, _)) = entries.last().filter(|(last, _)| *last > at) {
            one.out_of_range(sink, &at.to_string(), &format!("{last} or later, in order of time"));
            return None;
        }
        total = total.saturating_add(bytes);
        entries.push((at, bytes));
    }
    if total > LARGEST_TRANSFER {
        item.out_of_range(sink, &format!("{total} B in all"), "at most 10^18 B");
        return None;
    }
    Some(Transfer::Schedule(entries))
}
