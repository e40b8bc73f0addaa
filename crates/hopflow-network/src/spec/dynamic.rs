//! Dynamic thresholds: the most that a queue may hold moves with the free memory of its switch.
//!
//! ```text
//! F = B - R - (Q - sum of min(q, r))                                             (1)
//! T = floor(alpha F)                                                             (2)
//! a packet fits  iff  q + t <= r,  or  q + t - r <= T  and  q + t - max(q, r) <= F  (3)
//! N queues that always have packets hold  r + alpha (B - R) / (1 + N alpha)  each   (4)
//! ```
//! | symbol  | meaning                                                    | unit  |
//! |---------|------------------------------------------------------------|-------|
//! | `alpha` | the part of the free memory that a queue may hold          |       |
//! | B       | `buffer`, in bytes                                         | bytes |
//! | Q       | what the switch holds, packets in transmission included    | bytes |
//! | q       | what it holds for one output and priority: a class queue   | bytes |
//! | r, R    | the reserve of the class queue; all of them (`reserve.rs`) | bytes |
//! | F       | the shared memory that is free, at least 0                 | bytes |
//! | T       | the threshold of each class queue, the same for all        | bytes |
//! | t       | what the packet takes (`limit.rs`)                         | bytes |
//!
//! Without reserves F = B - Q, and (3) is q + t <= T within B. What a class queue holds up to r is
//! in its reserve, the rest in the shared memory: (3) asks for room in one or both. (4): all queues
//! are r + T, so T = alpha (B - R - N T). Of B - R, the part 1 / (1 + N alpha) stays free, for
//! queues that begin. A packet that does not fit is discarded as it arrives. Packets of a VC that
//! credit or a lane holds on the link by which they come count in q and Q and are not discarded:
//! their senders have been promised room.
//!
//! Source: [CH98]. Differs: [CH98] accepts while q < T, here the packet must fit below T, as below
//! all other limits. SONiC's `dynamic_th` = n is alpha = 2^n. Not modelled: thresholds of inputs.
//! Checked by: the tests below, `hopflow-engine/tests/dynamic.rs` and `reserve.rs`.

use hopflow_units::Bytes;

use super::{DirectionId, Limit, NetworkSpec, Reserve};

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

    /// T where this many bytes are free. Eq. (2).
    pub fn threshold(self, free: Bytes) -> Bytes {
        let threshold = u128::from(self.0) * u128::from(free.0) / u128::from(Alpha::ONE);
        Bytes(u64::try_from(threshold).unwrap_or(u64::MAX))
    }
}

/// The thresholds of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicThreshold {
    alpha: Alpha,
    /// B - R.
    shared: Bytes,
    reserve: Reserve,
}

/// What a node holds as a packet arrives for a class queue, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// q: for the class queue.
    pub queue: u64,
    /// Q: in all.
    pub node: u64,
    /// The sum of min(q, r) over its class queues.
    pub reserved: u64,
}

impl DynamicThreshold {
    /// min(q, r) of a class queue of this priority that holds `queue` bytes.
    pub fn in_reserve(&self, priority: u8, queue: u64) -> u64 {
        queue.min(self.reserve.of(priority).0)
    }

    /// Whether `takes` bytes do not fit a class queue of this priority. Eq. (3).
    pub fn lacks(&self, priority: u8, held: Held, takes: u64) -> bool {
        let beyond = |queue: u64| queue.saturating_sub(self.reserve.of(priority).0);
        let after = beyond(held.queue.saturating_add(takes));
        let takes_of_shared = after - beyond(held.queue);
        if takes_of_shared == 0 {
            return false;
        }
        let shared = held.node.saturating_sub(held.reserved);
        let free = Bytes(self.shared.0.saturating_sub(shared));
        after > self.alpha.threshold(free).0 || takes_of_shared > free.0
    }
}

impl NetworkSpec {
    /// The thresholds of a node, if it has some: then its buffer is in bytes, and holds the
    /// reserves.
    pub fn dynamic_threshold(&self, node: usize) -> Option<DynamicThreshold> {
        let spec = &self.nodes[node];
        let alpha = spec.alpha?;
        let buffer = spec.buffer.and_then(Limit::bytes)?;
        let reserved = spec.reserve.at_all(self.outputs(node))?;
        let shared = Bytes(buffer.0.checked_sub(reserved.0)?);
        Some(DynamicThreshold { alpha, shared, reserve: spec.reserve })
    }

    /// The number of ports by which a node sends.
    pub fn outputs(&self, node: usize) -> usize {
        let all = (0..self.direction_count()).map(DirectionId);
        all.filter(|id| self.from_node(*id) == node).count()
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

    /// A threshold of this alpha, shared memory, and reserve of priority 3.
    fn threshold(alpha: f64, shared: u64, reserve: u64) -> DynamicThreshold {
        let alpha = Alpha::new(alpha).expect("it is in the range");
        let mut reserves = Reserve::default();
        reserves.0[3] = Bytes(reserve);
        DynamicThreshold { alpha, shared: Bytes(shared), reserve: reserves }
    }

    /// Claim: Eq. (3) at its edge: of 1,000 B with alpha 1/2 and 400 B held, T is 300.
    #[test]
    fn a_packet_fits_below_the_threshold() {
        let lacks = |queue, node, takes| {
            threshold(0.5, 1_000, 0).lacks(3, Held { queue, node, reserved: 0 }, takes)
        };
        assert!(!lacks(200, 400, 100) && lacks(200, 400, 101));
        assert!(lacks(0, 1_000, 1) && lacks(0, 2_000, 1));
    }

    /// Claim: Eq. (3) by hand, to the byte. 1,000 B are shared; the queue has 100 B for itself. It
    /// holds 60, others hold 800 of the shared memory: F = 200, T = 100 with alpha 1/2. 40 more fit
    /// the reserve, and up to 140 take at most 100 of the rest. If it holds 150, 50 of them are
    /// shared: F = 150, T = 75, so 25 more fit. With alpha 9, F alone limits: 200 and 150 more. A
    /// full shared memory leaves the reserve as it is. Another priority has no reserve.
    #[test]
    fn a_reserve_is_for_its_queue_alone() {
        let least = |alpha: f64, held: Held| {
            let lacks = |takes: &u64| threshold(alpha, 1_000, 100).lacks(3, held, *takes);
            (1..2_000).take_while(|takes| !lacks(takes)).count()
        };
        let [few, many] = [
            Held { queue: 60, node: 860, reserved: 60 },
            Held { queue: 150, node: 950, reserved: 100 },
        ];
        assert_eq!([least(0.5, few), least(0.5, many)], [140, 25]);
        assert_eq!([least(9.0, few), least(9.0, many)], [240, 150]);
        let full = Held { queue: 60, node: 1_060, reserved: 60 };
        assert_eq!(least(0.5, full), 40);
        let other = Held { queue: 0, node: 1_060, reserved: 60 };
        assert!(threshold(0.5, 1_000, 100).lacks(4, other, 1));
    }
}
