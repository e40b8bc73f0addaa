//! The keys of what flows send: packets, reservations, what sources keep to.

use hopflow_network::{Excess, SizeLaw};
use hopflow_units::{Picos, Rate};

use super::{Key, Tab, Ty, key};
use crate::described::{
    Count, EVERY, Flag, ListOf, Maybe, Octets, Span, Whole, Word, keys, taken, words,
};
use crate::tab::joined;

/// The most sizes in a mix.
pub(crate) const MOST_SIZES: usize = 1_000;

const SIZE_OR_LAW: Ty = Ty::AnyOf(&[Ty::BYTES, Ty::Table(&PACKET)]);
pub(crate) const PACKET_KEY: Key = key(
    "packet",
    SIZE_OR_LAW,
    "The size of a packet on the wire, headers included: a fixed number of bytes, or a \
     distribution.",
)
.default("53 B, a cell");

keys! { pub(crate) OF_PACKETS:
    of EVERY => {
        SMALLEST: PacketSize = "least",
            "The smallest packet; each size up to `most` is equally likely.";
        LARGEST: PacketSize = "most", "The largest packet, with `least`.";
        SIZES: ListOf<PacketSize> = "sizes", "A few sizes, drawn by `weights`.";
        WEIGHTS: Maybe<ListOf<Whole<1, { u32::MAX }>>> = "weights",
            "One weight for each of `sizes`.",
            words("1 each");
    }
}

static PACKET: Tab = Tab {
    name: "packet",
    doc: "The distribution of a packet's size: any from `least` to `most`, or one of `sizes`.",
    kinds: &[],
    keys: OF_PACKETS,
};

/// The size of a packet.
pub(crate) type PacketSize = Octets<1, { SizeLaw::LARGEST.0 }>;

/// The largest burst.
pub(crate) const LARGEST_BURST: u64 = 1_000_000_000_000;

pub(crate) const RESERVATION_KEY: Key = key(
    "reservation",
    Ty::Table(&RESERVATION),
    "What the flow reserves on every link of its path.",
)
.default("nothing");

keys! { pub(crate) OF_RESERVATIONS:
    of EVERY => {
        RATE: Pace = "rate", "AR: the average rate, counted with headers.",
            required("\"10 packets/s\"");
        INTERVAL: Span = "interval",
            "AI: the span over which AR is an average, at least that of one packet at AR; cells \
             are those of the first link.",
            words("100 of the largest packets at AR; [Zhang90] leaves it open");
        PRIORITY: Span<true> = "priority",
            "P: how far ahead of real time the flow's VirtualClock stamps begin ([Zhang90] 2.2.2).",
            default(|_| Picos::ZERO, "0 s");
        BURST: Octets<1, LARGEST_BURST> = "burst",
            "sigma: the burst that may arrive at once in addition to AR, at least the largest \
             packet.",
            words("the largest packet");
        SIGNALLED: Flag = "signalled",
            "The flow asks the ports on its path for the reservation as it starts, by a set-up, \
             and sends once all have reserved; at `stop` it releases the reservation. A port \
             refuses what does not fit its link. Otherwise the reservation exists for the whole \
             run.",
            default(|_| false, "false");
    }
}

static RESERVATION: Tab = Tab {
    name: "reservation",
    doc: "What a flow reserves on every link of its path.",
    kinds: &[],
    keys: OF_RESERVATIONS,
};

const FLAG_OR_ENVELOPE: Ty = Ty::AnyOf(&[Ty::Flag, Ty::Table(&ENVELOPE)]);
pub(crate) const ENVELOPE_KEY: Key = key(
    "envelope",
    FLAG_OR_ENVELOPE,
    "The source keeps to the user-behavior envelope of [Zhang90]: `true` for that of Appendix A \
     and its reservation, or a table.",
)
.default("false");

/// How a source keeps to its envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    Gaps,
    Strictly,
}

words! {
    Keeps:
        "gaps" = Keeps::Gaps,
        "strict" = Keeps::Strictly;
}

keys! { pub(crate) OF_ENVELOPES:
    of EVERY => {
        KEEPS: Word<Keeps> = "kind",
            "`gaps`: Appendix A, a least or an average gap after each packet, so about AIR packets \
             in AI. `strict`: at most AIR packets in every span of length AI, wherever it begins.",
            default(|_| Keeps::Gaps, "gaps");
        AIR: Maybe<Count<1, 100_000_000>> = "packets",
            "AIR: packets in any interval.",
            words("that of the reservation"), such_as("10");
        AI: Maybe<Span> = "interval",
            "AI. With `gaps` the average gap is AI / AIR, the least gap half of it; cells are \
             those of the first link.",
            words("that of the reservation"), such_as("\"1 s\"");
    }
}

static ENVELOPE: Tab = Tab {
    name: "envelope",
    doc: "A limit of AIR packets in any interval: the source is held back, not its packets.",
    kinds: &[],
    keys: OF_ENVELOPES,
};

taken! { in SizeLaw:
    /// A rate in bits, or in packets of these sizes.
    Pace is Rate, Ty::PACE, |item, size, sink| item.pace(size, None, sink);
}

pub(crate) const POLICING_KINDS: &[&str] = &["leaky-bucket", "token-bucket", "gcra"];

pub(crate) const POLICING_KEY: Key =
    key("policing", Ty::Table(&POLICING), "What the edge does with packets that arrive too fast.")
        .default("none");

/// The most packets that may wait at a policer. They are planned ahead, so they take memory.
const MOST_ROOM: u32 = 1_000_000;

words! {
    Excess:
        "discard" = Excess::Discarded,
        "delay" = Excess::Delayed { packets: 0 },
        "low-priority" = Excess::Elsewhere;
}

keys! { pub(crate) OF_POLICERS:
    of EVERY => {
        TOKENS: Maybe<Pace> = "rate",
            "The rate of tokens; or the period or increment is the largest packet's time at this \
             rate.",
            words("that of the reservation");
    }
    of &["token-bucket"] => {
        DEPTH: Octets<1, LARGEST_BURST> = "burst",
            "Depth of the bucket, at least the largest packet.",
            words("that of the reservation");
    }
    of &["gcra"] => {
        LIMIT: Span<true> = "limit", "tau: how early a packet may be.",
            required("\"1 ms\"");
    }
    of &["token-bucket", "gcra"] => {
        EXCESS: Word<Excess> = "excess",
            "What happens to a packet that arrives too fast: it is discarded; it waits until it \
             conforms; or it is sent by a second flow, `NAME.excess`, of the lowest priority and \
             without reservation.",
            default(|_| Excess::Discarded, "discard");
    }
    of EVERY => {
        ROOM: Whole<1, MOST_ROOM> = "room",
            "How many packets may wait; more are discarded. With `leaky-bucket`, and `excess = \
             \"delay\"`.";
    }
}

static POLICING: Tab = Tab {
    name: "policing",
    doc: "What the edge, between a source and its host's queue, does with packets that arrive too \
         fast.",
    kinds: POLICING_KINDS,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(POLICING_KINDS),
            "`leaky-bucket`: a queue that lets one packet out per period ([Turner86], bucket A). \
             `token-bucket`: tokens at a rate, saved up to a burst (bucket B). `gcra`: one packet \
             per increment, a limit early at most ([I.371]).",
        )
        .required()],
        OF_POLICERS,
    ),
};
