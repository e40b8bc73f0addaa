//! A chart of an experiment as a figure, with what the paper says in it.

use hopflow_export::chart::{Along, Axis, Band, Figure, Line, LineKind};

use crate::{Chart, Mark, Place, Reproduced};

pub(super) fn figure(chart: &Chart, found: &Reproduced) -> Figure {
    Figure {
        id: chart.id.clone(),
        title: chart.title.clone(),
        caption: chart.caption.clone(),
        x: axis(&chart.x),
        y: axis(&chart.y),
        series: chart
            .lines
            .iter()
            .map(|line| Line {
                name: line.name.clone(),
                kind: if line.step { LineKind::Step } else { LineKind::Line },
                points: line.points.clone(),
                ..Line::default()
            })
            .collect(),
        bands: bands(chart, found),
        ..Figure::default()
    }
}

/// What the paper says in this chart.
fn bands(chart: &Chart, found: &Reproduced) -> Vec<Band> {
    let marks: Vec<&Mark> = found.marks.iter().filter(|mark| mark.chart == chart.id).collect();
    let band = |mark: &&Mark| {
        let claim = found.claims.iter().find(|claim| claim.id == mark.claim)?;
        let line = mark.line.and_then(|line| chart.lines.get(line));
        let of = line.filter(|_| chart.lines.len() > 1);
        let of = of.map_or(String::new(), |line| format!(", {}", line.name));
        let (says, span) = match mark.place {
            Place::At(x) => (String::new(), Some((x, x))),
            Place::Between(from, to) => (format!(": {}", claim.expected), Some((from, to))),
            Place::Across | Place::Upright => (format!(": {}", claim.expected), None),
        };
        let range = claim.paper_range;
        Some(Band {
            name: format!("paper{of}{says}"),
            range: (range.low + mark.offset, range.high + mark.offset),
            along: if mark.place == Place::Upright { Along::X } else { Along::Y },
            span,
            label: if span.is_none_or(|s| s.0 < s.1) { "paper" } else { "" }.to_owned(),
            look: mark.line.map(|line| line % 8),
        })
    };
    marks.iter().filter_map(band).collect()
}

/// `"time (cell times)"` is the label `time` with the unit `cell times`.
pub(super) fn axis(text: &str) -> Axis {
    match text.strip_suffix(')').and_then(|text| text.split_once(" (")) {
        Some((label, unit)) => Axis::new(label, unit),
        None => Axis::new(text, ""),
    }
}
