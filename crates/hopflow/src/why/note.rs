//! A note of `why`: one sentence about a run, and its data for programs.

use std::fmt;

use hopflow_record::wire::optional_integer;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    pub fn value(&self) -> Value {
        let at = optional_integer::serialize(&self.at_ps, serde_json::value::Serializer);
        let at = at.expect("an integer can be written");
        let numbers = self.numbers.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
        json!({
            "severity": self.severity, "cause": self.cause, "by": self.by,
            "vc": self.vc, "link": self.link,
            "at_ps": at,
            "numbers": numbers.collect::<Map<_, _>>(),
            "text": self.text, "change": self.change,
        })
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
