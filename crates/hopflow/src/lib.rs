//! Simulates network flow control: load, check, run, results.

mod manifest;
mod run;
pub mod size;
mod slice;

pub use manifest::Manifest;
pub use run::{
    EngineKind, Progress, ProgressCallback, RunError, RunOptions, RunResult, run_network,
};
