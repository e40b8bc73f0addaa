//! What a network is (nodes, links, VCs and their control), what a result of it is (counters,
//! trace rows), and what its hosts do (sources of traffic, transport protocols). `hopflow-engine`
//! runs it.

mod chance;
pub mod counters;
mod delay;
mod engine;
mod lengths;
mod row_order;
mod shares;
mod spec;
mod trace;
pub mod traffic;
pub mod transport;

pub use counters::RunCounters;
pub use delay::DelayHistogram;
pub use engine::Engine;
pub use lengths::QueueLengths;
pub use row_order::{InstantRows, RowOrder, RowRuns};
pub use shares::port_flows;
pub use spec::*;
pub use trace::{CellKind, TraceEvent, TraceFilter, TracePart, TraceRow};
