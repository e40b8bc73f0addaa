//! What is on a link, as the nodes write and read it, and what stands for none.
//!
//! ```text
//! unit.rs    a unit and its marks        arrival.rs  one that arrives
//! places.rs  where those are that arrive in a window
//! ```

pub(super) mod arrival;
pub(super) mod places;
pub(super) mod unit;

/// No index.
pub(super) const NONE: u32 = u32::MAX;
/// No instant.
pub(super) const NEVER: u64 = u64::MAX;
