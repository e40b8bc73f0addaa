//! From the tables of a file to a network: in the order in which names come to be known.

use std::ops::Range;

use hopflow_network::{EventSpec, NetworkSpec, NodeKind};
use hopflow_record::RecordSpec;
use hopflow_units::{Picos, SimTime};
use toml::de::DeTable;

use crate::Code;
use crate::application;
use crate::calls::{self, Calls};
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::expect::{self, Expect};
use crate::flow::{self, Flows};
use crate::form::check_table;
use crate::keys::event::EVENT_KEY;
use crate::keys::network::{HOST, HOST_KEY, LINK_KEY, SWITCH, SWITCH_KEY, TOPOLOGY_KEY};
use crate::keys::record::{LENGTHS, RECORD_KEY, TRACE_KEY};
use crate::keys::run::{FORMAT_VERSION, JITTER, Jitters, NOTES, SEED, TITLE, VERSION};
use crate::keys::{DEFAULTS_KEY, ROOT};
use crate::link::{Attributes, Links, MOST_LINKS};
use crate::machine;
use crate::names::Names;
use crate::node::{Nodes, Traits};
use crate::phase;
use crate::place::Origins;
use crate::rate;
use crate::record;
use crate::replay::ReadFile;
use crate::route::Router;
use crate::routing::{Routing, Rule};
use crate::run_time;
use crate::section::Section;
use crate::shared;
use crate::variant::{self, Changes, Parts, Variant};

/// What has been made so far.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) title: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) network: NetworkSpec,
    pub(crate) record: RecordSpec,
    pub(crate) warm_up: Picos,
    pub(crate) routing: Routing,
    /// The VCs whose sources have drawn a phase.
    pub(crate) phased: Vec<usize>,
    /// The copies of flows that are calls.
    pub(crate) calls: Vec<Calls>,
    /// The controls that the file names.
    pub(crate) variants: Vec<Variant>,
    /// What a right answer is, where the file is an exercise.
    pub(crate) expect: Option<Expect>,
    /// Where each node was named, and whether a topology made it.
    pub(crate) nodes: Nodes,
    /// Where the scheduler of each direction was named; the links are in `network`.
    pub(crate) links: Links,
    /// Where each VC was named, and some of its keys.
    pub(crate) vc_origins: Origins,
    pub(crate) event_spans: EventSpans,
    /// Where the trace is asked for.
    pub(crate) trace_span: Option<Range<usize>>,
}

/// Builds all there is in `root`, with the changes of a variant. What cannot be built is left out
/// and noted.
pub(crate) fn build(
    root: &DeTable<'_>,
    span: Range<usize>,
    changes: Changes<'_>,
    other_seed: Option<u64>,
    read: ReadFile<'_>,
    sink: &mut Sink,
) -> Option<Built> {
    check_table(root, &ROOT, None, sink);
    let root = Section::new(root, span, &ROOT);
    version(&root, sink);
    let variants = variant::read(&root, sink);
    let expect = expect::read(&root, sink);
    let defaults = root.get(&DEFAULTS_KEY).and_then(|item| item.value.as_table().map(Parts::of));
    let defaults = defaults.unwrap_or_default();
    let (mut nodes, mut links) = nodes_and_links(&root, defaults, changes, sink);
    let cell_time = run_time::cell_time(&root, &nodes, &links, sink);
    let duration = run_time::duration(&root, &links, cell_time, sink);
    let warm_up = run_time::warm_up(&root, duration, cell_time, sink);
    application::add(&mut nodes, &mut links, sink);
    let seed = seed(&root, other_seed, sink);
    let rule = Rule::read(&root, seed, sink);
    let router = Router::new(&nodes, &links, rule);
    let flows = flow::read(&root, defaults.flow, changes.parts.flow, router, read, sink);
    let (events, event_spans) = events(&root, &nodes, &links, &flows, sink);
    let names = Names { nodes: &nodes, links: &links, flows: &flows.index };
    let section = root.table(&RECORD_KEY);
    let (record, lengths) = match &section {
        Some(section) => (
            record::read(section, names, cell_time, duration, sink),
            record::directions(section, &LENGTHS, names, sink),
        ),
        None => (RecordSpec::default(), Vec::new()),
    };
    let trace_span = section.and_then(|section| Some(section.get(&TRACE_KEY)?.span));
    for id in lengths {
        links.specs[id.link()].directions[id.side()].count_lengths = true;
    }
    let mut network = NetworkSpec {
        nodes: application::specs(&nodes, &links).into(),
        links: std::mem::take(&mut links.specs).into(),
        vcs: flows.vcs.into(),
        connections: flows.connections.into(),
        events,
        machines: Vec::new().into(),
        duration: duration?,
        seed,
        jitter: JITTER.read(&root, &(), sink).map(Jitters::of).unwrap_or_default(),
    };
    let phased = fill(&mut network, &links, (&flows.exact, &flows.calls), sink);
    let (vc_origins, routing) = (flows.origins, Routing::new(rule, flows.equal));
    Some(Built {
        title: TITLE.read(&root, &(), sink).flatten(),
        notes: NOTES.read(&root, &(), sink).flatten(),
        network,
        record,
        warm_up,
        routing,
        phased,
        calls: flows.calls,
        variants,
        expect,
        nodes,
        links,
        vc_origins,
        event_spans,
        trace_span,
    })
}

/// Draws by the network's seed when sources begin, and calls end.
pub(crate) fn draw(network: &mut NetworkSpec, phased: &[usize], calls: &[Calls]) {
    phase::draw(network, phased);
    calls::draw(network, calls);
}

/// What only the whole network has: control that links share, the machines that it uses, and when
/// sources begin: all but `exact` and `calls` may have a phase. Returns the VCs that drew one.
fn fill(
    network: &mut NetworkSpec,
    links: &Links,
    (exact, calls): (&[usize], &[Calls]),
    sink: &mut Sink,
) -> Vec<usize> {
    shared::fill(network, &links.shared, &links.spans, sink);
    rate::fill(network, |id| links.ports[id.link()][id.side()].rate.spec);
    machine::keep_used(network, sink.machines());
    let phased = phase::chosen(network, exact);
    draw(network, &phased, calls);
    phased
}

/// Where each event stands, in the order of the file, then the stops of slow hosts.
type EventSpans = Vec<(SimTime, Range<usize>)>;

/// The events in order of time, and their places.
fn events(
    root: &Section<'_>,
    nodes: &Nodes,
    links: &Links,
    flows: &Flows,
    sink: &mut Sink,
) -> (Vec<EventSpec>, EventSpans) {
    let (mut events, mut spans) = (Vec::new(), EventSpans::new());
    let mut named = crate::event::Named::new();
    for event in root.tables(&EVENT_KEY, sink) {
        crate::event::note_name(&event, &mut named, sink);
        let changes = crate::event::read(&event, nodes, links, &flows.vcs, &flows.index, sink);
        for change in changes.unwrap_or_default() {
            spans.push((change.at, event.span.clone()));
            events.push(change);
        }
    }
    events.extend(application::events(nodes, links));
    spans.extend(application::stops(nodes));
    events.sort_by_key(|event| event.at);
    (events, spans)
}

/// The root of every random stream: `other`, or what the file has; 0 where that is wrong.
fn seed(root: &Section<'_>, other: Option<u64>, sink: &mut Sink) -> u64 {
    let own = SEED.read(root, &(), sink);
    other.or(own).unwrap_or_default()
}

fn version(root: &Section<'_>, sink: &mut Sink) {
    let Some(item) = root.need(&VERSION, sink) else {
        return;
    };
    let version = item.value.as_integer().map(toml::de::DeInteger::as_str);
    match version.and_then(|version| version.parse().ok()) {
        Some(FORMAT_VERSION) | None => {}
        Some(1) => {
            let message = "version 1 of the format is read as version 2, in which sources of equal \
                           gaps begin at random phases, and flows choose among their equal paths";
            let hint = "write `version = 2`; `exact-phase = true` of a source and `routing = \
                        \"first\"` are what hopflow 0.1.0 did";
            sink.warning(Code::FORMER_FORMAT, &item.span, message).hint(hint);
        }
        Some(_) => {
            let message = "only versions 1 and 2 of the format are known";
            sink.error(Code::VERSION, &item.span, message).hint("write `version = 2`");
        }
    }
}

/// A table that makes nodes or links, whichever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Switch,
    Host,
    Link,
    Topology,
}

/// Nodes first, then links, each in the order of the file.
fn nodes_and_links(
    root: &Section<'_>,
    defaults: Parts<'_>,
    changes: Changes<'_>,
    sink: &mut Sink,
) -> (Nodes, Links) {
    let mut pieces = Vec::new();
    let mut incomplete = root.has_unknown_tables();
    for (key, piece, behind, before) in [
        (SWITCH_KEY, Piece::Switch, defaults.switch, changes.parts.switch),
        (HOST_KEY, Piece::Host, defaults.host, changes.parts.host),
        (TOPOLOGY_KEY, Piece::Topology, defaults.link, changes.parts.link),
        (LINK_KEY, Piece::Link, defaults.link, changes.parts.link),
    ] {
        let tables = root.tables(&key, sink);
        incomplete |= root
            .own(&key)
            .is_some_and(|item| item.value.as_array().map(|list| list.len()) != Some(tables.len()));
        let tables = tables.into_iter();
        let tables = tables.map(|table| table.with_defaults(behind).with_changes(before));
        pieces.extend(tables.map(|table| (piece, table)));
    }
    pieces.sort_by_key(|(_, section)| section.span.start);
    let mut nodes = Nodes::default();
    nodes.incomplete = incomplete;
    let mut planned = Vec::new();
    for (piece, section) in &pieces {
        match piece {
            Piece::Switch => nodes.add_table(section, NodeKind::Switch, sink),
            Piece::Host => nodes.add_table(section, NodeKind::Host, sink),
            Piece::Topology => {
                let traits = traits(section, defaults, changes, sink);
                planned.push(nodes.add_topology(section, &traits, sink));
            }
            Piece::Link => {}
        }
    }
    let mut links = Links::for_nodes(&nodes);
    links.incomplete = nodes.incomplete;
    let mut planned = planned.into_iter();
    for (piece, section) in &pieces {
        match piece {
            Piece::Link => links.add_table(section, &nodes, sink),
            Piece::Topology => {
                let of = [false, true].map(|trunk| Attributes::read(section, trunk, sink));
                for (a, b, trunk) in planned.next().unwrap_or_default() {
                    links.add([a, b], of[usize::from(trunk)].as_ref());
                }
            }
            _ => {}
        }
        if links.specs.len() as u64 > MOST_LINKS {
            let message = format!("more than {MOST_LINKS} links in all");
            sink.error(Code::TOO_MUCH, &section.span, message);
            break;
        }
    }
    if changes.is_unlimited {
        nodes.give_room();
    }
    (nodes, links)
}

/// What the hosts and the switches of a topology are like.
fn traits(
    topology: &Section<'_>,
    defaults: Parts<'_>,
    changes: Changes<'_>,
    sink: &mut Sink,
) -> [Traits; 2] {
    let parts = [
        (defaults.host, changes.parts.host, &HOST),
        (defaults.switch, changes.parts.switch, &SWITCH),
    ];
    parts.map(|(table, before, tab)| {
        let section = match table {
            Some(table) => Section::new(table, 0..0, tab),
            None => Section::empty(0..0, tab),
        };
        let before = before.filter(|_| topology.is_controlled());
        Traits::read(&section.with_changes(before), sink)
    })
}
