//! Simulates network flow control: load, check, run, results.
//!
//! ```no_run
//! use hopflow::{RunOptions, load, run};
//!
//! let scenario = load("three-vcs.toml".as_ref())?;
//! let result = run(&scenario, &RunOptions::default())?;
//! for vc in &result.summary.vcs {
//!     println!("{} {} b/s", vc.name, vc.throughput_bps);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The version of the contract of results: keys, words and units of JSON, CSV and Parquet in
/// `docs/results.md`. It changes when one of them changes its name or its meaning.
pub const CONTRACT_VERSION: u32 = 2;

pub mod bounds;
pub mod compare;
pub mod fairness;
mod grade;
mod json;
mod load;
mod manifest;
mod many;
mod memory;
mod options;
mod platform;
mod result;
mod row_sink;
mod row_slice;
mod rows;
mod run;
mod seeds;
mod session;
pub mod size;
mod slice;
mod slow_hosts;
mod threads;
mod why;

// The lower crates, whole: dependents of this crate need no other.
pub use hopflow_control as control;
pub use hopflow_engine as engine;
pub use hopflow_network as network;
pub use hopflow_record as record;
pub use hopflow_scenario as scenario;
pub use hopflow_units as units;

pub use fairness::{FairShare, FairShares, HeldBy, NoShares, Part, fair_shares, jain_index};
pub use grade::{Grade, Mark, grade, grade_document};
pub use hopflow_record::{Series, Summary};
pub use hopflow_scenario::{Diagnostic, Diagnostics, Scenario};
pub use json::{json_text, write_json};
pub use load::load;
pub use manifest::{Manifest, Resolved, digest8};
pub use many::{ManyError, ManyProgress, ManyProgressCallback, run_many};
pub use memory::memory_estimate;
pub use options::{EngineKind, Progress, ProgressCallback, RunError, RunOptions};
pub use result::{ResultDocument, RunResult};
pub use row_sink::RowSink;
pub use row_slice::{RowSlice, RowSlices};
pub use rows::{AllQueues, AllVcs, Rows, RowsSummary};
pub use run::{run, run_in_both, run_network, run_to_rows, run_with_rows};
pub use seeds::{SeedsDocument, SeedsError, SeedsManifest, SeedsResult, run_seeds};
pub use session::Session;
pub use slow_hosts::{SlowHost, slow_hosts};
pub use threads::useful_threads;
pub use why::{
    Flow, FlowEntry, Group, GroupEntry, Note, NoteEntry, Severity, Span, flows, groups, spans, why,
};
