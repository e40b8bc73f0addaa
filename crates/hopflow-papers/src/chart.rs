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

impl Chart {
    /// A chart without a caption, axes or lines.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Chart {
        Chart { id: id.into(), title: title.into(), ..Chart::default() }
    }

    /// The chart with this caption.
    #[must_use]
    pub fn caption(self, caption: impl Into<String>) -> Chart {
        Chart { caption: caption.into(), ..self }
    }

    /// The chart with these axes, horizontal and vertical, each with its unit.
    #[must_use]
    pub fn axes(self, x: impl Into<String>, y: impl Into<String>) -> Chart {
        Chart { x: x.into(), y: y.into(), ..self }
    }

    /// The chart with these lines.
    #[must_use]
    pub fn lines(self, lines: impl IntoIterator<Item = ChartLine>) -> Chart {
        Chart { lines: lines.into_iter().collect(), ..self }
    }
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

impl ChartLine {
    /// A line that goes straight from point to point.
    pub fn straight(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> ChartLine {
        ChartLine { name: name.into(), step: false, points: points.into_iter().collect() }
    }

    /// A line on which each value holds until the next point.
    pub fn steps(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> ChartLine {
        ChartLine { step: true, ..ChartLine::straight(name, points) }
    }
}
