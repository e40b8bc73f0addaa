//! Links: all of them, their ports, and finding one between two nodes. What a table says of its
//! links is in `link/attributes.rs`.

mod attributes;

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{DirectionId, DirectionSpec, LinkSpec, RoundTrip};
use hopflow_units::{Picos, Rate};

use crate::Code;
use crate::cell_time::{cell_time_of, true_loop};
use crate::diagnostic::Sink;
use crate::given::Given;
use crate::keys::network::BETWEEN;
use crate::naming::short;
use crate::node::Nodes;
use crate::port::Port;
use crate::section::Section;
use crate::shared::Shared;
use crate::template;
use crate::value::Item;
pub(crate) use attributes::Attributes;

/// The most links.
pub(crate) const MOST_LINKS: u64 = 400_000;

/// All links, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub(crate) specs: Vec<LinkSpec>,
    /// Links between two nodes, lower index first, in order.
    between: BTreeMap<(usize, usize), Vec<usize>>,
    /// Whether a link could not be made, so that one may be missing for that reason.
    pub(crate) incomplete: bool,
    /// From each slow host to its application; by node, none behind the last.
    drains: Vec<Option<DirectionId>>,
    /// Directions that leave each node, in order of links, but for those to and from applications.
    pub(crate) leaving: Vec<Vec<(DirectionId, usize)>>,
    /// What each node gives its ports.
    of_nodes: Vec<Port>,
    /// Whether a node is a switch: ports of hosts have no rate control, and mark nothing.
    is_switch: Vec<bool>,
    /// What the port of each direction has, as given.
    pub(crate) ports: Vec<[Port; 2]>,
    /// Control that the flows of each direction share, as given.
    pub(crate) shared: Vec<[Shared; 2]>,
    /// Whether reservations may add up to more than the link carries.
    pub(crate) allow_overbooking: Vec<bool>,
    /// Where the delay of each is given, or its table.
    pub(crate) spans: Vec<Range<usize>>,
}

impl Links {
    /// The links of a network, to be found by their ends.
    pub(crate) fn joined(specs: &[LinkSpec]) -> Links {
        let mut between: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (LinkSpec { ends: [a, b], .. }, index) in specs.iter().zip(0..) {
            between.entry((*a.min(b), *a.max(b))).or_default().push(index);
        }
        Links { specs: specs.to_vec(), between, ..Links::default() }
    }

    /// Makes room for the ports of these nodes.
    pub(crate) fn for_nodes(nodes: &Nodes) -> Links {
        let leaving = vec![Vec::new(); nodes.specs.len()];
        let is_switch = (0..nodes.specs.len()).map(|node| !nodes.is_host(node)).collect();
        Links { leaving, of_nodes: nodes.ports.clone(), is_switch, ..Links::default() }
    }

    /// Takes in a link. Attributes that could not be read leave a stand-in, so that routes can
    /// still be checked; the error has been noted.
    pub(crate) fn add(&mut self, ends: [usize; 2], attributes: Option<&Attributes>) {
        let rate = Rate::from_bps(1_000_000_000).expect("a rate above zero");
        let stand_in = DirectionSpec::new(rate, Picos::ZERO);
        let (mut directions, round_trip) = match attributes {
            Some(attributes) => (attributes.directions.clone(), attributes.round_trip),
            None => ([stand_in.clone(), stand_in], RoundTrip::Loop),
        };
        let ports = [0, 1].map(|side| {
            let of_node = &self.of_nodes[ends[side]];
            let scheduler = attributes.and_then(|link| link.schedulers[side].as_ref());
            let rate = attributes.and_then(|link| link.rates[side].as_ref());
            let marking = attributes.and_then(|link| link.marking.as_ref());
            Port {
                scheduler: Given::first(scheduler, &of_node.scheduler),
                rate: Given::first(rate, &of_node.rate),
                marking: Given::first(marking, &of_node.marking),
            }
        });
        for (side, direction) in directions.iter_mut().enumerate() {
            let is_switch = self.is_switch[ends[side]];
            direction.scheduler = ports[side].scheduler.spec.clone();
            direction.rate_control = ports[side].rate.spec.control.filter(|_| is_switch);
            direction.marking = ports[side].marking.spec.filter(|_| is_switch);
        }
        self.ports.push(ports);
        self.shared.push(attributes.map_or_else(Default::default, |link| link.shared.clone()));
        let allowed = attributes.is_some_and(|attributes| attributes.allow_overbooking);
        self.allow_overbooking.push(allowed);
        self.spans.push(attributes.map_or(0..0, |attributes| attributes.span.clone()));
        let index = self.specs.len();
        self.specs.push(LinkSpec { ends, directions, round_trip });
        let pair = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        self.between.entry(pair).or_default().push(index);
        for side in [0, 1] {
            let direction = DirectionId::new(index, side);
            self.leaving[ends[side]].push((direction, ends[1 - side]));
        }
    }

    /// Takes in the links of one table.
    pub(crate) fn add_table(&mut self, section: &Section<'_>, nodes: &Nodes, sink: &mut Sink) {
        let attributes = Attributes::read(section, false, sink);
        let pair = section.need(&BETWEEN, sink).and_then(|item| item.two(sink));
        let room = MOST_LINKS.saturating_sub(self.specs.len() as u64);
        let copies = template::copies(section, room, sink);
        let (Some(pair), Some(copies)) = (pair, copies) else {
            self.incomplete = true;
            return;
        };
        for copy in copies {
            if sink.is_enough() {
                break;
            }
            let end = |item: &Item<'_>, sink: &mut Sink| {
                let name = template::fill(item.text(sink)?, &item.span, copy, sink)?;
                nodes.find(&name, &item.span, sink)
            };
            let ends = [end(&pair[0], sink), end(&pair[1], sink)];
            let [Some(a), Some(b)] = ends else {
                self.incomplete = true;
                continue;
            };
            if a == b {
                let message = format!("a link joins `{}` to itself", nodes.name(a));
                sink.error(Code::SELF_LINK, &pair[1].span, message);
                self.incomplete = true;
                continue;
            }
            self.add([a, b], attributes.as_ref());
        }
    }

    /// Takes in the link from a slow host to its application, both new to the network.
    pub(crate) fn add_drain(
        &mut self,
        ends: [usize; 2],
        directions: &[DirectionSpec; 2],
        span: &Range<usize>,
    ) {
        let id = DirectionId::new(self.specs.len(), 0);
        self.drains.resize(ends[1], None);
        self.drains[ends[0]] = Some(id);
        self.between.entry((ends[0], ends[1])).or_default().push(id.link());
        let round_trip = RoundTrip::Loop;
        self.specs.push(LinkSpec { ends, directions: directions.clone(), round_trip });
        let scheduler = Given { span: span.clone(), ..Given::default() };
        let port = Port { scheduler, ..Port::default() };
        self.ports.push([port.clone(), port]);
        self.shared.push(Default::default());
        self.allow_overbooking.push(false);
        self.spans.push(span.clone());
    }

    /// The direction from a slow host to its application.
    pub(crate) fn drain(&self, node: usize) -> Option<DirectionId> {
        self.drains.get(node).copied().flatten()
    }

    /// Whether a direction leads to an application, or from it.
    pub(crate) fn is_drain(&self, id: DirectionId) -> bool {
        [self.sender(id), self.receiver(id)]
            .into_iter()
            .any(|node| self.drain(node).is_some_and(|drain| drain.link() == id.link()))
    }

    /// The direction from one node to another, by the `number`th of their links, from 1.
    pub(crate) fn direction(&self, from: usize, to: usize, number: usize) -> Option<DirectionId> {
        let links = self.between.get(&(from.min(to), from.max(to)))?;
        let link = *links.get(number.checked_sub(1)?)?;
        let side = usize::from(self.specs[link].ends[0] != from);
        Some(DirectionId::new(link, side))
    }

    /// The settings of a direction.
    pub(crate) fn spec(&self, id: DirectionId) -> &DirectionSpec {
        &self.specs[id.link()].directions[id.side()]
    }

    /// The cell time of a direction.
    pub(crate) fn cell_time(&self, id: DirectionId) -> Picos {
        cell_time_of(self.spec(id))
    }

    /// R of a link: what is set, or the true loop.
    pub(crate) fn round_trip(&self, link: usize) -> Picos {
        match self.specs[link].round_trip {
            RoundTrip::Fixed(span) => span,
            _ => self.true_loop(link),
        }
    }

    /// Both latencies of a link.
    pub(crate) fn true_loop(&self, link: usize) -> Picos {
        true_loop(&self.specs[link].directions)
    }

    /// The node that a direction leads to.
    pub(crate) fn receiver(&self, id: DirectionId) -> usize {
        self.specs[id.link()].ends[1 - id.side()]
    }

    /// The node that sends into a direction.
    pub(crate) fn sender(&self, id: DirectionId) -> usize {
        self.specs[id.link()].ends[id.side()]
    }

    /// The cell time that all directions share; `None`: they differ, or there are none.
    pub(crate) fn common_cell_time(&self) -> Option<Picos> {
        let mut times = self.specs.iter().flat_map(|link| link.directions.iter().map(cell_time_of));
        let first = times.next()?;
        times.all(|time| time == first).then_some(first)
    }

    /// The shortest cell time there is.
    pub(crate) fn shortest_cell_time(&self) -> Option<Picos> {
        self.specs.iter().flat_map(|link| link.directions.iter().map(cell_time_of)).min()
    }

    /// A direction named by two nodes, the second perhaps with `#2`; an error if there is none.
    pub(crate) fn find(
        &self,
        [from, to]: [&str; 2],
        span: &Range<usize>,
        nodes: &Nodes,
        sink: &mut Sink,
    ) -> Option<DirectionId> {
        let (to, number) = parallel(to, span, sink)?;
        let ends = (nodes.find(from, span, sink), nodes.find(to, span, sink));
        let (a, b) = (ends.0?, ends.1?);
        let direction = self.direction(a, b, number);
        if direction.is_none() && !self.incomplete {
            let which =
                if number == 1 { "no link".to_owned() } else { format!("no link #{number}") };
            let message = format!("{which} joins `{from}` and `{to}`");
            sink.error(Code::NO_SUCH_LINK, span, message);
        }
        direction
    }
}

/// Splits `X#2` into the name and the number of the parallel link.
pub(crate) fn parallel<'n>(
    text: &'n str,
    span: &Range<usize>,
    sink: &mut Sink,
) -> Option<(&'n str, usize)> {
    let Some((name, number)) = text.split_once('#') else {
        return Some((text, 1));
    };
    let parsed = number.parse().ok().filter(|&number: &usize| number >= 1);
    if parsed.is_none() {
        let message = format!("`{}` needs a number of 1 or more after `#`", short(text));
        sink.error(Code::NO_SUCH_LINK, span, message);
    }
    parsed.map(|number| (name, number))
}
