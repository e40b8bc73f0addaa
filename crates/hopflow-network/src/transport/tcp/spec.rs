//! The parameters of a TCP connection: variant, sizes, timers, and its data.
//!
//! The presets of a variant are in its file in `congestion/`. [`TcpSpec::cai97`] has slow start and
//! time-outs only, with a window of 8,704,000 bytes [Cai97].

use hopflow_units::{Picos, SimTime};
use serde::Serialize;

use super::clocks::{TcpAcks, TcpTimers};
use super::congestion::TcpVariant;

/// The data that the application gives to the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Unlimited.
    Infinite,
    /// This number of bytes, all present at the start; at least 1.
    Bytes(u64),
    /// Bytes that are written at these instants of the run, in order of time; bytes written before
    /// the start of the connection wait for it.
    Schedule(Vec<(SimTime, u64)>),
}

/// A connection that carries data one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "tcp")]
pub struct TcpSpec {
    /// The variant.
    #[serde(skip)]
    pub variant: TcpVariant,
    /// Bytes of data in a full segment, 1 .. 65,495.
    #[serde(rename = "mss_bytes")]
    pub mss: u32,
    /// Bytes of the IP and TCP headers without SACK; 40 by default, at most 120.
    #[serde(rename = "header_bytes")]
    pub header: u32,
    /// The receiver's buffer, which bounds the window, in bytes: from `mss` to 65,535 x 2^`scale`.
    #[serde(rename = "window_bytes")]
    pub window: u32,
    /// Window scaling [RFC7323] 2: the window is advertised in units of 2^`scale` bytes, rounded
    /// down. 0 (none) .. 14.
    #[serde(rename = "window_scale")]
    pub scale: u32,
    /// Round trips and time-outs.
    pub timers: TcpTimers,
    /// Acknowledgements.
    pub acks: TcpAcks,
    /// The congestion window at the start, in full segments, 1 .. 64.
    #[serde(rename = "initial_window_segments")]
    pub initial_window: u32,
    /// Whether a last segment that is not full waits until all before it is acknowledged.
    pub nagle: bool,
    /// If [`super::TcpFacts::partial_acks`]: whether only the first partial ack of a recovery
    /// restarts the retransmission timer [RFC6582] 3.2, instead of each.
    #[serde(skip)]
    pub impatient: bool,
    /// The data to carry.
    #[serde(skip)]
    pub transfer: Transfer,
    /// The number of the first byte of data.
    #[serde(rename = "first_sequence")]
    pub first: u32,
}

/// An error in a [`TcpSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TcpSpecError {
    /// The segment size.
    #[error("the MSS is {0} bytes; it must be 1 to 65,495")]
    Mss(u32),
    /// The headers.
    #[error("the headers are {0} bytes; they must be at most 120")]
    Header(u32),
    /// The window's scale.
    #[error("the window is scaled by {0}; at most 14 is possible")]
    Scale(u32),
    /// The window.
    #[error("the window is {window} bytes; it must be {least} (one MSS) to {most} bytes")]
    Window {
        /// The given window.
        window: u32,
        /// The MSS, rounded up to the unit of the window.
        least: u32,
        /// The greatest window that the scale allows.
        most: u32,
    },
    /// A tick, granularity, delay or least time-out of zero.
    #[error("{0} must not be zero")]
    Zero(&'static str),
    /// The factor of the mean deviation.
    #[error("the factor of the mean deviation is {0}; it must be 2 or 4")]
    RttvarFactor(u32),
    /// The initial window.
    #[error("the initial window is {0} segments; it must be 1 to 64")]
    InitialWindow(u32),
    /// An empty transfer, or an empty entry of one.
    #[error("a transfer needs at least one byte")]
    Empty,
    /// A schedule whose instants decrease.
    #[error("entry {0} of the schedule is earlier than the one before it")]
    Order(usize),
    /// A schedule of more than 2^64 - 1 bytes.
    #[error("the schedule has more than 2^64 - 1 bytes")]
    TooMuch,
}

impl TcpSpec {
    /// The defaults of a control, see the file of each.
    pub fn new(variant: TcpVariant) -> TcpSpec {
        let facts = variant.facts();
        TcpSpec {
            variant,
            mss: facts.mss,
            header: 40,
            window: facts.window,
            scale: facts.scale,
            timers: facts.timers,
            acks: facts.acks,
            initial_window: facts.initial_window,
            nagle: true,
            impatient: false,
            transfer: Transfer::Infinite,
            first: 1,
        }
    }

    /// 4.3BSD Reno, as on the hosts of [Kung97].
    pub fn reno() -> TcpSpec {
        TcpSpec::new(TcpVariant::Reno)
    }

    /// The sources of [Cai97]: 100 ms ticks, MSS 512, a window of 34,000 x 256 bytes, no fast
    /// retransmit, every segment acknowledged.
    pub fn cai97() -> TcpSpec {
        TcpSpec {
            mss: 512,
            window: 34_000 << 8,
            scale: 8,
            timers: TcpTimers::Ticks {
                tick: Picos(Picos::PER_SECOND / 10),
                min_ticks: 2,
                rttvar_factor: 4,
            },
            acks: TcpAcks::EverySegment,
            ..TcpSpec::new(TcpVariant::RenoWithoutFastRetransmit)
        }
    }

    /// The window as the receiver advertises it: whole units of 2^scale bytes.
    pub fn advertised_window(&self) -> u32 {
        self.window >> self.scale << self.scale
    }

    /// The greatest window that can be advertised, in bytes; the congestion window does not exceed
    /// it.
    pub fn most_window(&self) -> u32 {
        65_535 << self.scale
    }

    /// The congestion window at the start, in bytes.
    pub fn initial_cwnd(&self) -> u32 {
        (self.mss * self.initial_window).min(self.most_window())
    }

    /// The largest packet of the sender, in bytes from the IP header on. The smallest has one byte
    /// of data.
    pub fn largest_packet(&self) -> u32 {
        self.header + self.mss
    }

    /// The largest packet of the receiver: with three SACK blocks, if it sends any. The smallest is
    /// the headers alone.
    pub fn largest_ack(&self) -> u32 {
        self.header + if self.variant.facts().sack { 4 + 3 * 8 } else { 0 }
    }

    /// Checks every range.
    pub fn validate(&self) -> Result<(), TcpSpecError> {
        if !(1..=65_495).contains(&self.mss) {
            return Err(TcpSpecError::Mss(self.mss));
        }
        if self.header > 120 {
            return Err(TcpSpecError::Header(self.header));
        }
        if self.scale > 14 {
            return Err(TcpSpecError::Scale(self.scale));
        }
        if self.advertised_window() < self.mss || self.window > self.most_window() {
            return Err(TcpSpecError::Window {
                window: self.window,
                least: self.mss.div_ceil(1 << self.scale) << self.scale,
                most: self.most_window(),
            });
        }
        if !(1..=64).contains(&self.initial_window) {
            return Err(TcpSpecError::InitialWindow(self.initial_window));
        }
        self.validate_timers()?;
        self.validate_transfer()
    }

    fn validate_timers(&self) -> Result<(), TcpSpecError> {
        let zero = match self.timers {
            TcpTimers::Ticks { tick: Picos::ZERO, .. } => Some("the slow tick"),
            TcpTimers::Ticks { min_ticks: 0, .. } | TcpTimers::Fine { min: Picos::ZERO, .. } => {
                Some("the least time-out")
            }
            TcpTimers::Ticks { rttvar_factor, .. } if ![2, 4].contains(&rttvar_factor) => {
                return Err(TcpSpecError::RttvarFactor(rttvar_factor));
            }
            TcpTimers::Fine { granularity: Picos::ZERO, .. } => Some("the granularity"),
            _ => None,
        };
        let zero = zero.or(match self.acks {
            TcpAcks::WindowMoves { tick: Picos::ZERO } => Some("the fast tick"),
            TcpAcks::EverySecond { delay: Picos::ZERO } => Some("the delay"),
            _ => None,
        });
        zero.map_or(Ok(()), |what| Err(TcpSpecError::Zero(what)))
    }

    fn validate_transfer(&self) -> Result<(), TcpSpecError> {
        let Transfer::Schedule(entries) = &self.transfer else {
            let empty = self.transfer == Transfer::Bytes(0);
            return if empty { Err(TcpSpecError::Empty) } else { Ok(()) };
        };
        if entries.is_empty() || entries.iter().any(|(_, bytes)| *bytes == 0) {
            return Err(TcpSpecError::Empty);
        }
        if let Some(entry) = entries.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            return Err(TcpSpecError::Order(entry + 1));
        }
        let total = entries.iter().try_fold(0_u64, |sum, (_, bytes)| sum.checked_add(*bytes));
        total.map(|_| ()).ok_or(TcpSpecError::TooMuch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every preset is valid, and the window of [Cai97] is 8,704,000 bytes, 17,000 segments.
    #[test]
    fn the_presets_are_valid() {
        let presets = TcpVariant::ALL.iter().map(|variant| TcpSpec::new(*variant));
        assert!(presets.chain([TcpSpec::cai97()]).all(|spec| spec.validate().is_ok()));
        assert_eq!(TcpSpec::cai97().advertised_window(), 17_000 * 512);
        assert_eq!((TcpSpec::reno().largest_packet(), TcpSpec::reno().largest_ack()), (9_180, 40));
        assert_eq!(TcpSpec::new(TcpVariant::Cubic).largest_ack(), 68);
    }

    /// Claim [RFC7323] 2: the window is advertised in whole units of 2^scale bytes, rounded down.
    #[test]
    fn the_window_is_advertised_in_units() {
        let spec = TcpSpec { window: 100_255, scale: 8, ..TcpSpec::reno() };
        assert_eq!((spec.advertised_window(), spec.most_window()), (391 * 256, 65_535 * 256));
    }

    /// Claim: a value outside its range is reported, and one just inside is accepted.
    #[test]
    fn every_range_is_checked() {
        let reno = TcpSpec::reno;
        let tick = Picos(1);
        let ticks = |min_ticks, rttvar_factor| TcpTimers::Ticks { tick, min_ticks, rttvar_factor };
        let at = |seconds| SimTime(seconds * Picos::PER_SECOND);
        let schedule = |entries: &[(u64, u64)]| {
            Transfer::Schedule(entries.iter().map(|&(when, bytes)| (at(when), bytes)).collect())
        };
        let window = |window, least, most| TcpSpecError::Window { window, least, most };
        let bad = [
            (TcpSpec { mss: 0, ..reno() }, TcpSpecError::Mss(0)),
            (TcpSpec { mss: 65_496, ..reno() }, TcpSpecError::Mss(65_496)),
            (TcpSpec { header: 121, ..reno() }, TcpSpecError::Header(121)),
            (TcpSpec { scale: 15, ..reno() }, TcpSpecError::Scale(15)),
            (TcpSpec { window: 65_536, ..reno() }, window(65_536, 9_140, 65_535)),
            (TcpSpec { window: 9_215, scale: 8, ..reno() }, window(9_215, 9_216, 65_535 << 8)),
            (TcpSpec { initial_window: 65, ..reno() }, TcpSpecError::InitialWindow(65)),
            (TcpSpec { timers: ticks(0, 4), ..reno() }, TcpSpecError::Zero("the least time-out")),
            (TcpSpec { timers: ticks(2, 3), ..reno() }, TcpSpecError::RttvarFactor(3)),
            (
                TcpSpec { acks: TcpAcks::EverySecond { delay: Picos::ZERO }, ..reno() },
                TcpSpecError::Zero("the delay"),
            ),
            (TcpSpec { transfer: Transfer::Bytes(0), ..reno() }, TcpSpecError::Empty),
            (TcpSpec { transfer: schedule(&[(2, 1), (1, 1)]), ..reno() }, TcpSpecError::Order(1)),
            (
                TcpSpec { transfer: schedule(&[(1, u64::MAX), (1, 1)]), ..reno() },
                TcpSpecError::TooMuch,
            ),
        ];
        for (spec, error) in bad {
            assert_eq!(spec.validate(), Err(error));
        }
        let edge = TcpSpec { mss: 65_495, scale: 14, window: 65_535 << 14, ..reno() };
        assert_eq!(edge.validate(), Ok(()));
    }
}
