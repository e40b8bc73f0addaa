//! A flow that is one VC: its keys in order, and what connections have in common with it.

use hopflow_control::rate::AbrSpec;
use hopflow_network::{FramingSpec, HopControl, HopSpec, Shared, SizeLaw, VcSpec};
use hopflow_units::{Bytes, Picos, SimTime};

use super::abr;
use crate::Code;
use crate::calls;
use crate::control::Control;
use crate::credit_loop::Packets;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::dscp::DscpMap;
use crate::keys::flow::{BRANCHES, MISBEHAVES, START, STOP};
use crate::keys::service;
use crate::keys::traffic::{PACKET_KEY, RESERVATION_KEY};
use crate::packet;
use crate::replay::Traces;
use crate::section::Section;
use crate::source;
use crate::template::Copy;
use crate::traffic::{self, Edge};
use crate::transport;
use crate::value::Item;
use crate::way::Way;

/// A VC, and the means of its calls if it is one.
pub(super) type Circuit = (VcSpec, Option<[Picos; 2]>);

/// Reads a flow along `way`.
pub(super) fn read(
    name: &str,
    section: &Section<'_>,
    copy: Copy,
    way: &Way<'_>,
    (map, traces): (&DscpMap, &mut Traces<'_>),
    sink: &mut Sink,
) -> Option<Circuit> {
    let first = way.first()?;
    let cell = first.cell;
    let size = packet::read(section, sink);
    let framing = framing(section, size.as_ref(), sink);
    let is_framed = matches!(framing, Ok(Some(_)));
    let edge = Edge { flow: section, size: size.as_ref().unwrap_or(&SizeLaw::CELL), cell };
    let wire = if is_framed { &SizeLaw::CELL } else { edge.size };
    let reservation = Edge { size: wire, ..edge }.reservation(sink);
    let source = source::read(section, edge.size, first.rate, traces, sink);
    let misbehaves = MISBEHAVES.item(section).is_some();
    let reserved = reservation.as_ref().ok().and_then(Option::as_ref);
    let traffic = edge.traffic(reserved, source.as_ref(), misbehaves, sink);
    let span = reserved.and_then(|_| section.get(&RESERVATION_KEY)).map(|item| item.span);
    let weight = traffic::weight(section, span, sink);
    let control = Control::read(section, copy, way, sink);
    let window = control.as_ref().and_then(|control| control.window(way.is_one_path(), sink));
    let control = control?;
    let rate = rate(&control, way, sink);
    let sizes = if is_framed { None } else { size.as_ref() };
    let is_own = source.as_ref().is_some_and(|source| source.external().is_some());
    let hops = hops(way, &control, packets(sizes, is_own), sink);
    let (start, stop) = start_stop(section, cell, sink)?;
    let means = calls::read(section, copy, cell, sink);
    let priority = service::priority(section, map, 0, sink)?;
    let multicast = BRANCHES.read(section, &cell, sink)?.unwrap_or_default();
    transport::no_key_of_connections(section, sink)?;
    let (hops, source, size, framing) = (hops?, source?, size?, framing.ok()?);
    let rate = rate.ok()?;
    abr::has_a_rate_to_follow(section, &source, rate.as_ref(), sink)?;
    if framing.is_none() {
        only_cells(section.get(&PACKET_KEY), &size, &hops, rate.as_ref(), sink)?;
    }
    let (mut traffic, reservation) = (traffic?, reservation.ok()?);
    traffic.packets = source::packets(section, sink).ok()?;
    if framing.is_some() {
        traffic.size = SizeLaw::CELL;
    }
    let bare = VcSpec::new(name, hops, source);
    let (rate, framing) = (rate.map(Shared::from), framing.map(Shared::from));
    let vc = VcSpec { priority, start, stop, window, rate, multicast, framing, ..bare };
    let vc = VcSpec { traffic: traffic.into(), reservation, weight, ..vc };
    let signalled = calls::signalled(section, &way.hops, &vc, sink)?;
    Some((VcSpec { signalled, ..vc }, means.ok()?))
}

/// How the packets of a plain source are cut into cells; reports mistakes.
fn framing(
    section: &Section<'_>,
    size: Option<&SizeLaw>,
    sink: &mut Sink,
) -> Result<Option<FramingSpec>, ()> {
    let Some(encapsulation) = transport::framing(section, sink)? else { return Ok(None) };
    let packet = size.ok_or(())?;
    transport::framed_packets(section, packet, encapsulation, sink).ok_or(())?;
    Ok(Some(FramingSpec { packet: packet.clone(), encapsulation }))
}

/// What control `abr` makes of a flow along `way`; reports mistakes.
pub(super) fn rate(
    control: &Control<'_>,
    way: &Way<'_>,
    sink: &mut Sink,
) -> Result<Option<AbrSpec>, ()> {
    let Some(table) = control.abr(sink)? else { return Ok(None) };
    abr::read(table, way, sink).map(Some).ok_or(())
}

/// What credit counts of packets of these sizes; cells without. `is_own`: an external machine may
/// make smaller ones.
pub(super) fn packets(sizes: Option<&SizeLaw>, is_own: bool) -> Packets {
    let Some(sizes) = sizes else { return Packets::CELLS };
    let is_certain = !is_own || *sizes == SizeLaw::CELL;
    let least = if is_certain { sizes.least() } else { Bytes(1) };
    Packets { least, most: sizes.most() }
}

/// Rate control counts cells, and so do external credit schemes, and credits that share a cell.
/// `item` is what makes packets what they are.
pub(super) fn only_cells(
    item: Option<Item<'_>>,
    size: &SizeLaw,
    hops: &[HopSpec],
    rate: Option<&AbrSpec>,
    sink: &mut Sink,
) -> Option<()> {
    let in_cells = |hop: &HopSpec| {
        let HopControl::Credit(credit) = hop.control else { return None };
        let counts = credit.scheme.external().is_some() || credit.per_cell > 1;
        let is_one = credit.packet_units(size.most()).are_packets();
        Some(credit).filter(|_| counts && !is_one)
    };
    let credit = hops.iter().find_map(in_cells);
    if *size == SizeLaw::CELL || credit.is_none() && rate.is_none() {
        return Some(());
    }
    let item = item?;
    let what = match credit {
        Some(credit) if credit.per_cell > 1 => "credits that share a cell count".to_owned(),
        Some(credit) => format!("credits of `{}` count", credit.scheme.facts().name),
        None => "rate control paces".to_owned(),
    };
    let message = format!(
        "{what} cells of 53 B, but packets of this flow have {}",
        match size.fixed() {
            Some(bytes) => format!("{} B", bytes.0),
            None => format!("{} B to {} B", size.least().0, size.most().0),
        }
    );
    let kept = if rate.is_some() { "`abr`" } else { "credit" };
    let hint = if item.key == PACKET_KEY.name {
        "leave `packet` out, cut it into cells with `framing = \"aal5\"` (not of a greedy source), \
         or use `control = { kind = \"n23\" }` or `{ kind = \"none\" }`"
            .to_owned()
    } else {
        format!(
            "cut packets into cells with `framing = \"aal5\"` (not of a greedy source), or take \
             {kept} out of `control`"
        )
    };
    sink.error(Code::ONLY_CELLS, &item.span, message).hint(hint);
    None
}

/// The hops with their control; reports mistakes.
pub(super) fn hops(
    way: &Way<'_>,
    control: &Control<'_>,
    packets: Packets,
    sink: &mut Sink,
) -> Option<Vec<HopSpec>> {
    let hop = |at: usize, sink: &mut Sink| {
        let (id, parent) = way.hops[at];
        // Its application takes packets from a host as it likes.
        let control = if way.terms[at].is_drain {
            HopControl::None
        } else {
            control.on_hop(way, at, packets, sink)?
        };
        Some(HopSpec { link: id.link(), direction: id.side(), parent, control })
    };
    let hops: Vec<Option<HopSpec>> = (0..way.hops.len()).map(|at| hop(at, sink)).collect();
    hops.into_iter().collect()
}

/// When the source begins and ends; reports mistakes.
pub(super) fn start_stop(
    section: &Section<'_>,
    cell: Picos,
    sink: &mut Sink,
) -> Option<(SimTime, Option<SimTime>)> {
    let start = START.read(section, &cell, sink)?;
    let Some(stop) = STOP.read(section, &cell, sink)? else {
        return Some((SimTime(start.0), None));
    };
    if stop <= start {
        let message = format!("the source stops at {stop}, not after its start at {start}");
        sink.error(Code::STOP_BEFORE_START, &STOP.place(section), message);
        return None;
    }
    Some((SimTime(start.0), Some(SimTime(stop.0))))
}
