//! Routes: from names, or shortest paths, to the hops of a VC.

mod equal;
mod first;

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::DirectionId;

use crate::Code;
use crate::application;
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::keys::flow::{FROM, ROUTE, ROUTES, TO};
use crate::link::{Links, parallel};
use crate::node::{Nodes, there_are};
use crate::paths::EqualPaths;
use crate::routing::Rule;
use crate::section::Section;
use crate::template::{self, Copy};
use crate::value::Item;
use equal::Asked;
use first::Search;

/// Finds routes; counts the work, which is limited. What a search has found serves all flows that
/// begin at the same switch.
#[derive(Debug)]
pub(crate) struct Router<'m> {
    pub(crate) nodes: &'m Nodes,
    pub(crate) links: &'m Links,
    routing: Rule,
    /// By the node where they begin.
    searches: BTreeMap<usize, Search>,
    steps: u64,
    paths: EqualPaths,
    /// Whether the route of the flow at hand is one of several equal ones.
    pub(crate) is_one_of_several: bool,
}

/// How a flow says where it leads.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    /// `route`, `routes`, `from` and `to`.
    keys: [Option<Item<'a>>; 4],
    /// The table.
    span: Range<usize>,
}

impl<'a> Given<'a> {
    pub(crate) fn of(flow: &Section<'a>) -> Given<'a> {
        let keys = [ROUTE, ROUTES, FROM, TO].map(|key| flow.own(&key));
        Given { keys, span: flow.span.clone() }
    }
}

/// A node of a route: its name's place, the node, and by which parallel link it is reached.
type Stop = (Range<usize>, usize, usize);

impl<'m> Router<'m> {
    pub(crate) fn new(nodes: &'m Nodes, links: &'m Links, routing: Rule) -> Router<'m> {
        let is_host = (0..nodes.specs.len()).map(|node| nodes.is_host(node)).collect();
        let paths = EqualPaths::new(&links.leaving, is_host);
        let (searches, is_one_of_several) = (BTreeMap::new(), false);
        Router { nodes, links, routing, searches, steps: 0, paths, is_one_of_several }
    }

    /// The hops of one copy of a flow, whose name is `name`, to the applications of slow hosts.
    pub(crate) fn hops(
        &mut self,
        name: &str,
        given: &Given<'_>,
        copy: Copy,
        sink: &mut Sink,
    ) -> Option<Hops> {
        let hops = self.between_hosts(name, given, copy, sink)?;
        Some(application::to_applications(hops, self.links))
    }

    fn between_hosts(
        &mut self,
        name: &str,
        given: &Given<'_>,
        copy: Copy,
        sink: &mut Sink,
    ) -> Option<Hops> {
        self.is_one_of_several = false;
        match &given.keys {
            [Some(route), None, None, None] => {
                let stops = self.stops(route, copy, sink)?;
                self.tree(&[(route.span.clone(), stops)], sink)
            }
            [None, Some(routes), None, None] => {
                let mut all = Vec::new();
                for route in routes.list(sink)? {
                    all.push((route.span.clone(), self.stops(&route, copy, sink)?));
                }
                self.tree(&all, sink)
            }
            [None, None, Some(from), Some(to)] => self.shortest(name, [from, to], copy, sink),
            [None, None, None, None] => {
                let message = "this flow has neither `route` nor `from` and `to`";
                sink.error(Code::MISSING_KEY, &given.span, message).hint(
                    "write `route = [\"A\", \"S\", \"B\"]`, or `from = \"A\"` and `to = \"B\"`",
                );
                None
            }
            [None, None, from, _] => {
                let key = if from.is_none() { FROM } else { TO };
                let message = format!("`{}` is missing in this flow", key.name);
                sink.error(Code::MISSING_KEY, &given.span, message);
                None
            }
            _ => {
                let message = "`route`, `routes` and `from`/`to` exclude each other";
                sink.error(Code::CONFLICT, &given.span, message).hint("keep one of them");
                None
            }
        }
    }

    fn stops(&self, route: &Item<'_>, copy: Copy, sink: &mut Sink) -> Option<Vec<Stop>> {
        let names = route.names(sink)?;
        let mut stops = Vec::with_capacity(names.len());
        for (text, span) in names {
            let filled = template::fill(text, &span, copy, sink)?;
            let (name, number) = parallel(&filled, &span, sink)?;
            let node = self.nodes.find(name, &span, sink);
            let node = node.filter(|node| self.no_application(*node, &span, sink).is_some());
            stops.push(node.map(|node| (span, node, number)));
        }
        let stops: Vec<Stop> = stops.into_iter().collect::<Option<_>>()?;
        if stops.len() < 2 {
            let message = "a route has at least two nodes, its source and its final host";
            sink.error(Code::NOT_A_PATH, &route.span, message);
            return None;
        }
        self.ends_are_hosts(&stops, sink)?;
        Some(stops)
    }

    /// The application of a slow host is no end of a flow: the host is.
    fn no_application(&self, node: usize, span: &Range<usize>, sink: &mut Sink) -> Option<()> {
        // Routes were laid out before applications were added.
        if node < self.links.leaving.len() {
            return Some(());
        }
        let name = self.nodes.name(node);
        let host = name.strip_suffix(" application").unwrap_or(name);
        let message = format!(
            "`{name}` is the application of a slow host: a flow cannot start \
                               or end there"
        );
        sink.error(Code::NOT_A_PATH, span, message).hint(format!("write `{host}`"));
        None
    }

    /// Checks a route's ends and what lies between.
    fn ends_are_hosts(&self, stops: &[Stop], sink: &mut Sink) -> Option<()> {
        let last = stops.len() - 1;
        if stops[0].1 == stops[last].1 {
            return self.to_itself(stops[0].1, &stops[last].0, sink);
        }
        let mut fine = true;
        for (index, (span, node, _)) in stops.iter().enumerate() {
            let end = index == 0 || index == last;
            let name = self.nodes.name(*node);
            if end && !self.nodes.is_host(*node) {
                self.switch_at_the_end(name, span, sink);
                fine = false;
            } else if !end && self.nodes.is_host(*node) {
                let message = format!("`{name}` is a host, but only switches forward");
                let hint =
                    "route the flow through switches: end it at this host, or take the host out";
                sink.error(Code::HOST_IN_THE_MIDDLE, span, message).hint(hint);
                fine = false;
            }
        }
        fine.then_some(())
    }

    fn switch_at_the_end(&self, name: &str, span: &Range<usize>, sink: &mut Sink) {
        let message = format!("`{name}` is a switch, but a flow starts and ends at hosts");
        let hint = format!("name a host; {}", self.hosts_but(None));
        sink.error(Code::SWITCH_AT_THE_END, span, message).hint(hint);
    }

    /// The first hosts, without one of them, for hints.
    fn hosts_but(&self, other: Option<usize>) -> String {
        let hosts = (0..self.links.leaving.len())
            .filter(|node| self.nodes.is_host(*node) && Some(*node) != other);
        let hosts: Vec<&str> = hosts.map(|node| self.nodes.name(node)).collect();
        if hosts.is_empty() {
            "there is none: add a `[[host]]`".into()
        } else {
            there_are(hosts.into_iter())
        }
    }

    fn to_itself(&self, node: usize, span: &Range<usize>, sink: &mut Sink) -> Option<()> {
        let message = format!("the flow starts and ends at `{}`", self.nodes.name(node));
        let hint = format!("name another host; {}", self.hosts_but(Some(node)));
        sink.error(Code::FLOW_TO_ITSELF, span, message).hint(hint);
        None
    }

    /// Merges routes into one tree.
    fn tree(&self, routes: &[(Range<usize>, Vec<Stop>)], sink: &mut Sink) -> Option<Hops> {
        let source = routes.first()?.1.first()?.1;
        let mut hops = Hops::new();
        // By node: the hop that leads to it.
        let mut reached: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, stops) in routes {
            if stops[0].1 != source {
                let message = format!(
                    "all routes of a flow must start at one host, here `{}`",
                    self.nodes.name(source)
                );
                let hint = "let all routes start at this host, or write two flows";
                sink.error(Code::NOT_A_TREE, &stops[0].0, message).hint(hint);
                return None;
            }
            let mut parent = None;
            let mut visited = vec![source];
            for pair in stops.windows(2) {
                let ((_, from, _), (span, to, number)) = (&pair[0], &pair[1]);
                let direction = self.step(*from, *to, *number, span, sink)?;
                if visited.contains(to) {
                    let message = format!("the route visits `{}` twice", self.nodes.name(*to));
                    let hint = "leave one of the two visits out";
                    sink.error(Code::LOOP, span, message).hint(hint);
                    return None;
                }
                visited.push(*to);
                parent = match reached.get(to) {
                    Some(&hop) if hops[hop] == (direction, parent) => Some(hop),
                    Some(_) => return self.not_a_tree(*to, span, sink),
                    None if parent.is_none() && !hops.is_empty() => {
                        return self.two_first_links(source, [hops[0].0, direction], span, sink);
                    }
                    None => {
                        hops.push((direction, parent));
                        reached.insert(*to, hops.len() - 1);
                        Some(hops.len() - 1)
                    }
                };
            }
        }
        Some(hops)
    }

    /// A host puts a multicast cell on one link; switches copy it.
    fn two_first_links(
        &self,
        source: usize,
        directions: [DirectionId; 2],
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<Hops> {
        let to = |id: DirectionId| self.links.specs[id.link()].ends[1 - id.side()];
        let [one, other] = directions.map(|id| self.nodes.name(to(id)));
        let source = self.nodes.name(source);
        let message = format!(
            "the routes leave `{source}` by two links, to `{one}` and to `{other}`; a host sends a \
             multicast flow on one"
        );
        let hint = "send two flows, or let the routes part at a switch";
        sink.error(Code::NOT_A_TREE, span, message).hint(hint);
        None
    }

    fn not_a_tree(&self, node: usize, span: &Range<usize>, sink: &mut Sink) -> Option<Hops> {
        let message = format!("two routes reach `{}` by different links", self.nodes.name(node));
        sink.error(Code::NOT_A_TREE, span, message)
            .hint("let the routes share every link up to where they part for good");
        None
    }

    fn step(
        &self,
        from: usize,
        to: usize,
        number: usize,
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<DirectionId> {
        let direction = self.links.direction(from, to, number);
        if direction.is_none() && !self.links.incomplete {
            let (from, to) = (self.nodes.name(from), self.nodes.name(to));
            let which =
                if number == 1 { "no link".to_owned() } else { format!("no link #{number}") };
            let message = format!("{which} leads from `{from}` to `{to}`");
            let hint = "add a `[[link]]` between them, or correct the route";
            sink.error(Code::NOT_A_PATH, span, message).hint(hint);
        }
        direction
    }

    /// A shortest path to one final host, or the union of the first ones to several.
    fn shortest(
        &mut self,
        flow: &str,
        [from, to]: [&Item<'_>; 2],
        copy: Copy,
        sink: &mut Sink,
    ) -> Option<Hops> {
        let source = self.end(from.text(sink)?, &from.span, copy, sink);
        let names = match to.value.as_str() {
            Some(name) => vec![(name, to.span.clone())],
            None => to.names(sink)?,
        };
        let ends: Vec<Option<(usize, Range<usize>)>> = names
            .into_iter()
            .map(|(name, span)| Some((self.end(name, &span, copy, sink)?, span)))
            .collect();
        let (source, ends) = (source?, ends.into_iter().collect::<Option<Vec<_>>>()?);
        if ends.is_empty() {
            sink.error(Code::NOT_A_PATH, &to.span, "`to` is an empty list");
            return None;
        }
        if let [(end, span)] = &ends[..] {
            let (end, span) = (*end, span.clone());
            return self.unicast(Asked { flow, source, end, span }, sink);
        }
        self.first(source, ends, sink)
    }

    /// A source or final host by name.
    fn end(&self, text: &str, span: &Range<usize>, copy: Copy, sink: &mut Sink) -> Option<usize> {
        let name = template::fill(text, span, copy, sink)?;
        let node = self.nodes.find(&name, span, sink)?;
        self.no_application(node, span, sink)?;
        if !self.nodes.is_host(node) {
            self.switch_at_the_end(&name, span, sink);
            return None;
        }
        Some(node)
    }
}
