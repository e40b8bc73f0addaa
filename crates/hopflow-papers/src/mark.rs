//! A mark: what the paper says, drawn in the chart that shows the same quantity.
//!
//! A mark names a claim; its range is that of the claim, so that a chart never states a number of
//! its own. A range across the chart is a band, one of no width a line, and one at a single place
//! a point with its whiskers.

/// What the paper says of a claim, in a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The chart's id.
    pub chart: String,
    /// The claim whose paper range is drawn.
    pub claim: String,
    /// The line that the claim is about. `None`: no single line.
    pub line: Option<usize>,
    /// Where in the chart it holds.
    pub place: Place,
    /// What is added to the range, in the unit of the axis.
    pub offset: f64,
}

/// Where in a chart a mark holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// The range is one of the vertical axis, all across the chart.
    Across,
    /// The same, between two places of the horizontal axis.
    Between(f64, f64),
    /// The same, at one place of the horizontal axis.
    At(f64),
    /// The range is one of the horizontal axis.
    Upright,
}

impl Mark {
    /// The range of `claim` all across `chart`.
    pub fn new(chart: impl Into<String>, claim: impl Into<String>) -> Mark {
        let (chart, claim) = (chart.into(), claim.into());
        Mark { chart, claim, line: None, place: Place::Across, offset: 0.0 }
    }

    /// Of the n-th line of the chart, and in its colour.
    #[must_use]
    pub fn on(self, line: usize) -> Mark {
        Mark { line: Some(line), ..self }
    }

    /// At one place of the horizontal axis.
    #[must_use]
    pub fn at(self, x: f64) -> Mark {
        Mark { place: Place::At(x), ..self }
    }

    /// Between two places of the horizontal axis.
    #[must_use]
    pub fn between(self, from: f64, to: f64) -> Mark {
        Mark { place: Place::Between(from, to), ..self }
    }

    /// The range is one of the horizontal axis.
    #[must_use]
    pub fn upright(self) -> Mark {
        Mark { place: Place::Upright, ..self }
    }

    /// The range moved up by `offset`, in the unit of the axis.
    #[must_use]
    pub fn plus(self, offset: f64) -> Mark {
        Mark { offset, ..self }
    }
}
