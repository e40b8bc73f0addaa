//! Flows: each is read into a virtual circuit, a connection into two.

mod abr;
mod circuit;
mod connection;
mod copies;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hopflow_network::{ConnectionSpec, HopSpec, SourceSpec, VcSpec};
use toml::de::DeTable;

use crate::Code;
use crate::calls::Calls;
use crate::described::{Described, Flag};
use crate::diagnostic::Sink;
use crate::keys::Key;
use crate::keys::control::{ALLOW_SMALL_N3, ALLOW_SMALL_WINDOW, CONTROL_KEY, HOP_KEY, TARGET};
use crate::keys::dscp::DscpMap;
use crate::keys::flow::{CALLS_KEY, FLOW_KEY, NAME, START};
use crate::keys::service::{DSCP, PRIORITY, WEIGHT};
use crate::keys::source::SOURCE_KEY;
use crate::keys::tcp::{self, VARIANT};
use crate::keys::traffic::RESERVATION_KEY;
use crate::place::{Origins, Places};
use crate::replay::{ReadFile, Traces};
use crate::route::Router;
use crate::section::Section;
use crate::source;
use crate::template::{self, Copy};
use crate::traffic;
use crate::value::Item;
use crate::way::Kinds;
use connection::Pair;
use copies::{Copies, Made, Reader};

/// The most flows.
const MOST_FLOWS: u64 = 4_000_000;
/// The most hops of all flows together.
const MOST_HOPS: usize = 16_000_000;

/// Keys whose places are kept, for what only the whole network shows to be wrong with them.
const PLACED: &[Key] = &[
    CALLS_KEY,
    CONTROL_KEY,
    DSCP.key,
    PRIORITY.key,
    RESERVATION_KEY,
    SOURCE_KEY,
    START.key,
    WEIGHT.key,
];

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
    router: Router<'_>,
    read: ReadFile<'_>,
    sink: &mut Sink,
) -> Flows {
    let mut flows = Flows::default();
    let (kinds, traces, dscp) = (Kinds::default(), Traces::new(read), DscpMap::read(root, sink));
    let mut reader = Reader { router, kinds, traces, dscp };
    for section in root.tables(&FLOW_KEY, sink) {
        let section = section.with_defaults(defaults).with_changes(changes);
        if flows.add_table(&section, &mut reader, sink).is_break() {
            break;
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
    /// Takes in the flows of one table; whether there are mistakes enough.
    fn add_table(
        &mut self,
        section: &Section<'_>,
        reader: &mut Reader<'_>,
        sink: &mut Sink,
    ) -> ControlFlow<()> {
        let Some((copies, item, text)) = self.named(section, sink) else {
            return ControlFlow::Continue(());
        };
        let places = Places::of(section, &item.span, PLACED);
        let table = self.origins.table(meant(section, places));
        let first = self.vcs.len();
        let keeps_to_start = source::keeps_to_start(section);
        let mut alike = Copies::of(section);
        let mut means = None;
        for copy in copies {
            if sink.is_enough() {
                return ControlFlow::Break(());
            }
            let Some(name) = template::name(text, &item.span, copy, sink) else {
                continue;
            };
            if self.hops > MOST_HOPS {
                let message = format!("more than {MOST_HOPS} hops of all flows together");
                sink.error(Code::TOO_MUCH, &section.span, message);
                return ControlFlow::Break(());
            }
            let before = self.vcs.len();
            let made = alike.make(&name, copy, reader, sink);
            means = made.as_ref().and_then(Made::means);
            match made {
                None => self.add(name, None, table, sink),
                Some(Made::Connection(pair)) => self.add_connection(name, *pair, table, sink),
                Some(Made::Circuit((vc, _))) => self.add_circuit(name, vc, table, copy, sink),
            }
            if reader.router.is_one_of_several {
                self.equal.extend(before..self.vcs.len());
            }
            if keeps_to_start || means.is_some() {
                self.exact.extend(before..self.vcs.len());
            }
        }
        if let Some([every, holding]) = means {
            self.calls.push(Calls { vcs: first..self.vcs.len(), every, holding });
        }
        ControlFlow::Continue(())
    }

    /// The copies of a table, and what they are named by. `None`: reported why not.
    fn named<'a>(
        &self,
        section: &Section<'a>,
        sink: &mut Sink,
    ) -> Option<(Vec<Copy>, Item<'a>, &'a str)> {
        let room = MOST_FLOWS.saturating_sub(self.vcs.len() as u64);
        let copies = template::copies(section, room, sink)?;
        let item = section.need(&NAME, sink)?;
        let text = item.text(sink)?;
        template::differ(text, &item.span, copies.len(), "flows", sink)?;
        Some((copies, item, text))
    }

    /// Takes in a VC, and the one that carries what its policer leaves over.
    fn add_circuit(&mut self, name: String, vc: VcSpec, table: u32, copy: Copy, sink: &mut Sink) {
        let excess = traffic::excess_of(&vc);
        self.add(name, Some(vc), table, sink);
        let Some(excess) = excess else { return };
        let span = self.origins.place(table).clone();
        if let Some(name) = template::name(&excess.name, &span, copy, sink) {
            self.add(name, Some(excess), table, sink);
        }
    }

    /// Takes in the two VCs of a connection, and what it does.
    fn add_connection(&mut self, name: String, pair: Pair, table: u32, sink: &mut Sink) {
        let Pair { there, back, protocol, send_limits } = pair;
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
