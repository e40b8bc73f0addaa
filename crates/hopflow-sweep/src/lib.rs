//! Sweeps: one scenario at many points and under several seeds, stored run by run.
//!
//! * [`Plan`]: a scenario, the axes along which it varies ([`Axis`]), seeds, and the rule that ends
//!   the seeds of a point ([`Rule`]). Points are numbered and built one at a time, so a plan of a
//!   million points takes no time.
//! * [`RunKey`]: identifies a run, independently of the point that it belongs to.
//! * [`Store`]: a directory that loses no stored run if the program is killed at any instant.
//! * [`sweep()`]: executes the runs that the store lacks, with an [`Executor`]. Neither the plan
//!   nor the store depends on the executor.
//! * [`Batch`]: points that another process or machine executes. It reads the plan again
//!   ([`Plan::again`]).
//!
//! The dataset of a complete sweep, `runs.parquet`, and its requested series ([`Chosen`]),
//! `series.parquet`, have the same bytes for any executors, order and interruptions.

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
mod open;
mod overview;
mod plan;
mod program;
mod queue;
pub mod report;
mod row;
mod rule;
mod series;
mod shape;
mod stale;
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
pub use plan::{Doubt, Plan, Request};
pub use program::ProgramPart;
pub use row::{Outcome, Row};
pub use rule::Rule;
pub use series::{Chosen, MOST_VALUES, Span, Spans};
pub use shape::{Shape, SweepFile, quoted};
pub use stale::Stale;
pub use store::{
    ROWS_PER_PART, Store, StoreOptions, VALUES_PER_PART, discard, each_row, each_whole_row,
    read_sweep,
};
pub use sum::sha256;
pub use sweep::{Done, OnProgress, SweepProgress, sweep};
