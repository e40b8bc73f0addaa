//! The reply to the page when a request has no answer.

use hopflow::scenario::{Diagnostic, Diagnostics, Severity};
use serde::Serialize;
use serde_json::{Value, json};

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// The reason, as a sentence.
    pub message: String,
    /// The diagnostics of the scenario, in the order of its text.
    pub diagnostics: Vec<Value>,
}

impl Problem {
    /// One sentence.
    #[expect(clippy::needless_pass_by_value, reason = "messages are errors, or texts made for it")]
    pub fn said(message: impl ToString) -> Problem {
        Problem { message: message.to_string(), diagnostics: Vec::new() }
    }
}

impl From<Diagnostics> for Problem {
    fn from(wrong: Diagnostics) -> Problem {
        let errors = wrong.items.iter().filter(|item| item.severity == Severity::Error);
        let message = match errors.count() {
            1 => "one mistake in the scenario".to_owned(),
            count => format!("{count} mistakes in the scenario"),
        };
        Problem { message, diagnostics: diagnostics(&wrong.items, &wrong.source) }
    }
}

/// Errors and warnings; places are counted as in JavaScript, in UTF-16 units.
pub(crate) fn diagnostics(items: &[Diagnostic], source: &str) -> Vec<Value> {
    let place = |byte: usize| source.get(..byte).map_or(0, |text| text.encode_utf16().count());
    let value = |item: &Diagnostic| {
        let labels: Vec<Value> = item
            .labels
            .iter()
            .map(|label| {
                let (line, column) = hopflow::scenario::line_column(source, label.span.start);
                json!({
                    "from": place(label.span.start),
                    "to": place(label.span.end),
                    "line": line,
                    "column": column,
                    "text": label.text,
                })
            })
            .collect();
        json!({
            "code": item.code.to_string(),
            "severity": if item.severity == Severity::Error { "error" } else { "warning" },
            "message": item.headline(),
            "hint": item.hint,
            "setting": item.setting,
            "labels": labels,
        })
    };
    items.iter().map(value).collect()
}
