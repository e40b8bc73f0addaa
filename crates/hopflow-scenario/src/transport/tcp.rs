//! TCP: the keys of a source of that kind.

use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use hopflow_units::{Bytes, Picos, SimTime};

use super::clock;
use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{ACKS, MOST_TRANSFERS, TRANSFER, ack_delay, acks_word};
use crate::machine;
use crate::section::Section;
use crate::value::Item;

/// The largest transfer.
const LARGEST: Bytes = Bytes(1_000_000_000_000_000_000);
const MILLI: u64 = Picos::PER_SECOND / 1_000;

/// The connection that a source table tells.
pub(super) fn read(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<TcpSpec> {
    let preset = preset(source, sink)?;
    let header = source.or("header", preset.header, |item| {
        Some(item.bytes(Bytes(1), Bytes(120), sink)?.0 as u32)
    })?;
    let mss = mss(source, header, preset.mss, sink)?;
    let (window, scale) = window(source, mss, preset.window, sink)?;
    let timers = timers(source, preset.timers, cell, sink)?;
    let acks = acks(source, &preset, cell, sink)?;
    let initial_window = source.or("initial-window", preset.initial_window, |item| {
        Some(item.count(1, 64, sink)? as u32)
    })?;
    let nagle = source.or("nagle", preset.nagle, |item| item.flag(sink))?;
    let first = source.or("first-sequence", preset.first, |item| {
        Some(item.count(0, u64::from(u32::MAX), sink)? as u32)
    })?;
    let impatient = match source.get("impatient") {
        Some(item) if !preset.variant.facts().partial_acks => {
            let able = TcpVariant::ALL.iter().map(|variant| variant.facts());
            let names: Vec<&str> =
                able.filter(|facts| facts.partial_acks).map(|facts| facts.name).collect();
            let when = format!("`variant` is `{}`", names.join("` or `"));
            of_other("impatient", &when, &item, sink);
            return None;
        }
        Some(item) => item.flag(sink)?,
        None => false,
    };
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
    let built_in = match source.get("variant") {
        None => Some(TcpSpec::reno()),
        Some(item) => TcpVariant::named(item.choice(TcpVariant::NAMES, sink)?).map(TcpSpec::new),
    };
    if let Some(preset) = built_in {
        if let Some(item) = source.own("machine") {
            of_other("machine", "`variant` is `external`", &item, sink);
            return None;
        }
        return Some(preset);
    }
    let item = source.need("machine", sink)?;
    let place = machine::named("congestion control", &item, sink)?;
    Some(TcpSpec::new(TcpVariant::External(place)))
}

/// `mss`, or what `mtu` leaves of it.
fn mss(source: &Section<'_>, header: u32, preset: u32, sink: &mut Sink) -> Option<u32> {
    match (source.get("mss"), source.get("mtu")) {
        (Some(mss), Some(_)) => {
            let message = "`mss` and `mtu` exclude each other: `mss` is `mtu` less the headers";
            sink.error(Code::CONFLICT, &mss.span, message).hint("keep one of them");
            None
        }
        (Some(item), None) => Some(item.bytes(Bytes(1), Bytes(65_495), sink)?.0 as u32),
        (None, Some(item)) => {
            let least = Bytes(u64::from(header) + 1);
            let mtu = item.bytes(least, Bytes(65_495 + u64::from(header)), sink)?;
            Some(mtu.0 as u32 - header)
        }
        (None, None) => Some(preset),
    }
}

/// The window and its scale: the least scale that tells it, where none is given.
fn window(source: &Section<'_>, mss: u32, preset: u32, sink: &mut Sink) -> Option<(u32, u32)> {
    let item = source.get("window");
    let window = match &item {
        Some(item) => item.bytes(Bytes(1), Bytes(65_535 << 14), sink)?.0 as u32,
        None => preset,
    };
    let least = (0..14).find(|scale| window <= 65_535 << scale).unwrap_or(14);
    let scale = source.or("window-scale", least, |item| Some(item.count(0, 14, sink)? as u32))?;
    let span = item.map_or_else(|| source.span.clone(), |item| item.span);
    if window > 65_535 << scale {
        let message = format!(
            "the window is {window} B, but with a scale of {scale} at most {} B fit its field",
            65_535_u32 << scale
        );
        let hint = "leave `window-scale` out: the least that fits is taken";
        sink.error(Code::WINDOW_OF_TCP, &span, message).hint(hint);
        return None;
    }
    if window >> scale << scale < mss {
        let least = mss.div_ceil(1 << scale) << scale;
        let told = window >> scale << scale;
        let message =
            format!("the window is sent as {told} B, less than one full segment of {mss} B");
        let hint = format!("raise `window` to {least} B or more, or lower `mss`");
        sink.error(Code::WINDOW_OF_TCP, &span, message).hint(hint);
        return None;
    }
    Some((window, scale))
}

/// `tick` chooses whole ticks, `granularity` exact round trips.
fn timers(
    source: &Section<'_>,
    preset: TcpTimers,
    cell: Picos,
    sink: &mut Sink,
) -> Option<TcpTimers> {
    let (tick, granularity) = (source.get("tick"), source.get("granularity"));
    let min_rto =
        source.or("min-rto", None, |item| Some(Some((clock(&item, cell, sink)?, item))))?;
    let rules = match (&tick, &granularity, preset) {
        (Some(tick), Some(_), _) => {
            let message = "`tick` and `granularity` exclude each other";
            sink.error(Code::CONFLICT, &tick.span, message).hint("keep one of them");
            return None;
        }
        (Some(item), None, _) => Ok(clock(item, cell, sink)?),
        (None, Some(item), _) => Err(clock(item, cell, sink)?),
        (None, None, TcpTimers::Ticks { tick, .. }) => Ok(tick),
        (None, None, TcpTimers::Fine { granularity, .. }) => Err(granularity),
    };
    match rules {
        Ok(tick) => {
            let min_ticks = match min_rto {
                Some((min, item)) => ticks(min, tick, &item, sink)?,
                None => 2,
            };
            Some(TcpTimers::Ticks { tick, min_ticks, rttvar_factor: factor(source, sink)? })
        }
        Err(granularity) => {
            if let Some(item) = source.get("rttvar-factor") {
                of_other("rttvar-factor", "`tick` rules", &item, sink);
                return None;
            }
            let min = min_rto.map_or(Picos(200 * MILLI), |(min, _)| min);
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

fn factor(source: &Section<'_>, sink: &mut Sink) -> Option<u32> {
    let Some(item) = source.get("rttvar-factor") else { return Some(4) };
    let factor = item.count(2, 4, sink)?;
    if factor == 3 {
        item.out_of_range(sink, "3", "2 or 4");
        return None;
    }
    Some(factor as u32)
}

fn acks(source: &Section<'_>, preset: &TcpSpec, cell: Picos, sink: &mut Sink) -> Option<TcpAcks> {
    let kind = source.or("acks", acks_word(preset.acks), |item| item.choice(ACKS, sink))?;
    for (key, of) in [("fast-tick", "window-moves"), ("ack-delay", "every-second")] {
        if let Some(item) = source.own(key).filter(|_| kind != of) {
            of_other(key, &format!("`acks` is `{of}`"), &item, sink);
            return None;
        }
    }
    let span = |key, default: Picos, sink: &mut Sink| {
        source.or(key, default, |item| clock(&item, cell, sink))
    };
    Some(match kind {
        "every-segment" => TcpAcks::EverySegment,
        "window-moves" => {
            TcpAcks::WindowMoves { tick: span("fast-tick", Picos(200 * MILLI), sink)? }
        }
        _ => TcpAcks::EverySecond {
            delay: span("ack-delay", ack_delay(preset.variant.facts()), sink)?,
        },
    })
}

/// A key that rules only where something else is chosen.
fn of_other(key: &str, when: &str, item: &Item<'_>, sink: &mut Sink) {
    let message = format!("`{key}` is of use only where {when}, which it is not here");
    sink.error(Code::KEY_OF_OTHER_KIND, &item.span, message).hint(format!("leave `{key}` out"));
}

fn transfer(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<Transfer> {
    let Some(item) = source.get("transfer") else { return Some(Transfer::Infinite) };
    if item.value.as_str() == Some("infinite") {
        return Some(Transfer::Infinite);
    }
    if !item.value.is_array() {
        return Some(Transfer::Bytes(item.bytes(Bytes(1), LARGEST, sink)?.0));
    }
    let list = item.list(sink)?;
    if list.is_empty() || list.len() > MOST_TRANSFERS {
        let message =
            format!("`transfer` has {} entries, but 1 to {MOST_TRANSFERS} go", list.len());
        sink.error(Code::OUT_OF_RANGE, &item.span, message);
        return None;
    }
    let mut entries: Vec<(SimTime, u64)> = Vec::with_capacity(list.len());
    let mut total = 0_u64;
    for one in list {
        let table = Section::new(one.value.as_table()?, one.span.clone(), &TRANSFER);
        let at = SimTime(table.need("at", sink)?.span(cell, true, sink)?.0);
        let bytes = table.need("bytes", sink)?.bytes(Bytes(1), LARGEST, sink)?.0;
        if let Some((last, _)) = entries.last().filter(|(last, _)| *last > at) {
            one.out_of_range(sink, &at.to_string(), &format!("{last} or later, in order of time"));
            return None;
        }
        total = total.saturating_add(bytes);
        entries.push((at, bytes));
    }
    if total > LARGEST.0 {
        item.out_of_range(sink, &format!("{total} B in all"), "at most 10^18 B");
        return None;
    }
    Some(Transfer::Schedule(entries))
}
