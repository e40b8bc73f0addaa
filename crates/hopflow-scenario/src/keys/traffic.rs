//! The keys of what flows send: packets, reservations, what sources keep to.

use hopflow_network::SizeLaw;
use hopflow_units::{Picos, Rate};

use super::{SPAN_OR_ZERO, Tab, Ty, key};
use crate::described::{Count, EVERY, Octets, Span, keys, taken};

/// The most sizes in a mix.
pub(crate) const MOST_SIZES: usize = 1_000;

pub(crate) static PACKET: Tab = Tab {
    name: "packet",
    doc: "The law of a packet's size: any from `least` to `most`, or one of `sizes`.",
    kinds: &[],
    keys: &[
        key("least", Ty::Bytes, "The smallest packet; each size up to `most` is as likely."),
        key("most", Ty::Bytes, "The largest packet, with `least`."),
        key("sizes", Ty::List(&Ty::Bytes), "A few sizes, drawn by `weights`."),
        key("weights", Ty::List(&Ty::Count(1, u32::MAX as u64)), "One for each of `sizes`.")
            .default("1 each"),
    ],
};

/// The largest burst.
pub(crate) const LARGEST_BURST: u64 = 1_000_000_000_000;

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
            "sigma: what may come at once on top of AR, at least the largest packet.",
            words("the largest packet");
    }
}

pub(crate) static RESERVATION: Tab = Tab {
    name: "reservation",
    doc: "What a flow has reserved on every link of its path.",
    kinds: &[],
    keys: OF_RESERVATIONS,
};

keys! { pub(crate) OF_ENVELOPES:
    of EVERY => {
        AIR: Count<1, 100_000_000> = "packets", "AIR: packets in any interval.", required("10");
        AI: Span = "interval",
            "AI. The average gap is AI / AIR, the least gap half of it; cells are those of the \
             first link.",
            required("\"1 s\"");
    }
}

pub(crate) static ENVELOPE: Tab = Tab {
    name: "envelope",
    doc: "About so many packets in any interval: the source is held back, not its packets.",
    kinds: &[],
    keys: OF_ENVELOPES,
};

taken! { in SizeLaw:
    /// A rate in bits, or in packets of these sizes.
    Pace is Rate, Ty::Pace, |item, size, sink| item.pace(size, None, sink);
}

/// The most packets that may wait at a policer. They are planned ahead, so they take memory.
pub(crate) const MOST_ROOM: u64 = 1_000_000;
pub(crate) const POLICING_KINDS: &[&str] = &["leaky-bucket", "token-bucket", "gcra"];

pub(crate) static POLICING: Tab = Tab {
    name: "policing",
    doc: "What the edge, between a source and its host's queue, makes of packets that come too \
          fast.",
    kinds: POLICING_KINDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(POLICING_KINDS),
            "`leaky-bucket`: a queue that lets one packet out per period ([Turner86], bucket A). \
             `token-bucket`: tokens at a rate, saved up to a burst (bucket B). `gcra`: one packet \
             per increment, a limit early at most ([I.371]).",
        )
        .required(),
        key(
            "rate",
            Ty::Pace,
            "Tokens; or the largest packet's time at it is the period or increment.",
        )
        .default("that of the reservation"),
        key("burst", Ty::Bytes, "Depth of the bucket, at least the largest packet.")
            .of(&["token-bucket"])
            .default("that of the reservation"),
        key("limit", SPAN_OR_ZERO, "tau: how early a packet may be.").of(&["gcra"]).required(),
        key(
            "excess",
            Ty::Choice(&["discard", "delay", "low-priority"]),
            "What happens to a packet that comes too fast: it is discarded; it waits until it \
             conforms; or it is sent by a second flow, `NAME.excess`, of the lowest priority and \
             without reservation.",
        )
        .of(&["token-bucket", "gcra"])
        .default("discard"),
        key(
            "room",
            Ty::Count(1, MOST_ROOM),
            "How many packets may wait; more are discarded. With `leaky-bucket`, and `excess = \
             \"delay\"`.",
        ),
    ],
};
