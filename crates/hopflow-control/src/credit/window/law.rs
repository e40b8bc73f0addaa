//! The rate of a window, and the window of a rate: how large it must be, how late its update.
//!
//! Packets start T apart at the rate of the path. The receiver opens the window again by U packets
//! after each U that arrive: U = 1 is an ACK of each packet, U = W/2 an update of half a window.
//! Packets count from 0, and update j from 1. Update j falls due as packet jU - 1 arrives, and
//! reaches the sender a time of R after that packet started. It opens the window up to packet
//! jU + W - 1, so packet k >= W waits for update j(k):
//! ```text
//! s_k  = max(s_(k-1) + T, s_(jU-1) + R)      j(k) = floor((k - W) / U) + 1          (1)
//! rate = min(1, q U / (R/T + U - 1 - r))     W = q U + r, 0 <= r < U                (2)
//! W    = ceil(R/T) + U - 1                   the least window with rate 1           (3)
//! W    = 2 (ceil(R/T) - 1), at least 1       the same for U = ceil(W/2)             (4)
//! U    = W - ceil(R/T) + 1                   the latest update with rate 1          (5)
//! ```
//! | symbol  | meaning                                                             | unit    |
//! |---------|---------------------------------------------------------------------|---------|
//! | s_k     | start of packet k of a sender that always has one                   | ps      |
//! | T       | from start to start: on the slowest link, or at a target rate       | ps      |
//! | R       | from a packet's start until its own update, if it is due at once,   | ps      |
//! |         | has arrived: transmit times, delays and processing, both ways       |         |
//! | W       | the window                                                          | packets |
//! | U       | packets for each update                                             | packets |
//! | rate    | share of one packet each T                                          |         |
//!
//! Derivation of (2): the starts of (1) are linear in max and +, so their rate is that of the
//! slowest circle. One circle is s_(k-1) + T: a packet each T. Each other circle goes from packet
//! jU - 1, the last of its update, to packet (j - 1)U + W, the first that the update opens, in R;
//! and from there by steps of T to the next last packet of an update, (j + q)U - 1. This is qU
//! packets later, by U - 1 - r steps. To go on to a later last packet only adds U packets and U
//! steps, which is the first circle. So (2) is exact in the steady state for each W >= U and each
//! R, whole multiples of T or not; the first windows may differ. Where U divides W it is
//! W / (R/T + U - 1). For other W that is an upper bound, because r (W - R/T - U + 1) <= 0 below
//! rate 1; it is 1 for the same W as (2). For U > W no update ever falls due: W packets, then none.
//!
//! Source: derived here; (2) is Eq. (5) of `docs/models/n23.md` with N2 = U and N3 = W - U.
//! Not modelled: waiting in queues, which is part of R in a loaded network; packets of several
//! sizes; a sender that sends part of a packet when less than one fits. Checked by: the tests here,
//! against (1); `hopflow/tests/window_law.rs`, against both engines; `docs/models/window.md`.

use hopflow_units::{Bytes, Picos};

/// When the receiver sends an update of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowUpdate {
    /// After this number of packets, at least 1.
    Every(u64),
    /// When at least half of the window is used: U = ceil(W/2).
    Half,
}

impl WindowUpdate {
    /// U of a window of this number of packets.
    pub fn every(self, window: u64) -> u64 {
        match self {
            WindowUpdate::Every(packets) => packets,
            WindowUpdate::Half => window.div_ceil(2).max(1),
        }
    }
}

/// The loop of a window with packets of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLoop {
    /// R.
    pub round_trip: Picos,
    /// T, above zero.
    pub gap: Picos,
    /// What is counted of a packet for a rate in b/s.
    pub packet: Bytes,
}

impl WindowLoop {
    /// ceil(R/T), at least 1: the packets of one loop.
    pub fn packets(&self) -> u64 {
        self.round_trip.0.div_ceil(self.gap.0).max(1)
    }

    /// The least window, in packets, with which the sender never waits. Eqs. (3) and (4). `None`
    /// beyond 2^64.
    pub fn needed(&self, update: WindowUpdate) -> Option<u64> {
        match update {
            WindowUpdate::Every(every) => self.packets().checked_add(every - 1),
            WindowUpdate::Half => Some((self.packets() - 1).checked_mul(2)?.max(1)),
        }
    }

    /// The latest update, in packets, with which a sender with this window never waits; `None` if
    /// there is none. Eq. (5).
    pub fn latest(&self, window: u64) -> Option<u64> {
        Some((window + 1).checked_sub(self.packets())?).filter(|every| *every > 0)
    }

    /// The packets and the time of one period of the steady state, below rate 1. Eq. (2).
    pub fn period(&self, window: u64, every: u64) -> (u64, u128) {
        let (q, r) = (window / every, window % every);
        let steps = u128::from(every - 1 - r) * u128::from(self.gap.0);
        (q * every, u128::from(self.round_trip.0) + steps)
    }

    /// The rate in b/s of a sender that always has a packet, rounded down; 0 where every packet of
    /// the window waits for an update. Eq. (2). `every`: at least 1.
    pub fn reached_bps(&self, window: u64, every: u64) -> u64 {
        let (packets, span) = self.period(window, every);
        let bits = u128::from(self.packet.bits()).saturating_mul(u128::from(packets));
        let span = span.max(u128::from(packets).saturating_mul(u128::from(self.gap.0))).max(1);
        let bps = bits.saturating_mul(u128::from(Picos::PER_SECOND)) / span;
        u64::try_from(bps).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(round_trip: u64, gap: u64) -> WindowLoop {
        WindowLoop { round_trip: Picos(round_trip), gap: Picos(gap), packet: Bytes(1_250) }
    }

    /// Starts by Eq. (1).
    fn starts(path: &WindowLoop, window: usize, every: usize, count: usize) -> Vec<u64> {
        let mut starts: Vec<u64> = Vec::new();
        for k in 0..count {
            let paced = starts.last().map_or(0, |last| last + path.gap.0);
            let opened = (k >= window).then(|| {
                let update = (k - window) / every + 1;
                starts[update * every - 1] + path.round_trip.0
            });
            starts.push(paced.max(opened.unwrap_or(0)));
        }
        starts
    }

    /// Claim (by hand): 1 Gb/s, 10 ms each way and packets of 1,250 B are T = 10 us and R = 2,001
    /// T. Updates after 1,000 packets: a window of 2,000 is sent in 2,000 / (2,001 + 999) = 2/3 of
    /// the time, and so is one of 2,001: 2,000 / (2,001 + 999 - 1), a little more. It is full from
    /// 2,001 + 999 = 3,000. Updates of half a window: 2 x 2,000 = 4,000. A window of one loop is
    /// full only with an update for each packet.
    #[test]
    fn one_loop_with_late_updates_is_two_thirds() {
        let path = path(20_010_000_000, 10_000_000);
        assert_eq!(path.packets(), 2_001);
        assert_eq!(path.reached_bps(2_000, 1_000), 666_666_666);
        assert_eq!(path.reached_bps(2_001, 1_000), 666_888_962);
        assert_eq!(path.needed(WindowUpdate::Every(1_000)), Some(3_000));
        assert_eq!(path.reached_bps(3_000, 1_000), 1_000_000_000);
        assert!(path.reached_bps(2_999, 1_000) < 1_000_000_000);
        assert_eq!(path.needed(WindowUpdate::Half), Some(4_000));
        assert_eq!((path.latest(2_001), path.latest(2_000)), (Some(1), None));
        assert_eq!(path.latest(3_000), Some(1_000));
        assert_eq!(path.needed(WindowUpdate::Every(1)), Some(2_001));
        assert_eq!((path.reached_bps(9, 10), path.reached_bps(0, 1)), (0, 0));
    }

    /// Claim: half of a window is at least half, and the least window of Eq. (4) is the least.
    #[test]
    fn half_is_at_least_half() {
        assert_eq!([1, 2, 3, 4].map(|window| WindowUpdate::Half.every(window)), [1, 1, 2, 2]);
        for loops in 1..200 {
            let path = path(loops * 80 - 7, 80);
            let needed = path.needed(WindowUpdate::Half).unwrap();
            let full = |window| path.latest(window) >= Some(WindowUpdate::Half.every(window));
            assert!(full(needed) && (1..needed).all(|window| !full(window)), "{loops}");
        }
    }

    proptest! {
        /// Claim: Eq. (2) is the rate of the starts of Eq. (1), exactly, in the steady state: for
        /// each W >= U and each R, that is no multiple of T either. In a period of qU packets the
        /// starts move by R + (U - 1 - r) T, or by T a packet. Eqs. (3) and (5) agree with it.
        #[test]
        fn the_law_is_the_rate_of_the_starts(
            every in 1_usize..12, more in 0_usize..40, round_trip in 1_u64..3_000, gap in 1_u64..20,
        ) {
            let (path, window) = (path(round_trip, gap), every + more);
            let (w, u) = (window as u64, every as u64);
            let (packets, span) = path.period(w, u);
            let span = span.max(u128::from(packets * path.gap.0));
            let starts = starts(&path, window, every, 100 * window);
            for from in [60 * window, 75 * window + 1] {
                let moved = starts[from + packets as usize] - starts[from];
                prop_assert_eq!(u128::from(moved), span);
            }
            let full = span == u128::from(packets * path.gap.0);
            prop_assert_eq!(full, w >= path.needed(WindowUpdate::Every(u)).unwrap());
            prop_assert_eq!(full, path.latest(w).is_some_and(|latest| u <= latest));
        }
    }
}
