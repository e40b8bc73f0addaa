//! A band of a figure: shaded range, reference line or mark; and its sample in a legend.

use super::layout::Layout;
use super::path::{path_text, units};
use super::{Along, Band};
use crate::escape;

/// A shaded range, a reference line, or a mark at one place, with its label.
pub(super) fn band(band: &Band, layout: &Layout) -> String {
    let upright = band.along == Along::X;
    let (own, other) = if upright {
        (layout.ranges.x, layout.ranges.y)
    } else {
        (layout.ranges.y, layout.ranges.x)
    };
    let span = band.span.unwrap_or(other);
    let clamp = |(low, high): (f64, f64), all: (f64, f64)| (low.max(all.0), high.min(all.1));
    let (low, high) = clamp(band.range, own);
    let (from, to) = clamp(span, other);
    if low > high || from > to {
        return String::new();
    }
    let place = |own: f64, other: f64| {
        let (x, y) = if upright { (own, other) } else { (other, own) };
        (layout.across(x), layout.down(y, layout.ranges.y))
    };
    let (one, two) = (place(low, from), place(high, to));
    let (x, y) = (one.0.min(two.0), one.1.min(two.1));
    let (width, height) = ((one.0 - two.0).abs(), (one.1 - two.1).abs());
    let look = band.look.map_or(String::new(), |look| format!(" s{look}"));
    let drawn = if from.total_cmp(&to).is_eq() && !upright {
        whisker(x, y, height, &look)
    } else if low < high {
        format!(
            "<rect class=\"band{look}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            units(x),
            units(y),
            units(width),
            units(height)
        )
    } else {
        format!("<path class=\"mark{look}\" d=\"{}\"/>", path_text([one, two]))
    };
    drawn + &note(band, layout, x + width, y, &look)
}

/// A mark at one x: a line from the least to the greatest value with a foot at both ends, or a
/// diamond if they are equal.
fn whisker(x: i32, y: i32, height: i32, look: &str) -> String {
    if height < 40 {
        let y = y + height / 2;
        let corners = [(x, y - 60), (x + 60, y), (x, y + 60), (x - 60, y), (x, y - 60)];
        return format!("<path class=\"point{look}\" d=\"{}\"/>", path_text(corners));
    }
    let foot = |y| path_text([(x - 50, y), (x + 50, y)]);
    let stem = path_text([(x, y), (x, y + height)]);
    format!("<path class=\"whisker{look}\" d=\"{stem}{}{}\"/>", foot(y), foot(y + height))
}

/// The label of a band, inside the plot at the band's right end.
fn note(band: &Band, layout: &Layout, right: i32, top: i32, look: &str) -> String {
    if band.label.is_empty() {
        return String::new();
    }
    let [left, above, width, _] = layout.plot.map(|part| part.cast_signed() * 10);
    let x = right.clamp(left + 360, left + width) - 30;
    let y = (top - 30).max(above + 110);
    format!(
        "<text class=\"note-of{look}\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        units(x),
        units(y),
        escape(&band.label)
    )
}

/// The sample of a band in a legend, drawn as in the chart.
pub fn band_swatch(band: &Band) -> String {
    let look = band.look.map_or(String::new(), |look| format!(" s{look}"));
    let inside = if band.span.is_some_and(|span| span.0.total_cmp(&span.1).is_eq()) {
        format!("<path class=\"point{look}\" d=\"M13 1l5 5l-5 5l-5-5z\"/>")
    } else if band.range.0 < band.range.1 {
        format!("<rect class=\"band{look}\" x=\"2\" y=\"1\" width=\"22\" height=\"10\"/>")
    } else {
        format!("<path class=\"mark{look}\" d=\"M0 6h26\"/>")
    };
    format!("<svg class=\"swatch\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">{inside}</svg>")
}
