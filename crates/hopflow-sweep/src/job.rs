//! Job: one run to execute, of one seed at one point.

use std::sync::{Arc, OnceLock};

use hopflow::Scenario;

/// A point, read by the first thread that needed it; or the reason why it is not a scenario.
pub(crate) type Opened = Arc<OnceLock<Result<Scenario, String>>>;

/// A run to execute.
#[derive(Clone, Debug)]
pub struct Job {
    /// The point, from 0 on.
    pub point: u64,
    /// Which seed of the point, from 1 on.
    pub replicate: u32,
    pub(crate) opened: Opened,
    /// Whether the first seed of the point was run before, when the point was a valid scenario.
    pub(crate) goes_on: bool,
}
