//! Step marking: every packet that finds the queue longer than a threshold.
//!
//! ```text
//! marked if q > K                                                                        (1)
//! K > C T / 7      a sender that cuts by the part of marks keeps the link busy            (2)
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | q | the queue now; no average | packets or bytes |
//! | K | the threshold | packets or bytes |
//! | C | rate of the link | packets or bytes per second |
//! | T | the round trip without queues | s |
//!
//! Source: [Alizadeh10] 3.1 (1), 3.4 (2). Differs: q has the packet in transmission; (2) is for the
//! author of the scenario, nothing checks it. Not modelled: nothing.
//! Checked by: the tests below, `hopflow-engine/tests/marks.rs`.

use super::{Facts, Length, Machine, PacketAtPort};

/// Marks above a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    threshold: Length,
}

impl Machine for Step {
    const FACTS: Facts = Facts { name: "step" };
    type Parameter = Length;

    fn new(threshold: Length) -> Step {
        Step { threshold }
    }

    /// Eq. (1).
    #[inline]
    fn marks(&mut self, packet: &PacketAtPort) -> bool {
        packet.queue.is_above(self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use hopflow_units::SimTime;

    use super::*;
    use crate::marking::Queue;

    /// Claim [Alizadeh10] 3.1: marked above K, not at K; packets and bytes each by their own.
    #[test]
    fn above_the_threshold_and_not_at_it() {
        let marks = |length, packets, bytes| {
            let queue = Queue { packets, bytes };
            let packet = PacketAtPort { now: SimTime::ZERO, queue, bytes: 100, is_able: true };
            Step::new(length).marks(&packet)
        };
        assert!(!marks(Length::Packets(40), 40, 60_000));
        assert!(marks(Length::Packets(40), 41, 100));
        assert!(!marks(Length::Bytes(30_000), 400, 30_000));
        assert!(marks(Length::Bytes(30_000), 1, 30_001));
    }
}
