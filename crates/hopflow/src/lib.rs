//! Simulates network flow control: load, check, run, results.

mod manifest;
mod run;
mod slice;

pub use manifest::Manifest;
pub use run::{
    EngineKind, Progress, ProgressCallback, RunError, RunOptions, RunResult, run_network,
};
