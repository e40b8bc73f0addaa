//! The contents of a TCP header, as far as modelled.
//!
//! ```text
//! bytes = header + len + (blocks > 0: 4 + 8 blocks)                              (1)
//! ```
//! The SACK option takes 2 bytes and 8 per block [RFC2018] 3; two no-operations align it.
//!
//! Source: [RFC793] 3.1, [RFC2018] 3. Differs: the window is in bytes, after scaling [RFC7323] 2.
//! Not modelled: ports, checksums, SYN, FIN, RST, urgent data, timestamps. Checked by:
//! `tcp/tests/`.

use super::sequence::Seq;

/// A run of bytes that the receiver holds above a hole: `start` is in it, `end` is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The first byte.
    pub start: Seq,
    /// The byte after the last one.
    pub end: Seq,
}

/// A TCP segment: data one way, or an acknowledgement the other way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The first byte of data; 0 in an acknowledgement.
    pub seq: Seq,
    /// Bytes of data; 0: an acknowledgement.
    pub len: u32,
    /// The next byte that the receiver expects; 0 in data.
    pub ack: Seq,
    /// Bytes from `ack` on that the receiver has room for; 0 in data.
    pub window: u32,
    /// The data that the receiver holds above holes, newest first; only the first `blocks` are
    /// valid.
    pub sack: [Block; 3],
    /// The number of valid blocks in `sack`.
    pub blocks: u8,
    /// Whether the receiver echoes congestion experienced (ECE); false in data.
    pub echo: bool,
    /// Whether it empties the sender's queue.
    pub push: bool,
    /// Whether any of its bytes was sent before. Not in the header: for traces and counters.
    pub again: bool,
}

impl Segment {
    /// The valid blocks.
    pub fn sacked(&self) -> &[Block] {
        &self.sack[..usize::from(self.blocks)]
    }

    /// Bytes from the IP header on. Eq. (1).
    pub fn bytes(&self, header: u32) -> u32 {
        let option = if self.blocks == 0 { 0 } else { 4 + 8 * u32::from(self.blocks) };
        header + self.len + option
    }
}
