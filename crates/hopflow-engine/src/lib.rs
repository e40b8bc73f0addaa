//! The two engines: each runs a [`hopflow_network::NetworkSpec`], both with the same results.
//!
//! ```text
//! windowed/    the engine for use: every node runs alone for a window
//! reference/   the engine to compare with: one heap of events, slow and simple
//! embed/       how a machine of a role hangs on a node, one file a role; both engines use it
//! ```
//! The engines share machines, never the order of events: `docs/models/order.md` specifies that,
//! and each engine has its own code for it.

mod embed;
mod reference;
mod windowed;

pub use hopflow_kernel::Pace;
pub use reference::ReferenceEngine;
pub use windowed::{WindowedEngine, engine_bytes};
