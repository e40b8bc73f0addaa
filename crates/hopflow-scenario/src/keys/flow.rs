//! The keys of flows: routes and control. What flows send is in `traffic.rs`.

use hopflow_control::credit::CreditScheme;

use super::abr::{
    ADTF, CDF, CRM, FRTT, ICR, MCR, MRM, NRM, PCR, RDF, RIF, SIXTEEN_BIT, TBE, TCR, TRM,
};
use super::traffic::{ENVELOPE, PACKET, POLICING, RESERVATION, SOURCE};
use super::transport::{BACK_KEY, FRAMING_KEY, SEND_LIMIT};
use super::{
    CONTROLLED, COUNT, Key, LAST_PRIORITY, MOST_CREDIT, NAMES, SPAN, SPAN_OR_ZERO, Tab, Ty, key,
};

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

pub(crate) static MULTICAST: Tab = Tab {
    name: "multicast",
    doc: "How the branches of a multicast flow hold each other.",
    kinds: &[],
    keys: &[
        key(
            "run-ahead",
            Ty::Count(0, MOST_CREDIT),
            "A branch may start a cell only while at \
             most so many older cells are held for slower branches.",
        )
        .default("no limit"),
        key(
            "give-up-after",
            SPAN,
            "A branch that has waited so long loses cells instead of \
             holding the flow; cells are those of the first link.",
        )
        .default("never"),
    ],
};

/// The kinds of credit schemes of which `$holds`, between those of `$first` and `$last`.
macro_rules! kinds {
    ([$($first:literal)*], $facts:ident => $holds:expr, [$($last:literal)*]) => {{
        const FOUND: ([&str; CreditScheme::ALL.len() + 8], usize) = {
            let mut found = ([""; CreditScheme::ALL.len() + 8], 0);
            $(found.0[found.1] = $first; found.1 += 1;)*
            let mut at = 0;
            while at < CreditScheme::ALL.len() {
                let $facts = CreditScheme::ALL[at].facts();
                if $facts.variation_of.is_none() && $holds {
                    found.0[found.1] = $facts.name;
                    found.1 += 1;
                }
                at += 1;
            }
            $(found.0[found.1] = $last; found.1 += 1;)*
            found
        };
        FOUND.0.split_at(FOUND.1).0
    }};
}

const CREDIT_KINDS: &[&str] = kinds!([], _facts => true, []);
/// Those with a buffer for each flow.
const BUFFER_KINDS: &[&str] = kinds!([], facts => !facts.shares_pool(), []);
const HOP_KINDS: &[&str] = kinds!(["none"], _facts => true, []);
pub(crate) const CONTROL_KINDS: &[&str] = kinds!(["none"], _facts => true, ["window" "abr"]);
const AUTO: Ty = Ty::Choice(&["auto"]);
const N2: Key =
    key("n2", Ty::Count(1, MOST_CREDIT), "N2: cells freed per credit cell; `adaptive`: the most.")
        .of(CREDIT_KINDS)
        .default("10, as in every run of [KMCL94]");
const N3: Key = key(
    "n3",
    Ty::AnyOf(&[Ty::Count(0, MOST_CREDIT), AUTO]),
    "N3: the buffer that \
     covers one round trip; `auto`: R x target / 424 bits, rounded up ([KMCL94] Eq. (3)).",
)
.of(BUFFER_KINDS)
.default("auto");
const TARGET: Key = key(
    "target",
    Ty::Bandwidth,
    "B_VC: the bandwidth the flow shall reach on each link; a given N3 is held against it.",
)
.of(BUFFER_KINDS)
.default("100 % where N3 or N1 is `auto`");
const N1: Key = key(
    "n1",
    Ty::AnyOf(&[Ty::Count(1, MOST_CREDIT), AUTO]),
    "N1: the zone that \
     absorbs cells in flight; `auto`: R x link rate / 424 bits (n123), R x target / 424 bits \
     (n123+), rounded up.",
)
.of(kinds!([], facts => facts.n1.is_some(), []))
.default("auto");
const E: Key = key(
    "e",
    Ty::Choice(&["arrival", "continuous"]),
    "When N23 looks at E: as a credit arrives, or at every instant.",
)
.of(&["n23"])
.default("arrival ([KMCL94] 4.3)");
const REQUEST: Key =
    key("request-after", SPAN, "A sender that has waited so long for credit asks for it.")
        .of(CREDIT_KINDS)
        .default("never");
const REDUNDANT: Key = key(
    "redundant-every",
    SPAN,
    "The receiver sends a redundant credit each time this has passed.",
)
.of(CREDIT_KINDS)
.default("never");
const ALLOW_N3: Key =
    key("allow-small-n3", Ty::Flag, "Accept an N3 with which the target cannot be reached.")
        .of(BUFFER_KINDS)
        .default("false");
const ALLOW_BUFFER: Key = key(
    "allow-small-buffer",
    Ty::Flag,
    "Accept a node's buffer below N1 + N2 + N3, in which cells may be lost.",
)
.of(BUFFER_KINDS)
.default("false");

pub(crate) static CONTROL: Tab = Tab {
    name: "control",
    doc: "Flow control, the same on every hop but those of `[[flow.hop]]`.",
    kinds: CONTROL_KINDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(CONTROL_KINDS),
            "Credit schemes work hop by hop, `window` end to end, `abr` by what switches tell.",
        )
        .required(),
        N2,
        N3,
        TARGET,
        N1,
        E,
        REQUEST,
        REDUNDANT,
        ALLOW_N3,
        ALLOW_BUFFER,
        key("packets", Ty::Count(1, MOST_CREDIT), "W: packets that may be unacknowledged.")
            .formerly("cells")
            .of(&["window"])
            .required(),
        key("ack-every", Ty::Count(1, MOST_CREDIT), "An ACK after so many delivered packets.")
            .of(&["window"])
            .default("1"),
        PCR,
        MCR,
        ICR,
        TBE,
        FRTT,
        NRM,
        MRM,
        TRM,
        RIF,
        RDF,
        CDF,
        CRM,
        ADTF,
        TCR,
        SIXTEEN_BIT,
    ],
};

pub(crate) static HOP: Tab = Tab {
    name: "hop",
    doc: "Control that differs on one link of a flow; what is not named is as in `control`.",
    kinds: HOP_KINDS,
    keys: &[
        key("link", Ty::Two(&Ty::Name), "The hop: `[from, to]` in the direction of the flow.")
            .required(),
        key("kind", Ty::Choice(HOP_KINDS), "The scheme on this hop.").default("that of `control`"),
        N2,
        N3,
        TARGET,
        N1,
        E,
        REQUEST,
        REDUNDANT,
        ALLOW_N3,
        ALLOW_BUFFER,
    ],
};
