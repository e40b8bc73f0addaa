//! The units on a link, as the nodes write and read them, and the values that represent none.
//!
//! ```text
//! unit.rs    a unit and its marks        arrival.rs  a unit that arrives
//! record.rs  what some units carry       places.rs   the places of units that arrive in a window
//! ```

pub(super) mod arrival;
pub(super) mod places;
pub(super) mod record;
pub(super) mod unit;

/// Represents no index.
pub(super) const NONE: u32 = u32::MAX;
/// Represents no instant.
pub(super) const NEVER: u64 = u64::MAX;
