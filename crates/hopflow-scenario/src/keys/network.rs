//! The keys of nodes, links and topologies.

use hopflow_network::Discard;

use super::lanes::LANES_KEY;
use super::marking;
use super::rate::{OF_LINK_KEY, OF_SWITCH_KEY};
use super::scheduler::{SCHEDULER, SCHEDULER_KINDS};
use super::shared::{PAUSE_KEY, POOL_KEY};
use super::transport::FRAME_DISCARD_KEY;
use super::{CONTROLLED, COUNT, Key, MOST, SPAN_OR_ZERO, Tab, Ty, key};
use crate::described::{Described, Word, words};
use crate::tab::joined;

words! {
    Discard:
        "arriving" = Discard::Arriving,
        "last-of-longest" = Discard::LastOfLongest,
        "last-of-own" = Discard::LastOfOwn;
}
pub(crate) const DISCARD: Described<Word<Discard>> = Described::new(
    "discard",
    "Which packet goes when one finds the node or its output full: the one that arrives, or the \
     one that would be served last at the output of the longest queue, or at its own output.",
)
.default(|_| Discard::default(), "arriving");
const SCHEDULER_OR_KIND: Ty = Ty::AnyOf(&[Ty::Choice(SCHEDULER_KINDS), Ty::Table(&SCHEDULER)]);
const NODE_SCHEDULER: Key = key(
    "scheduler",
    SCHEDULER_OR_KIND,
    "How the output ports pick the flow whose packet goes next: a kind, or a table.",
)
.default("round-robin, as in the switch of [KMCL94] 5");

/// What every node has.
const OF_NODES: &[Key] = &[
    key("name", Ty::Name, "Unique among nodes.").required().identity(),
    COUNT,
    CONTROLLED,
    key(
        "buffer",
        Ty::Size,
        "The most that is held in all, those in transmission included: so many packets, or bytes \
         as whole cells of 53 bytes.",
    )
    .default("no limit"),
    key("vc-buffer", Ty::Size, "The most that is held of any one VC.").default("no limit"),
    key("port-buffer", Ty::Size, "The most that is held for any one output.").default("no limit"),
    DISCARD.key,
];

pub(crate) static SWITCH: Tab = Tab {
    name: "switch",
    doc: "An output-queued switch with shared memory.",
    kinds: &[],
    keys: joined!(
        OF_NODES,
        &[FRAME_DISCARD_KEY, NODE_SCHEDULER, OF_SWITCH_KEY, marking::OF_SWITCH],
    ),
};

const STALLS: Ty = Ty::AnyOf(&[Ty::Table(&STALL), Ty::Tables(&STALL)]);

pub(crate) static HOST: Tab = Tab {
    name: "host",
    doc: "An end system: flows start and end here.",
    kinds: &[],
    keys: joined!(
        OF_NODES,
        &[
            NODE_SCHEDULER,
            key(
                "drain",
                Ty::Bandwidth,
                "How fast its application takes what came, in first-come order: a rate, or a \
                 share of the rate of its one link. What waits is in the receive buffer.",
            )
            .default("all at once; with `receive-buffer` or `stall` 100 %"),
            key(
                "receive-buffer",
                Ty::Size,
                "The most that waits for its application, the packet that it takes included.",
            )
            .default("no limit"),
            key("stall", STALLS, "When its application stops, once or several times.",)
                .default("never"),
        ],
    ),
};

pub(crate) static STALL: Tab = Tab {
    name: "stall",
    doc: "A time in which the application of a host takes no further packet.",
    kinds: &[],
    keys: &[
        key("at", Ty::Time { zero: true }, "When it stops; a packet that it takes is finished.")
            .required(),
        key("for", Ty::Time { zero: false }, "For how long.").required(),
    ],
};

const SCHEDULERS: Ty =
    Ty::AnyOf(&[Ty::Choice(SCHEDULER_KINDS), Ty::Table(&SCHEDULER), Ty::Two(&SCHEDULER_OR_KIND)]);

/// What every link has, that of a topology too.
const OF_LINKS: &[Key] = &[
    key(
        "rate",
        Ty::AnyOf(&[Ty::Rate, Ty::Two(&Ty::Rate)]),
        "Bits per second, one for both directions or `[there, back]`.",
    )
    .required(),
    key(
        "delay",
        Ty::AnyOf(&[Ty::Delay, Ty::Two(&Ty::Delay)]),
        "Propagation delay: a time, cell times of this link, or a length at 5 us per km \
         ([KMCL94] 4.7).",
    )
    .default("0 us"),
    key(
        "overhead",
        Ty::AnyOf(&[Ty::Bytes, Ty::Two(&Ty::Bytes)]),
        "What every packet takes of the link beside its own bytes: 20 B on Ethernet, for \
         preamble and gap. It takes time, and counts in no byte, buffer or scheduler.",
    )
    .default("0 B"),
    key(
        "processing",
        Ty::AnyOf(&[SPAN_OR_ZERO, Ty::Two(&SPAN_OR_ZERO)]),
        "Time the receiving end needs for any unit before it takes effect.",
    )
    .default("0 us"),
    key(
        "corrupt-data",
        Ty::AnyOf(&[Ty::Probability, Ty::Two(&Ty::Probability)]),
        "The chance that a data cell is corrupted on the way.",
    )
    .default("0"),
    key(
        "corrupt-credits",
        Ty::AnyOf(&[Ty::Probability, Ty::Two(&Ty::Probability)]),
        "The chance that a credit cell is corrupted on the way.",
    )
    .default("0"),
    key(
        "round-trip",
        Ty::WordOr(&["loop", "measured"], &Ty::Span { zero: false }),
        "R, over which N23's E looks back: `loop` (the true loop), `measured` (by a looping cell \
         at start-up) or a time.",
    )
    .default("loop"),
    key(
        "allow-short-round-trip",
        Ty::Flag,
        "Accept an R below the true loop, with which buffers may overflow.",
    )
    .default("false"),
    key(
        "allow-overbooking",
        Ty::Flag,
        "Accept reservations that add up to more than the link carries.",
    )
    .default("false"),
    key(
        "scheduler",
        SCHEDULERS,
        "How the ports at its two ends pick the flow whose packet goes next; one for both \
         directions or `[there, back]`.",
    )
    .default("that of the node that sends"),
    OF_LINK_KEY,
    marking::OF_LINK,
    POOL_KEY,
    PAUSE_KEY,
    LANES_KEY,
];

pub(crate) static LINK: Tab = Tab {
    name: "link",
    doc: "A full-duplex link between two nodes.",
    kinds: &[],
    keys: joined!(
        &[
            key(
                "between",
                Ty::Two(&Ty::Name),
                "The two nodes; the first direction leads from the first to the second.",
            )
            .required()
            .identity(),
            COUNT,
            CONTROLLED,
        ],
        OF_LINKS,
    ),
};

pub(crate) const TOPOLOGY_KINDS: &[&str] =
    &["chain", "parking-lot", "dumbbell", "star", "fat-tree"];

pub(crate) static TOPOLOGY: Tab = Tab {
    name: "topology",
    doc: "A common network, made whole: nodes and links. Flows are yours.",
    kinds: TOPOLOGY_KINDS,
    keys: joined!(
        &[
            key("kind", Ty::Choice(TOPOLOGY_KINDS), "Which network; docs/scenario.md draws each.")
                .required(),
            CONTROLLED,
            key("prefix", Ty::Name, "Put before every name it makes.").default("nothing"),
            key("switches", Ty::Count(1, MOST), "Switches in the row.")
                .of(&["chain", "parking-lot"])
                .required(),
            key("hosts", Ty::Count(1, MOST), "Hosts on each side (dumbbell) or in all (star).")
                .of(&["dumbbell", "star"])
                .required(),
            key("k", Ty::Count(2, MOST), "Ports of each switch, an even number; k^3/4 hosts.")
                .of(&["fat-tree"])
                .required(),
            key(
                "trunk-rate",
                Ty::AnyOf(&[Ty::Rate, Ty::Two(&Ty::Rate)]),
                "The rate of the links between switches.",
            )
            .of(&["chain", "parking-lot", "dumbbell", "fat-tree"])
            .default("`rate`"),
            key(
                "trunk-delay",
                Ty::AnyOf(&[Ty::Delay, Ty::Two(&Ty::Delay)]),
                "The delay of the links between switches.",
            )
            .of(&["chain", "parking-lot", "dumbbell", "fat-tree"])
            .default("`delay`"),
        ],
        OF_LINKS,
    ),
};
