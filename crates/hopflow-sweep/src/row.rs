//! Row: the stored data of a run, in a line of the journal and in a table.

use serde::{Deserialize, Serialize};

use crate::series::{Packed, count, packed, unpacked};
use crate::{RunKey, Spans};

/// A run that was executed, or the reason why it was not.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The point, from 0 on.
    pub point: u64,
    /// Which seed of the point, from 1 on.
    pub replicate: u32,
    /// The seed.
    pub seed: u64,
    /// The key of the run.
    pub key: RunKey,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It reached its end.
    Complete {
        /// Its digest.
        digest: u64,
        /// Its measures, in the order of the columns; NaN without a value.
        values: Box<[f64]>,
        /// The first property that it violated, if any.
        broken: Option<String>,
        /// The series that the sweep keeps, in their order; empty if they were not read.
        series: Spans,
    },
    /// The reason why this seed cannot be run.
    Failed(String),
    /// The reason why the point is not a valid scenario; it has this one row for all seeds.
    Unreadable(String),
}

impl Outcome {
    /// Its word in tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Outcome::Complete { broken: None, .. } => "complete",
            Outcome::Complete { broken: Some(_), .. } => "broken",
            Outcome::Failed(_) => "failed",
            Outcome::Unreadable(_) => "unreadable",
        }
    }

    /// The error, in one line.
    pub fn error(&self) -> Option<&str> {
        match self {
            Outcome::Complete { broken, .. } => broken.as_deref(),
            Outcome::Failed(why) | Outcome::Unreadable(why) => Some(why),
        }
    }

    /// The value of a column.
    pub fn value(&self, column: usize) -> Option<f64> {
        let Outcome::Complete { values, .. } = self else { return None };
        values.get(column).copied().filter(|value| !value.is_nan())
    }

    /// The value of a column; NaN without a value.
    pub(crate) fn measured(&self, column: usize) -> f64 {
        self.value(column).unwrap_or(f64::NAN)
    }

    /// The series that the sweep keeps.
    pub fn series(&self) -> &[Box<[crate::Span]>] {
        match self {
            Outcome::Complete { series, .. } => series,
            _ => &[],
        }
    }

    /// Replaces the series.
    pub(crate) fn with_series(mut self, spans: Spans) -> Outcome {
        if let Outcome::Complete { series, .. } = &mut self {
            *series = spans;
        }
        self
    }

    /// The number of values of its series.
    pub(crate) fn count(&self) -> u64 {
        count(self.series())
    }

    /// The outcome in the columns of a table, or in a line; without series.
    pub(crate) fn of(
        word: &str,
        digest: Option<&str>,
        values: impl Iterator<Item = Option<f64>>,
        error: Option<String>,
    ) -> Option<Outcome> {
        Some(match word {
            "complete" | "broken" => {
                let broken = if word == "broken" { Some(error?) } else { None };
                let digest = u64::from_str_radix(digest?, 16).ok()?;
                let values = values.map(|value| value.unwrap_or(f64::NAN)).collect();
                Outcome::Complete { digest, values, broken, series: Spans::default() }
            }
            "failed" => Outcome::Failed(error?),
            "unreadable" => Outcome::Unreadable(error?),
            _ => return None,
        })
    }

    /// The digest, 16 hexadecimal digits.
    pub(crate) fn digest(&self) -> Option<String> {
        match self {
            Outcome::Complete { digest, .. } => Some(format!("{digest:016x}")),
            _ => None,
        }
    }
}

/// A row in a line of the journal.
#[derive(Serialize, Deserialize)]
struct Line {
    point: u64,
    replicate: u32,
    /// In digits: some readers of JSON do not support 64 bits.
    seed: String,
    key: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<Option<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    series: Packed,
}

impl Row {
    /// Whether the row stands for all seeds of its point: it is not a valid scenario, or its run
    /// draws nothing at random.
    pub fn is_for_all_seeds(&self) -> bool {
        matches!(self.outcome, Outcome::Unreadable(_)) || self.key.is_certain()
    }

    /// The row as a line of the journal, with its line end.
    pub fn line(&self) -> String {
        let values = match &self.outcome {
            Outcome::Complete { values, .. } => &values[..],
            _ => &[],
        };
        let line = Line {
            point: self.point,
            replicate: self.replicate,
            seed: self.seed.to_string(),
            key: self.key.to_string(),
            status: self.outcome.word().to_owned(),
            digest: self.outcome.digest(),
            values: values.iter().map(|value| (!value.is_nan()).then_some(*value)).collect(),
            error: self.outcome.error().map(str::to_owned),
            series: packed(self.outcome.series()),
        };
        serde_json::to_string(&line).expect("a line is plain data") + "\n"
    }

    /// The row without its series.
    #[must_use]
    pub fn bare(self) -> Row {
        Row { outcome: self.outcome.with_series(Spans::default()), ..self }
    }

    /// Reads a line of the journal; `None`: it is not a row with these numbers of measures and
    /// series.
    pub fn of_line(text: &str, columns: usize, series: usize) -> Option<Row> {
        let line: Line = serde_json::from_str(text).ok()?;
        let (digest, values) = (line.digest.as_deref(), line.values.iter().copied());
        let outcome = Outcome::of(&line.status, digest, values, line.error)?;
        if let Outcome::Complete { values, .. } = &outcome
            && (values.len() != columns || line.series.len() != series)
        {
            return None;
        }
        let outcome = outcome.with_series(unpacked(&line.series)?);
        Some(Row {
            point: line.point,
            replicate: line.replicate,
            seed: line.seed.parse().ok()?,
            key: line.key.parse().ok()?,
            outcome,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use hopflow_kernel::DIGEST_VERSION;

    use super::*;
    use crate::program::{PROGRAM, ProgramPart};

    pub(crate) fn row(point: u64, replicate: u32, values: &[f64]) -> Row {
        let program = ProgramPart::of(PROGRAM, DIGEST_VERSION);
        let key = RunKey::not_run(&format!("{point} {replicate}"), program);
        let (values, series) = (values.into(), Spans::default());
        let outcome = Outcome::Complete { digest: point, values, broken: None, series };
        Row { point, replicate, seed: u64::from(replicate), key, outcome }
    }

    /// Claim: a row reads back from its line to the last bit; a line that is cut anywhere, or has
    /// other columns, is none.
    #[test]
    fn a_row_reads_back_from_its_line() {
        let fine = row(3, 2, &[1.0 / 3.0, f64::NAN, 1e300]);
        let text = "a \"quoted\" \u{e9}\nword".to_owned();
        let broken = Outcome::Complete {
            digest: u64::MAX,
            values: [0.1 + 0.2, -0.0, 5e-324].into(),
            broken: Some(text.clone()),
            series: Spans::default(),
        };
        let others = [broken, Outcome::Failed(text.clone()), Outcome::Unreadable(text)];
        let others = others.map(|outcome| Row { outcome, seed: u64::MAX, ..fine.clone() });
        for row in others.iter().chain([&fine]) {
            let line = row.line();
            assert_eq!(line.matches('\n').count(), 1);
            let again = Row::of_line(&line, 3, 0).expect("a row");
            assert_eq!(format!("{again:?}"), format!("{row:?}"));
            let whole = line.trim_end();
            let cuts = (0..whole.len()).filter(|at| whole.is_char_boundary(*at));
            assert!(cuts.into_iter().all(|at| Row::of_line(&whole[..at], 3, 0).is_none()));
        }
        assert!(Row::of_line(&fine.line(), 2, 0).is_none());
    }
}
