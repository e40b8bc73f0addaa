//! The rows of a run: VCs and queues, read a block of VCs at a time, and the summary made from
//! them. Networks of every size take this way, so that nobody needs memory for all rows at once.
//!
//! ```text
//! first reading   what all VCs together say: balance, digest, sending times, integrals of ports
//! second reading  totals, classes, broken properties, and the rows that the summary keeps
//! any other       all rows, block by block, for files and for JSON
//! ```
//! A summary keeps all rows, or of each list the [`WORST`]: the VCs that lost most, then those with
//! the longest delay; the queues with the greatest mean; the VCs that took most of a link. Rows
//! that are kept stay in the order of the file. Checked by: `rows/tests.rs`.

mod block;
mod first;
mod hindrances;
mod reading;
mod together;

pub use block::Block;
pub use hindrances::Hindrances;
pub use reading::{BLOCK, Reading};
pub use together::{KeptCounters, Together};

/// The rows that a summary keeps of each list, unless it keeps all.
pub const WORST: usize = 100;

/// Which rows of VCs, queues and VCs of links a summary keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    All,
    /// The [`WORST`] of each list.
    Worst,
}

#[cfg(test)]
mod tests;
