//! All results in one table: the JSON contract of `reproduce`.

use hopflow::CONTRACT_VERSION;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::headline::{HeadlineRow, headline};
use crate::{ClaimResult, JointRow, NumberResult, joint, numbers, papers};

/// All claims judged: `reproduce --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
#[shape(name = "ReproduceDocument")]
pub struct Table {
    /// The version of this contract: 2.
    pub version: u32,
    /// The printed numbers of each paper, and of all.
    pub headline: Vec<HeadlineRow>,
    /// How many numbers of each table hold together.
    pub joint: Vec<JointRow>,
    /// The printed numbers, each with its verdict, in the order of the papers.
    pub numbers: Vec<NumberResult>,
    /// In the order of the papers and their files.
    pub claims: Vec<ClaimResult>,
    /// Whether all that was asked for was run; else the claims are those of the experiments that
    /// were done when it was interrupted.
    pub complete: bool,
}

impl Table {
    /// The claims with their headline.
    pub fn new(claims: Vec<ClaimResult>, complete: bool) -> Table {
        let papers = papers();
        let numbers = numbers(&papers, &claims);
        let (headline, joint) = (headline(&numbers), joint(&papers, &claims));
        Table { version: CONTRACT_VERSION, headline, joint, numbers, claims, complete }
    }
}
