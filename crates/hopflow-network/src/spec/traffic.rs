//! Traffic of a VC: its source, its packets, and the policing at the edge.

use hopflow_units::{Bytes, Picos, Rate};

/// The source of a VC's cells. Every span of cells at the source's speed uses the cell time of the
/// first hop's link.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceSpec {
    /// Always has one more cell; a cell is born at its first start.
    Greedy,
    /// Cell n is due at start + n x k cell times.
    EveryKth {
        /// k, at least 1.
        k: u64,
    },
    /// Packet n is due at start + ceil(bits of the packets before it / rate).
    Constant {
        /// The rate, including headers.
        rate: Rate,
    },
    /// Bursts of back-to-back cells (one per cell time) with silence between. The first burst
    /// begins after one silence drawn from `off`, unless `burst_first`.
    OnOff {
        /// Cells in a burst.
        burst: LengthLaw,
        /// Silence between the end of a burst's last cell time and the next burst.
        off: SpanLaw,
        /// Whether the first burst begins at once.
        burst_first: bool,
    },
    /// A constant rate that alternates: `low` for `half_period`, then `high` for the same time.
    /// `None` is silence; not both are `None`.
    Alternating {
        /// The first rate.
        low: Option<Rate>,
        /// The second rate.
        high: Option<Rate>,
        /// The duration of each rate.
        half_period: Picos,
    },
    /// Packet trains [Zhang90] 3.1.2: geometric length, fixed spacing inside a train, and
    /// `spacing` + an exponential pause from the last packet of a train to the next train.
    Train {
        /// Mean number of packets of a train, at least 1.
        length: f64,
        /// From one packet of a train to the next.
        spacing: Picos,
        /// Mean of the exponential part of the gap between trains.
        pause: Picos,
    },
    /// Poisson arrivals.
    Poisson {
        /// Mean gap.
        gap: Picos,
    },
    /// One packet every `gap`, the first at a random phase in `[0, gap)` after `start`.
    Phased {
        /// From one packet to the next.
        gap: Picos,
    },
    /// The endpoint of a connection ([`crate::ConnectionSpec`]) makes the packets. `start` and
    /// `stop` are those of the connection.
    Endpoint,
    /// A recorded trace: instants relative to `start`, not decreasing.
    Replay {
        /// When each cell is due.
        times: Vec<Picos>,
    },
    /// A machine from outside hopflow. Experimental.
    External {
        /// Its index in the network's list of machines.
        machine: u16,
    },
}

/// The law of a number of cells, at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthLaw {
    /// Constant, at least 1.
    Fixed(u64),
    /// Geometric on 1, 2, ... with this mean, at least 1.
    Geometric(f64),
    /// Exponential with this mean, rounded up to a whole cell.
    Exponential(f64),
}

/// The law of a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpanLaw {
    /// Constant.
    Fixed(Picos),
    /// A whole number of cell times, geometric on 0, 1, ... with this mean in cell times.
    GeometricCells(f64),
    /// Exponential with this mean, rounded up to a whole picosecond.
    Exponential(Picos),
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

/// The user-behaviour envelope, [Zhang90] Appendix A: at most about AR x AI packets in any AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvelopeSpec {
    /// AIR: the number of send times that the source remembers, at least 1.
    pub packets: u32,
    /// AI.
    pub interval: Picos,
    /// The gap after a packet that is sent AI or more after the AIR-th before it.
    pub least_gap: Picos,
    /// The gap after any other packet: 1 / AR.
    pub average_gap: Picos,
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
