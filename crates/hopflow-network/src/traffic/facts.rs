//! What is known of a source beside how it works: what checks, warnings, bounds, fair shares and
//! engines ask. Each source answers in its own file, so that nobody else has a list of sources.

use hopflow_units::{Picos, Rate};

use crate::{LengthLaw, SpanLaw};

/// Facts of a source that do not depend on its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// As results write it: `every-kth`.
    pub name: &'static str,
    /// Scenarios have it as a kind of its own, of the same name. Else a key of another kind, or a
    /// connection, makes it.
    pub is_kind: bool,
    /// Who makes its packets.
    pub made_by: MadeBy,
    /// Its packets follow the rate that rate control allows the VC. It needs that control, and
    /// nothing else holds it back.
    pub follows_rate: bool,
}

impl Facts {
    /// A kind of scenarios that makes its packets itself.
    pub(super) const fn new(name: &'static str) -> Facts {
        Facts { name, is_kind: true, made_by: MadeBy::Source, follows_rate: false }
    }
}

/// Who makes the packets of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeBy {
    /// The source: it knows when each is due.
    Source,
    /// The engine, as each starts: there is always one more.
    Engine,
    /// The endpoint of a connection.
    Endpoint,
}

/// When packets come, before anything holds the source back. Several sources may have one shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals<'s> {
    /// No limit is known, for this reason.
    Unlimited(&'static str),
    /// One in N times of the largest packet on the first link, N at least 1; the first at the
    /// start.
    PacketTimes(u64),
    /// Gaps of a mean, whatever the sizes of packets.
    Gaps {
        /// The mean, in ps.
        mean_ps: f64,
        /// The least, above zero; or why there is none.
        least: Result<Picos, &'static str>,
        /// It looks alike from every instant: in a span of less than the mean gap, the chance of
        /// a packet is at most span / mean.
        is_stationary: bool,
    },
    /// A packet comes when the bits before it have passed at this rate; the first at the start.
    Steady(Rate),
    /// The same at two rates in turn, each for so long, the first from the start on. `None` is
    /// silence.
    Alternating {
        /// In turn; not both are silence.
        rates: [Option<Rate>; 2],
        /// How long each lasts.
        half_period: Picos,
    },
    /// Bursts of packets one after the other on the first link, silence between.
    Bursts {
        /// Packets of a burst.
        burst: LengthLaw,
        /// Silence after it.
        off: SpanLaw,
    },
    /// Known instants, relative to the start, not decreasing.
    Recorded(&'s [Picos]),
}

/// How much faster a source shall be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faster {
    /// The factor of the rate, at least 1.
    pub times: f64,
    /// No rate is above this one.
    pub fastest: Rate,
}

impl Faster {
    /// A gap at the greater rate, see [`shortened`].
    pub(super) fn shortened(self, gap: Picos) -> Picos {
        shortened(gap, self.times)
    }

    /// The greater rate, rounded down.
    pub(super) fn raised(self, rate: Rate) -> Result<Rate, NotFaster> {
        let bps = (rate.bps() as f64 * self.times).min(u64::MAX as f64) as u64;
        Rate::from_bps(bps).filter(|rate| *rate <= self.fastest).ok_or(NotFaster::OutOfRange)
    }
}

/// A gap / `times`, rounded up, at least 1 ps.
pub fn shortened(gap: Picos, times: f64) -> Picos {
    Picos(((gap.0 as f64 / times).ceil() as u64).max(1))
}

/// Why a source cannot be faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFaster {
    /// Sources of its kind have no rate that could be raised.
    NoLaw,
    /// There is no such rate.
    OutOfRange,
}
