//! Records that are replayed: files with a heading and one time a line, each read once.

use std::collections::BTreeMap;
use std::rc::Rc;

use hopflow_units::Picos;

use crate::Code;
use crate::decimal::{Decimal, Rounding};
use crate::diagnostic::Sink;
use crate::naming::short;
use crate::value::{Item, LONGEST};

/// The most bytes of a trace that is replayed.
pub(crate) const MOST_CSV_BYTES: usize = 256 << 20;
/// The most cells and calls replayed by all flows together.
const MOST_CELLS: usize = 20_000_000;

/// Reads a file named in the scenario, or says why not.
pub(crate) type ReadFile<'f> = &'f dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Files read so far, and cells and calls taken from them.
pub(crate) struct Traces<'f> {
    read: ReadFile<'f>,
    texts: BTreeMap<String, Rc<Result<String, String>>>,
    cells: usize,
}

impl std::fmt::Debug for Traces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Traces").field("cells", &self.cells).finish_non_exhaustive()
    }
}

impl<'f> Traces<'f> {
    pub(crate) fn new(read: ReadFile<'f>) -> Traces<'f> {
        Traces { read, texts: BTreeMap::new(), cells: 0 }
    }

    fn text(&mut self, path: &str) -> Rc<Result<String, String>> {
        if let Some(text) = self.texts.get(path) {
            return Rc::clone(text);
        }
        let text = (self.read)(path).and_then(|bytes| {
            if bytes.len() > MOST_CSV_BYTES {
                return Err(format!("it is larger than {} MiB", MOST_CSV_BYTES >> 20));
            }
            String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
        });
        let text = Rc::new(text);
        self.texts.insert(path.to_owned(), Rc::clone(&text));
        text
    }

    /// The cells and calls that were taken from files so far.
    pub(crate) const fn cells(&self) -> usize {
        self.cells
    }

    /// Takes `cells` again, if no more are replayed in all than may be.
    pub(crate) fn take_again(&mut self, cells: usize) -> bool {
        let fits = cells <= MOST_CELLS.saturating_sub(self.cells);
        self.cells += if fits { cells } else { 0 };
        fits
    }

    /// What `parse` makes of the lines of a file, up to the number that it receives.
    pub(crate) fn lines_of<T>(
        &mut self,
        file: &Item<'_>,
        parse: impl FnOnce(&str, usize) -> Result<Vec<T>, BadLine>,
        sink: &mut Sink,
    ) -> Option<Vec<T>> {
        let path = file.text(sink)?;
        let text = self.text(path);
        let text = match text.as_ref() {
            Ok(text) => text,
            Err(reason) => {
                let message = format!("`{path}` cannot be read: {reason}");
                sink.error(Code::UNREADABLE, &file.span, message)
                    .hint("the path is looked up beside the scenario file");
                return None;
            }
        };
        match parse(text, MOST_CELLS.saturating_sub(self.cells)) {
            Ok(parsed) => {
                self.cells += parsed.len();
                Some(parsed)
            }
            Err((line, reason)) => {
                let message = format!("{path}:{line}: {reason}");
                sink.error(Code::BROKEN_CSV, &file.span, message);
                None
            }
        }
    }
}

/// The number of a line, from 1, and what is wrong there.
pub(crate) type BadLine = (usize, String);

/// A line with its number, from 1.
type Line<'t> = (usize, &'t str);

/// The heading of a CSV, and the lines after it that are neither empty nor notes.
pub(crate) fn lines(text: &str) -> Result<(Line<'_>, impl Iterator<Item = Line<'_>>), BadLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let heading = lines.next().ok_or((1, "the file is empty".to_owned()))?;
    Ok((heading, lines))
}

/// The unit, in ps, of times under this heading.
pub(crate) fn scale(heading: &str, cell: Picos) -> Option<u64> {
    Some(match heading {
        "time_ps" => 1,
        "time_ns" => 1_000,
        "time_us" => 1_000_000,
        "time_ms" => 1_000_000_000,
        "time_s" => Picos::PER_SECOND,
        "time_cells" => cell.0,
        _ => return None,
    })
}

/// A time in units of `scale` ps.
pub(crate) fn time(value: &str, scale: u64) -> Result<Picos, String> {
    let decimal =
        Decimal::parse(value).ok_or_else(|| format!("`{}` is not a time", short(value)))?;
    let time = decimal.scaled(scale, Rounding::Up).map(Picos).filter(|time| *time <= LONGEST);
    time.ok_or_else(|| format!("{} is below 0 or above 100 days", short(value)))
}

/// The times of the cells in a file.
pub(crate) fn times(
    file: &Item<'_>,
    cell: Picos,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<Vec<Picos>> {
    traces.lines_of(file, |text, most| parse_times(text, cell, most), sink)
}

/// Reads a CSV of times: a heading with the unit, then one time a line.
fn parse_times(text: &str, cell: Picos, most: usize) -> Result<Vec<Picos>, BadLine> {
    let ((line, heading), lines) = lines(text)?;
    let scale = scale(heading, cell).ok_or_else(|| {
        let units = "time_ps, time_ns, time_us, time_ms, time_s or time_cells";
        (line, format!("the heading is `{}`, but must be {units}", short(heading)))
    })?;
    let mut times: Vec<Picos> = Vec::new();
    for (line, value) in lines {
        let time = time(value, scale).map_err(|reason| (line, reason))?;
        if let Some(&last) = times.last().filter(|last| **last > time) {
            return Err((line, format!("{time} comes after {last}: times never decrease")));
        }
        if times.len() == most {
            return Err((line, format!("more than {MOST_CELLS} cells are replayed in all")));
        }
        times.push(time);
    }
    if times.is_empty() {
        return Err((line, "the file holds no times".to_owned()));
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str) -> Result<Vec<u64>, (usize, String)> {
        let times = parse_times(text, Picos(700), 5)?;
        Ok(times.into_iter().map(|time| time.0).collect())
    }

    /// Claim: each heading gives its unit, exactly; comments and empty lines are passed over.
    #[test]
    fn a_trace_is_read_in_its_unit() {
        assert_eq!(times("time_ns\n0\n# note\n\n1.5\r\n1.5\n"), Ok(vec![0, 1_500, 1_500]));
        assert_eq!(times("time_cells\n0.5\n2"), Ok(vec![350, 1_400]));
    }

    /// Claim: every broken trace is refused at its line.
    #[test]
    fn a_broken_trace_is_refused_at_its_line() {
        let line = |text: &str| times(text).unwrap_err().0;
        assert_eq!(line(""), 1);
        assert_eq!(line("time_ps\n"), 1);
        assert_eq!(line("seconds\n1"), 1);
        assert_eq!(line("time_ps\n1\nx\n"), 3);
        assert_eq!(line("time_ps\n5\n4\n"), 3);
        assert_eq!(line("time_ps\n-1\n"), 2);
        assert_eq!(line("time_s\n1e400\n"), 2);
        assert_eq!(line("time_ps\n1\n1\n1\n1\n1\n1\n"), 7, "more cells than are allowed");
    }
}
