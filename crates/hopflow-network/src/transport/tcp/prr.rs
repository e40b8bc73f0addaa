//! Proportional rate reduction: the sending rate of a SACK sender in a recovery.
//!
//! ```text
//! on each ack of a recovery, D = bytes it newly reports as delivered (acknowledged or held):
//! delivered += D
//! pipe > ssthresh:   send = ceil(delivered x ssthresh / flight) - out                    (1)
//! pipe <= ssthresh:  send = min(ssthresh - pipe, max(delivered - out, D) + MSS)          (2)
//! ```
//! | symbol      | meaning                                            | unit  |
//! |-------------|----------------------------------------------------|-------|
//! | `send`      | bytes that may be sent until the next ack          | bytes |
//! | `delivered` | reported as delivered in this recovery             | bytes |
//! | `out`       | sent in this recovery                              | bytes |
//! | `flight`    | RecoverFS: max - una when the recovery began       | bytes |
//! | pipe        | estimate of the bytes in the network, see `sack.rs` | bytes |
//!
//! Without it, all segments that are newly considered lost would be sent in one burst, and be lost
//! again in the same queue that overflowed.
//!
//! Source: [RFC6937] 3, with its slow start reduction bound. Differs: nothing. Not modelled:
//! nothing. Checked by: the tests below, `tcp/tests/recovery.rs`.

/// The pace of one recovery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pace {
    flight: u32,
    delivered: u32,
    out: u32,
    send: u32,
}

impl Pace {
    /// A recovery begins with this many bytes outstanding.
    pub(crate) fn new(flight: u32) -> Pace {
        Pace { flight: flight.max(1), ..Pace::default() }
    }

    /// Bytes that may be sent until the next ack.
    pub(crate) fn room(&self) -> u32 {
        self.send
    }

    /// An ack reports `fresh` bytes as delivered. Eq. (1), (2).
    pub(crate) fn on_ack(&mut self, fresh: u32, pipe: u32, ssthresh: u32, mss: u32) {
        self.delivered += fresh;
        self.send = if pipe > ssthresh {
            let share = u64::from(self.delivered) * u64::from(ssthresh);
            (share.div_ceil(self.flight.into()) as u32).saturating_sub(self.out)
        } else {
            let bound = self.delivered.saturating_sub(self.out).max(fresh) + mss;
            bound.min(ssthresh - pipe)
        };
    }

    /// This many bytes were sent.
    pub(crate) fn on_send(&mut self, bytes: u32) {
        self.out += bytes;
        self.send = self.send.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [RFC6937] 3, by hand: 20 segments out, ssthresh 10, one lost. While pipe is above 10,
    /// an ack of 1,000 bytes is worth 500, so every second one releases a segment.
    #[test]
    fn every_second_ack_lets_one_go() {
        let mut pace = Pace::new(20_000);
        let mut sent = Vec::new();
        for _ in 0..6 {
            pace.on_ack(1_000, 15_000, 10_000, 1_000);
            let segments = pace.room() / 1_000;
            pace.on_send(segments * 1_000);
            sent.push(segments);
        }
        assert_eq!(sent, [0, 1, 0, 1, 0, 1]);
    }

    /// Claim [RFC6937] 3, by hand: half of 20 segments lost at once, pipe 4 under ssthresh 10: an
    /// ack releases two (1 + MSS), never the six that cwnd - pipe would allow; and never beyond
    /// ssthresh.
    #[test]
    fn below_the_threshold_it_is_slow_start() {
        let mut pace = Pace::new(20_000);
        for pipe in [4_000, 5_000, 6_000] {
            pace.on_ack(1_000, pipe, 10_000, 1_000);
            assert_eq!(pace.room(), 2_000);
            pace.on_send(2_000);
        }
        pace.on_ack(1_000, 9_500, 10_000, 1_000);
        assert_eq!(pace.room(), 500);
    }
}
