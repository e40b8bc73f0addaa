//! A note of `why`: one sentence about a run, and its data for programs.

use std::collections::BTreeMap;
use std::fmt;

use hopflow_record::wire::optional_integer;
use hopflow_units::shape::Shaped;
use serde::Serialize;
use serde_json::Value;

/// The severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Shaped)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The times of a hop, which the other notes explain.
    Detail,
    /// The result of a VC, and its limit.
    Info,
    /// A loss, or packets discarded or held back for a considerable time.
    Warning,
    /// A violated property.
    Broken,
}

/// One note about a run: a sentence, and its data for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its severity.
    pub severity: Severity,
    /// Its topic, one word of `docs/results.md`: `outcome`, `bottleneck`, `credit`, ...
    pub cause: &'static str,
    /// More closely, one word of `docs/models/why.md`: what reduced a congestion window.
    pub by: Option<&'static str>,
    /// Its VC; `None`: the run.
    pub vc: Option<String>,
    /// Its link direction (`FROM->TO`).
    pub link: Option<String>,
    /// Its instant, in ps; `None`: the whole run.
    pub at_ps: Option<u64>,
    /// The numbers of the sentence: name with its unit, and value.
    pub numbers: Vec<(&'static str, f64)>,
    /// The sentence.
    pub text: String,
    /// A change that removes the cause; `None`: there is no problem, or no known change.
    pub change: Option<String>,
}

/// A sentence of `why --format json`.
#[derive(Clone, Debug, Serialize, Shaped)]
#[shape(name = "Sentence")]
pub struct NoteEntry<'n> {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub cause: &'static str,
    /// More closely; `null` where there is nothing to add.
    pub by: Option<&'static str>,
    /// The VC; `null` of another subject.
    pub vc: Option<&'n str>,
    /// The link direction; `null` of another subject.
    pub link: Option<&'n str>,
    /// The instant, in ps; `null` of the whole run.
    #[serde(with = "optional_integer")]
    pub at_ps: Option<u64>,
    /// The numbers of the sentence by name.
    pub numbers: BTreeMap<String, f64>,
    /// The sentence.
    pub text: &'n str,
    /// The change that removes the cause, or `null`.
    pub change: Option<&'n str>,
}

impl Note {
    /// A note about the run.
    pub fn new(severity: Severity, cause: &'static str, text: impl Into<String>) -> Note {
        Note {
            severity,
            cause,
            by: None,
            vc: None,
            link: None,
            at_ps: None,
            numbers: Vec::new(),
            text: text.into(),
            change: None,
        }
    }

    /// The note as an entry of `sentences` in `why --format json`.
    pub fn entry(&self) -> NoteEntry<'_> {
        let numbers = self.numbers.iter().map(|(name, value)| ((*name).to_owned(), *value));
        NoteEntry {
            severity: self.severity,
            cause: self.cause,
            by: self.by,
            vc: self.vc.as_deref(),
            link: self.link.as_deref(),
            at_ps: self.at_ps,
            numbers: numbers.collect(),
            text: &self.text,
            change: self.change.as_deref(),
        }
    }

    /// The same as a value.
    pub fn value(&self) -> Value {
        serde_json::to_value(self.entry()).expect("a note is plain data")
    }

    pub(super) fn on(mut self, link: &str) -> Note {
        self.link = Some(link.to_owned());
        self
    }

    pub(super) fn by(mut self, by: &'static str) -> Note {
        self.by = Some(by);
        self
    }

    pub(super) fn with(mut self, name: &'static str, value: f64) -> Note {
        self.numbers.push((name, value));
        self
    }

    pub(super) fn change(mut self, change: impl Into<String>) -> Note {
        self.change = Some(change.into());
        self
    }
}

impl fmt::Display for Note {
    /// The sentence, and the change after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.change.as_ref().map_or(Ok(()), |change| write!(f, " {change}"))
    }
}
