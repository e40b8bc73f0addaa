//! The file of wider bands: what `reproduce --bands` measured, with the program and the command.
//!
//! ```text
//! # hopflow VERSION[, commit ID]
//! # the command
//! paper,where,number,setting,claim,scenario,seeds,mean,s,half_width,least,most,fit
//! ```
//! Numbers have all of their digits, so that interval and verdict can be worked out again.

use std::fmt::Write as _;

use super::BandRow;
use crate::Range;
use crate::number::Fit;

/// What the first line begins with.
const PROGRAM: &str = "# hopflow ";
/// The columns.
const HEAD: &str =
    "paper,where,number,setting,claim,scenario,seeds,mean,s,half_width,least,most,fit";

/// A file of bands.
#[derive(Clone, Debug, PartialEq)]
pub struct BandFile {
    /// The program: its version, and the commit where it is known.
    pub program: String,
    /// The command that wrote it.
    pub command: String,
    /// What was measured.
    pub rows: Vec<BandRow>,
}

/// A line that is none of a file of bands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {0} of the bands is not as written by `hopflow reproduce --bands`")]
pub struct BandFileError(pub usize);

impl BandFile {
    /// Whether a text begins as one of these files does.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(PROGRAM)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{PROGRAM}{}\n# {}\n{HEAD}\n", self.program, self.command);
        for row in &self.rows {
            let words =
                [&row.paper, &row.place, &row.number, &row.setting, &row.claim, &row.scenario];
            for word in words {
                let _ = write!(text, "{},", quoted(word));
            }
            let maybe = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{}",
                row.seeds,
                row.mean,
                maybe(row.deviation),
                maybe(row.half_width),
                row.printed.low,
                row.printed.high,
                row.fit.word()
            );
        }
        text
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<BandFile, BandFileError> {
        let mut lines = text.lines();
        let mut next = |number: usize, start: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(start));
            line.ok_or(BandFileError(number)).map(str::to_owned)
        };
        let (program, command) = (next(1, PROGRAM)?, next(2, "# ")?);
        next(3, HEAD)?;
        let rows = lines.enumerate().map(|(index, line)| row(line).ok_or(BandFileError(index + 4)));
        Ok(BandFile { program, command, rows: rows.collect::<Result<_, _>>()? })
    }
}

/// A word as a cell: in quotes where it has a comma.
fn quoted(word: &str) -> String {
    if word.contains([',', '"']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

fn row(line: &str) -> Option<BandRow> {
    let cells = cells(line)?;
    let [paper, place, number, setting, claim, scenario, seeds, mean, s, half, least, most, fit] =
        <[String; 13]>::try_from(cells).ok()?;
    let maybe = |cell: &str| {
        if cell.is_empty() { Some(None) } else { cell.parse::<f64>().ok().map(Some) }
    };
    Some(BandRow {
        paper,
        place,
        number,
        setting,
        claim,
        scenario,
        seeds: seeds.parse().ok()?,
        mean: mean.parse().ok()?,
        deviation: maybe(&s)?,
        half_width: maybe(&half)?,
        printed: Range { low: least.parse().ok()?, high: most.parse().ok()? },
        fit: Fit::ALL.into_iter().find(|one| one.word() == fit)?,
    })
}

/// The cells of a line; `None` where quotes do not end.
fn cells(line: &str) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    (!is_quoted).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bands::tests::two_settings;

    /// Claim: what is written is read again, to the last digit, with commas and quotes in words and
    /// a run without chance; a line that is none is named.
    #[test]
    fn what_is_written_is_read_again() {
        let mut rows = two_settings();
        rows[0].place = "3.2.1, the \"table\"".to_owned();
        (rows[1].seeds, rows[1].deviation, rows[1].half_width) = (1, None, None);
        rows[2].mean = 0.1 + 0.2;
        let program = "0.0.0, commit 12ab".to_owned();
        let file = BandFile { program, command: "hopflow reproduce p --bands".to_owned(), rows };
        let text = file.text();
        assert!(BandFile::is_one(&text) && !BandFile::is_one("paper,where"));
        assert_eq!(BandFile::read(&text), Ok(file));
        let short = text.replacen(",met\n", "\n", 1);
        assert_eq!(BandFile::read(&short), Err(BandFileError(4)));
        assert_eq!(BandFile::read(&text.replace("# hopflow reproduce", "")), Err(BandFileError(2)));
        assert_eq!(BandFile::read(""), Err(BandFileError(1)));
    }
}
