//! The keys of flows: routes and branches. Those of control are in `control.rs`, those of what
//! flows send in `traffic.rs`.

use hopflow_network::MulticastSpec;
use hopflow_units::{Cells, Picos};

use super::connection::{BACK_KEY, SEND_LIMIT};
use super::control::{CONTROL, HOP};
use super::source::SOURCE;
use super::traffic::{ENVELOPE, PACKET, POLICING, RESERVATION};
use super::transport::FRAMING_KEY;
use super::{
    CONTROLLED, COUNT, LAST_PRIORITY, MOST_CREDIT, NAMES, SPAN, SPAN_OR_ZERO, Tab, Ty, key,
};
use crate::described::{EVERY, Inner, Maybe, Span, Whole, group, keys};

pub(crate) static FLOW: Tab = Tab {
    name: "flow",
    doc: "A virtual circuit from one host to one or more.",
    kinds: &[],
    keys: &[
        key("name", Ty::Name, "Unique among flows.").required().identity(),
        COUNT,
        CONTROLLED,
        key(
            "route",
            NAMES,
            "Every node on the way. `X#2` means: to X by the second parallel \
             link.",
        )
        .identity(),
        key(
            "routes",
            Ty::List(&NAMES),
            "Multicast: one route per final host; together they \
             form a tree.",
        )
        .identity(),
        key(
            "from",
            Ty::Name,
            "The source host, with `to`: by a shortest path (fewest links, \
             then by `routing`).",
        )
        .identity(),
        key("to", Ty::AnyOf(&[Ty::Name, NAMES]), "The final host, or several: multicast.")
            .identity(),
        key(
            "priority",
            Ty::Count(0, LAST_PRIORITY as u64),
            "0 to 7: 0 is served first, where the port's scheduler knows priorities.",
        )
        .default("0"),
        key(
            "packet",
            Ty::AnyOf(&[Ty::Bytes, Ty::Table(&PACKET)]),
            "What a packet is on the wire, headers included: always so many bytes, or a law.",
        )
        .default("53 B, a cell"),
        FRAMING_KEY,
        key(
            "reservation",
            Ty::Table(&RESERVATION),
            "What the flow has reserved on every link of its path.",
        )
        .default("nothing"),
        key(
            "weight",
            Ty::Count(1, 1_000_000_000),
            "Its share at ports whose scheduler has weights and whose flows have no reservations.",
        )
        .default("1"),
        key("start", SPAN_OR_ZERO, "When the source begins; cells are those of the first link.")
            .default("0 us"),
        key(
            "exact-phase",
            Ty::Flag,
            "The source begins at its start to the picosecond. Else, where another source of the \
             scenario has the same gap between packets, it begins at random within one such gap \
             after it.",
        )
        .default("false"),
        key("stop", SPAN, "No cell is born at or after this instant.")
            .default("the end of the run"),
        key("source", Ty::Table(&SOURCE), "Where cells come from.").default(
            "greedy, as in most \
             runs of [KMCL94]",
        ),
        key(
            "misbehaves",
            Ty::Number(1.0),
            "The source runs so many times its law's rate, heeds no message and keeps no envelope.",
        )
        .default("it does not"),
        key(
            "envelope",
            Ty::AnyOf(&[Ty::Flag, Ty::Table(&ENVELOPE)]),
            "The source keeps the user-behavior envelope of [Zhang90] Appendix A: `true` as its \
             reservation has it, or a table.",
        )
        .default("false"),
        key(
            "obeys",
            Ty::Flag,
            "A message to slow down holds the source to its reserved rate for the next interval.",
        )
        .default("false"),
        key("policing", Ty::Table(&POLICING), "What the edge makes of packets that come too fast.")
            .default("none"),
        key("control", Ty::Table(&CONTROL), "Flow control on every hop, or end to end.")
            .default("none"),
        key("hop", Ty::Tables(&HOP), "Control that differs on one link.").identity(),
        SEND_LIMIT,
        BACK_KEY,
        key("multicast", Ty::Table(&MULTICAST), "How branches hold each other."),
    ],
};

keys! { OF_BRANCHES:
    of EVERY => {
        RUN_AHEAD: Maybe<Whole<0, { MOST_CREDIT as u32 }>> = "run-ahead",
            "A branch may start a cell only while at most so many older cells are held for slower \
             branches.",
            default(|_| None, "no limit");
        GIVE_UP_AFTER: Maybe<Span> = "give-up-after",
            "A branch that has waited so long loses cells instead of holding the flow; cells are \
             those of the first link.",
            default(|_| None, "never");
    }
}

static MULTICAST: Tab = Tab {
    name: "multicast",
    doc: "How the branches of a multicast flow hold each other.",
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
pub(crate) const BRANCHES: Inner<Branches> = Inner { tab: &MULTICAST, reads: Branches };
