//! The keys of sources that are connections of TCP.

use hopflow_network::transport::rpc::RpcSpec;
use hopflow_network::transport::tcp::{TcpAcks, TcpFacts, TcpSpec, TcpTimers, TcpVariant};
use hopflow_units::Picos;

use super::{Key, SPAN, Tab, Ty, key};
use crate::described::{Choice, EVERY, Flag, Maybe, Octets, SmallOctets, Span, Whole, keys, taken};

/// The congestion control of a source that does not state one: what most hosts of today use.
pub(crate) const USUAL_VARIANT: TcpVariant = TcpVariant::Cubic;

/// The shortest clock and time-out.
const SHORTEST: Picos = Picos(1_000_000);

/// Sources that are connections: an endpoint at each of two hosts, a VC there and a VC back.
pub(crate) const CONNECTION_KINDS: &[&str] = &["tcp", "nfs", "rpc-replay"];
const TCP: &[&str] = &["tcp"];

pub(crate) const ACKS: &[&str] = &["every-segment", "window-moves", "every-second"];

/// Words of `acks`.
pub(crate) struct AckRule;

impl Choice for AckRule {
    const WORDS: &'static [&'static str] = ACKS;
}

/// Words of `variant`.
pub(crate) struct Variant;

impl Choice for Variant {
    const WORDS: &'static [&'static str] = TcpVariant::NAMES;
}

// What a control of TCP has by default is in its facts.
keys! { pub(crate) OF_SEGMENTS:
    of TCP => {
        VARIANT: Variant = "variant", "", doc_by(variants),
            default(|_| USUAL_VARIANT.facts().name, "cubic, with a warning");
        MSS: SmallOctets<1, 65_495> = "mss", "Bytes of data in a full segment.",
            words_by(|| by_variant(|facts| Some(format!("{} B", facts.mss))));
    }
    of CONNECTION_KINDS => {
        MTU: SmallOctets<576, 65_535> = "mtu",
            "The largest IP packet. TCP: `mss` is that less the headers. NFS and replay: longer \
             datagrams are cut.",
            default(
                |_| RpcSpec::default().mtu,
                "9180 B for NFS and replay ([RFC1626]); TCP uses `mss`",
            );
    }
    of TCP => {
        HEADER: SmallOctets<1, 120> = "header",
            "Bytes of the IP and TCP headers, without SACK blocks.",
            default(|_| TcpSpec::reno().header, "40 B");
        WINDOW: SmallOctets<1, { 65_535 << 14 }> = "window",
            "The receiver's buffer: the most bytes that may be unacknowledged.",
            words_by(|| by_variant(|facts| Some(format!("{} B", facts.window))));
        WINDOW_SCALE: Whole<0, 14> = "window-scale",
            "The window is advertised in units of 2^this bytes, rounded down ([RFC7323]).",
            words("the least with which `window` can be advertised");
        ALLOW_SMALL_WINDOW: Flag = "allow-small-window",
            "Accept a window that is less than the loop of its path.", default(|_| false, "false");
    }
    of CONNECTION_KINDS => {
        TICK: Clock = "tick",
            "The clock in which round trips are measured and time-outs run: whole ticks.",
            default(|_| RpcSpec::default().tick, ""),
            words_by(|| {
                format!("{}; 40 ms for NFS and replay; else `granularity`", by_variant(tick))
            });
    }
    of TCP => {
        GRANULARITY: Clock = "granularity",
            "Instead of `tick`: round trips are exact, time-outs are rounded up to this \
             ([RFC6298]).",
            words_by(|| by_variant(granularity));
        MIN_RTO: Maybe<Clock> = "min-rto",
            "The least time-out; rounded up to whole ticks where `tick` applies.",
            words("2 ticks; 200 ms with `granularity`");
        RTTVAR_FACTOR: Factor = "rttvar-factor",
            "Mean deviations in a time-out, where `tick` applies: 2 (before June 1990) or 4.",
            default(|_| 4, "4");
        ACK_RULE: AckRule = "acks",
            "When data in order is acknowledged: `every-segment`: at once; `window-moves`: when \
             the window can move by two segments or half the buffer, or at `fast-tick` (BSD); \
             `every-second`: at every second full segment, or after `ack-delay` ([RFC5681] 4.2).",
            words_by(|| by_variant(|facts| Some(acks_word(facts.acks).to_owned())));
        FAST_TICK: Clock = "fast-tick",
            "The clock of acknowledgements, with `acks = \"window-moves\"`.",
            default(|_| Picos(Picos::PER_SECOND / 5), "200 ms");
        ACK_DELAY: Clock = "ack-delay",
            "The longest time that data waits, with `acks = \"every-second\"`.",
            words_by(|| by_variant(|facts| Some(ack_delay(facts).to_string())));
        INITIAL_WINDOW: Whole<1, 64> = "initial-window",
            "The congestion window at the start, in segments.",
            words_by(|| by_variant(|facts| Some(facts.initial_window.to_string())));
        NAGLE: Flag = "nagle",
            "A last segment that is not full waits until all before it is acknowledged.",
            default(|_| TcpSpec::reno().nagle, "true");
        IMPATIENT: Flag = "impatient", "", doc_by(impatient), default(|_| false, "false");
    }
}

const CARRIED: Ty =
    Ty::AnyOf(&[Ty::WordOr(&["infinite"], &Ty::BYTES), Ty::List(&Ty::Table(&TRANSFER))]);
pub(crate) const TRANSFERS: Key = key(
    "transfer",
    CARRIED,
    "The data to carry: without end, a number of bytes that are there at the start, or a list of \
     bytes that arrive at instants of the run.",
)
.of(TCP)
.default("infinite");

keys! { pub(crate) OF_SEQUENCES:
    of TCP => {
        FIRST_SEQUENCE: Whole<0, { u32::MAX }> = "first-sequence",
            "The sequence number of the first byte; near 2^32 it wraps soon.",
            default(|_| TcpSpec::reno().first, "1");
    }
}

/// The most entries of a schedule.
pub(crate) const MOST_TRANSFERS: usize = 1_000_000;
/// The largest transfer.
pub(crate) const LARGEST_TRANSFER: u64 = 1_000_000_000_000_000_000;

keys! { pub(crate) OF_TRANSFERS:
    of EVERY => {
        AT: Span<true> = "at", "When, from the start of the run; never decreasing.",
            required("\"1 ms\"");
        BYTES: Octets<1, LARGEST_TRANSFER> = "bytes", "The number of bytes.", required("\"1 MB\"");
    }
}

pub(crate) static TRANSFER: Tab = Tab {
    name: "transfer",
    doc: "Bytes that the application hands over at an instant.",
    kinds: &[],
    keys: OF_TRANSFERS,
};

taken! { in Picos:
    /// A clock or a time-out of at least a microsecond; shorter ones only make events.
    Clock is Picos, SPAN, |item, cell, sink| {
        let span = item.span(*cell, false, sink)?;
        if span < SHORTEST {
            item.out_of_range(sink, &span.to_string(), "1 us or more");
            return None;
        }
        Some(span)
    };

    /// Mean deviations in a time-out.
    Factor is u32, Ty::Count(2, 4), |item, _, sink| {
        let factor = item.count(2, 4, sink)?;
        if factor == 3 {
            item.out_of_range(sink, "3", "2 or 4");
            return None;
        }
        Some(factor as u32)
    };
}

/// What `variant` says of each congestion control.
fn variants() -> String {
    let each = TcpVariant::FACTS.iter().map(|facts| format!("`{}`: {}", facts.name, facts.meaning));
    format!(
        "How the congestion window moves; it also chooses the defaults of all other keys. {}.",
        each.collect::<Vec<_>>().join("; ")
    )
}

/// What `impatient` says.
fn impatient() -> String {
    let able = TcpVariant::FACTS.iter().filter(|facts| facts.partial_acks);
    format!(
        "Only for {}: only the first partial acknowledgement of a recovery restarts the \
         retransmission timer [RFC6582], instead of each.",
        all_of(able.map(|facts| facts.name)),
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
