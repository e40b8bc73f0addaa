//! The buffer with which the credit of a lane never holds it below a target rate.
//!
//! ```text
//! R      = T(packet) + delays + hold + wait + T(credit)                             (1)
//! K      = ceil(R / T') + m - 1           m = ceil(update / b)                      (2)
//! buffer = K x b (+ b_max - b)                                                      (3)
//! buffer = ceil(R x blocks/s) - 1 + b_max + update - 1   where sizes differ         (4)
//! rate   = q x m x packet / (R + (m - 1 - r) x T')       K = q x m + r, too small   (5)
//! ```
//! | symbol    | meaning                                                         | unit    |
//! |-----------|-----------------------------------------------------------------|---------|
//! | R         | from a packet's start until its credit has returned             | ps      |
//! | T         | transmit time, overhead of the link included                    | ps      |
//! | T'        | from start to start at the target rate, at least T              | ps      |
//! | delays    | propagation and processing, there and back                      | ps      |
//! | hold      | from a packet's arrival until it is freed: 0 at its final host, | ps      |
//! |           | its transmit time on the next link at a switch                  |         |
//! | wait      | longest wait of a credit on the way back                        | ps      |
//! | b         | blocks of a packet                                              | blocks  |
//! | b_max     | blocks that the sender requires: Eq. (1) of `lane/credit.rs`    | blocks  |
//! | m         | packets freed for each credit                                   | packets |
//! | K         | packets that the buffer promises                                | packets |
//! | blocks/s  | of the packet size with the most blocks per byte, at the target; | 1/s     |
//! |           | no more than of the size with the most per byte of the link     |         |
//!
//! Packet k starts at k x T'. Credit j falls due when packet j x m - 1 is freed, and promises K
//! more packets, so that the first packet beyond it is packet j x m + K. That packet needs credit
//! j + 1, which arrives at ((j + 1) x m - 1) x T' + R. It is in time if (K + 1 - m) x T' >= R,
//! which is (2). In (4) the packets not yet credited started within less than R before the next
//! one; the credit omits up to update - 1 freed blocks, and (1) of `lane/credit.rs` requires b_max
//! more.
//!
//! Source: derived here from the equations of `lane/credit.rs` and the order of an instant
//! (`docs/models/order.md`). Not modelled: a buffer that other lanes share.
//! Checked by, against runs: `hopflow/src/size/credits/tests.rs`, `docs/models/lanes.md`.

use hopflow_units::{Bytes, Picos, Rate};

use super::Promise;
use crate::credit::{WindowLoop, WindowUpdate};

/// The control loop of one lane of a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneLoop {
    /// The rate of the data.
    pub rate: Rate,
    /// Bytes that each packet takes of the link in addition to its own.
    pub link_overhead: Bytes,
    /// The rate that the lane shall reach in bits of packets, at most `rate`; what the overhead of
    /// the link leaves of it counts.
    pub target: Rate,
    /// Propagation and processing, both directions added.
    pub delays: Picos,
    /// How long the receiver holds a packet after its arrival.
    pub hold: Picos,
    /// The longest wait of a credit before it starts.
    pub wait: Picos,
    /// The transmit time of a credit on the way back.
    pub credit: Picos,
    /// The largest packet that is sent.
    pub packet: Bytes,
    /// The largest packet that the lane may carry, for which the sender requires room: at least
    /// `packet`.
    pub largest: Bytes,
    /// The packet size with the most blocks per byte; `packet` if all packets have one size.
    pub densest: Bytes,
    /// The packet size with the most blocks per byte of the link, overhead included; as `densest`
    /// without overhead.
    pub densest_on_link: Bytes,
    /// The size of a block.
    pub block: Bytes,
    /// Bytes that each packet takes in its blocks in addition to its size.
    pub overhead: u16,
    /// A credit falls due after this number of freed blocks.
    pub update: u32,
}

/// The buffer of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneNeed {
    /// R. Eq. (1).
    pub round_trip: Picos,
    /// Eq. (3) or (4), in blocks.
    pub blocks: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// The formulas, each followed by the same with numbers.
    pub formula: String,
}

/// Why no buffer can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneSizeError {
    /// A packet or a block of zero bytes, or an update of zero blocks.
    Empty,
    /// The target is above the rate of the link.
    TargetAboveLink,
    /// R, or a packet at the target, does not fit 2^64 ps (213 days).
    TooLong,
    /// The buffer does not fit 2^64 bytes.
    TooMany,
}

impl LaneLoop {
    fn blocks(&self, size: Bytes) -> u64 {
        (size.0 + u64::from(self.overhead)).div_ceil(self.block.0)
    }

    /// T of a packet. `None` on overflow.
    fn time(&self, size: Bytes) -> Option<Picos> {
        self.rate.transmit_time(Bytes(size.0.checked_add(self.link_overhead.0)?))
    }

    /// T' of a packet. `None` on overflow.
    fn gap(&self, size: Bytes) -> Option<Picos> {
        Some(self.target.transmit_time(size)?.max(self.time(size)?))
    }

    /// The rate in b/s that the lane shall reach, no more than the overhead of the link leaves.
    pub fn goal_bps(&self) -> u64 {
        let bits = u128::from(self.packet.bits()) * u128::from(self.rate.bps());
        let on_link = u128::from(self.packet.bits()) + u128::from(self.link_overhead.bits());
        let most = bits.checked_div(on_link).unwrap_or(0);
        u64::try_from(most).unwrap_or(u64::MAX).min(self.target.bps())
    }

    /// R. Eq. (1). `None` on overflow.
    pub fn round_trip(&self) -> Option<Picos> {
        let terms = [self.delays, self.hold, self.wait, self.credit];
        let first = self.time(self.packet)?;
        terms.iter().try_fold(first, |sum, term| sum.checked_add(*term))
    }

    /// m: packets freed for each credit, if all have the largest size.
    fn per_credit(&self) -> u64 {
        u64::from(self.update).div_ceil(self.blocks(self.packet))
    }

    /// The buffer with which credit never holds the lane below its target. Eqs. (2) to (4).
    pub fn need(&self) -> Result<LaneNeed, LaneSizeError> {
        let empty = [self.packet, self.densest, self.block].contains(&Bytes(0));
        if empty || self.update == 0 {
            return Err(LaneSizeError::Empty);
        }
        if self.target > self.rate {
            return Err(LaneSizeError::TargetAboveLink);
        }
        let round_trip = self.round_trip().ok_or(LaneSizeError::TooLong)?;
        let gap = self.gap(self.packet).ok_or(LaneSizeError::TooLong)?;
        let [b, b_max] = [self.packet, self.largest].map(|size| u128::from(self.blocks(size)));
        let m = self.per_credit();
        let law = WindowLoop { round_trip, gap, packet: self.packet };
        let packets = law.needed(WindowUpdate::Every(m)).ok_or(LaneSizeError::TooMany)?;
        let packets = u128::from(packets);
        let one_size = self.densest == self.packet;
        let blocks = if one_size {
            packets * b + b_max - b
        } else {
            self.blocks_in(round_trip) + b_max + u128::from(self.update) - 2
        };
        let bytes = u64::try_from(blocks.saturating_mul(u128::from(self.block.0)));
        let (Ok(bytes), Ok(blocks)) = (bytes, u64::try_from(blocks)) else {
            return Err(LaneSizeError::TooMany);
        };
        let mut need = LaneNeed { round_trip, blocks, bytes: Bytes(bytes), formula: String::new() };
        need.formula = format!("{}\n{}", self.loop_formula(round_trip), {
            if one_size { self.of_one_size(&need, gap) } else { self.of_many_sizes(&need) }
        });
        Ok(need)
    }

    /// ceil(R x blocks/s), at least 1.
    fn blocks_in(&self, round_trip: Picos) -> u128 {
        let by_target = self.blocks_at(round_trip, self.target, self.densest, Bytes(0));
        by_target.min(self.blocks_on_link(round_trip))
    }

    /// The same at the rate of the link.
    fn blocks_on_link(&self, round_trip: Picos) -> u128 {
        self.blocks_at(round_trip, self.rate, self.densest_on_link, self.link_overhead)
    }

    fn blocks_at(&self, round_trip: Picos, rate: Rate, size: Bytes, overhead: Bytes) -> u128 {
        let bits = u128::from(round_trip.0) * u128::from(rate.bps());
        let blocks = bits.saturating_mul(u128::from(self.blocks(size)));
        let bits = u128::from(size.bits()) + u128::from(overhead.bits());
        blocks.div_ceil(bits * u128::from(Picos::PER_SECOND)).max(1)
    }

    /// Blocks below which no schedule reaches the target, whatever the sizes: those that the bytes
    /// of one loop fill. `round_trip` is R of the smallest packet.
    pub fn blocks_of_bytes(&self, round_trip: Picos) -> u64 {
        let bits = u128::from(round_trip.0) * u128::from(self.goal_bps());
        let block = u128::from(self.block.bits()) * u128::from(Picos::PER_SECOND);
        u64::try_from(bits / block).unwrap_or(u64::MAX)
    }

    /// The rate in b/s of a greedy lane with packets of one size and a buffer that is too small.
    /// Eq. (5). At most the target; 0 if no packet may ever follow the first.
    pub fn reached_bps(&self, buffer: u64) -> u64 {
        let (Some(round_trip), Some(gap)) = (self.round_trip(), self.gap(self.packet)) else {
            return 0;
        };
        let m = self.per_credit();
        let b = self.blocks(self.packet);
        let packets = buffer.saturating_sub(self.blocks(self.largest) - b) / b;
        let law = WindowLoop { round_trip, gap, packet: self.packet };
        let is_full = law.latest(packets).is_some_and(|latest| m <= latest);
        if is_full { self.goal_bps() } else { law.reached_bps(packets, m).min(self.goal_bps()) }
    }

    fn loop_formula(&self, round_trip: Picos) -> String {
        let first = self.time(self.packet).unwrap_or(Picos::MAX);
        let terms = [
            ("T(packet)", first),
            ("delays", self.delays),
            ("hold", self.hold),
            ("wait", self.wait),
            ("T(credit)", self.credit),
        ];
        let optional = |name: &str| ["hold", "wait"].contains(&name);
        let terms = terms.into_iter().filter(|(name, span)| span.0 > 0 || !optional(name));
        let (names, spans): (Vec<&str>, Vec<String>) =
            terms.map(|(name, span)| (name, span.to_string())).unzip();
        format!("R = {} = {} = {round_trip}", names.join(" + "), spans.join(" + "))
    }

    fn of_one_size(&self, need: &LaneNeed, gap: Picos) -> String {
        let (b, m) = (self.blocks(self.packet), self.per_credit());
        let more = self.blocks(self.largest) - b;
        let LaneNeed { round_trip, blocks, bytes, .. } = need;
        let (name, more_text) = match more {
            0 => ("", String::new()),
            more => (" + b_max - b", format!(" + {more}")),
        };
        let packets = (blocks - more) / b;
        format!(
            "b = ceil({} / block) = ceil({} B / {} B) = {b} blocks\n\
             K = ceil(R / T') + ceil(update / b) - 1 = ceil({round_trip} / {gap}) + \
             ceil({} / {b}) - 1 = {} + {m} - 1 = {packets} packets\n\
             buffer = K x b{name} = {packets} x {b}{more_text} = {blocks} blocks = {} bytes",
            if self.overhead == 0 { "packet" } else { "packet with overhead" },
            self.packet.0 + u64::from(self.overhead),
            self.block.0,
            self.update,
            round_trip.0.div_ceil(gap.0),
            bytes.0,
        )
    }

    fn of_many_sizes(&self, need: &LaneNeed) -> String {
        let LaneNeed { round_trip, blocks, bytes, .. } = need;
        let by_target = self.blocks_at(*round_trip, self.target, self.densest, Bytes(0));
        let on_link = self.blocks_on_link(*round_trip) < by_target;
        let (size, name, rate) = if on_link {
            (self.densest_on_link, "rate", self.rate)
        } else {
            (self.densest, "target", self.target)
        };
        let (b, dense) = (self.blocks(self.largest), self.blocks(size));
        let (beside, of_bytes) = match self.link_overhead {
            Bytes(overhead) if on_link => (
                format!("{} B and {overhead} B of overhead", size.0),
                format!("{} B", size.0 + overhead),
            ),
            _ => (format!("{} B", size.0), format!("{} B", size.0)),
        };
        format!(
            "b_max = ceil(packet / block) = ceil({} B / {} B) = {b} blocks; packets of {beside} \
             take the most blocks for their bytes, {dense}\n\
             buffer = ceil(R x {name} / {of_bytes} x {dense}) - 1 + b_max + update - 1 = \
             ceil({round_trip} x {rate} / {of_bytes} x {dense}) - 1 + {b} + {} - 1 = {blocks} \
             blocks = {} bytes",
            self.largest.0 + u64::from(self.overhead),
            self.block.0,
            self.update,
            bytes.0,
        )
    }
}

impl Promise {
    /// The size between `least` and `most` with the most blocks per byte, where each packet takes
    /// `beside` bytes in addition to its own.
    pub fn densest(&self, least: Bytes, most: Bytes, beside: Bytes) -> Bytes {
        // The number of blocks is constant up to the next block boundary: the smallest size with
        // it wins. From one boundary to the next, blocks per byte only fall or only rise.
        let after = |blocks: u64| {
            Bytes((blocks * self.block.0 + 1).saturating_sub(u64::from(self.overhead)))
        };
        let [next, last] = [self.blocks(least), self.blocks(most) - 1].map(after);
        let part = |size: Bytes| u128::from(self.blocks(size));
        let bytes = |size: Bytes| u128::from(size.0 + beside.0);
        let denser = |best: Bytes, size: Bytes| {
            let within = size > least && size <= most;
            let more = within && part(size) * bytes(best) > part(best) * bytes(size);
            if more { size } else { best }
        };
        [next, last].into_iter().fold(least, denser)
    }
}

#[cfg(test)]
mod tests;
