//! Traffic of a VC: the laws of its source, its packets, and what the edge does to them.

use hopflow_units::{Bytes, Picos, Rate};
use serde::Serialize;

/// The law of a number of cells, at least 1: the length of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "burst_law", content = "burst_packets", rename_all = "lowercase")]
pub enum LengthLaw {
    /// Constant, at least 1.
    Fixed(u64),
    /// Geometric on 1, 2, ... with this mean, at least 1.
    Geometric(f64),
    /// Exponential with this mean, rounded up to a whole cell.
    Exponential(f64),
}

/// The law of a span of time: the silence between bursts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "WrittenSpan")]
pub enum SpanLaw {
    /// Constant.
    Fixed(Picos),
    /// A whole number of cell times, geometric on 0, 1, ... with this mean in cell times.
    GeometricCells(f64),
    /// Exponential with this mean, rounded up to a whole picosecond.
    Exponential(Picos),
}

/// A [`SpanLaw`] in results.
#[derive(Serialize)]
#[serde(tag = "off_law", rename_all = "lowercase")]
enum WrittenSpan {
    Fixed { off_ps: Picos },
    Geometric { off_cell_times: f64 },
    Exponential { off_ps: Picos },
}

impl From<SpanLaw> for WrittenSpan {
    fn from(law: SpanLaw) -> WrittenSpan {
        match law {
            SpanLaw::Fixed(off_ps) => WrittenSpan::Fixed { off_ps },
            SpanLaw::GeometricCells(off_cell_times) => WrittenSpan::Geometric { off_cell_times },
            SpanLaw::Exponential(off_ps) => WrittenSpan::Exponential { off_ps },
        }
    }
}

/// The packets of a VC, and the restrictions of its source.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficSpec {
    /// Sizes on the wire, headers included.
    pub size: SizeLaw,
    /// The user-behaviour envelope of [Zhang90]: a closed loop around the gaps of the source.
    pub envelope: Option<EnvelopeSpec>,
    /// A policer or shaper between the source and its host's queue.
    pub policing: Option<PolicingSpec>,
    /// Whether the source obeys messages that tell it to slow down.
    pub obeys: bool,
    /// The number of packets after which the source ends, at least 1; `None`: no limit.
    pub packets: Option<u64>,
    /// The owner of the source's random stream, if not the VC: an excess VC uses the stream of the
    /// VC whose excess it carries.
    pub stream: Option<String>,
}

impl Default for TrafficSpec {
    /// Cells, no envelope, no policing, no reaction to messages, no end.
    fn default() -> TrafficSpec {
        TrafficSpec {
            size: SizeLaw::CELL,
            envelope: None,
            policing: None,
            obeys: false,
            packets: None,
            stream: None,
        }
    }
}

/// The law of a packet's size on the wire, headers included.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeLaw {
    /// A constant number of bytes, 1 to [`SizeLaw::LARGEST`].
    Fixed(Bytes),
    /// Any whole number of bytes from `least` to `most`, with equal probability.
    Uniform {
        /// The smallest, at least 1.
        least: Bytes,
        /// The largest.
        most: Bytes,
    },
    /// One of a few sizes, by weight.
    Mix(Vec<(Bytes, u32)>),
}

impl SizeLaw {
    /// An ATM cell.
    pub const CELL: SizeLaw = SizeLaw::Fixed(Bytes::CELL);
    /// The largest possible packet, in bytes.
    pub const LARGEST: Bytes = Bytes(1 << 20);

    /// The smallest packet that occurs.
    pub fn least(&self) -> Bytes {
        match self {
            SizeLaw::Fixed(size) => *size,
            SizeLaw::Uniform { least, .. } => *least,
            SizeLaw::Mix(sizes) => sizes.iter().map(|(size, _)| *size).min().unwrap_or_default(),
        }
    }

    /// The largest packet that occurs.
    pub fn most(&self) -> Bytes {
        match self {
            SizeLaw::Fixed(size) => *size,
            SizeLaw::Uniform { most, .. } => *most,
            SizeLaw::Mix(sizes) => sizes.iter().map(|(size, _)| *size).max().unwrap_or_default(),
        }
    }

    /// The one size, if there is only one.
    pub fn fixed(&self) -> Option<Bytes> {
        (self.least() == self.most()).then(|| self.most())
    }
}

/// The user-behaviour envelope, [Zhang90]: AR x AI packets in any AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EnvelopeSpec {
    /// AIR: the number of send times that the source remembers, at least 1.
    pub packets: u32,
    /// AI.
    #[serde(rename = "interval_ps")]
    pub interval: Picos,
    /// What follows from them.
    #[serde(flatten)]
    pub rule: EnvelopeRule,
}

/// How a source keeps to its envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EnvelopeRule {
    /// At most AIR packets in every span of length AI, wherever it begins.
    Strict,
    /// Appendix A: gaps that depend on the last AIR packets, so about AIR in any AI.
    #[serde(untagged)]
    Gaps {
        /// The gap after a packet that is sent AI or more after the AIR-th before it.
        #[serde(rename = "least_gap_ps")]
        least_gap: Picos,
        /// The gap after any other packet: 1 / AR.
        #[serde(rename = "average_gap_ps")]
        average_gap: Picos,
    },
}

impl EnvelopeSpec {
    /// The mean gap of a source that always has a packet, in ps; 0: the envelope does not limit it.
    pub fn mean_gap(&self) -> f64 {
        match self.rule {
            EnvelopeRule::Gaps { average_gap, .. } => average_gap.0 as f64,
            EnvelopeRule::Strict => self.interval.0 as f64 / f64::from(self.packets),
        }
    }
}

/// A policer or shaper at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicingSpec {
    /// The rule.
    pub rule: PolicingRule,
    /// What happens to a packet that does not conform.
    pub excess: Excess,
}

/// Decides which packets conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicingRule {
    /// Leaky bucket A [Turner86]: a queue of `packets`, emptied one packet per `period`.
    LeakyBucket {
        /// At most one packet leaves in this period.
        period: Picos,
        /// Room of the bucket in packets, at least 1.
        packets: u32,
    },
    /// Token bucket (leaky bucket B): tokens accrue at `rate`, up to `burst`.
    TokenBucket {
        /// Tokens in bits per second.
        rate: Rate,
        /// Depth in bytes, at least the largest packet.
        burst: Bytes,
    },
    /// Generic cell rate algorithm: one packet per `increment`, at most `limit` early.
    Gcra {
        /// T.
        increment: Picos,
        /// tau.
        limit: Picos,
    },
}

/// What happens to a packet that does not conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// It is discarded at the host and counted.
    Discarded,
    /// It waits until it conforms; at most this number may wait, more are discarded. (Leaky bucket
    /// A always works this way, with its own room.)
    Delayed {
        /// Room in packets.
        packets: u32,
    },
    /// It does not belong to this VC: another VC, made from the same stream, carries it.
    Elsewhere,
    /// This VC carries only the packets that do not conform.
    Only,
}
