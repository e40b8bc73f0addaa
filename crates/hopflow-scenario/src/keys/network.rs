//! The keys of nodes, links and topologies.

use hopflow_network::Discard;
use hopflow_units::{Bytes, Picos, Probability};

use super::lanes::LANES_KEY;
use super::marking;
use super::rate::{OF_LINK_KEY, OF_SWITCH_KEY};
use super::reserve::RESERVE;
use super::scheduler::{SCHEDULER, SCHEDULER_KINDS};
use super::shared::{PAUSE_KEY, SHARED_BUFFER_KEY};
use super::transport::FRAME_DISCARD_KEY;
use super::work::WORK_KEY;
use super::{IS_CONTROLLED, Key, MOST, OF_COPIES, SPAN_OR_ZERO, Tab, Ty, key};
use crate::Code;
use crate::described::{
    BothWays, Chance, Count, Described, EVERY, Flag, Fraction, LineRate, Maybe, Name, Octets, Size,
    Time, Word, keys, taken, words,
};
use crate::diagnostic::Sink;
use crate::tab::joined;
use crate::value::Item;

words! {
    Discard:
        "arriving" = Discard::Arriving,
        "last-of-longest" = Discard::LastOfLongest,
        "last-of-own" = Discard::LastOfOwn;
}
const SCHEDULER_OR_KIND: Ty = Ty::AnyOf(&[Ty::Choice(SCHEDULER_KINDS), Ty::Table(&SCHEDULER)]);
pub(crate) const NODE_SCHEDULER: Key = key(
    "scheduler",
    SCHEDULER_OR_KIND,
    "How the output ports select the flow whose packet is sent next: a kind, or a table.",
)
.default("round-robin, as in the switch of [KMCL94] 5");

/// The largest cell of a memory.
const MOST_CELL: u64 = 65_536;

keys! { pub(crate) OF_BUFFERS:
    of EVERY => {
        BUFFER: Maybe<Size> = "buffer",
            "The most that the node holds in total, packets in transmission included: a number of \
             packets of any size, or bytes of memory. A packet that does not fit is discarded.",
            words("no limit");
        VC_BUFFER: Maybe<Size> = "vc-buffer", "The most that the node holds of any one VC.",
            words("no limit");
        PORT_BUFFER: Maybe<Size> = "port-buffer",
            "The most that the node holds for any one output.",
            words("no limit");
        CELL: Maybe<Octets<1, MOST_CELL>> = "cell",
            "The node hands out its memory in cells of this size: of limits in bytes a packet \
             takes whole cells, the last rounded up.",
            words("a packet takes its bytes");
        DISCARD: Word<Discard> = "discard",
            "Which packet is discarded when one finds the node or its output full: the one that \
             arrives, or the one that would be served last at the output of the longest queue, or \
             at its own output.",
            default(|_| Discard::default(), "arriving");
    }
}

pub(crate) const ALPHA: Described<Maybe<Fraction>> = Described::new(
    "alpha",
    "Alpha of dynamic thresholds: the packets of one output and priority may hold alpha times the \
     free part of `buffer`, which is in bytes. SONiC's `dynamic_th` n is 2^n.",
)
.words("no thresholds");

/// What every node has.
const OF_NODES: &[Key] = joined!(&[NAME], OF_COPIES, OF_BUFFERS);

pub(crate) const NAME: Key = key("name", Ty::Name, "Unique among nodes.").required().identity();

pub(crate) const SWITCH_KEY: Key = key("switch", Ty::Tables(&SWITCH), "Switches.");

pub(crate) static SWITCH: Tab = Tab {
    name: "switch",
    doc: "An output-queued switch with shared memory.",
    kinds: &[],
    keys: joined!(
        OF_NODES,
        &[
            ALPHA.key,
            RESERVE.key,
            FRAME_DISCARD_KEY,
            NODE_SCHEDULER,
            OF_SWITCH_KEY,
            marking::MARKING_KEY
        ],
    ),
};

const STALLS: Ty = Ty::AnyOf(&[Ty::Table(&STALL), Ty::Tables(&STALL)]);
pub(crate) const STALL_KEY: Key =
    key("stall", STALLS, "When its application stops, once or several times.").default("never");
pub(crate) const DRAIN: Key = key(
    "drain",
    Ty::BANDWIDTH,
    "How fast its application takes packets, in order of arrival: a rate, or a share of the rate \
     of its one link. Packets wait in the receive buffer.",
)
.default("all at once; with `receive-buffer` or `stall` 100 %");
pub(crate) const RECEIVE_BUFFER: Described<Maybe<Size>> = Described::new(
    "receive-buffer",
    "The most that waits for its application, the packet that it is taking included.",
)
.words("no limit");

pub(crate) const HOST_KEY: Key = key("host", Ty::Tables(&HOST), "Hosts, the ends of flows.");

pub(crate) static HOST: Tab = Tab {
    name: "host",
    doc: "An end system: flows start and end here.",
    kinds: &[],
    keys: joined!(OF_NODES, &[NODE_SCHEDULER, WORK_KEY, DRAIN, RECEIVE_BUFFER.key, STALL_KEY],),
};

keys! { pub(crate) OF_STALLS:
    of EVERY => {
        AT: Time<true> = "at", "When it stops; it finishes the packet that it is taking.",
            required("\"1 ms\"");
        FOR: Time = "for", "How long it stops.", required("\"1 ms\"");
    }
}

static STALL: Tab = Tab {
    name: "stall",
    doc: "A time in which the application of a host takes no further packet.",
    kinds: &[],
    keys: OF_STALLS,
};

const SCHEDULERS: Ty =
    Ty::AnyOf(&[Ty::Choice(SCHEDULER_KINDS), Ty::Table(&SCHEDULER), Ty::Two(&SCHEDULER_OR_KIND)]);

keys! { pub(crate) OF_DIRECTIONS:
    of EVERY => {
        RATE: BothWays<LineRate> = "rate",
            "Bits per second, one for both directions or `[there, back]`.",
            required("\"155.52 Mb/s\"");
        DELAY: BothWays<Propagation> = "delay",
            "Propagation delay: a time, cell times of this link, or a length at 5 us per km \
             ([KMCL94] 4.7).",
            default(|_| [Picos::ZERO; 2], "0 us");
        OVERHEAD: BothWays<Octets<0, 1_000>> = "overhead",
            "Bytes that every packet takes on the link in addition to its own: 20 B on Ethernet, \
             for preamble and gap. They take time on the link, which gates, slots and idle slopes \
             count; no counter and no buffer counts them.",
            default(|_| [Bytes(0); 2], "0 B");
        PROCESSING: BothWays<Processing> = "processing",
            "Time the receiving end needs for any unit before it takes effect.",
            default(|_| [Picos::ZERO; 2], "0 us");
        CORRUPT_DATA: BothWays<Chance> = "corrupt-data",
            "The probability that a data cell is corrupted on the link.",
            default(|_| [Probability::ZERO; 2], "0");
        CORRUPT_CREDITS: BothWays<Chance> = "corrupt-credits",
            "The probability that a credit cell is corrupted on the link.",
            default(|_| [Probability::ZERO; 2], "0");
    }
}

pub(crate) const ROUND_TRIP: Key = key(
    "round-trip",
    Ty::WordOr(&["loop", "measured"], &Ty::span(false)),
    "R, the period that E of N23 covers: `loop` (the true loop), `measured` (by a looping cell at \
     start-up) or a time.",
)
.default("loop");

keys! { pub(crate) OF_ALLOWANCES:
    of EVERY => {
        ALLOW_SHORT_ROUND_TRIP: Flag = "allow-short-round-trip",
            "Accept an R below the true loop, with which buffers may overflow.",
            default(|_| false, "false");
        ALLOW_OVERBOOKING: Flag = "allow-overbooking",
            "Accept reservations that add up to more than the link carries.",
            default(|_| false, "false");
    }
}

/// The most cells that may be on their way in one direction: what a delay may amount to.
const MOST_IN_FLIGHT: u64 = 10_000_000;

taken! { in Picos:
    /// A propagation delay.
    Propagation is Picos, Ty::DELAY,
        |item, cell, sink| bearable(item, item.delay(*cell, sink)?, *cell, sink);

    /// A time of the receiving end.
    Processing is Picos, SPAN_OR_ZERO,
        |item, cell, sink| bearable(item, item.span(*cell, true, sink)?, *cell, sink);
}

/// A span in which not too many cells may be on their way.
fn bearable(item: &Item<'_>, span: Picos, cell: Picos, sink: &mut Sink) -> Option<Picos> {
    let cells = span.0 / cell.0.max(1);
    if cells > MOST_IN_FLIGHT {
        let message = format!(
            "`{}` is {span}, long enough for {cells} cells to be on their way; {MOST_IN_FLIGHT} is \
             the most",
            item.key
        );
        sink.error(Code::TOO_MUCH, &item.span, message);
        return None;
    }
    Some(span)
}

const LINK_SCHEDULER: Key = key(
    "scheduler",
    SCHEDULERS,
    "How the ports at its two ends select the flow whose packet is sent next; one for both \
     directions or `[there, back]`.",
)
.default("that of the node that sends");

/// What every link has, that of a topology too.
const OF_LINKS: &[Key] = joined!(
    OF_DIRECTIONS,
    &[ROUND_TRIP],
    OF_ALLOWANCES,
    &[LINK_SCHEDULER, OF_LINK_KEY, marking::OF_LINK, SHARED_BUFFER_KEY, PAUSE_KEY, LANES_KEY],
);

pub(crate) const LINK_KEY: Key =
    key("link", Ty::Tables(&LINK), "Full-duplex links. Their order numbers the ports.");
pub(crate) const BETWEEN: Key = key(
    "between",
    Ty::Two(&Ty::Name),
    "The two nodes; the first direction leads from the first to the second.",
)
.required()
.identity();

pub(crate) static LINK: Tab = Tab {
    name: "link",
    doc: "A full-duplex link between two nodes.",
    kinds: &[],
    keys: joined!(&[BETWEEN], OF_COPIES, OF_LINKS,),
};

pub(crate) const TOPOLOGY_KINDS: &[&str] =
    &["chain", "parking-lot", "dumbbell", "star", "fat-tree"];

const TRUNKS: &[&str] = &["chain", "parking-lot", "dumbbell", "fat-tree"];

keys! { pub(crate) OF_TOPOLOGIES:
    of EVERY => {
        PREFIX: Name = "prefix", "Prefix of every name that it creates.", words("nothing");
    }
    of &["chain", "parking-lot"] => {
        SWITCHES: Count<1, MOST> = "switches", "Switches in the row.", required("3");
    }
    of &["dumbbell", "star"] => {
        HOSTS: Count<1, MOST> = "hosts", "Hosts on each side (dumbbell) or in all (star).",
            required("2");
    }
    of &["fat-tree"] => {
        K: Count<2, MOST> = "k", "Ports of each switch, an even number; k^3/4 hosts.",
            required("4");
    }
    of TRUNKS => {
        TRUNK_RATE: BothWays<LineRate> = "trunk-rate", "The rate of the links between switches.",
            words("`rate`");
        TRUNK_DELAY: BothWays<Propagation> = "trunk-delay",
            "The delay of the links between switches.",
            words("`delay`");
    }
}

pub(crate) const TOPOLOGY_KEY: Key =
    key("topology", Ty::Tables(&TOPOLOGY), "Common networks: their nodes and links.");

static TOPOLOGY: Tab = Tab {
    name: "topology",
    doc: "A common network: its nodes and links. You add the flows.",
    kinds: TOPOLOGY_KINDS,
    keys: joined!(
        &[
            key("kind", Ty::Choice(TOPOLOGY_KINDS), "Which network; docs/scenario.md draws each.")
                .required(),
            IS_CONTROLLED.key,
        ],
        OF_TOPOLOGIES,
        OF_LINKS,
    ),
};
