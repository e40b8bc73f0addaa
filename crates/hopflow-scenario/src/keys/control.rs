//! The keys of control: of all hops of a flow, and of one hop.

use hopflow_control::credit::CreditScheme;

use super::abr::ABR_KEYS;
use super::{Key, MOST_CREDIT, SPAN, Tab, Ty, key, machine};
use crate::tab::joined;

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
const BUFFER_KINDS: &[&str] = kinds!([], facts => !facts.shares_buffer(), []);
const HOP_KINDS: &[&str] = kinds!(["none"], _facts => true, []);
pub(crate) const CONTROL_KINDS: &[&str] = kinds!(["none"], _facts => true, ["window" "abr"]);
const AUTO: Ty = Ty::Choice(&["auto"]);

/// What every hop under credit has.
const OF_HOPS: &[Key] = &[
    key("n2", Ty::Count(1, MOST_CREDIT), "N2: cells freed per credit cell; `adaptive`: the most.")
        .of(CREDIT_KINDS)
        .default("10, as in every run of [KMCL94]"),
    key(
        "n3",
        Ty::AnyOf(&[Ty::Count(0, MOST_CREDIT), AUTO]),
        "N3: the buffer that covers one round trip; `auto`: R x target / 424 bits, rounded up \
         ([KMCL94] Eq. (3)).",
    )
    .of(BUFFER_KINDS)
    .default("auto"),
    key(
        "target",
        Ty::Bandwidth,
        "B_VC: the bandwidth the flow shall reach on each link; a given N3 is held against it.",
    )
    .of(BUFFER_KINDS)
    .default("100 % where N3 or N1 is `auto`"),
    key(
        "n1",
        Ty::AnyOf(&[Ty::Count(1, MOST_CREDIT), AUTO]),
        "N1: the zone that absorbs cells in flight; `auto`: R x link rate / 424 bits (n123), R \
         x target / 424 bits (n123+), rounded up.",
    )
    .of(kinds!([], facts => facts.n1.is_some(), []))
    .default("auto"),
    key(
        "e",
        Ty::Choice(&["arrival", "continuous"]),
        "When N23 looks at E: as a credit arrives, or at every instant.",
    )
    .of(&["n23"])
    .default("arrival ([KMCL94] 4.3)"),
    key("request-after", SPAN, "A sender that has waited so long for credit asks for it.")
        .of(CREDIT_KINDS)
        .default("never"),
    key(
        "redundant-every",
        SPAN,
        "The receiver sends a redundant credit each time this has passed.",
    )
    .of(CREDIT_KINDS)
    .default("never"),
    key("allow-small-n3", Ty::Flag, "Accept an N3 with which the target cannot be reached.")
        .of(BUFFER_KINDS)
        .default("false"),
    key(
        "allow-small-buffer",
        Ty::Flag,
        "Accept a node's buffer below N1 + N2 + N3, in which cells may be lost.",
    )
    .of(BUFFER_KINDS)
    .default("false"),
];

const MACHINE: &str =
    "The name of a credit scheme of your own, which a program in Rust registers; experimental.";

pub(crate) static CONTROL: Tab = Tab {
    name: "control",
    doc: "Flow control, the same on every hop but those of `[[flow.hop]]`.",
    kinds: CONTROL_KINDS,
    keys: joined!(
        &[
            key(
                "kind",
                Ty::Choice(CONTROL_KINDS),
                "Credit schemes work hop by hop, `window` end to end, `abr` by what switches tell.",
            )
            .required(),
            machine(MACHINE),
        ],
        OF_HOPS,
        OF_WINDOWS,
        ABR_KEYS,
    ),
};

/// What windows have.
const OF_WINDOWS: &[Key] = &[
    key("packets", Ty::Count(1, MOST_CREDIT), "W: packets that may be unacknowledged.")
        .formerly("cells")
        .of(&["window"])
        .required(),
    key("ack-every", Ty::Count(1, MOST_CREDIT), "An ACK after so many delivered packets.")
        .of(&["window"])
        .default("1"),
];

pub(crate) static HOP: Tab = Tab {
    name: "hop",
    doc: "Control that differs on one link of a flow; what is not named is as in `control`.",
    kinds: HOP_KINDS,
    keys: joined!(
        &[
            key("link", Ty::Two(&Ty::Name), "The hop: `[from, to]` in the direction of the flow.")
                .required(),
            key("kind", Ty::Choice(HOP_KINDS), "The scheme on this hop.")
                .default("that of `control`"),
            key("machine", Ty::Name, MACHINE)
                .of(&["external"])
                .default("that of `control`")
                .such_as("\"NAME\""),
        ],
        OF_HOPS,
    ),
};
