//! The keys of sources: how they are read into a [`SourceSpec`].

use std::cell::RefCell;

use hopflow_network::traffic::shortened;
use hopflow_network::{LengthLaw, SizeLaw, SourceSpec, SpanLaw};
use hopflow_units::{Picos, Rate};

use super::tcp::CONNECTION_KINDS;
use super::transport::OF_CONNECTIONS;
use super::{Key, MOST, SPAN, Tab, Ty, key};
use crate::cell_time::cell_time;
use crate::described::{
    CellTime, Count, Described, EVERY, Flag, Fraction, Law, Maybe, Number, Queue, Span, choices,
    keys, reads, taken,
};
use crate::diagnostic::Sink;
use crate::machine;
use crate::quantity::Sort;
use crate::replay::{self, Traces};
use crate::section::Section;
use crate::tab::joined;
use crate::value::{Item, LONGEST};

/// Kinds whose packets are counted; a connection ends as its protocol says.
const PLAIN_KINDS: &[&str] = SourceSpec::KINDS;

pub(crate) const SOURCE_KINDS: &[&str] = &{
    let mut kinds = [""; PLAIN_KINDS.len() + CONNECTION_KINDS.len()];
    let (plain, connections) = kinds.split_at_mut(PLAIN_KINDS.len());
    plain.copy_from_slice(PLAIN_KINDS);
    connections.copy_from_slice(CONNECTION_KINDS);
    kinds
};

/// The context in which a source is read.
pub(crate) struct Sending<'s, 't> {
    /// The sizes of its packets.
    pub(crate) size: &'s SizeLaw,
    /// The rate of its first link.
    pub(crate) rate: Rate,
    /// The files that sources replay.
    pub(crate) traces: RefCell<&'s mut Traces<'t>>,
}

impl CellTime for Sending<'_, '_> {
    fn cell(&self) -> Picos {
        cell_time(self.rate)
    }
}

keys! { pub(crate) OF_PLAIN:
    of &["every-kth"] => {
        K: PacketTimes = "k", "Packet times (of the largest packet) per packet.",
            required("4");
    }
    of &["constant", "train", "poisson"] => {
        RATE: SourceRate = "rate", "The mean rate, counted with headers.",
            required("\"10 Mb/s\"");
    }
    of &["constant"] => {
        PHASE: Phase = "phase",
            "When the first packet is sent: at the start of the flow, to the picosecond, or at a \
             random time within one gap between packets after it.",
            default(|_| "start", "as `exact-phase` of the flow says");
    }
    of &["train"] => {
        LENGTH: Number<1> = "length", "Mean number of packets in a train, geometric.",
            required("5");
        BURSTINESS: Number<1> = "burstiness",
            "The rate of a train as a multiple of the mean rate: packets of a train are 1 / \
             (burstiness x rate) apart.",
            default(|_| 2.0, "2, as in [Zhang90] 3.1.2");
    }
    of &["on-off"] => {
        BURST: Packets = "burst", "Packets in a burst.",
            required("5");
        OFF: Silence = "off", "Silence between bursts.",
            required("\"1 ms\"");
        BURST_FIRST: Flag = "burst-first", "Begin with a burst instead of a silence.",
            default(|_| false, "false");
    }
    of &["alternating"] => {
        LOW: RateOrSilence = "low", "The first rate; 0 is silence.",
            required("\"1 Mb/s\"");
        HIGH: RateOrSilence = "high", "The second rate; 0 is silence. One of the two is above 0.",
            required("\"2 Mb/s\"");
        HALF_PERIOD: Span = "half-period", "How long each rate lasts.",
            required("\"1 ms\"");
    }
    of &["video"] => {
        FRAME_RATE: FrameGap = "frame-rate",
            "Frames per second, up to 1000000, without a unit; all cells of a frame come at its \
             instant.",
            required("30");
        PART: Maybe<Fraction> = "part",
            "The part of the allowed cell rate that a frame uses, above 0, up to 1.",
            words("(Nrm - 1) / Nrm, all but the RM cells");
        LEAST_FRAME: Queue = "least-frame", "The smallest frame, at least 1 cell.",
            default(|_| 1, "1 cells");
        MOST_FRAME: Maybe<Queue> = "most-frame", "The largest frame, at least `least-frame`.",
            words("no limit");
    }
    of &["replay", "rpc-replay"] => {
        FILE: Times = "file",
            "A CSV file beside the scenario: the first line is `time_ps`, `time_ns`, `time_us`, \
             `time_ms`, `time_s` or `time_cells`, then one time per line, from the flow's start, \
             never decreasing. For `rpc-replay` the first line is one of these, `procedure` and \
             `bytes`, then one call per line.",
            required("\"times.csv\"");
    }
    of PLAIN_KINDS => {
        PACKETS: Maybe<Count<1, MOST>> = "packets",
            "The source ends after this number of packets, or at the flow's `stop`, whichever \
             comes first. A `replay` has at least this number.",
            words("no limit");
    }
    of &["external", "tcp"] => {
        MACHINE: OwnSource = "machine",
            "The name of a source of your own, which Python or a program in Rust registers; for \
             `tcp` with `variant = \"external\"` that of a congestion control of your own, which a \
             program in Rust registers; experimental.",
            required("\"NAME\""), words("required; for `tcp` only with `variant = \"external\"`");
    }
}

const GAP: Described<Gap> = RATE.taking();
const BURSTS: Law<Packets, Burst, LengthLaw> =
    Law { bare: BURST, laws: Burst, fixed: LengthLaw::Fixed };
const OFFS: Law<Silence, Off, SpanLaw> = Law { bare: OFF, laws: Off, fixed: SpanLaw::Fixed };

reads! { SourceSpec, Sending<'_, '_>:
    "every-kth" = { SourceSpec::EveryKth { k } } of { k: K }
    "constant" = { source } of { source: Phase }
    "on-off" = { SourceSpec::OnOff { burst, off, burst_first } } of {
        burst: BURSTS,
        off: OFFS,
        burst_first: BURST_FIRST,
    }
    "alternating" = |table, _, sink| {
        match (low, high) {
            (None, None) => silent(table, sink),
            _ => Some(SourceSpec::Alternating { low, high, half_period }),
        }
    } of { low: LOW, high: HIGH, half_period: HALF_PERIOD }
    "train" = |table, _, sink| { train(gap, length, burstiness, table, sink) } of {
        gap: GAP,
        length: LENGTH,
        burstiness: BURSTINESS,
    }
    "poisson" = { SourceSpec::Poisson { gap } } of { gap: GAP }
    "replay" = { SourceSpec::Replay { times } } of { times: FILE }
    "video" = |table, _, sink| { video(frame, part, least, most, table, sink) } of {
        frame: FRAME_RATE,
        part: PART,
        least: LEAST_FRAME,
        most: MOST_FRAME,
    }
    "external" = { SourceSpec::External { machine } } of { machine: MACHINE }
}

choices! {
    /// When the first packet of a constant rate comes, and the source that this makes.
    Phase by PHASE, Sending<'_, '_>:
        "start" = { SourceSpec::Constant { rate } } of { rate: RATE }
        "random" = { SourceSpec::Phased { gap } } of { gap: GAP }
    -> SourceSpec
}

/// Reports that both rates are 0.
fn silent(table: &Section<'_>, sink: &mut Sink) -> Option<SourceSpec> {
    let item = HIGH.item(table)?;
    item.out_of_range(sink, "0 beside a `low` of 0", "above 0 for one of the two");
    None
}

/// A coder whose bounds are in order, and whose part is one.
fn video(
    frame: Picos,
    part: Option<f64>,
    least: u64,
    most: Option<u64>,
    table: &Section<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    if let Some(part) = part.filter(|part| !(*part > 0.0 && *part <= 1.0)) {
        PART.item(table)?.out_of_range(sink, &part.to_string(), "above 0, up to 1");
        return None;
    }
    if least == 0 {
        LEAST_FRAME.item(table)?.out_of_range(sink, "0 cells", "1 cell or more");
        return None;
    }
    if let Some(most) = most.filter(|most| *most < least) {
        let range = format!("at least {least} cells, the smallest frame");
        MOST_FRAME.item(table)?.out_of_range(sink, &format!("{most} cells"), &range);
        return None;
    }
    Some(SourceSpec::Video { frame, part, least, most })
}

/// Packet trains of mean gap g: packets are g / burstiness apart in a train of mean length L, and
/// the pause has mean L g - L g / burstiness, so that the mean rate is 1 / g.
fn train(
    gap: Picos,
    length: f64,
    burstiness: f64,
    table: &Section<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let spacing = shortened(gap, burstiness).min(gap);
    let pause = ((gap.0 - spacing.0) as f64 * length).ceil();
    if length > 1e9 || pause > LONGEST.0 as f64 {
        let range = "at most 1e9, with pauses of at most 100 days";
        LENGTH.item(table)?.out_of_range(sink, &length.to_string(), range);
        return None;
    }
    Some(SourceSpec::Train { length, spacing, pause: Picos(pause as u64) })
}

taken! { in Sending<'_, '_>:
    /// A rate, or a share of the first link.
    SourceRate is Rate, Ty::SOURCE_RATE,
        |item, with, sink| item.pace(with.size, Some(with.rate), sink);

    /// The same as the mean gap between packets.
    Gap is Picos, Ty::SOURCE_RATE, |item, with, sink| item.gap(with.size, with.rate, sink);

    /// The same, or `None`: a rate of 0.
    RateOrSilence is Option<Rate>, Ty::SOURCE_RATE, |item, with, sink| {
        let quantity = item.quantity(Sort::SOURCE_RATE, sink)?;
        if quantity.value.whole() == Some(0) {
            return Some(None);
        }
        item.pace(with.size, Some(with.rate), sink).map(Some)
    };

    /// A number of packet times, of the largest packet.
    PacketTimes is u64, Ty::Count(1, MOST), |item, with, sink| {
        let k = item.count(1, MOST, sink)?;
        let packet = with.rate.transmit_time(with.size.most());
        let span = packet.and_then(|packet| packet.checked_mul(k));
        if span.is_none_or(|span| span > LONGEST) {
            let range = "so small that packets are 100 days apart at most";
            item.out_of_range(sink, &k.to_string(), range);
            return None;
        }
        Some(k)
    };

    /// Frames per second, as the gap between two: rounded up.
    FrameGap is Picos, Ty::Number(0.0), |item, _, sink| {
        let rate = item.number(0.0, sink)?;
        let gap = (Picos::PER_SECOND as f64 / rate).ceil();
        if !(LEAST_FRAME_GAP.0 as f64..=LONGEST.0 as f64).contains(&gap) {
            let range = "a frame in 100 days, up to 1000000 a second";
            item.out_of_range(sink, &rate.to_string(), range);
            return None;
        }
        Some(Picos(gap as u64))
    };

    /// A file of times.
    Times is Vec<Picos>, Ty::Path,
        |item, with, sink| replay::times(item, with.cell(), &mut with.traces.borrow_mut(), sink);

    /// The place of a source that is made outside of hopflow.
    OwnSource is u16, Ty::Name, |item, _, sink| machine::named("source", item, sink);

    /// The length of a burst.
    Packets is u64, Ty::AnyOf(&[Ty::Count(1, MOST), Ty::Table(&BURST_TAB)]),
        |item, _, sink| item.count(1, LONGEST_BURST, sink);

    /// Its mean where it is geometric.
    GeometricMean is f64, Ty::Number(0.0), |item, _, sink| mean(item, 1.0, sink);

    /// Its mean where it is exponential.
    ExponentialMean is f64, Ty::Number(0.0), |item, _, sink| mean(item, 1e-6, sink);

    /// The length of a silence.
    Silence is Picos, Ty::AnyOf(&[SPAN, Ty::Table(&OFF_TAB)]),
        |item, with, sink| item.span(with.cell(), false, sink);

    /// The mean of a silence in packet times, of the largest packet.
    CellTimes is f64, Ty::span(false), |item, with, sink| {
        // Also holds the mean within the longest span.
        item.span(with.cell(), false, sink)?;
        item.quantity(&[Sort::Cells], sink).map(|cells| cells.value.as_f64())
    };
}

/// A million frames a second: far above any coder, and no run grows without limit by a slip.
const LEAST_FRAME_GAP: Picos = Picos(1_000_000);

/// The most packets of a burst.
const LONGEST_BURST: u64 = 1_000_000_000;

fn mean(item: &Item<'_>, least: f64, sink: &mut Sink) -> Option<f64> {
    let number = item.number(0.0, sink)?;
    if number < least || number > LONGEST_BURST as f64 {
        item.out_of_range(sink, &number.to_string(), &format!("from {least} to 1e9"));
        return None;
    }
    Some(number)
}

keys! { OF_BURSTS:
    of EVERY => {
        BURST_LAW: Burst = "kind",
            "`geometric` is on 1, 2, ...; `exponential` is rounded up to a whole packet.",
            required("\"geometric\"");
        BURST_MEAN: ExponentialMean = "mean",
            "Mean in packets, without a unit; at least 1 if geometric, whole if fixed.",
            required("5");
    }
}

static BURST_TAB: Tab = Tab {
    name: "burst",
    doc: "The distribution of a number of packets.",
    kinds: &["fixed", "geometric", "exponential"],
    keys: OF_BURSTS,
};

choices! {
    /// The length of a burst.
    Burst by BURST_LAW, Sending<'_, '_>:
        "fixed" = { LengthLaw::Fixed(mean) } of { mean: BURST_MEAN.taking::<Packets>() }
        "geometric" = { LengthLaw::Geometric(mean) } of {
            mean: BURST_MEAN.taking::<GeometricMean>(),
        }
        "exponential" = { LengthLaw::Exponential(mean) } of {
            mean: BURST_MEAN,
        }
    -> LengthLaw
}

keys! { OF_SILENCES:
    of EVERY => {
        OFF_LAW: Off = "kind",
            "`geometric`: whole packet times (of the largest packet) on 0, 1, ...; `exponential` \
             is rounded up to a ps.",
            required("\"exponential\"");
        OFF_MEAN: Span = "mean", "Mean; if geometric, in cells, which represent packets.",
            required("\"1 ms\"");
    }
}

static OFF_TAB: Tab = Tab {
    name: "off",
    doc: "The distribution of a silence.",
    kinds: &["fixed", "geometric", "exponential"],
    keys: OF_SILENCES,
};

choices! {
    /// The length of a silence.
    Off by OFF_LAW, Sending<'_, '_>:
        "fixed" = { SpanLaw::Fixed(mean) } of { mean: OFF_MEAN }
        "geometric" = { SpanLaw::GeometricCells(mean) } of { mean: OFF_MEAN.taking::<CellTimes>() }
        "exponential" = { SpanLaw::Exponential(mean) } of { mean: OFF_MEAN }
    -> SpanLaw
}

pub(crate) const SOURCE_KEY: Key =
    key("source", Ty::Table(&SOURCE), "The source of the flow's packets.")
        .default("greedy, as in most runs of [KMCL94]");

pub(crate) static SOURCE: Tab = Tab {
    name: "source",
    doc: "The source of packets (cells). Cell times are those of the first link.",
    kinds: SOURCE_KINDS,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(SOURCE_KINDS),
            "`greedy`: always one more packet. `every-kth`: one packet in k packet times. \
             `constant`: packet n is sent when the bits before it have passed at the rate. \
             `on-off`: bursts of back-to-back packets. `alternating`: two constant rates \
             alternately. `train`: packet trains with pauses between them. `poisson`: exponential \
             gaps. `replay`: times from a file. `video`: a coder under control `abr`, whose frames \
             follow the allowed rate. `external`: an algorithm of your own. `tcp`, `nfs` \
             and `rpc-replay` are connections: the flow is two VCs, with an endpoint at each of \
             the two hosts.",
        )
        .required()],
        OF_PLAIN,
        OF_CONNECTIONS,
    ),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the words of a default tell its value, unless that is nothing, or `phase`, whose
    /// words name another key.
    #[test]
    fn defaults_in_words_are_the_values() {
        let (mut traces, rate) = (Traces::new(&|_| Err(String::new())), Rate::from_bps(1).unwrap());
        let with = Sending { size: &SizeLaw::CELL, rate, traces: RefCell::new(&mut traces) };
        let mut defaults = defaults(&Section::empty(0..0, &SOURCE), &with);
        defaults.retain(|known| known.key != "phase");
        assert_eq!(defaults.len(), 5);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }

    /// Claim: every kind but `greedy`, which has no keys of its own, is read by its name, and
    /// results write it by the same.
    #[test]
    fn every_kind_has_keys() {
        let text = "k = 4\nrate = \"1 kb/s\"\nlength = 2\nburst = 2\noff = \"1 ms\"\n\
                    low = \"0 b/s\"\nhigh = \"1 kb/s\"\nhalf-period = \"1 ms\"\nfile = \"x\"\n\
                    frame-rate = 30";
        let table = toml::de::DeTable::parse(text).unwrap();
        let table = Section::new(table.get_ref(), 0..0, &SOURCE);
        let mut traces = Traces::new(&|_| Ok(b"time_ps\n1".to_vec()));
        let rate = Rate::from_bps(1_000_000).unwrap();
        let with = Sending { size: &SizeLaw::CELL, rate, traces: RefCell::new(&mut traces) };
        for kind in SourceSpec::KINDS.iter().filter(|kind| !["greedy", "external"].contains(kind)) {
            let source = read(kind, &table, &with, &mut Sink::new()).unwrap().expect("it has keys");
            assert_eq!(source.facts().name, *kind);
            assert_eq!(serde_json::to_value(source).unwrap()["kind"], *kind);
        }
        let named = |source: SourceSpec| {
            assert_eq!(serde_json::to_value(&source).unwrap()["kind"], source.facts().name);
        };
        named(SourceSpec::Greedy);
        named(SourceSpec::Endpoint);
        named(SourceSpec::Phased { gap: Picos(1) });
        named(SourceSpec::External { machine: 0 });
    }
}
