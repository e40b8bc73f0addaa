//! The counters of a coder (`video.rs`): the sizes of its frames, which are its quality.

use crate::counters::list::counters;

counters! { {}
    /// The frames that a coder has coded, whether or not its host had room for them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct CodedCounters {
        /// Frames.
        frames: u64 = count, apart;
        /// Their cells.
        cells: u64 = count, apart;
        /// The smallest frame, in cells.
        least_cells: Option<u64> = least, apart;
        /// The largest, in cells.
        most_cells: u64 = most, apart;
        /// Frames with one before them.
        changes: u64 = count, apart;
        /// By how much these differ from the ones before, in cells, summed.
        changed_cells: u64 = count, apart;
    }
}
