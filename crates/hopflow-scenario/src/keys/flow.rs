//! The keys of flows: routes and branches. Those of control are in `control.rs`, those of what
//! flows send in `traffic.rs`, those that schedulers go by in `service.rs`.

use hopflow_network::MulticastSpec;
use hopflow_units::{Cells, Picos};

use super::connection::{BACK_KEY, SEND_LIMIT};
use super::control::{CONTROL_KEY, HOP_KEY};
use super::service::OF_SERVICE;
use super::source::SOURCE_KEY;
use super::traffic::{ENVELOPE_KEY, PACKET_KEY, POLICING_KEY, RESERVATION_KEY};
use super::transport::FRAMING_KEY;
use super::{Key, MOST_CREDIT, NAMES, OF_COPIES, Tab, Ty, key};
use crate::described::{EVERY, Flag, Inner, Maybe, Number, Span, Whole, group, keys};
use crate::tab::joined;

pub(crate) const FLOW_KEY: Key =
    key("flow", Ty::Tables(&FLOW), "Virtual circuits. Their order numbers the VCs.");

pub(crate) const NAME: Key = key("name", Ty::Name, "Unique among flows.").required().identity();
pub(crate) const ROUTE: Key =
    key("route", NAMES, "Every node on the path. `X#2` means: to X over the second parallel link.")
        .identity();
pub(crate) const ROUTES: Key = key(
    "routes",
    Ty::List(&NAMES),
    "Multicast: one route per final host; together they form a tree.",
)
.identity();
pub(crate) const FROM: Key = key(
    "from",
    Ty::Name,
    "The source host, with `to`: by a shortest path (fewest links, then by `routing`).",
)
.identity();
pub(crate) const TO: Key =
    key("to", Ty::AnyOf(&[Ty::Name, NAMES]), "The final host, or several: multicast.").identity();

keys! { pub(crate) OF_FLOWS:
    of EVERY => {
        START: Span<true> = "start", "When the source begins; cells are those of the first link.",
            default(|_| Picos::ZERO, "0 us");
        EXACT_PHASE: Flag = "exact-phase",
            "The source begins at its start to the picosecond. Otherwise, where another source of \
             the scenario has the same gap between packets, it begins at a random time within one \
             such gap after its start.",
            default(|_| false, "false");
        STOP: Maybe<Span> = "stop", "The source creates no cell at or after this instant.",
            words("the end of the run");
        MISBEHAVES: Maybe<Number<1>> = "misbehaves",
            "The source sends at this multiple of its rate, obeys no message and keeps to no \
             envelope.",
            words("it does not");
        OBEYS: Flag = "obeys",
            "A message to slow down holds the source to its reserved rate for the next interval.",
            default(|_| false, "false");
    }
}

pub(crate) static FLOW: Tab = Tab {
    name: "flow",
    doc: "A virtual circuit from one host to one or more.",
    kinds: &[],
    keys: joined!(
        &[NAME],
        OF_COPIES,
        &[ROUTE, ROUTES, FROM, TO, SOURCE_KEY],
        OF_SERVICE,
        OF_FLOWS,
        &[
            PACKET_KEY,
            FRAMING_KEY,
            RESERVATION_KEY,
            CALLS_KEY,
            ENVELOPE_KEY,
            POLICING_KEY,
            CONTROL_KEY,
            HOP_KEY,
            SEND_LIMIT.key,
            BACK_KEY,
            MULTICAST_KEY,
        ],
    ),
};

pub(crate) const CALLS_KEY: Key = key(
    "calls",
    Ty::Table(&CALLS),
    "The copies of the flow are calls: each begins and ends at random and asks for its reservation \
     (`signalled`). Needs `count`, the most calls of a run.",
)
.default("the copies begin at `start`");

keys! { pub(crate) OF_CALLS:
    of EVERY => {
        EVERY_CALL: Span = "every",
            "The mean time from one call to the next: gaps are exponential, the first begins at \
             `start`.",
            required("\"1 s\"");
        HOLDING: Span = "holding",
            "The mean time from the beginning of a call to its end: exponential. `holding` / \
             `every` is the offered load in erlang.",
            required("\"10 s\"");
    }
}

static CALLS: Tab = Tab {
    name: "calls",
    doc: "When the copies of a flow begin and end: successive calls of one Poisson process.",
    kinds: &[],
    keys: OF_CALLS,
};

keys! { OF_BRANCHES:
    of EVERY => {
        RUN_AHEAD: Maybe<Whole<0, { MOST_CREDIT as u32 }>> = "run-ahead",
            "A branch may start a cell only while at most this number of older cells are held for \
             slower branches.",
            words("no limit");
        GIVE_UP_AFTER: Maybe<Span> = "give-up-after",
            "A branch that has waited this long loses cells instead of holding the flow; cells are \
             those of the first link.",
            words("never");
    }
}

pub(crate) const MULTICAST_KEY: Key =
    key("multicast", Ty::Table(&MULTICAST), "How branches hold each other back.");

static MULTICAST: Tab = Tab {
    name: "multicast",
    doc: "How the branches of a multicast flow hold each other back.",
    kinds: &[],
    keys: OF_BRANCHES,
};

group! {
    /// How branches hold each other.
    Branches, Picos: {
        MulticastSpec { run_ahead: run_ahead.map(Cells), give_up_after }
    } of { run_ahead: RUN_AHEAD, give_up_after: GIVE_UP_AFTER } -> MulticastSpec
}

/// The table of branches, if it is there.
pub(crate) const BRANCHES: Inner<Branches> = Inner { key: MULTICAST_KEY, reads: Branches };
