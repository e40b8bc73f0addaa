//! The sources of cells: each source only decides when its next cell is due.
//!
//! | source      | cell n is due at                                   | file             |
//! |-------------|----------------------------------------------------|------------------|
//! | greedy      | never: the engine makes a cell when it can start   | `greedy.rs`      |
//! | every k-th  | start + n k T                                      | `every_kth.rs`   |
//! | constant    | start + ceil(bits before it / rate)                | `constant.rs`    |
//! | on-off      | back to back in bursts, silence between            | `on_off.rs`      |
//! | alternating | when its bits have accrued at the present rate     | `alternating.rs` |
//! | train       | in trains of random length, pauses between         | `train.rs`       |
//! | poisson     | after an exponential gap                           | `poisson.rs`     |
//! | phased      | start + random phase + n x gap                     | `phased.rs`      |
//! | endpoint    | never: the endpoint of a connection makes a cell   | `endpoint.rs`    |
//! | replay      | start + the recorded instant                       | `replay.rs`      |
//! | video       | n cells at each frame, n from the allowed rate     | `video.rs`       |
//! | external    | when a machine outside hopflow decides             | `external.rs`    |
//!
//! T is the time of the largest packet on the first hop's link. Every source may have a `stop`: no
//! packet is born at or after it. Every source may end after a number of packets; both limits
//! apply. Packets fall due in order; several may fall due at one instant.
//!
//! The one list of sources is `sources!` below: parser, results, warnings, bounds, fair shares and
//! engines have it from there. The plan of each is in the file of its name, with what others ask
//! about it ([`Facts`], [`Arrivals`]); what all plans share is in `machine.rs`.
//!
//! Packets have sizes of a law of their own (`size.rs`). A [`Source`] may hold itself back: by the
//! user-behaviour envelope (`envelope.rs`), or for a while after a message that tells it to slow
//! down. Then the edge polices or shapes the packets (`edge.rs`).
//!
//! Not modelled: transport protocols.

mod alternating;
mod coded;
mod constant;
mod edge;
mod endpoint;
mod envelope;
mod every_kth;
mod external;
mod facts;
mod greedy;
mod machine;
mod on_off;
mod phased;
mod poisson;
mod replay;
mod size;
mod source;
mod table;
mod train;
mod video;

use hopflow_control::external::Fault;
use hopflow_units::{CellRate, Picos, Rate, SimTime};

use crate::{LengthLaw, SpanLaw};
use alternating::Alternating;
use constant::Constant;
use endpoint::Endpoint;
use every_kth::EveryKth;
use greedy::Greedy;
use machine::{FirstLink, Machine, Start};
use on_off::OnOff;
use phased::Phased;
use poisson::Poisson;
use replay::Replay;
use table::sources;
use train::Train;
use video::Video;

pub use coded::CodedCounters;
pub use external::ExternalSource;
pub use facts::{Arrivals, Facts, Faster, MadeBy, NotFaster, shortened};
pub use source::Source;

pub(crate) use external::External;

sources! {
    /// Always has one more cell; a cell is born at its first start.
    Greedy,
    /// The endpoint of a connection ([`crate::ConnectionSpec`]) makes the packets. `start` and
    /// `stop` are the connection's.
    Endpoint;

    /// Cell n is due at start + n x k cell times.
    EveryKth {
        /// k, at least 1.
        #[serde(with = "hopflow_units::exact")]
        k: u64,
    },
    /// Packet n is due at start + ceil(bits of the packets before it / rate).
    Constant {
        /// Counted with the headers.
        #[serde(rename = "rate_bps")]
        rate: Rate,
    },
    /// Bursts of back-to-back cells (one per cell time) with silence between. The first burst
    /// begins after one silence drawn from `off`, unless `burst_first`.
    OnOff {
        /// Cells in a burst.
        #[serde(flatten)]
        burst: LengthLaw,
        /// Silence between the end of a burst's last cell time and the next burst.
        #[serde(flatten)]
        off: SpanLaw,
        /// Whether the first burst begins at once.
        burst_first: bool,
    },
    /// A constant rate that alternates: `low` for `half_period`, then `high` as long. `None` is
    /// silence; not both are.
    Alternating {
        /// The first rate.
        #[serde(rename = "low_bps", serialize_with = "alternating::or_zero")]
        low: Option<Rate>,
        /// The second rate.
        #[serde(rename = "high_bps", serialize_with = "alternating::or_zero")]
        high: Option<Rate>,
        /// How long each lasts.
        #[serde(rename = "half_period_ps")]
        half_period: Picos,
    },
    /// Packet trains [Zhang90] 3.1.2: geometric length, fixed spacing inside a train, and from the
    /// last packet of a train to the next train `spacing` + an exponential pause.
    Train {
        /// Mean number of packets of a train, at least 1.
        #[serde(rename = "length_packets")]
        length: f64,
        /// From one packet of a train to the next.
        #[serde(rename = "spacing_ps")]
        spacing: Picos,
        /// Mean of the exponential part of the gap between trains.
        #[serde(rename = "pause_ps")]
        pause: Picos,
    },
    /// Poisson arrivals.
    Poisson {
        /// Mean gap.
        #[serde(rename = "gap_ps")]
        gap: Picos,
    },
    /// One packet every `gap`, the first at a random phase in `[0, gap)` after `start`.
    #[serde(rename = "constant, random phase")]
    Phased {
        /// From one packet to the next.
        #[serde(rename = "gap_ps")]
        gap: Picos,
    },
    /// A recorded trace: instants relative to `start`, not decreasing.
    Replay {
        /// When each cell is due; results have a digest of it.
        #[serde(skip)]
        times: Vec<Picos> as ref,
    },
    /// A coder: at each frame as many cells as the allowed rate of the VC, which is under rate
    /// control, carries until the next.
    Video {
        /// From frame to frame.
        #[serde(rename = "frame_ps")]
        frame: Picos,
        /// The part of the allowed rate that is coded; `None`: all but its RM cells.
        part: Option<f64>,
        /// The smallest frame, at least 1.
        #[serde(rename = "least_cells", with = "hopflow_units::exact")]
        least: u64,
        /// The largest frame; `None`: no bound.
        #[serde(rename = "most_cells")]
        most: Option<u64>,
    } in Box,
    /// A machine that is made outside of hopflow. Experimental.
    External {
        /// Its place in the list that the network has of them; results have its name.
        #[serde(skip)]
        machine: u16,
    } in Box,
}

impl SourceSpec {
    /// The kinds that scenarios have, in the order of the list.
    pub const KINDS: &[&str] = &kinds::<{ kind_count() }>();

    /// Whether it always has one more packet: the engine makes each as it starts.
    pub fn is_greedy(&self) -> bool {
        self.facts().made_by == MadeBy::Engine
    }

    /// Whether the endpoint of a connection makes its packets.
    pub fn is_endpoint(&self) -> bool {
        self.facts().made_by == MadeBy::Endpoint
    }

    /// The place of the machine, where it is made outside of hopflow.
    pub const fn external(&self) -> Option<u16> {
        match self {
            SourceSpec::External { machine } => Some(*machine),
            _ => None,
        }
    }
}

/// A packet that a source makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// When it was born: before it is due if a shaper delayed it.
    pub birth: SimTime,
    /// Its size on the wire.
    pub bytes: u32,
    /// Its fate at the edge.
    pub fate: Fate,
}

/// The fate of a packet at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It joins its host's queue.
    Sent,
    /// The policer discards it.
    Discarded,
    /// It does not belong to this VC, but to another one made from the same stream: nothing
    /// happens.
    LeftOut,
}

const fn kind_count() -> usize {
    let (mut index, mut count) = (0, 0);
    while index < SourceSpec::ALL.len() {
        count += SourceSpec::ALL[index].is_kind as usize;
        index += 1;
    }
    count
}

const fn kinds<const N: usize>() -> [&'static str; N] {
    let (mut kinds, mut index, mut count) = ([""; N], 0, 0);
    while index < SourceSpec::ALL.len() {
        if SourceSpec::ALL[index].is_kind {
            kinds[count] = SourceSpec::ALL[index].name;
            count += 1;
        }
        index += 1;
    }
    kinds
}

impl Plan {
    /// When the next packet, of `bytes`, is due; `NEVER` on overflow.
    #[inline]
    fn next_packet(&mut self, bytes: u32, first: &mut FirstLink) -> SimTime {
        of_each!(self, plan => plan.next_packet(bytes, first))
    }

    /// A message tells the source to slow down.
    fn slow_down(&mut self, now: SimTime) {
        of_each!(self, plan => plan.slow_down(now));
    }

    /// The packet that is due is made at this allowed rate.
    fn on_rate(&mut self, acr: CellRate) {
        of_each!(self, plan => plan.on_rate(acr));
    }

    /// The frames that it has coded, if it is a coder.
    fn coded(&self) -> Option<CodedCounters> {
        of_each!(self, plan => plan.coded())
    }

    /// Resets statistics that cannot be subtracted.
    fn restart_statistics(&mut self) {
        of_each!(self, plan => plan.restart_statistics());
    }

    /// Why an external source is not called any more.
    fn fault(&self) -> Option<&Fault> {
        of_each!(self, plan => plan.fault())
    }
}

/// What a packet needs in bits per second x picoseconds: its bits times 10^12.
const fn bit_picos(bytes: u32) -> u64 {
    bytes as u64 * 8 * Picos::PER_SECOND
}

#[cfg(test)]
mod tests;
