//! A unit that arrives, as it is in the ring.

use super::unit::Unit;

/// A unit that arrives in the present window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) due: u64,
    pub(crate) port: u32,
    /// Its size on the wire.
    pub(crate) bytes: u32,
    pub(crate) words: [u64; 2],
}

impl Arrival {
    /// The unpacked unit. Rare cases unpack it again, so that it stays in registers on the path of
    /// a cell.
    #[inline]
    pub(crate) fn unit(&self) -> Unit {
        Unit::unpack(self.words, self.bytes)
    }
}
