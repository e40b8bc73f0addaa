//! Copies of a flow: a table with `count` is read once for all copies that are alike.
//!
//! What a table means for a copy depends on the terms of its way ([`crate::way`]) and on which hops
//! have a table of their own, beside its names and links. So only the first copy of each kind is
//! read; the others are made from it. A copy of which anything is reported is the model of none:
//! each such copy is read, so that reports have its own names, values and number.

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, HopSpec, Shared, VcSpec};
use hopflow_units::Picos;

use super::circuit::{self, Circuit};
use super::connection::{self, Pair};
use crate::application::from_application;
use crate::control::Control;
use crate::diagnostic::Sink;
use crate::hops::{Hops, turned};
use crate::keys::control::HOP_KEY;
use crate::keys::dscp::DscpMap;
use crate::link::Links;
use crate::node::Nodes;
use crate::replay::Traces;
use crate::route::{Given, Router};
use crate::section::Section;
use crate::template::Copy;
use crate::transport;
use crate::way::{Kinds, Step, Way};

/// The most kinds of a table that are kept.
const MOST_KINDS: usize = 1 << 10;

/// What reading all flows goes along with.
pub(super) struct Reader<'m> {
    pub(super) router: Router<'m>,
    pub(super) kinds: Kinds,
    pub(super) traces: Traces<'m>,
    /// Which codepoint is which priority.
    pub(super) dscp: DscpMap,
}

/// What one copy of a table is.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Circuit(Circuit),
    Connection(Box<Pair>),
}

impl Made {
    /// The means of calls, if it is one.
    pub(super) fn means(&self) -> Option<[Picos; 2]> {
        match self {
            Made::Circuit((_, means)) => *means,
            Made::Connection(_) => None,
        }
    }
}

/// The steps of a way, and of each hop the table of its own.
type Kind = (Vec<Step>, Vec<Option<usize>>);

/// A copy that others are made from; without names.
#[derive(Debug)]
struct Model {
    made: Made,
    /// What the name of the VC back ends in.
    ending: String,
    /// What it takes from files that are replayed.
    cells: usize,
}

/// The copies of one table.
#[derive(Debug)]
pub(super) struct Copies<'t, 'a> {
    section: &'t Section<'a>,
    given: Given<'a>,
    is_connection: bool,
    has_hops: bool,
    models: BTreeMap<Kind, Model>,
}

impl<'t, 'a> Copies<'t, 'a> {
    pub(super) fn of(section: &'t Section<'a>) -> Copies<'t, 'a> {
        let is_connection = transport::is_connection(section);
        let has_hops = section.own(&HOP_KEY).is_some();
        let (given, models) = (Given::of(section), BTreeMap::new());
        Copies { section, given, is_connection, has_hops, models }
    }

    /// Makes a copy. `None`: it cannot be built, as has been reported.
    pub(super) fn make(
        &mut self,
        name: &str,
        copy: Copy,
        reader: &mut Reader<'_>,
        sink: &mut Sink,
    ) -> Option<Made> {
        let Reader { router, kinds, traces, dscp } = reader;
        let (nodes, links) = (router.nodes, router.links);
        let Some(hops) = router.hops(name, &self.given, copy, sink) else {
            return self.read(name, copy, None, (dscp, traces), sink);
        };
        let kind = copy.and_then(|_| self.kind(copy, &hops, kinds, nodes, links));
        if let Some(model) = kind.as_ref().and_then(|kind| self.models.get(kind))
            && traces.take_again(model.cells)
        {
            return Some(model.copied(name, hops, links));
        }
        let (noted, cells) = (sink.noted(), traces.cells());
        let way = Way::new(hops, nodes, links);
        let made = self.read(name, copy, Some(&way), (dscp, traces), sink)?;
        if let Some(kind) = kind.filter(|_| self.models.len() < MOST_KINDS)
            && sink.noted() == noted
        {
            self.models.insert(kind, Model::of(&made, name, traces.cells() - cells));
        }
        Some(made)
    }

    /// What makes a copy along these hops what it is. `None`: something is wrong with it.
    fn kind(
        &self,
        copy: Copy,
        hops: &Hops,
        kinds: &mut Kinds,
        nodes: &Nodes,
        links: &Links,
    ) -> Option<Kind> {
        // What connections have of applications, whether they use them or not.
        let whole = self.is_connection.then(|| from_application(hops.clone(), links));
        let hops = whole.as_ref().unwrap_or(hops);
        let mut own = Vec::new();
        if self.has_hops {
            let (mut unheard, way) = (Sink::new(), Way::new(hops.clone(), nodes, links));
            let control = Control::read(self.section, copy, &way, &mut unheard);
            own = control.filter(|_| unheard.noted() == 0)?.own_tables(hops);
        }
        Some((kinds.steps(hops, nodes, links), own))
    }

    /// Reads the table for a copy along `way`; `None`: it has none.
    fn read(
        &self,
        name: &str,
        copy: Copy,
        way: Option<&Way<'_>>,
        with: (&DscpMap, &mut Traces<'_>),
        sink: &mut Sink,
    ) -> Option<Made> {
        let section = self.section;
        if self.is_connection {
            connection::read(name, section, copy, way, with, sink)
                .map(|pair| Made::Connection(Box::new(pair)))
        } else {
            circuit::read(name, section, copy, way?, with, sink).map(Made::Circuit)
        }
    }
}

impl Model {
    fn of(made: &Made, name: &str, cells: usize) -> Model {
        let (mut made, mut ending) = (made.clone(), String::new());
        match &mut made {
            Made::Circuit((vc, _)) => vc.name.clear(),
            Made::Connection(pair) => {
                pair.there.name.clear();
                ending = std::mem::take(&mut pair.back.name).split_off(name.len());
            }
        }
        Model { made, ending, cells }
    }

    /// The same with this name, along these hops.
    fn copied(&self, name: &str, hops: Hops, links: &Links) -> Made {
        let made = |vc: &VcSpec, name: String, hops: &Hops| {
            let alike = hops.iter().zip(&vc.hops);
            let hop = |(&(id, parent), like): (&(DirectionId, _), &HopSpec)| {
                let (link, direction) = (id.link(), id.side());
                HopSpec { link, direction, parent, control: like.control }
            };
            let hops: Shared<Vec<HopSpec>> = alike.map(hop).collect();
            VcSpec { name, hops, ..vc.clone() }
        };
        match &self.made {
            Made::Circuit((vc, means)) => Made::Circuit((made(vc, name.to_owned(), &hops), *means)),
            Made::Connection(pair) => {
                let begins_there = hops.len() == pair.there.hops.len();
                let hops = if begins_there { hops } else { from_application(hops, links) };
                Made::Connection(Box::new(Pair {
                    there: made(&pair.there, name.to_owned(), &hops),
                    back: made(&pair.back, format!("{name}{}", self.ending), &turned(&hops)),
                    protocol: pair.protocol.clone(),
                    send_limits: pair.send_limits,
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Scenario;
    use crate::section::looked_up;

    /// How often keys are looked up while a file is read.
    fn look_ups(text: &str) -> u64 {
        let before = looked_up::times();
        Scenario::from_toml(text, "copies.toml").expect("nothing is wrong");
        looked_up::times() - before
    }

    /// Claim: keys of a table are looked up, and so their values parsed, once for each kind of way,
    /// not for each copy: 24 and 400 copies over a fat tree of k = 4, which has ways of 2, 4 and 6
    /// hops, take the same number of look-ups, of a VC and of a connection. Copies that are all of
    /// one kind take fewer.
    #[test]
    fn a_table_is_read_once_for_each_kind_of_way() {
        let flow = |count: u32, to: &str, keys: &str| {
            format!(
                "version = 2\nduration = \"1 us\"\n[[topology]]\nkind = \"fat-tree\"\nk = 4\n\
                 rate = \"1 Gb/s\"\ndelay = \"1 us\"\n[[flow]]\nname = \"f{{}}\"\n\
                 count = {count}\nfrom = \"H{{%16}}\"\nto = \"{to}\"\n{keys}\n"
            )
        };
        for keys in [
            "control = { kind = \"n23\", n2 = 10, n3 = \"auto\" }\n\
             source = { kind = \"poisson\", rate = \"1 Mb/s\" }\nstart = \"3 cells\"",
            "source = { kind = \"tcp\", variant = \"dctcp\", mtu = \"1500 B\", \
             transfer = \"3 kB\" }",
        ] {
            // To the next host: at the same switch, in the same pod, in another pod.
            let [few, many] = [24, 400].map(|count| look_ups(&flow(count, "H{+1%16}", keys)));
            assert_eq!(few, many, "{keys}");
            let one_kind = look_ups(&flow(9, "H{+8%16}", keys));
            assert!(one_kind < few, "{keys}: {one_kind} of one kind, {few} of three");
        }
    }
}
