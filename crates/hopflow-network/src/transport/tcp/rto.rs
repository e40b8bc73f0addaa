//! The retransmission time-out: how long to wait for an acknowledgement.
//!
//! | timer             | round trips are           | file       |
//! |-------------------|---------------------------|------------|
//! | [`TickTimer`]     | counts of a shared clock  | `ticks.rs` |
//! | [`FineTimer`]     | spans                     | `fine.rs`  |
//!
//! Both time one segment at a time, and none that was sent again (Karn): a sample resets the
//! back-off, an acknowledgement without a sample keeps it.

mod fine;
mod ticks;

use hopflow_units::{Picos, SimTime};

use super::clocks::TcpTimers;
use super::spec::TcpSpec;

pub(crate) use fine::FineTimer;
pub(crate) use ticks::TickTimer;

/// The timer of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rto {
    /// The timer of BSD.
    Ticks(TickTimer),
    /// The timer of RFC 6298.
    Fine(FineTimer),
}

impl Rto {
    /// The state before the first sample.
    pub(crate) fn new(spec: &TcpSpec) -> Rto {
        match spec.timers {
            TcpTimers::Ticks { tick, min_ticks, rttvar_factor } => {
                Rto::Ticks(TickTimer::new(tick, min_ticks, rttvar_factor))
            }
            TcpTimers::Fine { granularity, min } => Rto::Fine(FineTimer::new(granularity, min)),
        }
    }

    /// A segment sent once, at `sent`, was acknowledged `now`.
    pub(crate) fn sample(&mut self, sent: SimTime, now: SimTime) {
        match self {
            Rto::Ticks(timer) => timer.sample(sent, now),
            Rto::Fine(timer) => timer.sample(now.since(sent)),
        }
    }

    /// The timer expired: the next wait is longer.
    pub(crate) fn back_off(&mut self) {
        match self {
            Rto::Ticks(timer) => timer.back_off(),
            Rto::Fine(timer) => timer.back_off(),
        }
    }

    /// When a timer that is set `now` expires.
    pub(crate) fn deadline(&self, now: SimTime) -> SimTime {
        match self {
            Rto::Ticks(timer) => timer.deadline(now),
            Rto::Fine(timer) => now.saturating_add(timer.current()),
        }
    }

    /// Whether the time-out has passed since `since`.
    pub(crate) fn passed(&self, since: SimTime, now: SimTime) -> bool {
        now >= self.deadline(since)
    }

    /// The smoothed round trip; zero before the first sample.
    pub(crate) fn srtt(&self) -> Picos {
        match self {
            Rto::Ticks(timer) => timer.srtt(),
            Rto::Fine(timer) => timer.srtt(),
        }
    }

    /// The present time-out.
    pub(crate) fn current(&self) -> Picos {
        match self {
            Rto::Ticks(timer) => timer.current(),
            Rto::Fine(timer) => timer.current(),
        }
    }
}
