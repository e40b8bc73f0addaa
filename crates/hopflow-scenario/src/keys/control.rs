//! The keys of control: of all hops of a flow, and of one hop.

use hopflow_control::credit::{CreditCarrier, CreditScheme, USUAL_N2};
use hopflow_network::SizeLaw;

use super::abr::ABR_KEYS;
use super::{Key, MOST_CREDIT, Tab, Ty, key, machine};
use crate::described::{Choice, Flag, LinkRate, Maybe, Octets, OrAuto, Span, Units, Whole, keys};
use crate::tab::{defaulting, joined};

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
/// Those whose receiver itself counts N2.
const COUNTING_KINDS: &[&str] = kinds!([], facts => !facts.grant.is_passed_on(), []);
const HOP_KINDS: &[&str] = kinds!(["none"], _facts => true, []);
pub(crate) const CONTROL_KINDS: &[&str] = kinds!(["none"], _facts => true, ["window" "abr"]);
/// The largest unit: that of the largest packet.
const LARGEST_UNIT: u64 = SizeLaw::LARGEST.0;
/// [`MOST_CREDIT`] as keys take it.
const MOST: u32 = MOST_CREDIT as u32;

// What every hop under credit has.
keys! { pub(crate) OF_HOPS:
    of CREDIT_KINDS => {
        UNIT: Maybe<Octets<1, LARGEST_UNIT>> = "unit",
            "What a credit counts: a packet takes whole units, and the last is rounded up.",
            words("53 B where all packets of the flow are cells of 53 B, else 256 B");
        N2: Units<1, MOST> = "n2",
            "N2: units freed per credit cell (cells are one each); `adaptive`: the most. A size in \
             bytes is rounded up to units.",
            default(|_| USUAL_N2.0, "10, as in every run of [KMCL94]");
    }
    of BUFFER_KINDS => {
        N3: OrAuto<Units<0, MOST>> = "n3",
            "N3: the buffer that covers one round trip; `auto`: R x target / 424 bits, rounded up \
             ([KMCL94] Eq. (3)), or the units of packets in it (docs/models/n23.md).",
            default(|_| None, "auto");
        TARGET: Maybe<LinkRate> = "target",
            "B_VC: the bandwidth the flow must reach on each link; a given N3 is checked against \
             it.",
            words("100 % where N3 or N1 is `auto`");
    }
    of kinds!([], facts => facts.n1.is_some(), []) => {
        N1: OrAuto<Units<1, MOST>> = "n1",
            "N1: the zone that absorbs cells in flight; `auto`: R x link rate / 424 bits (n123), R \
             x target / 424 bits (n123+), rounded up, or the units of packets in it.",
            default(|_| None, "auto");
    }
    of &["n23"] => {
        E: EvaluateAt = "e", "When N23 looks at E: as a credit arrives, or at every instant.",
            default(|_| EvaluateAt::WORDS[0], "arrival ([KMCL94] 4.3)");
    }
    of COUNTING_KINDS => {
        CREDITS_PER_CELL: Whole<1, { CreditCarrier::MOST }> = "credits-per-cell",
            "n: the most credits in a credit cell, which flows over the same link with the same \
             kind and n then share.",
            default(|_| 1, "1");
    }
    of CREDIT_KINDS => {
        REQUEST_AFTER: Maybe<Span> = "request-after",
            "A sender that has waited this long for credit requests it.",
            words("never");
        REDUNDANT_EVERY: Maybe<Span> = "redundant-every",
            "The receiver sends a redundant credit at this interval.",
            words("never");
    }
    of BUFFER_KINDS => {
        ALLOW_SMALL_N3: Flag = "allow-small-n3",
            "Accept an N3 with which the target cannot be reached.",
            default(|_| false, "false");
        ALLOW_SMALL_BUFFER: Flag = "allow-small-buffer",
            "Accept a node's buffer below N1 + N2 + N3, in which cells may be lost.",
            default(|_| false, "false");
    }
}

/// When a scheme evaluates E; the second is a variation of the scheme.
pub(crate) struct EvaluateAt;

impl Choice for EvaluateAt {
    const WORDS: &'static [&'static str] = &["arrival", "continuous"];
}

// What windows have.
keys! { pub(crate) OF_WINDOWS:
    of &["window"] => {
        PACKETS: Whole<1, MOST> = "packets", "W: packets that may be unacknowledged.",
            required("20"), formerly("cells");
        ACK_EVERY: Whole<1, MOST> = "ack-every", "Delivered packets per ACK.",
            default(|_| 1, "1");
        ALLOW_SMALL_WINDOW: Flag = "allow-small-window",
            "Accept a window that is less than the loop of its path.", default(|_| false, "false");
    }
}

const MACHINE: &str =
    "The name of a credit scheme of your own, which a program in Rust registers; experimental.";

pub(crate) const CONTROL_KEY: Key =
    key("control", Ty::Table(&CONTROL), "Flow control on every hop, or end to end.")
        .default("none");

pub(crate) static CONTROL: Tab = Tab {
    name: "control",
    doc: "Flow control, the same on every hop except those of `[[flow.hop]]`.",
    kinds: CONTROL_KINDS,
    keys: joined!(
        &[
            key(
                "kind",
                Ty::Choice(CONTROL_KINDS),
                "Credit schemes work hop by hop, `window` end to end, `abr` by feedback from \
                 switches.",
            )
            .required(),
            machine(MACHINE),
        ],
        OF_HOPS,
        OF_WINDOWS,
        ABR_KEYS,
    ),
};

pub(crate) const HOP_KEY: Key =
    key("hop", Ty::Tables(&HOP), "Control that differs on one link.").identity();

pub(crate) const HOP_LINK: Key =
    key("link", Ty::Two(&Ty::Name), "The hop: `[from, to]` in the direction of the flow.")
        .required();

/// The default of the keys of a hop.
const AS_IN_CONTROL: &str = "that of `control`";

static HOP: Tab = Tab {
    name: "hop",
    doc: "Control that differs on one link of a flow; keys left out are as in `control`.",
    kinds: HOP_KINDS,
    keys: joined!(
        &[
            HOP_LINK,
            key("kind", Ty::Choice(HOP_KINDS), "The scheme on this hop.").default(AS_IN_CONTROL),
            key("machine", Ty::Name, MACHINE)
                .of(&["external"])
                .default(AS_IN_CONTROL)
                .such_as("\"NAME\""),
        ],
        &defaulting::<{ OF_HOPS.len() }>(OF_HOPS, AS_IN_CONTROL),
    ),
};
