//! The papers as claims: scenario, what the paper says, what was measured, verdict.
//!
//! ```text
//! papers/PAPER/claims.toml   ->  Claim        what the paper says, one number each
//! papers/PAPER/*.toml        ->  Experiment   which runs are needed, what is read off them
//! Runs + Experiment          ->  Measured     values by claim id, charts, tables
//! Claim + value              ->  ClaimResult  reproduced, differs or not-reproduced
//! ```
//! To add a figure: a file in `kung94/` with an [`Experiment`], a line in its registry.
//! `kung94/fig14.rs` is the one to copy.

mod chart;
mod claim;
pub mod creditnet;
mod exhibit;
mod experiment;
mod judge;
pub mod kung94;
mod observe;
mod page;
mod reproduce;
pub mod zhang90;

pub use chart::{Chart, ChartLine};
pub use claim::{Claim, ClaimError, Range, Verdict, load_claims};
pub use exhibit::Exhibit;
pub use experiment::{Experiment, Measured, Run, Runs, ScenarioText};
pub use judge::{ClaimResult, JudgeError, Table, judge};
pub use observe::{CreditSeen, Hop};
pub use page::page;
pub use reproduce::{ReproduceError, Reproduced, reproduce, run_scenario};

/// A paper: its claims and the experiments that measure them.
pub struct Paper {
    /// The key in `docs/references.md` and the first part of every claim id, such as `kung94`.
    pub key: &'static str,
    /// Its claims, in the order of the file.
    pub claims: Vec<Claim>,
    /// Its experiments, in the order of the paper.
    pub experiments: Vec<&'static dyn Experiment>,
}

/// Every paper, in order of year.
pub fn papers() -> Vec<Paper> {
    vec![zhang90::paper(), kung94::paper(), creditnet::paper()]
}
