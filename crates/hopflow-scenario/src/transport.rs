//! Transport: packets cut into cells, and connections between two hosts.

mod calls;
mod rpc;
mod tcp;

use hopflow_network::transport::aal5::{self, Encapsulation};
use hopflow_network::{FrameDiscardSpec, Limit, ProtocolSpec, SizeLaw};
use hopflow_units::{Bytes, Picos};

use crate::Code;
use crate::described::{Described, Maybe, Reads, Size};
use crate::diagnostic::Sink;
use crate::given::{Chosen, Given};
use crate::keys::Key;
use crate::keys::connection::{BACK_KEY, SEND_LIMIT};
use crate::keys::flow::{EXACT_PHASE, MISBEHAVES, MULTICAST_KEY, OBEYS};
use crate::keys::network::{BUFFER, VC_BUFFER};
use crate::keys::source::{SOURCE_KEY, SOURCE_KINDS};
use crate::keys::tcp::{CONNECTION_KINDS, MSS, MTU};
use crate::keys::traffic::{ENVELOPE_KEY, PACKET_KEY, POLICING_KEY};
use crate::keys::transport::{
    ENCAPSULATION, FRAME_DISCARD, FRAME_DISCARD_KEY, FRAME_DISCARDS, FRAMING_KEY, THRESHOLD,
    VC_THRESHOLD,
};
use crate::replay::Traces;
use crate::section::Section;
use crate::value::Item;

/// Whether the source of a flow is a connection.
pub(crate) fn is_connection(flow: &Section<'_>) -> bool {
    let kind = flow.table(&SOURCE_KEY).and_then(|source| source.kind_item());
    let kind = kind.and_then(|item| item.value.as_str());
    kind.is_some_and(|kind| CONNECTION_KINDS.contains(&kind))
}

impl Chosen for Option<Encapsulation> {
    const KEY: &'static Key = &FRAMING_KEY;

    fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<Self> {
        let encapsulation = ENCAPSULATION.read(table, &(), sink)?;
        Some((kind == "aal5").then_some(encapsulation))
    }
}

/// `framing`; reports mistakes.
pub(crate) fn framing(flow: &Section<'_>, sink: &mut Sink) -> Result<Option<Encapsulation>, ()> {
    let Some(item) = flow.get(&FRAMING_KEY) else { return Ok(None) };
    Given::read(flow, &item, sink).map(|given| given.spec).ok_or(())
}

/// Which frames a node drops. `frame-discard` is a key of switches only. `None`: none, or wrong.
pub(crate) fn frame_discard(
    node: &Section<'_>,
    buffer: Option<Limit>,
    vc_buffer: Option<Limit>,
    sink: &mut Sink,
) -> Option<FrameDiscardSpec> {
    let item = node.find(&FRAME_DISCARD_KEY)?;
    let table = if item.value.is_table() {
        node.table(&FRAME_DISCARD_KEY)?
    } else {
        Section::empty(item.span.clone(), &FRAME_DISCARD)
    };
    let kind = match item.value.as_str() {
        Some(_) => item.choice(FRAME_DISCARDS, sink)?,
        None => table.kind(FRAME_DISCARDS, sink)?,
    };
    if kind != "early" {
        return (kind == "partial").then_some(FrameDiscardSpec::Partial);
    }
    if THRESHOLD.item(&table).is_none() && VC_THRESHOLD.item(&table).is_none() {
        let message = "`early` needs `threshold`, `vc-threshold` or both";
        let hint = "for example `{ kind = \"early\", threshold = \"500 cells\" }`";
        sink.error(Code::MISSING_KEY, &table.span, message).hint(hint);
        return None;
    }
    let node = below(&table, &THRESHOLD, &BUFFER, buffer, sink).ok()?;
    let vc = below(&table, &VC_THRESHOLD, &VC_BUFFER, vc_buffer, sink).ok()?;
    Some(FrameDiscardSpec::Early { node, vc })
}

/// A threshold that is reached before the room is used up; reports others. Of two in different
/// units it is not known.
fn below(
    table: &Section<'_>,
    key: &Described<Maybe<Size>>,
    of: &Described<Maybe<Size>>,
    room: Option<Limit>,
    sink: &mut Sink,
) -> Result<Option<Limit>, ()> {
    let fill = key.read(table, &(), sink).ok_or(())?;
    let reaches = |fill: Limit, room: Limit| match (fill, room) {
        (Limit::Packets(fill), Limit::Packets(room)) => fill >= room,
        (Limit::Bytes(fill), Limit::Bytes(room)) => fill >= room,
        _ => false,
    };
    if let (Some(fill), Some(room)) = (fill, room)
        && reaches(fill, room)
    {
        let range = format!("less than `{}`, {room}", of.key.name);
        key.item(table).ok_or(())?.out_of_range(sink, &fill.to_string(), &range);
        return Err(());
    }
    Ok(fill)
}

/// What goes into one frame: no more than its length can tell.
pub(crate) fn fits_frame(
    item: &Item<'_>,
    most: u64,
    encapsulation: Encapsulation,
    sink: &mut Sink,
) -> Option<()> {
    let room = u64::from(aal5::LARGEST - encapsulation.bytes());
    if most <= room {
        return Some(());
    }
    let message = format!("a packet has up to {most} B, but an AAL5 frame holds {room} B at most");
    let hint = format!("make packets at most {room} B large, or leave `framing` out");
    sink.error(Code::LARGE_PACKET, &item.span, message).hint(hint);
    None
}

/// Sizes of the packets of a plain source that are cut into cells.
pub(crate) fn framed_packets(
    flow: &Section<'_>,
    size: &SizeLaw,
    encapsulation: Encapsulation,
    sink: &mut Sink,
) -> Option<()> {
    let framing = flow.get(&FRAMING_KEY)?;
    let Some(packet) = flow.get(&PACKET_KEY) else {
        let message = "`framing` cuts packets into cells, but this flow has no `packet`";
        let hint = "add `packet = \"1500 B\"`, from the IP header on; or leave `framing` out";
        sink.error(Code::MISSING_KEY, &framing.span, message).hint(hint);
        return None;
    };
    let kind = flow.table(&SOURCE_KEY).and_then(|source| source.kind_item());
    let word = kind.as_ref().and_then(|item| item.value.as_str()).unwrap_or("greedy");
    let of_cells = ["greedy", "video"].iter().find(|kind| **kind == word);
    if let (Some(word), item) = (of_cells, kind.as_ref().unwrap_or(&framing)) {
        let message =
            format!("a `{word}` source makes cells: it has no packets that `framing` could cut");
        let hint = "choose another source, such as `constant` or `tcp`";
        sink.error(Code::CONFLICT, &item.span, message).hint(hint);
        return None;
    }
    fits_frame(&packet, size.most().0, encapsulation, sink)
}

/// What the ends of a connection do, and what its packets are.
#[derive(Debug)]
pub(crate) struct Protocol {
    pub(crate) spec: ProtocolSpec,
    /// The smallest and the largest packet, from the IP header on: those there, those back.
    pub(crate) packets: [(u32, u32); 2],
    /// What the name of the VC back ends in.
    pub(crate) back: &'static str,
    /// The key that makes packets as large as they are.
    pub(crate) of_size: Key,
}

impl Protocol {
    /// Reads the source of a connection. `cell` is the cell time of the first link.
    pub(crate) fn read(
        flow: &Section<'_>,
        cell: Picos,
        traces: &mut Traces<'_>,
        sink: &mut Sink,
    ) -> Option<Protocol> {
        let source = flow.table(&SOURCE_KEY)?;
        let kind = source.kind(SOURCE_KINDS, sink)?;
        if kind == "tcp" {
            let spec = tcp::read(&source, cell, sink)?;
            let there = (spec.header + 1, spec.largest_packet());
            let packets = [there, (spec.header, spec.largest_ack())];
            let of_size = if MTU.item(&source).is_some() { MTU.key } else { MSS.key };
            return Some(Protocol { spec: ProtocolSpec::Tcp(spec), packets, back: "ack", of_size });
        }
        let spec = rpc::read(kind, &source, cell, traces, sink)?;
        let packets = rpc::packets(&spec);
        let spec = ProtocolSpec::Rpc(spec);
        Some(Protocol { spec, packets, back: "reply", of_size: MTU.key })
    }

    /// Sizes of packets: those there, those back.
    pub(crate) fn sizes(&self) -> [SizeLaw; 2] {
        self.packets.map(|(least, most)| {
            let (least, most) = (Bytes(u64::from(least)), Bytes(u64::from(most)));
            if least == most { SizeLaw::Fixed(most) } else { SizeLaw::Uniform { least, most } }
        })
    }
}

/// Keys that a connection has no use for.
pub(crate) fn no_key_of_others(flow: &Section<'_>, sink: &mut Sink) -> Option<()> {
    let mut fine = Some(());
    let times = "the protocol decides when packets are sent";
    for (key, why) in [
        (PACKET_KEY, "the protocol sets the sizes of packets: TCP by `mss` or `mtu`, NFS by `mtu`"),
        (ENVELOPE_KEY, times),
        (OBEYS.key, times),
        (EXACT_PHASE.key, times),
        (POLICING_KEY, times),
        (MISBEHAVES.key, times),
        (MULTICAST_KEY, "a connection has two ends"),
    ] {
        let Some(item) = flow.own(&key).filter(|item| item.value.as_bool() != Some(false)) else {
            continue;
        };
        let name = key.name;
        let message = format!("`{name}` cannot be combined with a connection: {why}");
        sink.error(Code::CONFLICT, &item.span, message).hint(format!("leave `{name}` out"));
        fine = None;
    }
    fine
}

/// Keys that only a connection has a use for.
pub(crate) fn no_key_of_connections(flow: &Section<'_>, sink: &mut Sink) -> Option<()> {
    let mut fine = Some(());
    for key in [SEND_LIMIT.key, BACK_KEY] {
        let Some(item) = flow.own(&key) else { continue };
        let message = format!(
            "`{}` applies to connections only, and the source of this flow \
                               opens none",
            key.name
        );
        let hint = format!("leave it out, or choose a source of: {}", CONNECTION_KINDS.join(", "));
        sink.error(Code::CONFLICT, &item.span, message).hint(hint);
        fine = None;
    }
    fine
}
