//! Statistics, series and digest of a run. No input or output happens here.
//!
//! Two ways lead here from a run: its counters, which are always kept ([`Summary`], [`digest`],
//! [`check_conservation`], [`violations`]), and its trace rows, from which the [`Series`] that
//! a [`RecordSpec`] asks for are worked out.

mod conservation;
mod digest;
mod names;
mod properties;
mod series;
mod spec;
mod summary;
mod wire;

pub use conservation::{Imbalance, check_conservation};
pub use digest::digest;
pub use names::direction_names;
pub use properties::{Property, Violation, violations};
pub use series::{Piece, Point, Quantity, Series, Shape, Unit};
pub use spec::RecordSpec;
pub use summary::{
    DelaySummary, HopSummary, LeafSummary, LinkShare, LinkSummary, NodeSummary, PortSummary,
    QueueSummary, Summary, VcSummary, scheme_name,
};
