//! What a report draws: plain points, no drawing here.

/// A chart beside a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Unique in the report: letters, digits and hyphens.
    pub id: String,
    /// What is shown, in a few words.
    pub title: String,
    /// What to see in it.
    pub caption: String,
    /// The horizontal axis with its unit.
    pub x: String,
    /// The vertical axis with its unit.
    pub y: String,
    /// What is drawn.
    pub lines: Vec<ChartLine>,
}

/// One line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartLine {
    /// Its name in the legend.
    pub name: String,
    /// A value holds until the next point (else: straight from point to point).
    pub step: bool,
    /// (x, y) in the units of the axes, in order of x.
    pub points: Vec<(f64, f64)>,
}
