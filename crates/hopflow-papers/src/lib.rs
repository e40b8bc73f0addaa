//! The papers as claims: scenario, what the paper says, what was measured, verdict.
//!
//! ```text
//! papers/PAPER/claims        ->  Claim        what the paper says, one statement each
//! papers/PAPER/*.toml        ->  Experiment   which runs are needed, what is read off them
//! Runs + Experiment          ->  Measured     values by claim id, charts, tables
//! Claim + value              ->  ClaimResult  reproduced, differs or not-reproduced
//! papers/PAPER/primary.toml  ->  Primary      what each printed number measures, chosen unseen
//! ClaimResults + Primary     ->  NumberResult the verdict on each printed number, once
//! NumberResults              ->  HeadlineRow  how many numbers have each verdict
//! ClaimResults + Primary     ->  JointRow     how many numbers of a table hold together
//! Runs + Bands               ->  BandRow      the same over more settings, by `--bands`
//! ```
//! To add a figure: a file in `kung94/` with an [`Experiment`], a line in its registry.
//! `kung94/fig14.rs` is the one to copy.

#[macro_use]
mod experiment;
#[macro_use]
mod paper;

mod bands;
pub mod cai97;
mod chart;
mod claim;
pub mod creditnet;
pub mod debate;
mod error;
mod exhibit;
pub mod fair;
mod headline;
mod joint;
mod judge;
mod kept;
pub mod kung94;
mod mark;
mod number;
mod observe;
mod page;
mod plan;
mod primary;
mod reproduce;
mod result;
pub mod roberts96;
mod schedule;
mod table;
mod title;
mod work;
pub mod zhang90;

pub use bands::{BandFile, BandFileError, BandRow, joint_of_bands};
pub use chart::{Chart, ChartLine};
pub use claim::{Claim, ClaimError, Kind, Range, RuleError, Verdict, Written, load_claims};
pub use error::ReproduceError;
pub use exhibit::Exhibit;
pub use experiment::{
    Bands, Experiment, IntoEstimate, Measured, Run, Runs, ScenarioText, Setting, SettingValue,
};
pub use headline::{HeadlineRow, headline};
pub use joint::{JointRow, joint};
pub use judge::{JudgeError, judge};
pub use kept::{kept, kept_rows};
pub use mark::{Mark, Place};
pub use number::{Fit, NumberClaim, NumberResult, Standing, numbers};
pub use observe::{CreditSeen, Hop};
pub use page::{INCOMPLETE, page};
pub use paper::Paper;
pub use plan::{Planned, plan};
pub use primary::{Primary, PrimaryError, load_primary};
pub use reproduce::{Chosen, News, Reproduced, bands_all, bands_runs, reproduce_all};
pub use result::{ClaimResult, Fitted, Reading};
pub use table::Table;
pub use title::title;
pub use work::run_scenario;

/// Every paper, in order of year; then what no paper has.
pub fn papers() -> Vec<Paper> {
    vec![
        zhang90::paper(),
        kung94::paper(),
        roberts96::paper(),
        creditnet::paper(),
        cai97::paper(),
        fair::paper(),
        debate::paper(),
    ]
}
