//! Cells, links, ports, switches, hosts and VCs: wires the control algorithms to the kernel.

pub mod counters;
mod delay;
mod engine;
mod lanes;
mod lengths;
mod marking;
mod rates;
mod reference;
mod row_order;
mod shares;
mod spec;
mod trace;
pub mod traffic;
pub mod transport;
mod windowed;

pub use counters::RunCounters;
pub use delay::DelayHistogram;
pub use engine::Engine;
pub use hopflow_kernel::Pace;
pub use lengths::QueueLengths;
pub use reference::ReferenceEngine;
pub use row_order::{InstantRows, RowOrder, RowRuns};
pub use shares::port_flows;
pub use spec::*;
pub use trace::{CellKind, TraceEvent, TraceFilter, TracePart, TraceRow};
pub use windowed::{WindowedEngine, engine_bytes};
