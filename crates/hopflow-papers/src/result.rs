//! The result of a claim: what was measured, and the verdict on it.

use hopflow_record::Estimate;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::{Kind, Primary, Range, Verdict, Written};

/// A claim with what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct ClaimResult {
    /// The claim's id.
    pub id: String,
    /// The paper's key.
    pub paper: String,
    /// Figure and section.
    #[serde(rename = "where")]
    pub place: String,
    /// What is measured.
    pub what: String,
    /// The value as the paper prints it.
    pub expected: String,
    /// Where the statement comes from.
    pub kind: Kind,
    /// When the range was written.
    pub range_written: Written,
    /// Of a printed number: what it is counted by in the headline, at its place.
    pub number: Option<String>,
    /// All values that the measure can have.
    pub domain: Option<Range>,
    /// The values that agree with the paper.
    pub paper_range: Range,
    /// The values derived for a faithful model, with the cause shown.
    pub explained_range: Option<Range>,
    /// The claim that measures the same without that cause.
    pub removed_by: Option<String>,
    /// The values that are known and not explained.
    pub seen_range: Option<Range>,
    /// The measured value, in `unit`; `None` when it was not measured, or is a band.
    pub measured: Option<f64>,
    /// The measured values over a free parameter, least and greatest, in `unit`.
    pub band: Option<Range>,
    /// The reading of the paper that it was measured under, where there are several.
    #[serde(skip)]
    pub reading: Option<String>,
    /// What was measured, by the value of the free parameter where there is one: the numbers of the
    /// headline are judged by these.
    #[serde(skip)]
    pub readings: Vec<Reading>,
    /// What was chosen so that the number is met, or would be. Never in the headline.
    pub fitted: Option<Fitted>,
    /// The unit of the value and the ranges.
    pub unit: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is known that the claim is not reproduced: another verdict is news.
    pub known: bool,
    /// The claim's note, and its derivation where it has one.
    pub note: String,
    /// The scenario file; `None` where a formula was evaluated.
    pub scenario: Option<String>,
    /// The (first) seed of the run.
    pub seed: Option<u64>,
    /// The digest of the (first) run, 16 hexadecimal digits.
    pub digest: Option<String>,
}

/// A parameter that the paper does not state, at the value that meets the paper best.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Fitted {
    /// The parameter.
    pub parameter: String,
    /// Its value; `None` where the note of the claim states the choice.
    pub at: Option<String>,
    /// What is measured there, in the unit of the claim.
    pub value: f64,
    /// How many values were tried; `None` where they were not counted.
    pub tried: Option<usize>,
}

/// What was measured in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The value of the free parameter, if the claim has one.
    pub at: Option<String>,
    /// What was measured, over the seeds of one setting.
    pub value: Estimate,
}

impl ClaimResult {
    /// Whether it is a claim on this number of a paper.
    pub(crate) fn is_on(&self, paper: &str, number: &Primary) -> bool {
        self.kind == Kind::Printed
            && self.paper == paper
            && self.place == number.place
            && self.number.as_deref() == Some(&number.number)
    }

    /// Whether something was chosen so that the number is met: no reproduction.
    pub fn is_fitted(&self) -> bool {
        self.fitted.as_ref().is_some_and(|fitted| fitted.at.is_none())
    }

    /// Whether the claim is not reproduced and the file of claims does not say so.
    pub fn is_new(&self) -> bool {
        self.verdict == Verdict::NotReproduced && !self.known
    }
}
