//! When a TCP connection considers a segment lost, and when it acknowledges one.

use hopflow_units::Picos;
use serde::Serialize;

/// How round trips are measured and when the retransmission timer expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TcpTimers {
    /// Whole ticks of a clock that all connections share: it ticks at every whole multiple of
    /// `tick` [CSRG].
    Ticks {
        /// The slow tick; not zero. 500 ms in BSD.
        #[serde(rename = "tick_ps")]
        tick: Picos,
        /// The least time-out, in ticks, at least 1. 2 in BSD.
        #[serde(rename = "min_rto_ticks")]
        min_ticks: u32,
        /// How many mean deviations are added to the smoothed round trip: 2 (before June 1990) or
        /// 4.
        rttvar_factor: u32,
    },
    /// Instants of the simulation, rounded up to `granularity` [RFC6298].
    Fine {
        /// G, the granularity of the clock; not zero. 1 ms.
        #[serde(rename = "granularity_ps")]
        granularity: Picos,
        /// The least time-out; not zero. 1 s in [RFC6298] 2.4, 200 ms in current Linux.
        #[serde(rename = "min_rto_ps")]
        min: Picos,
    },
}

/// When the receiver acknowledges data that arrives in order. Anything else is acknowledged at
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TcpAcks {
    /// Every segment at once.
    EverySegment,
    /// When the window can advance by two full segments or half the buffer; otherwise at the next
    /// tick of the fast clock, a whole multiple of `tick` [CSRG].
    WindowMoves {
        /// The fast tick; not zero. 200 ms in BSD.
        #[serde(rename = "fast_tick_ps")]
        tick: Picos,
    },
    /// Every second full segment; otherwise when `delay` has passed since the first waiting byte
    /// [RFC5681] 4.2.
    EverySecond {
        /// Not zero, at most 500 ms by the standard; 40 ms in current Linux.
        #[serde(rename = "delay_ps")]
        delay: Picos,
    },
}
