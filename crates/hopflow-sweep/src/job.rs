//! Job: one run to be made, of one seed at one point.

use std::sync::{Arc, OnceLock};

use hopflow::Scenario;

/// A point that was read by whoever needed it first; else why it is no scenario.
pub(crate) type Opened = Arc<OnceLock<Result<Scenario, String>>>;

/// A run to be made.
#[derive(Clone, Debug)]
pub struct Job {
    /// The point, from 0 on.
    pub point: u64,
    /// Which seed of the point, from 1 on.
    pub replicate: u32,
    pub(crate) opened: Opened,
    /// Whether the first seed of the point was run, so that it was a scenario then.
    pub(crate) goes_on: bool,
}
