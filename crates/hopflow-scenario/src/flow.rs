//! Flows: each is read into a virtual circuit, a connection into two.

mod abr;
mod connection;

use std::collections::BTreeMap;

use hopflow_control::rate::AbrSpec;
use hopflow_network::{
    ConnectionSpec, DirectionId, FramingSpec, HopControl, HopSpec, Shared, SizeLaw, SourceSpec,
    VcSpec,
};
use hopflow_units::{Picos, SimTime};
use toml::de::DeTable;

use crate::Code;
use crate::calls::{self, Calls};
use crate::control::Control;
use crate::described::{Described, Flag, Reads};
use crate::diagnostic::Sink;
use crate::hops::{Hops, is_one_path};
use crate::keys::Key;
use crate::keys::control::{ALLOW_SMALL_N3, ALLOW_SMALL_WINDOW, CONTROL_KEY, HOP_KEY, TARGET};
use crate::keys::flow::{BRANCHES, CALLS_KEY, FLOW_KEY, MISBEHAVES, NAME, START, STOP};
use crate::keys::service::{PRIORITY, WEIGHT};
use crate::keys::source::SOURCE_KEY;
use crate::keys::tcp::{self, VARIANT};
use crate::keys::traffic::{PACKET_KEY, RESERVATION_KEY};
use crate::link::Links;
use crate::node::Nodes;
use crate::packet;
use crate::place::{Origins, Places};
use crate::replay::{ReadFile, Traces};
use crate::route::Router;
use crate::section::Section;
use crate::source;
use crate::template::{self, Copy};
use crate::traffic::{self, Edge};
use crate::transport;
use crate::value::Item;

/// The most flows.
const MOST_FLOWS: u64 = 4_000_000;
/// The most hops of all flows together.
const MOST_HOPS: usize = 16_000_000;

/// Keys whose places are kept, for what only the whole network shows to be wrong with them.
const PLACED: &[Key] =
    &[CALLS_KEY, CONTROL_KEY, PRIORITY.key, RESERVATION_KEY, SOURCE_KEY, START.key, WEIGHT.key];

/// All flows, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Flows {
    pub(crate) vcs: Vec<VcSpec>,
    pub(crate) connections: Vec<ConnectionSpec>,
    /// Where each was named, and some of its keys.
    pub(crate) origins: Origins,
    pub(crate) index: BTreeMap<String, usize>,
    /// VCs whose path is one of several equal ones, in ascending order; of connections both VCs.
    pub(crate) equal: Vec<usize>,
    /// VCs whose sources begin at their starts to the picosecond, in ascending order.
    pub(crate) exact: Vec<usize>,
    /// Copies that are calls.
    pub(crate) calls: Vec<Calls>,
    hops: usize,
    like: Like,
}

/// Routes that are remembered. A power of two.
const REMEMBERED: usize = 1 << 16;

/// For each of some routes the last VC that took it, which the next holds what it says with.
/// Routes that fall on one place forget each other: what is shared is a matter of memory alone.
#[derive(Debug)]
struct Like(Box<[u32]>);

impl Default for Like {
    fn default() -> Like {
        Like(vec![u32::MAX; REMEMBERED].into())
    }
}

impl Like {
    /// Where the last VC along such hops is noted.
    fn place_of(&mut self, hops: &[HopSpec]) -> &mut u32 {
        let fold =
            |sum: usize, hop: &HopSpec| sum.wrapping_mul(31).wrapping_add(hop.direction_id().0);
        &mut self.0[hops.iter().fold(0, fold) % REMEMBERED]
    }
}

/// Reads all flows; `defaults` is `[defaults.flow]`, `changes` what a variant changes.
pub(crate) fn read(
    root: &Section<'_>,
    defaults: Option<&DeTable<'_>>,
    changes: Option<&DeTable<'_>>,
    mut router: Router<'_>,
    read: ReadFile<'_>,
    sink: &mut Sink,
) -> Flows {
    let mut flows = Flows::default();
    let mut traces = Traces::new(read);
    for section in root.tables(&FLOW_KEY, sink) {
        let section = section.with_defaults(defaults).with_changes(changes);
        let room = MOST_FLOWS.saturating_sub(flows.vcs.len() as u64);
        let Some(copies) = template::copies(&section, room, sink) else { continue };
        let Some(item) = section.need(&NAME, sink) else {
            continue;
        };
        let Some(text) = item.text(sink) else {
            continue;
        };
        if template::differ(text, &item.span, copies.len(), "flows", sink).is_none() {
            continue;
        }
        let places = Places::of(&section, &item.span, PLACED);
        let table = flows.origins.table(meant(&section, places));
        let first = flows.vcs.len();
        let mut means = None;
        for copy in copies {
            if sink.is_enough() {
                return flows;
            }
            let Some(name) = template::name(text, &item.span, copy, sink) else {
                continue;
            };
            if flows.hops > MOST_HOPS {
                let message = format!("more than {MOST_HOPS} hops of all flows together");
                sink.error(Code::TOO_MUCH, &section.span, message);
                return flows;
            }
            let before = flows.vcs.len();
            if transport::is_connection(&section) {
                let pair = connection::read(&name, &section, copy, &mut router, &mut traces, sink);
                flows.add_connection(name, pair, table, sink);
                flows.note_equal(before, router.is_one_of_several);
                continue;
            }
            let made = vc(&name, &section, copy, &mut router, &mut traces, sink);
            means = made.as_ref().and_then(|(_, means)| *means);
            let vc = made.map(|(vc, _)| vc);
            let excess = vc.as_ref().and_then(traffic::excess_of);
            flows.add(name, vc, table, sink);
            if let Some(excess) = excess
                && let Some(name) = template::name(&excess.name, &item.span, copy, sink)
            {
                flows.add(name, Some(excess), table, sink);
            }
            flows.note_equal(before, router.is_one_of_several);
            if source::keeps_to_start(&section) || means.is_some() {
                flows.exact.extend(before..flows.vcs.len());
            }
        }
        if let Some([every, holding]) = means {
            flows.calls.push(Calls { vcs: first..flows.vcs.len(), every, holding });
        }
    }
    flows
}

/// The places, with those of keys that say how much credit or window is meant, and which TCP.
fn meant(section: &Section<'_>, places: Places) -> Places {
    let own = section.table(&CONTROL_KEY);
    let source = section.table(&SOURCE_KEY);
    let window = own.as_ref().and_then(|table| set(&ALLOW_SMALL_WINDOW, table));
    let of_tcp =
        source.as_ref().map(|table| [set(&tcp::ALLOW_SMALL_WINDOW, table), VARIANT.item(table)]);
    let hops = section.tables(&HOP_KEY, &mut Sink::new());
    let credit = own.into_iter().chain(hops);
    let credit = credit.flat_map(|table| [TARGET.item(&table), set(&ALLOW_SMALL_N3, &table)]);
    let all = credit.chain([window]).chain(of_tcp.into_iter().flatten());
    all.flatten().fold(places, |places, item| places.and(item.key, item.span))
}

/// A flag of a table that is set.
fn set<'a>(flag: &Described<Flag>, table: &Section<'a>) -> Option<Item<'a>> {
    flag.item(table).filter(|_| flag.is_set(table))
}

impl Flows {
    /// Notes whether VCs from `before` on have a path that is one of several.
    fn note_equal(&mut self, before: usize, is_one_of_several: bool) {
        if is_one_of_several {
            self.equal.extend(before..self.vcs.len());
        }
    }

    /// Takes in the two VCs of a connection, and what it does.
    fn add_connection(
        &mut self,
        name: String,
        pair: Option<connection::Pair>,
        table: u32,
        sink: &mut Sink,
    ) {
        let Some(connection::Pair { there, back, protocol, send_limits }) = pair else {
            return self.add(name, None, table, sink);
        };
        let forward = self.vcs.len();
        let span = self.origins.place(table).clone();
        let back_name = template::name(&back.name, &span, None, sink);
        self.add(name.clone(), Some(there), table, sink);
        if let Some(back_name) = back_name {
            self.add(back_name, Some(back), table, sink);
        }
        let backward = forward + 1;
        let connection = ConnectionSpec { name, forward, backward, protocol, send_limits };
        self.connections.push(connection);
    }

    /// Takes in a flow; one that could not be built keeps its name, with no hops.
    fn add(&mut self, name: String, vc: Option<VcSpec>, table: u32, sink: &mut Sink) {
        if let Some(&other) = self.index.get(&name) {
            let message = format!("two flows are named `{name}`");
            let first = self.origins.name(other).clone();
            sink.error(Code::DUPLICATE, self.origins.place(table), message)
                .label(first, "the first one");
            return;
        }
        self.index.insert(name.clone(), self.vcs.len());
        self.origins.push(table);
        let mut vc = vc.unwrap_or_else(|| VcSpec::new(name, Vec::new(), SourceSpec::Greedy));
        self.hops += vc.hops.len();
        let place = self.like.place_of(&vc.hops);
        if let Some(before) = self.vcs.get(*place as usize) {
            vc.share_with(before);
        }
        *place = self.vcs.len() as u32;
        self.vcs.push(vc);
    }
}

fn vc(
    name: &str,
    section: &Section<'_>,
    copy: Copy,
    router: &mut Router<'_>,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<(VcSpec, Option<[Picos; 2]>)> {
    let (nodes, links) = (router.nodes, router.links);
    let route = router.hops(name, section, copy, sink)?;
    let first = route.first()?.0;
    let cell = links.cell_time(first);
    let size = packet::read(section, sink);
    let framing = framing(section, size.as_ref(), sink);
    let is_framed = matches!(framing, Ok(Some(_)));
    let edge = Edge { flow: section, size: size.as_ref().unwrap_or(&SizeLaw::CELL), cell };
    let wire = if is_framed { &SizeLaw::CELL } else { edge.size };
    let reservation = Edge { size: wire, ..edge }.reservation(sink);
    let source = source::read(section, edge.size, links.spec(first).rate, traces, sink);
    let misbehaves = MISBEHAVES.item(section).is_some();
    let reserved = reservation.as_ref().ok().and_then(Option::as_ref);
    let traffic = edge.traffic(reserved, source.as_ref(), misbehaves, sink);
    let span = reserved.and_then(|_| section.get(&RESERVATION_KEY)).map(|item| item.span);
    let weight = traffic::weight(section, span, sink);
    let control = Control::read(section, copy, nodes, links, &route, sink);
    let window = control.as_ref().and_then(|control| control.window(is_one_path(&route), sink));
    let control = control?;
    let rate = rate(&control, &route, links, sink);
    let hops = hops(&route, &control, nodes, links, sink);
    let (start, stop) = start_stop(section, cell, sink)?;
    let means = calls::read(section, copy, cell, sink);
    let priority = PRIORITY.read(section, &(), sink)? as u8;
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
    let signalled = calls::signalled(section, &route, &vc, sink)?;
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

/// What control `abr` makes of a flow along `route`; reports mistakes.
fn rate(
    control: &Control<'_>,
    route: &Hops,
    links: &Links,
    sink: &mut Sink,
) -> Result<Option<AbrSpec>, ()> {
    let Some(table) = control.abr(sink)? else { return Ok(None) };
    abr::read(table, route, links, sink).map(Some).ok_or(())
}

/// Credit counts cells, and so does rate control.
/// `item` is what makes packets what they are.
fn only_cells(
    item: Option<Item<'_>>,
    size: &SizeLaw,
    hops: &[HopSpec],
    rate: Option<&AbrSpec>,
    sink: &mut Sink,
) -> Option<()> {
    let credit = |hop: &HopSpec| matches!(hop.control, HopControl::Credit(_));
    if *size == SizeLaw::CELL || !(hops.iter().any(credit) || rate.is_some()) {
        return Some(());
    }
    let item = item?;
    let message = format!(
        "{} cells of 53 B, but packets of this flow have {}",
        if rate.is_some() { "rate control paces" } else { "credits count" },
        match size.fixed() {
            Some(bytes) => format!("{} B", bytes.0),
            None => format!("{} B to {} B", size.least().0, size.most().0),
        }
    );
    let kept = if rate.is_some() { "`abr`" } else { "credit" };
    let hint = if item.key == PACKET_KEY.name {
        "leave `packet` out, cut it into cells with `framing = \"aal5\"` (not of a greedy source), \
         or use `control = { kind = \"window\" }` or `{ kind = \"none\" }`"
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

fn hops(
    route: &Hops,
    control: &Control<'_>,
    nodes: &Nodes,
    links: &Links,
    sink: &mut Sink,
) -> Option<Vec<HopSpec>> {
    let hop = |&(id, parent): &(DirectionId, Option<usize>), sink: &mut Sink| {
        // Its application takes packets from a host as it likes.
        let control = if links.is_drain(id) {
            HopControl::None
        } else {
            control.on_hop(id, nodes, links, sink)?
        };
        Some(HopSpec { link: id.link(), direction: id.side(), parent, control })
    };
    let hops: Vec<Option<HopSpec>> = route.iter().map(|step| hop(step, sink)).collect();
    hops.into_iter().collect()
}

fn start_stop(
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
