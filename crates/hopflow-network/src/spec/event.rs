//! Changes on the timeline of a run.

use hopflow_units::{Probability, SimTime};

/// A change on the timeline, which precedes all else at its instant.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSpec {
    /// The instant.
    pub at: SimTime,
    /// The link.
    pub link: usize,
    /// Its direction, 0 or 1.
    pub direction: usize,
    /// The change.
    pub change: Change,
}

/// A change of a link direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A new probability of corruption for data cells.
    CorruptData(Probability),
    /// A new probability of corruption for credit cells.
    CorruptCredits(Probability),
    /// Corrupt this number of further credit cells that start, of one VC or of any.
    CorruptNextCredits {
        /// The number, which is added to the rest of earlier ones.
        count: u32,
        /// Only credits of this VC.
        vc: Option<usize>,
    },
    /// While true, no data cell starts here (control cells still do).
    Blocked(bool),
}
