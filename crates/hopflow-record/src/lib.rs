//! Statistics, series and digest of a run. The crate does no input or output.
//!
//! It reads two kinds of data of a run. Counters are always kept; from them [`Together`] computes
//! the [`Summary`], the digest and the violated properties. From trace rows a [`Recorder`] computes
//! the [`Series`] that a [`RecordSpec`] requests, and a [`QueueWatch`] computes the statistics of a
//! queue that a comparison needs.

mod conservation;
mod deadlock;
mod digest;
mod estimate;
mod estimates;
#[cfg(test)]
mod fixture;
mod gather;
mod names;
mod properties;
mod recorder;
mod rows;
mod sending;
mod series;
mod spec;
mod summary;
mod warm_up;
mod watch;
pub mod wire;

pub use deadlock::{Deadlock, Step, Wait, find_deadlock};
pub use digest::digest_of_all;
pub use estimate::{CONFIDENCE, Estimate, student_t};
pub use estimates::{Quantities, Subject, estimates};
pub use names::direction_names;
pub use properties::{Property, Violation};
pub use recorder::{DEFAULT_WINDOW_CELLS, Recorder};
pub use rows::{BLOCK, Block, Hindrances, Keep, KeptCounters, Reading, Together, WORST};
pub use series::{Piece, Point, Quantity, Series, Shape, Unit};
pub use spec::RecordSpec;
pub use summary::{
    ClassSummary, ConnectionSummary, CountUnit, Counter, DelaySummary, FairSummary,
    FairnessSummary, FrameSummary, HoldSummary, HopSummary, LaneSummary, LeafSummary,
    LengthSummary, LengthsSummary, LinkShare, LinkSummary, NodeSummary, PortSummary,
    ProcessorSummary, QueueSummary, RateSummary, RpcSummary, Summary, TcpSummary, TotalsSummary,
    Utilization, VcSummary, VideoSummary, WaitingSummary,
};
pub use watch::{QueueWatch, WatchedQueue};
