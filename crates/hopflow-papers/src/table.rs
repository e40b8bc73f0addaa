//! All results in one table: the JSON contract of `reproduce`.

use hopflow::CONTRACT_VERSION;
use serde::Serialize;

use crate::ClaimResult;
use crate::headline::{HeadlineRow, headline};

/// All claims judged: `reproduce --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The version of this contract: 2.
    pub version: u32,
    /// The printed numbers of each paper, and of all.
    pub headline: Vec<HeadlineRow>,
    /// In the order of the papers and their files.
    pub claims: Vec<ClaimResult>,
    /// Whether all that was asked for was run; else the claims are those of the experiments that
    /// were done when it was interrupted.
    pub complete: bool,
}

impl Table {
    /// The claims with their headline.
    pub fn new(claims: Vec<ClaimResult>, complete: bool) -> Table {
        Table { version: CONTRACT_VERSION, headline: headline(&claims), claims, complete }
    }
}
