//! The keys of transport: packets cut into cells, and what the ends of connections do.

use hopflow_network::transport::tcp::{TcpAcks, TcpFacts, TcpTimers, TcpVariant};
use hopflow_units::Picos;

use super::{Key, SPAN, SPAN_OR_ZERO, Tab, Ty, key};

/// Sources that are connections: an endpoint at each of two hosts, a VC there and a VC back.
pub(crate) const CONNECTION_KINDS: &[&str] = &["tcp", "nfs", "rpc-replay"];
const TCP: &[&str] = &["tcp"];
const NFS: &[&str] = &["nfs"];
const RPC: &[&str] = &["nfs", "rpc-replay"];

pub(crate) const FRAMINGS: &[&str] = &["none", "aal5"];
pub(crate) const ENCAPSULATIONS: &[&str] = &["llc-snap", "vc-multiplexed"];

pub(crate) const FRAME_DISCARDS: &[&str] = &["none", "partial", "early"];

pub(crate) static FRAME_DISCARD: Tab = Tab {
    name: "frame-discard",
    doc: "Whether a switch drops frames of AAL5 rather than cells.",
    kinds: FRAME_DISCARDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(FRAME_DISCARDS),
            "`partial`: the rest of a frame that has lost a cell, but not its last cell. `early`: \
             a frame that begins above a threshold, whole; then as `partial`.",
        )
        .required(),
        key("threshold", Ty::Size, "Cells that the switch holds in all, as a frame begins.")
            .of(&["early"])
            .default("no limit; one of the two is needed"),
        key("vc-threshold", Ty::Size, "Cells that it holds of the frame's VC.")
            .of(&["early"])
            .default("no limit; one of the two is needed"),
    ],
};

const FRAME_DISCARD_OR_KIND: Ty =
    Ty::AnyOf(&[Ty::Choice(FRAME_DISCARDS), Ty::Table(&FRAME_DISCARD)]);
pub(super) const FRAME_DISCARD_KEY: Key = key(
    "frame-discard",
    FRAME_DISCARD_OR_KIND,
    "What a switch that has no room drops of flows with AAL5 framing: cells, or frames. A \
     kind, or a table; `early` needs one.",
)
.default("none");

pub(crate) static FRAMING: Tab = Tab {
    name: "framing",
    doc: "How packets are cut into cells.",
    kinds: FRAMINGS,
    keys: &[
        key(
            "kind",
            Ty::Choice(FRAMINGS),
            "`aal5`: a packet, its encapsulation and a trailer of 8 bytes, in whole cells of 48 \
             bytes of payload; the last one is marked. `none`: packets are units themselves.",
        )
        .required(),
        key(
            "encapsulation",
            Ty::Choice(ENCAPSULATIONS),
            "`llc-snap`: 8 bytes before each packet tell protocols apart ([RFC1483]). \
             `vc-multiplexed`: nothing.",
        )
        .of(&["aal5"])
        .default("llc-snap, as in [RFC1626]"),
    ],
};

const FRAMING_OR_KIND: Ty = Ty::AnyOf(&[Ty::Choice(FRAMINGS), Ty::Table(&FRAMING)]);
pub(super) const FRAMING_KEY: Key = key(
    "framing",
    FRAMING_OR_KIND,
    "How packets become cells: a kind, or a table. With `aal5`, `packet` tells sizes from the IP \
     header on.",
)
.default("none");

pub(crate) const ACKS: &[&str] = &["every-segment", "window-moves", "every-second"];

/// The keys of sources that are connections: of TCP, then of NFS and replay.
pub(super) const OF_CONNECTIONS: &[Key] = &[
    key("variant", Ty::Choice(TcpVariant::NAMES), "").doc_by(variants).of(TCP).default("reno"),
    key("mss", Ty::Bytes, "Bytes of data in a full segment.")
        .of(TCP)
        .default_by(|| by_variant(|facts| Some(format!("{} B", facts.mss)))),
    key(
        "mtu",
        Ty::Bytes,
        "The largest IP packet. TCP: `mss` is that less the headers. NFS and replay: longer \
         datagrams are cut.",
    )
    .of(CONNECTION_KINDS)
    .default("9180 B for NFS and replay ([RFC1626]); TCP goes by `mss`"),
    key("header", Ty::Bytes, "Bytes of the IP and TCP headers, without SACK blocks.")
        .of(TCP)
        .default("40 B"),
    key("window", Ty::Bytes, "The receiver's buffer: most bytes that are unacknowledged.")
        .of(TCP)
        .default_by(|| by_variant(|facts| Some(format!("{} B", facts.window)))),
    key(
        "window-scale",
        Ty::Count(0, 14),
        "The window is told in units of 2^this bytes, rounded down ([RFC7323]).",
    )
    .of(TCP)
    .default("the least with which `window` can be told"),
    key(
        "tick",
        SPAN,
        "The clock in which round trips are measured and time-outs run: whole ticks.",
    )
    .of(CONNECTION_KINDS)
    .default_by(|| format!("{}; 40 ms for NFS and replay; else `granularity`", by_variant(tick))),
    key(
        "granularity",
        SPAN,
        "Instead of `tick`: round trips are exact, time-outs rounded up to this ([RFC6298]).",
    )
    .of(TCP)
    .default_by(|| by_variant(granularity)),
    key("min-rto", SPAN, "The least time-out; rounded up to whole ticks where `tick` rules.")
        .of(TCP)
        .default("2 ticks; 200 ms with `granularity`"),
    key(
        "rttvar-factor",
        Ty::Count(2, 4),
        "Mean deviations in a time-out, where `tick` rules: 2 (before June 1990) or 4.",
    )
    .of(TCP)
    .default("4"),
    key(
        "acks",
        Ty::Choice(ACKS),
        "When data in order is acknowledged: `every-segment` at once; `window-moves`: as the \
         window can move by two segments or half the buffer, or at `fast-tick` (BSD); \
         `every-second` full segment, or after `ack-delay` ([RFC5681] 4.2).",
    )
    .of(TCP)
    .default_by(|| by_variant(|facts| Some(acks_word(facts.acks).to_owned()))),
    key("fast-tick", SPAN, "The clock of acknowledgements, with `acks = \"window-moves\"`.")
        .of(TCP)
        .default("200 ms"),
    key("ack-delay", SPAN, "The longest that data waits, with `acks = \"every-second\"`.")
        .of(TCP)
        .default_by(|| by_variant(|facts| Some(ack_delay(facts).to_string()))),
    key("initial-window", Ty::Count(1, 64), "The congestion window at the start, in segments.")
        .of(TCP)
        .default_by(|| by_variant(|facts| Some(facts.initial_window.to_string()))),
    key(
        "nagle",
        Ty::Flag,
        "A last segment that is not full waits until all before it is acknowledged.",
    )
    .of(TCP)
    .default("true"),
    key("impatient", Ty::Flag, "")
        .doc_by(|| {
            let able = TcpVariant::FACTS.iter().filter(|facts| facts.partial_acks);
            format!(
                "Only for {}: only the first partial acknowledgement of a recovery starts the \
             retransmission timer anew [RFC6582], instead of each.",
                all_of(able.map(|facts| facts.name)),
            )
        })
        .of(TCP)
        .default("false"),
    key(
        "transfer",
        TRANSFERS,
        "What is carried: always more, so many bytes that are there at the start, or a list of \
         bytes that come at instants of the run.",
    )
    .of(TCP)
    .default("infinite"),
    key(
        "first-sequence",
        Ty::Count(0, u32::MAX as u64),
        "The sequence number of the first byte; near 2^32 it wraps soon.",
    )
    .of(TCP)
    .default("1"),
    key("first-timeout", SPAN, "The time-out before a round trip was measured, in whole ticks.")
        .of(RPC)
        .default("1 s"),
    key(
        "service",
        SPAN_OR_LAW,
        "How long the server works at a call; one at a time, first come first served.",
    )
    .of(RPC)
    .default("0 s"),
    key("outstanding", Ty::Count(1, u32::MAX as u64), "Most calls outstanding; others wait.")
        .of(&["rpc-replay"])
        .required(),
    key("size-median", Ty::Bytes, "Median of the sizes of files, which are lognormal.")
        .of(NFS)
        .default("6144 B"),
    key(
        "size-sigma",
        Ty::Number(0.0),
        "Standard deviation of the logarithm of the sizes; 0: all are alike.",
    )
    .of(NFS)
    .default("1"),
    key("block", Ty::Bytes, "Bytes that a READ asks for, at most 8192.").of(NFS).default("8192 B"),
    key("read-ahead", Ty::Count(1, 1_000), "Most READs outstanding.").of(NFS).default("2"),
    key(
        "think",
        Ty::WordOr(&["until-epoch"], &SPAN_OR_ZERO),
        "Mean of the exponential think time between LOOKUP, GETATTR, READs and the next file, \
         or: until the next epoch.",
    )
    .of(NFS)
    .default("1.7 ms"),
    key(
        "start-window",
        SPAN_OR_ZERO,
        "The first call comes at random within this after the client's start.",
    )
    .of(NFS)
    .default("50 ms"),
    key("epochs", Ty::Table(&EPOCHS), "Instants at which clients act together.")
        .of(NFS)
        .default("none"),
    key("files", Ty::Count(1, u64::MAX), "How many files are read.").of(NFS).default("no end"),
];

/// What `variant` says of each congestion control.
fn variants() -> String {
    let each = TcpVariant::FACTS.iter().map(|facts| format!("`{}`: {}", facts.name, facts.meaning));
    format!(
        "How the congestion window moves; it also chooses the defaults of all other keys. {}.",
        each.collect::<Vec<_>>().join("; ")
    )
}

/// The default of a key under each congestion control, those with the same one together; the last
/// ones are "else", if each has one.
fn by_variant(default: impl Fn(&TcpFacts) -> Option<String>) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let mut each = true;
    for facts in TcpVariant::FACTS {
        let Some(value) = default(facts) else {
            each = false;
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == value) {
            Some((_, names)) => names.push(facts.name),
            None => groups.push((value, vec![facts.name])),
        }
    }
    let rest = groups.pop_if(|_| each).map(|(value, _)| value);
    let groups = groups.into_iter().map(|(value, names)| format!("{value} for {}", all_of(names)));
    let rest = rest.into_iter().map(|value| format!("else {value}"));
    groups.chain(rest).collect::<Vec<_>>().join("; ").trim_start_matches("else ").to_owned()
}

/// `a`, `b` and `c`.
fn all_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

fn tick(facts: &TcpFacts) -> Option<String> {
    match facts.timers {
        TcpTimers::Ticks { tick, .. } => Some(tick.to_string()),
        TcpTimers::Fine { .. } => None,
    }
}

fn granularity(facts: &TcpFacts) -> Option<String> {
    match facts.timers {
        TcpTimers::Ticks { .. } => None,
        TcpTimers::Fine { granularity, .. } => Some(granularity.to_string()),
    }
}

/// The word of `acks`.
pub(crate) const fn acks_word(acks: TcpAcks) -> &'static str {
    match acks {
        TcpAcks::EverySegment => "every-segment",
        TcpAcks::WindowMoves { .. } => "window-moves",
        TcpAcks::EverySecond { .. } => "every-second",
    }
}

/// The default of `ack-delay`, of a control with other acknowledgements too.
pub(crate) const fn ack_delay(facts: &TcpFacts) -> Picos {
    match facts.acks {
        TcpAcks::EverySecond { delay } => delay,
        _ => Picos(Picos::PER_SECOND / 5),
    }
}

const ENTRY: Ty = Ty::Table(&TRANSFER);
const TRANSFERS: Ty = Ty::AnyOf(&[Ty::WordOr(&["infinite"], &Ty::Bytes), Ty::List(&ENTRY)]);

/// The most entries of a schedule.
pub(crate) const MOST_TRANSFERS: usize = 1_000_000;

pub(crate) static TRANSFER: Tab = Tab {
    name: "transfer",
    doc: "Bytes that the application hands over at an instant.",
    kinds: &[],
    keys: &[
        key("at", SPAN_OR_ZERO, "When, from the start of the run; never decreasing.").required(),
        key("bytes", Ty::Bytes, "How many.").required(),
    ],
};

const SPAN_OR_LAW: Ty = Ty::AnyOf(&[SPAN_OR_ZERO, Ty::Table(&SERVICE)]);

pub(crate) static EPOCHS: Tab = Tab {
    name: "epochs",
    doc: "Instants that clients have in common, as when one command goes to many of them.",
    kinds: &[],
    keys: &[
        key("stream", Ty::Name, "Clients with the same name have the same instants.")
            .default("epochs"),
        key("gap", SPAN, "Mean of the exponential gap between them, at least 1 us.").required(),
        key("join", Ty::Probability, "How likely a client joins one, at least 0.001.").default("1"),
        key("jitter", SPAN_OR_ZERO, "A client that joins is late by up to this, at random.")
            .default("0 s"),
    ],
};

pub(crate) const SERVICES: &[&str] = &["fixed", "exponential"];

pub(crate) static SERVICE: Tab = Tab {
    name: "service",
    doc: "The law of a service time.",
    kinds: SERVICES,
    keys: &[
        key("kind", Ty::Choice(SERVICES), "`exponential` rounded up to a ps.").required(),
        key("mean", SPAN_OR_ZERO, "Mean.").required(),
    ],
};
