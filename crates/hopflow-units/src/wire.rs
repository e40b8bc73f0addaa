//! A link direction as a packet meets it: its rate, and what each packet takes beside its bytes.
//!
//! ```text
//! time     = (size + overhead) / rate                                                     (1)
//! last bit = (size + overhead - min(overhead, 12 B)) / rate                               (2)
//! ```
//! Both are rounded up to a whole picosecond. (1) is how long the link is busy. Ethernet puts a
//! preamble before each packet and a gap of at least 12 B after it [IEEE802.3]. So the last 12 B of
//! an overhead follow the packet, and (2) is when its last bit has left.

use crate::{Bytes, Picos, Rate};

/// The rate and the overhead of a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Bits per second.
    pub rate: Rate,
    /// Bytes that every unit takes in addition to its own.
    pub overhead: Bytes,
}

impl Wire {
    /// The gap of Ethernet between two packets.
    pub const GAP: Bytes = Bytes(12);

    /// Eq. (1).
    pub fn transmit_time(self, size: Bytes) -> Picos {
        let time = self.rate.transmit_time(Bytes(size.0 + self.overhead.0));
        time.expect("2^23 bits and an overhead, at 1 b/s or more, fit 2^64 ps")
    }

    /// Eq. (2).
    pub fn last_bit(self, size: Bytes) -> Picos {
        let before = self.overhead.0.saturating_sub(Wire::GAP.0);
        Wire { overhead: Bytes(before), ..self }.transmit_time(size)
    }
}

impl From<Rate> for Wire {
    /// Without overhead.
    fn from(rate: Rate) -> Wire {
        Wire { rate, overhead: Bytes(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim, Eqs. (1) and (2), by hand, at 1 Gb/s (8 ns a byte): 40 B with a gap of 12 B keep the
    /// link busy for 416 ns, and end after 320 ns; with 20 B (a preamble of 8 B too) for 480 ns,
    /// and end after 384 ns; an overhead of 4 B is all gap.
    #[test]
    fn the_gap_follows_the_last_bit() {
        let rate = Rate::from_bps(1_000_000_000).expect("not zero");
        for (overhead, busy, last) in [(12, 416, 320), (20, 480, 384), (4, 352, 320), (0, 320, 320)]
        {
            let wire = Wire { rate, overhead: Bytes(overhead) };
            assert_eq!(wire.transmit_time(Bytes(40)), Picos(busy * 1_000), "{overhead}");
            assert_eq!(wire.last_bit(Bytes(40)), Picos(last * 1_000), "{overhead}");
        }
        assert_eq!(Wire::from(rate), Wire { rate, overhead: Bytes(0) });
    }
}
