//! Dynamic thresholds: the most that a queue may hold moves with the free memory of its switch.
//!
//! ```text
//! T = floor(alpha (B - Q))                                                       (1)
//! a packet fits  iff  q + t <= T                                                 (2)
//! N queues that always have packets hold  alpha B / (1 + N alpha)  each          (3)
//! ```
//! | symbol  | meaning                                                    | unit  |
//! |---------|------------------------------------------------------------|-------|
//! | `alpha` | the part of the free memory that a queue may hold          |       |
//! | B       | `buffer`, in bytes                                         | bytes |
//! | Q       | what the switch holds, packets in transmission included    | bytes |
//! | q       | what it holds for one output and priority: a class queue   | bytes |
//! | T       | the threshold of each class queue, the same for all        | bytes |
//! | t       | what the packet takes (`limit.rs`)                         | bytes |
//!
//! (3): all queues are at T, so q = alpha (B - N q). Of B, B / (1 + N alpha) stays free, for queues
//! that begin. A packet that does not fit is discarded as it arrives. Packets of a VC that credit
//! or a lane holds on the link by which they come count in q and Q and are not discarded: their
//! senders have been promised room.
//!
//! Source: [CH98]. Differs: [CH98] accepts while q < T, here the packet must fit below T, as below
//! all other limits. SONiC's `dynamic_th` = n is alpha = 2^n. Not modelled: memory that a class
//! queue has for itself, thresholds of inputs. Checked by: the tests below,
//! `hopflow-engine/tests/dynamic.rs`.

use hopflow_units::Bytes;

use super::{Limit, NodeSpec, fits};

/// The part of the free memory that a class queue may hold, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alpha(u64);

impl Alpha {
    /// The most: a thousand times the free memory.
    pub const MOST: f64 = 1_000.0;
    const ONE: u64 = 1_000_000_000;

    /// The nearest billionth. `None` below one, and above [`Alpha::MOST`].
    pub fn new(alpha: f64) -> Option<Alpha> {
        let billionths = (alpha * Alpha::ONE as f64).round();
        let is_in = billionths >= 1.0 && alpha <= Alpha::MOST;
        is_in.then_some(Alpha(billionths as u64))
    }

    /// As billionths, of which there are 1 to 10^12.
    pub fn of_billionths(billionths: u64) -> Option<Alpha> {
        let most = 1_000 * Alpha::ONE;
        (1..=most).contains(&billionths).then_some(Alpha(billionths))
    }

    /// In billionths.
    pub const fn billionths(self) -> u64 {
        self.0
    }

    /// T where this many bytes are free. Eq. (1).
    pub fn threshold(self, free: Bytes) -> Bytes {
        let threshold = u128::from(self.0) * u128::from(free.0) / u128::from(Alpha::ONE);
        Bytes(u64::try_from(threshold).unwrap_or(u64::MAX))
    }
}

/// The thresholds of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicThreshold {
    alpha: Alpha,
    buffer: Bytes,
}

impl DynamicThreshold {
    /// Whether `takes` bytes do not fit a class queue that holds `queue` where the node holds
    /// `held`. Eq. (2).
    pub fn lacks(self, queue: u64, held: u64, takes: u64) -> bool {
        let free = Bytes(self.buffer.0.saturating_sub(held));
        !fits(queue, takes, self.alpha.threshold(free).0)
    }
}

impl NodeSpec {
    /// Its thresholds, if it has some: then its buffer is in bytes.
    pub fn dynamic_threshold(&self) -> Option<DynamicThreshold> {
        let buffer = self.buffer.and_then(Limit::bytes);
        Some(DynamicThreshold { alpha: self.alpha?, buffer: buffer? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: alphas as switches have them, 2^-7 to 2^3, and decimals of nine places are exact, and
    /// a threshold is rounded down: an eighth of 1,001 B are 125 B.
    #[test]
    fn alphas_are_exact() {
        for halvings in 0..=7 {
            let alpha = Alpha::new(1.0 / f64::from(1 << halvings)).expect("it is in the range");
            assert_eq!(alpha.threshold(Bytes(1_280)), Bytes(1_280 >> halvings), "1/{halvings}");
        }
        assert_eq!(Alpha::new(8.0).map(|a| a.threshold(Bytes(1_280))), Some(Bytes(8 * 1_280)));
        assert_eq!(Alpha::new(0.1).map(Alpha::billionths), Some(100_000_000));
        assert_eq!(Alpha::new(0.125).map(|a| a.threshold(Bytes(1_001))), Some(Bytes(125)));
        assert_eq!([0.0, -1.0, 1e-10, 1_000.1].map(Alpha::new), [None; 4]);
        let huge = Alpha::new(1_000.0).map(|alpha| alpha.threshold(Bytes(u64::MAX)));
        assert_eq!(huge, Some(Bytes(u64::MAX)));
    }

    /// Claim: Eq. (2) at its edge: of 1,000 B with alpha 1/2 and 400 B held, T is 300.
    #[test]
    fn a_packet_fits_below_the_threshold() {
        let alpha = Alpha::new(0.5).expect("it is in the range");
        let threshold = DynamicThreshold { alpha, buffer: Bytes(1_000) };
        assert!(!threshold.lacks(200, 400, 100) && threshold.lacks(200, 400, 101));
        assert!(threshold.lacks(0, 1_000, 1) && threshold.lacks(0, 2_000, 1));
    }
}
