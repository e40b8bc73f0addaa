//! Sweeps: one scenario at many points and under several seeds, stored run by run.
//!
//! * [`Plan`]: a scenario, the axes along which it changes ([`Axis`]), seeds, and the rule by which
//!   seeds end ([`Rule`]). Points are numbered and made one at a time: a plan of a million is there
//!   at once.
//! * [`RunKey`]: what tells one run from another, whatever point it belongs to.
//! * [`Store`]: a directory that loses nothing that was stored, whenever the program is killed.
//! * [`sweep()`]: makes the runs that the store lacks, by an [`Executor`]. Neither the plan nor the
//!   store knows which executor that is.
//! * [`Batch`]: points that are made by another process or machine, of a plan that is read again
//!   there ([`Plan::again`]).
//!
//! The dataset of a complete sweep, `runs.parquet`, and the series beside it that were asked for
//! ([`Chosen`]), `series.parquet`, have the same bytes whatever ran where, in which
//! order, and however often it was interrupted.

mod again;
mod array;
mod axis;
mod batch;
mod error;
mod execute;
mod grid;
mod job;
mod key;
mod measure;
mod overview;
mod plan;
mod queue;
pub mod report;
mod row;
mod rule;
mod series;
mod shape;
mod store;
mod sum;
mod sweep;

pub use again::{again, lacking};
pub use array::Array;
pub use axis::{Axis, CONTROL, MOST_POINTS};
pub use batch::Batch;
pub use error::SweepError;
pub use execute::{Executor, Jobs, Local};
pub use grid::Grid;
pub use job::Job;
pub use key::RunKey;
pub use measure::{Measures, TOTALS};
pub use overview::{Failure, MOST_ESTIMATED, MOST_FAILURES, Overview, Point};
pub use plan::{Plan, Request};
pub use row::{Outcome, Row};
pub use rule::Rule;
pub use series::{Chosen, MOST_VALUES, Span, Spans};
pub use shape::{Shape, SweepFile, quoted};
pub use store::{
    ROWS_PER_PART, Store, StoreOptions, VALUES_PER_PART, each_row, each_whole_row, read_sweep,
};
pub use sum::sha256;
pub use sweep::{Done, SweepProgress, Told, sweep};
