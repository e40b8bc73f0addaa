//! Statistics, series and digest of a run. No input or output happens here.

mod spec;

pub use spec::RecordSpec;
