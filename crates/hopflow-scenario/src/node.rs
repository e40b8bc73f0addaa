//! Hosts, switches and the networks of `[[topology]]`: who there is, by name.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{
    Alpha, Discard, FrameDiscardSpec, Limit, NodeKind, NodeSpec, Reserve, WorkSpec,
};
use hopflow_units::Bytes;

use crate::Code;
use crate::described::{Reads, Words};
use crate::diagnostic::Sink;
use crate::drain;
use crate::given::Given;
use crate::keys::Key;
use crate::keys::network::{
    ALPHA, BUFFER, CELL, DISCARD, DRAIN, HOST, HOSTS, K, NAME, PORT_BUFFER, PREFIX, RECEIVE_BUFFER,
    SWITCHES, TOPOLOGY_KINDS, VC_BUFFER,
};
use crate::keys::reserve::RESERVE;
use crate::keys::work::{self, WORK_KEY};
use crate::marking;
use crate::naming::short;
use crate::place::{Origins, Places};
use crate::port::Port;
use crate::section::Section;
use crate::template;
use crate::topology::{FatTrees, Plan};
use crate::transport;
use crate::value::nearest;

/// The most nodes.
pub(crate) const MOST_NODES: u64 = 100_000;

/// All nodes, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) specs: Vec<NodeSpec>,
    /// Where each was named, and some of its keys.
    pub(crate) origins: Origins,
    /// Whether a topology made it.
    pub(crate) made: Vec<bool>,
    /// What its ports have.
    pub(crate) ports: Vec<Port>,
    /// What a host says of its application.
    pub(crate) drains: Vec<Option<drain::Application>>,
    /// Whether a node could not be made, so that a name may be missing for that reason.
    pub(crate) incomplete: bool,
    /// The fat trees of topologies.
    pub(crate) trees: FatTrees,
    index: BTreeMap<String, usize>,
}

/// Keys whose places are kept, for what only the whole network shows to be wrong with them.
const PLACED: &[Key] = &[BUFFER.key, CELL.key, DISCARD.key, PORT_BUFFER.key, VC_BUFFER.key];
/// The same of hosts or switches alone.
const PLACED_OF_SOME: &[Key] = &[DRAIN, RECEIVE_BUFFER.key, RESERVE.key, WORK_KEY];

/// What a node is like besides its name and kind.
#[derive(Clone, Debug)]
pub(crate) struct Traits {
    buffer: Option<Limit>,
    vc_buffer: Option<Limit>,
    port_buffer: Option<Limit>,
    cell: Option<Bytes>,
    alpha: Option<Alpha>,
    reserve: Reserve,
    discard: Discard,
    frame_discard: FrameDiscardSpec,
    port: Port,
    drain: Option<drain::Application>,
    work: Option<WorkSpec>,
    places: Places,
}

impl Traits {
    pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Traits {
        let mut limit = |key: Key| section.find(&key)?.limit(sink);
        let [buffer, vc_buffer, port_buffer] =
            [BUFFER.key, VC_BUFFER.key, PORT_BUFFER.key].map(&mut limit);
        let cell = CELL.read(section, &(), sink).flatten();
        let discard = DISCARD.read(section, &(), sink).unwrap_or_default();
        let alpha = alpha(section, buffer, discard, sink);
        let reserve = reserve(section, alpha, sink);
        let frame_discard = transport::frame_discard(section, buffer, vc_buffer, sink);
        let frame_discard = frame_discard.unwrap_or_default();
        let port = Port {
            scheduler: Given::of_node(section, sink),
            rate: Given::of_node(section, sink),
            marking: marking::read(section, sink).unwrap_or_default(),
        };
        let drain = drain::read(section, sink);
        let work = work::read(section, sink);
        let of_some = PLACED_OF_SOME.iter().filter_map(|key| section.find(key));
        let places = Places::of(section, &section.span, PLACED);
        let places = of_some.fold(places, |places, item| places.and(item.key, item.span));
        Traits {
            buffer,
            vc_buffer,
            port_buffer,
            cell,
            alpha,
            reserve,
            discard,
            frame_discard,
            port,
            drain,
            work,
            places,
        }
    }
}

/// Alpha of a switch, whose buffer is in bytes and drops what arrives.
fn alpha(
    section: &Section<'_>,
    buffer: Option<Limit>,
    discard: Discard,
    sink: &mut Sink,
) -> Option<Alpha> {
    let item = section.find(&ALPHA.key)?;
    let given = ALPHA.read(section, &(), sink).flatten()?;
    let mut wrong = |code: Code, message: String, hint: &str| {
        sink.error(code, &item.span, message).hint(hint);
        None
    };
    let Some(alpha) = Alpha::new(given) else {
        let message = format!("`alpha` is {given}, but it is from 1e-9 to {}", Alpha::MOST);
        return wrong(Code::OUT_OF_RANGE, message, "switches have 1/128 to 8");
    };
    if buffer.and_then(Limit::bytes).is_none() {
        let held = buffer.map_or("there is none".to_owned(), |limit| format!("it is {limit}"));
        let message = format!("`alpha` shares a `buffer` in bytes, but {held}");
        return wrong(Code::CONFLICT, message, "give the switch a `buffer` such as \"16 MB\"");
    }
    if discard != Discard::Arriving {
        let message = format!("`alpha` drops what arrives, but `discard` is `{}`", discard.word());
        return wrong(Code::CONFLICT, message, "leave `discard` out, or `alpha`");
    }
    Some(alpha)
}

/// What class queues of a switch have for themselves, beside its thresholds.
fn reserve(section: &Section<'_>, alpha: Option<Alpha>, sink: &mut Sink) -> Reserve {
    let Some(item) = section.find(&RESERVE.key) else { return Reserve::default() };
    let reserve = RESERVE.read(section, &(), sink).flatten().unwrap_or_default();
    if section.find(&ALPHA.key).is_none() {
        let message = "`reserve` is what a class queue has beside its threshold, but there is no \
                       `alpha`";
        sink.error(Code::CONFLICT, &item.span, message).hint("add `alpha = 1`");
    }
    if alpha.is_some() { reserve } else { Reserve::default() }
}

impl Nodes {
    /// The nodes of a network, to be found by name.
    pub(crate) fn named(specs: &[NodeSpec]) -> Nodes {
        let index = specs.iter().map(|spec| spec.name.clone()).zip(0..).collect();
        Nodes { specs: specs.to_vec(), index, ..Nodes::default() }
    }

    /// The node of this name; an error that names the nearest when there is none.
    pub(crate) fn find(&self, name: &str, span: &Range<usize>, sink: &mut Sink) -> Option<usize> {
        let found = self.index.get(name).copied();
        if found.is_none() && !self.incomplete {
            let message = format!("no node is named `{}`", short(name));
            let error = sink.error(Code::UNKNOWN_NAME, span, message);
            if let Some(near) = nearest(name, self.index.keys().map(String::as_str)) {
                error.hint(format!("did you mean `{near}`?"));
            } else if self.index.is_empty() {
                error.hint("there are no nodes: add `[[host]]` and `[[switch]]` tables");
            } else {
                error.hint(there_are(self.specs.iter().map(|node| node.name.as_str())));
            }
        }
        found
    }

    /// The name of a node.
    pub(crate) fn name(&self, node: usize) -> &str {
        &self.specs[node].name
    }

    /// Whether a node is a host.
    pub(crate) fn is_host(&self, node: usize) -> bool {
        self.specs[node].kind == NodeKind::Host
    }

    /// Takes the limits of memory from all switches. Bytes are counted where they were.
    pub(crate) fn give_room(&mut self) {
        for node in self.specs.iter_mut().filter(|node| node.kind == NodeKind::Switch) {
            let mut limits = node.limits().into_iter().filter_map(|(_, limit)| limit);
            if limits.any(|limit| limit.bytes().is_some()) {
                node.cell = node.cell.or(Some(Bytes(1)));
            }
            (node.buffer, node.vc_buffer, node.port_buffer) = (None, None, None);
            (node.alpha, node.reserve) = (None, Reserve::default());
        }
    }

    /// Takes in the hosts or switches of one table.
    pub(crate) fn add_table(&mut self, section: &Section<'_>, kind: NodeKind, sink: &mut Sink) {
        if self.add_copies(section, kind, sink).is_none() {
            assert!(sink.has_errors(), "a node that is left out leaves an error behind");
            self.incomplete = true;
        }
    }

    /// `None`: not all could be made.
    fn add_copies(&mut self, section: &Section<'_>, kind: NodeKind, sink: &mut Sink) -> Option<()> {
        let traits = Traits::read(section, sink);
        let item = section.need(&NAME, sink)?;
        let text = item.text(sink)?;
        let room = MOST_NODES.saturating_sub(self.specs.len() as u64);
        let copies = template::copies(section, room, sink)?;
        template::differ(text, &item.span, copies.len(), "nodes", sink)?;
        let table = self.origins.table(traits.places.clone().named(&item.span));
        let mut all = Some(());
        for copy in copies {
            if sink.is_enough() {
                return None;
            }
            let name = template::name(text, &item.span, copy, sink);
            all = all.and(name.as_ref().map(|_| ()));
            if let Some(name) = name {
                self.add(name, kind, &traits, table, sink);
            }
        }
        all
    }

    /// Takes in one node; an error when the name is taken.
    pub(crate) fn add(
        &mut self,
        name: String,
        kind: NodeKind,
        traits: &Traits,
        table: u32,
        sink: &mut Sink,
    ) -> Option<usize> {
        if let Some(&other) = self.index.get(&name) {
            let message = format!("two nodes are named `{name}`");
            let first = self.origins.name(other).clone();
            sink.error(Code::DUPLICATE, self.origins.place(table), message)
                .label(first, "the first one");
            self.incomplete = true;
            return None;
        }
        let index = self.specs.len();
        self.index.insert(name.clone(), index);
        let &Traits { buffer, vc_buffer, port_buffer, cell, alpha, reserve, discard, .. } = traits;
        let &Traits { frame_discard, work, .. } = traits;
        let new = NodeSpec::new(name, kind);
        let spec = NodeSpec { buffer, vc_buffer, port_buffer, cell, alpha, reserve, ..new };
        self.specs.push(NodeSpec { discard, frame_discard, work, ..spec });
        self.ports.push(traits.port.clone());
        self.drains.push(traits.drain.clone());
        self.origins.push(table);
        self.made.push(false);
        Some(index)
    }

    /// Takes in the application of a slow host, whose keys are at `span`.
    pub(crate) fn add_application(
        &mut self,
        name: String,
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<usize> {
        let section = Section::empty(span.clone(), &HOST);
        let traits = Traits::read(&section, sink);
        let table = self.origins.table(traits.places.clone());
        let index = self.add(name, NodeKind::Host, &traits, table, sink)?;
        self.made[index] = true;
        Some(index)
    }

    /// Takes in the nodes of a `[[topology]]`. Gives its links: both ends, and whether a trunk.
    pub(crate) fn add_topology(
        &mut self,
        section: &Section<'_>,
        [host, switch]: &[Traits; 2],
        sink: &mut Sink,
    ) -> Vec<(usize, usize, bool)> {
        let Some(plan) = plan(section, sink) else {
            self.incomplete = true;
            return Vec::new();
        };
        let prefix = PREFIX.item(section).and_then(|item| {
            let text = item.text(sink)?;
            template::name(text, &item.span, None, sink)
        });
        let prefix = prefix.unwrap_or_default();
        if (self.specs.len() + plan.nodes.len()) as u64 > MOST_NODES {
            let message = format!("more than {MOST_NODES} nodes in all");
            sink.error(Code::TOO_MUCH, &section.span, message);
            self.incomplete = true;
            return Vec::new();
        }
        if let Some(item) = K.item(section) {
            let nodes = self.specs.len()..self.specs.len() + plan.nodes.len();
            self.trees.add(nodes, item.count(1, u64::MAX, sink).unwrap_or_default());
        }
        let mut indices = Vec::with_capacity(plan.nodes.len());
        let [hosts, switches] = [host, switch]
            .map(|traits| self.origins.table(traits.places.clone().named(&section.span)));
        for (name, is_host) in plan.nodes {
            let (kind, traits, table) = if is_host {
                (NodeKind::Host, host, hosts)
            } else {
                (NodeKind::Switch, switch, switches)
            };
            let name = format!("{prefix}{name}");
            let index = self.add(name, kind, traits, table, sink);
            if let Some(index) = index {
                self.made[index] = true;
            }
            indices.push(index);
        }
        let link = |(a, b, trunk): (usize, usize, bool)| Some((indices[a]?, indices[b]?, trunk));
        plan.links.into_iter().filter_map(link).collect()
    }
}

/// The first names, for hints.
pub(crate) fn there_are<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const NAMED: usize = 8;
    let more = if names.len() > NAMED { ", ..." } else { "" };
    format!("there are: {}{more}", names.take(NAMED).collect::<Vec<_>>().join(", "))
}

/// The network of a `[[topology]]`, within the limits.
fn plan(section: &Section<'_>, sink: &mut Sink) -> Option<Plan> {
    let kind = section.kind(TOPOLOGY_KINDS, sink)?;
    let (item, least, most) = match kind {
        "chain" => (SWITCHES.need(section, sink)?, 1, 10_000),
        "parking-lot" => (SWITCHES.need(section, sink)?, 2, 10_000),
        "dumbbell" => (HOSTS.need(section, sink)?, 1, 40_000),
        "star" => (HOSTS.need(section, sink)?, 2, 90_000),
        _ => (K.need(section, sink)?, 2, 64),
    };
    let count = item.count(1, u64::MAX, sink)?;
    if count > most {
        let message = format!("`{}` is {count}, but {most} is the most for a {kind}", item.key);
        sink.error(Code::TOO_MUCH, &item.span, message);
        return None;
    }
    if count < least || (kind == "fat-tree" && count % 2 == 1) {
        let even = if kind == "fat-tree" { "an even number, " } else { "" };
        item.out_of_range(sink, &count.to_string(), &format!("{even}{least} to {most}"));
        return None;
    }
    Some(match kind {
        "chain" => Plan::chain(count),
        "parking-lot" => Plan::parking_lot(count),
        "dumbbell" => Plan::dumbbell(count),
        "star" => Plan::star(count),
        _ => Plan::fat_tree(count),
    })
}
