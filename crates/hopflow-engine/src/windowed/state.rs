//! A node and what it holds. Each type has its own small methods and knows no node: what happens to
//! several of them at once is a step, see `step.rs`.
//!
//! ```text
//! node.rs      all of it              idle.rs    VCs of which nothing has come yet
//! port.rs      completions.rs  corruption.rs  lane.rs  round_robin.rs  scheduled.rs  shared.rs
//! sender.rs    blocked.rs  pool.rs  rated.rs
//! receiver.rs  limits.rs   source.rs   endpoint.rs
//! timers.rs    tracer.rs   part.rs: counters that are read
//! directions.rs  windows.rs: what the description says of links
//! ```

pub(super) mod blocked;
pub(super) mod completions;
pub(super) mod corruption;
pub(super) mod directions;
pub(super) mod endpoint;
pub(super) mod idle;
pub(super) mod lane;
pub(super) mod limits;
pub(super) mod node;
pub(super) mod part;
pub(super) mod pool;
pub(super) mod port;
pub(super) mod rated;
pub(super) mod receiver;
pub(super) mod round_robin;
pub(super) mod scheduled;
pub(super) mod sender;
pub(super) mod shared;
pub(super) mod source;
pub(super) mod timers;
pub(super) mod tracer;
pub(super) mod windows;
