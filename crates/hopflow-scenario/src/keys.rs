//! What may stand in a scenario file: one description of every table and key, from which the
//! reader knows what is allowed and the JSON Schema is made.

mod abr;
mod connection;
mod control;
mod expect;
mod flow;
mod lanes;
mod marking;
pub(crate) mod network;
mod rate;
pub(crate) mod rpc;
mod scheduler;
mod shared;
mod source;
pub(crate) mod tcp;
pub(crate) mod traffic;
pub(crate) mod transport;
mod variant;

pub(crate) use abr::{Abr, FirstLink};
pub(crate) use connection::BACK;
pub(crate) use control::{CONTROL, CONTROL_KINDS, HOP};
pub(crate) use expect::{EXPECT, EXPECT_VALUE};
pub(crate) use flow::{BRANCHES, FLOW};
pub(crate) use lanes::{LANE_KINDS, LANES, read as read_lanes};
pub(crate) use marking::{MARKING, read_marking, write_marking};
pub(crate) use network::{HOST, LINK, SWITCH, TOPOLOGY};
pub(crate) use rate::{RATE_CONTROL, VS_VD, VirtualSource, read as read_rate};
pub(crate) use scheduler::{
    PortFlows, SCHEDULER, check as check_scheduler, read as read_scheduler,
    write as write_scheduler,
};
pub(crate) use shared::{NONE, PAUSE, POOL};
pub(crate) use source::{
    FILE, MACHINE, PACKETS, SOURCE, SOURCE_KINDS, Sending, read as read_source,
};
pub(crate) use traffic::{MOST_SIZES, PACKET};
pub(crate) use variant::VARIANT;

use crate::tab::key;
pub(crate) use crate::tab::{Key, LAST_PRIORITY, Tab, Ty};

/// The most cells that a credit cell can count: half the range of its 28 bits, so that running
/// totals ahead differ from totals behind ([RFC1982]).
pub(crate) const MOST_CREDIT: u64 = (1 << 27) - 1;
const MOST: u64 = 1_000_000_000_000;
const SPAN: Ty = Ty::Span { zero: false };
const SPAN_OR_ZERO: Ty = Ty::Span { zero: true };
const COUNT: Key = key(
    "count",
    Ty::Count(1, MOST),
    "So many alike. In their names `{}` stands for 1, 2, ..., `{+1}` for one more, `{-1}` for \
         one less; `{%4}` goes round 1 to 4, `{/4}` goes on after each 4; steps compose: `{/4%2}`.",
)
.default("1, without `{}`")
.identity();
const CONTROLLED: Key = key(
    "controlled",
    Ty::Flag,
    "Whether variants change it: `hopflow compare` leaves it as it stands if not.",
)
.default("true")
.identity();
const NAMES: Ty = Ty::List(&Ty::Name);

/// The key of machines that are made outside of hopflow, which `machine.rs` finds.
const fn machine(doc: &'static str) -> Key {
    key("machine", Ty::Name, doc).of(&["external"]).required().such_as("\"NAME\"")
}

/// The version of the format.
pub(crate) const FORMAT_VERSION: u64 = 2;

/// The whole file.
pub(crate) static ROOT: Tab = Tab {
    name: "scenario",
    doc: "A network, its traffic, its faults, and what is recorded.",
    kinds: &[],
    keys: &[
        key(
            "version",
            Ty::Version,
            "The version of the format, 2. Version 1 is read as version 2, with a warning.",
        )
        .required(),
        key("title", Ty::Text, "What the scenario shows, in a line."),
        key("notes", Ty::Text, "More about it."),
        key("duration", SPAN, "The run covers [0, duration).").required(),
        key("warm-up", SPAN_OR_ZERO, "What totals leave out, from 0 on; less than `duration`.")
            .default("0 s"),
        key(
            "cell-time-of",
            Ty::Two(&Ty::Name),
            "The link direction whose cell time `duration`, `warm-up` and `record.window` are told \
             in.",
        )
        .default("the cell time that all links share"),
        key("seed", Ty::Count(0, i64::MAX as u64), "Root of every random stream.").default("1"),
        ROUTING,
        key(
            "route-seed",
            Ty::Count(0, i64::MAX as u64),
            "The seed of the choice among equal paths under `ecmp`; it holds the routes while \
             `seed` changes.",
        )
        .default("`seed`"),
        key(
            "defaults",
            Ty::Table(&DEFAULTS),
            "What links, flows and nodes have unless they say otherwise.",
        ),
        key("switch", Ty::Tables(&SWITCH), "Switches."),
        key("host", Ty::Tables(&HOST), "Hosts, the ends of flows."),
        key("link", Ty::Tables(&LINK), "Full-duplex links. Their order numbers the ports."),
        key("topology", Ty::Tables(&TOPOLOGY), "Common networks, made whole."),
        key("flow", Ty::Tables(&FLOW), "Virtual circuits. Their order numbers the VCs."),
        key("event", Ty::Tables(&EVENT), "Changes on the timeline."),
        key("variant", Ty::Tables(&VARIANT), "Controls that `hopflow compare` puts in place."),
        key("record", Ty::Table(&RECORD), "What is kept beside counts, maxima and averages."),
        key("expect", Ty::Table(&EXPECT), "An exercise: what a right answer is."),
    ],
};

pub(crate) const ROUTINGS: &[&str] = &["ecmp", "d-mod-k", "first"];
const ROUTING: Key = key(
    "routing",
    Ty::Choice(ROUTINGS),
    "Which of several shortest paths a flow with `from` and one `to` takes: by a hash at each \
     node, by the number of the destination in a fat tree, or the first.",
)
.default("ecmp");

static DEFAULTS: Tab = Tab {
    name: "defaults",
    doc: "What links, flows and nodes have unless they say otherwise.",
    kinds: &[],
    keys: &[
        key("link", Ty::Defaults(&LINK), "For every link, those of `[[topology]]` too."),
        key(
            "flow",
            Ty::Defaults(&FLOW),
            "For every flow. `source` and `control` are merged key by key, unless the flow \
                 names another kind.",
        ),
        key("switch", Ty::Defaults(&SWITCH), "For every switch, those of `[[topology]]` too."),
        key("host", Ty::Defaults(&HOST), "For every host, those of `[[topology]]` too."),
    ],
};

pub(crate) static EVENT: Tab = Tab {
    name: "event",
    doc: "A change of one link direction, before anything else at its instant.",
    kinds: &[],
    keys: &[
        key("at", SPAN_OR_ZERO, "When; cells are those of this direction.").required(),
        key("from", Ty::Name, "The sending node.").required(),
        key("to", Ty::Name, "The receiving node.").required(),
        key(
            "corrupt-data",
            Ty::Probability,
            "The chance from now on that a data cell is corrupted.",
        ),
        key(
            "corrupt-credits",
            Ty::Probability,
            "The chance from now on that a credit cell is corrupted.",
        ),
        key(
            "corrupt-next-credits",
            Ty::Count(1, u32::MAX as u64),
            "Corrupt the next so many credit cells that start here.",
        ),
        key("flow", Ty::Name, "Only credits of this flow, with `corrupt-next-credits`."),
        key("blocked", Ty::Flag, "While true, no data cell starts here."),
    ],
};

const DIRECTIONS: Ty = Ty::AnyOf(&[Ty::Flag, NAMES]);

pub(crate) static RECORD: Tab = Tab {
    name: "record",
    doc: "What is kept beside counts, maxima and averages, which always are. `true` means all.",
    kinds: &[],
    keys: &[
        key("window", SPAN, "The window over which throughput is averaged.")
            .default("25 cells of each link, as in [KMCL94] 5"),
        key("throughput", DIRECTIONS, "Link directions, `\"S->B\"`."),
        key("queues", DIRECTIONS, "Nodes."),
        key("lengths", DIRECTIONS, "Link directions whose queue's lengths are counted."),
        key("credits", DIRECTIONS, "Link directions whose senders' credit counts are kept."),
        key(
            "rates",
            DIRECTIONS,
            "Flows under `abr` whose rates are kept: ACR, and ER at each port that lowers it.",
        ),
        key("delays", DIRECTIONS, "Flows of which the delay of every cell is kept."),
        key(
            "trace",
            Ty::AnyOf(&[Ty::Flag, NAMES, Ty::Table(&TRACE)]),
            "Flows and links of which every row is kept; or a table that says which rows.",
        ),
    ],
};

pub(crate) static TRACE: Tab = Tab {
    name: "record.trace",
    doc: "The rows of the trace that are kept: those that meet all of these.",
    kinds: &[],
    keys: &[
        key("flows", NAMES, "Flows.").default("all, and what belongs to none"),
        key("links", NAMES, "Link directions, `\"S->B\"`, or links, `\"S<->B\"`: both directions.")
            .default("all"),
        key(
            "kinds",
            Ty::List(&Ty::Choice(&hopflow_network::CellKind::WORDS)),
            "Kinds of what is on a link, such as `data`, `ack`, `credit`.",
        )
        .default("all"),
        key("from", SPAN_OR_ZERO, "From this instant on.").default("0 s"),
        key("to", SPAN, "Before this instant.").default("the end of the run"),
    ],
};
