//! AAL5: segmentation of a packet into cells of one VC, and its reassembly.
//!
//! ```text
//! n   = ceil((L + E + 8) / 48)                                                   (1)
//! pad = 48 n - (L + E + 8)                                                       (2)
//!
//! | E | packet, L bytes        | pad | trailer, 8 |     cut into n cells of 48 bytes
//!                                                       the last one is marked
//! ```
//! | symbol            | meaning                                               | unit  |
//! |-------------------|-------------------------------------------------------|-------|
//! | L                 | the packet, from its IP header on                     | bytes |
//! | E, `Encapsulation`| header that identifies the protocol: LLC/SNAP 8, VC-based 0 | bytes |
//! | n                 | cells of the frame                                    | cells |
//! | pad               | fill before the trailer, 0 to 47                      | bytes |
//!
//! A cell does not identify its frame; it only carries a mark if it is the last one. So the
//! receiver gathers cells until a last one arrives, and takes them for a frame. The trailer holds
//! length and CRC: with a cell missing, or one too many, the whole frame is discarded. If a last
//! cell is lost, the next frame is lost with it:
//! ```text
//! sent       a1 a2 a3*  b1 b2*  c1 c2*        * last cell of its frame
//! arrive     a1 a2      b1 b2*  c1 c2*        a3 is lost
//! gathered   [a1 a2 b1 b2]      [c1 c2]       a and b are broken, 4 cells wasted; c is whole
//! ```
//! The length field limits L + E to 65,535.
//!
//! Source: [RFC1483] for frame and encapsulations, [RFC1626] for the 9,180-byte packet (192 cells
//! in both encapsulations). Differs: the CRC finds every error; a receiver does not abandon a frame
//! that grows too long, because it is discarded at its end anyway. Not modelled: user-to-user byte
//! and part indicator, abort (length 0), reassembly time-outs. Checked by: `aal5/tests.rs`.

use std::collections::VecDeque;

use hopflow_units::SimTime;

use super::Packet;

/// Bytes of a cell that a frame can use.
pub const PAYLOAD: u32 = 48;
/// Bytes at the end of each frame: user-to-user byte, part indicator, length (2), CRC-32.
pub const TRAILER: u32 = 8;
/// The greatest value of the length field in the trailer: packet and encapsulation, in bytes.
pub const LARGEST: u32 = 65_535;

/// How the protocols on a VC are distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encapsulation {
    /// A header of 8 bytes before each packet: LLC AA-AA-03, SNAP 00-00-00, type. IP over ATM uses
    /// it unless both ends agree otherwise [RFC1483], so it is the default.
    #[default]
    LlcSnap,
    /// No header: each protocol has its own VC.
    VcMultiplexed,
}

impl Encapsulation {
    /// E, in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Encapsulation::LlcSnap => 8,
            Encapsulation::VcMultiplexed => 0,
        }
    }

    /// n, Eq. (1): cells of a packet of `bytes` bytes, at least 1. Panics beyond [`LARGEST`].
    pub const fn cells(self, bytes: u32) -> u32 {
        self.framed(bytes).div_ceil(PAYLOAD)
    }

    /// Eq. (2): padding in bytes in the frame of a packet of `bytes` bytes.
    pub const fn padding(self, bytes: u32) -> u32 {
        self.cells(bytes) * PAYLOAD - self.framed(bytes)
    }

    /// L + E + 8, in bytes.
    const fn framed(self, bytes: u32) -> u32 {
        assert!(bytes <= LARGEST - self.bytes(), "a packet is larger than an AAL5 frame holds");
        bytes + self.bytes() + TRAILER
    }
}

/// A frame that was sent: its cells of the VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of its first cell among all cells sent on the VC.
    pub first: u64,
    /// How many cells it has, at least 1.
    pub cells: u32,
    /// When its packet was created.
    pub birth: SimTime,
    /// Its packet.
    pub packet: Packet,
}

impl Frame {
    /// Number of its last cell.
    pub const fn last(&self) -> u64 {
        self.first + self.cells as u64 - 1
    }
}

/// The outcome of the frames of one VC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounters {
    /// Frames that arrived whole.
    pub whole_frames: u64,
    /// Frames that were sent and did not arrive, or arrived in part, or merged with another one:
    /// counted as soon as a cell at or after their last has arrived.
    pub broken_frames: u64,
    /// Cells that arrived in vain: all that were gathered up to the end of a frame that was not
    /// whole.
    pub wasted_packets: u64,
}

/// The receiving end of one VC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reassembly {
    /// The outcome of the frames so far.
    pub counters: FrameCounters,
    /// Number of the first cell since the last marked one; meaningless if none was gathered.
    start: u64,
    /// Cells since the last marked one.
    gathered: u64,
    /// Whether one of them bears congestion experienced.
    congested: bool,
}

impl Reassembly {
    /// Cell `number` of the VC has arrived; `congested`: it bears congestion experienced. Returns
    /// the frame that it completes, if any. `frames` are those sent and not settled yet, oldest
    /// first; the frames that this cell settles are removed.
    ///
    /// Cells arrive in order, each once, and belong to a frame in `frames` (asserted).
    pub fn on_cell(
        &mut self,
        number: u64,
        congested: bool,
        frames: &mut VecDeque<Frame>,
    ) -> Option<Frame> {
        while frames.pop_front_if(|frame| frame.last() < number).is_some() {
            self.counters.broken_frames += 1;
        }
        if self.gathered == 0 {
            self.start = number;
        }
        self.gathered += 1;
        self.congested |= congested;
        let frame = frames.front().expect("a cell arrived without a frame that was sent");
        assert!(frame.first <= number, "a cell arrived that belongs to no frame");
        if number < frame.last() {
            return None;
        }
        let frame = frames.pop_front()?;
        self.end(frame)
    }

    /// The marked cell of `frame` has arrived. Cells are in order, so if as many were gathered as
    /// the frame has, from its first one on, they are all of it.
    fn end(&mut self, mut frame: Frame) -> Option<Frame> {
        let gathered = std::mem::take(&mut self.gathered);
        frame.packet.marked = std::mem::take(&mut self.congested);
        if self.start == frame.first && gathered == u64::from(frame.cells) {
            self.counters.whole_frames += 1;
            return Some(frame);
        }
        self.counters.broken_frames += 1;
        self.counters.wasted_packets += gathered;
        None
    }
}

#[cfg(test)]
mod tests;
