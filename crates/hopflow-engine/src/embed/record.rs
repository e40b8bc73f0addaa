//! A record: what a unit carries beside its size and its value, where the words of a unit have no
//! room for it. It crosses every link together with its unit, and waits with it at every node.
//!
//! | kind | contents                      | carried by                         | used by         |
//! |------|-------------------------------|------------------------------------|-----------------|
//! | `Rm` | rates and flags of an RM cell | RM cells of VCs under rate control | `embed/rate.rs` |
//!
//! The windowed engine packs records in `windowed/wire/record.rs` and moves them from ring to queue
//! to ring in `windowed/step/record.rs`; the reference engine keeps them in its cells.
//! "How to add a record" in ARCHITECTURE.md lists the steps for another kind.

use hopflow_control::rate::RmCell;
#[cfg(test)]
use hopflow_units::SimTime;

use super::rate::trace_value;

/// The record of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Record {
    /// The contents of an RM cell.
    Rm(RmCell),
    /// The instant at which its unit was created. Only tests send it: it shows what another kind
    /// needs.
    #[cfg(test)]
    Stamp(SimTime),
}

// A record is copied at every node that its unit passes, so its size is a cost: half a line of the
// cache, whether or not there is one.
const _: () = assert!(size_of::<Record>() <= 32 && size_of::<Option<Record>>() <= 32);

impl Record {
    /// The contents of an RM cell; `None` in a record of another kind.
    #[cfg_attr(not(test), expect(clippy::unnecessary_wraps, reason = "tests have another kind"))]
    pub(crate) const fn rm(&mut self) -> Option<&mut RmCell> {
        match self {
            Record::Rm(rm) => Some(rm),
            #[cfg(test)]
            Record::Stamp(_) => None,
        }
    }

    /// Its value in trace rows, in the column of the credit count: CCR of a forward RM cell, ER of
    /// a backward one.
    pub(crate) fn trace_value(self) -> u32 {
        match self {
            Record::Rm(rm) => trace_value(if rm.backward { rm.er } else { rm.ccr }),
            #[cfg(test)]
            Record::Stamp(_) => 0,
        }
    }
}
