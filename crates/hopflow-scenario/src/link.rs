//! Links: rates, delays, faults, R; and finding one between two nodes.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{DirectionId, DirectionSpec, LinkSpec, RoundTrip, Wire};
use hopflow_units::{Bytes, Picos, Probability, Rate};

use crate::Code;
use crate::cell_time::{cell_time_of, true_loop};
use crate::diagnostic::Sink;
use crate::marking;
use crate::naming::short;
use crate::node::Nodes;
use crate::rate;
use crate::scheduler::{self, Chosen};
use crate::section::Section;
use crate::shared::{self, Shared};
use crate::template;
use crate::value::{Item, LONGEST};

/// The most links.
pub(crate) const MOST_LINKS: u64 = 400_000;
/// The most cells that may be on their way in one direction: what a delay may amount to.
pub(crate) const MOST_IN_FLIGHT: u64 = 10_000_000;

/// What is alike on all links of one table.
#[derive(Clone, Debug)]
pub(crate) struct Attributes {
    directions: [DirectionSpec; 2],
    round_trip: RoundTrip,
    /// The link's own schedulers.
    schedulers: [Option<Chosen>; 2],
    shared: [Shared; 2],
    /// Rate control of the ports at its ends.
    rates: [Option<rate::Told>; 2],
    /// What the ports at its ends mark.
    marking: Option<marking::Told>,
    allow_overbooking: bool,
    /// Where the delay is told, or the table.
    span: Range<usize>,
}

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
    /// The scheduler of each node's ports.
    of_nodes: Vec<Chosen>,
    /// The rate control of each node's ports.
    rates_of_nodes: Vec<rate::Told>,
    /// What each node's ports mark.
    marks_of_nodes: Vec<marking::Told>,
    /// Whether a node is a switch: ports of hosts have no rate control, and mark nothing.
    is_switch: Vec<bool>,
    /// Rate control of the port of each direction as told.
    pub(crate) rates: Vec<[rate::Told; 2]>,
    /// What the port of each direction marks, as told.
    pub(crate) marks: Vec<[marking::Told; 2]>,
    /// Where the scheduler of each direction was named.
    pub(crate) scheduler_spans: Vec<[Range<usize>; 2]>,
    /// Control that the flows of each direction share, as told.
    pub(crate) shared: Vec<[Shared; 2]>,
    /// Whether reservations may add up to more than the link carries.
    pub(crate) allow_overbooking: Vec<bool>,
    /// Where the delay of each was told, or its table.
    pub(crate) spans: Vec<Range<usize>>,
}

impl Attributes {
    /// Reads a link's keys; those of a trunk when `trunk`. `None` when a value is wrong.
    pub(crate) fn read(section: &Section<'_>, trunk: bool, sink: &mut Sink) -> Option<Attributes> {
        let special = |key| if trunk { section.get(key) } else { None };
        let rates = special("trunk-rate").or_else(|| section.need("rate", sink))?;
        let [there, back] = rates.both_ways(sink)?;
        let rates = [there.rate(sink)?, back.rate(sink)?];
        let overhead = two_overheads(section.get("overhead"), sink)?;
        let wires = [0, 1].map(|side| Wire { rate: rates[side], overhead: overhead[side] });
        let times = wires.map(|wire| wire.transmit_time(Bytes::CELL));
        let delay = special("trunk-delay").or_else(|| section.get("delay"));
        let span = delay.as_ref().map_or(&section.span, |delay| &delay.span).clone();
        let delays = two_spans(delay, times, true, sink)?;
        let processing = two_spans(section.get("processing"), times, false, sink)?;
        let corrupt_data = two_chances(section.get("corrupt-data"), sink)?;
        let corrupt_credits = two_chances(section.get("corrupt-credits"), sink)?;
        let mut directions = [0, 1].map(|side| DirectionSpec {
            overhead: overhead[side],
            processing: processing[side],
            corrupt_data: corrupt_data[side],
            corrupt_credits: corrupt_credits[side],
            ..DirectionSpec::new(rates[side], delays[side])
        });
        if true_loop(&directions) > LONGEST {
            let message = "the loop of a link, both delays and processings and a cell each way, is \
                           longer than 100 days";
            let hint = "lower `delay` or `processing`";
            sink.error(Code::TOO_MUCH, &span, message).hint(hint);
            return None;
        }
        let shared = shared::read(section, &directions, sink);
        let round_trip = round_trip(section, &directions, sink)?;
        let shared = shared?;
        for (direction, shared) in directions.iter_mut().zip(&shared) {
            direction.lanes = shared.lanes;
        }
        let schedulers = scheduler::of_link(section, sink);
        let rates = rate::of_link(section, sink);
        let marking = marking::read(section, sink);
        let allow_overbooking = section.flag("allow-overbooking", sink);
        Some(Attributes {
            directions,
            round_trip,
            schedulers,
            shared,
            rates,
            marking,
            allow_overbooking,
            span,
        })
    }
}

/// The most that a packet may take beside its own bytes.
const MOST_OVERHEAD: Bytes = Bytes(1_000);

fn two_overheads(item: Option<Item<'_>>, sink: &mut Sink) -> Option<[Bytes; 2]> {
    let Some(item) = item else { return Some([Bytes(0); 2]) };
    let [there, back] = item.both_ways(sink)?;
    let read = |way: Item<'_>, sink: &mut Sink| way.bytes(Bytes(0), MOST_OVERHEAD, sink);
    Some([read(there, sink)?, read(back, sink)?])
}

fn two_spans(
    item: Option<Item<'_>>,
    times: [Picos; 2],
    delay: bool,
    sink: &mut Sink,
) -> Option<[Picos; 2]> {
    let Some(item) = item else {
        return Some([Picos::ZERO; 2]);
    };
    let ways = item.both_ways(sink)?;
    let mut spans = [Picos::ZERO; 2];
    for side in [0, 1] {
        let way = &ways[side];
        spans[side] =
            if delay { way.delay(times[side], sink)? } else { way.span(times[side], true, sink)? };
        let cells = spans[side].0 / times[side].0.max(1);
        if cells > MOST_IN_FLIGHT {
            let message = format!(
                "`{}` is {}, long enough for {cells} cells to be on their way; {MOST_IN_FLIGHT} is \
                 the most",
                way.key, spans[side]
            );
            sink.error(Code::TOO_MUCH, &way.span, message);
            return None;
        }
    }
    Some(spans)
}

fn two_chances(item: Option<Item<'_>>, sink: &mut Sink) -> Option<[Probability; 2]> {
    let Some(item) = item else {
        return Some([Probability::ZERO; 2]);
    };
    let [there, back] = item.both_ways(sink)?;
    Some([there.probability(sink)?, back.probability(sink)?])
}

/// R, held against the true loop.
fn round_trip(
    section: &Section<'_>,
    directions: &[DirectionSpec; 2],
    sink: &mut Sink,
) -> Option<RoundTrip> {
    let allowed = section.flag("allow-short-round-trip", sink);
    let Some(item) = section.get("round-trip") else {
        return Some(RoundTrip::Loop);
    };
    match item.text(sink)? {
        "loop" => return Some(RoundTrip::Loop),
        "measured" => return Some(RoundTrip::Measured),
        text if text.ends_with("cells") && directions[0].rate != directions[1].rate => {
            let message = "`round-trip` is in cells, but the two directions differ in rate";
            sink.error(Code::WHOSE_CELLS, &item.span, message).hint("give it as a time");
            return None;
        }
        _ => {}
    }
    let span = item.span(cell_time_of(&directions[0]), false, sink)?;
    let true_loop = true_loop(directions);
    if span < true_loop && !allowed {
        let message = format!(
            "R is {span}, shorter than the true loop of {true_loop}: N23 would count too few cells \
             as in flight, and buffers could overflow"
        );
        let hint = format!(
            "leave `round-trip` out, raise it to {true_loop}, or set `allow-short-round-trip = \
                 true`"
        );
        sink.error(Code::SHORT_ROUND_TRIP, &item.span, message).hint(hint);
        return None;
    }
    Some(RoundTrip::Fixed(span))
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
        let (of_nodes, rates_of_nodes) = (nodes.schedulers.clone(), nodes.rates.clone());
        let is_switch = (0..nodes.specs.len()).map(|node| !nodes.is_host(node)).collect();
        let marks_of_nodes = nodes.marks.clone();
        Links { leaving, of_nodes, rates_of_nodes, marks_of_nodes, is_switch, ..Links::default() }
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
        let schedulers = [0, 1].map(|side| {
            let own = attributes.and_then(|attributes| attributes.schedulers[side].as_ref());
            let of_node = &self.of_nodes[ends[side]];
            let first = |own: &&Chosen| own.is_change || !of_node.is_change;
            own.filter(first).unwrap_or(of_node)
        });
        for (direction, scheduler) in directions.iter_mut().zip(schedulers) {
            direction.scheduler = scheduler.spec.clone();
        }
        let rates = [0, 1].map(|side| {
            let own = attributes.and_then(|attributes| attributes.rates[side].as_ref());
            let of_node = &self.rates_of_nodes[ends[side]];
            let first = |own: &&rate::Told| own.is_change || !of_node.is_change;
            own.filter(first).unwrap_or(of_node).clone()
        });
        for side in [0, 1] {
            let spec = rates[side].spec.filter(|_| self.is_switch[ends[side]]);
            directions[side].rate_control = spec;
        }
        self.rates.push(rates);
        let marks = ends.map(|end| {
            let own = attributes.and_then(|attributes| attributes.marking.as_ref());
            marking::first(own, &self.marks_of_nodes[end])
        });
        for side in [0, 1] {
            directions[side].marking = marks[side].spec.filter(|_| self.is_switch[ends[side]]);
        }
        self.marks.push(marks);
        self.scheduler_spans.push(schedulers.map(|scheduler| scheduler.span.clone()));
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
        let pair = section.need("between", sink).and_then(|item| item.two(sink));
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
        self.rates.push(Default::default());
        self.marks.push(Default::default());
        self.scheduler_spans.push([span.clone(), span.clone()]);
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
        let message = format!("`{}` has no number from 1 behind `#`", short(text));
        sink.error(Code::NO_SUCH_LINK, span, message);
    }
    parsed.map(|number| (name, number))
}
