//! Changes on the timeline of a run.

use hopflow_units::{Probability, SimTime};

/// A change on the timeline, before anything else at its instant.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSpec {
    /// When.
    pub at: SimTime,
    /// The link.
    pub link: usize,
    /// Its direction, 0 or 1.
    pub direction: usize,
    /// What changes.
    pub change: Change,
}

/// What changes on a link direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A new chance of corruption for data cells.
    CorruptData(Probability),
    /// A new chance of corruption for credit cells.
    CorruptCredits(Probability),
    /// Corrupt the next so many credit cells that start, of one VC or of any.
    CorruptNextCredits {
        /// How many; adds to what is left of earlier ones.
        count: u32,
        /// Only credits of this VC.
        vc: Option<usize>,
    },
    /// While true, no data cell starts here (control cells still do).
    Blocked(bool),
}
