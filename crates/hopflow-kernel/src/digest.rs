//! Order hash: one 64-bit number that differs between two runs as soon as one unit starts at
//! another instant, or with another kind, VC or sequence number.
//!
//! ```text
//! h <- mix(h ^ time) ; h <- mix(h ^ word)          mix(x) = (x * K) ^ ((x * K) >> 32)
//! ```
//! Not a cryptographic hash: it guards against mistakes, not against attackers.

/// The hash of all starts on one link direction, in order of start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderHash(u64);

/// Version of the digest: it changes when the same run would give another digest.
pub const DIGEST_VERSION: u32 = 2;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for OrderHash {
    fn default() -> OrderHash {
        OrderHash(0x243F_6A88_85A3_08D3)
    }
}

impl OrderHash {
    /// Adds one 64-bit word.
    #[inline]
    pub const fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(MULTIPLIER);
        self.0 = product ^ (product >> 32);
    }

    /// Adds one start: its instant, then VC, kind (4 bits) and value (28 bits) in one word.
    #[inline]
    pub const fn start(&mut self, time_ps: u64, vc: u32, kind: u8, value: u32) {
        self.word(time_ps);
        self.word(((vc as u64) << 32) | ((kind as u64) << 28) | value as u64);
    }

    /// The hash so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}
