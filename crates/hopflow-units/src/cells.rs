//! Sizes and amounts: bytes on the wire, cells in a buffer.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A size on the wire in bytes. Zero is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl Bytes {
    /// One ATM cell: 5 bytes of header and 48 of payload.
    pub const CELL: Bytes = Bytes(53);

    /// The size in bits; saturates at 2^64 - 1.
    pub const fn bits(self) -> u64 {
        self.0.saturating_mul(8)
    }
}

/// Cells held, allowed or granted at one place (a buffer, a credit). Totals over a run are plain
/// `u64` counters whose names end in `_cells`.
///
/// Arithmetic panics on overflow in every build: a count that wraps is a broken model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells(pub u32);

impl Cells {
    /// No cell.
    pub const ZERO: Cells = Cells(0);
    /// One cell.
    pub const ONE: Cells = Cells(1);

    /// The difference, zero if `other` is more.
    #[must_use]
    pub const fn saturating_sub(self, other: Cells) -> Cells {
        Cells(self.0.saturating_sub(other.0))
    }

    /// The sum, `None` on overflow.
    pub const fn checked_add(self, other: Cells) -> Option<Cells> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Cells(sum)),
            None => None,
        }
    }
}

impl Add for Cells {
    type Output = Cells;
    fn add(self, other: Cells) -> Cells {
        Cells(self.0 + other.0)
    }
}

impl AddAssign for Cells {
    fn add_assign(&mut self, other: Cells) {
        self.0 += other.0;
    }
}

impl Sub for Cells {
    type Output = Cells;
    fn sub(self, other: Cells) -> Cells {
        Cells(self.0 - other.0)
    }
}

impl SubAssign for Cells {
    fn sub_assign(&mut self, other: Cells) {
        self.0 -= other.0;
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "cell" } else { "cells" })
    }
}
