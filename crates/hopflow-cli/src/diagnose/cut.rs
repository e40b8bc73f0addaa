//! The text of a scenario, with long lines cut to the part around the places of interest.
//!
//! A line of more than 200 characters would push the place that a message points to
//! off the screen. It is cut to a part with that place in it, and `…` where something is left out.

use std::ops::Range;

use hopflow_scenario::line_column;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The most characters of a line that are shown.
const MOST_COLUMNS: usize = 200;
/// The number of these before a place, if the line is cut there.
const BEFORE: usize = 60;
const LEFT_OUT: char = '…';

/// A text to be shown, with places in it.
#[derive(Debug)]
pub(super) struct Cut {
    name: String,
    text: String,
    /// The places, in `text`.
    pub(super) spans: Vec<Range<usize>>,
    /// Line and column of each place in the whole text, from 0.
    positions: Vec<(usize, usize)>,
}

/// A part that is kept: its range in the whole text, and its begin in the cut one.
struct Kept {
    from: Range<usize>,
    to: usize,
}

impl Cut {
    /// `whole`: the text of the file `name`; `spans`: places in it, in bytes.
    pub(super) fn new(name: &str, whole: &str, spans: &[Range<usize>]) -> Cut {
        let mut text = String::new();
        let mut kept: Vec<Kept> = Vec::new();
        let mut start = 0;
        for line in whole.split_inclusive('\n') {
            let part = part_of(line, start, spans);
            if part.start > 0 {
                text.push(LEFT_OUT);
            }
            let from = start + part.start..start + part.end;
            kept.push(Kept { from, to: text.len() });
            text.push_str(&line[part.clone()]);
            if part.end < line.len() {
                text.push(LEFT_OUT);
                text.push('\n');
            }
            start += line.len();
        }
        let place = |span: &Range<usize>| {
            let start = moved(&kept, span.start);
            start..moved(&kept, span.end).max(start)
        };
        let position = |span: &Range<usize>| {
            let (line, column) = line_column(whole, span.start);
            (line - 1, column - 1)
        };
        Cut {
            name: name.to_owned(),
            spans: spans.iter().map(place).collect(),
            positions: spans.iter().map(position).collect(),
            text,
        }
    }
}

/// The bytes of a line that are shown. The line begins at `start` in the whole text.
fn part_of(line: &str, start: usize, spans: &[Range<usize>]) -> Range<usize> {
    let bounds: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    let columns = bounds.len() - 1;
    if columns <= MOST_COLUMNS {
        return 0..line.len();
    }
    let inside = |span: &&Range<usize>| (start..start + line.len()).contains(&span.start);
    let place = spans.iter().find(inside).map_or(0, |span| span.start - start);
    let column = bounds.partition_point(|at| *at <= place) - 1;
    // A character on each side may be the sign of an omission.
    let most = MOST_COLUMNS - 2;
    let first = if column < most { 0 } else { (column - BEFORE).min(columns - most) };
    bounds[first]..bounds[(first + most).min(columns)]
}

/// The position in the cut text of a byte of the whole one; of a byte that is left out, the
/// position at which it would be.
fn moved(kept: &[Kept], at: usize) -> usize {
    let index = kept.partition_point(|part| part.from.start <= at);
    let Some(part) = index.checked_sub(1).map(|index| &kept[index]) else {
        return kept.first().map_or(0, |part| part.to);
    };
    part.to + (at.min(part.from.end) - part.from.start)
}

impl SourceCode for Cut {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let found = self.text.read_span(span, before, after)?;
        let place = self.spans.iter().position(|place| place.start == span.offset());
        // Without lines around it, the caller asks for the position of the place in the file.
        let (line, column) = match place {
            Some(place) if before + after == 0 => self.positions[place],
            _ => (found.line(), found.column()),
        };
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            found.data(),
            *found.span(),
            line,
            column,
            found.line_count(),
        );
        Ok(Box::new(contents.with_language("TOML")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(whole: &str, place: Range<usize>) -> (String, String) {
        let cut = Cut::new("f", whole, std::slice::from_ref(&place));
        let place = cut.text[cut.spans[0].clone()].to_owned();
        (cut.text, place)
    }

    /// Claim: a text of short lines stays as it is.
    #[test]
    fn short_lines_stay() {
        let whole = "one\ntwo = 3\n\nlast";
        let (text, place) = shown(whole, 10..11);
        assert_eq!((text.as_str(), place.as_str()), (whole, "3"));
    }

    /// Claim: of a long line there are at most 200 columns with the place in them, wherever it is;
    /// other lines and the line's number stay.
    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let long = "é".repeat(500) + "HERE" + &"x".repeat(500);
        for (before, after) in [(0, 500), (150, 0), (500, 500), (700, 3), (5000, 300)] {
            let line = format!("{}HERE{}", "é".repeat(before), "x".repeat(after));
            let whole = format!("first\n{line}\n{long}\nlast\n");
            let start = "first\n".len() + "é".len() * before;
            let (text, place) = shown(&whole, start..start + 4);
            assert_eq!(place, "HERE", "{before} {after}");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!([lines[0], lines[3]], ["first", "last"]);
            assert!(lines.iter().all(|line| line.chars().count() <= 200), "{text}");
            assert_eq!(lines[1].starts_with('…'), before >= 198, "{}", lines[1]);
            let place = start..start + 4;
            let cut = Cut::new("f", &whole, std::slice::from_ref(&place));
            let span = SourceSpan::from((cut.spans[0].start, 4));
            let found = cut.read_span(&span, 0, 0).unwrap();
            assert_eq!((found.line(), found.column()), (1, before));
        }
    }

    /// Claim: places that are left out, at the end, or empty are still places of the cut text.
    #[test]
    fn every_place_stays_inside() {
        let whole = format!("{}\n{}", "a".repeat(1000), "b".repeat(1000));
        let spans: Vec<Range<usize>> =
            (0..=whole.len()).step_by(7).map(|at| at..(at + 300).min(whole.len())).collect();
        let cut = Cut::new("f", &whole, &spans);
        for span in &cut.spans {
            assert!(cut.text.get(span.clone()).is_some(), "{span:?}");
        }
        let empty = 0..0;
        assert_eq!(Cut::new("f", "", std::slice::from_ref(&empty)).spans.first(), Some(&empty));
    }
}
