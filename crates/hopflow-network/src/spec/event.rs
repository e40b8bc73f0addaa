//! Changes on the timeline of a run.

use hopflow_control::lane::FRAME_BITS;
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
    /// Let this number of further credits that start carry a value that is wrong, which nobody
    /// notices.
    FalsifyNextCredits {
        /// The number, of credits that do not have an error yet.
        count: u32,
        /// By how much they are wrong, in packets or in blocks of the lane. Not zero, at most
        /// [`FALSE_MOST`] either way.
        error: i32,
        /// Which credits.
        of: CreditsOf,
    },
    /// While true, no data cell starts here (control cells still do).
    Blocked(bool),
}

/// Credits of a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditsOf {
    /// Of any VC.
    AnyVc,
    /// Of one VC.
    Vc(usize),
    /// Lane credits of the lane of this number.
    Lane(u16),
}

/// The most by which a credit is wrong, less than half the range of the totals of lanes.
pub const FALSE_MOST: u32 = (1 << (FRAME_BITS - 1)) - 1;
