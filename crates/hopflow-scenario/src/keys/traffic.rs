//! The keys of what flows send: packets, sources, reservations, what sources keep to.

use hopflow_network::SourceSpec;

use super::{MOST, SPAN, SPAN_OR_ZERO, Tab, Ty, key, transport};

/// Kinds whose packets are counted; a connection ends as its protocol says.
const PLAIN_KINDS: &[&str] = SourceSpec::KINDS;
const CONNECTION_KINDS: &[&str] = &["tcp", "nfs", "rpc-replay"];

pub(crate) const SOURCE_KINDS: &[&str] =
    &joined::<{ PLAIN_KINDS.len() + CONNECTION_KINDS.len() }>(PLAIN_KINDS, CONNECTION_KINDS);

const fn joined<const N: usize>(
    first: &[&'static str],
    second: &[&'static str],
) -> [&'static str; N] {
    let (mut all, mut index) = ([""; N], 0);
    while index < N {
        let from_second = index >= first.len();
        all[index] = if from_second { second[index - first.len()] } else { first[index] };
        index += 1;
    }
    all
}

pub(crate) static SOURCE: Tab = Tab {
    name: "source",
    doc: "Where packets (cells) come from. Cell times are those of the first link.",
    kinds: SOURCE_KINDS,
    keys: &[
        key(
            "kind",
            Ty::Choice(SOURCE_KINDS),
            "`greedy`: always one more. `every-kth`: one packet \
             in k packet times. `constant`: packet n when the bits before it have passed at the \
             rate. `on-off`: bursts of back-to-back packets. `alternating`: two constant rates in \
             turn. `train`: packet trains with pauses between. `poisson`: exponential gaps. \
             `replay`: times from a file. `external`: an algorithm of your own. `tcp`, `nfs` and \
             `rpc-replay` are connections: the flow is two VCs, with an endpoint at each of the \
             two hosts.",
        )
        .required(),
        key("k", Ty::Count(1, MOST), "Packet times (of the largest packet) per packet.")
            .of(&["every-kth"])
            .required(),
        key("rate", Ty::SourceRate, "The mean rate, counted with headers.")
            .of(&["constant", "train", "poisson"])
            .required(),
        key(
            "phase",
            Ty::Choice(&["start", "random"]),
            "When the first packet comes: at the start of the flow, to the picosecond, or at \
             random within the gap of two packets after it.",
        )
        .of(&["constant"])
        .default("as `exact-phase` of the flow has it"),
        key("length", Ty::Number(1.0), "Mean number of packets in a train, geometric.")
            .of(&["train"])
            .required(),
        key(
            "burstiness",
            Ty::Number(1.0),
            "How many times the mean rate a train has: packets of a train are 1 / (burstiness x \
             rate) apart.",
        )
        .of(&["train"])
        .default("2, as in [Zhang90] 3.1.2"),
        key("burst", Ty::AnyOf(&[Ty::Count(1, MOST), Ty::Table(&BURST)]), "Packets in a burst.")
            .of(&["on-off"])
            .required(),
        key("off", Ty::AnyOf(&[SPAN, Ty::Table(&OFF)]), "Silence between bursts.")
            .of(&["on-off"])
            .required(),
        key("burst-first", Ty::Flag, "Begin with a burst instead of a silence.")
            .of(&["on-off"])
            .default("false"),
        key("low", Ty::SourceRate, "The first rate; 0 is silence.").of(&["alternating"]).required(),
        key("high", Ty::SourceRate, "The second rate; 0 is silence. One of the two is above 0.")
            .of(&["alternating"])
            .required(),
        key("half-period", SPAN, "How long each rate lasts.").of(&["alternating"]).required(),
        key(
            "file",
            Ty::Path,
            "CSV beside the scenario: the first line `time_ps`, `time_ns`, \
             `time_us`, `time_ms`, `time_s` or `time_cells`, then one time a line, from the \
             flow's start, never decreasing. For `rpc-replay` the first line is such a time, \
             `procedure` and `bytes`, then one call a line.",
        )
        .of(&["replay", "rpc-replay"])
        .required(),
        key(
            "packets",
            Ty::Count(1, MOST),
            "The source ends after so many packets, or at the flow's `stop`, whichever comes \
             first. A `replay` has at least so many.",
        )
        .of(PLAIN_KINDS)
        .default("no limit"),
        key(
            "machine",
            Ty::Name,
            "The name of a source of your own, which Python or a program in Rust registers; for \
             `tcp` with `variant = \"external\"` that of a congestion control of your own, which a \
             program in Rust registers; experimental.",
        )
        .of(&["external", "tcp"])
        .required(),
        transport::VARIANT,
        transport::MSS,
        transport::MTU,
        transport::HEADER,
        transport::WINDOW,
        transport::WINDOW_SCALE,
        transport::TICK,
        transport::GRANULARITY,
        transport::MIN_RTO,
        transport::RTTVAR_FACTOR,
        transport::ACKS_KEY,
        transport::FAST_TICK,
        transport::ACK_DELAY,
        transport::INITIAL_WINDOW,
        transport::NAGLE,
        transport::IMPATIENT,
        transport::TRANSFER_KEY,
        transport::FIRST_SEQUENCE,
        transport::FIRST_TIMEOUT,
        transport::SERVICE_KEY,
        transport::OUTSTANDING,
        transport::SIZE_MEDIAN,
        transport::SIZE_SIGMA,
        transport::BLOCK,
        transport::READ_AHEAD,
        transport::THINK,
        transport::START_WINDOW,
        transport::EPOCHS_KEY,
        transport::FILES,
    ],
};

const LAWS: &[&str] = &["fixed", "geometric", "exponential"];

pub(crate) static BURST: Tab = Tab {
    name: "burst",
    doc: "The law of a number of packets.",
    kinds: LAWS,
    keys: &[
        key(
            "kind",
            Ty::Choice(LAWS),
            "`geometric` on 1, 2, ...; `exponential` rounded up to a whole packet.",
        )
        .required(),
        key(
            "mean",
            Ty::Number(0.0),
            "Mean in packets, bare; at least 1 if geometric, whole if fixed.",
        )
        .required(),
    ],
};

pub(crate) static OFF: Tab = Tab {
    name: "off",
    doc: "The law of a silence.",
    kinds: LAWS,
    keys: &[
        key(
            "kind",
            Ty::Choice(LAWS),
            "`geometric`: whole packet times (of the largest packet) on 0, 1, ...; `exponential` \
             rounded up to a ps.",
        )
        .required(),
        key("mean", SPAN, "Mean; in cells, which stand for packets, if geometric.").required(),
    ],
};

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

pub(crate) static RESERVATION: Tab = Tab {
    name: "reservation",
    doc: "What a flow has reserved on every link of its path.",
    kinds: &[],
    keys: &[
        key("rate", Ty::Pace, "AR: the average rate, counted with headers.").required(),
        key(
            "interval",
            SPAN,
            "AI: the span over which AR is an average, at least that of one packet at AR; cells \
             are those of the first link.",
        )
        .default("100 of the largest packets at AR; [Zhang90] leaves it open"),
        key(
            "priority",
            SPAN_OR_ZERO,
            "P: how far ahead of real time the flow's VirtualClock stamps begin ([Zhang90] 2.2.2).",
        )
        .default("0 s"),
        key(
            "burst",
            Ty::Bytes,
            "sigma: what may come at once on top of AR, at least the largest packet.",
        )
        .default("the largest packet"),
    ],
};

pub(crate) static ENVELOPE: Tab = Tab {
    name: "envelope",
    doc: "About so many packets in any interval: the source is held back, not its packets.",
    kinds: &[],
    keys: &[
        key("packets", Ty::Count(1, 100_000_000), "AIR: packets in any interval.").required(),
        key(
            "interval",
            SPAN,
            "AI. The average gap is AI / AIR, the least gap half of it; cells are those of the \
             first link.",
        )
        .required(),
    ],
};

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
