//! The rows of a run: VCs and queues, read a block of VCs at a time, and the summary computed from
//! them. Networks of every size are read so, and memory for all rows at once is never needed.
//!
//! ```text
//! first reading   sums over all VCs: balance, digest, sending times, integrals of ports
//! second reading  totals, classes, violated properties, and the rows that the summary keeps
//! any other       all rows, block by block, for files and for JSON
//! ```
//! A summary keeps all rows, or the [`WORST`] of each list: the VCs that lost most, then those with
//! the longest delay; the queues with the greatest mean; the VCs that used most of a link. Kept
//! rows stay in the order of the file. Checked by: `rows/tests.rs`.

mod block;
mod first;
mod hindrances;
mod reading;
mod together;

pub use block::Block;
pub use hindrances::Hindrances;
pub use reading::{BLOCK, Reading};
pub use together::{KeptCounters, Together};

/// The number of rows of each list that a summary keeps, unless it keeps all.
pub const WORST: usize = 100;

/// The rows of VCs, queues and VCs of links that a summary keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    All,
    /// The [`WORST`] of each list.
    Worst,
}

#[cfg(test)]
mod tests;
